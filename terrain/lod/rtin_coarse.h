/* Errors of nodes whose grid leaves vertices out: small squares are measured vertex by vertex,
 * large ones where what is known of their parts, and of the landscape's cells, does not rule it
 * out. Exact either way: heights are integers and sides powers of two, so no arithmetic rounds. Any
 * thread.
 */
#ifndef TERRAIN_LOD_RTIN_COARSE_H
#define TERRAIN_LOD_RTIN_COARSE_H

#include "terrain/lod/rtin_fine.h"

enum { RTIN_TILE = 128 }; /* vertices a side that are read at once, and one more */

/* A node's map while it is made. Vertices count from the node's own first one. */
struct rtin_coarse {
    const struct view *view;
    const struct rtin_node *node;
    enum hole_rule rule;
    struct rect vertices; /* of the node, on the landscape */
    int32_t log2, n, stride;
    const struct rtin_map *older; /* or NULL */
    struct rtin_map *own;
    bool holed;     /* some vertex may have no surface */
    uint8_t *quads; /* of the grid, n^2 */
    /* Blocks that hold vertices, and for an update how many north-west of each have changed. */
    int32_t across, down;
    uint8_t *changed;
    int32_t *sums;      /* (across + 1) * (down + 1) */
    struct rect around; /* vertices that are measured lie in it */
    /* A tile: its heights as floats, NaN where there is no surface, and its quads that are holes
     * with a ring of one around; NULL in a tile without. */
    float *heights;
    uint8_t *holes;
};

/* Whether both sides reach a vertex: what goes beyond the landscape is not measured. */
static inline bool rtin_whole(const struct rtin_coarse *c, int32_t east, int32_t south)
{
    return east < c->vertices.width && south < c->vertices.height;
}

/* Whether anything changed in the closed square. */
bool rtin_touched(const struct rtin_coarse *c, int32_t x, int32_t y, int32_t side);

/* From north-west to south-east; the root is. By columns and rows of the grid. */
static inline bool rtin_falling(const struct rtin_coarse *c, int32_t i, int32_t j, int32_t cells)
{
    return cells == c->n || ((i ^ j) / cells & 1) == 0;
}

/* A square of `cells` quads of the grid a side and its quads' halves, while they are known only by
 * what lies below them: errors go where rtin_map has them. */
void rtin_far_square(const struct rtin_coarse *c, int32_t i, int32_t j, int32_t cells);
void rtin_far_quad(const struct rtin_coarse *c, int32_t i, int32_t j);

/* The squares of the tile at (x, y), to `most` vertices a side, that are touched. */
void rtin_near_tile(struct rtin_coarse *c, int32_t x, int32_t y, int32_t most);

/* What a drawn quad leaves out that the landscape's border makes narrow. */
double rtin_narrow_error(const struct rtin_coarse *c, int32_t i, int32_t j);

/* The own map of the node; of an older one (or NULL) what is not touched is kept. NULL with
 * MEMORY. */
struct derived *rtin_coarse_node(const struct view *view, const struct rtin_node *node,
                                 enum hole_rule rule, struct rect vertices,
                                 const struct rtin_map *older, struct fault *why);

#endif

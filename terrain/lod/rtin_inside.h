/* What the parts of rtin.h share: maps, how an error is written, and the field it is measured in.
 *
 * Errors of vertices are kept in 15 bits: 5 of an exponent, 10 of what follows the leading 1,
 * always rounded up, so that they order as numbers do and never promise too much. 0 is no error at
 * all; what must be split whatever the threshold has the greatest.
 */
#ifndef TERRAIN_LOD_RTIN_INSIDE_H
#define TERRAIN_LOD_RTIN_INSIDE_H

#include <string.h>

#include "terrain/lod/rtin.h"

enum { RTIN_NEVER = INT16_MAX, RTIN_GREATEST = RTIN_NEVER - 1 };
enum { RTIN_KEPT_BITS = 42, RTIN_FIRST = (1023 - 15) << 10 };

/* Rounded up; of less than 2^-15 that. */
static inline int16_t rtin_pack(double error)
{
    int64_t bits, packed;

    if (!(error > 0))
        return 0;
    memcpy(&bits, &error, sizeof bits);
    packed = ((bits + ((INT64_C(1) << RTIN_KEPT_BITS) - 1)) >> RTIN_KEPT_BITS) - RTIN_FIRST;
    return (int16_t)(packed < 1 ? 1 : packed > RTIN_GREATEST ? RTIN_GREATEST : packed);
}

/* As measured, when that may be off by so much: what is taken for nothing is not above twice that.
 */
static inline double rtin_safe(double error, double slack)
{
    return error > slack ? error + slack : 0;
}

static inline double rtin_unpack(int16_t packed)
{
    const int64_t bits = ((int64_t)packed + RTIN_FIRST) << RTIN_KEPT_BITS;
    double error;

    memcpy(&error, &bits, sizeof error);
    return packed ? error : 0;
}

/* Blocks a side that a patch of the finest grid may lie in. */
enum { RTIN_BLOCKS = (1 << RTIN_LOG2_MOST) / BLOCK_SIDE + 1 };

/* Of a quad of the grid. */
enum { RTIN_DRAWN = 1, RTIN_LEFT_OUT = 2, RTIN_NARROW = 4 };

/* One patch: its samples and the errors of its own triangles, or, closed, those of all that its
 * vertices force. Arrays row by row. */
struct rtin_map {
    struct derived derived;
    int32_t log2;
    bool turns;      /* finest quads take the surface's diagonal where theirs errs */
    double slack;    /* what arithmetic may have lost of an error */
    int16_t *errors; /* (n + 1)^2 */
    int16_t *raw;    /* the same before it was gathered; only where updates start from it */
    /* Of a coarse node besides: raw is of squares and of the triangles south and east of their
     * hypotenuse, other of those north and west of it, sides of the finest pairs' common side. */
    int16_t *other, *sides;
    uint64_t *names; /* as blocks, of any number; then the width and height on the landscape */
    size_t names_count;
    uint64_t blocks[2][RTIN_BLOCKS * RTIN_BLOCKS]; /* of heights and holes: what it was made from */
    struct rtin_map *of; /* a closed map's own, held; it has what follows, a closed one does not */
    int16_t *rest;       /* n^2: what the finest triangles leave out */
    uint8_t *quads;      /* n^2: RTIN_DRAWN and so on; NULL when all are drawn */
    uint16_t *codes;     /* (n + 1)^2: the samples of a node, */
    double *metres;      /* or of a tile */
};

/* With room for its arrays, which are not filled. NULL with MEMORY. */
enum { RTIN_CODES = 1, RTIN_QUADS = 2, RTIN_RAW = 4, RTIN_COARSE = 8 };
struct rtin_map *rtin_own_new(int32_t log2, unsigned with, struct fault *why);

/* What errors are measured against: the surface's vertices, `stride` quads to one of the grid. */
struct rtin_field {
    int32_t log2, stride;
    int32_t columns, rows; /* vertices that there are, at most (stride << log2) + 1 */
    const double *grid;    /* (n + 1)^2, of those beyond anything */
    /* Row y of the surface, and its quads' centres (those of the last row may be anything): NaN
     * where there is no surface. Rows are asked for in turn. */
    bool (*read)(void *context, int32_t y, double *heights, double *centres, struct fault *why);
    void *context;
};

/* The greatest distances of the triangles: of both that meet at each vertex's hypotenuse into
 * errors, of the finest pairs into rest (n^2), along their common side into sides (n^2). Triangles
 * that reach beyond the field are not measured. */
bool rtin_measure(const struct rtin_field *field, double *errors, double *rest, double *sides,
                  struct fault *why);

/* Errors of the own triangles become the map's: never more than an ancestor's, and RTIN_NEVER where
 * a triangle holds quads of several kinds. */
void rtin_gather(struct rtin_map *own);

/* As long as the finest pairs' common sides are not in the errors. */
void rtin_add_sides(struct rtin_map *own, const int16_t *sides);

/* What stands for a block of a plane: never the same for two contents. */
static inline uint64_t rtin_block_name(const struct tree *tree, int32_t bx, int32_t by)
{
    const struct child *child = tree_leaf(tree, bx, by);

    return child->below ? ((const struct block *)child->below)->identity
                        : UINT64_MAX - child->summary.least;
}

/* The same from errors as measured. */
void rtin_settle(struct rtin_map *own, const double *errors, const double *rest,
                 const double *sides);

/* A closed map that is not yet more than its own. */
struct rtin_map *rtin_closed_new(const struct rtin_map *own, struct fault *why);

/* The closed map of the middle of nine own ones, NULL where there is none. */
struct rtin_map *rtin_close(const struct rtin_map *const around[9], struct fault *why);

/* The closed map of a node that lies on the landscape, held. */
struct rtin_map *rtin_node_map(const struct view *view, struct derived_cache *cache,
                               const struct rtin_node *node, enum hole_rule holes,
                               struct fault *why);

/* Where the grid's vertices lie: low + i * stride, at most `most`. */
struct rtin_frame {
    int32_t low[2], stride, most[2];
};

/* Appends the mesh of all whose error is not above `most`; *left is the greatest that it leaves.
 * With mesh NULL it is only looked at. */
bool rtin_walk(const struct rtin_map *closed, const struct rtin_frame *frame, int16_t most,
               struct mesh *mesh, int16_t *left, struct fault *why);

/* The mesh within max_error metres, where 1 of the map's is `unit` metres; mesh->bound likewise. */
bool rtin_mesh_within(const struct rtin_map *closed, const struct rtin_frame *frame, double unit,
                      double max_error, struct mesh *mesh, struct fault *why);

#endif

/* Exact bounds of every node of a landscape's quadtree, and how far its mesh lies from the ground.
 *
 * Level 0 are the least nodes, of `leaf` quads a side; a level above covers twice as much. Nodes
 * that lie wholly beyond the landscape are not there. Kept in the cache for a version, and made
 * from an older version's where heights are the same. Any thread.
 */
#ifndef TERRAIN_LOD_QUADTREE_BOUNDS_H
#define TERRAIN_LOD_QUADTREE_BOUNDS_H

#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

enum { QUADTREE_LEVELS_MOST = 24, QUADTREE_SQUARE = 8 };

struct node_range {
    uint16_t least, greatest; /* codes, of all vertices of the closed square on the landscape */
};

struct node_level {
    int32_t across, down; /* nodes */
    struct node_range *ranges;
    float *errors; /* codes; NULL unless asked for */
    float *parts;  /* codes: of a node's own mesh, apart in up to 8 x 8 squares, row by row, so that
                      only those that changed are measured again */
    int32_t parts_log2;
};

struct quadtree_bounds {
    struct derived derived;
    int32_t leaf, grid, levels; /* the root is alone on the last */
    struct node_level level[QUADTREE_LEVELS_MOST];
    uint64_t *stamps;  /* of the least nodes: the newest height in each */
    uint64_t *squares; /* the same of squares of QUADTREE_SQUARE x QUADTREE_SQUARE of them */
};

/* With a grid, errors too: how far any point of the ground lies above or below the mesh of grid x
 * grid quads over the node, or over one of the nodes below it, at most: so no node has less than
 * the nodes below. It is exact but for the rounding to a float, upwards, and for quads that the
 * landscape's border cuts, where it may be a little too much. grid 0: no errors.
 *
 * Held for the caller (derived_drop of &bounds->derived). NULL with MEMORY. */
struct quadtree_bounds *quadtree_bounds(const struct view *view, struct derived_cache *cache,
                                        int32_t leaf, int32_t grid, struct fault *why);

static inline size_t quadtree_node(const struct quadtree_bounds *bounds, int level, int32_t x,
                                   int32_t y)
{
    return (size_t)y * (size_t)bounds->level[level].across + (size_t)x;
}

#endif

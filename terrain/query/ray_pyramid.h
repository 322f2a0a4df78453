/* Bounds of the squares of quads within one block, from 2 x 2 quads up to 64 x 64: closed and
 * exact. Those of a block and above are the quadtree's (quadtree_bounds.h).
 *
 * Derived from the four blocks that have the corners of its quads, and kept in the bounded cache
 * where rays come by: two thirds of what the heights take. Any thread.
 */
#ifndef TERRAIN_QUERY_RAY_PYRAMID_H
#define TERRAIN_QUERY_RAY_PYRAMID_H

#include "terrain/base/derived.h"
#include "terrain/core/view.h"
#include "terrain/lod/quadtree_bounds.h"

/* Level k has squares of 2^k quads. */
enum { RAY_PYRAMID_LOWEST = 1, RAY_PYRAMID_HIGHEST = BLOCK_LOG2 - 1 };

struct ray_pyramid {
    struct derived derived;
    struct node_range *level[BLOCK_LOG2]; /* rows of BLOCK_SIDE >> level; beyond the landscape's
                                             quads the least is above the greatest */
    struct node_range ranges[];
};

/* Held for the caller (derived_drop). NULL with MEMORY. */
struct ray_pyramid *ray_pyramid(const struct view *view, struct derived_cache *cache, int32_t bx,
                                int32_t by, struct fault *why);

#endif

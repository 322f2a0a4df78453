/* What rays look at, one piece of a batch at a time: bounds at every level, heights, holes.
 *
 * With a cache, exact bounds of all levels, which are made where rays come by; without, those that
 * a view always has, which are wider. What has been fetched once is held until the end. One thread
 * at a time.
 */
#ifndef TERRAIN_QUERY_RAY_GROUND_H
#define TERRAIN_QUERY_RAY_GROUND_H

#include "terrain/core/view.h"
#include "terrain/query/ray_pyramid.h"

enum { RAY_GROUND_LOG2 = 4, RAY_GROUND_SIDE = 1 << RAY_GROUND_LOG2 };

/* A block that rays came by. */
struct ray_block {
    int32_t bx, by; /* -1: none yet */
    bool asked;     /* for the pyramid, which there is none of where memory is out */
    struct ray_pyramid *pyramid;
    const uint16_t *heights; /* NULL: all are the value */
    uint16_t value;
};

struct ray_ground {
    const struct view *view;
    struct derived_cache *cache;
    const struct quadtree_bounds *bounds; /* lent; NULL: without a cache */
    bool holes;                           /* there are some, and they count */
    int32_t columns, rows;                /* of quads */
    struct node_range all;
    bool ready; /* the blocks' table is in use */
    struct ray_block *last;
    struct ray_block blocks[RAY_GROUND_SIDE * RAY_GROUND_SIDE];
};

void ray_ground_init(struct ray_ground *ground, const struct view *view,
                     struct derived_cache *cache, const struct quadtree_bounds *bounds, bool holes);
void ray_ground_fini(struct ray_ground *ground);

struct ray_block *ray_ground_fetch(struct ray_ground *ground, int32_t bx, int32_t by);
void ray_ground_pyramid(struct ray_ground *ground, struct ray_block *block);

static inline struct ray_block *ray_ground_block(struct ray_ground *ground, int32_t bx, int32_t by)
{
    struct ray_block *last = ground->last;

    return last && last->bx == bx && last->by == by ? last : ray_ground_fetch(ground, bx, by);
}

/* The levels that there are bounds at, 2^level quads a side, and 0 for the quads themselves. */
int ray_ground_top(const struct ray_ground *ground);
static inline int ray_ground_below(const struct ray_ground *ground, int level)
{
    return ground->bounds || level > CELL_LOG2 ? level - 1 : 0;
}
static inline int ray_ground_above(const struct ray_ground *ground, int level)
{
    return ground->bounds || level >= CELL_LOG2 ? level + 1 : CELL_LOG2;
}

struct node_range ray_ground_wider(const struct ray_ground *ground, int level, int32_t i,
                                   int32_t j);

/* Where the bounds of square (i, j) of a level lie, closed and exact; NULL: there are but wider. */
static inline const struct node_range *ray_ground_bounds(struct ray_ground *ground, int level,
                                                         int32_t i, int32_t j)
{
    const struct quadtree_bounds *bounds = ground->bounds;
    struct ray_block *block;
    int across;

    if (!bounds)
        return NULL;
    if (level >= BLOCK_LOG2)
        return &bounds->level[level - BLOCK_LOG2]
                    .ranges[quadtree_node(bounds, level - BLOCK_LOG2, i, j)];
    across = BLOCK_LOG2 - level;
    block = ray_ground_block(ground, i >> across, j >> across);
    if (!block->asked)
        ray_ground_pyramid(ground, block);
    if (!block->pyramid)
        return NULL;
    i &= (1 << across) - 1;
    j &= (1 << across) - 1;
    return &block->pyramid->level[level][(j << across) + i];
}

/* Bounds of square (i, j) of a level, closed, never too narrow. */
static inline struct node_range ray_ground_range(struct ray_ground *ground, int level, int32_t i,
                                                 int32_t j)
{
    const struct node_range *bounds = ray_ground_bounds(ground, level, i, j);

    return bounds ? *bounds : ray_ground_wider(ground, level, i, j);
}

/* Corners 00, 10, 01, 11 of a quad. */
void ray_ground_across(const struct ray_ground *ground, int32_t i, int32_t j, uint16_t corners[4]);
static inline void ray_ground_corners(struct ray_ground *ground, int32_t i, int32_t j,
                                      uint16_t corners[4])
{
    const int32_t x = i & BLOCK_MASK, y = j & BLOCK_MASK;
    const struct ray_block *block;
    const uint16_t *at;

    if (x == BLOCK_MASK || y == BLOCK_MASK) {
        ray_ground_across(ground, i, j, corners);
        return;
    }
    block = ray_ground_block(ground, i >> BLOCK_LOG2, j >> BLOCK_LOG2);
    at = block->heights + y * BLOCK_SIDE + x;
    corners[0] = block->heights ? at[0] : block->value;
    corners[1] = block->heights ? at[1] : block->value;
    corners[2] = block->heights ? at[BLOCK_SIDE] : block->value;
    corners[3] = block->heights ? at[BLOCK_SIDE + 1] : block->value;
}

/* Asks memory for a quad's corners. */
static inline void ray_ground_fetch_ahead(struct ray_ground *ground, int32_t i, int32_t j)
{
    const struct ray_block *block = ray_ground_block(ground, i >> BLOCK_LOG2, j >> BLOCK_LOG2);

    if (block->heights) {
        const uint16_t *at = block->heights + (j & BLOCK_MASK) * BLOCK_SIDE + (i & BLOCK_MASK);

        __builtin_prefetch(at);
        __builtin_prefetch(at + BLOCK_SIDE);
    }
}

#endif

#include "terrain/query/ray_ground.h"

#include <string.h>

void ray_ground_init(struct ray_ground *ground, const struct view *view,
                     struct derived_cache *cache, const struct quadtree_bounds *bounds, bool holes)
{
    const struct tree *heights = &view->planes[PLANE_HEIGHTS];

    ground->view = view;
    ground->cache = cache;
    ground->bounds = bounds;
    ground->holes = holes;
    ground->columns = heights->columns - 1;
    ground->rows = heights->rows - 1;
    ground->all =
        (struct node_range){ heights->root.summary.least, heights->root.summary.greatest };
    ground->ready = false;
    ground->last = NULL;
}

void ray_ground_fini(struct ray_ground *ground)
{
    for (int i = 0; ground->ready && i < RAY_GROUND_SIDE * RAY_GROUND_SIDE; i++)
        if (ground->blocks[i].pyramid)
            derived_drop(&ground->blocks[i].pyramid->derived);
    ground->ready = false;
}

static void blocks_ready(struct ray_ground *ground)
{
    for (int i = 0; i < RAY_GROUND_SIDE * RAY_GROUND_SIDE; i++) {
        ground->blocks[i].bx = -1;
        ground->blocks[i].pyramid = NULL;
    }
    ground->ready = true;
}

struct ray_block *ray_ground_fetch(struct ray_ground *ground, int32_t bx, int32_t by)
{
    enum { MASK = RAY_GROUND_SIDE - 1 };
    struct ray_block *block = &ground->blocks[(by & MASK) << RAY_GROUND_LOG2 | (bx & MASK)];
    const struct child *leaf;

    if (!ground->ready)
        blocks_ready(ground);
    ground->last = block;
    if (block->bx == bx && block->by == by)
        return block;
    if (block->pyramid)
        derived_drop(&block->pyramid->derived);
    leaf = tree_leaf(&ground->view->planes[PLANE_HEIGHTS], bx, by);
    block->bx = bx;
    block->by = by;
    block->heights = leaf->below ? block_heights(leaf->below) : NULL;
    block->value = leaf->summary.least;
    block->pyramid = NULL;
    block->asked = false;
    return block;
}

void ray_ground_pyramid(struct ray_ground *ground, struct ray_block *block)
{
    struct fault why = { 0 };

    /* Where memory is out, the wider bounds do. */
    block->pyramid = ray_pyramid(ground->view, ground->cache, block->bx, block->by, &why);
    block->asked = true;
}

int ray_ground_top(const struct ray_ground *ground)
{
    return ground->bounds ? BLOCK_LOG2 + ground->bounds->levels - 1
                          : BLOCK_LOG2 + BRANCH_LOG2 * ground->view->planes[PLANE_HEIGHTS].depth;
}

struct node_range ray_ground_wider(const struct ray_ground *ground, int level, int32_t i, int32_t j)
{
    const int32_t side = 1 << level;
    struct summary bounds =
        tree_bounds(&ground->view->planes[PLANE_HEIGHTS],
                    (struct rect){ i << level, j << level, side + 1, side + 1 });

    return (struct node_range){ bounds.least, bounds.greatest };
}

void ray_ground_across(const struct ray_ground *ground, int32_t i, int32_t j, uint16_t corners[4])
{
    view_read_heights(ground->view, (struct rect){ i, j, 2, 2 }, corners, 2);
}

#include "terrain/lod/extent.h"

#include <math.h>

#include "terrain/core/block.h"

/* The bits of columns [from, to) of a block's 64-column word. */
static uint64_t word_mask(int32_t from, int32_t to)
{
    if (from < 0)
        from = 0;
    if (to > 64)
        to = 64;
    if (from >= to)
        return 0;
    return (to == 64 ? ~UINT64_C(0) : (UINT64_C(1) << to) - 1) & ~((UINT64_C(1) << from) - 1);
}

/* Whether all the block's quads in the part are holes, or all are not. */
static bool block_all(const struct block *block, struct rect part, bool holes)
{
    const uint64_t *bits = block_bits(block), flip = holes ? ~UINT64_C(0) : 0;

    for (int32_t word = 0; word < BLOCK_SIDE / 64; word++) {
        uint64_t mask = word_mask(part.x - word * 64, part.x + part.width - word * 64);

        for (int32_t y = part.y; y < part.y + part.height; y++)
            if (mask & (bits[y * (BLOCK_SIDE / 64) + word] ^ flip))
                return false;
    }
    return true;
}

static bool rect_all(const struct view *view, struct rect quads, bool holes)
{
    const struct tree *tree = &view->planes[PLANE_HOLES];
    int32_t right = quads.x + quads.width - 1, bottom = quads.y + quads.height - 1;

    if (rect_empty(quads))
        return true;
    for (int32_t by = quads.y >> BLOCK_LOG2; by <= bottom >> BLOCK_LOG2; by++)
        for (int32_t bx = quads.x >> BLOCK_LOG2; bx <= right >> BLOCK_LOG2; bx++) {
            struct child child = tree_block(tree, bx, by);
            struct rect block = { bx << BLOCK_LOG2, by << BLOCK_LOG2, BLOCK_SIDE, BLOCK_SIDE };
            struct rect part = rect_meet(block, quads);

            part.x -= block.x;
            part.y -= block.y;
            if (child.below ? !block_all(child.below, part, holes)
                            : (child.summary.least != 0) != holes)
                return false;
        }
    return true;
}

bool extent_hollow(const struct view *view, struct rect quads)
{
    return rect_all(view, quads, true);
}

bool extent_holed(const struct view *view, struct rect quads)
{
    return tree_bounds(&view->planes[PLANE_HOLES], quads).greatest != 0 &&
           !rect_all(view, quads, false);
}

/* The landscape without its pad, unless somebody has made ground of the pad. */
static struct rect solid_rect(const struct view *view)
{
    const int32_t *padded = view->settings->padded;
    struct rect all = view_rect(view);
    struct rect solid = { 0, 0, all.width - padded[0], all.height - padded[1] };
    struct rect east = { solid.width - 1, 0, padded[0], all.height - 1 };
    struct rect south = { 0, solid.height - 1, all.width - 1, padded[1] };

    if (solid.width < 2 || solid.height < 2)
        return all;
    return extent_hollow(view, east) && extent_hollow(view, south) ? solid : all;
}

void extent_widen(const struct view *view, struct rect vertices, double low[3], double high[3])
{
    const struct grid *grid = view_grid(view);
    double least[2], greatest[2];

    view_bound_offsets(view, vertices, least, greatest);
    for (int axis = 0; axis < 2; axis++) {
        low[axis] += least[axis] * grid->scale[axis];
        high[axis] += greatest[axis] * grid->scale[axis];
    }
}

void extent_of(const struct view *view, struct extent *extent)
{
    const struct grid *grid = view_grid(view);
    struct summary heights = view->planes[PLANE_HEIGHTS].root.summary;
    double across, down, relief;

    extent->solid = solid_rect(view);
    across = (extent->solid.width - 1) * grid->scale[0];
    down = (extent->solid.height - 1) * grid->scale[1];
    extent->low[0] = grid->origin[0];
    extent->low[1] = grid->origin[1];
    extent->low[2] = grid_metres(grid, heights.least);
    extent->high[0] = grid->origin[0] + across;
    extent->high[1] = grid->origin[1] + down;
    extent->high[2] = grid_metres(grid, heights.greatest);
    relief = extent->high[2] - extent->low[2];
    extent->base = extent->low[2] - 0.1 * relief - 0.012 * sqrt(across * across + down * down);
    extent_widen(view, extent->solid, extent->low, extent->high);
}

#include "terrain/lod/patch_ground.h"

#include <string.h>

#include "terrain/lod/extent.h"

int32_t patch_end(const struct view *view, int axis)
{
    return (axis ? view_grid(view)->rows : view_grid(view)->columns) - 1;
}

int32_t patch_last(const struct view *view, const struct patch_place *tile, int axis)
{
    int32_t left = patch_end(view, axis) - (axis ? tile->y : tile->x), stride = patch_stride(tile);

    return left >= tile->size ? tile->grid : (left + stride - 1) / stride;
}

static int32_t clamped(int64_t at, int32_t end)
{
    return at < 0 ? 0 : at > end ? end : (int32_t)at;
}

/* One row, a look into the tree for each block that it runs through. */
static void sample_row(const struct view *view, int64_t x, int32_t y, int32_t stride, int32_t count,
                       uint16_t *heights)
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    const int32_t end = patch_end(view, 0);
    const uint16_t *row = NULL;
    int32_t block = -1;
    uint16_t flat = 0;

    for (int32_t i = 0; i < count; i++) {
        int32_t column = clamped(x + (int64_t)i * stride, end);

        if (column >> BLOCK_LOG2 != block) {
            const struct child *leaf = tree_leaf(tree, column >> BLOCK_LOG2, y >> BLOCK_LOG2);

            block = column >> BLOCK_LOG2;
            flat = leaf->summary.least;
            row = leaf->below ? block_heights(leaf->below) + (y & BLOCK_MASK) * BLOCK_SIDE : NULL;
        }
        heights[i] = row ? row[column & BLOCK_MASK] : flat;
    }
}

void patch_heights(const struct view *view, const struct patch_place *tile, int32_t ring,
                   uint16_t *heights)
{
    const int32_t side = tile->grid + 1 + 2 * ring, stride = patch_stride(tile);
    const int32_t end = patch_end(view, 1);
    int32_t above = -1;

    for (int32_t j = 0; j < side; j++) {
        int32_t y = clamped(tile->y + ((int64_t)j - ring) * stride, end);
        uint16_t *to = heights + (size_t)j * (size_t)side;

        if (y == above)
            memcpy(to, to - side, (size_t)side * sizeof *to);
        else
            sample_row(view, tile->x - (int64_t)ring * stride, y, stride, side, to);
        above = y;
    }
}

static struct rect landscape_quads(const struct view *view)
{
    return (struct rect){ 0, 0, patch_end(view, 0), patch_end(view, 1) };
}

bool patch_dropped(const struct view *view, const struct patch_place *tile, enum hole_rule rule,
                   int32_t i, int32_t j)
{
    int32_t stride = patch_stride(tile);
    struct rect quads = { tile->x + i * stride, tile->y + j * stride, stride, stride };

    quads = rect_meet(quads, landscape_quads(view));
    if (rect_empty(quads))
        return false;
    if (stride == 1)
        return view_hole(view, quads.x, quads.y);
    return rule == HOLES_ANY ? extent_holed(view, quads) : extent_hollow(view, quads);
}

bool patch_any_hole(const struct view *view)
{
    return view->planes[PLANE_HOLES].root.summary.greatest != 0;
}

bool patch_holed(const struct view *view, const struct patch_place *tile)
{
    struct rect quads = { tile->x, tile->y, tile->size, tile->size };

    if (!patch_any_hole(view))
        return false;
    return extent_holed(view, rect_meet(quads, landscape_quads(view)));
}

bool patch_side_dropped(const struct view *view, const struct patch_place *tile,
                        enum hole_rule rule, enum patch_side side, uint8_t *dropped)
{
    const bool down = side == PATCH_WEST || side == PATCH_EAST;
    const int32_t line = side == PATCH_WEST || side == PATCH_NORTH ? 0 : tile->grid - 1;
    bool any = false;

    for (int32_t k = 0; k < tile->grid; k++) {
        dropped[k] = patch_dropped(view, tile, rule, down ? line : k, down ? k : line);
        any |= dropped[k];
    }
    return any;
}

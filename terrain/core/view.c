#include "terrain/core/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct view *view_new(struct settings **settings, uint64_t incarnation, uint64_t version,
                      uint16_t code)
{
    const struct grid *grid = &(*settings)->grid;
    struct view *view = calloc(1, sizeof *view);

    if (!view)
        return NULL;
    atomic_init(&view->holders, 1);
    view->incarnation = incarnation;
    view->version = version;
    view->settings_version = version;
    view->place_version = version;
    for (enum plane plane = 0; plane < PLANE_COUNT; plane++)
        view->planes[plane] =
            tree_flat(plane, grid->columns, grid->rows, plane == PLANE_HEIGHTS ? code : 0, version);
    view->settings = *settings;
    *settings = NULL;
    return view;
}

struct view *view_hold(const struct view *view)
{
    struct view *held = (struct view *)(uintptr_t)view;

    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

void view_drop(struct view *view)
{
    if (!view || atomic_fetch_sub_explicit(&view->holders, 1, memory_order_acq_rel) != 1)
        return;
    for (enum plane plane = 0; plane < PLANE_COUNT; plane++)
        tree_drop(&view->planes[plane]);
    settings_drop(view->settings);
    free(view);
}

uint16_t view_height(const struct view *view, int32_t x, int32_t y)
{
    return tree_value(&view->planes[PLANE_HEIGHTS], x, y);
}

bool view_hole(const struct view *view, int32_t x, int32_t y)
{
    return tree_value(&view->planes[PLANE_HOLES], x, y) != 0;
}

/* The four corners of a quad: one look-up when they lie in one block. */
static void read_corners(const struct view *view, int32_t i, int32_t j, int32_t corners[4])
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    int32_t x = i & BLOCK_MASK, y = j & BLOCK_MASK;

    if (x < BLOCK_MASK && y < BLOCK_MASK) {
        const struct child *leaf = tree_leaf(tree, i >> BLOCK_LOG2, j >> BLOCK_LOG2);
        const uint16_t *at = leaf->below ? block_heights(leaf->below) + y * BLOCK_SIDE + x : NULL;

        corners[0] = at ? at[0] : leaf->summary.least;
        corners[1] = at ? at[1] : leaf->summary.least;
        corners[2] = at ? at[BLOCK_SIDE] : leaf->summary.least;
        corners[3] = at ? at[BLOCK_SIDE + 1] : leaf->summary.least;
        return;
    }
    for (int k = 0; k < 4; k++)
        corners[k] = tree_value(tree, i + (k & 1), j + (k >> 1));
}

bool view_code_at(const struct view *view, double x, double y, double *code)
{
    const struct grid *grid = view_grid(view);
    double across, down;
    int32_t corners[4], i, j;

    if (!(x >= 0 && y >= 0 && x <= grid->columns - 1 && y <= grid->rows - 1))
        return false;
    i = x < grid->columns - 2 ? (int32_t)x : grid->columns - 2;
    j = y < grid->rows - 2 ? (int32_t)y : grid->rows - 2;
    across = x - i;
    down = y - j;
    read_corners(view, i, j, corners);
    *code = view_quad_code(corners[0], corners[1], corners[2], corners[3], across, down);
    return true;
}

void view_read_heights(const struct view *view, struct rect from, uint16_t *heights, int64_t stride)
{
    tree_read(&view->planes[PLANE_HEIGHTS], from, heights, stride);
}

void view_read_around(const struct view *view, struct rect from, uint16_t *heights, int64_t stride)
{
    struct rect inside = rect_meet(from, view_rect(view));
    int32_t west = inside.x - from.x, north = inside.y - from.y;

    if (rect_empty(inside)) {
        /* Wholly beyond: every value is one of the border's. */
        int32_t right = view_rect(view).width - 1, bottom = view_rect(view).height - 1;

        for (int32_t y = 0; y < from.height; y++) {
            for (int32_t x = 0; x < from.width; x++) {
                int32_t i = from.x + x, j = from.y + y;

                heights[y * stride + x] = view_height(view,
                                                      i < 0       ? 0
                                                      : i > right ? right
                                                                  : i,
                                                      j < 0        ? 0
                                                      : j > bottom ? bottom
                                                                   : j);
            }
        }
        return;
    }
    view_read_heights(view, inside, heights + north * stride + west, stride);
    for (int32_t y = north; y < north + inside.height; y++) {
        uint16_t *row = heights + y * stride;

        for (int32_t x = 0; x < west; x++)
            row[x] = row[west];
        for (int32_t x = west + inside.width; x < from.width; x++)
            row[x] = row[west + inside.width - 1];
    }
    for (int32_t y = 0; y < from.height; y++) {
        int32_t nearest = y < north ? north : north + inside.height - 1;

        if (y < north || y > nearest)
            memcpy(heights + y * stride, heights + nearest * stride,
                   (size_t)from.width * sizeof *heights);
    }
}

void view_read_holes(const struct view *view, struct rect from, uint8_t *holes, int64_t stride)
{
    tree_read(&view->planes[PLANE_HOLES], from, holes, stride);
    for (int32_t y = 0; y < from.height; y++) {
        for (int32_t x = 0; x < from.width; x++)
            holes[y * stride + x] = holes[y * stride + x] ? 255 : 0;
    }
}

uint64_t view_newest(const struct view *view, struct rect over)
{
    uint64_t newest = view->place_version;

    for (enum plane plane = 0; plane < PLANE_COUNT; plane++) {
        uint64_t version = tree_newest(&view->planes[plane], over);

        newest = version > newest ? version : newest;
    }
    return newest;
}

uint64_t view_bytes(const struct view *view)
{
    uint64_t bytes = sizeof *view + sizeof *view->settings;

    for (enum plane plane = 0; plane < PLANE_COUNT; plane++)
        bytes += tree_bytes(&view->planes[plane]);
    return bytes;
}

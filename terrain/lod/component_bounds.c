#include "terrain/lod/component_bounds.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/lod/extent.h"

static const char kind;

static void bounds_free(struct derived *thing)
{
    struct component_bounds *bounds = (struct component_bounds *)thing;

    free(bounds->bounds);
    free(bounds->versions);
    free(bounds);
}

/* Strips narrower than a cell, read value by value. */
static void add_strip(const struct tree *tree, struct rect strip, struct component_bound *bound)
{
    uint16_t values[BLOCK_SIDE];

    for (int32_t y = strip.y; y < strip.y + strip.height; y++) {
        for (int32_t x = strip.x; x < strip.x + strip.width; x += BLOCK_SIDE) {
            int32_t left = strip.x + strip.width - x, count = left < BLOCK_SIDE ? left : BLOCK_SIDE;

            tree_read(tree, (struct rect){ x, y, count, 1 }, values, count);
            for (int32_t i = 0; i < count; i++) {
                bound->least = values[i] < bound->least ? values[i] : bound->least;
                bound->greatest = values[i] > bound->greatest ? values[i] : bound->greatest;
            }
        }
    }
}

/* Whole cells have been summed up already; what lies around them is read. */
static struct component_bound bound_of(const struct view *view, struct rect over)
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    int32_t left = (over.x + CELL_SIDE - 1) & -CELL_SIDE, right = over.x + over.width;
    int32_t top = (over.y + CELL_SIDE - 1) & -CELL_SIDE, bottom = over.y + over.height;
    struct rect cells = { left, top, (right & -CELL_SIDE) - left, (bottom & -CELL_SIDE) - top };
    struct component_bound bound = { UINT16_MAX, 0, false };

    if (rect_empty(cells)) {
        add_strip(tree, over, &bound);
    } else {
        struct summary inner = tree_bounds(tree, cells);
        int32_t east = cells.x + cells.width, south = cells.y + cells.height;

        bound.least = inner.least;
        bound.greatest = inner.greatest;
        add_strip(tree, (struct rect){ over.x, over.y, over.width, top - over.y }, &bound);
        add_strip(tree, (struct rect){ over.x, south, over.width, bottom - south }, &bound);
        add_strip(tree, (struct rect){ over.x, top, left - over.x, cells.height }, &bound);
        add_strip(tree, (struct rect){ east, top, right - east, cells.height }, &bound);
    }
    bound.hollow =
        extent_hollow(view, (struct rect){ over.x, over.y, over.width - 1, over.height - 1 });
    return bound;
}

static uint64_t block_version(const struct view *view, int32_t bx, int32_t by)
{
    uint64_t heights = tree_leaf(&view->planes[PLANE_HEIGHTS], bx, by)->summary.version;
    uint64_t holes = tree_leaf(&view->planes[PLANE_HOLES], bx, by)->summary.version;

    return heights > holes ? heights : holes;
}

struct making {
    const struct view *view;
    int32_t quads, across, down;
};

static struct component_bounds *bounds_room(const struct making *making)
{
    const struct tree *tree = &making->view->planes[PLANE_HEIGHTS];
    size_t count = (size_t)making->across * (size_t)making->down;
    struct component_bounds *made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->derived.free = bounds_free;
    atomic_init(&made->derived.holders, 1);
    made->again = making->view->again;
    made->quads = making->quads;
    made->across = making->across;
    made->down = making->down;
    made->block_count = tree_blocks_across(tree) * tree_blocks_down(tree);
    made->bounds = malloc(count * sizeof *made->bounds);
    made->versions = malloc((size_t)made->block_count * sizeof *made->versions);
    made->derived.bytes = sizeof *made + count * sizeof *made->bounds +
                          (size_t)made->block_count * sizeof *made->versions;
    if (made->bounds && made->versions)
        return made;
    bounds_free(&made->derived);
    return NULL;
}

/* All that touch the block, which has its own vertices and lends them to the ones before it. */
static void refresh(const struct making *making, struct rect block, uint8_t *fresh,
                    struct component_bounds *made)
{
    int32_t quads = making->quads;
    int32_t left = (block.x - 1) / quads, right = (block.x + block.width - 1) / quads;
    int32_t top = (block.y - 1) / quads, bottom = (block.y + block.height - 1) / quads;

    for (int32_t y = top; y <= bottom && y < making->down; y++) {
        for (int32_t x = left; x <= right && x < making->across; x++) {
            int32_t i = y * making->across + x;

            if (!fresh[i])
                made->bounds[i] = bound_of(
                    making->view, (struct rect){ x * quads, y * quads, quads + 1, quads + 1 });
            fresh[i] = 1;
        }
    }
}

static struct derived *bounds_make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    const struct component_bounds *was = (const struct component_bounds *)older;
    const struct tree *tree = &making->view->planes[PLANE_HEIGHTS];
    size_t count = (size_t)making->across * (size_t)making->down;
    struct component_bounds *made = bounds_room(making);
    uint8_t *fresh = calloc(count, 1);

    if (!made || !fresh) {
        free(fresh);
        if (made)
            bounds_free(&made->derived);
        fault_set(why, FAULT_MEMORY, "no memory for the bounds of %zu components", count);
        return NULL;
    }
    if (was && (was->again != made->again || was->across != made->across ||
                was->down != made->down || was->quads != made->quads))
        was = NULL;
    if (was)
        memcpy(made->bounds, was->bounds, count * sizeof *made->bounds);
    for (int32_t i = 0; i < made->block_count; i++) {
        int32_t bx = i % tree_blocks_across(tree), by = i / tree_blocks_across(tree);

        made->versions[i] = block_version(making->view, bx, by);
        if (!was || was->versions[i] != made->versions[i])
            refresh(making, tree_block_rect(tree, bx, by), fresh, made);
    }
    free(fresh);
    return &made->derived;
}

const struct component_bounds *component_bounds_get(const struct view *view,
                                                    struct derived_cache *cache, bool sections,
                                                    struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    int32_t parts = sections ? layout->sections : 1;
    struct making making = { view, layout_component_quads(layout) / parts,
                             layout->components[0] * parts, layout->components[1] * parts };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .options = sections };
    uint64_t heights = view->planes[PLANE_HEIGHTS].root.summary.version;
    uint64_t holes = view->planes[PLANE_HOLES].root.summary.version;

    return (const struct component_bounds *)derived_get(
        cache, &place, (heights > holes ? heights : holes) ^ view->again << 48, bounds_make,
        &making, why);
}

void component_bounds_drop(const struct component_bounds *bounds)
{
    derived_drop((struct derived *)(uintptr_t)bounds);
}

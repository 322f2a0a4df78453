#include "terrain/lod/quadtree_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/patch_ground.h"

struct making {
    const struct view *view;
    int32_t leaf, grid;
    const struct quadtree_bounds *older;
    struct quadtree_bounds *bounds;
    uint8_t *changed[QUADTREE_LEVELS_MOST]; /* since `older`, by node */
    uint16_t *heights;                      /* room for the vertices of one node */
};

static void bounds_free(struct derived *thing)
{
    struct quadtree_bounds *bounds = (struct quadtree_bounds *)thing;

    for (int level = 0; level < bounds->levels; level++) {
        free(bounds->level[level].ranges);
        free(bounds->level[level].errors);
    }
    free(bounds->stamps);
    free(bounds);
}

static int32_t nodes_along(int32_t quads, int64_t size)
{
    return (int32_t)((quads + size - 1) / size);
}

static bool level_init(struct making *making, int level)
{
    struct quadtree_bounds *bounds = making->bounds;
    struct node_level *nodes = &bounds->level[level];
    int64_t size = (int64_t)making->leaf << level;
    size_t count;

    nodes->across = nodes_along(patch_end(making->view, 0), size);
    nodes->down = nodes_along(patch_end(making->view, 1), size);
    count = (size_t)nodes->across * (size_t)nodes->down;
    bounds->levels = level + 1;
    nodes->ranges = malloc(count * sizeof *nodes->ranges);
    nodes->errors = making->grid ? malloc(count * sizeof *nodes->errors) : NULL;
    making->changed[level] = malloc(count);
    if (level == 0)
        bounds->stamps = malloc(count * sizeof *bounds->stamps);
    bounds->derived.bytes += count * (sizeof *nodes->ranges + (nodes->errors ? sizeof(float) : 0) +
                                      (level ? 0 : sizeof *bounds->stamps));
    return nodes->ranges && (nodes->errors || !making->grid) && making->changed[level] &&
           bounds->stamps;
}

static bool levels_init(struct making *making)
{
    int level = 0;

    do
        if (!level_init(making, level))
            return false;
    while (making->bounds->level[level].across * making->bounds->level[level].down > 1 &&
           ++level < QUADTREE_LEVELS_MOST);
    return true;
}

static void widen(struct node_range *range, struct node_range by)
{
    range->least = by.least < range->least ? by.least : range->least;
    range->greatest = by.greatest > range->greatest ? by.greatest : range->greatest;
}

/* A line of vertices, at most `leaf` + 1 of them. */
static struct node_range line_range(const struct making *making, struct rect line)
{
    int32_t count = line.width * line.height;
    struct node_range range = { UINT16_MAX, 0 };

    view_read_heights(making->view, line, making->heights, line.width);
    for (int32_t k = 0; k < count; k++)
        widen(&range, (struct node_range){ making->heights[k], making->heights[k] });
    return range;
}

/* Whole cells are exact as they are kept; the last column and row of the closed square are the
 * first of the cells beyond. */
static struct node_range leaf_range(const struct making *making, struct rect closed)
{
    const int32_t leaf = making->leaf;
    struct rect open = rect_meet(closed, (struct rect){ closed.x, closed.y, leaf, leaf });
    struct summary cells = tree_bounds(&making->view->planes[PLANE_HEIGHTS], open);
    struct node_range range = { cells.least, cells.greatest };

    if (closed.width > leaf)
        widen(&range,
              line_range(making, (struct rect){ closed.x + leaf, closed.y, 1, closed.height }));
    if (closed.height > leaf)
        widen(&range,
              line_range(making, (struct rect){ closed.x, closed.y + leaf, closed.width, 1 }));
    return range;
}

/* What one vertex adds: how far it lies from the coarse quad's triangles, of both where they may
 * meet beside it. */
static double vertex_error(const int32_t corners[4], double across, double down, double near,
                           double code)
{
    double error =
        fabs(view_quad_code(corners[0], corners[1], corners[2], corners[3], across, down) - code);

    if (fabs(across - down) <= near) {
        double east =
            corners[0] + across * (corners[1] - corners[0]) + down * (corners[3] - corners[1]);
        double west =
            corners[0] + across * (corners[3] - corners[2]) + down * (corners[2] - corners[0]);

        error = fmax(error, fmax(fabs(east - code), fabs(west - code)));
    }
    return error;
}

/* A fine grid over a node, `ratio` of whose quads a side are one of the coarse grid. */
struct step {
    struct patch_place fine;
    int32_t ratio, last[2], end[2]; /* the last vertices, and quads from the corner to the border */
    const uint16_t *heights;
};

static int32_t step_place(const struct step *step, int axis, int32_t number)
{
    int32_t at = number * patch_stride(&step->fine);

    return at < step->end[axis] ? at : step->end[axis];
}

static double quad_error(const struct step *step, int32_t x, int32_t y)
{
    const int32_t from[2] = { x, y }, side = step->fine.grid + 1;
    const uint16_t *nw = step->heights + (size_t)y * (size_t)side + (size_t)x;
    const int32_t corners[4] = { nw[0], nw[step->ratio], nw[step->ratio * side],
                                 nw[step->ratio * side + step->ratio] };
    double start[2], length[2], error = 0, near = -1;

    for (int axis = 0; axis < 2; axis++) {
        int32_t to = from[axis] + step->ratio;

        start[axis] = step_place(step, axis, from[axis]);
        length[axis] = step_place(step, axis, to) - start[axis];
        /* A narrower quad's diagonal runs across those of the finer ones. */
        if (step_place(step, axis, to) < to * patch_stride(&step->fine))
            near = 0;
    }
    if (near == 0)
        near = patch_stride(&step->fine) * (1 / length[0] + 1 / length[1]);
    for (int32_t j = 0; j <= step->ratio && y + j <= step->last[1]; j++)
        for (int32_t i = 0; i <= step->ratio && x + i <= step->last[0]; i++) {
            double across = (step_place(step, 0, x + i) - start[0]) / length[0];
            double down = (step_place(step, 1, y + j) - start[1]) / length[1];

            error = fmax(error, vertex_error(corners, across, down, near, nw[j * side + i]));
        }
    return error;
}

/* How far the fine grid's mesh over a node lies from the coarse one's at most. */
static float step_error(const struct making *making, int32_t x, int32_t y, int32_t size,
                        int32_t ratio)
{
    struct step step = { .fine = { x, y, size, making->grid * ratio },
                         .ratio = ratio,
                         .heights = making->heights };
    double error = 0;

    if (ratio == 1)
        return 0;
    for (int axis = 0; axis < 2; axis++) {
        step.last[axis] = patch_last(making->view, &step.fine, axis);
        step.end[axis] = patch_end(making->view, axis) - (axis ? y : x);
    }
    patch_heights(making->view, &step.fine, 0, making->heights);
    for (int32_t j = 0; j < step.last[1]; j += ratio)
        for (int32_t i = 0; i < step.last[0]; i += ratio)
            error = fmax(error, quad_error(&step, i, j));
    return nextafterf((float)error, INFINITY);
}

static void make_leaf(struct making *making, int32_t x, int32_t y)
{
    const int32_t leaf = making->leaf;
    struct quadtree_bounds *bounds = making->bounds;
    const size_t node = quadtree_node(bounds, 0, x, y);
    struct rect closed = { x * leaf, y * leaf, leaf + 1, leaf + 1 };
    bool same;

    closed = rect_meet(closed, view_rect(making->view));
    bounds->stamps[node] = tree_newest(&making->view->planes[PLANE_HEIGHTS], closed);
    same = making->older && making->older->stamps[node] == bounds->stamps[node];
    making->changed[0][node] = !same;
    if (same) {
        bounds->level[0].ranges[node] = making->older->level[0].ranges[node];
        if (making->grid)
            bounds->level[0].errors[node] = making->older->level[0].errors[node];
        return;
    }
    bounds->level[0].ranges[node] = leaf_range(making, closed);
    if (making->grid)
        bounds->level[0].errors[node] =
            step_error(making, closed.x, closed.y, leaf, leaf / making->grid);
}

static void make_node(struct making *making, int level, int32_t x, int32_t y)
{
    struct quadtree_bounds *bounds = making->bounds;
    const struct node_level *below = &bounds->level[level - 1], *here = &bounds->level[level];
    const size_t node = quadtree_node(bounds, level, x, y);
    struct node_range range = { UINT16_MAX, 0 };
    float error = 0;
    bool changed = false;

    for (int k = 0; k < 4; k++) {
        int32_t cx = 2 * x + (k & 1), cy = 2 * y + (k >> 1);
        size_t child = quadtree_node(bounds, level - 1, cx, cy);

        if (cx >= below->across || cy >= below->down)
            continue;
        changed |= making->changed[level - 1][child];
        widen(&range, below->ranges[child]);
        if (making->grid)
            error = fmaxf(error, below->errors[child]);
    }
    here->ranges[node] = range;
    making->changed[level][node] = changed;
    if (!making->grid)
        return;
    if (changed) {
        int32_t size = making->leaf << level;

        error += step_error(making, x * size, y * size, size, 2);
        here->errors[node] = nextafterf(error, INFINITY);
    } else {
        here->errors[node] = making->older->level[level].errors[node];
    }
}

static bool heights_room(struct making *making)
{
    size_t side = (size_t)making->leaf + 1;

    if (making->grid && (size_t)making->grid * 2 + 1 > side)
        side = (size_t)making->grid * 2 + 1;
    making->heights = malloc(side * (making->grid ? side : 1) * sizeof *making->heights);
    return making->heights;
}

static void make_all(struct making *making)
{
    struct quadtree_bounds *bounds = making->bounds;

    for (int level = 0; level < bounds->levels; level++)
        for (int32_t y = 0; y < bounds->level[level].down; y++)
            for (int32_t x = 0; x < bounds->level[level].across; x++)
                if (level)
                    make_node(making, level, x, y);
                else
                    make_leaf(making, x, y);
}

static struct derived *make_bounds(void *context, const struct derived *older, struct fault *why)
{
    struct making *making = context;
    struct quadtree_bounds *bounds = calloc(1, sizeof *bounds);
    bool made = false;

    if (bounds) {
        bounds->derived.free = bounds_free;
        bounds->derived.bytes = sizeof *bounds;
        atomic_init(&bounds->derived.holders, 1);
        bounds->leaf = making->leaf;
        bounds->grid = making->grid;
        making->bounds = bounds;
        making->older = (const struct quadtree_bounds *)older;
        made = levels_init(making) && heights_room(making);
    }
    if (made)
        make_all(making);
    for (int level = 0; level < QUADTREE_LEVELS_MOST; level++)
        free(making->changed[level]);
    free(making->heights);
    if (made)
        return &bounds->derived;
    if (bounds)
        bounds_free(&bounds->derived);
    fault_set(why, FAULT_MEMORY, "no memory for the bounds of a quadtree's nodes");
    return NULL;
}

struct quadtree_bounds *quadtree_bounds(const struct view *view, struct derived_cache *cache,
                                        int32_t leaf, int32_t grid, struct fault *why)
{
    static const char kind;
    const struct grid *own = view_grid(view);
    struct making making = { .view = view, .leaf = leaf, .grid = grid };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .at = { leaf, grid, (int64_t)own->rows << 32 | own->columns,
                                           (int64_t)view->again } };

    return (struct quadtree_bounds *)derived_get(
        cache, &place, view->planes[PLANE_HEIGHTS].root.summary.version, make_bounds, &making, why);
}

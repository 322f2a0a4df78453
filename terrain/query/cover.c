#include "terrain/query/cover.h"

#include <string.h>

#include "terrain/base/wide.h"

static const struct tree *tree_of(const struct view *view, int paint)
{
    return view_weights(view, view->settings->stack->paints[paint].id);
}

/* At a point */

/* The three corners of the triangle around a position, and what share of it each has. */
struct triangle {
    int32_t x[3], y[3];
    double share[3];
};

static bool triangle_at(const struct view *view, const double at[2], struct triangle *triangle)
{
    const struct grid *grid = view_grid(view);
    double across, down;
    int32_t i, j;
    bool north_east;

    if (!(at[0] >= 0 && at[1] >= 0 && at[0] <= grid->columns - 1 && at[1] <= grid->rows - 1))
        return false;
    i = at[0] < grid->columns - 2 ? (int32_t)at[0] : grid->columns - 2;
    j = at[1] < grid->rows - 2 ? (int32_t)at[1] : grid->rows - 2;
    across = at[0] - i;
    down = at[1] - j;
    north_east = across >= down;
    *triangle = (struct triangle){
        { i, i + north_east, i + 1 },
        { j, j + !north_east, j + 1 },
        { 1 - (north_east ? across : down), north_east ? across - down : down - across,
          north_east ? down : across },
    };
    return true;
}

bool cover_at(const struct view *view, const double at[2], double least, struct cover *cover)
{
    struct triangle triangle;

    *cover = (struct cover){ .first = -1, .second = -1 };
    if (!triangle_at(view, at, &triangle))
        return false;
    for (int paint = 0; paint < view->settings->stack->paint_count; paint++) {
        const struct tree *tree = tree_of(view, paint);
        double weight = 0;

        for (int k = 0; tree && k < 3; k++)
            weight += triangle.share[k] * tree_value(tree, triangle.x[k], triangle.y[k]);
        if (!(weight > 0) || weight < least)
            continue;
        if (cover->first < 0 || weight > cover->first_weight) {
            cover->second = cover->first;
            cover->second_weight = cover->first_weight;
            cover->first = paint;
            cover->first_weight = weight;
        } else if (cover->second < 0 || weight > cover->second_weight) {
            cover->second = paint;
            cover->second_weight = weight;
        }
    }
    return true;
}

/* Over rectangles */

void cover_read(const struct view *view, int paint, struct rect from, uint8_t *weights,
                int64_t stride)
{
    const struct tree *tree = tree_of(view, paint);

    if (tree) {
        tree_read(tree, from, weights, stride);
        return;
    }
    for (int32_t y = 0; y < from.height; y++)
        memset(weights + y * stride, 0, (size_t)from.width);
}

bool cover_any(const struct view *view, int paint, struct rect over)
{
    const struct tree *tree = tree_of(view, paint);

    return tree && tree_bounds(tree, over).greatest > 0;
}

/* FNV-1a, a number at a time. The versions are not just compared: a layer that goes takes its own
 * with it, and what is left may be older. */
static uint64_t stamp(uint64_t sum, uint64_t number)
{
    return (sum ^ number) * 0x100000001b3u;
}

uint64_t cover_stamp(const struct view *view, const int *paints, int count, struct rect over)
{
    const struct stack *stack = view->settings->stack;
    uint64_t sum = stamp(0xcbf29ce484222325u, stack->reshaped);

    for (int i = 0; i < count; i++) {
        const struct tree *tree = tree_of(view, paints[i]);

        sum = stamp(sum, stack->paints[paints[i]].id);
        sum = stamp(sum, tree ? tree_newest(tree, over) : 0);
    }
    return sum;
}

uint64_t cover_stamp_all(const struct view *view, struct rect over)
{
    int paints[PAINT_LAYERS_MOST], count = view->settings->stack->paint_count;

    for (int paint = 0; paint < count; paint++)
        paints[paint] = paint;
    return cover_stamp(view, paints, count, over);
}

static uint64_t stamp_text(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = stamp(sum, (unsigned char)*text);
    return stamp(sum, 0);
}

uint64_t cover_stamp_named(const struct view *view, struct rect over)
{
    const struct stack *stack = view->settings->stack;
    uint64_t sum = stamp(cover_stamp_all(view, over), view_newest(view, over));

    for (int i = 0; i < stack->paint_count; i++) {
        sum = stamp_text(sum, stack->paints[i].name);
        sum = stamp_text(sum, stack->paints[i].physical_material);
    }
    return sum;
}

/* Sums of vertices and of weights. */
struct sums {
    int64_t some, weight;
};

WIDE static void add_row(const uint8_t *row, int32_t count, struct sums *sums)
{
    uint32_t some = 0, weight = 0;

    for (int32_t i = 0; i < count; i++) {
        some += row[i] > 0;
        weight += row[i];
    }
    sums->some += some;
    sums->weight += weight;
}

static void add_block(const struct tree *tree, int32_t bx, int32_t by, struct sums *sums)
{
    const struct child *leaf = tree_leaf(tree, bx, by);
    struct rect rect = tree_block_rect(tree, bx, by);

    if (!leaf->below) {
        sums->some += leaf->summary.least ? rect_area(rect) : 0;
        sums->weight += rect_area(rect) * leaf->summary.least;
        return;
    }
    for (int32_t y = 0; y < rect.height; y++)
        add_row(block_weights(leaf->below) + y * BLOCK_SIDE, rect.width, sums);
}

struct coverage cover_statistics(const struct view *view, int paint)
{
    const struct tree *tree = tree_of(view, paint);
    double vertices = (double)rect_area(view_rect(view));
    struct sums sums = { 0, 0 };

    if (!tree)
        return (struct coverage){ 0 };
    for (int32_t by = 0; by < tree_blocks_down(tree); by++) {
        for (int32_t bx = 0; bx < tree_blocks_across(tree); bx++)
            add_block(tree, bx, by, &sums);
    }
    return (struct coverage){ (double)sums.some / vertices, (double)sums.weight / vertices,
                              (uint8_t)tree->root.summary.least,
                              (uint8_t)tree->root.summary.greatest };
}

#include "terrain/query/compare.h"

#include <math.h>
#include <string.h>

/* What is at work on one block. */
struct comparing {
    const struct view *from, *to;
    struct compared *compared;
    double sum;
    bool heights, holes; /* planes that differ in the block */
};

static bool leaf_same(const struct tree *a, const struct tree *b, int32_t bx, int32_t by)
{
    const struct child *one = tree_leaf(a, bx, by), *other = tree_leaf(b, bx, by);

    return one->below == other->below && (one->below || one->summary.least == other->summary.least);
}

static bool same_metres(const struct view *a, const struct view *b)
{
    const struct grid *one = view_grid(a), *other = view_grid(b);

    return one->scale[2] == other->scale[2] && one->origin[2] == other->origin[2];
}

void compare_row(const struct view *from, const struct view *to, int32_t x, int32_t y,
                 int32_t width, double *metres)
{
    uint16_t was[BLOCK_SIDE], is[BLOCK_SIDE];

    for (int32_t done = 0; done < width; done += BLOCK_SIDE) {
        int32_t count = width - done < BLOCK_SIDE ? width - done : BLOCK_SIDE;
        struct rect part = { x + done, y, count, 1 };

        view_read_heights(from, part, was, count);
        view_read_heights(to, part, is, count);
        for (int32_t i = 0; i < count; i++)
            metres[done + i] =
                grid_metres(view_grid(to), is[i]) - grid_metres(view_grid(from), was[i]);
    }
}

static void note_heights(struct comparing *comparing, struct rect row, uint8_t *differs)
{
    const double *scale = view_grid(comparing->to)->scale;
    struct compared *compared = comparing->compared;
    double metres[BLOCK_SIDE];

    compare_row(comparing->from, comparing->to, row.x, row.y, row.width, metres);
    for (int32_t i = 0; i < row.width; i++) {
        double rise = metres[i];

        compared->least = rise < compared->least ? rise : compared->least;
        compared->greatest = rise > compared->greatest ? rise : compared->greatest;
        compared->heights += rise != 0;
        differs[i] |= rise != 0;
        comparing->sum += rise;
        if (rise > 0)
            compared->raised += rise * scale[0] * scale[1];
        else
            compared->lowered -= rise * scale[0] * scale[1];
    }
}

static void note_holes(struct comparing *comparing, struct rect row, uint8_t *differs)
{
    uint8_t was[BLOCK_SIDE], is[BLOCK_SIDE];

    view_read_holes(comparing->from, row, was, row.width);
    view_read_holes(comparing->to, row, is, row.width);
    for (int32_t i = 0; i < row.width; i++) {
        comparing->compared->opened += is[i] && !was[i];
        comparing->compared->closed += was[i] && !is[i];
        differs[i] |= was[i] != is[i];
    }
}

static void read_weights(const struct tree *tree, struct rect row, uint8_t *weights)
{
    if (tree)
        tree_read(tree, row, weights, row.width);
    else
        memset(weights, 0, (size_t)row.width);
}

static bool weights_same(const struct tree *was, const struct tree *is, struct rect row)
{
    int32_t bx = row.x >> BLOCK_LOG2, by = row.y >> BLOCK_LOG2;

    return was && is ? leaf_same(was, is, bx, by)
                     : !(was ? tree_leaf(was, bx, by) : tree_leaf(is, bx, by))->summary.greatest;
}

static void note_layer(const struct tree *was, const struct tree *is, struct rect row,
                       uint8_t *differs)
{
    uint8_t rows[2][BLOCK_SIDE];

    if (weights_same(was, is, row))
        return;
    read_weights(was, row, rows[0]);
    read_weights(is, row, rows[1]);
    for (int32_t i = 0; i < row.width; i++)
        differs[i] |= rows[0][i] != rows[1][i];
}

static void note_weights(struct comparing *comparing, struct rect row, uint8_t *differs)
{
    const struct view *from = comparing->from, *to = comparing->to;
    uint8_t own[BLOCK_SIDE] = { 0 };

    for (int32_t i = 0; i < to->weights_count; i++)
        note_layer(view_weights(from, to->weights[i].paint), &to->weights[i].tree, row, own);
    for (int32_t i = 0; i < from->weights_count; i++)
        if (!view_weights(to, from->weights[i].paint))
            note_layer(&from->weights[i].tree, NULL, row, own);
    for (int32_t i = 0; i < row.width; i++) {
        comparing->compared->weights += own[i];
        differs[i] |= own[i];
    }
}

static void note_level(struct compared *compared)
{
    compared->least = compared->least < 0 ? compared->least : 0;
    compared->greatest = compared->greatest > 0 ? compared->greatest : 0;
}

/* A row of the rectangle within one block. */
static void compare_piece(struct comparing *comparing, struct rect row)
{
    struct compared *compared = comparing->compared;
    uint8_t differs[BLOCK_SIDE] = { 0 };

    if (comparing->heights)
        note_heights(comparing, row, differs);
    if (comparing->holes)
        note_holes(comparing, row, differs);
    note_weights(comparing, row, differs);
    for (int32_t i = 0; i < row.width; i++) {
        compared->changed += differs[i];
        if (differs[i])
            compared->dirty = rect_join(compared->dirty, (struct rect){ row.x + i, row.y, 1, 1 });
    }
}

bool compare_views(const struct view *from, const struct view *to, struct rect over,
                   struct compared *compared, struct fault *why)
{
    struct comparing comparing = { .from = from, .to = to, .compared = compared };
    bool metres = same_metres(from, to);

    *compared = (struct compared){ .least = INFINITY, .greatest = -INFINITY };
    if (view_grid(from)->columns != view_grid(to)->columns ||
        view_grid(from)->rows != view_grid(to)->rows)
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "one version has %d x %d vertices and the other %d x %d",
                         view_grid(from)->columns, view_grid(from)->rows, view_grid(to)->columns,
                         view_grid(to)->rows);
    for (int32_t by = over.y >> BLOCK_LOG2; by << BLOCK_LOG2 < over.y + over.height; by++)
        for (int32_t bx = over.x >> BLOCK_LOG2; bx << BLOCK_LOG2 < over.x + over.width; bx++) {
            struct rect piece =
                rect_meet(over, tree_block_rect(&to->planes[PLANE_HEIGHTS], bx, by));

            comparing.heights = !metres || !leaf_same(&from->planes[PLANE_HEIGHTS],
                                                      &to->planes[PLANE_HEIGHTS], bx, by);
            comparing.holes =
                !leaf_same(&from->planes[PLANE_HOLES], &to->planes[PLANE_HOLES], bx, by);
            if (!comparing.heights)
                note_level(compared);
            for (int32_t y = piece.y; y < piece.y + piece.height; y++)
                compare_piece(&comparing, (struct rect){ piece.x, y, piece.width, 1 });
        }
    if (rect_empty(over))
        note_level(compared);
    else
        compared->mean = comparing.sum / (double)rect_area(over);
    return true;
}

#include "terrain/query/region_row.h"

#include <math.h>
#include <stdlib.h>

/* Pieces: the polygon below a row falls into slabs in which no side begins, ends or crosses
 * another, so that between two sides there are trapezoids. */

/* Sides that touch are not told apart from such as cross by less than NEAR; a slab is at least
 * THIN high. In quads. */
static const double NEAR = 1e-9, THIN = 1e-7;

struct slab {
    double top, bottom;
    double left[2], right[2];
};

/* The part of a convex polygon where `at` x + by y <= most. */
static int clip(const double (*from)[2], int count, double ax, double by, double most,
                double (*to)[2])
{
    int kept = 0;

    for (int i = 0; i < count; i++) {
        const double *p = from[i], *q = from[i + 1 < count ? i + 1 : 0];
        const double out = ax * p[0] + by * p[1] - most, next = ax * q[0] + by * q[1] - most;

        if (out <= 0) {
            to[kept][0] = p[0];
            to[kept++][1] = p[1];
        }
        if ((out < 0 && next > 0) || (out > 0 && next < 0)) {
            const double share = out / (out - next);

            to[kept][0] = p[0] + share * (q[0] - p[0]);
            to[kept++][1] = p[1] + share * (q[1] - p[1]);
        }
    }
    return kept;
}

/* Both triangles of a quad, as far as they lie in the slab. */
static void quad_pieces(const struct slab *slab, int32_t x, int32_t y,
                        const struct region_visit *visit, void *context)
{
    static const double triangles[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 1, 1 } },
                                               { { 0, 0 }, { 0, 1 }, { 1, 1 } } };
    const double top = slab->top - y, bottom = slab->bottom - y, high = bottom - top;
    const double left = slab->left[0] - x, right = slab->right[0] - x;
    const double lean = (slab->left[1] - slab->left[0]) / high;
    const double tilt = (slab->right[1] - slab->right[0]) / high;

    for (int k = 0; k < 2; k++) {
        double a[REGION_CORNERS_MOST][2], b[REGION_CORNERS_MOST][2];
        int count = clip(triangles[k], 3, 0, -1, -top, a);

        count = clip((const double(*)[2])a, count, 0, 1, bottom, b);
        count = clip((const double(*)[2])b, count, -1, lean, lean * top - left, a);
        count = clip((const double(*)[2])a, count, 1, -tilt, right - tilt * top, b);
        if (count > 2)
            visit->piece(context, x, y, k, (const double(*)[2])b, count);
    }
}

static bool slab_pieces(struct region_row *row, const struct slab *slab, int32_t y,
                        const struct region_visit *visit, void *context, struct fault *why)
{
    const int32_t from = region_row_column(row, floor(fmin(slab->left[0], slab->left[1])), 0);
    const int32_t to = region_row_column(row, ceil(fmax(slab->right[0], slab->right[1])), 0);
    size_t low = 0, high = row->touched.count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (row->touched.runs[middle].to <= from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < row->touched.count && row->touched.runs[low].from < to; low++) {
        const struct run run = row->touched.runs[low];
        const int32_t first = run.from > from ? run.from : from;
        const int32_t end = run.to < to ? run.to : to;

        if (end > first && !region_row_take(row, (size_t)(end - first), why))
            return false;
        for (int32_t x = first; x < end; x++)
            quad_pieces(slab, x, y, visit, context);
    }
    return true;
}

/* The bottom of the slab that begins at `top`: the next end of a side. */
static double slab_end(const struct region_row *row, double top, double bottom)
{
    for (size_t i = 0; i < row->count; i++) {
        const double from = row->sides[i]->from[1], to = row->sides[i]->to[1];

        if (from > top && from < bottom)
            bottom = from;
        if (to > top && to < bottom)
            bottom = to;
    }
    return bottom;
}

/* Sooner, where two neighbours cross. */
static double slab_crossed(const struct region_row *row, size_t count, double top, double bottom)
{
    double end = bottom;

    for (size_t i = 0; i + 1 < count; i++) {
        const double *west = row->crossings[i].x, *east = row->crossings[i + 1].x;
        const double apart = east[0] - west[0], over = west[1] - east[1];

        if (over > NEAR)
            end = fmin(end, top + (bottom - top) * (apart / (apart + over)));
    }
    return end == bottom ? bottom : fmin(fmax(end, top + THIN), bottom);
}

static int by_middle(const void *a_, const void *b_)
{
    const struct crossing *a = a_, *b = b_;
    const double left = a->x[0] + a->x[1], right = b->x[0] + b->x[1];

    return left < right ? -1 : left > right;
}

bool region_row_pieces(struct region_row *row, int32_t y, const struct region_visit *visit,
                       void *context, struct fault *why)
{
    double top = y;

    while (row->touched.count > 0 && top < y + 1) {
        struct slab slab = { .top = top, .bottom = slab_end(row, top, y + 1) };
        size_t count = region_row_crossings(row, top, slab.bottom);
        const double end = slab_crossed(row, count, top, slab.bottom);

        if (end < slab.bottom) {
            slab.bottom = end;
            count = region_row_crossings(row, top, end);
        }
        qsort(row->crossings, count, sizeof *row->crossings, by_middle);
        for (size_t i = 0; i + 1 < count; i += 2) {
            const double *west = row->crossings[i].x, *east = row->crossings[i + 1].x;

            for (int k = 0; k < 2; k++) {
                slab.left[k] = west[k];
                slab.right[k] = fmax(east[k], west[k]);
            }
            if (!slab_pieces(row, &slab, y, visit, context, why))
                return false;
        }
        if (!region_row_take(row, count, why))
            return false;
        top = slab.bottom;
    }
    return true;
}

/* Fewer points: D. Douglas and T. Peucker, "Algorithms for the reduction of the number of points
 * required to represent a digitized line or its caricature", Cartographica 10, 1973. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/contour.h"

enum { PIECE = 1024 }; /* points that are looked at together, so that no line costs their square */

struct span {
    size_t from, to;
};

struct work {
    const double *scale;
    double tolerance;
    double (*points)[2];
    bool *kept;
    struct span *stack;
};

/* Metres from the line between two points, squared. */
static double apart2(const struct work *work, size_t i, size_t from, size_t to)
{
    double along[2], off[2], length2, share;

    for (int k = 0; k < 2; k++) {
        along[k] = (work->points[to][k] - work->points[from][k]) * work->scale[k];
        off[k] = (work->points[i][k] - work->points[from][k]) * work->scale[k];
    }
    length2 = along[0] * along[0] + along[1] * along[1];
    share = length2 > 0 ? (off[0] * along[0] + off[1] * along[1]) / length2 : 0;
    share = fmin(fmax(share, 0), 1);
    for (int k = 0; k < 2; k++)
        off[k] -= share * along[k];
    return off[0] * off[0] + off[1] * off[1];
}

static size_t farthest(const struct work *work, struct span span, double *most2)
{
    size_t found = span.from;

    *most2 = -1;
    for (size_t i = span.from + 1; i < span.to; i++) {
        const double here2 = apart2(work, i, span.from, span.to);

        if (here2 > *most2) {
            *most2 = here2;
            found = i;
        }
    }
    return found;
}

/* Keeps what has to be kept between two points that are. */
static void piece_keep(struct work *work, struct span piece)
{
    size_t depth = 0;

    work->stack[depth++] = piece;
    while (depth > 0) {
        const struct span span = work->stack[--depth];
        double most2;
        const size_t middle = farthest(work, span, &most2);

        if (!(most2 > work->tolerance * work->tolerance))
            continue;
        work->kept[middle] = true;
        work->stack[depth++] = (struct span){ span.from, middle };
        work->stack[depth++] = (struct span){ middle, span.to };
    }
}

/* Long lines in pieces, whose ends are kept. */
static void span_keep(struct work *work, struct span whole)
{
    while (whole.to - whole.from > PIECE) {
        const size_t end = whole.from + PIECE;

        work->kept[end] = true;
        piece_keep(work, (struct span){ whole.from, end });
        whole.from = end;
    }
    piece_keep(work, whole);
}

/* A ring is two lines, between its first point and the one farthest from it. */
static void line_keep(struct work *work, const struct contour_line *line)
{
    const size_t last = line->first + line->count - 1;
    double most2;
    size_t middle;

    work->kept[line->first] = true;
    if (!line->closed) {
        work->kept[last] = true;
        span_keep(work, (struct span){ line->first, last });
        return;
    }
    middle = line->first;
    most2 = 0;
    for (size_t i = line->first + 1; i <= last; i++) {
        const double here2 = apart2(work, i, line->first, line->first);

        if (here2 > most2) {
            most2 = here2;
            middle = i;
        }
    }
    if (middle == line->first)
        return;
    work->kept[middle] = work->kept[last] = true;
    span_keep(work, (struct span){ line->first, middle });
    span_keep(work, (struct span){ middle, last });
}

static bool same_place(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Moves what is kept of a line to the end of what is kept so far; false when that is no line. */
static bool line_move(const struct work *work, struct contour_line *line, size_t *end)
{
    const size_t first = *end, past = line->first + line->count;
    size_t to = first;

    for (size_t i = line->first; i < past; i++) {
        if (!work->kept[i] || (to > first && same_place(work->points[to - 1], work->points[i])))
            continue;
        memmove(work->points[to++], work->points[i], sizeof *work->points);
    }
    while (line->closed && to > first + 1 && same_place(work->points[to - 1], work->points[first]))
        to--;
    line->first = first;
    line->count = to - first;
    if (line->count < (line->closed ? 3u : 2u))
        return false;
    *end = to;
    return true;
}

bool contour_simplify(const struct grid *grid, double tolerance, struct contours *contours,
                      struct fault *why)
{
    const size_t count = contours->point_count;
    struct work work = { .scale = grid->scale,
                         .tolerance = tolerance,
                         .points = contours->points,
                         .kept = malloc(count + 1),
                         .stack = malloc((PIECE + 2) * sizeof *work.stack) };
    size_t lines = 0, points = 0;
    const bool well = work.kept && work.stack;

    if (well) {
        memset(work.kept, tolerance == 0, count);
        for (size_t i = 0; i < contours->line_count; i++) {
            struct contour_line line = contours->lines[i];

            if (tolerance > 0)
                line_keep(&work, &line);
            if (line_move(&work, &line, &points))
                contours->lines[lines++] = line;
        }
        contours->line_count = lines;
        contours->point_count = points;
    } else {
        fault_set(why, FAULT_MEMORY, "no memory to simplify %zu points", count);
    }
    free(work.kept);
    free(work.stack);
    return well;
}

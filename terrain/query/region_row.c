#include "terrain/query/region_row.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

void region_row_begin(struct region_row *row, const struct region *region, _Atomic int64_t *left)
{
    *row = (struct region_row){ .region = region, .left = left };
}

void region_row_end(struct region_row *row)
{
    free(row->sides);
    free(row->crossings);
    free(row->vertices.runs);
    free(row->whole.runs);
    free(row->touched.runs);
}

static bool no_memory(size_t count, struct fault *why)
{
    return fault_set(why, FAULT_MEMORY, "no memory for %zu sides of a polygon", count);
}

bool region_row_take(struct region_row *row, size_t count, struct fault *why)
{
    const int64_t left =
        atomic_fetch_sub_explicit(row->left, (int64_t)count, memory_order_relaxed) - (int64_t)count;

    return left >= 0 || fault_set(why, FAULT_LIMIT,
                                  "the polygon's sides run through rows and cut quads more than "
                                  "%lld times; a simpler polygon is needed",
                                  (long long)REGION_PIECES_MOST);
}

/* Runs */

static bool runs_add(struct runs *runs, int32_t from, int32_t to, struct fault *why)
{
    if (from >= to)
        return true;
    if (runs->count == runs->room) {
        const size_t room = runs->room ? 2 * runs->room : 16;
        struct run *more = realloc(runs->runs, room * sizeof *more);

        if (!more)
            return no_memory(room, why);
        runs->runs = more;
        runs->room = room;
    }
    runs->runs[runs->count++] = (struct run){ from, to };
    return true;
}

static int by_from(const void *a_, const void *b_)
{
    const struct run *a = a_, *b = b_;

    return a->from < b->from ? -1 : a->from > b->from;
}

/* In order, none meeting another. */
static void runs_merge(struct runs *runs)
{
    size_t kept = 0;

    if (runs->count == 0)
        return;
    qsort(runs->runs, runs->count, sizeof *runs->runs, by_from);
    for (size_t i = 1; i < runs->count; i++) {
        struct run *last = &runs->runs[kept];

        if (runs->runs[i].from > last->to)
            runs->runs[++kept] = runs->runs[i];
        else if (runs->runs[i].to > last->to)
            last->to = runs->runs[i].to;
    }
    runs->count = kept + 1;
}

/* A number of quads or vertices within the region's columns, `beyond` the last one. */
int32_t region_row_column(const struct region_row *row, double x, int32_t beyond)
{
    const struct rect over = row->region->over;

    return (int32_t)fmin(fmax(x, over.x), over.x + over.width - 1 + beyond);
}

/* Sides */

static double side_x(const struct region_side *side, double y)
{
    if (y <= side->from[1])
        return side->from[0];
    if (y >= side->to[1])
        return side->to[0];
    return side->from[0] +
           (y - side->from[1]) * (side->to[0] - side->from[0]) / (side->to[1] - side->from[1]);
}

static bool side_keep(struct region_row *row, const struct region_side *side, struct fault *why)
{
    if (row->count == row->room) {
        const size_t room = row->room ? 2 * row->room : 16;
        const struct region_side **sides = realloc(row->sides, room * sizeof *sides);
        struct crossing *crossings;

        if (!sides)
            return no_memory(room, why);
        row->sides = sides;
        crossings = realloc(row->crossings, room * sizeof *crossings);
        if (!crossings)
            return no_memory(room, why);
        row->crossings = crossings;
        row->room = room;
    }
    row->sides[row->count++] = side;
    return true;
}

/* The sides that reach y or the quads below. */
static bool sides_update(struct region_row *row, int32_t y, struct fault *why)
{
    size_t kept = 0;

    for (size_t i = 0; i < row->count; i++)
        if (row->sides[i]->to[1] >= y)
            row->sides[kept++] = row->sides[i];
    row->count = kept;
    for (; row->next < row->region->count; row->next++) {
        const struct region_side *side = &row->region->sides[row->next];

        if (side->from[1] > y + 1)
            break;
        if (side->to[1] >= y && !side_keep(row, side, why))
            return false;
    }
    return true;
}

static int by_crossing(const void *a_, const void *b_)
{
    const struct crossing *a = a_, *b = b_;

    if (a->x[0] != b->x[0])
        return a->x[0] < b->x[0] ? -1 : 1;
    return a->x[1] < b->x[1] ? -1 : a->x[1] > b->x[1];
}

/* Where sides pass from `top` to `bottom`, in order from the west. */
size_t region_row_crossings(struct region_row *row, double top, double bottom)
{
    size_t count = 0;

    for (size_t i = 0; i < row->count; i++) {
        const struct region_side *side = row->sides[i];

        if (side->from[1] <= top && side->to[1] >= bottom && side->from[1] < side->to[1])
            row->crossings[count++] =
                (struct crossing){ { side_x(side, top), side_x(side, bottom) } };
    }
    qsort(row->crossings, count, sizeof *row->crossings, by_crossing);
    return count;
}

/* The sides that cross y just below it, or just above it. */
static size_t crossings_at(struct region_row *row, double y, bool below)
{
    size_t count = 0;

    for (size_t i = 0; i < row->count; i++) {
        const struct region_side *side = row->sides[i];
        const bool crosses =
            below ? side->from[1] <= y && side->to[1] > y : side->from[1] < y && side->to[1] >= y;

        if (crosses)
            row->crossings[count++] = (struct crossing){ { side_x(side, y), 0 } };
    }
    qsort(row->crossings, count, sizeof *row->crossings, by_crossing);
    return count;
}

/* Vertices of the closed polygon: what is inside just above, inside just below, or on a side. */
static bool vertices_find(struct region_row *row, int32_t y, struct fault *why)
{
    row->vertices.count = 0;
    for (int below = 0; below < 2; below++) {
        const size_t count = crossings_at(row, y, below);

        for (size_t i = 0; i + 1 < count; i += 2)
            if (!runs_add(&row->vertices, region_row_column(row, ceil(row->crossings[i].x[0]), 1),
                          region_row_column(row, floor(row->crossings[i + 1].x[0]) + 1, 1), why))
                return false;
    }
    for (size_t i = 0; i < row->count; i++) {
        const struct region_side *side = row->sides[i];

        if (side->from[1] == y && side->to[1] == y &&
            !runs_add(&row->vertices,
                      region_row_column(row, ceil(fmin(side->from[0], side->to[0])), 1),
                      region_row_column(row, floor(fmax(side->from[0], side->to[0])) + 1, 1), why))
            return false;
    }
    runs_merge(&row->vertices);
    return true;
}

/* The quads that a side runs through, not along. */
static bool touched_find(struct region_row *row, int32_t y, struct fault *why)
{
    row->touched.count = 0;
    for (size_t i = 0; i < row->count; i++) {
        const struct region_side *side = row->sides[i];
        const bool level = side->from[1] == side->to[1];
        double a = side_x(side, y), b = side_x(side, y + 1);

        if (!(side->from[1] < y + 1 && side->to[1] > y))
            continue;
        if (level) {
            a = side->from[0];
            b = side->to[0];
        }
        if (!runs_add(&row->touched, region_row_column(row, floor(fmin(a, b)), 0),
                      region_row_column(row, ceil(fmax(a, b)), 0), why))
            return false;
    }
    runs_merge(&row->touched);
    return true;
}

/* Adds the quads of a run that no side runs through. */
static bool whole_add(struct region_row *row, struct run run, size_t *at, struct fault *why)
{
    const struct runs *touched = &row->touched;
    int32_t from = run.from;

    while (*at < touched->count && touched->runs[*at].to <= from)
        ++*at;
    for (size_t i = *at; i < touched->count && touched->runs[i].from < run.to; i++) {
        if (!runs_add(&row->whole, from, touched->runs[i].from, why))
            return false;
        from = touched->runs[i].to;
    }
    return runs_add(&row->whole, from, run.to, why);
}

static bool whole_find(struct region_row *row, int32_t y, struct fault *why)
{
    const size_t count = crossings_at(row, y + 0.5, true);
    size_t at = 0;

    row->whole.count = 0;
    for (size_t i = 0; i + 1 < count; i += 2) {
        const struct run run = { region_row_column(row, floor(row->crossings[i].x[0] - 0.5) + 1, 0),
                                 region_row_column(row, ceil(row->crossings[i + 1].x[0] - 0.5),
                                                   0) };

        if (run.from < run.to && !whole_add(row, run, &at, why))
            return false;
    }
    return true;
}

bool region_row_next(struct region_row *row, int32_t y, struct fault *why)
{
    const struct rect over = row->region->over;

    row->whole.count = row->touched.count = 0;
    return sides_update(row, y, why) && region_row_take(row, row->count, why) &&
           vertices_find(row, y, why) &&
           (y >= over.y + over.height - 1 ||
            (touched_find(row, y, why) && whole_find(row, y, why)));
}

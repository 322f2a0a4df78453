#include "terrain/query/region.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/query/region_row.h"

struct region region_rect(struct rect over)
{
    return (struct region){ .over = over };
}

static bool points_check(const double (*points)[2], size_t count, struct fault *why)
{
    if (count < 3)
        return fault_set(why, FAULT_INPUT, "%zu points are no polygon; it takes at least 3", count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(points[i][0]) <= REGION_FAR && fabs(points[i][1]) <= REGION_FAR))
            return fault_set(why, FAULT_INPUT,
                             "point %zu is more than %g quads from the landscape's first vertex", i,
                             REGION_FAR);
    return true;
}

static int by_north(const void *a_, const void *b_)
{
    const struct region_side *a = a_, *b = b_;

    return a->from[1] < b->from[1] ? -1 : a->from[1] > b->from[1];
}

/* Vertices around an interval of positions, of 0..most; possibly none. */
static void span(double from, double to, int32_t most, int32_t *first, int32_t *count)
{
    const double low = fmax(floor(from), 0), high = fmin(ceil(to), most);

    *first = low <= high ? (int32_t)low : 0;
    *count = low <= high ? (int32_t)(high - low) + 1 : 0;
}

static struct rect rect_around(const struct grid *grid, const double (*points)[2], size_t count)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    struct rect over;

    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], points[i][k]);
            high[k] = fmax(high[k], points[i][k]);
        }
    span(low[0], high[0], grid->columns - 1, &over.x, &over.width);
    span(low[1], high[1], grid->rows - 1, &over.y, &over.height);
    return over;
}

bool region_polygon(const struct view *view, const double (*points)[2], size_t count,
                    struct region *region, struct fault *why)
{
    *region = (struct region){ 0 };
    if (!points_check(points, count, why))
        return false;
    region->sides = malloc(count * sizeof *region->sides);
    if (!region->sides)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu points", count);
    region->count = count;
    region->over = rect_around(view_grid(view), points, count);
    for (size_t i = 0; i < count; i++) {
        const double *a = points[i], *b = points[i + 1 < count ? i + 1 : 0];
        const bool down = a[1] <= b[1];

        region->sides[i] = (struct region_side){
            { down ? a[0] : b[0], down ? a[1] : b[1] },
            { down ? b[0] : a[0], down ? b[1] : a[1] },
        };
    }
    qsort(region->sides, count, sizeof *region->sides, by_north);
    return true;
}

void region_fini(struct region *region)
{
    free(region->sides);
    *region = (struct region){ 0 };
}

int32_t region_strips(const struct region *region)
{
    const struct rect over = region->over;

    return rect_empty(over)
               ? 0
               : ((over.y + over.height - 1) >> BLOCK_LOG2) - (over.y >> BLOCK_LOG2) + 1;
}

/* What of the region's rectangle lies in a row of blocks. */
static struct rect strip_rect(const struct region *region, int32_t strip)
{
    const struct rect over = region->over;

    return rect_meet(over, (struct rect){ over.x, ((over.y >> BLOCK_LOG2) + strip) << BLOCK_LOG2,
                                          over.width, BLOCK_SIDE });
}

/* Hands on a rectangle in parts that each lie within one block's columns. */
static void each_block(struct rect all, void (*visit)(void *context, struct rect part),
                       void *context)
{
    for (int32_t x = all.x; x < all.x + all.width; x = (x | BLOCK_MASK) + 1) {
        const int32_t end = (x | BLOCK_MASK) + 1;
        const int32_t to = end < all.x + all.width ? end : all.x + all.width;

        visit(context, (struct rect){ x, all.y, to - x, all.height });
    }
}

static void walk_rect(const struct region *region, struct rect rows,
                      const struct region_visit *visit, void *context)
{
    const struct rect over = region->over;
    const struct rect quads = { over.x, over.y, over.width - 1, over.height - 1 };

    each_block(rows, visit->vertices, context);
    each_block(rect_meet(rows, quads), visit->quads, context);
}

static void walk_row(const struct region_row *row, int32_t y, const struct region_visit *visit,
                     void *context)
{
    for (size_t i = 0; i < row->vertices.count; i++) {
        const struct run run = row->vertices.runs[i];

        each_block((struct rect){ run.from, y, run.to - run.from, 1 }, visit->vertices, context);
    }
    for (size_t i = 0; i < row->whole.count; i++) {
        const struct run run = row->whole.runs[i];

        each_block((struct rect){ run.from, y, run.to - run.from, 1 }, visit->quads, context);
    }
}

bool region_walk(const struct region *region, int32_t strip, const struct region_visit *visit,
                 void *context, _Atomic int64_t *left, struct fault *why)
{
    const struct rect rows = strip_rect(region, strip);
    struct region_row row;
    bool walked = true;

    if (!region->sides) {
        walk_rect(region, rows, visit, context);
        return true;
    }
    region_row_begin(&row, region, left);
    for (int32_t y = rows.y; walked && y < rows.y + rows.height; y++) {
        walked = region_row_next(&row, y, why) && region_row_pieces(&row, y, visit, context, why);
        if (walked)
            walk_row(&row, y, visit, context);
    }
    region_row_end(&row);
    return walked;
}

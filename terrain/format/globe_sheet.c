#include "terrain/format/globe_sheet.h"

#include <math.h>
#include <stdlib.h>

enum {
    SQUARE_LOG2 = 16, /* a square of the sheet is so finely divided */
    SQUARE = 1 << SQUARE_LOG2,
    QUARTERED_MOST = 1024,
    READ_MOST = 64 /* vertices: of so few the values are read, summaries are of 8 x 8 */
};

/* A square of the sheet, or a part of one: halves of halves, so that a diagonal runs through its
 * corners or not at all, and the sheet is extreme at its corners. */
struct part {
    double most; /* metres that the ground below it is off at most */
    int32_t x, y, size;
    bool whole; /* not worth being quartered */
};

/* The worst first. */
struct heap {
    struct part *parts;
    size_t count;
};

static void heap_add(struct heap *heap, struct part part)
{
    size_t i = heap->count++;

    for (; i > 0 && heap->parts[(i - 1) / 2].most < part.most; i = (i - 1) / 2)
        heap->parts[i] = heap->parts[(i - 1) / 2];
    heap->parts[i] = part;
}

static struct part heap_take(struct heap *heap)
{
    const struct part first = heap->parts[0], last = heap->parts[--heap->count];
    size_t i = 0;

    for (size_t below; (below = 2 * i + 1) < heap->count; i = below) {
        if (below + 1 < heap->count && heap->parts[below + 1].most > heap->parts[below].most)
            below++;
        if (heap->parts[below].most <= last.most)
            break;
        heap->parts[i] = heap->parts[below];
    }
    heap->parts[i] = last;
    return first;
}

/* Column, row and metres of a sample as the landscape has them. */
static void sample_at(const struct globe_sheet *sheet, int32_t i, int32_t j, double at[3])
{
    const int32_t k = j * sheet->across + i;

    at[0] = sheet->at[k][0];
    at[1] = sheet->at[k][1];
    at[2] = sheet->z[k] - sheet->raise[k];
}

/* The same at a place of a square, its corners as two triangles have them. */
static void place_at(const struct globe_sheet *sheet, const struct part *part, int32_t x, int32_t y,
                     double at[3])
{
    const int32_t i = part->x >> SQUARE_LOG2, j = part->y >> SQUARE_LOG2;
    const double s = ldexp(x - i * SQUARE, -SQUARE_LOG2), t = ldexp(y - j * SQUARE, -SQUARE_LOG2);
    double nw[3], se[3], turn[3];

    sample_at(sheet, i, j, nw);
    sample_at(sheet, i + 1, j + 1, se);
    sample_at(sheet, i + (s > t), j + (s <= t), turn);
    for (int k = 0; k < 3; k++)
        at[k] = nw[k] + fmax(s, t) * (turn[k] - nw[k]) + fmin(s, t) * (se[k] - turn[k]);
}

/* The vertices under a part, and around where it bends; and the least and greatest of it. */
static struct rect part_region(const struct globe_sheet *sheet, struct part *part, double metres[2])
{
    const struct grid *grid = view_grid(sheet->view);
    const int32_t counts[2] = { grid->columns, grid->rows };
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    int32_t first[2], end[2];

    for (int c = 0; c < 4; c++) {
        double at[3];

        if (part->size == SQUARE)
            sample_at(sheet, (part->x >> SQUARE_LOG2) + c % 2, (part->y >> SQUARE_LOG2) + c / 2,
                      at);
        else
            place_at(sheet, part, part->x + c % 2 * part->size, part->y + c / 2 * part->size, at);
        part->whole |= isnan(at[0]) || isnan(at[1]);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    metres[0] = low[2];
    metres[1] = high[2];
    for (int k = 0; k < 2; k++) {
        low[k] -= sheet->bend[k];
        high[k] += sheet->bend[k];
        if (!(low[k] <= counts[k] && high[k] >= -1))
            return (struct rect){ 0 };
        first[k] = (int32_t)fmax(floor(low[k]), 0);
        end[k] = (int32_t)fmin(ceil(high[k]) + 1, counts[k]);
    }
    return (struct rect){ first[0], first[1], end[0] - first[0], end[1] - first[1] };
}

static struct summary ground_of(const struct view *view, struct rect region)
{
    uint16_t codes[READ_MOST];
    struct summary bounds = { 0, UINT16_MAX, 0 };

    if (rect_area(region) > READ_MOST)
        return tree_bounds(&view->planes[PLANE_HEIGHTS], region);
    view_read_heights(view, region, codes, region.width);
    for (int32_t k = 0; k < rect_area(region); k++) {
        bounds.least = codes[k] < bounds.least ? codes[k] : bounds.least;
        bounds.greatest = codes[k] > bounds.greatest ? codes[k] : bounds.greatest;
    }
    return bounds;
}

static void part_add(const struct globe_sheet *sheet, struct heap *heap, int32_t x, int32_t y,
                     int32_t size)
{
    const struct grid *grid = view_grid(sheet->view);
    struct part part = { .x = x, .y = y, .size = size, .whole = size == 1 };
    double metres[2];
    const struct rect region = part_region(sheet, &part, metres);
    struct summary bounds;

    if (rect_empty(region))
        return;
    bounds = ground_of(sheet->view, region);
    part.most = fmax(grid_metres(grid, bounds.greatest) - metres[0],
                     metres[1] - grid_metres(grid, bounds.least));
    /* No fewer vertices can lie below its quarters. */
    part.whole |= rect_area(region) <= 9;
    heap_add(heap, part);
}

bool globe_sheet_bound(const struct globe_sheet *sheet, double *metres, struct fault *why)
{
    const int32_t squares = sheet->side * sheet->side;
    struct heap heap = { malloc(((size_t)squares + 3 * QUARTERED_MOST) * sizeof *heap.parts), 0 };

    if (!heap.parts)
        return fault_set(why, FAULT_MEMORY, "no memory for the %d squares of a tile", squares);
    for (int32_t k = 0; k < squares; k++)
        part_add(sheet, &heap, k % sheet->side * SQUARE, k / sheet->side * SQUARE, SQUARE);
    for (int k = 0; k < QUARTERED_MOST && heap.count > 0 && !heap.parts[0].whole; k++) {
        const struct part worst = heap_take(&heap);
        const int32_t half = worst.size / 2;

        for (int c = 0; c < 4; c++)
            part_add(sheet, &heap, worst.x + c % 2 * half, worst.y + c / 2 * half, half);
    }
    *metres = heap.count > 0 ? fmax(heap.parts[0].most, 0) : 0;
    free(heap.parts);
    return true;
}

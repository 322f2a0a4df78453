/* Footprints in one line of pixels share their rows. Those rows that fill cells of 8 x 8 vertices
 * come from the blocks' summaries, the others are added up along the whole line; and in the cells
 * where two footprints meet, columns are summed by vertex. So a pixel costs some thirty vertices
 * for each 8 that it is wide, and not the square of its width. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/tile_canvas.h"

enum { SLAB_ROWS = 3 * CELL_SIDE, NO_CELL = -1 };

struct lines {
    const struct view *view;
    int32_t x, width;    /* the columns under the patch */
    int32_t top, bottom; /* rows that fill cells, of the present line; none when equal */
    double *partial;     /* the other rows, weighted, summed for each column */
    double *cells;       /* sums of rows top to bottom for each eight columns from x >> 3 */
    uint16_t *slab;      /* SLAB_ROWS rows */
    int32_t edge_cell;   /* whose columns `edge` holds, over the rows top to bottom */
    double edge[CELL_SIDE];
};

static bool lines_init(struct lines *lines, const struct view *view, int32_t x, int32_t width,
                       struct fault *why)
{
    *lines = (struct lines){ .view = view, .x = x, .width = width };
    lines->partial = malloc((size_t)width * sizeof *lines->partial);
    lines->cells = malloc(((size_t)width / CELL_SIDE + 2) * sizeof *lines->cells);
    lines->slab = malloc((size_t)width * SLAB_ROWS * sizeof *lines->slab);
    if (!lines->partial || !lines->cells || !lines->slab)
        return fault_set(why, FAULT_MEMORY, "no memory for %d columns of heights", width);
    return true;
}

static void lines_fini(struct lines *lines)
{
    free(lines->partial);
    free(lines->cells);
    free(lines->slab);
}

static void add_slab(struct lines *lines, const struct tile_stretch *y, int32_t first, int32_t end)
{
    const int32_t width = lines->width;

    if (first >= end)
        return;
    view_read_heights(lines->view, (struct rect){ lines->x, first, width, end - first },
                      lines->slab, width);
    for (int32_t row = first; row < end; row++) {
        const uint16_t *heights = lines->slab + (size_t)(row - first) * width;
        const double weight = row == y->first ? y->head : row == y->last ? y->tail : 1;

        for (int32_t i = 0; i < width; i++)
            lines->partial[i] += weight * heights[i];
    }
}

/* The cells of one block, in its own rows of cells. */
static void add_cells(struct lines *lines, int32_t bx, int32_t by, int32_t first, int32_t end)
{
    const struct child leaf = tree_block(&lines->view->planes[PLANE_HEIGHTS], bx, by);
    const int32_t origin = lines->x >> CELL_LOG2;
    const int32_t most = ((lines->x + lines->width - 1) >> CELL_LOG2) + 1;
    const int32_t low = bx * BLOCK_CELLS > origin ? bx * BLOCK_CELLS : origin;
    const int32_t high = (bx + 1) * BLOCK_CELLS < most ? (bx + 1) * BLOCK_CELLS : most;

    for (int32_t k = low; k < high; k++) {
        double sum = (double)leaf.summary.least * CELL_SIDE * CELL_SIDE * (end - first);

        if (leaf.below) {
            const struct cell *cell = block_cells(leaf.below) + (k - bx * BLOCK_CELLS);

            sum = 0;
            for (int32_t row = first; row < end; row++)
                sum += cell[row * BLOCK_CELLS].sum;
        }
        lines->cells[k - origin] += sum;
    }
}

/* Rows top to bottom, block by block. */
static void sum_cells(struct lines *lines)
{
    const int32_t first = lines->x >> BLOCK_LOG2;
    const int32_t last = (lines->x + lines->width - 1) >> BLOCK_LOG2;

    memset(lines->cells, 0, ((size_t)lines->width / CELL_SIDE + 2) * sizeof *lines->cells);
    for (int32_t row = lines->top; row < lines->bottom;) {
        const int32_t by = row >> BLOCK_LOG2, below = (by + 1) << BLOCK_LOG2;
        const int32_t end = below < lines->bottom ? below : lines->bottom;

        for (int32_t bx = first; bx <= last; bx++)
            add_cells(lines, bx, by, (row & BLOCK_MASK) >> CELL_LOG2,
                      ((end - 1) & BLOCK_MASK) / CELL_SIDE + 1);
        row = end;
    }
}

/* The line's rows, split into those that fill cells and the rest. */
static void line_begin(struct lines *lines, const struct tile_stretch *y)
{
    lines->edge_cell = NO_CELL;
    lines->top = (y->first + CELL_SIDE) & -CELL_SIDE;
    lines->bottom = y->last & -CELL_SIDE;
    if (lines->top >= lines->bottom)
        lines->top = lines->bottom = y->last + 1;
    memset(lines->partial, 0, (size_t)lines->width * sizeof *lines->partial);
    add_slab(lines, y, y->first, lines->top);
    add_slab(lines, y, lines->bottom, y->last + 1);
    sum_cells(lines);
}

/* Columns of one cell over rows of one block. */
static void add_edge(struct lines *lines, struct child leaf, int32_t x, int32_t first, int32_t end)
{
    uint32_t sums[CELL_SIDE] = { 0 };

    for (int32_t row = first; leaf.below && row < end; row++) {
        const uint16_t *heights = block_heights(leaf.below) + row * BLOCK_SIDE + x;

        for (int32_t i = 0; i < CELL_SIDE; i++)
            sums[i] += heights[i];
    }
    for (int32_t i = 0; i < CELL_SIDE; i++)
        lines->edge[i] += leaf.below ? sums[i] : (double)leaf.summary.least * (end - first);
}

static const double *edge_of(struct lines *lines, int32_t cell)
{
    const int32_t x = cell << CELL_LOG2;

    if (lines->edge_cell == cell)
        return lines->edge;
    lines->edge_cell = cell;
    memset(lines->edge, 0, sizeof lines->edge);
    for (int32_t row = lines->top; row < lines->bottom;) {
        const int32_t by = row >> BLOCK_LOG2, below = (by + 1) << BLOCK_LOG2;
        const int32_t end = below < lines->bottom ? below : lines->bottom;

        add_edge(lines, tree_block(&lines->view->planes[PLANE_HEIGHTS], x >> BLOCK_LOG2, by),
                 x & BLOCK_MASK, row & BLOCK_MASK, ((end - 1) & BLOCK_MASK) + 1);
        row = end;
    }
    return lines->edge;
}

/* Four at a time: additions that need not wait for each other. */
static double sum_of(const double *numbers, int32_t count)
{
    double sums[4] = { 0 };
    int32_t i = 0;

    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            sums[k] += numbers[i + k];
    for (; i < count; i++)
        sums[0] += numbers[i];
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/* Columns first to last of numbers that begin at `from`, weighted as the stretch is where it ends.
 */
static double sum_weighted(const double *numbers, int32_t from, const struct tile_stretch *x,
                           int32_t first, int32_t last)
{
    double sum = sum_of(numbers + (first - from), last - first + 1);

    if (first == x->first)
        sum += (x->head - 1) * numbers[first - from];
    if (last == x->last && x->last > x->first)
        sum += (x->tail - 1) * numbers[last - from];
    return sum;
}

static double line_sum(struct lines *lines, const struct tile_stretch *x)
{
    const int32_t left = x->first >> CELL_LOG2, right = x->last >> CELL_LOG2;
    const int32_t origin = lines->x >> CELL_LOG2;
    const int32_t end = left == right ? x->last : left * CELL_SIDE + CELL_SIDE - 1;
    double sum = sum_weighted(lines->partial, lines->x, x, x->first, x->last);

    if (lines->top >= lines->bottom)
        return sum;
    sum += sum_weighted(edge_of(lines, left), left * CELL_SIDE, x, x->first, end);
    if (left == right)
        return sum;
    if (right > left + 1)
        sum += sum_of(lines->cells + (left + 1 - origin), right - left - 1);
    return sum +
           sum_weighted(edge_of(lines, right), right * CELL_SIDE, x, right * CELL_SIDE, x->last);
}

static void line_paint(struct lines *lines, const struct tile_canvas *canvas,
                       const struct tile_patch *patch, int32_t row)
{
    const struct grid *grid = canvas->grid;
    const struct rect pixels = patch->pixels;
    double *z = tile_canvas_row(canvas, pixels.x, row);
    double columns[2][TILE_ROW_MOST], rows[2][TILE_ROW_MOST];
    const double shift = patch->map->offset - 0.5;
    struct tile_stretch x, y;

    for (int32_t k = 0; k < 2; k++)
        tile_patch_row(patch, pixels.x + shift, row + k + shift, pixels.width + 1, columns[k],
                       rows[k]);
    if (!tile_footprint(canvas, 1, rows[0], rows[1], &y))
        return;
    line_begin(lines, &y);
    for (int32_t i = 0; i < pixels.width; i++)
        if (tile_footprint(canvas, 0, columns[0] + i, columns[1] + i, &x))
            z[i] = grid_metres(grid, line_sum(lines, &x) / (x.length * y.length));
}

bool tile_canvas_lines(struct tile_canvas *canvas, const struct tile_patch *patch,
                       struct fault *why)
{
    const struct rect region = tile_canvas_patch(canvas, patch);
    const struct rect pixels = patch->pixels;
    struct lines lines;
    bool done;

    if (rect_empty(region))
        return true;
    done = lines_init(&lines, canvas->view, region.x, region.width, why);
    for (int32_t y = pixels.y; done && y < pixels.y + pixels.height; y++)
        line_paint(&lines, canvas, patch, y);
    lines_fini(&lines);
    return done;
}

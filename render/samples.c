#include "render/samples.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/core/block.h"

static struct rect quads_of(const struct view *view)
{
    return (struct rect){ 0, 0, view_grid(view)->columns - 1, view_grid(view)->rows - 1 };
}

static int32_t clamp(int32_t value, int32_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

enum { BLOCK_CELLS_LOG2 = BLOCK_LOG2 - CELL_LOG2, AHEAD = 3 /* blocks */ };

/* Levels finer than the cells: from the vertices */

WIDE static void mean_twos(const uint16_t *north, const uint16_t *south, int32_t count,
                           uint16_t *means)
{
    for (int32_t i = 0; i < count; i++)
        means[i] =
            (uint16_t)((north[2 * i] + north[2 * i + 1] + south[2 * i] + south[2 * i + 1] + 2) / 4);
}

WIDE static void mean_fours(const uint16_t *rows, int64_t stride, int32_t count, uint16_t *means)
{
    for (int32_t i = 0; i < count; i++) {
        const uint16_t *at = rows + 4 * i;
        uint32_t sum = 8;

        for (int32_t y = 0; y < 4; y++, at += stride)
            sum += (uint32_t)at[0] + at[1] + at[2] + at[3];
        means[i] = (uint16_t)(sum / 16);
    }
}

enum { STRIP = 8 }; /* rows of samples read at once */

static bool from_vertices(const struct view *view, int32_t level, struct rect samples,
                          uint16_t *codes, int64_t stride)
{
    const struct rect from = samples_reach(level, samples);
    const int32_t step = 1 << level;
    uint16_t *strip = malloc(sizeof *strip * (size_t)from.width * (size_t)(step * STRIP));

    if (!strip)
        return false;
    for (int32_t row = 0; row < samples.height; row++) {
        const uint16_t *at = strip + (size_t)(row % STRIP * step) * (size_t)from.width;
        int32_t left = samples.height - row;

        if (row % STRIP == 0)
            view_read_around(view,
                             (struct rect){ from.x, from.y + row * step, from.width,
                                            step * (left < STRIP ? left : STRIP) },
                             strip, from.width);
        if (level == 1)
            mean_twos(at, at + from.width, samples.width, codes + row * stride);
        else
            mean_fours(at, from.width, samples.width, codes + row * stride);
    }
    free(strip);
    return true;
}

/* The others: from the sums of cells */

/* 64 times the mean height of a cell: its sum, or what that would be of a whole one. */
static uint32_t cell_sum(const struct view *view, int32_t cx, int32_t cy)
{
    const struct grid *grid = view_grid(view);
    struct child child =
        tree_block(&view->planes[PLANE_HEIGHTS], cx / BLOCK_CELLS, cy / BLOCK_CELLS);
    int32_t width = grid->columns - cx * CELL_SIDE, height = grid->rows - cy * CELL_SIDE;
    uint32_t sum;

    if (!child.below)
        return child.summary.least * 64u;
    sum = block_cells(child.below)[cy % BLOCK_CELLS * BLOCK_CELLS + cx % BLOCK_CELLS].sum;
    if (width >= CELL_SIDE && height >= CELL_SIDE)
        return sum;
    width = width < CELL_SIDE ? width : CELL_SIDE;
    height = height < CELL_SIDE ? height : CELL_SIDE;
    return (uint32_t)((uint64_t)sum * 64 / (uint32_t)(width * height));
}

/* Cells are added in grains: squares of so many a side, as many as a sample has, or a whole
 * block's.
 */

/* The sums of a row of a block's grains. */
WIDE static void add_cells(const struct cell *cells, int32_t grain, uint32_t *sums)
{
    uint32_t columns[BLOCK_CELLS] = { 0 };

    for (int32_t y = 0; y < grain; y++, cells += BLOCK_CELLS)
        for (int32_t x = 0; x < BLOCK_CELLS; x++)
            columns[x] += cells[x].sum;
    for (int32_t x = 0; x < BLOCK_CELLS; x++)
        sums[x / grain] = x % grain ? sums[x / grain] + columns[x] : columns[x];
}

/* A block's columns [first, stop) of grains, of all its rows, each to a row of `stride` sums. */
static void add_block(const struct child *leaf, int32_t grain, int32_t first, int32_t stop,
                      int64_t stride, uint32_t *sums)
{
    uint32_t row[BLOCK_CELLS];

    for (int32_t x = first; x < stop; x++)
        row[x] = leaf->summary.least * 64u * (uint32_t)(grain * grain);
    for (int32_t y = 0; y < BLOCK_CELLS; y += grain, sums += stride) {
        if (leaf->below)
            add_cells(block_cells(leaf->below) + y * BLOCK_CELLS, grain, row);
        memcpy(sums, row + first, sizeof *row * (size_t)(stop - first));
    }
}

/* A block's cells are looked at once, and lie anywhere: asked for early, all at the same time, they
 * do not have to be waited for one by one. */
static void ask_for(const struct child *leaf)
{
    const char *cells = leaf && leaf->below ? (const char *)block_cells(leaf->below) : NULL;

    for (size_t at = 0; cells && at < sizeof(struct cell) * BLOCK_CELLS * BLOCK_CELLS; at += 64)
        __builtin_prefetch(cells + at);
}

/* The sum of a grain at the landscape's border or beyond, where cells are the nearest on it. */
static uint32_t border_sum(const struct view *view, int32_t grain, int32_t cx, int32_t cy)
{
    const struct grid *grid = view_grid(view);
    const int32_t right = (grid->columns - 1) / CELL_SIDE, bottom = (grid->rows - 1) / CELL_SIDE;
    uint32_t sum = 0;

    for (int32_t y = cy; y < cy + grain; y++)
        for (int32_t x = cx; x < cx + grain; x++)
            sum += cell_sum(view, clamp(x, right), clamp(y, bottom));
    return sum;
}

/* The grains of a row of blocks, from the cell `first` on, `count` in each row. Block by block, as
 * a block's cells lie together. */
static void read_band(const struct view *view, int32_t band, int32_t grain, int32_t first,
                      int32_t count, uint32_t *sums)
{
    const struct grid *grid = view_grid(view);
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    const int32_t top = band * BLOCK_CELLS, grains = BLOCK_CELLS / grain;
    int32_t from = clamp(-first / grain, count);
    int32_t to = clamp((grid->columns / CELL_SIDE - first) / grain, count);

    /* The last row and column may be cut off by the border. */
    if (top < 0 || top + BLOCK_CELLS > grid->rows / CELL_SIDE || to < from)
        to = from;
    for (int32_t at = first / grain + from, end = first / grain + to; at < end;) {
        const int32_t block = at / grains, left = at % grains;
        const int32_t stop = (block + 1) * grains < end ? (block + 1) * grains : end;

        if ((block + AHEAD) * grains < end)
            ask_for(tree_leaf(tree, block + AHEAD, band));
        add_block(tree_leaf(tree, block, band), grain, left, left + stop - at, count,
                  sums + at - first / grain);
        at = stop;
    }
    for (int32_t y = top; y < top + BLOCK_CELLS; y += grain, sums += count)
        for (int32_t i = 0; i < count; i++)
            if (i < from || i >= to)
                sums[i] = border_sum(view, grain, first + i * grain, y);
}

/* Each run of `step` sums to one total. */
WIDE static void add_sums(const uint32_t *sums, int32_t count, int32_t step, uint64_t *totals)
{
    if (step == 1)
        for (int32_t i = 0; i < count; i++)
            totals[i] += sums[i];
    else
        for (int32_t i = 0; i < count; i++)
            for (int32_t x = 0; x < step; x++)
                totals[i] += sums[i * step + x];
}

static bool from_cells(const struct view *view, int32_t level, struct rect samples, uint16_t *codes,
                       int64_t stride)
{
    const int32_t step = 1 << (level - CELL_LOG2);
    const int32_t grain = step < BLOCK_CELLS ? step : BLOCK_CELLS, across = step / grain;
    const int shift = 2 * level; /* 64 vertices a cell */
    uint32_t *sums =
        malloc(sizeof *sums * (size_t)(samples.width * across) * (size_t)(BLOCK_CELLS / grain));
    uint64_t *totals = malloc(sizeof *totals * (size_t)samples.width);
    int32_t band = INT32_MIN;

    for (int32_t row = 0; sums && totals && row < samples.height; row++) {
        memset(totals, 0, sizeof *totals * (size_t)samples.width);
        for (int32_t cy = (samples.y + row) * step; cy < (samples.y + row + 1) * step;
             cy += grain) {
            if (cy >> BLOCK_CELLS_LOG2 != band)
                read_band(view, band = cy >> BLOCK_CELLS_LOG2, grain, samples.x * step,
                          samples.width * across, sums);
            add_sums(sums + (int64_t)((cy & (BLOCK_CELLS - 1)) / grain) * samples.width * across,
                     samples.width, across, totals);
        }
        for (int32_t i = 0; i < samples.width; i++)
            codes[row * stride + i] =
                (uint16_t)((totals[i] + (UINT64_C(1) << (shift - 1))) >> shift);
    }
    free(totals);
    free(sums);
    return band != INT32_MIN || samples.height == 0;
}

bool samples_heights(const struct view *view, int32_t level, struct rect samples, uint16_t *codes,
                     int64_t stride)
{
    if (level >= CELL_LOG2)
        return from_cells(view, level, samples, codes, stride);
    if (level > 0)
        return from_vertices(view, level, samples, codes, stride);
    view_read_around(view, samples, codes, stride);
    return true;
}

/* Holes */

/* How many of the block's quads that are holes fall into each sample. A block that has no bits of
 * its own is one value all over. */
static void count_block(const struct view *view, int32_t bx, int32_t by, int32_t level,
                        struct rect samples, int32_t *counts)
{
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    struct rect part = rect_meet(rect_meet(block, samples_reach(level, samples)), quads_of(view));
    struct child child = tree_block(&view->planes[PLANE_HOLES], bx, by);
    const uint64_t *bits = child.below ? block_bits(child.below) : NULL;

    if (!bits && !child.summary.least)
        return;
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        int32_t *row = counts + (int64_t)((y >> level) - samples.y) * samples.width;

        for (int32_t x = part.x; x < part.x + part.width; x++) {
            uint64_t word = bits ? bits[(y & BLOCK_MASK) * 2 + ((x & BLOCK_MASK) >> 6)] : 1;

            row[(x >> level) - samples.x] += bits ? (int32_t)(word >> (x & 63) & 1) : 1;
        }
    }
}

/* Quads that do not exist count as holes. */
static void count_outside(const struct view *view, int32_t level, struct rect samples,
                          int32_t *counts)
{
    const struct rect quads = quads_of(view);

    if (rect_inside(samples_reach(level, samples), quads))
        return;
    for (int32_t row = 0; row < samples.height; row++)
        for (int32_t i = 0; i < samples.width; i++) {
            struct rect one = { samples.x + i, samples.y + row, 1, 1 };
            struct rect square = samples_reach(level, one);

            counts[(int64_t)row * samples.width + i] +=
                (int32_t)(rect_area(square) - rect_area(rect_meet(square, quads)));
        }
}

bool samples_holes(const struct view *view, int32_t level, struct rect samples, uint8_t *holes,
                   int64_t stride)
{
    int32_t *counts = calloc((size_t)rect_area(samples), sizeof *counts);
    struct rect over = rect_meet(samples_reach(level, samples), quads_of(view));
    int64_t whole = (int64_t)1 << (2 * level);

    if (!counts)
        return false;
    count_outside(view, level, samples, counts);
    for (int32_t by = over.y >> BLOCK_LOG2; by <= (over.y + over.height - 1) >> BLOCK_LOG2; by++)
        for (int32_t bx = over.x >> BLOCK_LOG2; bx <= (over.x + over.width - 1) >> BLOCK_LOG2; bx++)
            count_block(view, bx, by, level, samples, counts);
    for (int32_t row = 0; row < samples.height; row++)
        for (int32_t i = 0; i < samples.width; i++)
            holes[row * stride + i] =
                (int64_t)counts[(int64_t)row * samples.width + i] * 2 >= whole;
    free(counts);
    return true;
}

bool samples_holed(const struct view *view, int32_t level, struct rect samples)
{
    struct rect from = samples_reach(level, samples);

    return !rect_inside(from, quads_of(view)) ||
           tree_bounds(&view->planes[PLANE_HOLES], from).greatest;
}

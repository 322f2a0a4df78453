#include "render/tile.h"

#include <stdlib.h>
#include <string.h>

#include "render/plane.h"
#include "terrain/core/block.h"

/* The vertices that a tile's samples stand for. */
static struct rect reach(int32_t level, int32_t x, int32_t y)
{
    int32_t step = 1 << level;

    return (struct rect){ (x * 128 - TILE_MARGIN) * step, (y * 128 - TILE_MARGIN) * step,
                          TILE_SIDE * step, TILE_SIDE * step };
}

struct tile_key tile_key(const struct view *view, int32_t level, int32_t x, int32_t y)
{
    struct rect over = rect_meet(reach(level, x, y), view_rect(view));
    uint64_t heights = tree_newest(&view->planes[PLANE_HEIGHTS], over);
    uint64_t holes = tree_newest(&view->planes[PLANE_HOLES], over);

    return (struct tile_key){ .incarnation = view->incarnation,
                              .newest = heights > holes ? heights : holes,
                              .level = level,
                              .x = x,
                              .y = y,
                              .plane = RENDER_PLANE_heights };
}

/* Means of squares of `step` vertices, for the levels below that of a block's cells. */
static bool make_from_vertices(const struct view *view, struct rect from, int32_t step,
                               uint16_t *texels)
{
    uint16_t *rows = malloc(sizeof *rows * (size_t)from.width * (size_t)step);

    if (!rows)
        return false;
    for (int32_t row = 0; row < TILE_SIDE; row++) {
        struct rect strip = { from.x, from.y + row * step, from.width, step };

        view_read_around(view, strip, rows, from.width);
        for (int32_t i = 0; i < TILE_SIDE; i++) {
            uint32_t sum = (uint32_t)(step * step / 2);

            for (int32_t y = 0; y < step; y++)
                for (int32_t x = 0; x < step; x++)
                    sum += rows[y * from.width + i * step + x];
            texels[row * TILE_SIDE + i] = (uint16_t)(sum / (uint32_t)(step * step));
        }
    }
    free(rows);
    return true;
}

static int32_t clamp(int32_t value, int32_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The mean height of a cell in 1/64 codes: its sum, or what that would be of a whole one. */
static uint32_t cell_mean(const struct view *view, int32_t cx, int32_t cy)
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

/* Means of squares of `step` cells. */
static void make_from_cells(const struct view *view, struct rect from, int32_t step,
                            uint16_t *texels)
{
    const struct grid *grid = view_grid(view);
    int32_t right = (grid->columns - 1) / CELL_SIDE, bottom = (grid->rows - 1) / CELL_SIDE;
    int32_t left = from.x / CELL_SIDE, top = from.y / CELL_SIDE;

    for (int32_t row = 0; row < TILE_SIDE; row++)
        for (int32_t i = 0; i < TILE_SIDE; i++) {
            uint64_t sum = 0, count = 64u * (uint64_t)step * (uint64_t)step;

            for (int32_t y = 0; y < step; y++)
                for (int32_t x = 0; x < step; x++)
                    sum += cell_mean(view, clamp(left + i * step + x, right),
                                     clamp(top + row * step + y, bottom));
            texels[row * TILE_SIDE + i] = (uint16_t)((sum + count / 2) / count);
        }
}

/* How many of the block's quads that are holes fall into each of the tile's. A block that has no
 * bits of its own is one value all over. */
static void count_block(const struct view *view, int32_t bx, int32_t by, struct rect from,
                        int32_t level, int32_t *counts)
{
    const struct grid *grid = view_grid(view);
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    struct rect quads = { 0, 0, grid->columns - 1, grid->rows - 1 };
    struct rect part = rect_meet(rect_meet(block, from), quads);
    struct child child = tree_block(&view->planes[PLANE_HOLES], bx, by);
    const uint64_t *bits = child.below ? block_bits(child.below) : NULL;

    if (!bits && !child.summary.least)
        return;
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        int32_t *row = counts + ((y - from.y) >> level) * TILE_SIDE;

        for (int32_t x = part.x; x < part.x + part.width; x++) {
            uint64_t word = bits ? bits[(y & BLOCK_MASK) * 2 + ((x & BLOCK_MASK) >> 6)] : 1;

            row[(x - from.x) >> level] += bits ? (int32_t)(word >> (x & 63) & 1) : 1;
        }
    }
}

/* Quads that do not exist count as holes: those beyond the last row and column, and before the
 * first. */
static void count_outside(const struct view *view, struct rect from, int32_t level, int32_t *counts)
{
    const struct grid *grid = view_grid(view);
    struct rect quads = { 0, 0, grid->columns - 1, grid->rows - 1 };
    int32_t step = 1 << level;

    if (rect_inside(from, quads))
        return;
    for (int32_t row = 0; row < TILE_SIDE; row++)
        for (int32_t i = 0; i < TILE_SIDE; i++) {
            struct rect square = { from.x + i * step, from.y + row * step, step, step };

            counts[row * TILE_SIDE + i] +=
                (int32_t)(rect_area(square) - rect_area(rect_meet(square, quads)));
        }
}

static bool make_holes(const struct view *view, struct rect from, int32_t level, uint16_t *words)
{
    int32_t *counts = calloc(TILE_SIDE * TILE_SIDE, sizeof *counts);
    struct rect over = rect_meet(from, view_rect(view));
    int64_t whole = (int64_t)1 << (2 * level);

    if (!counts)
        return false;
    count_outside(view, from, level, counts);
    for (int32_t by = over.y >> BLOCK_LOG2; by <= (over.y + over.height - 1) >> BLOCK_LOG2; by++)
        for (int32_t bx = over.x >> BLOCK_LOG2; bx <= (over.x + over.width - 1) >> BLOCK_LOG2; bx++)
            count_block(view, bx, by, from, level, counts);
    memset(words, 0, sizeof *words * TILE_HOLE_WORDS * TILE_SIDE);
    for (int32_t row = 0; row < TILE_SIDE; row++)
        for (int32_t i = 0; i < TILE_SIDE; i++)
            if ((int64_t)counts[row * TILE_SIDE + i] * 2 >= whole)
                words[i / 16 * TILE_SIDE + row] |= (uint16_t)(1u << i % 16);
    free(counts);
    return true;
}

static bool may_have_holes(const struct view *view, int32_t level, int32_t x, int32_t y)
{
    struct rect from = reach(level, x, y);

    return !rect_inside(from, (struct rect){ 0, 0, view_grid(view)->columns - 1,
                                             view_grid(view)->rows - 1 }) ||
           tree_bounds(&view->planes[PLANE_HOLES], from).greatest;
}

bool tile_make(const struct view *view, int32_t level, int32_t x, int32_t y, uint16_t *texels)
{
    struct rect from = reach(level, x, y);

    if (level < CELL_LOG2) {
        if (!make_from_vertices(view, from, 1 << level, texels))
            return false;
    } else {
        make_from_cells(view, from, 1 << (level - CELL_LOG2), texels);
    }
    if (!may_have_holes(view, level, x, y)) {
        memset(texels + TILE_SIDE * TILE_SIDE, 0, TILE_BYTES - 2 * TILE_SIDE * TILE_SIDE);
        return true;
    }
    return make_holes(view, from, level, texels + TILE_SIDE * TILE_SIDE);
}

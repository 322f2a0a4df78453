#include "terrain/core/block.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

enum { CELLS_BYTES = sizeof(struct cell) * BLOCK_CELLS * BLOCK_CELLS };

static const struct {
    const char *name;
    int bits;
} planes[PLANE_COUNT] = {
#define PLANE(name, bits) [PLANE_##name] = { #name, bits },
#include "terrain/core/planes.def"
#undef PLANE
};

static _Atomic uint64_t identities = 1;

int plane_bits(enum plane plane)
{
    return planes[plane].bits;
}

const char *plane_name(enum plane plane)
{
    static const char *const names[PLANE_COUNT] = {
        [PLANE_HEIGHTS] = "heights", [PLANE_HOLES] = "holes", [PLANE_WEIGHTS] = "weights"
    };

    return names[plane];
}

size_t plane_block_bytes(enum plane plane)
{
    return (size_t)BLOCK_VERTICES / 8 * (size_t)planes[plane].bits;
}

static size_t cells_bytes(enum plane plane)
{
    return plane == PLANE_HEIGHTS ? CELLS_BYTES : 0;
}

static struct block *block_raw(enum plane plane)
{
    size_t size = sizeof(struct block) + cells_bytes(plane) + plane_block_bytes(plane);
    struct block *block = aligned_alloc(_Alignof(struct block), size);

    if (!block)
        return NULL;
    atomic_init(&block->holders, 1);
    block->plane = plane;
    block->identity = atomic_fetch_add_explicit(&identities, 1, memory_order_relaxed);
    return block;
}

static void *block_start(struct block *block)
{
    return block->content + cells_bytes(block->plane);
}

struct block *block_new(enum plane plane, uint16_t fill)
{
    struct block *block = block_raw(plane);

    if (!block)
        return NULL;
    if (plane == PLANE_HEIGHTS) {
        uint16_t *heights = block_start(block);

        memset(block->content, 0, CELLS_BYTES);
        for (int32_t i = 0; i < BLOCK_VERTICES; i++)
            heights[i] = fill;
    } else {
        memset(block_start(block),
               plane == PLANE_WEIGHTS ? fill
               : fill                 ? 0xff
                                      : 0,
               plane_block_bytes(plane));
    }
    return block;
}

struct block *block_copy(const struct block *block)
{
    struct block *copy = block_raw(block->plane);

    if (copy)
        memcpy(copy->content, block->content,
               cells_bytes(block->plane) + plane_block_bytes(block->plane));
    return copy;
}

struct block *block_hold(const struct block *block)
{
    struct block *held = (struct block *)(uintptr_t)block;

    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

void block_drop(struct block *block)
{
    if (block && atomic_fetch_sub_explicit(&block->holders, 1, memory_order_acq_rel) == 1)
        free(block);
}

const void *block_values(const struct block *block)
{
    return block->content + cells_bytes(block->plane);
}

uint16_t block_value(const struct block *block, int32_t x, int32_t y)
{
    if (block->plane == PLANE_HEIGHTS)
        return block_heights(block)[y * BLOCK_SIDE + x];
    if (block->plane == PLANE_WEIGHTS)
        return block_weights(block)[y * BLOCK_SIDE + x];
    return block_bits(block)[y * 2 + (x >> 6)] >> (x & 63) & 1;
}

void *block_writable(struct block *block)
{
    return block_start(block);
}

/* The columns of one row of whole cells, each summed up over the rows. */
struct columns {
    uint16_t least[BLOCK_SIDE], greatest[BLOCK_SIDE];
    uint32_t sum[BLOCK_SIDE];
};

WIDE static void columns_sum(const uint16_t *heights, int32_t width, struct columns *columns)
{
    for (int32_t x = 0; x < width; x++) {
        columns->least[x] = columns->greatest[x] = heights[x];
        columns->sum[x] = heights[x];
    }
    for (int32_t y = 1; y < CELL_SIDE; y++) {
        const uint16_t *row = heights + y * BLOCK_SIDE;

        for (int32_t x = 0; x < width; x++)
            columns->least[x] = row[x] < columns->least[x] ? row[x] : columns->least[x];
        for (int32_t x = 0; x < width; x++)
            columns->greatest[x] = row[x] > columns->greatest[x] ? row[x] : columns->greatest[x];
        for (int32_t x = 0; x < width; x++)
            columns->sum[x] += row[x];
    }
}

static struct cell cell_whole(const struct columns *columns, int32_t x)
{
    struct cell cell = { UINT16_MAX, 0, 0 };

    for (int32_t end = x + CELL_SIDE; x < end; x++) {
        cell.least = columns->least[x] < cell.least ? columns->least[x] : cell.least;
        cell.greatest = columns->greatest[x] > cell.greatest ? columns->greatest[x] : cell.greatest;
        cell.sum += columns->sum[x];
    }
    return cell;
}

static struct cell cell_part(const uint16_t *heights, int32_t width, int32_t height)
{
    struct cell cell = { UINT16_MAX, 0, 0 };

    for (int32_t y = 0; y < height; y++, heights += BLOCK_SIDE) {
        for (int32_t x = 0; x < width; x++) {
            cell.least = heights[x] < cell.least ? heights[x] : cell.least;
            cell.greatest = heights[x] > cell.greatest ? heights[x] : cell.greatest;
            cell.sum += heights[x];
        }
    }
    return cell;
}

static int32_t within_cell(int32_t rest)
{
    return rest < 0 ? 0 : rest < CELL_SIDE ? rest : CELL_SIDE;
}

/* Cells [first, end) of row j; `valid` counts from the block's north-west. */
static void cells_sum(struct block *block, int32_t j, int32_t first, int32_t end, struct rect valid)
{
    struct cell *cells = (struct cell *)block->content + j * BLOCK_CELLS;
    const uint16_t *heights = block_heights(block) + j * CELL_SIDE * BLOCK_SIDE;
    int32_t height = within_cell(valid.height - j * CELL_SIDE);
    int32_t whole = height == CELL_SIDE ? valid.width / CELL_SIDE : 0;
    struct columns columns;

    whole = whole < end ? whole : end;
    if (whole > first)
        columns_sum(heights + first * CELL_SIDE, (whole - first) * CELL_SIDE, &columns);
    for (int32_t i = first; i < end; i++)
        cells[i] = i < whole ? cell_whole(&columns, (i - first) * CELL_SIDE)
                             : cell_part(heights + i * CELL_SIDE,
                                         within_cell(valid.width - i * CELL_SIDE), height);
}

void block_sum(struct block *block, struct rect changed, struct rect valid)
{
    int32_t first = changed.x >> CELL_LOG2;
    int32_t end = ((changed.x + changed.width - 1) >> CELL_LOG2) + 1;

    if (block->plane != PLANE_HEIGHTS || rect_empty(changed))
        return;
    for (int32_t j = changed.y >> CELL_LOG2; j <= (changed.y + changed.height - 1) >> CELL_LOG2;
         j++)
        cells_sum(block, j, first, end, valid);
}

/* A block: a square of 128 x 128 vertices of one plane, the unit of storage.
 *
 * Blocks do not overlap, so each vertex is stored once and a seam cannot exist.
 * A block is counted and, once its draft has been published, never changes.
 * Blocks at the far edges hold vertices beyond the landscape, which repeat
 * nothing and mean nothing: they stay zero and are left out of every summary.
 * Any thread may read a published block.
 */
#ifndef TERRAIN_CORE_BLOCK_H
#define TERRAIN_CORE_BLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/rect.h"

enum {
    BLOCK_LOG2 = 7,
    BLOCK_SIDE = 1 << BLOCK_LOG2,
    BLOCK_MASK = BLOCK_SIDE - 1,
    BLOCK_VERTICES = BLOCK_SIDE * BLOCK_SIDE,
    CELL_LOG2 = 3, /* cells of 8 x 8 vertices carry the block's summaries */
    CELL_SIDE = 1 << CELL_LOG2,
    BLOCK_CELLS = BLOCK_SIDE / CELL_SIDE /* a side */
};

enum plane {
#define PLANE(name, bits) PLANE_##name,
#include "terrain/core/planes.def"
#undef PLANE
    PLANE_COUNT
};

int plane_bits(enum plane plane);           /* a vertex: 1, 8 or 16 */
const char *plane_name(enum plane plane);   /* "heights" */
size_t plane_block_bytes(enum plane plane); /* of one block's values */

/* What 8 x 8 heights come to; vertices beyond the landscape do not count. */
struct cell {
    uint16_t least, greatest;
    uint32_t sum;
};

struct block {
    _Atomic uint32_t holders;
    enum plane plane;
    uint64_t identity; /* never used twice in a process: the key of textures and the like */
    /* then, for heights only, the cells; then the values */
    _Alignas(64) unsigned char content[];
};

/* A block with one holder, filled with one value, cells not yet summed; NULL when memory is out. */
struct block *block_new(enum plane plane, uint16_t fill);
struct block *block_copy(const struct block *block); /* with an identity of its own */
struct block *block_hold(const struct block *block);
void block_drop(struct block *block);

static inline const struct cell *block_cells(const struct block *block)
{
    return (const struct cell *)block->content;
}

static inline const uint16_t *block_heights(const struct block *block)
{
    return (const uint16_t *)(block->content + sizeof(struct cell) * BLOCK_CELLS * BLOCK_CELLS);
}

/* 1-bit rows: vertex (x, y) is bit x & 63 of word y * 2 + (x >> 6). */
static inline const uint64_t *block_bits(const struct block *block)
{
    return (const uint64_t *)block->content;
}

static inline const uint8_t *block_weights(const struct block *block)
{
    return block->content;
}

/* The values of any plane, plane_block_bytes of them. */
const void *block_values(const struct block *block);

/* One value at (x, y) in 0..127. */
uint16_t block_value(const struct block *block, int32_t x, int32_t y);

/* For drafts, on blocks that nobody else holds yet: the values to write to, and the
 * cells that the rectangle touches summed again, `valid` being the block's part that
 * lies on the landscape (in the block's own coordinates). */
void *block_writable(struct block *block);
void block_sum(struct block *block, struct rect changed, struct rect valid);

#endif

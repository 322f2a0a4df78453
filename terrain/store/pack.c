#include "terrain/store/pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "terrain/base/wide.h"

enum { BUFFER_KEPT = 1 << 20 };

/* The first byte of a packed block. */
enum form { PACKED_FLAT, PACKED_PLAIN, PACKED_GRADIENT };

struct packer {
    ZSTD_CCtx *shut;
    ZSTD_DCtx *open;
    struct bytes buffers[PACKER_BUFFERS];
    unsigned char split[BLOCK_VERTICES * 2]; /* low bytes, then high bytes, of residuals */
};

/* Small tables stay in the cache, and short matches cost more time than they save bytes. */
static bool set_up(struct packer *packer)
{
    static const struct {
        ZSTD_cParameter parameter;
        int value;
    } set[] = {
        { ZSTD_c_strategy, ZSTD_dfast },
        { ZSTD_c_hashLog, 14 },
        { ZSTD_c_chainLog, 14 },
        { ZSTD_c_minMatch, 6 },
    };

    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (ZSTD_isError(ZSTD_CCtx_setParameter(packer->shut, set[i].parameter, set[i].value)))
            return false;
    return true;
}

struct packer *packer_new(struct fault *why)
{
    struct packer *packer = calloc(1, sizeof *packer);

    if (packer) {
        packer->shut = ZSTD_createCCtx();
        packer->open = ZSTD_createDCtx();
    }
    if (!packer || !packer->shut || !packer->open || !set_up(packer)) {
        packer_free(packer);
        fault_set(why, FAULT_MEMORY, "no memory to pack or unpack blocks");
        return NULL;
    }
    return packer;
}

void packer_free(struct packer *packer)
{
    if (!packer)
        return;
    ZSTD_freeCCtx(packer->shut);
    ZSTD_freeDCtx(packer->open);
    for (int i = 0; i < PACKER_BUFFERS; i++)
        bytes_free(&packer->buffers[i]);
    free(packer);
}

struct bytes *packer_bytes(struct packer *packer, enum packer_buffer which)
{
    return &packer->buffers[which];
}

void packer_tidy(struct packer *packer)
{
    for (int i = 0; i < PACKER_BUFFERS; i++) {
        packer->buffers[i].length = 0;
        if (packer->buffers[i].room > BUFFER_KEPT)
            bytes_free(&packer->buffers[i]);
    }
}

static bool squeeze(struct packer *packer, const void *data, size_t length, struct bytes *to,
                    struct fault *why)
{
    size_t got;

    if (!bytes_reserve(to, ZSTD_compressBound(length), why))
        return false;
    got = ZSTD_compress2(packer->shut, to->data + to->length, to->room - to->length, data, length);
    if (ZSTD_isError(got))
        return fault_set(why, FAULT_MEMORY, "packing %zu bytes: %s", length,
                         ZSTD_getErrorName(got));
    to->length += got;
    return true;
}

static bool unsqueeze(struct packer *packer, const void *packed, size_t packed_length, void *data,
                      size_t length, struct fault *why)
{
    size_t got = ZSTD_decompressDCtx(packer->open, data, length, packed, packed_length);

    if (ZSTD_isError(got))
        return fault_set(why, FAULT_STORAGE, "packed bytes cannot be opened: %s",
                         ZSTD_getErrorName(got));
    if (got != length)
        return fault_set(why, FAULT_STORAGE, "packed bytes open to %zu bytes where %zu belong", got,
                         length);
    return true;
}

/* Near zero from both sides becomes near zero from above. */
static inline uint16_t fold(uint16_t step)
{
    return (uint16_t)(step << 1 ^ (step & 0x8000 ? 0xffff : 0));
}

static inline uint16_t unfold(uint16_t folded)
{
    return (uint16_t)(folded >> 1 ^ (folded & 1 ? 0xffff : 0));
}

static inline uint16_t pair_at(const unsigned char *data, size_t i)
{
    return (uint16_t)(data[2 * i] | data[2 * i + 1] << 8);
}

WIDE static void split_steps(const unsigned char *restrict data, size_t pairs,
                             unsigned char *restrict low, unsigned char *restrict high)
{
    if (pairs == 0)
        return;
    low[0] = (unsigned char)fold(pair_at(data, 0));
    high[0] = (unsigned char)(fold(pair_at(data, 0)) >> 8);
    for (size_t i = 1; i < pairs; i++) {
        uint16_t folded = fold((uint16_t)(pair_at(data, i) - pair_at(data, i - 1)));

        low[i] = (unsigned char)folded;
        high[i] = (unsigned char)(folded >> 8);
    }
}

static void join_steps(const unsigned char *low, const unsigned char *high, size_t pairs,
                       unsigned char *data)
{
    uint16_t value = 0;

    for (size_t i = 0; i < pairs; i++) {
        value = (uint16_t)(value + unfold((uint16_t)(low[i] | high[i] << 8)));
        data[2 * i] = (unsigned char)value;
        data[2 * i + 1] = (unsigned char)(value >> 8);
    }
}

static bool reserve_split(struct packer *packer, size_t length, struct fault *why)
{
    struct bytes *split = packer_bytes(packer, PACKER_SPLIT);

    split->length = 0;
    return bytes_reserve(split, length + 1, why);
}

bool packer_shut(struct packer *packer, const void *data, size_t length, struct bytes *to,
                 struct fault *why)
{
    size_t pairs = length / 2;
    unsigned char *split;

    if (!reserve_split(packer, length, why))
        return false;
    split = packer_bytes(packer, PACKER_SPLIT)->data;
    split_steps(data, pairs, split, split + pairs);
    if (length % 2)
        split[length - 1] = ((const unsigned char *)data)[length - 1];
    return squeeze(packer, split, length, to, why);
}

bool packer_open(struct packer *packer, const void *packed, size_t packed_length, void *data,
                 size_t length, struct fault *why)
{
    size_t pairs = length / 2;
    unsigned char *split;

    if (!reserve_split(packer, length, why))
        return false;
    split = packer_bytes(packer, PACKER_SPLIT)->data;
    if (!unsqueeze(packer, packed, packed_length, split, length, why))
        return false;
    join_steps(split, split + pairs, pairs, data);
    if (length % 2)
        ((unsigned char *)data)[length - 1] = split[length - 1];
    return true;
}

/* Smooth ground leaves residuals near zero, whose high bytes are nearly all the same. */
static void split_residuals(const uint16_t *values, unsigned char *split)
{
    static const uint16_t none[BLOCK_SIDE];
    const uint16_t *north = none;

    for (int32_t y = 0; y < BLOCK_SIDE; y++, north = values, values += BLOCK_SIDE) {
        unsigned char *low = split + y * BLOCK_SIDE, *high = low + BLOCK_VERTICES;
        uint16_t west = 0;

        for (int32_t x = 0; x < BLOCK_SIDE; x++) {
            uint16_t step = (uint16_t)(values[x] - north[x]);
            uint16_t folded = fold((uint16_t)(step - west));

            west = step;
            low[x] = (unsigned char)folded;
            high[x] = (unsigned char)(folded >> 8);
        }
    }
}

static void join_residuals(const unsigned char *split, uint16_t *values)
{
    static const uint16_t none[BLOCK_SIDE];
    const uint16_t *north = none;

    for (int32_t y = 0; y < BLOCK_SIDE; y++, north = values, values += BLOCK_SIDE) {
        const unsigned char *low = split + y * BLOCK_SIDE, *high = low + BLOCK_VERTICES;
        uint16_t step = 0;

        for (int32_t x = 0; x < BLOCK_SIDE; x++) {
            uint16_t folded = (uint16_t)(low[x] | high[x] << 8);

            step = (uint16_t)(step + unfold(folded));
            values[x] = (uint16_t)(north[x] + step);
        }
    }
}

bool packer_shut_block(struct packer *packer, enum plane plane, struct child child,
                       struct bytes *to, struct fault *why)
{
    unsigned char head[3] = { PACKED_FLAT };
    const struct block *block = child.below;

    if (!block) {
        head[1] = (unsigned char)child.summary.least;
        head[2] = (unsigned char)(child.summary.least >> 8);
        return bytes_add(to, head, 3, why);
    }
    if (plane_bits(plane) != 16) {
        head[0] = PACKED_PLAIN;
        return bytes_add(to, head, 1, why) &&
               squeeze(packer, block_values(block), plane_block_bytes(plane), to, why);
    }
    head[0] = PACKED_GRADIENT;
    split_residuals(block_values(block), packer->split);
    return bytes_add(to, head, 1, why) &&
           squeeze(packer, packer->split, sizeof packer->split, to, why);
}

static void clear_beyond(struct block *block, struct rect valid)
{
    unsigned char *values = block_writable(block);
    int32_t bits = plane_bits(block->plane), row = BLOCK_SIDE * bits / 8;

    for (int32_t y = 0; y < BLOCK_SIDE; y++) {
        unsigned char *here = values + (size_t)y * row;

        if (y >= valid.height) {
            memset(here, 0, (size_t)row);
        } else if (bits == 1) {
            for (int32_t x = valid.width; x < BLOCK_SIDE; x++)
                ((uint64_t *)(void *)here)[x >> 6] &= ~(1ull << (x & 63));
        } else {
            memset(here + valid.width * bits / 8, 0, (size_t)(BLOCK_SIDE - valid.width) * bits / 8);
        }
    }
}

/* The values of a block whose form is one of the two that have any. */
static bool open_values(struct packer *packer, enum form form, const void *packed,
                        size_t packed_length, struct block *block, struct fault *why)
{
    if (form == PACKED_PLAIN)
        return unsqueeze(packer, packed, packed_length, block_writable(block),
                         plane_block_bytes(block->plane), why);
    if (!unsqueeze(packer, packed, packed_length, packer->split, sizeof packer->split, why))
        return false;
    join_residuals(packer->split, block_writable(block));
    return true;
}

bool packer_open_block(struct packer *packer, enum plane plane, struct rect valid,
                       const void *packed, size_t packed_length, struct block **block,
                       uint16_t *flat, struct fault *why)
{
    const unsigned char *head = packed;
    bool wide = plane_bits(plane) == 16;

    *block = NULL;
    if (packed_length == 3 && head[0] == PACKED_FLAT) {
        *flat = (uint16_t)(head[1] | head[2] << 8);
        if (*flat >> plane_bits(plane))
            return fault_set(why, FAULT_STORAGE, "%d is no value of %s", *flat, plane_name(plane));
        return true;
    }
    if (packed_length < 2 || head[0] != (wide ? PACKED_GRADIENT : PACKED_PLAIN))
        return fault_set(why, FAULT_STORAGE, "these %zu bytes are no block of %s", packed_length,
                         plane_name(plane));
    *block = block_new(plane, 0);
    if (!*block)
        return fault_set(why, FAULT_MEMORY, "no memory for a block of %s", plane_name(plane));
    if (!open_values(packer, head[0], head + 1, packed_length - 1, *block, why)) {
        block_drop(*block);
        *block = NULL;
        return false;
    }
    if (valid.width < BLOCK_SIDE || valid.height < BLOCK_SIDE)
        clear_beyond(*block, valid);
    block_sum(*block, valid, valid);
    return true;
}

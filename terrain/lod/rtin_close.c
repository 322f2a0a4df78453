#include "terrain/lod/rtin_inside.h"

#include <stdlib.h>

/* Along a border, what either side has counts for both, and so for all that is needed for it: which
 * may lie on another border, and go on beyond that. It grows sparsely, so that only what grew is
 * kept of the maps around the middle one. */
struct raised {
    uint32_t key; /* the map's number and the vertex's, + 1; 0 is free */
    int16_t error;
};

enum { ROOM_LEAST = 1 << 12, KEY_MAP = 24 };

struct closing {
    const struct rtin_map *const *around;
    int32_t n;
    int16_t *middle;
    struct raised *raised;
    size_t count, mask;
    bool failed; /* memory is out */
};

static struct raised *find(const struct closing *closing, uint32_t key)
{
    size_t slot = key * 0x9e3779b1u >> 7 & closing->mask;

    while (closing->raised[slot].key && closing->raised[slot].key != key)
        slot = (slot + 1) & closing->mask;
    return &closing->raised[slot];
}

static bool grow(struct closing *closing)
{
    struct closing larger = *closing;

    larger.mask = closing->mask * 2 + 1;
    larger.raised = calloc(larger.mask + 1, sizeof *larger.raised);
    if (!larger.raised)
        return false;
    for (size_t i = 0; i <= closing->mask; i++)
        if (closing->raised[i].key)
            *find(&larger, closing->raised[i].key) = closing->raised[i];
    free(closing->raised);
    *closing = larger;
    return true;
}

/* Whether the vertex's error, in that map, was less. */
static bool raise_in(struct closing *closing, int32_t map, int32_t vertex, int16_t error)
{
    struct raised *there;

    if (map == 4) {
        if (closing->middle[vertex] >= error)
            return false;
        closing->middle[vertex] = error;
        return true;
    }
    if (closing->around[map]->errors[vertex] >= error)
        return false;
    there = find(closing, ((uint32_t)map << KEY_MAP) + (uint32_t)vertex + 1);
    if (there->key && there->error >= error)
        return false;
    if (!there->key) {
        closing->count++;
        there->key = ((uint32_t)map << KEY_MAP) + (uint32_t)vertex + 1;
    }
    there->error = error;
    if (closing->count * 2 > closing->mask && !grow(closing))
        closing->failed = true;
    return !closing->failed;
}

static void raise_all(struct closing *closing, int32_t x, int32_t y, int16_t error);

/* What the vertex needs within map (i, j); coordinates are those of all nine. */
static void climb(struct closing *closing, int32_t i, int32_t j, int32_t x, int32_t y,
                  int16_t error);

static void raise(struct closing *closing, int32_t i, int32_t j, int32_t x, int32_t y,
                  int16_t error)
{
    const int32_t n = closing->n, map = j * 3 + i;

    if (closing->around[map] && raise_in(closing, map, (y - j * n) * (n + 1) + x - i * n, error))
        climb(closing, i, j, x, y, error);
}

/* In every map that has the vertex: beyond the nine nothing matters to the middle one. */
static void raise_all(struct closing *closing, int32_t x, int32_t y, int16_t error)
{
    const int32_t n = closing->n, i = x / n, j = y / n;
    const bool west = x % n == 0, north = y % n == 0;

    for (int32_t map_j = north && j > 0 ? j - 1 : j; map_j <= j && map_j < 3; map_j++)
        for (int32_t map_i = west && i > 0 ? i - 1 : i; map_i <= i && map_i < 3; map_i++)
            raise(closing, map_i, map_j, x, y, error);
}

static void raise_needed(struct closing *closing, int32_t i, int32_t j, int32_t x, int32_t y,
                         int16_t error)
{
    const int32_t n = closing->n;

    if (x >= i * n && y >= j * n && x <= (i + 1) * n && y <= (j + 1) * n)
        raise_all(closing, x, y, error);
}

static void climb(struct closing *closing, int32_t i, int32_t j, int32_t x, int32_t y,
                  int16_t error)
{
    const int32_t bits = x | y, half = bits & -bits;

    if (!(x & half)) {
        raise_needed(closing, i, j, x - half, y, error);
        raise_needed(closing, i, j, x + half, y, error);
    } else if (!(y & half)) {
        raise_needed(closing, i, j, x, y - half, error);
        raise_needed(closing, i, j, x, y + half, error);
    } else if (2 * half < closing->n) {
        const int32_t turned = ((x - half) ^ (y - half)) & (2 * half) ? half : -half;

        raise_needed(closing, i, j, x - turned, y - half, error);
        raise_needed(closing, i, j, x + turned, y + half, error);
    }
}

/* The border between maps a and b, from (x, y) on. */
static void share(struct closing *closing, int32_t a, int32_t b, int32_t x, int32_t y, bool down)
{
    const struct rtin_map *const one = closing->around[a], *const other = closing->around[b];
    const int32_t n = closing->n, row = n + 1;
    const int32_t step = down ? row : 1, first = down ? n : n * row;

    if (!one || !other)
        return;
    for (int32_t k = 1; k < n; k++) {
        const int16_t here = one->errors[first + k * step], there = other->errors[k * step];
        const int32_t at[2] = { down ? x : x + k, down ? y + k : y };

        if (here > there)
            raise(closing, b % 3, b / 3, at[0], at[1], here);
        else if (there > here)
            raise(closing, a % 3, a / 3, at[0], at[1], there);
    }
}

static void share_borders(struct closing *closing)
{
    const int32_t n = closing->n;

    for (int32_t j = 0; j < 3; j++)
        for (int32_t i = 0; i < 3; i++) {
            if (i < 2)
                share(closing, j * 3 + i, j * 3 + i + 1, (i + 1) * n, j * n, true);
            if (j < 2)
                share(closing, j * 3 + i, (j + 1) * 3 + i, i * n, (j + 1) * n, false);
        }
}

struct rtin_map *rtin_close(const struct rtin_map *const around[9], struct fault *why)
{
    const struct rtin_map *own = around[4];
    const int32_t n = 1 << own->log2;
    struct rtin_map *closed = rtin_closed_new(own, why);
    struct closing closing = { around, n, NULL, NULL, 0, ROOM_LEAST - 1, false };

    if (!closed)
        return NULL;
    closing.middle = closed->errors;
    closing.raised = calloc(ROOM_LEAST, sizeof *closing.raised);
    closing.failed = !closing.raised;
    if (!closing.failed)
        share_borders(&closing);
    free(closing.raised);
    if (closing.failed) {
        fault_set(why, FAULT_MEMORY, "no memory to close an error map of %d quads a side", n);
        derived_drop(&closed->derived);
        return NULL;
    }
    return closed;
}

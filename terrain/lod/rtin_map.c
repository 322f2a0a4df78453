#include "terrain/lod/rtin_inside.h"

#include <stdlib.h>

static void free_map(struct derived *thing)
{
    struct rtin_map *map = (struct rtin_map *)thing;

    if (map->of)
        derived_drop(&map->of->derived);
    free(map);
}

/* Arrays follow the struct in the same piece of memory. */
static void *take(char **end, size_t bytes)
{
    void *taken = *end;

    *end += (bytes + 15) & ~(size_t)15;
    return taken;
}

static struct rtin_map *map_new(int32_t log2, size_t bytes, struct fault *why)
{
    const size_t n = (size_t)1 << log2, head = (sizeof(struct rtin_map) + 15) & ~(size_t)15;
    const size_t errors = (n + 1) * (n + 1) * sizeof(int16_t);
    struct rtin_map *map = calloc(1, head + errors + 16 + bytes);

    if (!map) {
        fault_set(why, FAULT_MEMORY, "no memory for an error map of %zu quads a side", n);
        return NULL;
    }
    atomic_init(&map->derived.holders, 1);
    map->derived.bytes = head + errors + 16 + bytes;
    map->derived.free = free_map;
    map->log2 = log2;
    map->errors = (int16_t *)((char *)map + head);
    return map;
}

struct rtin_map *rtin_own_new(int32_t log2, bool of_codes, bool with_quads, struct fault *why)
{
    const size_t n = (size_t)1 << log2, vertices = (n + 1) * (n + 1), quads = n * n;
    const size_t sample = of_codes ? sizeof(uint16_t) : sizeof(double);
    struct rtin_map *map =
        map_new(log2, quads * (sizeof(int16_t) + with_quads) + vertices * sample + 64, why);
    char *end = map ? (char *)map->errors : NULL;

    if (!map)
        return NULL;
    take(&end, vertices * sizeof(int16_t));
    map->rest = take(&end, quads * sizeof(int16_t));
    if (of_codes)
        map->codes = take(&end, vertices * sizeof(uint16_t));
    else
        map->metres = take(&end, vertices * sizeof(double));
    map->quads = with_quads ? take(&end, quads) : NULL;
    return map;
}

static void raise_to(int16_t *most, int16_t error)
{
    if (error > *most)
        *most = error;
}

/* Every vertex has at least what those have that it is needed for, finest first. */
static void gather(int16_t *errors, int32_t n)
{
    const int32_t row = n + 1;

    for (int32_t half = 1; half < n; half *= 2) {
        /* Middles of the sides of squares of 2 half, from the middles of the squares of half. */
        for (int32_t y = 0; half > 1 && y <= n; y += half)
            for (int32_t x = y / half % 2 ? 0 : half; x <= n; x += 2 * half)
                for (int corner = 0; corner < 4; corner++) {
                    const int32_t i = x + (corner & 1 ? half : -half) / 2;
                    const int32_t j = y + (corner & 2 ? half : -half) / 2;

                    if (i >= 0 && j >= 0 && i <= n && j <= n)
                        raise_to(&errors[y * row + x], errors[j * row + i]);
                }
        /* Middles of the squares, from those of their sides. */
        for (int32_t y = half; y < n; y += 2 * half)
            for (int32_t x = half; x < n; x += 2 * half) {
                raise_to(&errors[y * row + x], errors[y * row + x - half]);
                raise_to(&errors[y * row + x], errors[y * row + x + half]);
                raise_to(&errors[y * row + x], errors[(y - half) * row + x]);
                raise_to(&errors[y * row + x], errors[(y + half) * row + x]);
            }
    }
}

/* What kinds of quads a triangle holds, apex a and hypotenuse from b to c; one that holds several,
 * of which some are drawn, must be split. */
static int sort_triangle(struct rtin_map *own, int32_t ax, int32_t ay, int32_t bx, int32_t by,
                         int32_t cx, int32_t cy)
{
    const int32_t n = 1 << own->log2, mx = (bx + cx) / 2, my = (by + cy) / 2;
    int kinds;

    if ((bx + cx) & 1)
        return own->quads[(by < cy ? by : cy) * n + (bx < cx ? bx : cx)];
    kinds = sort_triangle(own, mx, my, ax, ay, bx, by) | sort_triangle(own, mx, my, cx, cy, ax, ay);
    if ((kinds & RTIN_DRAWN) && (kinds & (RTIN_LEFT_OUT | RTIN_NARROW)))
        own->errors[my * (n + 1) + mx] = RTIN_NEVER;
    return kinds;
}

void rtin_settle(struct rtin_map *own, const double *errors, const double *rest,
                 const double *sides)
{
    const int32_t n = 1 << own->log2, row = n + 1;

    for (int32_t i = 0; i < row * row; i++)
        own->errors[i] = rtin_pack(errors[i] - own->slack);
    for (int32_t i = 0; i < n * n; i++)
        own->rest[i] = rtin_pack(rest[i] - own->slack);
    /* Along the finest triangles' common side the two at its ends' right angles err as well. */
    for (int32_t y = 0; y < n; y++)
        for (int32_t x = 0; x < n; x++) {
            const int16_t side = rtin_pack(sides[y * n + x] - own->slack);
            const int32_t turned = 1 - ((x ^ y) & 1);

            raise_to(&own->errors[y * row + x + turned], side);
            raise_to(&own->errors[(y + 1) * row + x + 1 - turned], side);
        }
    if (own->quads) {
        sort_triangle(own, n, 0, n, n, 0, 0);
        sort_triangle(own, 0, n, 0, 0, n, n);
    }
    gather(own->errors, n);
}

/* The 3 x 3 maps as one lattice. */
struct around {
    int32_t n, row;
    int16_t *errors;
};

static void raise_around(const struct around *around, int32_t x, int32_t y, int16_t error);

/* What vertex (x, y) of the lattice needs has at least its error. */
static void climb(const struct around *around, int32_t x, int32_t y, int16_t error)
{
    const int32_t bits = x | y, half = bits & -bits;

    if (half >= around->n)
        return;
    if (!(x & half)) {
        raise_around(around, x - half, y, error);
        raise_around(around, x + half, y, error);
    } else if (!(y & half)) {
        raise_around(around, x, y - half, error);
        raise_around(around, x, y + half, error);
    } else if (2 * half < around->n) {
        const int32_t turned = ((x - half) ^ (y - half)) & (2 * half) ? half : -half;

        raise_around(around, x - turned, y - half, error);
        raise_around(around, x + turned, y + half, error);
    }
}

static void raise_around(const struct around *around, int32_t x, int32_t y, int16_t error)
{
    int16_t *there;

    if (x < 0 || y < 0 || x >= around->row || y >= around->row)
        return;
    there = &around->errors[(int64_t)y * around->row + x];
    if (*there >= error)
        return;
    *there = error;
    climb(around, x, y, error);
}

/* Inside as it is; on the border what either side has. */
static void put_in(const struct around *around, const struct rtin_map *map, int32_t i, int32_t j)
{
    const int32_t n = around->n;

    for (int32_t y = 0; y <= n; y++) {
        int16_t *to = around->errors + (int64_t)(j * n + y) * around->row + i * n;

        for (int32_t x = 0; x <= n; x++)
            raise_to(&to[x], map->errors[y * (n + 1) + x]);
    }
}

/* The border of the map is part of the lattice, where others may have raised it. */
static void climb_from_border(const struct around *around, int32_t i, int32_t j)
{
    const int32_t n = around->n, x0 = i * n, y0 = j * n;

    for (int32_t k = 1; k < n; k++) {
        const int32_t at[4][2] = {
            { x0 + k, y0 }, { x0 + k, y0 + n }, { x0, y0 + k }, { x0 + n, y0 + k }
        };

        for (int side = 0; side < 4; side++)
            climb(around, at[side][0], at[side][1],
                  around->errors[(int64_t)at[side][1] * around->row + at[side][0]]);
    }
}

struct rtin_map *rtin_close(const struct rtin_map *const around[9], struct fault *why)
{
    const struct rtin_map *own = around[4];
    const int32_t n = 1 << own->log2, row = 3 * n + 1;
    struct around all = { n, row, calloc((size_t)row * (size_t)row, sizeof *all.errors) };
    struct rtin_map *closed = all.errors ? map_new(own->log2, 0, why) : NULL;

    if (!closed) {
        free(all.errors);
        fault_set(why, FAULT_MEMORY, "no memory to close an error map of %d quads a side", n);
        return NULL;
    }
    for (int32_t i = 0; i < 9; i++)
        if (around[i])
            put_in(&all, around[i], i % 3, i / 3);
    for (int32_t i = 0; i < 9; i++)
        if (around[i])
            climb_from_border(&all, i % 3, i / 3);
    for (int32_t y = 0; y <= n; y++)
        memcpy(closed->errors + y * (n + 1), all.errors + (int64_t)(n + y) * row + n,
               (size_t)(n + 1) * sizeof *closed->errors);
    free(all.errors);
    closed->turns = own->turns;
    closed->slack = own->slack;
    closed->of = (struct rtin_map *)derived_hold(&own->derived);
    return closed;
}

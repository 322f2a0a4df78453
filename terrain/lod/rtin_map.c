#include "terrain/lod/rtin_inside.h"

#include <stdlib.h>

static void free_map(struct derived *thing)
{
    struct rtin_map *map = (struct rtin_map *)thing;

    if (map->of)
        derived_drop(&map->of->derived);
    free(map->names);
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
    const size_t all = head + (n + 1) * (n + 1) * sizeof(int16_t) + 16 + bytes;
    struct rtin_map *map = malloc(all);

    if (!map) {
        fault_set(why, FAULT_MEMORY, "no memory for an error map of %zu quads a side", n);
        return NULL;
    }
    memset(map, 0, sizeof *map);
    atomic_init(&map->derived.holders, 1);
    map->derived.bytes = all;
    map->derived.free = free_map;
    map->log2 = log2;
    map->errors = (int16_t *)((char *)map + head);
    return map;
}

struct rtin_map *rtin_own_new(int32_t log2, unsigned with, struct fault *why)
{
    const size_t n = (size_t)1 << log2, vertices = (n + 1) * (n + 1), quads = n * n;
    const size_t sample = with & RTIN_CODES ? sizeof(uint16_t) : sizeof(double);
    const size_t raw = with & RTIN_RAW ? vertices * sizeof(int16_t) : 0;
    const size_t coarse = with & RTIN_COARSE ? (vertices + quads) * sizeof(int16_t) + 32 : 0;
    const size_t kinds = with & RTIN_QUADS ? quads : 0;
    struct rtin_map *map =
        map_new(log2, quads * sizeof(int16_t) + vertices * sample + raw + coarse + kinds + 64, why);
    char *end = map ? (char *)map->errors : NULL;

    if (!map)
        return NULL;
    take(&end, vertices * sizeof(int16_t));
    map->rest = take(&end, quads * sizeof(int16_t));
    if (with & RTIN_CODES)
        map->codes = take(&end, vertices * sizeof(uint16_t));
    else
        map->metres = take(&end, vertices * sizeof(double));
    map->raw = raw ? take(&end, raw) : NULL;
    map->other = coarse ? take(&end, vertices * sizeof(int16_t)) : NULL;
    map->sides = coarse ? take(&end, quads * sizeof(int16_t)) : NULL;
    map->quads = kinds ? take(&end, kinds) : NULL;
    return map;
}

static inline int16_t greater(int16_t a, int16_t b)
{
    return a > b ? a : b;
}

static void raise_to(int16_t *most, int16_t error)
{
    *most = greater(*most, error);
}

/* Middles of the least squares, from those of their sides: most of the map, so a row at a time. */
static void gather_finest(int16_t *errors, int32_t n)
{
    const int32_t row = n + 1;
    int16_t gathered[(1 << RTIN_LOG2_MOST) + 1];

    for (int32_t y = 1; y < n; y += 2) {
        int16_t *here = errors + y * row;
        const int16_t *above = here - row, *below = here + row;

        for (int32_t x = 1; x < n; x++) {
            const int16_t beside = greater(here[x - 1], here[x + 1]);
            const int16_t across = greater(above[x], below[x]);
            const int16_t most = greater(here[x], greater(beside, across));

            gathered[x] = x & 1 ? most : here[x];
        }
        memcpy(here + 1, gathered + 1, (size_t)(n - 1) * sizeof *here);
    }
}

/* Middles of the sides of squares of 2 half, from the middles of the squares of half. */
static void gather_sides(int16_t *errors, int32_t n, int32_t half)
{
    const int32_t row = n + 1, by = half / 2;

    for (int32_t y = 0; y <= n; y += half) {
        const int32_t above = y > 0 ? y - by : y + by, below = y < n ? y + by : y - by;

        for (int32_t x = y / half % 2 ? 0 : half; x <= n; x += 2 * half) {
            const int32_t west = x > 0 ? x - by : x + by, east = x < n ? x + by : x - by;
            const int16_t north = greater(errors[above * row + west], errors[above * row + east]);
            const int16_t south = greater(errors[below * row + west], errors[below * row + east]);

            raise_to(&errors[y * row + x], greater(north, south));
        }
    }
}

/* Middles of the squares, from those of their sides. */
static void gather_middles(int16_t *errors, int32_t n, int32_t half)
{
    const int32_t row = n + 1;

    for (int32_t y = half; y < n; y += 2 * half)
        for (int32_t x = half; x < n; x += 2 * half) {
            int16_t *here = &errors[y * row + x];

            raise_to(here, greater(here[-half], here[half]));
            raise_to(here, greater(here[-half * row], here[half * row]));
        }
}

/* Every vertex has at least what those have that it is needed for, finest first. */
static void gather(int16_t *errors, int32_t n)
{
    gather_finest(errors, n);
    for (int32_t half = 2; half < n; half *= 2) {
        gather_sides(errors, n, half);
        gather_middles(errors, n, half);
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

void rtin_gather(struct rtin_map *own)
{
    const int32_t n = 1 << own->log2;

    if (own->quads) {
        sort_triangle(own, n, 0, n, n, 0, 0);
        sort_triangle(own, 0, n, 0, 0, n, n);
    }
    gather(own->errors, n);
}

/* Along it the two at its ends' right angles err as well. */
void rtin_add_sides(struct rtin_map *own, const int16_t *sides)
{
    const int32_t n = 1 << own->log2, row = n + 1;

    for (int32_t y = 0; y < n; y++)
        for (int32_t x = 0; x < n; x++) {
            const int32_t turned = 1 - ((x ^ y) & 1);

            raise_to(&own->errors[y * row + x + turned], sides[y * n + x]);
            raise_to(&own->errors[(y + 1) * row + x + 1 - turned], sides[y * n + x]);
        }
}

void rtin_settle(struct rtin_map *own, const double *errors, const double *rest,
                 const double *sides)
{
    const int32_t n = 1 << own->log2, row = n + 1;

    for (int32_t i = 0; i < row * row; i++)
        own->errors[i] = rtin_pack(rtin_safe(errors[i], own->slack));
    /* In the room of rest, which follows. */
    for (int32_t i = 0; i < n * n; i++)
        own->rest[i] = rtin_pack(rtin_safe(sides[i], own->slack));
    rtin_add_sides(own, own->rest);
    for (int32_t i = 0; i < n * n; i++)
        own->rest[i] = rtin_pack(rtin_safe(rest[i], own->slack));
    rtin_gather(own);
}

struct rtin_map *rtin_closed_new(const struct rtin_map *own, struct fault *why)
{
    const size_t n = (size_t)1 << own->log2;
    struct rtin_map *closed = map_new(own->log2, 0, why);

    if (!closed)
        return NULL;
    memcpy(closed->errors, own->errors, (n + 1) * (n + 1) * sizeof *closed->errors);
    closed->turns = own->turns;
    closed->slack = own->slack;
    closed->of = (struct rtin_map *)derived_hold(&own->derived);
    return closed;
}

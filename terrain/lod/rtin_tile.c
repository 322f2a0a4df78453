#include "terrain/lod/rtin_inside.h"

#include <math.h>
#include <stdlib.h>

struct tile {
    int32_t row;
    const double *metres;
};

static bool read_tile(void *context, int32_t y, double *heights, double *centres, struct fault *why)
{
    const struct tile *tile = context;
    const double *from = tile->metres + y * tile->row;

    (void)why;
    memcpy(heights, from, (size_t)tile->row * sizeof *heights);
    for (int32_t x = 0; y < tile->row - 1 && x < tile->row - 1; x++)
        centres[x] = (from[x] + from[tile->row + x + 1]) / 2;
    return true;
}

/* What sums of a few such heights may be off by, and more. */
static double slack_of(const double *metres, int32_t count)
{
    double most = 0;

    for (int32_t i = 0; i < count; i++)
        most = fmax(most, fabs(metres[i]));
    return ldexp(most, -46);
}

struct rtin_map *rtin_map_new(int32_t log2, const double *metres, struct fault *why)
{
    const int32_t n = 1 << log2, vertices = (n + 1) * (n + 1);
    struct rtin_map *own = rtin_own_new(log2, 0, why);
    double *measured = calloc((size_t)vertices + 2 * (size_t)(n * n), sizeof *measured);
    struct tile tile = { n + 1, metres };
    const struct rtin_field field = { log2, 1, n + 1, n + 1, metres, read_tile, &tile };
    bool done = false;

    if (own && !measured)
        fault_set(why, FAULT_MEMORY, "no memory for the errors of %d quads a side", n);
    if (own && measured) {
        own->turns = true;
        own->slack = slack_of(metres, vertices);
        memcpy(own->metres, metres, (size_t)vertices * sizeof *metres);
        done =
            rtin_measure(&field, measured, measured + vertices, measured + vertices + n * n, why);
    }
    if (done)
        rtin_settle(own, measured, measured + vertices, measured + vertices + n * n);
    free(measured);
    if (!done && own)
        derived_drop(&own->derived);
    return done ? own : NULL;
}

struct rtin_map *rtin_map_close(const struct rtin_map *const around[9], struct fault *why)
{
    return rtin_close(around, why);
}

bool rtin_map_mesh(const struct rtin_map *map, double max_error, struct mesh *mesh,
                   struct fault *why)
{
    const int32_t n = 1 << map->log2;
    const struct rtin_frame frame = { { 0, 0 }, 1, { n, n } };

    return rtin_mesh_within(map, &frame, 1, max_error, mesh, why);
}

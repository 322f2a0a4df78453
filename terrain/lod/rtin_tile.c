#include "terrain/lod/rtin_fine.h"

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

/* The least and greatest that are numbers. */
static void range_of(const double *metres, int32_t count, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        range[0] = metres[i] < range[0] ? metres[i] : range[0];
        range[1] = metres[i] > range[1] ? metres[i] : range[1];
    }
    if (!(range[0] <= range[1]))
        range[0] = range[1] = 0;
}

static bool measure_small(struct rtin_map *own, struct fault *why)
{
    const int32_t n = 1 << own->log2, vertices = (n + 1) * (n + 1);
    double *measured = calloc((size_t)vertices + 2 * (size_t)(n * n), sizeof *measured);
    struct tile tile = { n + 1, own->metres };
    const struct rtin_field field = { own->log2, 1, n + 1, n + 1, own->metres, read_tile, &tile };
    double *rest = measured + vertices, *sides = rest + n * n;
    bool done;

    if (!measured)
        return fault_set(why, FAULT_MEMORY, "no memory for the errors of %d quads a side", n);
    done = rtin_measure(&field, measured, rest, sides, why);
    if (done)
        rtin_settle(own, measured, rest, sides);
    free(measured);
    return done;
}

/* In floats, which keep to the middle of the range. */
static bool measure(struct rtin_map *own, double middle, struct fault *why)
{
    const int32_t n = 1 << own->log2, vertices = (n + 1) * (n + 1);
    float *heights = malloc(((size_t)vertices + 4) * sizeof *heights);
    void *panel = aligned_alloc(64, rtin_fine_scratch());
    const bool done = heights && panel;

    if (done) {
        for (int32_t i = 0; i < vertices; i++)
            heights[i] = (float)(own->metres[i] - middle);
        memset(heights + vertices, 0, 4 * sizeof *heights);
        memset(own->errors, 0, (size_t)vertices * sizeof *own->errors);
        memset(own->rest, 0, (size_t)(n * n) * sizeof *own->rest);
        rtin_measure_fine(&(struct rtin_fine){ n, heights, n + 1, own->errors, own->rest, panel,
                                               (float)own->slack },
                          (struct rect){ 0, 0, n + 1, n + 1 });
        rtin_gather(own);
    }
    free(heights);
    free(panel);
    return done || fault_set(why, FAULT_MEMORY, "no memory for the errors of %d quads a side", n);
}

struct rtin_map *rtin_map_new(int32_t log2, const double *metres, struct fault *why)
{
    const int32_t n = 1 << log2, vertices = (n + 1) * (n + 1);
    struct rtin_map *own = rtin_own_new(log2, 0, why);
    double range[2], most;

    if (!own)
        return NULL;
    range_of(metres, vertices, range);
    most = fmax(fabs(range[0]), fabs(range[1]));
    own->turns = true;
    own->slack = ldexp(range[1] - range[0], -18) + ldexp(most, -48);
    memcpy(own->metres, metres, (size_t)vertices * sizeof *metres);
    if (n < RTIN_FINE_LEAST ? measure_small(own, why)
                            : measure(own, (range[0] + range[1]) / 2, why))
        return own;
    derived_drop(&own->derived);
    return NULL;
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

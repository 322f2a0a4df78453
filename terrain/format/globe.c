#include "terrain/format/globe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/globe_ground.h"
#include "terrain/format/quantized_mesh.h"
#include "terrain/format/tile_map.h"
#include "terrain/lod/rtin.h"
#include "terrain/query/cover.h"

enum { ACROSS = GLOBE_ACROSS, MARGIN = GLOBE_MARGIN, WIDE = GLOBE_WIDE, AROUND = 9 };

/* A tile's samples, and the errors of its own meshes. */
struct ground {
    struct derived derived;
    struct rtin_map *map; /* held */
    double z[WIDE * WIDE];
};

/* Its errors where borders are shared with the eight around it. */
struct closed {
    struct derived derived;
    struct rtin_map *map;  /* held */
    struct ground *ground; /* held: the middle */
    double sample_error;
};

static void ground_free(struct derived *thing)
{
    derived_drop((struct derived *)((struct ground *)thing)->map);
    free(thing);
}

static void closed_free(struct derived *thing)
{
    struct closed *closed = (struct closed *)thing;

    derived_drop((struct derived *)closed->map);
    derived_drop(&closed->ground->derived);
    free(closed);
}

struct making {
    const struct view *view;
    struct derived_cache *cache;
    const struct globe_look *look;
    struct globe_tile tile;
};

static uint64_t mix_real(uint64_t hash, double real)
{
    uint64_t word;

    memcpy(&word, &real, sizeof word);
    return tile_map_mix(hash, word);
}

/* What of the look goes into heights. */
static uint64_t look_key(const struct globe_look *look)
{
    return mix_real(tile_map_mix(1, look->datum->key), look->fill);
}

static bool ground_stamp(const struct view *view, const struct globe_tile *tile, uint64_t *stamp,
                         struct fault *why)
{
    const struct tile samples = globe_samples(tile, GLOBE_SIDE, MARGIN);

    *stamp = 1;
    return globe_has(view, tile, why) &&
           (tile_stamp(view, &samples, stamp, why) || (why->code == FAULT_RANGE && tile->z == 0));
}

/* The tiles around one, row by row, itself the fifth. Those that there are not have z -1. */
static void neighbours(const struct view *view, const struct globe_tile *tile,
                       struct globe_tile around[AROUND])
{
    const int32_t columns = (int32_t)((uint32_t)2 << tile->z);

    for (int k = 0; k < AROUND; k++) {
        struct fault why;
        const int64_t x = (int64_t)tile->x + k % 3 - 1 + columns;

        around[k] = (struct globe_tile){ tile->z, (int32_t)(x % columns), tile->y + k / 3 - 1 };
        if (!globe_has(view, &around[k], &why))
            around[k].z = -1;
    }
}

static bool stamp_around(const struct view *view, const struct globe_tile *tile,
                         const struct globe_look *look, uint64_t *stamp, struct fault *why)
{
    struct globe_tile around[AROUND];
    uint64_t own;

    if (!globe_has(view, tile, why))
        return false;
    neighbours(view, tile, around);
    *stamp = look_key(look);
    for (int k = 0; k < AROUND; k++) {
        own = 0;
        if (around[k].z >= 0 && !ground_stamp(view, &around[k], &own, why))
            return false;
        *stamp = tile_map_mix(*stamp, own);
    }
    return true;
}

bool globe_stamp(const struct view *view, const struct globe_tile *tile,
                 const struct globe_look *look, uint64_t *stamp, struct fault *why)
{
    const struct tile samples = globe_samples(tile, GLOBE_SIDE, 0);
    struct rect reach;
    struct fault inner;

    if (!stamp_around(view, tile, look, stamp, why))
        return false;
    if (look->water_paint != GLOBE_NO_PAINT && tile_reach(view, &samples, &reach, &inner))
        *stamp = tile_map_mix(*stamp, cover_stamp(view, &look->water_paint, 1, reach));
    return true;
}

static struct derived *ground_make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    const struct tile samples = globe_samples(&making->tile, GLOBE_SIDE, MARGIN);
    struct ground *ground = malloc(sizeof *ground);
    double z[ACROSS * ACROSS];

    (void)older;
    if (!ground) {
        fault_set(why, FAULT_MEMORY, "no memory for the heights of a tile");
        return NULL;
    }
    *ground = (struct ground){ .derived = { .free = ground_free } };
    atomic_init(&ground->derived.holders, 1);
    if (globe_heights(making->view, &samples, making->look, ground->z, why)) {
        for (int32_t j = 0; j < ACROSS; j++)
            memcpy(z + j * ACROSS, ground->z + (j + MARGIN) * WIDE + MARGIN, ACROSS * sizeof *z);
        ground->map = rtin_map_new(GLOBE_LOG2, z, why);
    }
    if (!ground->map) {
        free(ground);
        return NULL;
    }
    ground->derived.bytes = sizeof *ground + ((struct derived *)ground->map)->bytes;
    return &ground->derived;
}

static struct ground *ground_get(const struct making *making, const struct globe_tile *tile,
                                 struct fault *why)
{
    static const char kind;
    struct making own = *making;
    const struct derived_place place = { &kind,
                                         making->view->incarnation,
                                         { tile->z, tile->x, tile->y, GLOBE_SIDE },
                                         look_key(making->look) };
    uint64_t stamp;

    own.tile = *tile;
    if (!ground_stamp(making->view, tile, &stamp, why))
        return NULL;
    return (struct ground *)derived_get(making->cache, &place, stamp, ground_make, &own, why);
}

static bool close_map(struct closed *closed, const struct making *making,
                      struct ground *grounds[AROUND], struct fault *why)
{
    const struct tile samples = globe_samples(&making->tile, GLOBE_SIDE, 0);
    const struct rtin_map *around[AROUND] = { 0 };
    struct globe_tile tiles[AROUND];
    double z[ACROSS * ACROSS];
    struct fault inner = { 0 };

    neighbours(making->view, &making->tile, tiles);
    for (int k = 0; k < AROUND; k++) {
        if (tiles[k].z < 0)
            continue;
        grounds[k] = ground_get(making, &tiles[k], why);
        if (!grounds[k])
            return false;
        around[k] = grounds[k]->map;
    }
    closed->map = rtin_map_close(around, why);
    if (!closed->map)
        return false;
    closed->ground = (struct ground *)derived_hold(&grounds[AROUND / 2]->derived);
    for (int32_t j = 0; j < ACROSS; j++)
        memcpy(z + j * ACROSS, closed->ground->z + (j + MARGIN) * WIDE + MARGIN,
               ACROSS * sizeof *z);
    if (globe_sample_error(making->view, &samples, making->look, z, &closed->sample_error, &inner))
        return true;
    *why = inner;
    return inner.code == FAULT_RANGE; /* a root tile beside the landscape */
}

static struct derived *closed_make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    struct ground *grounds[AROUND] = { 0 };
    struct closed *closed = calloc(1, sizeof *closed);
    bool done;

    (void)older;
    if (!closed) {
        fault_set(why, FAULT_MEMORY, "no memory for the errors of a tile");
        return NULL;
    }
    closed->derived.free = closed_free;
    atomic_init(&closed->derived.holders, 1);
    done = close_map(closed, making, grounds, why);
    for (int k = 0; k < AROUND; k++)
        if (grounds[k])
            derived_drop(&grounds[k]->derived);
    if (!done) {
        derived_drop((struct derived *)closed->map);
        if (closed->ground)
            derived_drop(&closed->ground->derived);
        free(closed);
        return NULL;
    }
    closed->derived.bytes = sizeof *closed + ((struct derived *)closed->map)->bytes;
    return &closed->derived;
}

static struct closed *closed_get(struct making *making, struct fault *why)
{
    static const char kind;
    const struct globe_tile *tile = &making->tile;
    const struct derived_place place = { &kind,
                                         making->view->incarnation,
                                         { tile->z, tile->x, tile->y, GLOBE_SIDE },
                                         look_key(making->look) };
    uint64_t stamp;

    if (!stamp_around(making->view, tile, making->look, &stamp, why))
        return NULL;
    return (struct closed *)derived_get(making->cache, &place, stamp, closed_make, making, why);
}

bool globe_mesh(const struct view *view, struct derived_cache *cache, const struct globe_tile *tile,
                const struct globe_look *look, struct bytes *to, double *error, struct fault *why)
{
    struct making making = { view, cache, look, *tile };
    double most = look->max_error;
    struct closed *closed;
    struct mesh mesh;
    int32_t finest;
    bool done;

    if (!globe_finest(view, &finest, why))
        return false;
    if (isnan(most))
        most = globe_mesh_error(tile->z, finest);
    closed = closed_get(&making, why);
    if (!closed)
        return false;
    mesh_init(&mesh, false);
    done = rtin_map_mesh(closed->map, most, &mesh, why) &&
           globe_write(view, tile, look, closed->ground->z, closed->sample_error, &mesh, to, error,
                       why);
    mesh_free(&mesh);
    derived_drop(&closed->derived);
    return done;
}

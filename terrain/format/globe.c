#include "terrain/format/globe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/globe_ground.h"
#include "terrain/format/quantized_mesh.h"
#include "terrain/format/tile_map.h"
#include "terrain/lod/rtin.h"
#include "terrain/query/cover.h"

enum {
    ACROSS = GLOBE_SIDE + 1,
    MARGIN = 1, /* samples that normals need */
    WIDE = ACROSS + 2 * MARGIN,
    AROUND = 9
};

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

static void tile_degrees(const struct globe_tile *tile, double bounds[4])
{
    const double size = ldexp(180, -tile->z);

    bounds[0] = tile->x * size - 180;
    bounds[2] = (tile->x + 1) * size - 180;
    bounds[3] = 90 - tile->y * size;
    bounds[1] = 90 - (tile->y + 1) * size;
}

/* Of the surface through the samples, from those beside it, however coarse the mesh is there; so
 * neighbouring tiles have the same. East, north and up are turned to Earth-fixed. */
static void sample_normal(const struct ground *ground, const double bounds[4],
                          const double *ground_m, int32_t i, int32_t j, float normal[3])
{
    const double *here = ground->z + (j + MARGIN) * WIDE + i + MARGIN;
    const double degree = M_PI / 180;
    const double east_of = bounds[0] + (bounds[2] - bounds[0]) * ((double)i / GLOBE_SIDE);
    /* The seam of the world is one meridian. */
    const double longitude = (east_of < 180 ? east_of : -180) * degree;
    const double latitude =
        (bounds[3] - (bounds[3] - bounds[1]) * ((double)j / GLOBE_SIDE)) * degree;
    /* At the poles a step east is none. */
    const double east = ground_m[0] > 1e-6 ? (here[1] - here[-1]) / (2 * ground_m[0]) : 0;
    const double north = (here[-WIDE] - here[WIDE]) / (2 * ground_m[1]);
    const double length = sqrt(1 + east * east + north * north);
    const double sx = sin(longitude), cx = cos(longitude), sy = sin(latitude), cy = cos(latitude);

    normal[0] = (float)((cy * cx + east * sx + north * sy * cx) / length);
    normal[1] = (float)((cy * sx - east * cx + north * sy * sx) / length);
    normal[2] = (float)((sy - north * cy) / length);
}

static bool fill_normals(const struct making *making, const struct ground *ground,
                         const struct mesh *mesh, const double bounds[4], float (**normals)[3],
                         struct fault *why)
{
    const struct tile samples = globe_samples(&making->tile, GLOBE_SIDE, 0);
    double metres[ACROSS][2];

    *normals = malloc((mesh->vertex_count + 1) * sizeof **normals);
    if (!*normals)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu normals", mesh->vertex_count);
    for (int32_t j = 0; j < ACROSS; j++)
        tile_ground(making->view, &samples, j, metres[j]);
    for (size_t k = 0; k < mesh->vertex_count; k++) {
        const int32_t i = (int32_t)mesh->at[k][0], j = (int32_t)mesh->at[k][1];

        sample_normal(ground, bounds, metres[j], i, j, (*normals)[k]);
    }
    return true;
}

/* Which tiles there are further down, zoom by zoom; rows from the south. */
static bool add_available(const struct view *view, const struct globe_tile *tile, int32_t levels,
                          struct bytes *json, struct fault *why)
{
    int32_t finest;

    if (!globe_finest(view, &finest, why) || !bytes_print(json, why, "{\"available\":["))
        return false;
    for (int32_t down = 1; down <= levels && tile->z + down <= finest; down++) {
        const int32_t z = tile->z + down;
        const struct rect own = { tile->x << down, tile->y << down, 1 << down, 1 << down };
        struct rect ranges[2];
        bool first = true;
        int32_t count;

        if (!globe_ranges(view, z, ranges, &count, why) ||
            !bytes_print(json, why, "%s[", down > 1 ? "," : ""))
            return false;
        for (int32_t i = 0; i < count; i++) {
            const struct rect part = rect_meet(ranges[i], own);
            const int32_t rows = 1 << z;

            if (rect_empty(part))
                continue;
            if (!bytes_print(json, why, "%s{\"startX\":%d,\"startY\":%d,\"endX\":%d,\"endY\":%d}",
                             first ? "" : ",", part.x, rows - part.y - part.height,
                             part.x + part.width - 1, rows - 1 - part.y))
                return false;
            first = false;
        }
        if (!bytes_print(json, why, "]"))
            return false;
    }
    return bytes_print(json, why, "]}") && bytes_add(json, "", 1, why);
}

/* What the tile's numbers add to its error: half a step of the heights, and vertices that lie
 * beside their samples by half a step of u and v. */
static double number_error(const struct ground *ground, double step)
{
    double across = 0, down = 0;

    for (int32_t k = 0; k < ACROSS * ACROSS; k++) {
        const double *here = ground->z + (k / ACROSS + MARGIN) * WIDE + k % ACROSS + MARGIN;

        if (k % ACROSS < GLOBE_SIDE)
            across = fmax(across, fabs(here[1] - here[0]));
        if (k / ACROSS < GLOBE_SIDE)
            down = fmax(down, fabs(here[WIDE] - here[0]));
    }
    return step / 2 + (across + down) * GLOBE_SIDE / (2.0 * QUANTIZED_MOST);
}

static double least_of(const struct mesh *mesh)
{
    double least = INFINITY;

    for (size_t i = 0; i < mesh->vertex_count; i++)
        least = fmin(least, mesh->at[i][2]);
    return least;
}

static bool write_mesh(const struct making *making, const struct closed *closed,
                       const struct mesh *mesh, struct bytes *to, double *error, struct fault *why)
{
    const struct globe_look *look = making->look;
    const double step = globe_step(making->view, look);
    const bool tells = look->metadata_levels > 0 && look->extensions & QUANTIZED_METADATA &&
                       making->tile.z % look->metadata_levels == 0;
    struct quantized_mesh tile = { .mesh = mesh, .side = GLOBE_SIDE, .step = step };
    uint8_t water[QUANTIZED_WATER_SIDE * QUANTIZED_WATER_SIDE];
    float(*normals)[3] = NULL;
    struct bytes json = { 0 };
    bool done = true;

    tile_degrees(&making->tile, tile.bounds);
    tile.minimum = quantized_mesh_floor(least_of(mesh), step);
    *error = mesh->bound + closed->sample_error + number_error(closed->ground, step);
    if (look->extensions & QUANTIZED_NORMALS)
        done = fill_normals(making, closed->ground, mesh, tile.bounds, &normals, why);
    if (done && look->extensions & QUANTIZED_WATER) {
        done = globe_water(making->view, &making->tile, look, water, &tile.water_bytes, why);
        tile.water = water;
    }
    if (done && tells)
        done = add_available(making->view, &making->tile, look->metadata_levels, &json, why);
    tile.normals = (const float(*)[3])normals;
    tile.metadata = tells ? (const char *)json.data : NULL;
    done = done && quantized_mesh_write(&tile, to, why);
    bytes_free(&json);
    free(normals);
    return done;
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
           write_mesh(&making, closed, &mesh, to, error, why);
    mesh_free(&mesh);
    derived_drop(&closed->derived);
    return done;
}

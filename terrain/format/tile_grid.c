#include "terrain/format/tile_grid.h"

#include <math.h>

#include "terrain/format/tile_map.h"

enum { GROUNDS_KEPT = 64 };

static double mercator_down(double latitude)
{
    const double north = asinh(tan(fmin(fmax(latitude, -89.9), 89.9) * M_PI / 180)) / M_PI;

    return (1 - north) / 2;
}

static double geodetic_down(double latitude)
{
    return (90 - latitude) / 180;
}

double tile_mercator_latitude(double share)
{
    return atan(sinh(M_PI * (1 - 2 * share))) * 180 / M_PI;
}

const struct tile_grid_row tile_grid_rows[] = {
    [TILE_MERCATOR] = { "Web Mercator",
                        GEOREF_MERCATOR,
                        1,
                        { 2 * M_PI * 6378137.0, 2 * M_PI * 6378137.0 },
                        mercator_down },
    [TILE_GEODETIC] = { "geodetic", GEOREF_LONLAT, 2, { 360, 180 }, geodetic_down },
};

static int32_t own_native(const struct grid *grid)
{
    const int32_t most = grid->columns > grid->rows ? grid->columns : grid->rows;
    int32_t zoom = 0;

    while ((int64_t)TILE_SIDE << zoom < most)
        zoom++;
    return zoom;
}

double tile_own_pixel(const struct grid *grid, int32_t z, int32_t side)
{
    return ldexp((double)TILE_SIDE / side, own_native(grid) - z);
}

static bool measure_own(const struct settings *settings, struct tile_ground *ground,
                        struct fault *why)
{
    const double square = ldexp(TILE_SIDE, own_native(&settings->grid));

    if (ground->grid != &tile_grid_rows[TILE_MERCATOR])
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "this landscape has no place on the globe: PATCH it with a \"crs\", such "
                         "as \"EPSG:32633\", and \"bounds\" (west, south, east, north)");
    ground->grid = NULL;
    ground->native = own_native(&settings->grid);
    ground->shares[0] = ground->shares[1] = 0;
    ground->shares[2] = settings->grid.columns / square;
    ground->shares[3] = settings->grid.rows / square;
    return true;
}

static bool measure(const struct settings *settings, struct tile_ground *ground, struct fault *why)
{
    const struct tile_grid_row *grid = ground->grid;
    double step, zoom;

    if (!settings->placed)
        return measure_own(settings, ground, why);
    if (!georef_step(settings, grid->frame, &step, why) ||
        !georef_lonlat_bounds(settings, ground->lonlat, why))
        return false;
    ground->turn = georef_turn(settings);
    /* A step made to fit a zoom fits it, whatever the last bits say. */
    zoom = ceil(log2(grid->span[1] / TILE_SIDE / step) - 1e-6);
    ground->native = (int32_t)fmin(fmax(zoom, 0), TILE_ZOOM_MOST);
    for (int i = 0; i < 2; i++) {
        ground->shares[2 * i] = (ground->lonlat[2 * i] + 180) / 360;
        ground->shares[3 - 2 * i] = fmin(fmax(grid->down(ground->lonlat[1 + 2 * i]), 0), 1);
    }
    return true;
}

const struct tile_ground *tile_ground_of(const struct view *view, uint64_t key, int32_t grid,
                                         struct fault *why)
{
    /* A tile is asked for again and again. */
    static _Thread_local struct tile_ground grounds[GROUNDS_KEPT];
    const uint64_t own = tile_map_mix(key, (uint64_t)grid) | 1;
    struct tile_ground *ground = &grounds[(own >> 1) % GROUNDS_KEPT];

    if (ground->key == own)
        return ground;
    *ground = (struct tile_ground){ .grid = &tile_grid_rows[grid] };
    if (!measure(view->settings, ground, why))
        return NULL;
    ground->finest = ground->native + TILE_ZOOMS_BEYOND;
    if (ground->finest > TILE_ZOOM_MOST)
        ground->finest = TILE_ZOOM_MOST;
    ground->key = own;
    return ground;
}

/* 2^31 - 1 columns are as many as have numbers. */
int32_t tile_ground_columns(const struct tile_ground *ground, int32_t z)
{
    const int64_t count = (int64_t)(ground->grid ? ground->grid->roots : 1) << z;

    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

bool tile_ground_has(const struct tile_ground *ground, const struct tile *tile, struct fault *why)
{
    int32_t columns, rows;

    if (tile->z < 0 || tile->z > ground->finest)
        return fault_set(why, FAULT_MISSING, "zoom %d does not exist: this landscape has 0 to %d",
                         tile->z, ground->finest);
    columns = tile_ground_columns(ground, tile->z);
    rows = (int32_t)((int64_t)1 << tile->z);
    if (tile->x < 0 || tile->x >= columns || tile->y < 0 || tile->y >= rows)
        return fault_set(why, FAULT_MISSING,
                         "tile %d/%d/%d does not exist: columns of zoom %d are 0 to %d and rows 0 "
                         "to %d",
                         tile->z, tile->x, tile->y, tile->z, columns - 1, rows - 1);
    return true;
}

struct rect tile_ground_range(const struct tile_ground *ground, int32_t z, int32_t turns)
{
    const double counts[2] = { tile_ground_columns(ground, z), ldexp(1, z) };
    int32_t first[2], end[2];

    for (int i = 0; i < 2; i++) {
        const double moved = i == 0 ? turns : 0;

        first[i] = (int32_t)fmax(floor((ground->shares[i] - moved) * counts[i]), 0);
        end[i] = (int32_t)fmin(ceil((ground->shares[i + 2] - moved) * counts[i]), counts[i]);
        if (end[i] <= first[i])
            return (struct rect){ 0 };
    }
    return (struct rect){ first[0], first[1], end[0] - first[0], end[1] - first[1] };
}

bool tile_zooms(const struct view *view, int32_t *native, int32_t *finest, struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), TILE_MERCATOR, why);

    if (!ground)
        return false;
    *native = ground->native;
    *finest = ground->finest;
    return true;
}

bool tile_grid_native(const struct view *view, enum tile_grid grid, int32_t side, int32_t *native,
                      struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), grid, why);
    int32_t zoom;

    if (!ground)
        return false;
    zoom = ground->native + (int32_t)log2((double)TILE_SIDE / side);
    *native = zoom < 0 ? 0 : zoom < ground->finest ? zoom : ground->finest;
    return true;
}

bool tile_grid_ranges(const struct view *view, enum tile_grid grid, int32_t z,
                      struct rect ranges[2], int32_t *count, struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), grid, why);

    if (!ground)
        return false;
    *count = 0;
    for (int32_t turns = 0; turns < (ground->grid ? 2 : 1); turns++) {
        const struct rect range = tile_ground_range(ground, z, turns);

        if (!rect_empty(range))
            ranges[(*count)++] = range;
    }
    return true;
}

bool tile_bounds(const struct view *view, double bounds[4], struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), TILE_MERCATOR, why);

    if (!ground)
        return false;
    if (!ground->grid) {
        bounds[0] = -180;
        bounds[1] = tile_mercator_latitude(ground->shares[3]);
        bounds[2] = ground->shares[2] * 360 - 180;
        bounds[3] = tile_mercator_latitude(0);
        return true;
    }
    bounds[0] = ground->lonlat[2] > 180 ? -180 : ground->lonlat[0];
    bounds[1] = fmax(ground->lonlat[1], tile_mercator_latitude(1));
    bounds[2] = ground->lonlat[2] > 180 ? 180 : ground->lonlat[2];
    bounds[3] = fmin(ground->lonlat[3], tile_mercator_latitude(0));
    return true;
}

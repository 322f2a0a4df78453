#include "terrain/format/globe_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/quantized_mesh.h"
#include "terrain/format/tile_grid.h"
#include "terrain/format/tile_map.h"

double globe_zoom_error(int32_t z)
{
    return ldexp(2 * M_PI * 6378137.0 * 0.25 / (65 * 2), -z);
}

double globe_mesh_error(int32_t z, int32_t finest)
{
    return globe_zoom_error(z) / (z < finest ? 1 : 8);
}

bool globe_finest(const struct view *view, int32_t *finest, struct fault *why)
{
    return tile_grid_native(view, TILE_GEODETIC, GLOBE_SIDE, finest, why);
}

static bool is_root(const struct globe_tile *tile)
{
    return tile->z == 0 && tile->y == 0 && (tile->x == 0 || tile->x == 1);
}

bool globe_ranges(const struct view *view, int32_t z, struct rect ranges[2], int32_t *count,
                  struct fault *why)
{
    if (!tile_grid_ranges(view, TILE_GEODETIC, z, ranges, count, why))
        return false;
    if (z > 0)
        return true;
    ranges[0] = (struct rect){ 0, 0, 2, 1 };
    *count = 1;
    return true;
}

bool globe_bounds(const struct view *view, double bounds[4], struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), TILE_GEODETIC, why);

    if (!ground)
        return false;
    memcpy(bounds, ground->lonlat, sizeof ground->lonlat);
    if (bounds[2] > 180) {
        bounds[0] = -180;
        bounds[2] = 180;
    }
    return true;
}

bool globe_has(const struct view *view, const struct globe_tile *tile, struct fault *why)
{
    struct rect ranges[2];
    int32_t finest, count;

    if (!globe_finest(view, &finest, why))
        return false;
    if (tile->z < 0 || tile->z > finest)
        return fault_set(why, FAULT_MISSING, "zoom %d does not exist: this landscape has 0 to %d",
                         tile->z, finest);
    if (tile->x < 0 || tile->x >= (int64_t)2 << tile->z || tile->y < 0 ||
        tile->y >= (int64_t)1 << tile->z)
        return fault_set(why, FAULT_MISSING,
                         "zoom %d has columns 0 to %lld and rows 0 to %lld, no tile %d/%d/%d (%d "
                         "from the south)",
                         tile->z, ((long long)2 << tile->z) - 1, ((long long)1 << tile->z) - 1,
                         tile->z, tile->x, tile->y, (1 << tile->z) - 1 - tile->y);
    if (!globe_ranges(view, tile->z, ranges, &count, why))
        return false;
    for (int32_t i = 0; i < count; i++)
        if (rect_inside((struct rect){ tile->x, tile->y, 1, 1 }, ranges[i]))
            return true;
    return fault_set(why, FAULT_RANGE, "tile %d/%d/%d does not touch the landscape", tile->z,
                     tile->x, (1 << tile->z) - 1 - tile->y);
}

struct tile globe_samples(const struct globe_tile *tile, int32_t side, int32_t margin)
{
    return (struct tile){ .z = tile->z,
                          .x = tile->x,
                          .y = tile->y,
                          .side = side,
                          .margin = margin,
                          .samples = TILE_BORDERS,
                          .grid = TILE_GEODETIC };
}

void globe_raise(const struct datum *datum, double *least, double *greatest)
{
    *least = *greatest = datum->offset;
    if (!datum->geoid)
        return;
    *least += fmin(datum->metres[0], datum->metres[1]);
    *greatest += fmax(datum->metres[0], datum->metres[1]);
}

double globe_fill(const struct view *view, const struct globe_look *look)
{
    const struct grid *grid = view_grid(view);

    return look->fill +
           datum_raise(look->datum, grid, (grid->columns - 1) / 2.0, (grid->rows - 1) / 2.0);
}

double globe_step(const struct view *view, const struct globe_look *look)
{
    const struct grid *grid = view_grid(view);
    const double fill = globe_fill(view, look);
    double least, greatest, range, below = 0;

    globe_raise(look->datum, &least, &greatest);
    least = fmin(grid_metres(grid, 0) + least, fill);
    greatest = fmax(grid_metres(grid, UINT16_MAX) + greatest, fill);
    range = greatest - least;
    /* A tile is off by the range and half a step at most, and skirts are rounded up to a step. */
    if (look->skirts != 0)
        below = fmax(3 * range, range + look->skirts);
    return quantized_mesh_step(least - below, greatest);
}

/* Adds what the geid has at each sample. */
static bool raise_samples(const struct view *view, const struct tile *tile,
                          const struct datum *datum, double *z, struct fault *why)
{
    const size_t across = (size_t)tile_samples_across(tile), count = across * across;
    double(*at)[2];
    bool done;

    if (!datum->geoid) {
        for (size_t i = 0; i < count; i++)
            z[i] += datum->offset;
        return true;
    }
    at = malloc(count * sizeof *at);
    if (!at)
        return fault_set(why, FAULT_MEMORY, "no memory for the places of %zu samples", count);
    done = tile_places(view, tile, at, why);
    for (size_t i = 0; done && i < count; i++)
        if (!isnan(z[i]))
            z[i] += datum_raise(datum, view_grid(view), at[i][0], at[i][1]);
    free(at);
    return done;
}

bool globe_heights(const struct view *view, const struct tile *tile, const struct globe_look *look,
                   double *z, struct fault *why)
{
    const size_t across = (size_t)tile_samples_across(tile), count = across * across;
    const double fill = globe_fill(view, look);
    struct fault inner = { 0 };

    if (tile_heights(view, tile, NAN, z, &inner)) {
        if (!raise_samples(view, tile, look->datum, z, why))
            return false;
    } else if (inner.code == FAULT_RANGE &&
               is_root(&(struct globe_tile){ tile->z, tile->x, tile->y })) {
        for (size_t i = 0; i < count; i++)
            z[i] = NAN;
    } else {
        *why = inner;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (isnan(z[i]))
            z[i] = fill;
    return true;
}

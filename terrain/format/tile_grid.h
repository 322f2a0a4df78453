/* The grids that tiles lie on, as rows, and how a landscape lies on each. Any thread. */
#ifndef TERRAIN_FORMAT_TILE_GRID_H
#define TERRAIN_FORMAT_TILE_GRID_H

#include "terrain/format/georef.h"
#include "terrain/format/tile.h"

/* A grid on which the whole world lies. */
struct tile_grid_row {
    const char *name;
    enum georef_frame frame;
    int32_t roots;  /* tiles of zoom 0, from west to east; there is one from north to south */
    double span[2]; /* of the whole grid, in the frame's units: west to east, south to north */
    double (*down)(double latitude); /* share of the grid north of it, not kept within 0 .. 1 */
};
extern const struct tile_grid_row tile_grid_rows[];

/* How a landscape lies on a grid: what does not change until the settings do. */
struct tile_ground {
    uint64_t key;
    const struct tile_grid_row *grid; /* NULL is the landscape's own */
    int32_t native, finest;           /* for tiles of 256 pixels */
    double lonlat[4];                 /* of landscapes with a CRS */
    double turn;                      /* see georef_turn */
    double shares[4]; /* of the whole grid: the landscape's west, north, east, south; the west one
                         is within 0 .. 1 */
};

/* Lent until the thread asks for another. `key` is tile_map_key's. */
const struct tile_ground *tile_ground_of(const struct view *view, uint64_t key, int32_t grid,
                                         struct fault *why);

/* Whether there is such a tile. Fails with MISSING. */
bool tile_ground_has(const struct tile_ground *ground, const struct tile *tile, struct fault *why);

/* The columns and rows of a zoom that the landscape touches, moved west by whole turns. */
struct rect tile_ground_range(const struct tile_ground *ground, int32_t z, int32_t turns);

int32_t tile_ground_columns(const struct tile_ground *ground, int32_t z);

/* Of a landscape without CRS: vertices across a pixel of zoom z and that side. */
double tile_own_pixel(const struct grid *grid, int32_t z, int32_t side);

double tile_mercator_latitude(double share);

#endif

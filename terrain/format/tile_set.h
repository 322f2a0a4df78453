/* Sets of map tiles: each is one file that ends in one constant struct, and a row of tile_sets.def.
 * A set turns the heights of a tile's pixels into a PNG without alpha, palette or colour chunks. */
#ifndef TERRAIN_FORMAT_TILE_SET_H
#define TERRAIN_FORMAT_TILE_SET_H

#include "terrain/base/bytes.h"
#include "terrain/format/tile.h"

struct tile_look {
    double fill;                       /* metres of pixels beyond the landscape */
    double sun_azimuth, sun_elevation; /* degrees: from north clockwise, above the horizon */
    double exaggeration;               /* of heights, where slopes are shown */
};

struct tile_set {
    const char *name;     /* in paths: "terrain-rgb" */
    const char *encoding; /* as TileJSON says it: "mapbox", "terrarium"; NULL of a picture */
    int channels;         /* of the PNG: 1 is gray, 3 are red, green and blue */
    const char *title;
    /* Appends one PNG of side x side pixels. Fails as tile_heights does. */
    bool (*paint)(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  struct bytes *png, struct fault *why);
};

extern const struct tile_set *const tile_sets[]; /* ends with NULL */

#define TILE_SET(name) extern const struct tile_set tile_set_##name;
#include "terrain/format/tile_sets.def"
#undef TILE_SET

/* For sets that encode a height as one number of 24 bits, R x 65536 + G x 256 + B: the nearest
 * whole number to (metres + base) x steps, within 0 .. 2^24 - 1. */
void tile_set_pack(const double *metres, int64_t count, double base, double steps, uint8_t *rgb);
bool tile_set_paint_heights(const struct view *view, const struct tile *tile, double fill,
                            double base, double steps, struct bytes *png, struct fault *why);

#endif

/* How the ground of a tile's pixels rises, for sets that show slopes.
 *
 * Horn's third-order differences over the eight neighbours, in metres on the ground; a pixel
 * without a neighbour takes its own height for it, and beyond the landscape the ground is level,
 * unless it has a fill height. Source: B. K. P. Horn, "Hill shading and the reflectance map",
 * Proceedings of the IEEE 69, 1981. Any thread.
 */
#ifndef TERRAIN_FORMAT_TILE_SLOPES_H
#define TERRAIN_FORMAT_TILE_SLOPES_H

#include "terrain/format/tile_set.h"

/* A row of pixels: metres up for each metre east and south, times the exaggeration. */
struct tile_slopes {
    const struct tile_look *look;
    int32_t count;
    double east[TILE_SIDE_2X], south[TILE_SIDE_2X];
};

/* Paints a row of pixels. */
typedef void tile_slopes_paint(const struct tile_slopes *row, uint8_t *pixels);

/* Each row of the tile, into pixels of so many bytes. Fails as tile_heights does. */
bool tile_slopes_each(const struct view *view, const struct tile *tile,
                      const struct tile_look *look, tile_slopes_paint *paint, size_t pixel_bytes,
                      uint8_t *pixels, struct fault *why);

/* A colour ramp: between two stops the colour is blended; beyond the last it stays. */
struct tile_stop {
    double at;
    uint8_t rgb[3];
};
void tile_ramp(const struct tile_stop *stops, int count, double at, uint8_t rgb[3]);

#endif

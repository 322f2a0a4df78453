/* Tenths of a metre above -10000 m. Source: FORMATS, raster-dem, "mapbox". */
#include "terrain/format/tile_set.h"

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    return tile_set_paint_heights(view, tile, look->fill, 10000, 10, pixels, why);
}

const struct tile_set tile_set_terrain_rgb = {
    .name = "terrain-rgb",
    .encoding = "mapbox",
    .samples = PNG_RGB8,
    .flexible = true,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "Heights in steps of 0.1 m",
    .paint = paint,
};

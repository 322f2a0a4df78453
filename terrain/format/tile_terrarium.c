/* 256ths of a metre above -32768 m. Source: FORMATS, raster-dem, "terrarium". */
#include "terrain/format/tile_set.h"

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    return tile_set_paint_heights(view, tile, look->fill, 32768, 256, pixels, why);
}

const struct tile_set tile_set_terrarium = {
    .name = "terrarium",
    .encoding = "terrarium",
    .samples = PNG_RGB8,
    .flexible = true,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "Heights in steps of 1/256 m",
    .paint = paint,
};

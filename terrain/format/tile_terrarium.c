/* 256ths of a metre above -32768 m. Source: FORMATS, raster-dem, "terrarium". */
#include "terrain/format/tile_set.h"

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  struct bytes *png, struct fault *why)
{
    return tile_set_paint_heights(view, tile, look->fill, 32768, 256, png, why);
}

const struct tile_set tile_set_terrarium = {
    .name = "terrarium",
    .encoding = "terrarium",
    .channels = 3,
    .title = "Heights in steps of 1/256 m",
    .paint = paint,
};

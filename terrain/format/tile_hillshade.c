/* The ground in sunlight, seen from above: gray, 255 where it faces the sun. */
#include <math.h>

#include "terrain/format/tile_slopes.h"

static void shade(const struct tile_slopes *row, uint8_t *gray)
{
    const double azimuth = row->look->sun_azimuth * M_PI / 180;
    const double elevation = row->look->sun_elevation * M_PI / 180;
    const double east = sin(azimuth) * cos(elevation), north = cos(azimuth) * cos(elevation);
    const double up = sin(elevation);

    for (int32_t i = 0; i < row->count; i++) {
        const double e = row->east[i], s = row->south[i];
        const double facing = (up - east * e + north * s) / sqrt(1 + e * e + s * s);
        const double light = facing > 0 ? facing : 0;

        gray[i] = (uint8_t)(int32_t)(light * 255 + 0.5);
    }
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    return tile_slopes_each(view, tile, look, shade, 1, pixels, why);
}

const struct tile_set tile_set_hillshade = {
    .name = "hillshade",
    .samples = PNG_GRAY8,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "The ground in sunlight, from above",
    .paint = paint,
};

/* The ground in sunlight, seen from above: gray, 255 where it faces the sun. */
#include "terrain/format/tile_slopes.h"
#include "terrain/query/shading.h"

static void shade(const struct tile_slopes *row, uint8_t *gray)
{
    const struct shading sun = shading_of(row->look->sun_azimuth, row->look->sun_elevation);

    for (int32_t i = 0; i < row->count; i++) {
        const double light = shading_light(&sun, row->east[i], row->south[i]);

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

/* Normals of the ground as a normal map: red is east, green north, blue up, each the nearest whole
 * number to (n + 1) / 2 x 255; level ground is (128, 128, 255). That is the tangent space of a
 * texture whose u goes east and v north ("OpenGL"). */
#include <math.h>

#include "terrain/format/tile_slopes.h"

/* 0 is halfway between two bytes: it is the greater one, also when rounding has made it a little
 * less. */
static uint8_t byte_of(double part)
{
    return (uint8_t)((part + 1) * 127.5 + 0.5 + 1e-9);
}

static void show(const struct tile_slopes *row, uint8_t *rgb)
{
    for (int32_t i = 0; i < row->count; i++, rgb += 3) {
        const double e = row->east[i], s = row->south[i];
        const double up = 1 / sqrt(1 + e * e + s * s);

        rgb[0] = byte_of(-e * up);
        rgb[1] = byte_of(s * up);
        rgb[2] = byte_of(up);
    }
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    return tile_slopes_each(view, tile, look, show, 3, pixels, why);
}

const struct tile_set tile_set_normal = {
    .name = "normal",
    .samples = PNG_RGB8,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "Normals of the ground: red east, green north, blue up",
    .paint = paint,
};

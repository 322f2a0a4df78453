/* How steep the ground is, in degrees or percent. Gray: 255 where it is level, 0 from the steepest
 * on. Ramp: pale, green, yellow, red, violet. Exact: 256ths of the unit, coded as terrarium does
 * metres, so whoever reads those reads these. */
#include <math.h>

#include "terrain/format/tile_slopes.h"

static const struct tile_stop stops[] = {
    { 0, { 247, 247, 240 } },  { 0.15, { 205, 226, 170 } }, { 0.3, { 250, 224, 120 } },
    { 0.5, { 240, 150, 70 } }, { 0.7, { 200, 60, 60 } },    { 1, { 92, 22, 92 } },
};

static double steepness(const struct tile_slopes *row, int32_t i)
{
    const double rise = sqrt(row->east[i] * row->east[i] + row->south[i] * row->south[i]);

    return row->look->unit == TILE_PERCENT ? 100 * rise : atan(rise) * 180 / M_PI;
}

static void show(const struct tile_slopes *row, uint8_t *rgb)
{
    for (int32_t i = 0; i < row->count; i++, rgb += 3) {
        const double slope = steepness(row, i);
        const double share = slope < row->look->steepest ? slope / row->look->steepest : 1;

        if (row->look->style == TILE_EXACT)
            tile_set_pack(&slope, 1, 32768, 256, rgb);
        else if (row->look->style == TILE_RAMP)
            tile_ramp(stops, sizeof stops / sizeof *stops, share, rgb);
        else
            rgb[0] = rgb[1] = rgb[2] = (uint8_t)(255 * (1 - share) + 0.5);
    }
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    return tile_slopes_each(view, tile, look, show, 3, pixels, why);
}

const struct tile_set tile_set_slope = {
    .name = "slope",
    .exact = "terrarium",
    .samples = PNG_RGB8,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "How steep the ground is",
    .paint = paint,
};

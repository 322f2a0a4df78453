/* Which way the ground falls, in degrees from north clockwise. Ramp: the colours of H. Moellering
 * and A. J. Kimerling, "A new digital slope-aspect display process", Cartography and Geographic
 * Information Systems 17, 1990, whose lightness shades the ground from the north-west; they fade
 * into gray as the ground flattens. Gray: 1 to 255 round the circle, 0 where it is level. Exact:
 * 256ths of a degree, coded as terrarium does metres, and -1 where it is level. */
#include <math.h>

#include "terrain/format/tile_slopes.h"

static const struct tile_stop stops[] = {
    { 0, { 132, 214, 0 } },    { 45, { 0, 171, 68 } },   { 90, { 0, 104, 192 } },
    { 135, { 108, 0, 163 } },  { 180, { 202, 0, 156 } }, { 225, { 255, 85, 104 } },
    { 270, { 255, 171, 71 } }, { 315, { 244, 250, 0 } }, { 360, { 132, 214, 0 } },
};
static const double vivid = 0.4; /* the slope from which on colours are full */
static const uint8_t level_gray = 161;
static const double level = 1e-9; /* a slope that rounding may make of level ground */

static void color(double aspect, double rise, uint8_t rgb[3])
{
    const double share = rise < vivid ? rise / vivid : 1;

    tile_ramp(stops, sizeof stops / sizeof *stops, aspect, rgb);
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(level_gray + share * (rgb[c] - level_gray) + 0.5);
}

static void show(const struct tile_slopes *row, uint8_t *rgb)
{
    for (int32_t i = 0; i < row->count; i++, rgb += 3) {
        const double east = row->east[i], south = row->south[i];
        const double rise = sqrt(east * east + south * south);
        /* Downhill is -east and +north of the slope, which rises towards the south. */
        double aspect = rise > level ? atan2(-east, south) * 180 / M_PI : -1;

        if (rise > level && aspect < 0)
            aspect += 360;
        if (rise > level && aspect >= 360)
            aspect = 0;
        if (row->look->style == TILE_EXACT)
            tile_set_pack(&aspect, 1, 32768, 256, rgb);
        else if (row->look->style == TILE_RAMP)
            color(aspect > 0 ? aspect : 0, rise, rgb);
        else
            rgb[0] = rgb[1] = rgb[2] = rise > level ? (uint8_t)(1 + aspect / 360 * 255) : 0;
    }
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    return tile_slopes_each(view, tile, look, show, 3, pixels, why);
}

const struct tile_set tile_set_aspect = {
    .name = "aspect",
    .exact = "terrarium",
    .samples = PNG_RGB8,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "Which way the ground falls",
    .paint = paint,
};

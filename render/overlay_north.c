/* An arrow to the north at the upper right, its N in the tip's direction. */
#include "render/overlay_inside.h"

enum { RADIUS = 17, TIP = 9, TAIL = 9, BROAD = 6 /* dots */ };

/* A kite with a notch: whether a place, so far ahead along the arrow and aside, is in it. */
static bool in_arrow(double ahead, double aside)
{
    const double share = (TIP - ahead) / (TIP + TAIL);
    const double notch = -TAIL + (TAIL - 2) * (1 - fabs(aside) / BROAD);

    return ahead <= TIP && fabs(aside) <= BROAD * share && ahead >= notch;
}

struct rect overlay_north(const struct canvas *canvas, double right, double up)
{
    const int32_t dot = canvas->dot, side = (2 * RADIUS + 1) * dot;
    const int32_t x = canvas->width - OVERLAY_MARGIN * dot - side, y = OVERLAY_MARGIN * dot;
    const struct rect plate = { x, y, side, side };
    const double length = hypot(right, up), far = RADIUS * dot;

    if (!(length > 0) || x < OVERLAY_MARGIN * dot || y + side > canvas->height)
        return (struct rect){ 0 };
    right /= length;
    up /= length;
    canvas_plate(canvas, plate);
    for (int32_t j = 0; j < side; j++)
        for (int32_t i = 0; i < side; i++) {
            const double east = (i + 0.5 - side / 2.0) / dot, north = (side / 2.0 - j - 0.5) / dot;
            const double ahead = east * right + north * up + 3, aside = east * up - north * right;

            if (in_arrow(ahead, aside))
                canvas_fill(canvas, (struct rect){ x + i, y + j, 1, 1 }, canvas_light);
        }
    canvas_text(
        canvas, x + (int32_t)(side / 2.0 + right * far * 0.74 - (GLYPH_WIDTH - 1) * dot / 2.0),
        y + (int32_t)(side / 2.0 - up * far * 0.74 - GLYPH_RISE * dot / 2.0), "N", canvas_light);
    return plate;
}

/* A scale bar at the lower left: the longest of 1, 2, 5, 10, … metres that a quarter of the picture
 * has room for, in two halves. */
#include <stdio.h>

#include "render/overlay_inside.h"

enum { BAR_HEIGHT = 4, BAR_SHARE = 4 };

/* Metres, beyond which nothing is that anybody looks at and doubles come to their end. */
#define LENGTH_LEAST 1e-30
#define LENGTH_MOST  1e30

static void name_length(double metres, const char *note, char *name, size_t room)
{
    if (metres < 1000)
        snprintf(name, room, "%g m%s", metres, note);
    else
        snprintf(name, room, "%g km%s", metres / 1000, note);
}

struct rect overlay_scale_bar(const struct canvas *canvas, double pixel, const char *note)
{
    const int32_t dot = canvas->dot, pad = OVERLAY_PAD * dot, margin = OVERLAY_MARGIN * dot;
    const double most = pixel * canvas->width / BAR_SHARE, metres = overlay_round(most);
    const bool tellable = most > LENGTH_LEAST && most < LENGTH_MOST;
    const int32_t length = tellable ? (int32_t)(metres / pixel + 0.5) : 0, half = length / 2;
    const int32_t height = (BAR_HEIGHT + 4 + GLYPH_RISE) * dot;
    int32_t width, x = margin + pad, y = canvas->height - margin - pad - height;
    struct rect plate;
    char name[64];

    if (!tellable)
        return (struct rect){ 0 };
    name_length(metres, note, name, sizeof name);
    width = canvas_text_width(canvas, name);
    width = width > length ? width : length;
    plate = (struct rect){ x - pad, y - pad, width + 2 * pad, height + 2 * pad };
    canvas_plate(canvas, plate);
    canvas_text(canvas, x, y, name, canvas_light);
    y += (GLYPH_RISE + 4) * dot;
    canvas_fill(canvas, (struct rect){ x, y, length, BAR_HEIGHT * dot }, canvas_light);
    canvas_fill(
        canvas,
        (struct rect){ x + half + dot, y + dot, length - half - 2 * dot, (BAR_HEIGHT - 2) * dot },
        canvas_dark);
    return plate;
}

/* Numbers on contour lines: at most one in each square of the picture, where a line lies as level
 * in the picture as it can be, so that the upright number lies along it; none over another, over
 * what else is drawn there, or where there is no ground. */
#include <stdio.h>

#include "render/overlay_inside.h"

enum { SQUARE = 84, PAD = 2, APART = 24 /* dots between two numbers */ };

static const uint8_t paper[4] = { 250, 247, 238, 214 }, ink[4] = { 84, 48, 14, 255 };

struct labelling {
    const struct canvas *canvas;
    const float *z; /* metres of each pixel; NaN: no ground */
    double step;    /* metres between lines with numbers */
    struct rect *taken;
    int count, most;
};

static float z_at(const struct labelling *l, int32_t x, int32_t y)
{
    return l->z[(int64_t)y * l->canvas->width + x];
}

static struct rect around(struct rect r, int32_t more)
{
    return (struct rect){ r.x - more, r.y - more, r.width + 2 * more, r.height + 2 * more };
}

static bool is_free(const struct labelling *l, struct rect plate)
{
    const struct rect all = { 0, 0, l->canvas->width, l->canvas->height };
    const struct rect alone = around(plate, APART * l->canvas->dot);

    if (!rect_inside(plate, all))
        return false;
    for (int i = 0; i < l->count; i++)
        if (!rect_empty(rect_meet(alone, l->taken[i])))
            return false;
    for (int i = 0; i < 4; i++)
        if (isnan(z_at(l, plate.x + (i & 1 ? plate.width - 1 : 0),
                       plate.y + (i & 2 ? plate.height - 1 : 0))))
            return false;
    return true;
}

/* How level the line through a pixel lies in the picture, 0 to 1; below 0 where there is none.
 * *number is which line: that many steps above 0. */
static double line_at(const struct labelling *l, int32_t x, int32_t y, double *number)
{
    double here = z_at(l, x, y), east = z_at(l, x + 1, y), south = z_at(l, x, y + 1);
    double across = east - here, down = south - here, rise = hypot(across, down);
    double line = round(here / l->step);

    /* NaN fails as well. */
    if (!(fabs(here - line * l->step) < rise / 2) || !(rise < l->step / 4))
        return -1;
    *number = line;
    return fabs(down) / rise;
}

static struct rect plate_of(const struct labelling *l, int32_t x, int32_t y, const char *text)
{
    const int32_t dot = l->canvas->dot, width = canvas_text_width(l->canvas, text) + 2 * PAD * dot;
    const int32_t height = (GLYPH_RISE + 2 * PAD) * dot;

    return (struct rect){ x - width / 2, y - height / 2, width, height };
}

static void name_line(const struct labelling *l, double number, char *text, size_t room)
{
    int decimals = (int)fmin(fmax(ceil(-log10(l->step) - 1e-9), 0), 9);

    snprintf(text, room, "%.*f", decimals, number * l->step + 0.0);
}

/* The best place in the square for a number. */
static bool find(const struct labelling *l, struct rect square, struct rect *plate, char *text,
                 size_t room)
{
    double best = 0.5;
    bool found = false;

    for (int32_t y = square.y; y < square.y + square.height; y++)
        for (int32_t x = square.x; x < square.x + square.width; x++) {
            double number = 0, level = line_at(l, x, y, &number);
            struct rect there;
            char name[32];

            if (level <= best)
                continue;
            name_line(l, number, name, sizeof name);
            there = plate_of(l, x, y, name);
            if (!is_free(l, there))
                continue;
            best = level;
            *plate = there;
            snprintf(text, room, "%s", name);
            found = true;
        }
    return found;
}

static void label_square(struct labelling *l, struct rect square)
{
    const int32_t dot = l->canvas->dot;
    struct rect plate;
    char text[32];

    if (l->count == l->most || !find(l, square, &plate, text, sizeof text))
        return;
    l->taken[l->count++] = plate;
    canvas_fill(l->canvas, plate, paper);
    canvas_text(l->canvas, plate.x + PAD * dot, plate.y + PAD * dot, text, ink);
}

int overlay_contours(const struct canvas *canvas, const float *z, double step, struct rect *taken,
                     int count, int most)
{
    struct labelling l = { canvas, z, step, taken, count, most };
    const int32_t side = SQUARE * canvas->dot;

    for (int32_t y = 0; y < canvas->height - 1; y += side)
        for (int32_t x = 0; x < canvas->width - 1; x += side) {
            int32_t right = x + side < canvas->width - 1 ? x + side : canvas->width - 1;
            int32_t bottom = y + side < canvas->height - 1 ? y + side : canvas->height - 1;

            label_square(&l, (struct rect){ x, y, right - x, bottom - y });
        }
    return l.count - count;
}

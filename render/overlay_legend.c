/* The legend at the lower right: a ramp with numbers beside it, or swatches with names. */
#include <stdio.h>
#include <string.h>

#include "render/overlay_inside.h"

enum {
    BAR_WIDTH = 12,
    BAR_HEIGHT = 108,
    BAR_HEIGHT_LEAST = 24,
    TICK = 3,
    TICKS_APART = 14, /* dots, at least */
    SWATCH = 9,
    ROW = 12,
    TITLE = GLYPH_HEIGHT + 3
};

/* A plate for so many dots, and where what is on it begins; empty where the picture has no room. */
static struct rect lay_plate(const struct canvas *canvas, int32_t width, int32_t height,
                             int32_t at[2])
{
    struct rect plate;

    const int32_t dot = canvas->dot, around = (OVERLAY_PAD + OVERLAY_MARGIN) * dot;

    at[0] = canvas->width - around - width * dot;
    at[1] = canvas->height - around - height * dot;
    if (at[0] < around || at[1] < around)
        return (struct rect){ 0 };
    plate = (struct rect){ at[0] - OVERLAY_PAD * dot, at[1] - OVERLAY_PAD * dot,
                           (width + 2 * OVERLAY_PAD) * dot, (height + 2 * OVERLAY_PAD) * dot };
    canvas_plate(canvas, plate);
    return plate;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t dots_of(const char *text)
{
    const struct canvas one = { .dot = 1 };

    return canvas_text_width(&one, text);
}

/* A ramp */

struct scale {
    double low, high, step; /* numbers stand at the multiples of step */
    int decimals;
};

static struct scale scale_of(const struct ramp_span *span, int32_t height)
{
    struct scale scale = { .low = span->low, .high = span->high };
    int32_t ticks = larger(height / TICKS_APART, 2);

    /* The least of 1, 2, 5, … that leaves them far enough apart. */
    scale.step = overlay_round((span->high - span->low) / ticks);
    while ((span->high - span->low) / scale.step > ticks)
        scale.step = overlay_round(scale.step * 2.5);
    scale.decimals = (int)fmin(fmax(ceil(-log10(scale.step) - 1e-9), 0), 9);
    return scale;
}

static void name_number(const struct scale *scale, double value, char *name, size_t room)
{
    snprintf(name, room, "%.*f", scale->decimals, value + 0.0);
}

/* Calls for each number, in dots from the bar's top. */
static void each_tick(const struct scale *scale, int32_t height,
                      void (*visit)(void *context, int32_t y, const char *name), void *context)
{
    const double first = ceil(scale->low / scale->step - 1e-9);

    for (int i = 0; (first + i) * scale->step <= scale->high + 1e-9 * scale->step; i++) {
        double value = (first + i) * scale->step;
        char name[32];

        name_number(scale, value, name, sizeof name);
        visit(context,
              (int32_t)((height - 1) * (scale->high - value) / (scale->high - scale->low) + 0.5),
              name);
    }
}

static void widest(void *context, int32_t y, const char *name)
{
    int32_t *width = context;

    (void)y;
    *width = larger(*width, dots_of(name));
}

struct bar {
    const struct canvas *canvas;
    int32_t x, y; /* pixels of its upper left */
};

static void draw_tick(void *context, int32_t y, const char *name)
{
    const struct bar *bar = context;
    const int32_t dot = bar->canvas->dot, x = bar->x + BAR_WIDTH * dot;

    canvas_fill(bar->canvas, (struct rect){ x, bar->y + y * dot, TICK * dot, dot }, canvas_light);
    canvas_text(bar->canvas, x + (TICK + 2) * dot, bar->y + (y - GLYPH_RISE / 2) * dot, name,
                canvas_light);
}

static void draw_bar(const struct bar *bar, const struct legend *legend, int32_t height)
{
    const int32_t dot = bar->canvas->dot;
    const struct ramp_span *span = &legend->span;

    for (int32_t y = 0; y < height * dot; y++) {
        double value = span->high - (span->high - span->low) * y / (height * dot - 1);
        uint8_t colour[4] = { 0, 0, 0, 255 };

        ramp_colour(legend->ramp, span, value, colour);
        canvas_fill(bar->canvas, (struct rect){ bar->x, bar->y + y, BAR_WIDTH * dot, 1 }, colour);
    }
}

static struct rect draw_ramp(const struct canvas *canvas, const struct legend *legend)
{
    const int32_t room =
        canvas->height / canvas->dot - 2 * (OVERLAY_MARGIN + OVERLAY_PAD) - TITLE - GLYPH_RISE;
    const int32_t height = room < BAR_HEIGHT ? room : BAR_HEIGHT;
    struct scale scale;
    int32_t names = 0, at[2];
    struct rect plate;
    struct bar bar;

    if (height < BAR_HEIGHT_LEAST)
        return (struct rect){ 0 };
    scale = scale_of(&legend->span, height);
    each_tick(&scale, height, widest, &names);
    plate = lay_plate(canvas, larger(BAR_WIDTH + TICK + 2 + names, dots_of(legend->title)),
                      TITLE + height + GLYPH_RISE / 2, at);
    if (rect_empty(plate))
        return plate;
    canvas_text(canvas, at[0], at[1], legend->title, canvas_light);
    bar = (struct bar){ canvas, at[0], at[1] + TITLE * canvas->dot };
    draw_bar(&bar, legend, height);
    each_tick(&scale, height, draw_tick, &bar);
    return plate;
}

/* Swatches */

static struct rect draw_swatches(const struct canvas *canvas, const struct legend *legend)
{
    const int32_t dot = canvas->dot;
    const int32_t room = (canvas->height / dot - 2 * (OVERLAY_MARGIN + OVERLAY_PAD) - TITLE) / ROW;
    int shown = legend->count < LEGEND_SWATCHES_MOST ? legend->count : LEGEND_SWATCHES_MOST;
    int32_t width = dots_of(legend->title), at[2];
    struct rect plate;
    char more[32] = "";

    shown = shown < room - 1 ? shown : room - 1;
    if (shown < 1)
        return (struct rect){ 0 };
    for (int i = 0; i < shown; i++)
        width = larger(width, SWATCH + 4 + dots_of(legend->swatches[i].name));
    if (shown < legend->count)
        snprintf(more, sizeof more, "and %d more", legend->count - shown);
    width = larger(width, dots_of(more));
    plate = lay_plate(canvas, width, TITLE + ROW * (shown + (more[0] != 0)) - (ROW - SWATCH), at);
    if (rect_empty(plate))
        return plate;
    canvas_text(canvas, at[0], at[1], legend->title, canvas_light);
    for (int i = 0; i < shown; i++) {
        const struct legend_swatch *swatch = &legend->swatches[i];
        const uint8_t colour[4] = { swatch->rgb[0], swatch->rgb[1], swatch->rgb[2], 255 };
        int32_t y = at[1] + (TITLE + ROW * i) * dot;

        canvas_fill(canvas, (struct rect){ at[0], y, SWATCH * dot, SWATCH * dot }, colour);
        canvas_text(canvas, at[0] + (SWATCH + 4) * dot, y + dot, swatch->name, canvas_light);
    }
    canvas_text(canvas, at[0], at[1] + (TITLE + ROW * shown) * dot + dot, more, canvas_light);
    return plate;
}

struct rect overlay_legend(const struct canvas *canvas, const struct legend *legend)
{
    if (legend->ramp)
        return draw_ramp(canvas, legend);
    return legend->count > 0 ? draw_swatches(canvas, legend) : (struct rect){ 0 };
}

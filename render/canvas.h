/* Draws plates, bars and text on a finished picture: crisp, dot by dot, without smoothing.
 *
 * Pixels are straight RGBA8, rows from the top. Everything is cut off at the picture's borders. A
 * dot is `dot` pixels a side, so that text can be read in large pictures too. One thread.
 */
#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include <stdint.h>

#include "terrain/base/rect.h"

enum {
    GLYPH_WIDTH = 6,  /* dots from one glyph to the next, */
    GLYPH_HEIGHT = 9, /* of a line with what hangs below it, */
    GLYPH_RISE = 7    /* and without */
};

struct canvas {
    uint8_t *rgba;
    int32_t width, height, dot;
};

/* A canvas with dots that suit the picture's size. */
struct canvas canvas_of(uint8_t *rgba, int32_t width, int32_t height);

extern const uint8_t canvas_light[4], canvas_dark[4];

/* Lays a colour over the pixels, by its alpha. */
void canvas_fill(const struct canvas *canvas, struct rect where, const uint8_t colour[4]);

/* A soft dark plate with its corners cut, for what is written on it to be read on any ground. */
void canvas_plate(const struct canvas *canvas, struct rect where);

/* Text in UTF-8: ASCII and the degree sign have glyphs, all else is a box. (x, y) is its top left.
 * What it takes in pixels: canvas_text_width across, GLYPH_HEIGHT dots down. */
void canvas_text(const struct canvas *canvas, int32_t x, int32_t y, const char *text,
                 const uint8_t colour[4]);
int32_t canvas_text_width(const struct canvas *canvas, const char *text);

#endif

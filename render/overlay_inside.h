/* The overlays, one file each. */
#ifndef RENDER_OVERLAY_INSIDE_H
#define RENDER_OVERLAY_INSIDE_H

#include <math.h>

#include "render/canvas.h"
#include "render/legend.h"
#include "render/picture.h"

/* Dots between an overlay and the picture's border, and between a plate's border and what is on it.
 */
enum { OVERLAY_MARGIN = 10, OVERLAY_PAD = 6 };

/* The greatest of …, 1, 2, 5, 10, 20, … that is no more than `most`, which is above 0, but for
 * rounding. */
static inline double overlay_round(double most)
{
    const double decade = pow(10, floor(log10(most *= 1 + 1e-9)));

    return most >= 10 * decade  ? 10 * decade
           : most >= 5 * decade ? 5 * decade
           : most >= 2 * decade ? 2 * decade
                                : decade;
}

/* A bar of so many metres, where a pixel is `pixel` metres; a note goes behind the length. What it
 * takes of the picture; empty for lengths that cannot be told. */
struct rect overlay_scale_bar(const struct canvas *canvas, double pixel, const char *note);

/* What it takes of the picture; empty where that has no room for it. */
struct rect overlay_legend(const struct canvas *canvas, const struct legend *legend);

/* An arrow at the upper right that points so far right and up; what it takes. */
struct rect overlay_north(const struct canvas *canvas, double right, double up);

/* Numbers on the lines `step` metres apart, of ground whose pixels lie z metres high (NaN: none);
 * how many. `taken` are `count` rectangles to be kept free, with room for `most`; those of the
 * numbers are added. */
int overlay_contours(const struct canvas *canvas, const float *z, double step, struct rect *taken,
                     int count, int most);

#endif

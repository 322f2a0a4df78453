/* A row of a picture from right above, as the modes colour it. Any thread. */
#ifndef RENDER_FLAT_ROW_H
#define RENDER_FLAT_ROW_H

#include <stdint.h>

#include "terrain/core/view.h"

struct picture;

/* What is known of each pixel, if the mode asks for it (by FLAT_BIT). Means of the ground where
 * more of it than a vertex lies within a pixel; between samples of it, blended. */
enum flat_field {
    FLAT_Z,     /* local metres */
    FLAT_EAST,  /* rises by Horn's differences, metres up for each metre east */
    FLAT_SOUTH, /* and south */
    FLAT_BEND,  /* mean curvature, 1/m, above 0 where convex; see landform.h */
    FLAT_RED,   /* paint in its layers' debug colours by weight, 0 .. 255 */
    FLAT_GREEN,
    FLAT_BLUE,
    FLAT_WEIGHT, /* of the layer that the picture is of, 0 .. 1 */
    FLAT_RISE,   /* metres since the version that the picture compares with */
    FLAT_FIELDS
};
#define FLAT_BIT(field) (1u << FLAT_##field)

struct flat_row {
    const struct view *view;
    const struct picture *picture;
    int32_t count;
    const float *fields[FLAT_FIELDS];
    double low, high; /* z of the lowest and the highest ground of the landscape */
    double pixel;     /* metres of a pixel, the longer side */
    double sample;    /* and of a sample of the ground */
};

/* Colours of a row: red, green, blue and alpha, as they are to be seen. What there is no ground at
 * is painted over afterwards. */
typedef void flat_colour(const struct flat_row *row, uint8_t *rgba);

#endif

/* A row of a picture from right above, as the modes colour it. Any thread. */
#ifndef RENDER_FLAT_ROW_H
#define RENDER_FLAT_ROW_H

#include <stdint.h>

#include "render/ramp.h"
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
    FLAT_ERROR,  /* metres that the collision heightfield lies off the ground */
    FLAT_EDGE,   /* 1 within two pixels of a hole, else 0 */
    FLAT_FIELDS
};
#define FLAT_BIT(field) (1u << FLAT_##field)

struct flat_row {
    const struct view *view;
    const struct picture *picture;
    int32_t count;
    const float *fields[FLAT_FIELDS];
    double low, high;      /* z of the lowest and the highest ground of the landscape */
    struct ramp_span span; /* what the mode's ramp is laid over, */
    const uint32_t *ramp;  /* and its table, RAMP_TEXELS pixels */
    double interval;       /* metres between contours */
    double pixel;          /* metres of a pixel, the longer side */
    double sample;         /* and of a sample of the ground */
    float *values;         /* room for one of each pixel */
};

/* Colours of a row as they are to be seen: red in a pixel's first byte, then green, blue and alpha.
 * Where there is no ground they are painted over afterwards. */
typedef void flat_colour(const struct flat_row *row, uint32_t *pixels);

#endif

/* How far a collision heightfield lies off the ground, at samples (samples.h): the greatest among
 * the vertices that a sample stands for, of up to 8 x 8 spread over them. One thread. */
#ifndef RENDER_ERRORS_H
#define RENDER_ERRORS_H

#include "terrain/query/collision.h"

struct errors {
    const struct view *view;
    struct collision collision;
    int32_t level;
    struct rect samples;           /* that are asked for */
    struct rect coarse;            /* those of the heightfield that they lie between */
    uint16_t *codes;               /* of the latter, */
    uint16_t *row;                 /* and room for a row of vertices */
    struct errors_column *columns; /* the vertices of a row of samples that are looked at */
};

/* The samples of the heightfield around vertices on the landscape. */
struct rect errors_around(const struct collision *collision, struct rect vertices);

/* Reads what such a rectangle of samples needs. Fails with IMPOSSIBLE when there is no such mip,
 * or MEMORY; errors_close in any case. */
bool errors_open(struct errors *errors, const struct view *view, int32_t mip,
                 struct derived_cache *derived, int32_t level, struct rect samples,
                 struct fault *why);
void errors_close(struct errors *errors);

/* Metres of a row of the samples, from 0 on. */
void errors_row(struct errors *errors, int32_t row, float *metres);

#endif

/* A part of a picture from right above, while it is drawn. One thread. */
#ifndef RENDER_FLAT_INSIDE_H
#define RENDER_FLAT_INSIDE_H

#include <stdbool.h>

#include "render/errors.h"
#include "render/flat_row.h"
#include "render/flat_stretch.h"
#include "terrain/base/fault.h"
#include "terrain/lod/camera.h"

enum { FLAT_PART = 1024 }; /* pixels a side, at most */

/* How pixels lie on the grid: pixel (x, y)'s centre is at first + x * right + y * down, vertices.
 */
struct flat_frame {
    double first[2], right[2], down[2];
    double pixel;  /* metres, the longer side */
    int32_t level; /* of the samples that it is drawn from */
    struct extent extent;
};

/* Whether it is how a map is seen. */
bool flat_looks_down(const struct look *look);

/* A field of the part, pixel row by pixel row. Along the grid two rows of samples are kept,
 * brought to the pixels' columns; else all samples are. */
struct flat_lane {
    float *rows[2];
    int32_t at[2];
    float *plane;
    float *row; /* the pixels' */
};

struct flat_part {
    const struct view *view, *before;
    const struct picture *picture;
    const struct flat_frame *frame;
    struct derived_cache *derived; /* or NULL */
    unsigned fields;
    int32_t layer;      /* index of the paint layer that FLAT_WEIGHT is of */
    struct rect pixels; /* of the picture */
    struct rect reach;  /* samples that its pixels lie between */
    bool along;         /* rows of pixels lie along those of samples, columns along columns */
    uint16_t *codes, *codes_before; /* the reach and one sample around it */
    uint8_t *holes;                 /* a byte a sample of holed; NULL: none */
    struct rect holed;              /* the reach, and what lies near it */
    struct errors errors;           /* for FLAT_ERROR */
    struct flat_stretch stretch;    /* along: samples of the reach to pixels */
    uint8_t *inside;  /* along: whether a pixel is between the landscape's west and east borders */
    float *samples;   /* room for a row of samples of three fields */
    uint8_t *weights; /* and for a row of weights */
    struct flat_lane lanes[FLAT_FIELDS];
};

/* Reads what the part lies on. Fails with MEMORY; flat_part_fini in any case. */
bool flat_part_init(struct flat_part *part, struct fault *why);
void flat_part_fini(struct flat_part *part);

/* The fields of a pixel row of the part, into lanes[].row; and which of its pixels are ground. */
void flat_part_row(struct flat_part *part, int32_t y);
void flat_part_ground(const struct flat_part *part, int32_t y, uint8_t *ground);

/* The fields of a row of samples that are made together, the first of them being `field`: reach
 * width of them each, one behind the other. */
void flat_samples(struct flat_part *part, enum flat_field field, int32_t row, float *to);

/* The paint of a row of samples: red, green and blue, or the weight of the one layer. */
void flat_paint_colours(const struct flat_part *part, int32_t row, float *to);
void flat_paint_weight(const struct flat_part *part, int32_t row, float *to);

#endif

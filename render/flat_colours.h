/* The colours of the modes in C, as the shaders of the same modes give them. Any thread. */
#ifndef RENDER_FLAT_COLOURS_H
#define RENDER_FLAT_COLOURS_H

#include "render/flat_row.h"

/* By the mode's ramp: of metres, of degrees of slope, of 1/m, of a weight, of metres between two
 * versions, of metres of error. */
flat_colour flat_height, flat_slope, flat_curvature, flat_layer, flat_diff, flat_collision;

/* By the compass: colours fade into gray as the ground flattens, so level ground is gray. */
flat_colour flat_aspect;

/* Gray, white where it faces the light; of one sun, or of several. */
flat_colour flat_hillshade;

/* Brown lines on pale paper, every fifth stronger; see flat_contours.c. */
flat_colour flat_contours;

/* How they are drawn, here and in shaders. */
struct contour_pen {
    float strong_every;                  /* lines */
    float ink[3];                        /* 0 .. 255 */
    float paper_share;                   /* of white in the paper, beside the ramp's colour */
    float half_width, strong_half_width; /* pixels */
    float lesser;                        /* share of ink in the lines that are not strong */
    float crowded, free_of_others;       /* pixels between lines: none is drawn, all of it */
};
extern const struct contour_pen contour_pen;

/* Of aspects: the rise from which colours are full, and the gray of level ground, 0 .. 255. */
static const float flat_vivid = 0.4f, flat_level = 161;

flat_colour flat_normals, flat_layers;

/* Pale, with a line where it ends at a hole. */
flat_colour flat_holes;

#endif

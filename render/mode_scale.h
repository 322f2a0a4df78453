/* What a mode's numbers are coloured by, the same for C and for shaders. The daemon's side; any
 * thread. */
#ifndef RENDER_MODE_SCALE_H
#define RENDER_MODE_SCALE_H

#include "render/picture.h"
#include "render/ramp.h"
#include "terrain/base/derived.h"

/* The ramp that the picture names, else the mode's own, and what it is laid over: the picture's
 * range, else
 *   height      from the lowest ground to the highest, m
 *   slope       0 to 60 degrees
 *   aspect      0 to 360 degrees clockwise from north
 *   curvature   what 19 of 20 places of the landscape lie within, at the picture's resolution, 1/m
 *   weight      0 to 1
 *   rise        the greatest difference of the versions, m
 *   error       0 to the greatest error of the collision mip, m, in up to 64 components
 * Of a mode without numbers ramp is NULL. The cache may be NULL. Fails with MEMORY and as
 * mode_check does. */
struct mode_scale {
    const struct ramp *ramp;
    struct ramp_span span;
};
bool mode_scale(const struct view *view, const struct picture *picture,
                struct derived_cache *derived, struct mode_scale *scale, struct fault *why);

/* Whether the picture says what its mode needs. Fails with INPUT, placed at the option as requests
 * name it, for a mode that compares without anything to compare with, a paint layer or a collision
 * mip that there is not, and versions of different sizes. */
bool mode_check(const struct view *view, const struct picture *picture, struct fault *why);

/* Metres between contours: the picture's, else the least of 1, 2, 5, 10, … with which no more than
 * about one for each CONTOUR_PIXELS of the picture's shorter side, but 8 to 30, lie over the relief
 * that is in the picture. */
enum { CONTOUR_PIXELS = 24, CONTOURS_LEAST = 8, CONTOURS_MOST = 30 };
double mode_interval(const struct view *view, const struct picture *picture);

/* Which mip the picture's collision errors are of: its own, else the landscape's, else 1. */
int32_t mode_mip(const struct view *view, const struct picture *picture);

/* Quads between two samples of its collision heightfield; 1 when there is no such mip. */
double mode_mip_spacing(const struct view *view, const struct picture *picture);

/* Metres of a pixel, about: in the middle of the picture. */
double mode_pixel(const struct view *view, const struct picture *picture);

#endif

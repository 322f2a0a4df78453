/* The form of the ground: how steep it is, which way it falls, how it bends.
 *
 * Of a 3 x 3 window of vertices. Slope and aspect are by Horn's weighted differences, as in the
 * slope tiles; curvatures are those of the quadratic surface fitted to all nine by least squares
 * (Evans, Young). A curvature is in 1/m and above 0 where the ground is convex:
 *   plan     of the contour line: above 0 where what flows down parts, below where it gathers
 *   profile  of the section down the slope: above 0 where what flows down gains speed
 *   mean     of the surface: half the sum of its principal curvatures
 * Aspect, plan and profile are NaN on level ground, where they mean nothing. A vertex beyond the
 * landscape's border lies on the line through the two within, so a plane is as steep at its border
 * as elsewhere. Holes count as the ground beneath.
 *
 * Source: B. K. P. Horn, "Hill shading and the reflectance map", Proceedings of the IEEE 69, 1981;
 * J. Schmidt, I. S. Evans and J. Brinkmann, "Comparison of polynomial models for land surface
 * curvature calculation", International Journal of Geographical Information Science 17, 2003
 * (Evans's fit; profile, plan and mean curvature). The same to the bit on every machine.
 * Any thread.
 */
#ifndef TERRAIN_QUERY_LANDFORM_H
#define TERRAIN_QUERY_LANDFORM_H

#include <stdint.h>

#include "terrain/base/rect.h"
#include "terrain/core/view.h"

enum landform {
    LANDFORM_SLOPE,  /* degrees from the horizontal, 0 to 90 */
    LANDFORM_ASPECT, /* degrees clockwise from north of the way down, at least 0 and below 360 */
    LANDFORM_PLAN,
    LANDFORM_PROFILE,
    LANDFORM_MEAN,
    LANDFORMS
};

/* One of them along a row of `count` vertices. The three rows of codes begin with the vertex west
 * of the first and end with the one east of the last: count + 2 each. */
void landform_row(enum landform what, const struct grid *grid, const double *north,
                  const double *here, const double *south, int32_t count, double *to);

/* All of them, in the middle of a window of codes, row by row. */
void landform_window(const double window[9], const struct grid *grid, double forms[LANDFORMS]);

/* All of them at a place on the landscape: at a vertex by its window, elsewhere by the window of
 * the surface's places one quad apart around it, so that they change without a step. False
 * outside (NaN is outside). */
bool landform_at(const struct view *view, const double at[2], double forms[LANDFORMS]);

/* Codes of a rectangle, rows `stride` apart. It may reach one vertex beyond the landscape on each
 * side, and has at least two of its columns and two of its rows. */
void landform_read(const struct view *view, struct rect from, double *codes, int64_t stride);

#endif

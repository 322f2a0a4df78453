/* How the ground lies at its vertices: slope, aspect, curvature.
 *
 * With sx and sy metres a quad, heights z in metres and r quads of reach, at the vertex (x, y):
 *
 *   gradient   ((z(x+r, y) - z(x-r, y)) / (2 r sx), (z(x, y+r) - z(x, y-r)) / (2 r sy)); where the
 *              landscape ends nearer than r, to its border and divided by the distance there is
 *   slope      the angle whose tangent is the gradient's length, degrees
 *   aspect     the compass direction that the ground falls towards, against the gradient:
 *              degrees clockwise from north (towards row 0), at least 0 and below 360; level ground
 *              has none, which is -1
 *   curvature  (2 z - z(x-r, y) - z(x+r, y)) / (r sx)^2 + the same of y / (r sy)^2, in 1/m: above
 *              0 on crests, below in hollows; an axis on which the landscape ends nearer than r
 *              counts as 0
 *
 * Source: central differences. Each fills `count` numbers, at most BLOCK_SIDE, from (x, y) on, the
 * surface being readable as far as the reach goes. Any thread.
 */
#ifndef TERRAIN_EDIT_RELIEF_H
#define TERRAIN_EDIT_RELIEF_H

#include "terrain/core/grid.h"
#include "terrain/core/tree.h"

enum { RELIEF_REACH_MOST = 16 };

void relief_slopes(const struct tree *surface, const struct grid *grid, int32_t reach, int32_t x,
                   int32_t y, int32_t count, double *degrees);
void relief_aspects(const struct tree *surface, const struct grid *grid, int32_t reach, int32_t x,
                    int32_t y, int32_t count, double *degrees);
void relief_curvatures(const struct tree *surface, const struct grid *grid, int32_t reach,
                       int32_t x, int32_t y, int32_t count, double *curvatures);

#endif

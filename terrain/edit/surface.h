/* Heights, or weights, of a tree between its vertices, for tools. Any thread. */
#ifndef TERRAIN_EDIT_SURFACE_H
#define TERRAIN_EDIT_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/core/tree.h"

/* The unrounded value at grid coordinates: on the triangle, as queries see it, or blended from the
 * four vertices around, as pictures are enlarged. False off the landscape (NaN is off). */
bool surface_triangle(const struct tree *tree, double x, double y, double *value);
bool surface_bilinear(const struct tree *tree, double x, double y, double *value);

#endif

/* How a dab fades from its middle to its rim: the falloffs of the reference, one number at a
 * time or a row at a time with the same result to the bit. Any thread. */
#ifndef TERRAIN_EDIT_FALLOFF_H
#define TERRAIN_EDIT_FALLOFF_H

#include "terrain/edit/brush.h"

/* `count` forces at the squares of distances: share of the radius that fades, 0..1. */
void falloff_row(enum falloff_shape shape, double radius, double share, int32_t count,
                 const double *squares, double *force);

#endif

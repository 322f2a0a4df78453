/* What a camera can see: a look between two planes across its direction. Any thread. */
#ifndef TERRAIN_LOD_FRUSTUM_H
#define TERRAIN_LOD_FRUSTUM_H

#include <stdbool.h>

#include "terrain/lod/camera.h"

struct frustum {
    struct look look;
    double nearest, farthest; /* metres ahead of the eye */
};

/* False when all of the box lies beyond one of the six planes; a box on a plane is seen. */
bool frustum_sees(const struct frustum *frustum, const double low[3], const double high[3]);

/* From the eye to the nearest point of the box; 0 inside. */
double look_distance(const struct look *look, const double low[3], const double high[3]);

#endif

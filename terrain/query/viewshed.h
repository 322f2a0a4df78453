/* Which vertices of a window are seen from a place.
 *
 * A target, a vertex or a point some metres above it, is seen if the line from the eye to it is
 * nowhere below the surface of LOD 0; touching is allowed. Ground in holes neither hides anything
 * nor is it seen. Decisions are exact on the triangles for an eye, a target height and drops that
 * are rounded to 2^-20 of a quad and of a stored height's unit.
 *
 * `bend`, per metre, is how the Earth curves away: a vertex d metres off lies d^2 x bend lower.
 * With R the Earth's radius and k the coefficient of refraction that is (1 - k) / 2R; 0 is a flat
 * one. Between vertices the ground stays what its triangles are. Any thread. */
#ifndef TERRAIN_QUERY_VIEWSHED_H
#define TERRAIN_QUERY_VIEWSHED_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct viewshed_options {
    double target_height; /* metres, not below 0 */
    double radius;        /* metres across the ground, beyond which nothing counts; or INFINITY */
    double bend;
    bool ignore_holes;      /* the ground beneath is there */
    bool heights;           /* tell what hidden targets lack */
    int64_t most_crossings; /* beyond which it fails; 0 is no limit */
};

struct viewshed {
    struct rect over;
    uint8_t *seen; /* row by row: 255, or 0 */
    float *lacks;  /* with `heights`: by how many metres a target would have to be higher to be
                      seen; NaN where there is no ground, and beyond the radius. Or NULL */
    int64_t count; /* of those that are seen */
    /* What it took: sides that were crossed on walks to targets too near to the horizon for
     * rounding to tell, and the most pieces that a quarter's horizon had. */
    int64_t crossings, pieces;
};

/* The vertices that have a part in it: of the window, and between it and the eye. */
struct rect viewshed_reach(const struct view *view, const double eye[3], struct rect over);

/* From a grid position with a height in metres. About 10 bytes for each vertex in reach, and 4 more
 * with heights; horizons take 50 more at the very worst, and hardly ever one. Fails with IMPOSSIBLE
 * for an eye below the ground, for one too far away for whole numbers (131072 quads, 2^24 units of
 * height), or for ground so spiky that horizons would need more; with LIMIT beyond most_crossings,
 * which is the same on any executor; with MEMORY. There is then nothing to free. */
bool viewshed_see(const struct view *view, const double eye[3], struct rect over,
                  const struct viewshed_options *options, const struct executor *executor,
                  struct viewshed *viewshed, struct fault *why);

void viewshed_free(struct viewshed *viewshed);

#endif

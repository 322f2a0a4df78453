/* What differs between two versions of a landscape, as numbers. Any thread. */
#ifndef TERRAIN_QUERY_COMPARE_H
#define TERRAIN_QUERY_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* Of the surface over a rectangle: later minus earlier, in metres. A vertex stands for the ground
 * of one quad, which is exact but for the landscape's border. A quad counts at its north-west
 * vertex. */
struct compared {
    int64_t changed;              /* vertices at which anything differs, */
    struct rect dirty;            /* and the rectangle around them */
    int64_t heights, weights;     /* those whose height, whose weights do */
    double least, greatest, mean; /* over all vertices of the rectangle */
    double raised, lowered;       /* m3, both positive */
    int64_t opened, closed;       /* quads that became holes, or solid */
};

/* Fails with IMPOSSIBLE when the versions have different sizes. */
bool compare_views(const struct view *from, const struct view *to, struct rect over,
                   struct compared *compared, struct fault *why);

/* The differences of heights of one row of a rectangle, `width` of them from (x, y) on; of versions
 * of one size. */
void compare_row(const struct view *from, const struct view *to, int32_t x, int32_t y,
                 int32_t width, double *metres);

#endif

/* Boxes and spheres against the surface: do they touch any of it? Any thread. */
#ifndef TERRAIN_QUERY_OVERLAP_H
#define TERRAIN_QUERY_OVERLAP_H

#include "terrain/query/shapes.h"

/* Sizes are metres; axes are unit and at right angles to each other, in local axes. */
struct overlap_box {
    double center[3];
    double half[3];
    double axes[3][3];
};

struct overlap_sphere {
    double center[3];
    double radius;
};

/* HIT: it overlaps. Not solid, the surface is a thin sheet, and a box wholly below it overlaps
 * nothing; solid, all that lies below a quad which is no hole is ground, down to any depth. */
struct overlap {
    enum ray_status status;
    int64_t triangle; /* one that it touches or, solid, that is above a place of it */
};

bool overlap_boxes(const struct view *view, const struct overlap_box *boxes, size_t count,
                   const struct shape_ways *ways, struct overlap *overlaps,
                   const struct executor *executor, struct fault *why);
bool overlap_spheres(const struct view *view, const struct overlap_sphere *spheres, size_t count,
                     const struct shape_ways *ways, struct overlap *overlaps,
                     const struct executor *executor, struct fault *why);

/* A box between two corners, in any order, along the landscape's axes; one that is turned by a
 * quaternion x, y, z, w of any length, which turns x towards y when z and w are above 0. False: the
 * quaternion is 0 or not finite. */
void overlap_box_between(const struct view *view, const double corner[3], const double opposite[3],
                         struct overlap_box *box);
bool overlap_box_turned(const double center[3], const double half[3], const double quaternion[4],
                        struct overlap_box *box);

#endif

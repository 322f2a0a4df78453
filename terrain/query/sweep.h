/* Sphere sweeps: where a moving sphere first touches the surface. Any thread. */
#ifndef TERRAIN_QUERY_SWEEP_H
#define TERRAIN_QUERY_SWEEP_H

#include "terrain/query/shapes.h"

/* From farther away, in quads and metres, doubles cannot tell where on its way a sphere comes to
 * the ground: a sweep with such an end is WRONG, as a ray is. */
#define SWEEP_FARTHEST 0x1p44

/* A sphere of radius metres, 0 allowed, whose centre goes straight from `from` to `to`, which may
 * be the same place. */
struct sweep {
    double from[3], to[3];
    double radius;
};

/* The first t in 0..1 at which the sphere comes to touch a triangle; of several at the same t the
 * one with the least number. A sphere that touches where it begins has t = 0, and then it is the
 * triangle nearest to the centre; it is `inside` when that is nearer than the radius. */
struct touch {
    enum ray_status status;
    bool inside;
    double t;
    double center[3];
    double at[3];     /* where it touches; when inside, the surface's place nearest to the centre */
    double normal[3]; /* unit, local axes: from there towards the centre, which moved so far would
                         end inside; where the two are one place, the triangle's upward normal */
    double
        penetration; /* metres: how far it would have to move along the normal; 0 unless inside */
    int64_t triangle;
};

bool sweep_spheres(const struct view *view, const struct sweep *sweeps, size_t count,
                   const struct shape_ways *ways, struct touch *touches,
                   const struct executor *executor, struct fault *why);

/* How many metres the way is long. */
double sweep_metres(const struct view *view, const struct sweep *sweep);

#endif

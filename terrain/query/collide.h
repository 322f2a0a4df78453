/* Questions about the surface: how high, which way it faces, is it there.
 *
 * Each call reads one view, so answers taken from the same view agree even while
 * edits go on. Positions are grid coordinates; heights metres; normals unit
 * vectors in local axes, z up. A quad is split along the diagonal from its
 * north-west to its south-east vertex. Definitions: collision of the reference.
 * Any thread.
 */
#ifndef TERRAIN_QUERY_COLLIDE_H
#define TERRAIN_QUERY_COLLIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/query/interpolate.h"
#include "terrain/query/ray.h"

struct surface {
    double z;
    double normal[3]; /* of the triangle */
    double smooth[3]; /* vertex normals, weighted by place in the triangle */
    int64_t triangle; /* 2 (j (columns - 1) + i) + 0 north-east or 1 south-west */
    double shares[3]; /* barycentric, of the triangle's corners: north-west, then north-east (0) or
                         south-west (1), then south-east */
    bool hole;        /* z and normals are those of the ground beneath */
};

/* Fails with RANGE outside the landscape. A hole is an answer. */
bool collide_surface(const struct view *view, const double at[2], struct surface *surface,
                     struct fault *why);

/* The same of a position that a ray or the like met on a triangle, by that triangle's plane: what
 * lies on an edge to the last bit belongs to the triangle that was met. Shares are within 0..1.
 * Fails with RANGE where there is no such triangle. */
bool collide_on_triangle(const struct view *view, int64_t triangle, const double at[2],
                         struct surface *surface, struct fault *why);

/* The height alone, without a fault: false outside. The one sampling function: queries,
 * tiles and pictures all come here, so they agree. hole may be NULL. */
bool collide_height(const struct view *view, double x, double y, double *z, bool *hole);

/* The same between vertices in another way, of which the triangles of TRIANGLE are one. Holes are
 * quads in any case. */
bool collide_between(const struct view *view, enum interpolation interpolation, const double at[2],
                     double *z, bool *hole);

/* How heights are asked for; {0} is the surface itself, with its holes. */
struct collide_ways {
    enum interpolation interpolation;
    bool ignore_holes; /* the ground beneath a hole is there */
};

/* Heights at count points, pairs of grid x and y; NaN outside, and in holes unless told to
 * ignore them. statuses, if not NULL, tells which: RAY_HIT, RAY_HOLE or RAY_OUTSIDE. Fast for many:
 * lookups are prefetched and, through the executor, split. */
void collide_heights(const struct view *view, const double *points, size_t count,
                     const struct collide_ways *ways, double *z, uint8_t *statuses,
                     const struct executor *executor);

#endif

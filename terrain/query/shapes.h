/* What all shapes against the surface have in common.
 *
 * The surface are the triangles of every quad, in metres of the local frame: scales differ by axis,
 * so a distance is one of metres although positions are grid x and y with metres of z. Triangles
 * are closed, are met from both sides, and are not there where the quad is a hole. Sums are plain
 * doubles, counted from the shape's own place: what comes as near to touching as a part in 10^12 of
 * the shape's size may be answered either way, but never slips between two triangles.
 *
 * An answer's status is one of a ray's. HOLE: met, but only where that is a hole. OUTSIDE: not met,
 * and the box around the shape does not lie over the landscape. WRONG: not finite, or a size below
 * 0. Each call reads one view. Any thread.
 */
#ifndef TERRAIN_QUERY_SHAPES_H
#define TERRAIN_QUERY_SHAPES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/query/ray.h"

struct shape_ways {
    bool ignore_holes; /* the ground beneath a hole is there */
    bool solid;        /* overlaps: whatever lies below the surface is ground too */
    /* How many quads and bounds may be looked at, all shapes together; 0 is no limit. With `left`,
     * which begins as quads_most, all calls that share it together. */
    int64_t quads_most;
    _Atomic int64_t *left;
};

/* For the makers of shapes: one(work, i, left) for each of count, in pieces through the executor.
 * `one` is false when it would have to look at more than is left. Fails with LIMIT then. */
typedef bool shape_one(void *work, size_t i, _Atomic int64_t *left);
bool shapes_run(size_t count, const struct shape_ways *ways, shape_one *one, void *work,
                const struct executor *executor, struct fault *why);

#endif

/* Cut and fill: the earth that lies between two versions of the surface.
 *
 * Exact for each triangle, as the difference of two surfaces is linear over it. Ground counts
 * where neither version has a hole, or everywhere if holes are ignored. Unchanged blocks cost
 * nothing. Sums run in an order that depends on the region alone, whatever the executor. Metres.
 * Any thread.
 */
#ifndef TERRAIN_QUERY_EARTHWORK_H
#define TERRAIN_QUERY_EARTHWORK_H

#include "terrain/base/executor.h"
#include "terrain/query/region.h"

struct earthwork {
    double cut, fill;               /* m3 that have gone, and come; both at least 0 */
    double cut_area, fill_area;     /* m2, seen from above, where the ground is lower, and higher */
    int64_t changed;                /* vertices that are lower or higher */
    double fall, rise;              /* m: the most that a vertex is lower, and higher; at least 0 */
    int32_t fall_at[2], rise_at[2]; /* the first such vertex, by rows; -1 where there is none */
};

/* Fails with IMPOSSIBLE for versions of different sizes, with MEMORY, and as region_walk does. */
bool earthwork_of(const struct view *from, const struct view *to, const struct region *region,
                  bool ignore_holes, const struct executor *executor, struct earthwork *earthwork,
                  struct fault *why);

#endif

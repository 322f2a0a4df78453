/* Lines of sight: whether one place can be seen from another.
 *
 * Places are grid positions with a height in metres. What blocks is ground that the straight line
 * between both goes through; ground that it only touches does not, so that what stands on the
 * ground is not hidden by that. Exactly: the line is lifted by `touching` metres, and blocked if a
 * ray (ray.h) along the lifted one meets a triangle. Outside the landscape there is nothing that
 * blocks, nor in holes. Each call reads one view. Any thread.
 */
#ifndef TERRAIN_QUERY_LINE_OF_SIGHT_H
#define TERRAIN_QUERY_LINE_OF_SIGHT_H

#include "terrain/query/ray.h"

struct line_of_sight {
    double from[3], to[3];
};

struct line_of_sight_ways {
    double touching;             /* metres; LINE_OF_SIGHT_TOUCHING unless there is a reason */
    bool from_ground, to_ground; /* the end's height is above the ground there */
    bool ignore_holes;           /* the ground beneath a hole is there */
};
#define LINE_OF_SIGHT_TOUCHING 0.001

/* What is seen. The status is that of the lifted ray (HIT is blocked), or says why there is no
 * answer: OUTSIDE and HOLE, an end stands on no ground; WRONG, an end is not finite or too far. */
struct line_of_sight_seen {
    enum ray_status status;
    bool answered, visible;
    double blocked_at[3]; /* the ground that blocks first; NaN for none */
};

/* Many at once, answered in their order. Fails with MEMORY alone. */
bool line_of_sight_look(const struct view *view, struct derived_cache *cache,
                        const struct line_of_sight *sights, size_t count,
                        const struct line_of_sight_ways *ways, struct line_of_sight_seen *seen,
                        const struct executor *executor, struct fault *why);

#endif

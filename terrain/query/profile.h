/* The ground along a path: heights at places of the line through some positions.
 *
 * Positions are grid coordinates, the line is straight between them there; distances are metres
 * along it on the plane, as if all ground were level. Each call reads one view. Any thread.
 */
#ifndef TERRAIN_QUERY_PROFILE_H
#define TERRAIN_QUERY_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct profile_path {
    const double (*at)[2];
    size_t count;
};

struct profile_place {
    double distance;
    double at[2];
    double z; /* NaN: no ground, outside and in holes */
};

struct profile {
    struct profile_place *places;
    size_t count;
};
void profile_free(struct profile *profile);

/* Metres from end to end. */
double profile_length(const struct view *view, const struct profile_path *path);

/* So many places, two or more, a like distance apart, of which the first and the last are the
 * path's ends. Fails with MEMORY. */
bool profile_even(const struct view *view, const struct profile_path *path, bool ignore_holes,
                  size_t count, struct profile *profile, struct fault *why);

/* All places where the ground along the path may bend: the path's positions and where it crosses
 * edges of triangles, so that straight lines between them are the ground itself. An edge of a hole
 * has the height of the ground beside it, and where there is no ground between two places, one
 * without height stands between them. Fails with MEMORY, and with LIMIT for more than `most`. */
bool profile_exact(const struct view *view, const struct profile_path *path, bool ignore_holes,
                   size_t most, struct profile *profile, struct fault *why);

/* Of the line from place to place, as far as both have ground; least and greatest NaN where none
 * has. Metres. */
struct profile_totals {
    double length; /* on the plane, of the whole path */
    double surface_length, ascent, descent;
    double least, greatest;
};
struct profile_totals profile_total(const struct profile *profile);

#endif

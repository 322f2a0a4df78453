/* The walk of a ray over the quads: which triangle it meets first. Any thread. */
#ifndef TERRAIN_QUERY_RAY_WALK_H
#define TERRAIN_QUERY_RAY_WALK_H

#include "terrain/query/ray_ground.h"
#include "terrain/query/ray_meet.h"

struct ray_walk {
    struct ray_ground *ground;
    const struct ray_line *line;
    const struct ray_ways *ways;
    struct ray_exact *exact;
    bool met, over_hole; /* what was found: something solid, a triangle that a hole takes away */
    struct ray_meeting first;
};

void ray_walk(struct ray_walk *walk);

#endif

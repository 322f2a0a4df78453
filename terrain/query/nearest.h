/* The place of the surface nearest to a point. Any thread. */
#ifndef TERRAIN_QUERY_NEAREST_H
#define TERRAIN_QUERY_NEAREST_H

#include "terrain/query/shapes.h"

/* Of several triangles as near as each other, the one with the least number. */
struct nearest {
    enum ray_status status; /* HIT, or why there is none within the distance */
    bool above; /* the point is no lower than the ground at its x and y, holes or not; beyond
                   the landscape, than at the border's place nearest to them in the grid */
    double at[3];
    double distance;  /* metres */
    double normal[3]; /* the triangle's, upwards, in local axes */
    int64_t triangle;
};

/* Points are grid x, y and metres, one after another; farther than `distance` metres, which may be
 * INFINITY, nothing is looked for. */
bool nearest_places(const struct view *view, const double (*points)[3], size_t count,
                    double distance, const struct shape_ways *ways, struct nearest *places,
                    const struct executor *executor, struct fault *why);

#endif

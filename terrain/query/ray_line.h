/* A ray as the walk over quads takes it, and the triangles that it may meet.
 *
 * x and y are in quads, z in codes above GRID_LEVEL_ZERO: what is given in metres is turned into
 * these once, with a rounding unless scale and origin of the landscape are round binary numbers,
 * and that is the ray which is then decided upon without error. Any thread.
 */
#ifndef TERRAIN_QUERY_RAY_LINE_H
#define TERRAIN_QUERY_RAY_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/core/grid.h"
#include "terrain/query/ray.h"

struct ray_line {
    double from[3], given[3]; /* given: the direction */
    double given_reach;
    /* The same with a direction whose greatest part is in 0.5..1: t is 2^-scaled of the given. */
    double along[3], reach;
    int scaled;
};

/* value * 2^exponent: as ldexp, and quick where that is plain. */
double ray_line_scale(double value, int exponent);

/* False where the ray is WRONG. */
bool ray_line_init(struct ray_line *line, const struct grid *grid, const struct ray *ray);

/* A triangle of quad (i, j), its plane z = level + east (x - i) + south (y - j). */
struct ray_triangle {
    int32_t i, j;
    bool south_west;
    int32_t level, east, south;
};

/* Of the quad's corners 00, 10, 01, 11, codes as stored. */
static inline struct ray_triangle ray_triangle(int32_t i, int32_t j, bool south_west,
                                               const uint16_t corners[4])
{
    return (struct ray_triangle){ i,
                                  j,
                                  south_west,
                                  corners[0] - GRID_LEVEL_ZERO,
                                  south_west ? corners[3] - corners[2] : corners[1] - corners[0],
                                  south_west ? corners[2] - corners[0] : corners[3] - corners[1] };
}

#endif

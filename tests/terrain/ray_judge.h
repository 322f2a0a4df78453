/* What a ray meets first, found out the long way: every triangle near it, each by the volumes of
 * the tetrahedra that it makes with the ray, in whole numbers of fixed width. Nothing of the code
 * under test is in it but how metres become codes. */
#ifndef TESTS_TERRAIN_RAY_JUDGE_H
#define TESTS_TERRAIN_RAY_JUDGE_H

#include <stdint.h>

#include "terrain/query/ray.h"

struct ray_ground {
    int32_t columns, rows;
    const uint16_t *heights;
    const uint8_t *holes; /* by quad, row by row of columns - 1; NULL: none */
    struct grid grid;
};

struct ray_verdict {
    enum ray_status status;
    double t;
    int64_t triangle;
    bool back;
};

/* Numbers of the ray must be 0 or 2^-140 .. 2^60 in size, a direction's 2^-150 .. 2^20, so that all
 * their bits are above 2^-205; the reach INFINITY or the like. */
struct ray_verdict ray_judge(const struct ray_ground *ground, const struct ray *ray,
                             bool ignore_holes);

#endif

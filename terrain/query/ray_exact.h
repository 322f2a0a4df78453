/* A ray's meeting with one triangle, without any rounding.
 *
 * Heights are codes above GRID_LEVEL_ZERO here: what a ray is in them is told in ray_line.h, and
 * from there on nothing is rounded. Numbers are whole multiples of the least bit of the ray's
 * origin, or of its direction; times t are fractions of the two. Any thread.
 */
#ifndef TERRAIN_QUERY_RAY_EXACT_H
#define TERRAIN_QUERY_RAY_EXACT_H

#include <stdbool.h>

#include "terrain/base/integer.h"
#include "terrain/query/ray_line.h"

/* A ray in whole numbers; to be readied once before use. */
struct ray_exact {
    bool ready;
    int from_unit, along_unit; /* exponents of two */
    struct integer from[3], along[3];
    bool endless;
    int64_t reach;
    int reach_unit;
};

/* t = numerator / denominator in units of 2^(from_unit - along_unit); the denominator is above 0.
 */
struct ray_time {
    struct integer numerator, denominator;
};

void ray_exact_ready(struct ray_exact *exact, const struct ray_line *line);

/* The first t at which the ray is in the closed triangle, or false. */
bool ray_exact_meet(const struct ray_exact *exact, const struct ray_triangle *triangle,
                    struct ray_time *time);
/* Whether any part of the ray is over the closed rectangle 0..columns, 0..rows of quads. */
bool ray_exact_over(const struct ray_exact *exact, int32_t columns, int32_t rows);

/* -1, 0, 1: the earlier, the same, the later. */
int ray_exact_compare(const struct ray_time *a, const struct ray_time *b);
double ray_exact_time(const struct ray_exact *exact, const struct ray_time *time);

/* The sign of along . normal. */
int ray_exact_side(const struct ray_exact *exact, const struct ray_triangle *triangle);

#endif

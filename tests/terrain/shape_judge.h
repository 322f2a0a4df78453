/* What shapes against the surface come to, by other sums than the core's: every triangle of the
 * landscape is looked at, in long double and plain local metres. And grounds to try them on. */
#ifndef TESTS_TERRAIN_SHAPE_JUDGE_H
#define TESTS_TERRAIN_SHAPE_JUDGE_H

#include <stdbool.h>

#include "terrain/query/overlap.h"
#include "tests/terrain/ground.h"

typedef long double wide;

struct judge {
    const struct view *view;
    bool ignore_holes;
};

/* Rough, smooth or flat, with holes or none, of uneven scale and any origin. */
struct view *judge_ground(struct dice *dice, int32_t columns, int32_t rows);

/* A grid place with metres over, beside or under the landscape. */
void judge_place(struct dice *dice, const struct view *view, double beyond, double at[3]);
void judge_metres(const struct view *view, const double at[3], wide metres[3]);

/* Corners in local metres; whether the quad is a hole. */
bool judge_triangle(const struct view *view, int64_t number, wide corners[3][3]);
int64_t judge_triangles(const struct view *view);

/* Metres from a place to a triangle; to the nearest of all, or INFINITY. */
wide judge_distance(wide corners[3][3], const wide from[3]);
wide judge_nearest(const struct judge *judge, const double at[3]);

/* The first t of a sphere's way, or INFINITY; and by how much it fails to touch, or enters, at the
 * place of the way where it comes nearest to touching nothing: near 0 the answer is anyone's. */
wide judge_sweep(const struct judge *judge, const double from[3], const double to[3], double radius,
                 wide *margin);

/* Whether a box meets a triangle, or with solid what lies beneath it; `grown` metres larger. */
bool judge_box(const struct judge *judge, const struct overlap_box *box, bool solid, double grown);
bool judge_sphere(const struct judge *judge, const struct overlap_sphere *sphere, bool solid,
                  double grown);

#endif

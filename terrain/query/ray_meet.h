/* A ray's meeting with one triangle: in doubles where these are sure, else exactly. Any thread. */
#ifndef TERRAIN_QUERY_RAY_MEET_H
#define TERRAIN_QUERY_RAY_MEET_H

#include "terrain/query/ray_exact.h"
#include "terrain/query/ray_line.h"

struct ray_meeting {
    struct ray_triangle triangle;
    double t, error; /* of the scaled direction; off by the error at most */
};

/* The first place of the ray in the closed triangle, or false. `exact` is readied when needed. */
bool ray_meet(const struct ray_line *line, struct ray_exact *exact,
              const struct ray_triangle *triangle, struct ray_meeting *meeting);
/* -1, 0, 1: the earlier, the same, the later. */
int ray_meet_compare(const struct ray_line *line, struct ray_exact *exact,
                     const struct ray_meeting *a, const struct ray_meeting *b);
/* t of the given direction, to the last places; the sign of along . normal. */
double ray_meet_time(const struct ray_line *line, struct ray_exact *exact,
                     const struct ray_meeting *meeting);
int ray_meet_side(const struct ray_line *line, struct ray_exact *exact,
                  const struct ray_triangle *triangle);

#endif

/* Rays: the first triangle of the surface that a line meets.
 *
 * As everywhere in the core, a position is a grid position with a height in metres, and so is the
 * step `along`, of any length but 0: the ray's places are from + t along, 0 <= t <= reach. Lengths
 * in metres are t times ray_metres(). Triangles are closed and met from both sides; those of a quad
 * that is a hole are not there. Of several triangles met at the same t, as on an edge or at a
 * vertex, the one with the least number answers.
 *
 * Decisions are exact for the doubles that are given: no ray slips between two triangles, and none
 * meets what it does not touch. Each call reads one view. Any thread.
 */
#ifndef TERRAIN_QUERY_RAY_H
#define TERRAIN_QUERY_RAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct ray {
    double from[3], along[3];
    double reach; /* the greatest t; INFINITY is allowed */
};

/* What became of a ray. WRONG: not finite, from more than 2^44 quads or codes
 * away, without a direction, or with a reach below 0. OUTSIDE:
 * no place of it is over the landscape. HOLE: it meets the ground nowhere but where that is a
 * hole. */
enum ray_status { RAY_HIT, RAY_MISS, RAY_HOLE, RAY_OUTSIDE, RAY_WRONG };

struct ray_hit {
    enum ray_status status;
    bool back; /* from beneath: along and the normal point the same way */
    double t;
    double at[3];
    double normal[3]; /* of the triangle, upwards, in local axes */
    int64_t triangle; /* as in collide.h */
};

struct ray_ways {
    bool ignore_holes; /* the ground beneath a hole is there */
    bool any;          /* whether anything is met is all that counts: the hit need not be the first,
                          and its status alone is filled in */
};

/* How many metres one step `along` is. */
double ray_metres(const struct view *view, const struct ray *ray);

/* Many at once, answered in their order; fast for many: sorted by place, their memory fetched
 * ahead, and split through the executor (NULL: not). `cache` keeps what rays need beside the blocks
 * where they are busy (NULL: they do without). Fails with MEMORY alone. */
bool ray_cast(const struct view *view, struct derived_cache *cache, const struct ray *rays,
              size_t count, const struct ray_ways *ways, struct ray_hit *hits,
              const struct executor *executor, struct fault *why);

#endif

/* One line of sight over a part of the surface, decided exactly in whole numbers.
 *
 * All lengths are whole multiples of 2^-20 of a quad, or of a stored height's unit, counted from
 * the part's north-west vertex: below 2^39 across, below 2^47 up and down. The line is nowhere
 * below the surface if it is not where it crosses a side of a triangle, for triangles are flat. Any
 * thread. */
#ifndef TERRAIN_QUERY_SIGHT_H
#define TERRAIN_QUERY_SIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/query/planar.h"

enum { SIGHT_BITS = 20, SIGHT_ONE = 1 << SIGHT_BITS };
#define SIGHT_UNIT 1048576.0 /* 2^20 */

/* The sides that begin at a vertex, as bits; and whether any triangle is at it. */
enum { SIGHT_EAST = 1, SIGHT_SOUTH = 2, SIGHT_DIAGONAL = 4, SIGHT_GROUND = 128 };

struct sight_ground {
    int32_t columns, rows;
    const double *heights;       /* whole numbers */
    double steepest;             /* no two neighbours differ by more */
    const uint8_t *sides;        /* those of them that are there; NULL: all */
    const struct planar *planar; /* squares to go over in one step; NULL: every side is tried */
};

/* Whether the open line between the two passes nowhere below the ground, at whose vertex the
 * target is or above it. To *crossed is added how many crossings with sides were tried. */
bool sight_free(const struct sight_ground *ground, const int64_t eye[3], const int64_t target[3],
                int64_t *crossed);

/* The least height, not below the target's, at which it would be free; rounded. */
double sight_height(const struct sight_ground *ground, const int64_t eye[3],
                    const int64_t target[3], int64_t *crossed);

/* Whether the line from the eye towards the target is below the ground at a vertex that lies on it
 * in plan, or where it crosses the side between two vertices. */
bool sight_below_vertex(const int64_t eye[3], const int64_t target[3], const int64_t vertex[3]);
bool sight_below_side(const int64_t eye[3], const int64_t target[3], const int64_t a[3],
                      const int64_t b[3]);

#endif

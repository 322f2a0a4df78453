/* The walk of a ray over the quads: which triangle it meets first.
 *
 * In steps, so that several rays can go on by turns: each step looks at what the one before it has
 * asked memory for. One thread at a time.
 */
#ifndef TERRAIN_QUERY_RAY_WALK_H
#define TERRAIN_QUERY_RAY_WALK_H

#include "terrain/query/ray_ground.h"
#include "terrain/query/ray_meet.h"

/* The walk goes column by column along the axis that the ray runs along most, and in each looks at
 * the few cells that the ray may be in: always at all of them, so none is missed where the ray
 * runs along a border. Places on that axis are called m, on the other n. m always grows along the
 * ray: where the grid's numbers fall, those of columns are turned round within the whole square
 * that the levels halve, so that cells stay cells. */
struct ray_walk {
    /* given */
    struct ray_ground *ground;
    const struct ray_line *line;
    const struct ray_ways *ways;
    struct ray_exact *exact;
    /* found: something solid, a triangle that a hole takes away */
    bool met, over_hole;
    struct ray_meeting first;
    /* the way */
    bool upright;
    int m, n;            /* axes */
    int32_t turned;      /* exclusive-ored to the number of a column; 0 or all bits of it */
    int32_t end, rows;   /* of the columns and rows of quads */
    double from, to;     /* the part of the ray that matters */
    double turn, m_sign; /* m = turn + m_sign * the grid's number */
    /* n and z at m = 0 and by m, and how far off they may be, and m by z */
    double n_at_0, n_slope, n_slack, z_at_0, z_slope, z_slack, m_by_z, m_slack;
    int32_t column;
    int level, top;
    /* the column in sight: the ray's heights where it enters it and in it, its cells */
    double near, z_near, low, high;
    int32_t row, last_row;
};

/* False when it is over at once. */
bool ray_walk_begin(struct ray_walk *walk);
/* False when it is over. */
bool ray_walk_step(struct ray_walk *walk);

#endif

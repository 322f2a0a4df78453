/* A component's samples at a mip, and how far they are off: what collision grids are joined from.
 * Within terrain/query. Any thread. */
#ifndef TERRAIN_QUERY_COLLISION_PART_H
#define TERRAIN_QUERY_COLLISION_PART_H

#include "terrain/query/collision.h"

struct collision_part {
    struct derived derived;
    int64_t error;    /* codes times q Q */
    int32_t side;     /* samples */
    uint16_t codes[]; /* row by row */
};

/* Of component (cx, cy), held; NULL with MEMORY. Not of mip 0, where the view has it all. */
const struct collision_part *collision_part(const struct collision *collision, int32_t cx,
                                            int32_t cy, struct fault *why);
void collision_part_drop(const struct collision_part *part);

#endif

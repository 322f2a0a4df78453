/* How far a section's grid at a mip lies off its own surface. Any thread. */
#ifndef TERRAIN_QUERY_COLLISION_ERROR_H
#define TERRAIN_QUERY_COLLISION_ERROR_H

#include <stdint.h>

/* A section's own grid and that of a mip, with their holes (a byte a quad, 0 solid). */
struct collision_section {
    int32_t quads, steps;                /* q and Q: of the two grids */
    const uint16_t *heights, *coarse;    /* (q + 1)^2 and (Q + 1)^2 */
    const uint8_t *holes, *coarse_holes; /* q^2 and Q^2 */
};

/* The greatest vertical distance of the two surfaces where both are solid, times q Q: a whole
 * number of codes then. */
int64_t collision_section_error(const struct collision_section *section);

#endif

/* XY offsets: how far a vertex stands from its place on the grid, as 16-bit numbers; reference,
 * part 9. OFFSET_REST is none, a quad is OFFSET_QUAD steps, and so offsets reach 128 quads. As a
 * texel, red and green are the x offset's high and low byte, blue and alpha the y offset's. Any
 * thread. */
#ifndef TERRAIN_CORE_OFFSET_H
#define TERRAIN_CORE_OFFSET_H

#include <stdint.h>

#include "terrain/core/grid.h"

enum { OFFSET_REST = 32768, OFFSET_QUAD = 256 };

/* Rounded, and held within what 16 bits say. */
static inline uint16_t offset_encode(double quads)
{
    return grid_round(quads * OFFSET_QUAD + OFFSET_REST);
}

static inline double offset_decode(uint16_t value)
{
    return (value - OFFSET_REST) / (double)OFFSET_QUAD;
}

static inline void offset_texel(const uint16_t xy[2], uint8_t rgba[4])
{
    rgba[0] = (uint8_t)(xy[0] >> 8);
    rgba[1] = (uint8_t)xy[0];
    rgba[2] = (uint8_t)(xy[1] >> 8);
    rgba[3] = (uint8_t)xy[1];
}

static inline void offset_of_texel(const uint8_t rgba[4], uint16_t xy[2])
{
    xy[0] = (uint16_t)(rgba[0] << 8 | rgba[1]);
    xy[1] = (uint16_t)(rgba[2] << 8 | rgba[3]);
}

#endif

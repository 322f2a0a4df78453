/* What the layouts of the collision heightfield share. Any thread. */
#ifndef TERRAIN_FORMAT_COLLISION_WINDOW_H
#define TERRAIN_FORMAT_COLLISION_WINDOW_H

#include <string.h>

#include "terrain/format/collision_format.h"

static inline uint16_t collision_window_code(const struct collision_window *window, int32_t x,
                                             int32_t y)
{
    return window->codes[(int64_t)y * window->samples.width + x];
}

static inline bool collision_window_hole(const struct collision_window *window, int32_t x,
                                         int32_t y)
{
    return window->holes[(int64_t)y * (window->samples.width - 1) + x] != 0;
}

/* Whether the sample is left out by the rule. */
bool collision_window_dropped(const struct collision_window *window, int32_t x, int32_t y);

/* Metres between samples, east and south. */
double collision_window_step(const struct collision_window *window, int axis);

/* Metres above the landscape's z of code 32768: small numbers, so that floats hold them well. */
float collision_window_rise(const struct collision_window *window, uint16_t code);

/* Everything as it is for values that are rises, from the north-west sample on: counts, a scale of
 * the steps and 1, no rotation, the range. Bytes are 0. */
void collision_window_place(const struct collision_window *window, enum collision_axes axes,
                            struct collision_place *place);

/* Numbers as little-endian bytes; the place behind them. */
static inline unsigned char *put_u16(unsigned char *to, uint16_t value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
    return to + 2;
}

static inline unsigned char *put_u32(unsigned char *to, uint32_t value)
{
    return put_u16(put_u16(to, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline unsigned char *put_f32(unsigned char *to, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return put_u32(to, bits);
}

#endif

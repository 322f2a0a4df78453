/* Pixels as whole words, so that loops over rows of them are of vectors. Any thread. */
#ifndef RENDER_FLAT_PIXEL_H
#define RENDER_FLAT_PIXEL_H

#include <stdint.h>

/* Where a channel lies in a pixel, so that red is its first byte whatever the machine's order. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { RED = 24, GREEN = 16, BLUE = 8, ALPHA = 0 };
#else
enum { RED = 0, GREEN = 8, BLUE = 16, ALPHA = 24 };
#endif

/* Of 0 to 255, rounded. */
static inline uint32_t byte_at(float value, int place)
{
    return (uint32_t)(int32_t)(value + 0.5f) << place;
}

static inline uint32_t pixel_of(float red, float green, float blue)
{
    return byte_at(red, RED) | byte_at(green, GREEN) | byte_at(blue, BLUE) | 255u << ALPHA;
}

static inline float channel_of(uint32_t pixel, int place)
{
    return (float)(int32_t)(pixel >> place & 255);
}

#endif

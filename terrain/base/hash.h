/* The reference's hash of a place and a seed (hash32): 32 bits, the same on every machine. Any
 * thread. */
#ifndef TERRAIN_BASE_HASH_H
#define TERRAIN_BASE_HASH_H

#include <stdint.h>

static inline uint32_t hash32(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u ^ seed * 0xcb1ab31fu;

    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ h >> 16;
}

#endif

#include "terrain/query/ray_order.h"

#include <string.h>

/* Places are told apart by squares of 16 quads, 12 bits of them along each axis. */
enum { SQUARE_LOG2 = 4, SQUARE_MOST = 4095, DIGIT_LOG2 = 8 };

static uint32_t square_of(double place, int32_t most)
{
    if (!(place > 0))
        return 0;
    return (uint32_t)(place < most ? (int32_t)place : most) >> SQUARE_LOG2;
}

/* The 12 bits of a number, apart. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
}

static uint32_t key_of(const struct grid *grid, const struct ray *ray)
{
    return spread(square_of(ray->from[0], grid->columns - 1) & SQUARE_MOST) |
           spread(square_of(ray->from[1], grid->rows - 1) & SQUARE_MOST) << 1;
}

/* One pass of a radix sort: by one digit, otherwise as it was. */
static void sort_by_digit(const uint32_t *keys, size_t count, int shift, const uint16_t *from,
                          uint16_t *to)
{
    uint16_t first[(1 << DIGIT_LOG2) + 1] = { 0 };

    for (size_t i = 0; i < count; i++)
        first[(keys[from[i]] >> shift & ((1 << DIGIT_LOG2) - 1)) + 1]++;
    for (int digit = 0; digit < 1 << DIGIT_LOG2; digit++)
        first[digit + 1] += first[digit];
    for (size_t i = 0; i < count; i++)
        to[first[keys[from[i]] >> shift & ((1 << DIGIT_LOG2) - 1)]++] = from[i];
}

void ray_order(const struct grid *grid, const struct ray *rays, uint16_t *order, size_t count)
{
    uint32_t keys[RAY_ORDER_MOST];
    uint16_t other[RAY_ORDER_MOST];

    if (count < 2)
        return;
    for (size_t i = 0; i < count; i++) {
        keys[order[i]] = key_of(grid, &rays[order[i]]);
        other[i] = order[i];
    }
    sort_by_digit(keys, count, 0, other, order);
    sort_by_digit(keys, count, DIGIT_LOG2, order, other);
    sort_by_digit(keys, count, 2 * DIGIT_LOG2, other, order);
}

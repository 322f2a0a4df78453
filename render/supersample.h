/* Several samples a pixel for renderers that have none of their own: a larger picture is drawn and
 * its pixels' means taken. Any thread. */
#ifndef RENDER_SUPERSAMPLE_H
#define RENDER_SUPERSAMPLE_H

#include <stdint.h>

/* How many pixels across and down stand for one: at least `samples`, a power of two, in all. */
void supersample_grid(int samples, int32_t *across, int32_t *down);

/* The means of width x height such groups of RGBA8; rows of the result are `stride` pixels apart.
 */
void supersample_mean(const uint8_t *rgba, int32_t across, int32_t down, int32_t width,
                      int32_t height, int32_t stride, uint8_t *to);

#endif

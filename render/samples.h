/* Samples of the ground, as pictures read it: at level L one for each 1 << L vertices each way, the
 * mean height of those (at level 0 the vertices themselves). Sample (i, j) stands for the vertices
 * from (i << L, j << L) on; its place is the middle of them. Any thread.
 */
#ifndef RENDER_SAMPLES_H
#define RENDER_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/core/view.h"

enum { SAMPLES_LEVEL_MOST = 14 };

/* The vertices that a rectangle of samples stands for. */
static inline struct rect samples_reach(int32_t level, struct rect samples)
{
    int32_t step = 1 << level;

    return (struct rect){ samples.x * step, samples.y * step, samples.width * step,
                          samples.height * step };
}

/* A grid position, in columns or rows, as a position among the samples of a level. */
static inline double samples_place(int32_t level, double vertex)
{
    return (vertex + 0.5) / (1 << level) - 0.5;
}

/* Means as codes, rows `stride` apart. Beyond the landscape they are of the nearest border vertices
 * (from level 3 on, of whole cells of 8 x 8). False when memory is out. */
bool samples_heights(const struct view *view, int32_t level, struct rect samples, uint16_t *codes,
                     int64_t stride);

/* A byte a sample: 1 where it is a hole, which is where at least half of the quads that begin at
 * its vertices are, and beyond the landscape; else 0. False when memory is out. */
bool samples_holes(const struct view *view, int32_t level, struct rect samples, uint8_t *holes,
                   int64_t stride);

/* Whether any of them may be one. */
bool samples_holed(const struct view *view, int32_t level, struct rect samples);

#endif

/* What surfaces are made with: fields of numbers that repeat, and noise of whole periods. One
 * thread at a time a canvas. */
#ifndef RENDER_SURFACE_CANVAS_H
#define RENDER_SURFACE_CANVAS_H

#include <math.h>

#include "render/surface.h"

struct surface_canvas {
    float height[SURFACE_AREA];    /* of any range; it is made 0 to 1 afterwards */
    float colour[3][SURFACE_AREA]; /* linear, 0 to 1 */
    float roughness[SURFACE_AREA]; /* 0 to 1 */
    float spare[3][SURFACE_AREA];  /* zero at first */
};

/* Adds gradient noise of so many cells across and down, about -amplitude to amplitude. */
void canvas_noise(float *field, int across, int down, uint32_t seed, float amplitude);

/* Adds `octaves` of it, each of twice the cells and `rest` of the amplitude. */
void canvas_octaves(float *field, int cells, int octaves, uint32_t seed, float amplitude,
                    float rest);

/* Distances to the nearest and the next of points, one in each of cells x cells, in cells; which
 * is the nearest, as a number from 0 to 1. */
void canvas_cells(float *nearest, float *next, float *which, int cells, uint32_t seed);

/* A number from 0 up to 1 for each of a count. */
float canvas_number(uint32_t which, uint32_t seed);

static inline int canvas_at(int x, int y)
{
    return (y & (SURFACE_SIDE - 1)) * SURFACE_SIDE + (x & (SURFACE_SIDE - 1));
}

static inline float canvas_mix(float a, float b, float share)
{
    return a + (b - a) * share;
}

static inline float canvas_step(float least, float most, float value)
{
    float share = fminf(fmaxf((value - least) / (most - least), 0), 1);

    return share * share * (3 - 2 * share);
}

static inline void canvas_colour(struct surface_canvas *canvas, int at, const float a[3],
                                 const float b[3], float share)
{
    for (int c = 0; c < 3; c++)
        canvas->colour[c][at] = canvas_mix(a[c], b[c], share);
}

#endif

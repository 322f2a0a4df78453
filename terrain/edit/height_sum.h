/* How layers' heights add up in a block, row by row and without rounding: the one place that has
 * this arithmetic, for the surface and for whoever must know what a layer does to it. (Edit layers
 * of the reference.) Any thread.
 */
#ifndef TERRAIN_EDIT_HEIGHT_SUM_H
#define TERRAIN_EDIT_HEIGHT_SUM_H

#include "terrain/edit/resolve.h"

/* The arithmetic itself: what a delta adds, and how a height draws near. Codes, unrounded. */
static inline double height_sum_more(double sum, double alpha, double delta)
{
    return sum + alpha * delta;
}

static inline double height_sum_towards(double sum, double alpha, double height, int mask)
{
    return sum + (height - sum) * alpha * mask / 255;
}

/* A layer that changes the heights of a block: its position, and what it holds there. */
struct height_layer {
    int at, blend;
    double alpha;
    const struct child *low, *high, *mask; /* high of additive layers, mask of the others */
};

/* Those of the layers that add up, bottom to top. */
int height_sum_layers(const struct summing *summing, int32_t bx, int32_t by,
                      struct height_layer layers[EDIT_LAYERS_MOST]);

/* Row y of the block: from what lies below all layers, a layer more, and the code it comes to. */
void height_sum_start(double sums[BLOCK_SIDE]);
void height_sum_add(const struct height_layer *layer, int32_t y, double sums[BLOCK_SIDE]);
void height_sum_round(const double *sums, int32_t width, uint16_t *heights);

/* The same for values at hand: alpha times the delta, and alpha * mask / 255 of the way. */
void height_sum_deltas(const double *deltas, double alpha, double sums[BLOCK_SIDE]);
void height_sum_blend(const uint16_t *heights, const uint8_t *mask, double alpha,
                      double sums[BLOCK_SIDE]);

/* Row y of what an additive layer holds. */
void height_sum_held(const struct child *low, const struct child *high, int32_t y,
                     double deltas[BLOCK_SIDE]);

#endif

/* How layers' weights add up in a block, row by row, clamped at once and not rounded: the one place
 * that has this arithmetic. (Edit layers of the reference.) Any thread.
 */
#ifndef TERRAIN_EDIT_WEIGHT_SUM_H
#define TERRAIN_EDIT_WEIGHT_SUM_H

#include "terrain/edit/resolve.h"

/* An edit layer that changes the weights of a paint layer in a block: both positions, and what it
 * holds there. */
struct weight_layer {
    int at, paint;
    double alpha; /* below 0 where it takes away what it holds */
    const struct child *weights, *unweights;
};

/* Those of the edit layers that add up, bottom to top, each with its paint layers in order; a list
 * to be freed, NULL when memory is out. */
struct weight_layer *weight_sum_layers(const struct summing *summing, int32_t bx, int32_t by,
                                       int *count);

/* Row y of the block: a layer more on what is there already, and the weights it comes to. */
void weight_sum_add(const struct weight_layer *layer, int32_t y, double sums[BLOCK_SIDE]);
void weight_sum_round(const double *sums, int32_t width, uint8_t *weights);

/* The same for values at hand. */
void weight_sum_values(const uint8_t *weights, const uint8_t *unweights, double alpha,
                       double sums[BLOCK_SIDE]);

/* Whether the edit layer at that position changes any paint layer's weights in the block. */
bool weight_sum_there(const struct summing *summing, int at, int32_t bx, int32_t by);

#endif

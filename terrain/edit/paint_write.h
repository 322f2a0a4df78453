/* Weights written over a rectangle, of one paint layer or of several at once: what comes from
 * rasters. One thread at a time. */
#ifndef TERRAIN_EDIT_PAINT_WRITE_H
#define TERRAIN_EDIT_PAINT_WRITE_H

#include "terrain/edit/draft.h"

/* What is written: of each layer, by its position in the stack, a plane of to.width * to.height
 * weights, one after the other. */
struct paint_planes {
    const int *paints;
    int count;
    struct rect to; /* on the landscape */
    const uint8_t *weights;
};

/* One plane: its layer is painted at each vertex where the weight is another, and the others give
 * way. Several: weights_put_row (weights.h), so that blended layers are normalised once; others
 * are set. Fails as draft_weights_begin does. */
bool paint_write(struct draft *draft, const struct paint_planes *planes, struct fault *why);

/* Whether the blended weights come to 255 or 0 at every vertex as they are: on their own, or with
 * those of the blended layers that are not among them. Fails with IMPOSSIBLE, naming the first
 * vertex (row by row) at which they do not. */
bool paint_check(struct draft *draft, const struct paint_planes *planes, struct fault *why);

#endif

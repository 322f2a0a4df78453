/* Tools on the weights of a paint layer: what dab.h is for heights.
 *
 * A painter says what a layer's weights are to become; where that differs from what they are, the
 * vertex is painted: a blended layer takes it and the others share the rest (weights.h), another
 * layer has it set. One thread at a time.
 */
#ifndef TERRAIN_EDIT_PAINTER_H
#define TERRAIN_EDIT_PAINTER_H

#include "terrain/core/stack.h"
#include "terrain/edit/dab.h"

struct painter {
    struct tool tool; /* its begin and block are free; the rest is the painter's */
    /* The weights asked for at `count` vertices, at most BLOCK_SIDE, from (x, y) on, whose weights
     * are `own`. */
    void (*ask)(struct painter *painter, int32_t x, int32_t y, int32_t count, const double *force,
                const uint8_t *own, uint8_t *asked);
    int paint; /* position in the stack */
    bool blended;
    /* of the open block */
    struct {
        int32_t bx, by;
        uint8_t *own, *others[PAINT_LAYERS_MOST];
        int others_count;
    } block;
};

/* For the paint layer of that name. Fails with MISSING, naming the nearest, placed at "/layer". */
bool painter_init(struct painter *painter, const struct draft *draft, const char *layer,
                  struct fault *why);

/* For loops that are to be vectorised. Not for NaN. */
static inline uint8_t painter_round(double weight)
{
    weight = weight > 0 ? weight : 0;
    weight = weight < 255 ? weight : 255;
    return (uint8_t)(int32_t)(weight + 0.5);
}

#endif

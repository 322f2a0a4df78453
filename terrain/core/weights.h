/* How the paint layers share a vertex: the reference's arithmetic of weights, part 7.
 *
 * A weight is 0..255. At a vertex with any paint the weights of the blended layers add up to
 * exactly 255, and all of them are 0 at a vertex without; the other layers are free. Layers stand
 * in the order of their numbers, which decides ties. At most WEIGHTS_LAYERS of them. Any thread.
 *
 * The row forms do the same to many vertices at once, for blended layers alone: a row holds one
 * layer's weights at `width` neighbouring vertices. Layers that are 0 in all of the row may be left
 * out of `rows`, as they stay so.
 */
#ifndef TERRAIN_CORE_WEIGHTS_H
#define TERRAIN_CORE_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WEIGHT_FULL = 255,
    WEIGHTS_LAYERS = 256,
    WEIGHTS_NONE = -1, /* no layer */
    WEIGHTS_FEW = 16   /* more of them at a vertex are dealt with one vertex after the other */
};

/* `parts` scaled so that they add up to `target` exactly, by the largest remainder; all 0 when the
 * parts are. */
void weights_share(const uint16_t *parts, int count, uint8_t target, uint8_t *shares);

/* The blended weights brought to a sum of 255, or left at 0. */
void weights_normalise(uint8_t *weights, const bool *blended, int count);

/* The layer takes the weight asked for, and the other blended ones share the rest; where they are
 * all 0, a blended layer takes 255. */
void weights_paint(uint8_t *weights, const bool *blended, int count, int layer, uint8_t asked);

/* The layer's weight goes to the other blended ones, in the shares that they have; to the
 * lowest-numbered of them where they are all 0. */
void weights_delete(uint8_t *weights, const bool *blended, int count, int layer);

/* The layer with the largest weight and the next one behind it, the lower number on a tie.
 * `skipped` (or WEIGHTS_NONE) takes no part, and neither does any weight of 0 or below `least`:
 * then there is WEIGHTS_NONE. */
struct dominance {
    int first, second;
};
struct dominance weights_dominance(const uint8_t *weights, int count, int skipped, uint8_t least);

/* weights_paint at each vertex whose `asked` is not what `own` has already. The others are the
 * blended layers but this one. */
void weights_paint_row(uint8_t *own, const uint8_t *asked, uint8_t *const *others, int count,
                       int32_t width);

/* Weights put at the vertices for `given`, some of the blended layers: they are kept while the
 * other blended layers can share what they leave of 255, which these then do. Where they come to
 * more, or no other has any weight, they are normalised themselves. Vertices without any paint stay
 * so. */
void weights_put_row(uint8_t *const *given, int given_count, uint8_t *const *others,
                     int others_count, int32_t width);

void weights_normalise_row(uint8_t *const *rows, int count, int32_t width);

/* The first vertex whose sum over all rows is neither 255 nor 0, which *sum then is; or -1. */
int32_t weights_row_odd(uint8_t *const *rows, int count, int32_t width, int32_t *sum);

/* Where a component keeps a layer's weights: textures of four channels, filled in order. A slot is
 * 1 + 4 * texture + channel, or 0 for none; a component's slots are one for each paint layer. */
enum { SLOT_CHANNELS = 4 };

static inline int slot_texture(uint16_t slot)
{
    return (slot - 1) / SLOT_CHANNELS;
}

static inline int slot_channel(uint16_t slot)
{
    return (slot - 1) % SLOT_CHANNELS;
}

/* Gives the layer the first slot that nobody has, unless it has one; the others stay. */
void slots_take(uint16_t *slots, int count, int layer);
/* Its slot is free again; the others stay. */
void slots_release(uint16_t *slots, int layer);
/* Up to the highest used one. */
int slots_textures(const uint16_t *slots, int count);

#endif

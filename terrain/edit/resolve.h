/* From what the layers hold to what the surface is.
 *
 * Heights: bottom to top, visible layers only, from 32768: an additive layer adds alpha times
 * its delta, an alpha layer goes alpha * mask / 255 of the way to its height; rounded and clamped
 * once. Holes: the topmost layer that says counts. Weights: from 0, each layer adds or takes away
 * alpha times its weight and clamps at once; rounded, then the blended ones normalised. (Edit
 * layers of the reference.) Where one layer alone makes a block, that block is shared. One thread
 * at a time a view.
 */
#ifndef TERRAIN_EDIT_RESOLVE_H
#define TERRAIN_EDIT_RESOLVE_H

#include "terrain/core/view.h"

/* Which layers add up: those of the stack up to and including position `top`; with `full`, that one
 * counts at alpha 1 and visible. */
struct summing {
    const struct view *view;
    int top;
    bool full;
};

/* All layers, as they are. */
struct summing summing_all(const struct view *view);
/* Whether the layer at that position takes part; what its weights count. */
bool summing_counts(const struct summing *summing, int at);
double summing_weights_alpha(const struct summing *summing, int at);

/* What block (bx, by) comes to: a block for the caller to drop, or NULL and the value that all of
 * it has. False when memory is out. */
struct resolved {
    struct block *block;
    uint16_t flat;
};
bool resolve_heights(const struct summing *summing, int32_t bx, int32_t by,
                     struct resolved *resolved);
/* The same of a part of the block (block coordinates) in a tree of resolved heights, where the rest
 * of it is right already; stamped with the version. */
bool resolve_heights_in(const struct summing *summing, int32_t bx, int32_t by, struct rect part,
                        struct tree *tree, uint64_t version);
bool resolve_holes(const struct summing *summing, int32_t bx, int32_t by,
                   struct resolved *resolved);
/* One for each paint layer of the stack, all at rest if false. */
bool resolve_weights(const struct summing *summing, int32_t bx, int32_t by,
                     struct resolved *resolved);

/* Position of the one layer that makes the block's heights (holes, weights) without more ado: its
 * block is the resolved one. -1 when several do, or none. */
int resolve_sole(const struct summing *summing, enum plane plane, int32_t bx, int32_t by);

/* Whether a layer holds anything of the kind anywhere. */
bool layer_holds(const struct view *view, uint32_t layer, enum plane plane);

/* The resolved planes of a view whose layers are there, for all blocks, stamped by the layers' own
 * versions. Fails with MEMORY. */
bool resolve_view(struct view *view, struct fault *why);

#endif

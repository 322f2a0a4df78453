/* Changes of the stack of edit layers, each made on a draft.
 *
 * A locked layer refuses what would change what it holds or what comes of it: edits, clearing,
 * collapsing, deleting, another blend, alpha or list of what it takes away (LOCKED). It may be
 * renamed, moved, hidden, copied and unlocked. "base" can be neither deleted nor renamed
 * (CONFLICT). A name that no layer has is MISSING, one that is taken CONFLICT, one layer too many
 * LIMIT. What fails leaves a draft that is only good for freeing. One thread at a time a draft.
 */
#ifndef TERRAIN_EDIT_LAYERS_H
#define TERRAIN_EDIT_LAYERS_H

#include "terrain/edit/draft.h"

enum {
    LAYER_NAME = 1,
    LAYER_POSITION = 2,
    LAYER_BEFORE = 4,
    LAYER_BLEND = 8,
    LAYER_ALPHA = 16,
    LAYER_WEIGHTS_ALPHA = 32,
    LAYER_VISIBLE = 64,
    LAYER_LOCKED = 128,
    LAYER_SUBTRACT = 256
};

/* What becomes of a layer; only what is given counts. */
struct layers_change {
    unsigned given; /* of LAYER_ */
    const char *name;
    int position;       /* in the stack, from 0 at the bottom; beyond the top is the top */
    const char *before; /* instead: right below that layer */
    int blend;          /* enum blend */
    double alpha;
    double weights_alpha; /* NaN: that of the heights, or 0 where it is below 0 */
    bool visible, locked;
    const char *const *subtract; /* paint layers */
    size_t subtract_count;
};

/* A new layer on top, or where `as` says. Faults are placed at "/name" and the like. */
bool layers_add(struct draft *draft, const char *name, const struct layers_change *as,
                struct fault *why);

/* All or nothing. Another blend leaves the surface as it is, bit by bit: an additive layer's
 * composite becomes the height of an alpha layer that counts in full where there was a delta; an
 * alpha layer becomes the deltas that it has made. Fails with IMPOSSIBLE where no height, or no
 * delta, does that. */
bool layers_change(struct draft *draft, const char *name, const struct layers_change *change,
                   struct fault *why);

/* A copy right above, under another name and unlocked; blocks are shared. */
bool layers_duplicate(struct draft *draft, const char *name, const char *copy, struct fault *why);

enum { CLEAR_HEIGHTS = 1, CLEAR_WEIGHTS = 2, CLEAR_HOLES = 4 };

/* What the layer holds of these kinds is gone, everywhere or (region not NULL) at these vertices
 * and the quads that begin at them. */
bool layers_clear(struct draft *draft, const char *name, unsigned kinds, const struct rect *region,
                  struct fault *why);

/* The layer goes into the one right below it, which so comes to count in full: additive at alpha 1.
 * Two alpha layers at alpha 1, of which the upper counts in full or not at all at every vertex,
 * stay an alpha layer. The surface stays as it is, bit by bit.
 *
 * The lower layer takes whole deltas; where alphas make fractions it takes the one of the two
 * nearest that the whole stack rounds to the same code. There is one unless layers above overshoot
 * (alpha blends of negative alpha): then IMPOSSIBLE. CONFLICT with nothing below, or when one of
 * the two is hidden. */
bool layers_collapse(struct draft *draft, const char *name, struct fault *why);

bool layers_delete(struct draft *draft, const char *name, struct fault *why);

#endif

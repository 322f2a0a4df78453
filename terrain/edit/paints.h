/* Changes of the list of paint layers, each made on a draft.
 *
 * A name that no paint layer has is MISSING, one that is taken CONFLICT, one layer too many LIMIT.
 * What fails leaves a draft that is only good for freeing. One thread at a time a draft.
 */
#ifndef TERRAIN_EDIT_PAINTS_H
#define TERRAIN_EDIT_PAINTS_H

#include "terrain/edit/draft.h"

enum {
    PAINT_NAME = 1,
    PAINT_BLENDED = 2,
    PAINT_PHYSICAL = 4,
    PAINT_DEBUG_COLOR = 8,
    PAINT_COLOR = 16, /* from here on of the material */
    PAINT_TILING = 32,
    PAINT_ALBEDO = 64,
    PAINT_NORMAL = 128,
    PAINT_HEIGHT = 256,
    PAINT_ROUGHNESS = 512,
    PAINT_SURFACE = 1024
};

/* What becomes of a paint layer; only what is given counts. */
struct paints_change {
    unsigned given; /* of PAINT_ */
    struct paint_layer as;
};

/* A new paint layer behind the others, blended unless `as` says otherwise, in colours of its own.
 * Faults are placed at "/name" and the like. */
bool paints_add(struct draft *draft, const char *name, const struct paints_change *as,
                struct fault *why);

/* All or nothing. A layer that comes to be blended, or ceases to, changes the others' weights: they
 * are normalised among those that are blended now. */
bool paints_change(struct draft *draft, const char *name, const struct paints_change *change,
                   struct fault *why);

/* The layer goes. What it had goes to the heir, in all edit layers; or, with NULL, to the other
 * blended ones as their shares are (weights_delete), each vertex that was painted staying so. The
 * heir is blended as the layer is, or it is IMPOSSIBLE. LOCKED when a locked edit layer holds any
 * of it. */
bool paints_delete(struct draft *draft, const char *name, const char *heir, struct fault *why);

/* 255 of the layer everywhere, in base: for a landscape that is being made and has no paint yet. */
bool paints_fill(struct draft *draft, const char *name, struct fault *why);

#endif

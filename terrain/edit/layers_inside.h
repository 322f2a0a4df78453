/* What the files of layers.h share. */
#ifndef TERRAIN_EDIT_LAYERS_INSIDE_H
#define TERRAIN_EDIT_LAYERS_INSIDE_H

#include "terrain/edit/draft_inside.h"
#include "terrain/edit/height_sum.h"
#include "terrain/edit/layers.h"

/* A copy of the draft's settings whose stack is the caller's to change; NULL with MEMORY. */
struct settings *layers_begin(const struct draft *draft, struct fault *why);
/* Gives the settings to the draft when all went well; takes them in any case. */
bool layers_end(struct draft *draft, struct settings *settings, bool good, struct fault *why);

/* Position of the layer. Fails with MISSING, and with LOCKED, naming what is refused. */
bool layers_unlocked(const struct draft *draft, const char *name, int *at, struct fault *why);

/* What a plane is to hold in block (bx, by): the block is taken, NULL is the value. Nothing is done
 * where it holds that already. */
bool layers_put(struct draft *draft, uint64_t key, int32_t bx, int32_t by, struct block **block,
                uint16_t value, struct fault *why);
bool layers_put_leaf(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                     const struct child *leaf, struct fault *why);
bool layers_put_rest(struct draft *draft, uint64_t key, int32_t bx, int32_t by, struct fault *why);

/* The layer's heights said in the other blend, the surface being as before. */
bool layers_convert(struct draft *draft, int at, int blend, struct fault *why);

/* Fitting: whole numbers for the heights of one layer, such that the whole stack comes to the codes
 * that it came to. */
struct fitting {
    const struct view *view; /* held, as it was, all resolved */
    int at, replaced;        /* the layer that is made stands for so many, from this position on */
    uint32_t layer;          /* its id, blend, and alpha: 0 where it does not count */
    int blend;
    double alpha;
};

/* The layers of a block as they were, and the codes that they came to. */
struct fitting_block {
    int32_t bx, by;
    struct height_layer *layers;
    int count;
    struct child codes;
};

/* A row of what the layer is to hold: deltas, or heights that count by the mask. */
struct fitting_row {
    double wish[BLOCK_SIDE];
    uint8_t mask[BLOCK_SIDE];
    int64_t value[BLOCK_SIDE];
};

/* Fills wish (and mask) of row y: what the layer should hold if numbers need not be whole. */
typedef void fitting_wish(const struct fitting *fitting, const struct fitting_block *block,
                          int32_t y, struct fitting_row *row);

/* Puts what fits best into the layer's planes. Fails with IMPOSSIBLE where nothing does. */
bool layers_fit(struct draft *draft, const struct fitting *fitting, int32_t bx, int32_t by,
                fitting_wish *wish, struct fault *why);

/* Sums of the layers at positions from `first` to below `end`, on what is there already. */
void layers_sum(const struct fitting_block *block, int first, int end, int32_t y,
                double sums[BLOCK_SIDE]);

#endif

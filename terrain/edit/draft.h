/* A draft: the next version of a landscape while it is being made.
 *
 * Starts as the view that it is based on, shares everything that is not written,
 * and is finished into a view, or dropped without a trace. One thread at a time.
 *
 * What is written goes to one edit layer, base unless another is chosen. Writers see the surface
 * up to and including that layer, which counts at alpha 1; what they change is in the end added to
 * what the layer holds, and the surface is resolved from all layers again where that touched it.
 */
#ifndef TERRAIN_EDIT_DRAFT_H
#define TERRAIN_EDIT_DRAFT_H

#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/edit/sources.h"

struct draft;

struct draft *draft_new(const struct view *base, struct fault *why);
void draft_free(struct draft *draft);

/* As it stands now; what has been written to a layer is in it once draft_settle has been called,
 * and, where the layer makes the surface alone, at once. Lent until the next write. */
const struct view *draft_view(const struct draft *draft);

/* The edit layer that takes what is written from now on. Fails with MISSING, naming the nearest,
 * and LOCKED. */
bool draft_layer(struct draft *draft, const char *name, struct fault *why);

/* What has been written goes to its layer, and the surface is resolved. Fails with MEMORY. */
bool draft_settle(struct draft *draft, struct fault *why);

/* Work that may be spent on the draft, in vertices touched, every dab counted anew; 0, as at
 * first, is no limit. draft_spend fails with LIMIT once more has been asked for. */
void draft_limit(struct draft *draft, int64_t vertices);
bool draft_spend(struct draft *draft, int64_t vertices, struct fault *why);

/* What tools find by name, lent until the draft is freed; NULL, as at first, has nothing. */
void draft_lend(struct draft *draft, const struct sources *sources);
/* The image or landscape of that name. Fails as its source does. */
const struct image *draft_image(const struct draft *draft, const char *name,
                                enum image_channel channel, struct fault *why);
const struct view *draft_landscape(const struct draft *draft, const char *id, struct fault *why);

/* What a writer sees, ready to be read over a rectangle (what lies on the landscape of it):
 * heights, holes, the weights of the paint layer at that position of the stack. NULL with MEMORY,
 * and with LOCKED. Lent until the next write; tree_hold keeps them as they are now. */
const struct tree *draft_surface(struct draft *draft, struct rect over, struct fault *why);
const struct tree *draft_holes(struct draft *draft, struct rect over, struct fault *why);
const struct tree *draft_weights(struct draft *draft, int paint, struct rect over,
                                 struct fault *why);

/* Write rectangles on the landscape. Fails with MEMORY or LOCKED; then the draft is only good for
 * freeing. Holes: one byte a quad, not zero is a hole. */
bool draft_write_heights(struct draft *draft, struct rect to, const uint16_t *heights,
                         int64_t stride, struct fault *why);
bool draft_write_holes(struct draft *draft, struct rect to, const uint8_t *holes, int64_t stride,
                       struct fault *why);

/* XY offsets (offset.h), east and south of each vertex; of no edit layer. Fails with MEMORY. */
bool draft_write_offsets(struct draft *draft, struct rect to, const uint16_t (*xy)[2],
                         int64_t stride, struct fault *why);

/* The heights of block (bx, by) to change in place, BLOCK_SIDE a row, followed by the rectangle
 * (block coordinates, on the landscape) in which they changed. begin fails with MEMORY or LOCKED.
 * Nothing else may be done to the draft in between. */
uint16_t *draft_heights_begin(struct draft *draft, int32_t bx, int32_t by, struct fault *why);
void draft_heights_end(struct draft *draft, int32_t bx, int32_t by, struct rect changed);

/* The same for weights: rows[i] are those of the paint layer at position i of the stack, of
 * paint_count; NULL where a blended layer other than `paint` has none in the block, and for
 * layers that are not blended. With paint -1 all are there. Whoever writes keeps the blended ones'
 * sum. */
bool draft_weights_begin(struct draft *draft, int32_t bx, int32_t by, int paint, uint8_t **rows,
                         struct fault *why);
void draft_weights_end(struct draft *draft, int32_t bx, int32_t by, struct rect changed);

/* Other settings, layers among them: planes of layers that are no more are let go, and the surface
 * is resolved where another order, alpha or visibility tells. With another layout every plane is
 * at rest in the new size, to be filled again. Takes them. Fails with MEMORY. */
bool draft_settings(struct draft *draft, struct settings **settings, struct fault *why);

/* A layer's plane, for changes of layers themselves (copies, collapsing): to read, NULL when there
 * is none; to put a block or value in (the block is taken), which the surface follows. Fails with
 * MEMORY. */
const struct tree *draft_plane(const struct draft *draft, uint64_t key);
bool draft_plane_put(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                     struct block **block, uint16_t value, struct fault *why);

/* The content of an older version of the same landscape, settings included. */
bool draft_restore(struct draft *draft, const struct view *older, struct fault *why);

/* What an edit came to: the bounding rectangle of the vertices at which anything differs from the
 * base, in the surface or in a layer, and how many they are. */
enum {
    CHANGE_HEIGHTS = 1,
    CHANGE_HOLES = 2,
    CHANGE_WEIGHTS = 4,
    CHANGE_LAYERS = 8, /* what layers hold, whether or not it shows */
    CHANGE_SETTINGS = 16,
    CHANGE_OFFSETS = 32 /* XY offsets */
};

struct change {
    struct rect dirty;
    int64_t vertices;
    bool settings;
    unsigned what; /* of CHANGE_ */
};

/* The finished version: base version + 1, or the very base view, held, when nothing
 * differs. Afterwards the draft is only good for freeing. Fails with MEMORY. */
struct view *draft_finish(struct draft *draft, struct change *change, struct fault *why);

/* Differences between two versions of one landscape: for each layer's plane and block the changed
 * rectangle, after minus before modulo 2^bits, in a byte form that is the same on
 * every machine. Where the size differs, all is taken out in the old one and put in in the new. Not
 * compressed. Fails with MEMORY. */
bool difference_write(const struct view *before, const struct view *after, struct bytes *to,
                      struct fault *why);

/* Adds (or, with undo, subtracts) such differences. Settings that changed with them are given to
 * the draft first. Fails with STORAGE on bytes that are not differences of such a landscape, and
 * then the draft is only good for freeing. */
bool difference_apply(struct draft *draft, const void *data, size_t length, bool undo,
                      struct fault *why);

/* The same on a landscape that has gone on since: what components keep is not added, but follows
 * from the rest when the draft is finished. */
bool difference_merge(struct draft *draft, const void *data, size_t length, bool undo,
                      struct fault *why);

/* Whether there are such differences for a landscape of the view's size. */
bool difference_fits(const struct view *view, const void *data, size_t length);

/* The rectangles that differences touch, block by block; false stops it. Fails as applying does. */
typedef bool difference_visit(void *context, uint64_t key, struct rect rect);
bool difference_each(const struct view *view, const void *data, size_t length,
                     difference_visit *visit, void *context, struct fault *why);

#endif

/* A draft: the next version of a landscape while it is being made.
 *
 * Starts as the view that it is based on, shares everything that is not written,
 * and is finished into a view, or dropped without a trace. One thread at a time.
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

/* As it stands now, what has been written included. Lent until the next write. */
const struct view *draft_view(const struct draft *draft);

/* Work that may be spent on the draft, in vertices touched, every dab counted anew; 0, as at
 * first, is no limit. draft_spend fails with LIMIT once more has been asked for. */
void draft_limit(struct draft *draft, int64_t vertices);
bool draft_spend(struct draft *draft, int64_t vertices, struct fault *why);

/* The heights that a tool reads and changes, ready to be read over a rectangle (what lies on the
 * landscape of it): those up to and including the edit layer in work. NULL with MEMORY. Lent until
 * the next write; tree_hold keeps them as they are now. */
const struct tree *draft_surface(struct draft *draft, struct rect over, struct fault *why);

/* What tools find by name, lent until the draft is freed; NULL, as at first, has nothing. */
void draft_lend(struct draft *draft, const struct sources *sources);
/* The image or landscape of that name. Fails as its source does. */
const struct image *draft_image(const struct draft *draft, const char *name,
                                enum image_channel channel, struct fault *why);
const struct view *draft_landscape(const struct draft *draft, const char *id, struct fault *why);

/* Write rectangles on the landscape. Fails with MEMORY; then the draft is only good for freeing.
 * Holes: one byte a quad, not zero is a hole. */
bool draft_write_heights(struct draft *draft, struct rect to, const uint16_t *heights,
                         int64_t stride, struct fault *why);
bool draft_write_holes(struct draft *draft, struct rect to, const uint8_t *holes, int64_t stride,
                       struct fault *why);

/* The heights of block (bx, by) to change in place, BLOCK_SIDE a row, followed by the rectangle
 * (block coordinates, on the landscape) in which they changed. begin fails with MEMORY. Nothing
 * else may be done to the draft in between. */
uint16_t *draft_heights_begin(struct draft *draft, int32_t bx, int32_t by, struct fault *why);
void draft_heights_end(struct draft *draft, int32_t bx, int32_t by, struct rect changed);

/* Other settings of the same layout. Takes them. */
void draft_settings(struct draft *draft, struct settings **settings);

/* What an edit came to: the bounding rectangle of the vertices whose height or hole
 * differs from the base, and how many they are. */
struct change {
    struct rect dirty;
    int64_t vertices;
    bool settings;
};

/* The finished version: base version + 1, or the very base view, held, when nothing
 * differs. Afterwards the draft is only good for freeing. Fails with MEMORY. */
struct view *draft_finish(struct draft *draft, struct change *change, struct fault *why);

/* Differences between two versions of one landscape: for each plane and block the changed
 * rectangle, after minus before modulo 2^bits, in a byte form that is the same on
 * every machine. Not compressed. Fails with MEMORY. */
bool difference_write(const struct view *before, const struct view *after, struct bytes *to,
                      struct fault *why);

/* Adds (or, with undo, subtracts) such differences. Fails with STORAGE on bytes that are not
 * differences of such a landscape, and then the draft is only good for freeing. */
bool difference_apply(struct draft *draft, const void *data, size_t length, bool undo,
                      struct fault *why);

#endif

/* Leaves of planes' trees: blocks, or one value. What they hold, and how two differ. Any thread. */
#ifndef TERRAIN_EDIT_LEAF_H
#define TERRAIN_EDIT_LEAF_H

#include "terrain/core/view.h"

/* The bounding rectangle of what differs in the valid part (block coordinates, from 0, 0), and the
 * vertices in it that do, added to those that were. */
struct rect leaf_difference(enum plane plane, const struct child *before, const struct child *after,
                            struct rect valid, int64_t *vertices);

/* Sets differs[x] to 1 wherever row y of two leaves differs; false when it nowhere does. */
bool leaf_differs(enum plane plane, const struct child *before, const struct child *after,
                  int32_t y, int32_t width, uint8_t differs[BLOCK_SIDE]);

/* For whoever marks rows with leaf_differs: a row's marks are added to the columns' counts; from
 * those, the rectangle of rows [top, bottom) around the columns that have any, and the marks in it
 * added to the vertices. */
void leaf_count(const uint8_t differs[BLOCK_SIDE], uint16_t counts[BLOCK_SIDE]);
struct rect leaf_bound(const uint16_t *counts, int32_t width, int32_t top, int32_t bottom,
                       int64_t *vertices);

/* Row y of values, where they lie or in the room given. */
const uint16_t *leaf_row(enum plane plane, const struct child *leaf, int32_t y,
                         uint16_t room[BLOCK_SIDE]);
/* The same for heights and for weights alone, as they are stored; word i of holes. */
const uint16_t *leaf_heights(const struct child *leaf, int32_t y, uint16_t room[BLOCK_SIDE]);
const uint8_t *leaf_weights(const struct child *leaf, int32_t y, uint8_t room[BLOCK_SIDE]);
uint64_t leaf_bits(const struct child *leaf, int i);
/* Which bits of word i lie in the valid part. */
uint64_t leaf_bits_valid(struct rect valid, int i);

/* What a layer holds of a channel in block (bx, by): lent by the view, or at rest. */
const struct child *layer_leaf(const struct view *view, uint32_t layer, enum channel channel,
                               uint32_t paint, int32_t bx, int32_t by);

static inline bool leaf_rests(const struct child *leaf, enum channel channel)
{
    return !leaf->below && leaf->summary.least == channels[channel].rest;
}

/* Whether they are the same block, or the same value. */
static inline bool leaf_same(const struct child *a, const struct child *b)
{
    return a->below == b->below && (a->below || a->summary.least == b->summary.least);
}

#endif

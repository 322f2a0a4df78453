/* What differs between two leaves of a plane's trees: blocks, or one value. Any thread. */
#ifndef TERRAIN_EDIT_LEAF_H
#define TERRAIN_EDIT_LEAF_H

#include "terrain/core/tree.h"

/* The bounding rectangle of what differs in the valid part (block coordinates, from 0, 0), and the
 * vertices in it that do, added to those that were. */
struct rect leaf_difference(enum plane plane, const struct child *before, const struct child *after,
                            struct rect valid, int64_t *vertices);

/* Row y of values, where they lie or in the room given. */
const uint16_t *leaf_row(enum plane plane, const struct child *leaf, int32_t y,
                         uint16_t room[BLOCK_SIDE]);

#endif

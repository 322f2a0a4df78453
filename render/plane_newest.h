/* The version that a tile is named by: the last that changed what it is made from.
 *
 * The stamps of blocks say so of whole blocks. With a cache of derived things it is known more
 * closely, from the name that the tile had when it was last asked for and from what the versions
 * since have changed (view.h): a tile beside an edit keeps its name. Any thread. */
#ifndef RENDER_PLANE_NEWEST_H
#define RENDER_PLANE_NEWEST_H

#include "render/plane_make.h"

/* Whether a change is of anything that the tile is made from. */
typedef bool plane_touched(const void *context, const struct view_change *change);

/* `stamp` is what the blocks say. */
uint64_t plane_newest(const struct plane_source *source, const struct tile_key *key, uint64_t stamp,
                      plane_touched *touched, const void *context);

#endif

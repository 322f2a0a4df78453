/* What a tile sees of the landscape: the heights at its vertices, and which of its quads are none.
 *
 * A tile is a node of a quadtree with a grid of quads over it, size / grid quads of the landscape
 * each. Vertices beyond the landscape's border stand on it, so that the quads between them vanish.
 * Any thread.
 */
#ifndef TERRAIN_LOD_PATCH_GROUND_H
#define TERRAIN_LOD_PATCH_GROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/core/view.h"
#include "terrain/lod/pick.h"

struct patch_place {
    int32_t x, y, size, grid; /* quads; size and grid are powers of two, size a multiple of grid */
};

/* In the order of the reference: x-min, x-max, y-min, y-max. */
enum patch_side { PATCH_WEST, PATCH_EAST, PATCH_NORTH, PATCH_SOUTH, PATCH_SIDES };

static inline int32_t patch_stride(const struct patch_place *tile)
{
    return tile->size / tile->grid;
}

/* The landscape's last column (or row); the first number of a vertex that stands on it or would lie
 * beyond. Axis 0 counts columns, 1 rows. */
int32_t patch_end(const struct view *view, int axis);
int32_t patch_last(const struct view *view, const struct patch_place *tile, int axis);

/* Heights of the vertices (i, j) from -ring to grid + ring, row by row; those beyond the landscape
 * have the height of its border. */
void patch_heights(const struct view *view, const struct patch_place *tile, int32_t ring,
                   uint16_t *heights);

/* Whether quad (i, j) of the tile is a hole by the rule; one beyond the landscape, which is not
 * there at all, is none. */
bool patch_dropped(const struct view *view, const struct patch_place *tile, enum hole_rule rule,
                   int32_t i, int32_t j);

/* Whether there is a hole below the tile at all; in all of the landscape. */
bool patch_any_hole(const struct view *view);
bool patch_holed(const struct view *view, const struct patch_place *tile);

/* The grid quads along a side: one byte each, as patch_dropped says. Returns whether any is. */
bool patch_side_dropped(const struct view *view, const struct patch_place *tile,
                        enum hole_rule rule, enum patch_side side, uint8_t *dropped);

#endif

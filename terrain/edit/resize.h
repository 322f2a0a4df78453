/* Another number of components: more ground around, less of it, or the same ground on another grid.
 *
 * Every layer is resized, whatever it holds, so that nothing is flattened. EXPAND and CLIP keep
 * each vertex that stays exactly as it is; ground that comes to it repeats what lies at the nearest
 * border, without holes. RESAMPLE keeps the borders where they are: cubic (Catmull-Rom, going on
 * straight beyond the border, and never beyond the four vertices around) for heights, linear for
 * weights, masks and XY offsets (which stay as long in metres), nearest for holes. One thread at a
 * time.
 */
#ifndef TERRAIN_EDIT_RESIZE_H
#define TERRAIN_EDIT_RESIZE_H

#include "terrain/edit/draft.h"

enum resize_mode { RESIZE_EXPAND, RESIZE_CLIP, RESIZE_RESAMPLE };

/* Where the ground that stays lies on the new one; row by row from the north-west. */
enum resize_anchor {
    RESIZE_NORTH_WEST,
    RESIZE_NORTH,
    RESIZE_NORTH_EAST,
    RESIZE_WEST,
    RESIZE_CENTER,
    RESIZE_EAST,
    RESIZE_SOUTH_WEST,
    RESIZE_SOUTH,
    RESIZE_SOUTH_EAST,
};

struct resize {
    int32_t components[2];
    enum resize_mode mode;
    enum resize_anchor anchor; /* not of RESAMPLE; at the center of an odd rest, the north-west */
};

/* The settings that follow: layout, origin, scale, bounds, pad. Fails with IMPOSSIBLE, placed at
 * the member, where the mode does not lead to that size, and as settings_check does. */
struct settings *resize_settings(const struct settings *settings, const struct resize *resize,
                                 struct fault *why);

/* Makes the draft that. Fails as resize_settings does, with LOCKED where any layer is, or with
 * MEMORY. */
bool resize_apply(struct draft *draft, const struct resize *resize, struct fault *why);

#endif

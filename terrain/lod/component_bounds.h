/* The exact bounds of all components, or of all their sections: kept in the cache of derived
 * things, and brought up to date only where heights or holes changed. Any thread. */
#ifndef TERRAIN_LOD_COMPONENT_BOUNDS_H
#define TERRAIN_LOD_COMPONENT_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct component_bound {
    uint16_t least, greatest; /* of its vertices, borders included */
    bool hollow;              /* all of its quads are holes */
};

struct component_bounds {
    struct derived derived; /* whoever got it drops that */
    uint64_t again;         /* view_again of what it was made from */
    int32_t quads;          /* a side of one: a component's or a section's */
    int32_t across, down;
    struct component_bound *bounds; /* row by row */
    int32_t block_count;
    uint64_t *versions; /* of the blocks' heights and holes */
};

/* NULL with MEMORY. */
const struct component_bounds *component_bounds_get(const struct view *view,
                                                    struct derived_cache *cache, bool sections,
                                                    struct fault *why);
void component_bounds_drop(const struct component_bounds *bounds); /* NULL is fine */

#endif

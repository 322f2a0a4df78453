/* The inside of a tile, all but its outermost quads: which quads are drawn as one.
 *
 * Where all normals of an aligned square agree with that of its middle, it is one cell; between two
 * levels, four quads that are not become a fan of four triangles. Cells never hold a quad that is
 * a hole or meets the landscape's border. Definition: quadtree tile mesh of the reference. Any
 * thread.
 */
#ifndef TERRAIN_LOD_PATCH_CELLS_H
#define TERRAIN_LOD_PATCH_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/lod/patch_ground.h"

struct patch_style {
    double merge_angle; /* degrees; negative merges nothing */
    bool half_step;
    enum hole_rule hole_rule;
};

/* Kept in the cache. Numbers of vertices are j * (grid + 1) + i. */
struct patch_inside {
    struct derived derived;
    bool plain; /* every quad is two triangles: `corners` is not there */
    uint32_t (*corners)[3];
    size_t count;     /* triangles */
    uint8_t *groups;  /* of 2 x 2 quads: log2 of the cell's side, 0 for single quads; or NULL */
    uint8_t *dropped; /* grid x grid, one byte a quad; NULL when none is */
};
enum { PATCH_FAN = 0x80 }; /* in groups */

/* Held for the caller, to be dropped (derived_drop of &inside->derived). NULL with MEMORY. */
struct patch_inside *patch_inside(const struct view *view, struct derived_cache *cache,
                                  const struct patch_place *tile, const struct patch_style *style,
                                  struct fault *why);

#endif

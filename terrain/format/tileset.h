/* A landscape as 3D Tiles 1.1 with implicit tiling: which tiles there are, where they lie, and how
 * far each level is off.
 *
 * Tiles are the nodes of the landscape's quadtree (leaf quads a side of the least), y counted from
 * the south as 3D Tiles has it. Their geometric error halves from level to level, and so is
 * the greatest of any tile's mesh, times two for each level above it: no tile is off by more than
 * its level's error, and those of the last level by far less; on Earth what their flat triangles
 * lie off the ellipsoid counts, too. It is a power of two, so that most edits leave it alone. On
 * Earth tiles have regions (radians, metres above the ellipsoid), without a CRS boxes in local axes
 * with y to the north. Any thread.
 */
#ifndef TERRAIN_FORMAT_TILESET_H
#define TERRAIN_FORMAT_TILESET_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/format/datum.h"

enum { TILESET_LEAF = 64, TILESET_SUBTREE_LEVELS = 5, TILESET_REGION = 6, TILESET_BOX = 12 };

struct tileset {
    const struct view *view;
    struct datum datum;
    bool earth;
    int32_t levels;
    double error; /* of the root, metres */
    double depth; /* no curtain hangs deeper, as no gap is: all heights, a power of two */
};

/* All but error and depth, without a look at the heights. */
void tileset_begin(const struct view *view, const struct datum *datum, struct tileset *tileset);

/* Fails with MEMORY. */
bool tileset_of(const struct view *view, struct derived_cache *cache, const struct datum *datum,
                struct tileset *tileset, struct fault *why);

/* What a level's tiles are off at most, metres; how far off their meshes may be where their grids
 * come nearer (a 32nd of a quad of the level); how deep their curtains hang. */
double tileset_error(const struct tileset *tileset, int32_t level);
double tileset_max_error(const struct tileset *tileset, int32_t level);
double tileset_skirts(const struct tileset *tileset, int32_t level);

/* Whether there is such a tile: with any ground that is no hole. The root is always there. */
bool tileset_there(const struct tileset *tileset, int32_t level, int32_t x, int32_t y);

/* A tile's row from the north. */
static inline int32_t tileset_row(int32_t level, int32_t y)
{
    return (int32_t)(((uint32_t)1 << level) - 1) - y;
}

/* TILESET_REGION or TILESET_BOX numbers around the tile with its curtains. Fails as georef does. */
bool tileset_bounds(const struct tileset *tileset, int32_t level, int32_t x, int32_t y,
                    double *numbers, struct fault *why);

/* The same around the root's whole square, which reaches beyond the landscape, so that its quarters
 * are the tiles'; of the root tile alone where that is no place on Earth. */
bool tileset_root_bounds(const struct tileset *tileset, double *numbers, struct fault *why);

#endif

/* Which tiles show something else after a change of vertices: ranges of columns and rows for each
 * zoom of a grid. Any thread. */
#ifndef TERRAIN_FORMAT_TILE_TOUCHED_H
#define TERRAIN_FORMAT_TILE_TOUCHED_H

#include "terrain/format/tile.h"

struct tile_touched {
    int32_t zooms; /* 0 to zooms - 1 */
    struct {
        struct rect ranges[2]; /* two where they lie on both sides of 180 degrees */
        int32_t count;         /* none where the change lies beyond the grid */
    } at[TILE_ZOOM_MOST + 1];
};

/* Of tiles with `side` pixels a side (or fewer and coarser ones, which depend on more): those of
 * which a pixel, or one that lies up to `rim` pixels beyond the tile, shows a vertex of `dirty` or
 * a triangle at it. No tile that changes is left out; those at the ranges' borders are touched, or
 * lie within the rim and two vertices of the change, or of the box around it where the landscape
 * lies askew on the grid. Zooms go to the finest of tile_zooms. Fails with IMPOSSIBLE where the
 * landscape does not lie on the grid. */
bool tile_touched_find(const struct view *view, enum tile_grid grid, int32_t side, double rim,
                       struct rect dirty, struct tile_touched *touched, struct fault *why);

/* What the sets of tiles need around a tile: slopes and lines take a pixel more, and means over
 * footprints that lie askew a part of another. */
static const double TILE_SETS_RIM = 1.25;

#endif

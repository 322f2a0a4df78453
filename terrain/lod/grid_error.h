/* How far a level of the quadtree can be off at most, whichever way its quads are split. Any
 * thread.
 */
#ifndef TERRAIN_LOD_GRID_ERROR_H
#define TERRAIN_LOD_GRID_ERROR_H

#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* Metres by which the surface lies at most above or below any mesh that has every vertex of the
 * nodes' grids: nodes of `size` quads a side, `grid` quads of the mesh each (a power of two, as
 * size is). Never too little: the greatest distance of the mesh that is split as the landscape is,
 * and what another diagonal adds to it. Costs a pass over the heights, unless it is kept in the
 * cache (may be NULL). Fails with MEMORY. */
bool grid_error(const struct view *view, struct derived_cache *cache, int32_t size, int32_t grid,
                double *metres, struct fault *why);

#endif

/* Weights of the blended layers as a quadtree of tiles, for index maps: level 0 has a texel a
 * vertex, and each level above covers twice as much a side by the parents of index_map.h. Any
 * thread. */
#ifndef TERRAIN_QUERY_COVER_TILE_H
#define TERRAIN_QUERY_COVER_TILE_H

#include "terrain/base/fault.h"
#include "terrain/core/index_map.h"
#include "terrain/core/view.h"

enum { COVER_TILE_SIDE = 64, COVER_TILE_CELL = 8 };

/* Levels up to the one whose only tile covers the landscape; tiles across and down of one. */
int32_t cover_tile_levels(const struct view *view);
int32_t cover_tiles_across(const struct view *view, int32_t level);
int32_t cover_tiles_down(const struct view *view, int32_t level);

/* The vertices that a tile of the landscape covers. */
struct rect cover_tile_rect(const struct view *view, int32_t level, int32_t x, int32_t y);

enum {
    COVER_ENTRY_BYTES =
        (COVER_TILE_SIDE / COVER_TILE_CELL) * (COVER_TILE_SIDE / COVER_TILE_CELL) * INDEX_MAP_KEPT,
    COVER_CHANNEL_BYTES = COVER_TILE_SIDE * COVER_TILE_SIDE * INDEX_MAP_CHANNELS
};

/* A tile's index map, layers by their position in the stack, and its channels. Texels beyond the
 * landscape have no weight. Costs a pass over the vertices that it covers and that have paint.
 * Fails with MEMORY, and with IMPOSSIBLE for more layers than an index map knows. */
bool cover_tile(const struct view *view, int32_t level, int32_t x, int32_t y,
                uint8_t entries[COVER_ENTRY_BYTES], uint8_t channels[COVER_CHANNEL_BYTES],
                struct fault *why);

#endif

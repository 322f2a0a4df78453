/* Pictures of the map's tiles: what a renderer draws from right above, laid under each pixel of a
 * tile, whatever grid and CRS the tile is of. Any thread; blocks. */
#ifndef API_PICTURES_MAP_TILE_H
#define API_PICTURES_MAP_TILE_H

#include "render/renderer.h"
#include "terrain/format/tile.h"

/* side * side pixels of four bytes, appended: of colours, transparent where there is no ground.
 * picture says how; its size and camera are the tile's. Fails as tile_reach and renderer_paint do.
 */
bool map_tile_paint(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, const struct tile *tile, struct bytes *pixels,
                    struct drawn *how, struct fault *why);

#endif

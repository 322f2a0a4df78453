/* The planes of components' detail: for each section the levels of its mip chain from one on, many
 * sections a tile.
 *
 * A tile of level L has cells of S = (section quads + 1) >> L texels a side, CHAIN_SIDE / S across
 * and down; the cell of a section holds L as S x S texels, below it the levels after, side by side:
 * level L + k, k > 0, from texel (S - (S >> k - 1), S) on. So a cell is S wide and 3 S / 2 high.
 * Heights have below all cells the quads that are holes at level L, a bit for each of CHAIN_SIDE x
 * CHAIN_SIDE: that of texel (x, y) is bit x % 16 of word y * 16 + x / 16, and words run along rows.
 * Any thread. */
#ifndef RENDER_PLANE_CHAIN_H
#define RENDER_PLANE_CHAIN_H

#include "render/plane_make.h"
#include "terrain/lod/pick.h"

/* The key of the tile that holds a section (counted over the landscape) from a level on; and which
 * of the tile's cells it has. The plane is that of heights (chain) or of XY offsets (drift). */
struct tile_key chain_key(const struct view *view, int plane, int32_t level, int32_t sx, int32_t sy,
                          enum hole_rule rule, float cell[2]);

#endif

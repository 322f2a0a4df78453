/* A tile: what a picture needs to know of one node of the quadtree, as it is kept in a texture.
 *
 * 132 x 132 heights, one for each 1 << level quads: at level 0 the stored ones, above the means of
 * what a sample stands for. Blocks do not overlap, so a tile reads two samples
 * beyond its 128 on each side from its neighbours: patches meet without a seam, and slopes
 * at the border are taken across it. A tile's key therefore names the newest version of all
 * the blocks that it reads: one with another content has another key.
 *
 * Behind the heights stand the holes, a bit a quad in 9 words a row, laid down column by
 * column: word w of row r is texel (r, 132 + w). A quad of a coarse level is a hole when most of
 * what it covers is. What lies beyond the landscape is a hole. Any thread.
 */
#ifndef RENDER_TILE_H
#define RENDER_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/rect.h"
#include "terrain/core/view.h"

enum {
    TILE_MARGIN = 2,
    TILE_SIDE = 128 + 2 * TILE_MARGIN,
    TILE_HOLE_WORDS = (TILE_SIDE + 15) / 16,
    TILE_ROWS = TILE_SIDE + TILE_HOLE_WORDS,
    TILE_TEXELS = TILE_SIDE * TILE_ROWS,
    TILE_BYTES = 2 * TILE_TEXELS,
    TILE_LEVEL_MOST = 10
};

/* The key of a tile of any plane (plane.h). Keys are compared as bytes. */
struct tile_key {
    uint64_t incarnation, newest;
    uint64_t detail; /* what else it was made from, as its plane says */
    int32_t level, x, y;
    int32_t plane; /* enum plane_kind */
};

/* That of heights and holes. */
struct tile_key tile_key(const struct view *view, int32_t level, int32_t x, int32_t y);

/* The samples of a tile, counted from the landscape's first of that level. */
static inline struct rect tile_samples(int32_t x, int32_t y)
{
    return (struct rect){ x * 128 - TILE_MARGIN, y * 128 - TILE_MARGIN, TILE_SIDE, TILE_SIDE };
}

/* Of a tile's `detail`: samples are the stored heights at every (1 << level)th vertex, instead of
 * means; and there are no holes. */
enum { TILE_POINTS = 1 };
void tile_make_points(const struct view *view, int32_t level, int32_t x, int32_t y,
                      uint16_t *texels);

/* TILE_TEXELS texels. False when memory is out. */
bool tile_make(const struct view *view, int32_t level, int32_t x, int32_t y, uint16_t *texels);

#endif

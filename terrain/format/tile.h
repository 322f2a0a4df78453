/* Map tiles of a landscape: which there are, what each depends on, and the height of every pixel.
 *
 * A landscape with a CRS lies on the world's Web Mercator grid (XYZ, rows from the north): tile
 * (z, x, y) is the square from x / 2^z to (x + 1) / 2^z of the circumference C = 2 pi 6378137.
 * Its native zoom is m = ceil(log2(C / (256 s))), s being the Mercator metres of a grid step at its
 * middle (the smaller of both axes); its surface covers the vertices' bounds.
 * A landscape without CRS lies on a grid of its own: at zoom m = max(0, ceil(log2(max(W, H) /
 * 256))) pixel (i, j) is vertex (i, j) and each zoom before it halves; a vertex is a square there,
 * so the surface goes on level for half a vertex beyond the outermost ones.
 *
 * Zooms 0 to m + 4 (30 at most) exist. A tile has `side` pixels, 256 or 512, over the same square;
 * so a pixel of side 512 counts as one of zoom z + 1 in what follows.
 *
 * The height of a pixel:
 * - at zoom m and finer, that of the surface (the triangle of view_code_at) at the pixel's centre;
 * - at coarser zooms, the mean of the ground over the pixel's footprint, a rectangle of the grid:
 * with P the grid positions of the pixel's corners, its middle is their mean, and its width the
 * length of (c[ne] - c[nw] + c[se] - c[sw], c[sw] - c[nw] + c[se] - c[ne]) / 2 in columns c, its
 * height likewise in rows. (Along the grid that is the pixel itself; across it, a rectangle of
 * about the same area.) Vertex (c, r) stands for the unit square around it; those parts of the
 * squares that lie on the landscape and in the footprint are the weights. Holes count as the ground
 * beneath. A pixel whose centre (or, at coarser zooms, whose whole footprint) lies beyond the
 * landscape has the fill height; so has one more than a pixel away from the landscape's bounds in
 * degrees, where a CRS need not make sense.
 *
 * Positions are exact through the CRS at nine points of squares of at most 128 pixels, and of
 * second order between, with an error of at most 2^-20 pixel (or, if that is more, a millionth of
 * a vertex or 1e-7 m) at four check points. Squares are halved until that holds; those of 8 pixels
 * for which it does not are exact at every point. Any thread; each keeps what it knew last.
 */
#ifndef TERRAIN_FORMAT_TILE_H
#define TERRAIN_FORMAT_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

enum { TILE_SIDE = 256, TILE_SIDE_2X = 512, TILE_ZOOM_MOST = 30, TILE_ZOOMS_BEYOND = 4 };

struct tile {
    int32_t z, x, y;
    int32_t side; /* pixels: 256 or 512 */
};

/* The native zoom, announced as the greatest, and the finest that is served. */
bool tile_zooms(const struct view *view, int32_t *native, int32_t *finest, struct fault *why);

/* Degrees (west, south, east, north) that a TileJSON may announce: within the Mercator world, and
 * all round it when the landscape crosses 180 degrees. For a landscape without CRS, the part of the
 * world's square that its own grid takes at zoom 0. */
bool tile_bounds(const struct view *view, double bounds[4], struct fault *why);

/* The vertices on which the tile and one pixel around it depend; they may be none. Fails with
 * MISSING for a zoom, column or row that does not exist and with RANGE for a tile that does not
 * touch the landscape. */
bool tile_reach(const struct view *view, const struct tile *tile, struct rect *reach,
                struct fault *why);

/* A number that names what the tile shows: another one after any change to a height in its reach or
 * to the landscape's place, and the same after all other changes. (The versions of blocks that lie
 * wholly in the reach, and the heights themselves of the others.) Fails as tile_reach does. */
bool tile_stamp(const struct view *view, const struct tile *tile, uint64_t *stamp,
                struct fault *why);

/* Metres of (side + 2 margin)^2 pixels, margin being 0 or 1 pixel around the tile. Fails as
 * tile_reach does, and with MEMORY. */
bool tile_heights(const struct view *view, const struct tile *tile, int32_t margin, double fill,
                  double *z, struct fault *why);

/* Metres on the ground of a pixel of row j of the tile, east and south. */
void tile_ground(const struct view *view, const struct tile *tile, int32_t row, double metres[2]);

#endif

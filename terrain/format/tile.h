/* Tiles of a landscape: which there are, what each depends on, and the height of every sample.
 *
 * Rows of all grids are counted from the north here.
 * The Web Mercator grid (XYZ): tile (z, x, y) is the square from x / 2^z to (x + 1) / 2^z of the
 * circumference C = 2 pi 6378137. The native zoom of a landscape with a CRS is
 * m = ceil(log2(C / (256 s))), s being the Mercator metres of a grid step at its middle (the
 * smaller of both axes); its surface covers the vertices' bounds.
 * The geodetic grid (EPSG:4326): 2^(z + 1) x 2^z tiles of 180 / 2^z degrees; the same with
 * s in degrees and C = 180.
 * A landscape without CRS lies on a grid of its own, which it has instead of Mercator's: at zoom
 * m = max(0, ceil(log2(max(W, H) / 256))) pixel (i, j) is vertex (i, j) and each zoom before it
 * halves; a vertex is a square there, so the surface goes on level for half a vertex beyond the
 * outermost ones.
 *
 * Zooms 0 to m + 4 (30 at most) exist. A tile has `side` pixels over its square, 256 if nothing
 * else is said; those of side 512 count as of zoom z + 1 in what follows, of side 128 as of z - 1,
 * and so on.
 *
 * Samples lie at the pixels' centres, or at their north-west corners, or at all their corners (so
 * that the outermost lie on the tile's border). What is said of a pixel goes for the square of its
 * size around the sample. A sample's place follows from its number in the world alone: tiles that
 * share one have it equal to the bit.
 * Of samples at all corners, those beyond the landscape by less than a step have the heights of the
 * place of it that lies next, axis by axis: so the squares between four samples that meet the
 * landscape have nothing to do with the fill.
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

enum {
    TILE_SIDE = 256,
    TILE_SIDE_2X = 512,
    TILE_SIDE_LEAST = 8,
    TILE_ZOOM_MOST = 30,
    TILE_ZOOMS_BEYOND = 4
};

enum tile_grid { TILE_MERCATOR, TILE_GEODETIC }; /* Mercator's, or the landscape's own instead */
enum tile_samples { TILE_CENTRES, TILE_CORNERS, TILE_BORDERS };

/* Whole numbers only: compared byte by byte. */
struct tile {
    int32_t z, x, y;
    int32_t side;    /* pixels: a power of two from 8 to 512 */
    int32_t margin;  /* samples more on each side, at most `side` */
    int32_t samples; /* enum tile_samples */
    int32_t grid;    /* enum tile_grid */
};

/* A plain one, as an initializer. */
#define TILE_AT(z_, x_, y_, side_)                                                                 \
    {                                                                                              \
        .z = (z_), .x = (x_), .y = (y_), .side = (side_)                                           \
    }

/* The same tile with so wide a margin. */
static inline struct tile tile_around(const struct tile *tile, int32_t margin)
{
    struct tile around = *tile;

    around.margin = margin;
    return around;
}

/* Samples a side, the margin included. */
static inline int32_t tile_samples_across(const struct tile *tile)
{
    return tile->side + (tile->samples == TILE_BORDERS) + 2 * tile->margin;
}

/* The native zoom, announced as the greatest, and the finest that is served. */
bool tile_zooms(const struct view *view, int32_t *native, int32_t *finest, struct fault *why);

/* Degrees (west, south, east, north) that a TileJSON may announce: within the Mercator world, and
 * all round it when the landscape crosses 180 degrees. For a landscape without CRS, the part of the
 * world's square that its own grid takes at zoom 0. */
bool tile_bounds(const struct view *view, double bounds[4], struct fault *why);

/* The same of any grid, for tiles of so many pixels a side: the first zoom at which a sample is not
 * coarser than a grid step. Fails with IMPOSSIBLE where the landscape does not lie on the grid. */
bool tile_grid_native(const struct view *view, enum tile_grid grid, int32_t side, int32_t *native,
                      struct fault *why);

/* The tiles of a zoom that touch the landscape, as rectangles of columns and rows: one, or two
 * where it lies on both sides of 180 degrees. */
bool tile_grid_ranges(const struct view *view, enum tile_grid grid, int32_t z,
                      struct rect ranges[2], int32_t *count, struct fault *why);

/* The vertices on which the tile with its margin and one pixel around it depends; they may be none.
 * Fails with MISSING for a zoom, column or row that does not exist and with RANGE for a tile that
 * does not touch the landscape. */
bool tile_reach(const struct view *view, const struct tile *tile, struct rect *reach,
                struct fault *why);

/* A number that names what the tile shows: another one after any change to a height in its reach or
 * to the landscape's place, and the same after all other changes. (The versions of blocks that lie
 * wholly in the reach, and the heights themselves of the others.) Fails as tile_reach does. */
bool tile_stamp(const struct view *view, const struct tile *tile, uint64_t *stamp,
                struct fault *why);

/* Metres of tile_samples_across^2 samples, row by row. Fails as tile_reach does, and with MEMORY.
 */
bool tile_heights(const struct view *view, const struct tile *tile, double fill, double *z,
                  struct fault *why);

/* Grid positions (column, row) of the same samples; NaN where there is none, and where the
 * landscape is not near. Fails likewise. */
bool tile_places(const struct view *view, const struct tile *tile, double (*at)[2],
                 struct fault *why);

/* Metres on the ground of a pixel of row j of the tile, east and south. */
void tile_ground(const struct view *view, const struct tile *tile, int32_t row, double metres[2]);

#endif

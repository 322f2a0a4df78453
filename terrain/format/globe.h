/* Terrain tiles for globes: of the geodetic grid, with samples on their borders, in metres above
 * the ellipsoid, as meshes (quantized-mesh-1.0) and as heightmaps (heightmap-1.0).
 *
 * Rows are counted from the north here; the formats' own count from the south. A tile has 64 x 64
 * squares between its samples. Zooms go from 0 to the first whose samples are not coarser than the
 * landscape's; of each there are the tiles that touch the landscape, and of zoom 0 both. Beyond the
 * landscape the ground lies at a fill height, beneath holes it goes on. Any thread.
 */
#ifndef TERRAIN_FORMAT_GLOBE_H
#define TERRAIN_FORMAT_GLOBE_H

#include "terrain/base/bytes.h"
#include "terrain/base/derived.h"
#include "terrain/core/view.h"
#include "terrain/format/datum.h"

enum { GLOBE_LOG2 = 6, GLOBE_SIDE = 1 << GLOBE_LOG2, GLOBE_NO_PAINT = -1 };

struct globe_tile {
    int32_t z, x, y;
};

struct globe_look {
    const struct datum *datum;
    double fill;             /* metres, as the landscape's heights are, before they are raised */
    double max_error;        /* metres; NaN is globe_mesh_error's */
    double skirts;           /* metres, of the tile's error at least; NaN: twice it; 0: none */
    unsigned extensions;     /* QUANTIZED_NORMALS and so on, as far as wanted */
    double water_height;     /* metres, as the landscape's: water at and below; NaN is nowhere */
    int water_paint;         /* position of a paint layer: water where its weight is 128 or more */
    int32_t metadata_levels; /* every so many zooms tiles tell which there are further down */
};

/* What clients take for the error of a zoom: the circumference at the equator, by 65 samples on two
 * root tiles, a quarter of that (CesiumJS's estimate for heightmaps): 77067.34 m / 2^z. */
double globe_zoom_error(int32_t z);

/* How far meshes of a zoom may lie off their samples when nobody says: that; of the finest zoom,
 * which nothing follows, an eighth of it, about a 32nd of what lies between two samples. */
double globe_mesh_error(int32_t z, int32_t finest);

/* The finest zoom. Fails with IMPOSSIBLE for a landscape without a place. */
bool globe_finest(const struct view *view, int32_t *finest, struct fault *why);

/* Whether there is such a tile. Fails with MISSING, or RANGE, or as globe_finest does. */
bool globe_has(const struct view *view, const struct globe_tile *tile, struct fault *why);

/* The tiles of a zoom, as rectangles of columns and rows: one or two. */
bool globe_ranges(const struct view *view, int32_t z, struct rect ranges[2], int32_t *count,
                  struct fault *why);

/* West, south, east, north of the landscape in degrees; all round when it crosses 180 degrees. */
bool globe_bounds(const struct view *view, double bounds[4], struct fault *why);

/* The height step of all tiles of the landscape, from what its settings allow for heights and, with
 * skirts, from how deep these may be. */
double globe_step(const struct view *view, const struct globe_look *look);

/* Names what a tile shows: of itself and the eight around it, whose borders it shares; and its
 * water. */
bool globe_stamp(const struct view *view, const struct globe_tile *tile,
                 const struct globe_look *look, uint64_t *stamp, struct fault *why);

/* Appends the tile as a quantized mesh. *error is in metres: nowhere on the tile does the surface
 * of the landscape lie further above or below it. Fails as globe_has does, and with MEMORY. */
bool globe_mesh(const struct view *view, struct derived_cache *cache, const struct globe_tile *tile,
                const struct globe_look *look, struct bytes *to, double *error, struct fault *why);

/* Appends it as a heightmap: 65 x 65 samples, which children there are, and water. */
bool globe_heightmap(const struct view *view, const struct globe_tile *tile,
                     const struct globe_look *look, struct bytes *to, struct fault *why);

#endif

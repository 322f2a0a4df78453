/* The heights of a tile while they are made: what tile_heights.c samples and tile_means.c averages
 * into. One thread. */
#ifndef TERRAIN_FORMAT_TILE_CANVAS_H
#define TERRAIN_FORMAT_TILE_CANVAS_H

#include "terrain/format/tile_map.h"

enum { TILE_ROW_MOST = 128 + 1 }; /* points of a row of a patch */

/* A millionth of a vertex from the border is on it: what rounding makes of points laid there. */
#define TILE_ROUNDING 1e-6

struct tile_canvas {
    const struct view *view;
    const struct grid *grid;
    double border;    /* of the map */
    double beyond[2]; /* columns and rows that samples may lie beyond it and count as on it */
    int32_t margin, stride;
    double *z;
    struct rect region; /* of vertices read last, into heights */
    uint16_t *heights;
    size_t room;
};

/* Where sample (x, y) of the tile is put. */
double *tile_canvas_row(const struct tile_canvas *canvas, int32_t x, int32_t y);

/* The vertices around these columns and rows, two a side at least; empty when there are none. */
struct rect tile_canvas_around(const struct tile_canvas *canvas, const double low[2],
                               const double high[2]);
/* The vertices around the patch's samples that have a height, those beyond the landscape included.
 */
struct rect tile_canvas_patch(const struct tile_canvas *canvas, const struct tile_patch *patch);
bool tile_canvas_read(struct tile_canvas *canvas, struct rect region, struct fault *why);

/* For tile_map_each, a canvas being its context: means over the patch's footprints. */
bool tile_canvas_mean(const struct tile_patch *patch, void *canvas, struct fault *why);

/* A stretch of an axis as weights of vertices: `head` of the first, 1 of those between, `tail`
 * of the last. */
struct tile_stretch {
    int32_t first, last;
    double head, tail, length;
};

/* An axis (0 columns, 1 rows) of the footprint between the places of two pixel corners above and
 * two below; see tile.h. False when it misses the landscape. */
bool tile_footprint(const struct tile_canvas *canvas, int axis, const double *above,
                    const double *below, struct tile_stretch *stretch);

/* Means over the wide footprints of a straight patch. Fails with MEMORY. */
bool tile_canvas_lines(struct tile_canvas *canvas, const struct tile_patch *patch,
                       struct fault *why);

#endif

/* A part of the surface: a rectangle of vertices with the quads between them, or a polygon.
 *
 * A polygon's inside is by the even-odd rule; its vertices are those inside and on its border, and
 * its surface is cut along its sides, so that areas and volumes are those of the polygon itself.
 * What lies beyond the landscape counts for nothing. Grid coordinates. Any thread.
 */
#ifndef TERRAIN_QUERY_REGION_H
#define TERRAIN_QUERY_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* A side of a polygon, downwards: from is at its northern end, at which it also begins to count. */
struct region_side {
    double from[2], to[2];
};

struct region {
    struct rect over;          /* vertices; around a polygon, as far as it is on the landscape */
    struct region_side *sides; /* by their northern ends; NULL: all of the rectangle */
    size_t count;
};

/* A rectangle on the landscape. */
struct region region_rect(struct rect over);

/* The points of a polygon one after the other, the first not once more at the end (which does no
 * harm). Fails with INPUT for fewer than three, and for one that is not a number or further than
 * REGION_FAR from the landscape's first vertex; with MEMORY. */
#define REGION_FAR 1e7
bool region_polygon(const struct view *view, const double (*points)[2], size_t count,
                    struct region *region, struct fault *why);
void region_fini(struct region *region);

/* Who walks over a region is told of its vertices, of whole quads, and of convex pieces of
 * triangles (their corners relative to the quad's north-west vertex, 0..1), each once. Rectangles
 * lie within one block. */
enum { REGION_CORNERS_MOST = 8 };
struct region_visit {
    void (*vertices)(void *context, struct rect vertices);
    void (*quads)(void *context, struct rect quads);
    void (*piece)(void *context, int32_t x, int32_t y, bool south_west, const double (*corners)[2],
                  int count);
};

/* The rows of one row of blocks, 0 to region_strips - 1 from the north; in the same order each
 * time. `left`, which all strips share, begins at REGION_PIECES_MOST: a side in a row, and a quad
 * that is cut, take one. Fails with LIMIT where a polygon takes more, and with MEMORY. */
#define REGION_PIECES_MOST ((int64_t)1 << 22)
int32_t region_strips(const struct region *region);
bool region_walk(const struct region *region, int32_t strip, const struct region_visit *visit,
                 void *context, _Atomic int64_t *left, struct fault *why);

#endif

/* Contour lines: where the surface has given heights, traced on the triangles of LOD 0.
 *
 * Level n lies at base + n x interval metres. A vertex at a level counts as above it, so every
 * triangle is crossed by a level along two of its sides or not at all: lines neither branch nor
 * cross (though at a vertex that lies on the level itself they may touch, and pass it in several
 * points of the same place). Each point lies on a side of a triangle; a line ends at the
 * window's border or at a hole, or is closed. Seen from above with north up, the higher ground is
 * on the left of a line's way: rings go counter-clockwise round tops, clockwise round hollows. XY
 * offsets of vertices do not count. Any thread.
 */
#ifndef TERRAIN_QUERY_CONTOUR_H
#define TERRAIN_QUERY_CONTOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct contour_line {
    double elevation; /* metres */
    size_t first, count;
    bool closed; /* the first point follows on the last */
};

struct contours {
    size_t point_count, line_count;
    double (*points)[2]; /* grid coordinates */
    struct contour_line *lines;
};

enum { CONTOUR_VERTICES_MOST = 1 << 24 };

/* Of the vertices in `over`, which lies on the landscape. Fails with LIMIT, placed at `interval`,
 * for more than `most` points, and at `width` for more than CONTOUR_VERTICES_MOST vertices; with
 * IMPOSSIBLE for more levels than can be counted; with MEMORY. Then there is nothing to free. */
bool contour_trace(const struct view *view, struct rect over, double interval, double base,
                   int64_t most, struct contours *contours, struct fault *why);

/* Leaves out points within each line that lie nearer than `tolerance` metres to the line without
 * them (Douglas and Peucker); at 0 only those in the place of the one before. What is left of a
 * line is two points at least, of a ring three; others go. Simplified lines may cross. Fails with
 * MEMORY. */
bool contour_simplify(const struct grid *grid, double tolerance, struct contours *contours,
                      struct fault *why);

void contour_free(struct contours *contours);

#endif

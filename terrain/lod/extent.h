/* What of a landscape there is to see: the part that is not pad, its bounds in metres,
 * and the level at which a model of it is cut off below. Any thread.
 */
#ifndef TERRAIN_LOD_EXTENT_H
#define TERRAIN_LOD_EXTENT_H

#include "terrain/base/rect.h"
#include "terrain/core/view.h"

struct extent {
    struct rect solid;      /* vertices; the pad is left out while all of its quads are holes */
    double low[3], high[3]; /* local metres around the surface, as offsets move it */
    double base;            /* metres: where the sides of the model end, below low[2] */
};

void extent_of(const struct view *view, struct extent *extent);

/* Whether every quad of a rectangle (named by their north-west vertices) is a hole, or any. */
bool extent_hollow(const struct view *view, struct rect quads);
bool extent_holed(const struct view *view, struct rect quads);

/* Widens a box of a rectangle of vertices (local metres) to where their XY offsets may move them.
 */
void extent_widen(const struct view *view, struct rect vertices, double low[3], double high[3]);

#endif

/* The vertex function of a component renderer: where a vertex of the drawn grid goes at a
 * continuous level of detail, so that levels grow into each other and neighbours meet.
 *
 * Reference, parts 3.2 and 3.3. Along a border both sides come to the same level and so to the same
 * vertices: positions there are equal to the bit, whatever either side is drawn with, as long as
 * they are computed in one frame (`origin`). Any thread.
 */
#ifndef TERRAIN_LOD_MORPH_H
#define TERRAIN_LOD_MORPH_H

#include <stdint.h>

#include "terrain/core/chain.h"
#include "terrain/core/mobile.h"

/* What meets at a vertex: the component's own level and its north, west, east and south
 * neighbours'. morph_around raises each of these to at least its own; NaN, no neighbour, becomes
 * its own. */
struct morph_levels {
    double own, neighbours[4];
    int32_t last; /* level that there is */
};
void morph_around(struct morph_levels *levels, double own, const double neighbours[4],
                  int32_t last);

/* The level at grid point (x, y) of steps x steps; at a border it is the neighbour's, exactly, and
 * nowhere below its own. */
double morph_lod(const struct morph_levels *levels, int32_t x, int32_t y, int32_t steps);

/* The texture is read at its texels, or with a linear filter. Offsets are read at texels. */
enum morph_filter { MORPH_POINT, MORPH_BILINEAR };

/* A vertex of a section: (x, y) of the grid of level `draw`. */
struct morph_from {
    int32_t draw;
    int32_t sx, sy, x, y;
    double origin[2]; /* added to the position: where the section lies */
};

struct morphed {
    double at[2];     /* quads */
    double code;      /* height, an unrounded code */
    double normal[3]; /* as decoded from the bytes; of unit length but for their steps */
};

/* PC. The level is at least from->draw; the chain has all levels up to its whole part, and the next
 * one where there is one. */
void morph_vertex(const struct chain *chain, enum morph_filter filter,
                  const struct morph_from *from, double lod, struct morphed *to);

/* Mobile: (x, y) is the base vertex, from->draw 0, and the level at most 5. No normals. */
void morph_mobile_vertex(const struct chain *chain, const double codes[MOBILE_LODS],
                         const struct morph_from *from, double lod, struct morphed *to);

#endif

/* Errors of patches whose grid has every vertex of the surface: the usual case, made fast.
 * Any thread. */
#ifndef TERRAIN_LOD_RTIN_FINE_H
#define TERRAIN_LOD_RTIN_FINE_H

#include "terrain/base/rect.h"
#include "terrain/lod/rtin_inside.h"

enum { RTIN_FINE_LEAST = 16 }; /* quads a side */

struct rtin_fine {
    int32_t n; /* quads a side, a power of two from RTIN_FINE_LEAST to 256 */
    /* Codes, or metres less some of them, NaN where there is no surface: n + 1 rows of n + 1, pitch
     * apart; four more may be read than there are. */
    const float *heights;
    int32_t pitch;
    int16_t *errors, *rest; /* of the own triangles, packed, not gathered */
    void *panel;            /* rtin_fine_scratch() bytes, a multiple of 64, aligned so */
    float slack;            /* as of the map */
};

size_t rtin_fine_scratch(void);

/* A square of floats, its corners and middle apart; four more may be read than there are. */
struct rtin_square {
    const float *at; /* its north-west corner */
    int32_t pitch, side;
    float nw, ne, sw, se, centre;
};

/* The errors of its vertices when it is halved by a diagonal, the square's sides left out; and of
 * the triangles over the north, south, west and east side when it is quartered. */
float rtin_halve(const struct rtin_square *s, bool falling);
void rtin_quarter(const struct rtin_square *s, float farthest[4]);

/* Measures what has a vertex in `dirty`; everything else is as it was. */
void rtin_measure_fine(const struct rtin_fine *fine, struct rect dirty);

/* The own map of a node whose grid has every vertex; vertices is its part on the landscape. What
 * the older map (or NULL) has is measured again only where it changed. NULL with MEMORY. */
struct derived *rtin_fine_node(const struct view *view, const struct rtin_node *node,
                               struct rect vertices, const struct rtin_map *older,
                               struct fault *why);

#endif

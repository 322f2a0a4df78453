/* Heights between vertices.
 *
 * triangle  the surface itself, as it is drawn and met: each quad is two triangles
 * bilinear  along the quad's north and south side, then between the two
 * bicubic   cubic convolution with a = -1/2 (Catmull-Rom's spline along each axis) over 4 x 4
 *           vertices, those of the border being repeated beyond it; where the ground bends, it may
 *           pass above or below all of them. Source: R. G. Keys, "Cubic convolution interpolation
 *           for digital image processing", IEEE Transactions on Acoustics, Speech and Signal
 *           Processing 29, 1981
 * nearest   that of the nearest vertex; halfway, of the one to the east or south
 *
 * All of them pass through the vertices. Any thread.
 */
#ifndef TERRAIN_QUERY_INTERPOLATE_H
#define TERRAIN_QUERY_INTERPOLATE_H

#include <stdint.h>

enum interpolation {
#define INTERPOLATION(name, word, reach) INTERPOLATION_##name,
#include "terrain/query/interpolations.def"
#undef INTERPOLATION
    INTERPOLATIONS
};
enum { INTERPOLATION_REACH_MOST = 1 };

extern const char *const interpolation_words[]; /* ends with NULL */
int interpolation_reach(enum interpolation interpolation);

/* The unrounded code at a place of a quad, 0..1 east and south of its north-west vertex. nw points
 * to that one's code, among those of the vertices around, rows `stride` apart. */
double interpolate(enum interpolation interpolation, const uint16_t *nw, int64_t stride,
                   double across, double down);

#endif

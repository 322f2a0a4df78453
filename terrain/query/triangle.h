/* One triangle and one shape: how near, and whether they touch.
 *
 * A triangle is three corners whose normal (second less first) x (third less first) has a part
 * upwards or downwards, as those of a height field have. Shapes and triangles are closed: what
 * touches, overlaps. Plain sums in double, without a tolerance. Any thread.
 */
#ifndef TERRAIN_QUERY_TRIANGLE_H
#define TERRAIN_QUERY_TRIANGLE_H

#include <stdbool.h>

/* The point of the triangle nearest to `from`, and the square of how far it is. By the regions of
 * its corners, edges and face: Ericson, Real-Time Collision Detection (2005), 5.1.5. */
double triangle_nearest(const double corners[3][3], const double from[3], double at[3]);

/* The same, of all that lies below the triangle as well. The square alone. */
double triangle_column_distance(const double corners[3][3], const double from[3]);

/* The unit normal that points upwards. */
void triangle_upward(const double corners[3][3], double normal[3]);

/* Does the box of half sizes `half` along three unit axes, around the origin, touch the triangle,
 * or, with `column`, the triangle or anything below it? By separating axes: the normals of both
 * and the products of their edges; Akenine-Moller, Fast 3D Triangle-Box Overlap Testing (2001).
 * What lies below has no end, so that an axis with a part upwards is open on one side. */
bool triangle_meets_box(const double corners[3][3], const double axes[3][3], const double half[3],
                        bool column);

#endif

/* What lies between the ground and a surface that is linear over each triangle: volumes and areas
 * where a difference is above 0 and below, each part without cancellation. For the core. Any
 * thread. */
#ifndef TERRAIN_QUERY_PRISM_H
#define TERRAIN_QUERY_PRISM_H

#include <math.h>
#include <stdint.h>

/* Volumes, in the unit of the difference times that of the area; both at least 0. */
struct prism {
    double above, below;
    double area_above, area_below;
};

/* One corner on its side with `lone`, the two others `a` and `b` on the other side, all at least 0
 * and lone or a or b above it. The small prism over the corner and the rest of the triangle. */
static inline void prism_split(double area, double lone, double a, double b, double *corner,
                               double *corner_area, double *rest, double *rest_area)
{
    const double across = (lone + a) * (lone + b);

    if (!(across > 0))
        return;
    *corner += area / 3 * lone * (lone * lone / across);
    *corner_area += area * (lone * lone / across);
    *rest += area / 3 * ((lone * (a * a + a * b + b * b) + a * b * (a + b)) / across);
    *rest_area += area * ((lone * (a + b) + a * b) / across);
}

/* Of a triangle whose corners lie on both sides. */
static inline void prism_cross(double area, const double d[3], struct prism *prism)
{
    const int above = (d[0] > 0) + (d[1] > 0) + (d[2] > 0);
    const double sign = above == 1 ? 1 : -1;
    int lone = 0;

    while (lone < 2 && !(sign * d[lone] > 0))
        lone++;
    if (above == 1)
        prism_split(area, d[lone], -d[(lone + 1) % 3], -d[(lone + 2) % 3], &prism->above,
                    &prism->area_above, &prism->below, &prism->area_below);
    else
        prism_split(area, -d[lone], d[(lone + 1) % 3], d[(lone + 2) % 3], &prism->below,
                    &prism->area_below, &prism->above, &prism->area_above);
}

/* Adds a triangle of that area with those differences at its corners. */
static inline void prism_add(double area, double d0, double d1, double d2, struct prism *prism)
{
    const double least = d0 < d1 ? (d0 < d2 ? d0 : d2) : d1 < d2 ? d1 : d2;
    const double greatest = d0 > d1 ? (d0 > d2 ? d0 : d2) : d1 > d2 ? d1 : d2;

    if (least >= 0) {
        prism->above += area / 3 * (d0 + d1 + d2);
        prism->area_above += greatest > 0 ? area : 0;
    } else if (greatest <= 0) {
        prism->below -= area / 3 * (d0 + d1 + d2);
        prism->area_below += area;
    } else {
        prism_cross(area, (const double[3]){ d0, d1, d2 }, prism);
    }
}

static inline void prism_join(struct prism *sum, const struct prism *more)
{
    sum->above += more->above;
    sum->below += more->below;
    sum->area_above += more->area_above;
    sum->area_below += more->area_below;
}

/* Of a triangle on the plane. */
static inline double prism_area(const double a[2], const double b[2], const double c[2])
{
    return 0.5 * fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

/* Adds `count` quads of area 1 beside each other, by the differences at the count + 1 vertices of
 * their northern and of their southern row. */
void prism_row(const double *north, const double *south, int32_t count, struct prism *prism);

#endif

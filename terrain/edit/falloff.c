#include "terrain/edit/falloff.h"

#include <math.h>

#include "terrain/base/wide.h"

/* From y, 0 at the inner edge and 1 at the rim, both cut off. */
static inline double linear(double y)
{
    return 1 - y;
}

static inline double smooth(double y)
{
    double z = 1 - y;

    return z * z * (3 - 2 * z);
}

static inline double spherical(double y)
{
    return sqrt(1 - y * y);
}

static inline double tip(double y)
{
    double z = 1 - y;

    return 1 - sqrt(1 - z * z);
}

static inline double faded(double square, double inner, double per_rim)
{
    double y = (sqrt(square) - inner) * per_rim;

    y = y > 0 ? y : 0;
    return y < 1 ? y : 1;
}

WIDE void falloff_row(enum falloff_shape shape, double radius, double share, int32_t count,
                      const double *squares, double *force)
{
    double inner = radius * (1 - share), rim = radius * share, per_rim = 1 / rim;

    if (!(rim > 0)) {
        for (int32_t i = 0; i < count; i++)
            force[i] = squares[i] <= radius * radius;
        return;
    }
    switch (shape) {
    case FALLOFF_LINEAR:
        for (int32_t i = 0; i < count; i++)
            force[i] = linear(faded(squares[i], inner, per_rim));
        break;
    case FALLOFF_SPHERICAL:
        for (int32_t i = 0; i < count; i++)
            force[i] = spherical(faded(squares[i], inner, per_rim));
        break;
    case FALLOFF_TIP:
        for (int32_t i = 0; i < count; i++)
            force[i] = tip(faded(squares[i], inner, per_rim));
        break;
    default:
        for (int32_t i = 0; i < count; i++)
            force[i] = smooth(faded(squares[i], inner, per_rim));
        break;
    }
}

double falloff_at(enum falloff_shape shape, double dist, double radius, double share)
{
    double square = dist * dist, force;

    falloff_row(shape, radius, share, 1, &square, &force);
    return force;
}

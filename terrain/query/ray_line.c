#include "terrain/query/ray_line.h"

#include <math.h>
#include <string.h>

/* From farther away, quads or codes, doubles cannot tell which quads a ray is near, and it would
 * have to be tried on all of them. */
#define FARTHEST 0x1p44

static bool near_enough(const double v[3])
{
    return fabs(v[0]) <= FARTHEST && fabs(v[1]) <= FARTHEST && fabs(v[2]) <= FARTHEST;
}

static bool finite_all(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

double ray_line_scale(double value, int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double factor;

    if (exponent < -1000 || exponent > 1000)
        return ldexp(value, exponent);
    memcpy(&factor, &bits, sizeof factor);
    return value * factor;
}

/* The exponent that frexp tells, of a number above 0. */
static int exponent_of(double value)
{
    uint64_t bits;
    int exponent;

    memcpy(&bits, &value, sizeof bits);
    if (bits >> 52)
        return (int)(bits >> 52) - 1022;
    frexp(value, &exponent);
    return exponent;
}

bool ray_line_init(struct ray_line *line, const struct grid *grid, const struct ray *ray)
{
    double greatest;

    for (int k = 0; k < 2; k++) {
        line->from[k] = ray->from[k];
        line->given[k] = ray->along[k];
    }
    line->from[2] = grid_codes(grid, ray->from[2] - grid->origin[2]);
    line->given[2] = grid_codes(grid, ray->along[2]);
    line->given_reach = ray->reach;
    if (!near_enough(line->from) || !finite_all(line->given) || !(ray->reach >= 0))
        return false;
    greatest = fmax(fmax(fabs(line->given[0]), fabs(line->given[1])), fabs(line->given[2]));
    if (!(greatest > 0))
        return false;
    line->scaled = exponent_of(greatest);
    for (int k = 0; k < 3; k++)
        line->along[k] = ray_line_scale(line->given[k], -line->scaled);
    line->reach = ray_line_scale(line->given_reach, line->scaled);
    return true;
}

#include "terrain/query/ray_line.h"

#include <math.h>

static bool finite_all(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
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
    if (!finite_all(line->from) || !finite_all(line->given) || !(ray->reach >= 0))
        return false;
    greatest = fmax(fmax(fabs(line->given[0]), fabs(line->given[1])), fabs(line->given[2]));
    if (!(greatest > 0))
        return false;
    frexp(greatest, &line->scaled);
    for (int k = 0; k < 3; k++)
        line->along[k] = ldexp(line->given[k], -line->scaled);
    line->reach = ldexp(line->given_reach, line->scaled);
    return true;
}

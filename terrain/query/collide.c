#include "terrain/query/collide.h"

#include <math.h>

#include "terrain/core/codec.h"

/* The quad that a position on the landscape lies in, and where in it. */
struct quad {
    int32_t i, j;
    double across, down;
};

static bool quad_at(const struct grid *grid, double x, double y, struct quad *quad)
{
    if (!(x >= 0 && y >= 0 && x <= grid->columns - 1 && y <= grid->rows - 1))
        return false;
    quad->i = x < grid->columns - 2 ? (int32_t)x : grid->columns - 2;
    quad->j = y < grid->rows - 2 ? (int32_t)y : grid->rows - 2;
    quad->across = x - quad->i;
    quad->down = y - quad->j;
    return true;
}

/* Heights of a triangle's corners to rises along x and y: north and east side, or south and west.
 */
static void triangle_normal(const uint16_t corners[4], bool south_west, const double scale[3],
                            double normal[3])
{
    int32_t rise_x = south_west ? corners[3] - corners[2] : corners[1] - corners[0];
    int32_t rise_y = south_west ? corners[2] - corners[0] : corners[3] - corners[1];
    double x = -rise_x * scale[2] / 128 / scale[0], y = -rise_y * scale[2] / 128 / scale[1];
    double length = sqrt(x * x + y * y + 1);

    normal[0] = x / length;
    normal[1] = y / length;
    normal[2] = 1 / length;
}

/* Normal of corner k of a quad, from the 4 x 4 heights around it. */
static void corner_normal(const struct view *view, const struct quad *quad, int k,
                          const uint16_t around[16], double normal[3])
{
    const struct grid *grid = view_grid(view);
    int32_t x = quad->i + (k & 1), y = quad->j + (k >> 1);
    unsigned west = x > 0, east = x < grid->columns - 1;
    unsigned north = y > 0, south = y < grid->rows - 1;
    uint16_t window[9];

    for (int n = 0; n < 9; n++)
        window[n] = around[((k >> 1) + n / 3) * 4 + (k & 1) + n % 3];
    codec_vertex_normal(
        window, grid->scale,
        (north & west) | (north & east) << 1 | (south & west) << 2 | (south & east) << 3, normal);
}

static void smooth_normal(const struct view *view, const struct quad *quad, bool south_west,
                          const uint16_t around[16], double normal[3])
{
    double fx = quad->across, fy = quad->down, length;
    /* Barycentric: 00, 10, 01, 11; the corner beside the triangle has no share. */
    double shares[4] = { south_west ? 1 - fy : 1 - fx, south_west ? 0 : fx - fy,
                         south_west ? fy - fx : 0, south_west ? fx : fy };
    double sum[3] = { 0, 0, 0 };

    for (int k = 0; k < 4; k++) {
        double corner[3];

        corner_normal(view, quad, k, around, corner);
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += shares[k] * corner[axis];
    }
    length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = sum[axis] / length;
}

/* What a triangle of the quad is at a place in it. */
static void surface_fill(const struct view *view, const struct quad *quad, bool south_west,
                         struct surface *surface)
{
    const struct grid *grid = view_grid(view);
    const double fx = quad->across, fy = quad->down;
    uint16_t around[16], corners[4];

    view_read_around(view, (struct rect){ quad->i - 1, quad->j - 1, 4, 4 }, around, 4);
    for (int k = 0; k < 4; k++)
        corners[k] = around[((k >> 1) + 1) * 4 + (k & 1) + 1];
    surface->shares[0] = 1 - (south_west ? fy : fx);
    surface->shares[1] = south_west ? fy - fx : fx - fy;
    surface->shares[2] = south_west ? fx : fy;
    triangle_normal(corners, south_west, grid->scale, surface->normal);
    smooth_normal(view, quad, south_west, around, surface->smooth);
    surface->triangle = 2 * ((int64_t)quad->j * (grid->columns - 1) + quad->i) + south_west;
    surface->hole = view_hole(view, quad->i, quad->j);
    surface->z = grid_metres(
        grid, corners[0] + fx * (south_west ? corners[3] - corners[2] : corners[1] - corners[0]) +
                  fy * (south_west ? corners[2] - corners[0] : corners[3] - corners[1]));
}

bool collide_surface(const struct view *view, const double at[2], struct surface *surface,
                     struct fault *why)
{
    const struct grid *grid = view_grid(view);
    struct quad quad;

    if (!quad_at(grid, at[0], at[1], &quad))
        return fault_set(why, FAULT_RANGE,
                         "column %.17g, row %.17g is outside the landscape, whose columns are 0 to "
                         "%d and rows 0 to %d",
                         at[0], at[1], grid->columns - 1, grid->rows - 1);
    surface_fill(view, &quad, quad.across < quad.down, surface);
    return true;
}

bool collide_on_triangle(const struct view *view, int64_t triangle, const double at[2],
                         struct surface *surface, struct fault *why)
{
    const struct grid *grid = view_grid(view);
    const int64_t across = grid->columns - 1, count = 2 * across * (grid->rows - 1);
    const bool south_west = triangle & 1;
    struct quad quad;

    if (triangle < 0 || triangle >= count)
        return fault_set(why, FAULT_RANGE, "triangle %lld does not exist: there are 0 to %lld",
                         (long long)triangle, (long long)count - 1);
    quad.i = (int32_t)(triangle / 2 % across);
    quad.j = (int32_t)(triangle / 2 / across);
    quad.across = fmin(fmax(at[0] - quad.i, 0), 1);
    quad.down = fmin(fmax(at[1] - quad.j, 0), 1);
    if (south_west)
        quad.across = fmin(quad.across, quad.down);
    else
        quad.down = fmin(quad.across, quad.down);
    surface_fill(view, &quad, south_west, surface);
    return true;
}

bool collide_height(const struct view *view, double x, double y, double *z, bool *hole)
{
    double code;
    struct quad quad;

    if (!view_code_at(view, x, y, &code))
        return false;
    *z = grid_metres(view_grid(view), code);
    if (hole && quad_at(view_grid(view), x, y, &quad))
        *hole = view_hole(view, quad.i, quad.j);
    return true;
}

/* The code at a place of a quad: in one block's rows when all that counts lies there. */
static double code_between(const struct view *view, enum interpolation interpolation,
                           const struct quad *quad)
{
    enum { SIDE = 2 + 2 * INTERPOLATION_REACH_MOST };
    const int32_t reach = interpolation_reach(interpolation), side = 2 + 2 * reach;
    uint16_t around[SIDE * SIDE];

    view_read_around(view, (struct rect){ quad->i - reach, quad->j - reach, side, side }, around,
                     SIDE);
    return interpolate(interpolation, around + reach * (SIDE + 1), SIDE, quad->across, quad->down);
}

bool collide_between(const struct view *view, enum interpolation interpolation, const double at[2],
                     double *z, bool *hole)
{
    struct quad quad;

    if (!quad_at(view_grid(view), at[0], at[1], &quad))
        return false;
    *z = grid_metres(view_grid(view), code_between(view, interpolation, &quad));
    if (hole)
        *hole = view_hole(view, quad.i, quad.j);
    return true;
}

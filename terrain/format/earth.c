#include "terrain/format/earth.h"

#include <math.h>

#include "terrain/format/georef.h"

/* WGS84: EPSG ellipsoid 7030. */
static const double axis = 6378137.0;
static const double flattening = 1 / 298.257223563;
static const double degree = M_PI / 180;

enum { AT_ONCE = 256 }; /* vertices whose places are asked for in one go */

/* Quads to the side at which the grid's direction is taken. */
static const double nudge = 1.0 / 16;

void earth_meridian(double longitude, double meridian[2])
{
    meridian[0] = cos(longitude * degree);
    meridian[1] = sin(longitude * degree);
}

void earth_parallel(double latitude, double parallel[4])
{
    /* The radius of curvature across the meridian; EPSG guidance note 7-2, 4.1.1. */
    const double squared = flattening * (2 - flattening), s = sin(latitude * degree);
    const double across = axis / sqrt(1 - squared * s * s);

    parallel[0] = cos(latitude * degree);
    parallel[1] = s;
    parallel[2] = across;
    parallel[3] = across * (1 - squared);
}

void earth_fixed(double longitude, double latitude, double height, double fixed[3])
{
    double meridian[2], parallel[4];

    earth_meridian(longitude, meridian);
    earth_parallel(latitude, parallel);
    earth_at(meridian, parallel, height, fixed);
}

double earth_sag(double length)
{
    /* Along the meridian at the equator. */
    const double least = axis * (1 - flattening * (2 - flattening));

    return 2 * length * length / (8 * least);
}

double earth_sag_of_mesh(const struct view *view, const struct mesh *mesh)
{
    const struct grid *grid = view_grid(view);
    double longest = 0;

    for (size_t i = 0; i < mesh->index_count; i++) {
        const double *from = mesh->at[mesh->indices[i]];
        const double *to = mesh->at[mesh->indices[i % 3 == 2 ? i - 2 : i + 1]];

        longest = fmax(
            longest, hypot((to[0] - from[0]) * grid->scale[0], (to[1] - from[1]) * grid->scale[1]));
    }
    return earth_sag(longest);
}

static void cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* The local normal says how much the ground rises a metre east and south of the grid; its tangents
 * there are the grid's, each with that much of up. Their product is written out, so that nothing is
 * divided by the normal's height, which is 0 on a wall. lonlat: the vertex, then beside and below
 * it. */
static void normal_there(const struct grid *grid, const double lonlat[3][2], double height,
                         const double at[3], const float local[3], float normal[3])
{
    double up[3], along[2][3], level[3], east[3], south[3], product[3], length;

    earth_fixed(lonlat[0][0], lonlat[0][1], height + 1, up);
    for (int axis3 = 0; axis3 < 3; axis3++)
        up[axis3] -= at[axis3];
    for (int side = 0; side < 2; side++) {
        earth_fixed(lonlat[1 + side][0], lonlat[1 + side][1], height, along[side]);
        for (int i = 0; i < 3; i++)
            along[side][i] = (along[side][i] - at[i]) / (nudge * grid->scale[side]);
    }
    cross(along[1], along[0], level);
    cross(along[1], up, east);
    cross(up, along[0], south);
    for (int i = 0; i < 3; i++)
        product[i] = local[2] * level[i] - local[0] * east[i] - local[1] * south[i];
    length = sqrt(product[0] * product[0] + product[1] * product[1] + product[2] * product[2]);
    for (int i = 0; i < 3; i++)
        normal[i] = (float)(product[i] / length);
}

bool earth_of_mesh(const struct view *view, const struct mesh *mesh, const struct datum *datum,
                   double (*places)[3], float (*normals)[3], struct fault *why)
{
    const struct grid *grid = view_grid(view);
    size_t each = normals ? 3 : 1;
    double lonlat[AT_ONCE * 3][2];

    for (size_t first = 0; first < mesh->vertex_count; first += AT_ONCE) {
        size_t count = mesh->vertex_count - first < AT_ONCE ? mesh->vertex_count - first : AT_ONCE;

        for (size_t i = 0; i < count * each; i++) {
            const double *at = mesh->at[first + i / each];

            lonlat[i][0] = at[0] + (i % each == 1 ? nudge : 0);
            lonlat[i][1] = at[1] + (i % each == 2 ? nudge : 0);
        }
        if (!georef_from_grid(view->settings, GEOREF_LONLAT, lonlat[0], count * each, why))
            return false;
        for (size_t i = 0; i < count; i++) {
            const double *at = mesh->at[first + i];
            double height = grid_metres(grid, at[2]) + datum_raise(datum, grid, at[0], at[1]),
                   *place = places[first + i];

            earth_fixed(lonlat[i * each][0], lonlat[i * each][1], height, place);
            if (!isfinite(place[0]))
                return fault_set(why, FAULT_IMPOSSIBLE,
                                 "vertex (%.6g, %.6g) of the grid has no place on Earth", at[0],
                                 at[1]);
            if (normals)
                normal_there(grid, (const double(*)[2])lonlat[i * each], height, place,
                             mesh->normals[first + i], normals[first + i]);
        }
    }
    return true;
}

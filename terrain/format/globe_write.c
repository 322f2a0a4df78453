/* A tile's mesh in the numbers of quantized-mesh: its normals, skirts, water and metadata, and what
 * is said of its error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/globe_ground.h"
#include "terrain/format/quantized_mesh.h"

enum { ACROSS = GLOBE_ACROSS, MARGIN = GLOBE_MARGIN, WIDE = GLOBE_WIDE };

static void tile_degrees(const struct globe_tile *tile, double bounds[4])
{
    const double size = ldexp(180, -tile->z);

    bounds[0] = tile->x * size - 180;
    bounds[2] = (tile->x + 1) * size - 180;
    bounds[3] = 90 - tile->y * size;
    bounds[1] = 90 - (tile->y + 1) * size;
}

/* Of the surface through the samples, from those beside it, however coarse the mesh is there; so
 * neighbouring tiles have the same. East, north and up are turned to Earth-fixed. */
static void sample_normal(const double *z, const double bounds[4], const double *ground_m,
                          int32_t i, int32_t j, float normal[3])
{
    const double *here = z + (j + MARGIN) * WIDE + i + MARGIN;
    const double degree = M_PI / 180;
    const double east_of = bounds[0] + (bounds[2] - bounds[0]) * ((double)i / GLOBE_SIDE);
    /* The seam of the world is one meridian. */
    const double longitude = (east_of < 180 ? east_of : -180) * degree;
    const double latitude =
        (bounds[3] - (bounds[3] - bounds[1]) * ((double)j / GLOBE_SIDE)) * degree;
    /* At the poles a step east is none. */
    const double east = ground_m[0] > 1e-6 ? (here[1] - here[-1]) / (2 * ground_m[0]) : 0;
    const double north = (here[-WIDE] - here[WIDE]) / (2 * ground_m[1]);
    const double length = sqrt(1 + east * east + north * north);
    const double sx = sin(longitude), cx = cos(longitude), sy = sin(latitude), cy = cos(latitude);

    normal[0] = (float)((cy * cx + east * sx + north * sy * cx) / length);
    normal[1] = (float)((cy * sx - east * cx + north * sy * sx) / length);
    normal[2] = (float)((sy - north * cy) / length);
}

static bool fill_normals(const struct view *view, const struct globe_tile *tile, const double *z,
                         const struct mesh *mesh, const double bounds[4], float (**normals)[3],
                         struct fault *why)
{
    const struct tile samples = globe_samples(tile, GLOBE_SIDE, 0);
    double metres[ACROSS][2];

    *normals = malloc((mesh->vertex_count + 1) * sizeof **normals);
    if (!*normals)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu normals", mesh->vertex_count);
    for (int32_t j = 0; j < ACROSS; j++)
        tile_ground(view, &samples, j, metres[j]);
    for (size_t k = 0; k < mesh->vertex_count; k++) {
        const int32_t i = (int32_t)mesh->at[k][0], j = (int32_t)mesh->at[k][1];

        sample_normal(z, bounds, metres[j], i, j, (*normals)[k]);
    }
    return true;
}

/* Which tiles there are further down, zoom by zoom; rows from the south. */
static bool add_available(const struct view *view, const struct globe_tile *tile, int32_t levels,
                          struct bytes *json, struct fault *why)
{
    int32_t finest;

    if (!globe_finest(view, &finest, why) || !bytes_print(json, why, "{\"available\":["))
        return false;
    for (int32_t down = 1; down <= levels && tile->z + down <= finest; down++) {
        const int32_t z = tile->z + down;
        const struct rect own = { tile->x << down, tile->y << down, 1 << down, 1 << down };
        struct rect ranges[2];
        bool first = true;
        int32_t count;

        if (!globe_ranges(view, z, ranges, &count, why) ||
            !bytes_print(json, why, "%s[", down > 1 ? "," : ""))
            return false;
        for (int32_t i = 0; i < count; i++) {
            const struct rect part = rect_meet(ranges[i], own);
            const int32_t rows = 1 << z;

            if (rect_empty(part))
                continue;
            if (!bytes_print(json, why, "%s{\"startX\":%d,\"startY\":%d,\"endX\":%d,\"endY\":%d}",
                             first ? "" : ",", part.x, rows - part.y - part.height,
                             part.x + part.width - 1, rows - 1 - part.y))
                return false;
            first = false;
        }
        if (!bytes_print(json, why, "]"))
            return false;
    }
    return bytes_print(json, why, "]}") && bytes_add(json, "", 1, why);
}

/* What the tile's numbers add to its error: half a step of the heights, and vertices that lie
 * beside their samples by half a step of u and v. */
static double number_error(const double *z, double step)
{
    double across = 0, down = 0;

    for (int32_t k = 0; k < ACROSS * ACROSS; k++) {
        const double *here = z + (k / ACROSS + MARGIN) * WIDE + k % ACROSS + MARGIN;

        if (k % ACROSS < GLOBE_SIDE)
            across = fmax(across, fabs(here[1] - here[0]));
        if (k / ACROSS < GLOBE_SIDE)
            down = fmax(down, fabs(here[WIDE] - here[0]));
    }
    return step / 2 + (across + down) * GLOBE_SIDE / (2.0 * QUANTIZED_MOST);
}

static double least_of(const struct mesh *mesh)
{
    double least = INFINITY;

    for (size_t i = 0; i < mesh->vertex_count; i++)
        least = fmin(least, mesh->at[i][2]);
    return least;
}

static double greatest_of(const struct mesh *mesh)
{
    double greatest = -INFINITY;

    for (size_t i = 0; i < mesh->vertex_count; i++)
        greatest = fmax(greatest, mesh->at[i][2]);
    return greatest;
}

/* How far the lowest and the highest ground under the tile lie from its highest and lowest vertex:
 * nothing is off by more. Where the mesh is all but flat that is much less than the sum of what its
 * samples and its vertices are off. */
static double range_error(const struct view *view, const struct globe_tile *tile,
                          const struct globe_look *look, const struct mesh *mesh, double step)
{
    const struct tile samples = globe_samples(tile, GLOBE_SIDE, 0);
    const struct grid *grid = view_grid(view);
    struct summary ground;
    struct fault inner;
    struct rect reach;
    double low, high;

    if (!tile_reach(view, &samples, &reach, &inner) || rect_empty(reach))
        return INFINITY;
    ground = tree_bounds(&view->planes[PLANE_HEIGHTS], reach);
    globe_raise(look->datum, &low, &high);
    high = grid_metres(grid, ground.greatest) + high - least_of(mesh);
    low = greatest_of(mesh) - (grid_metres(grid, ground.least) + low);
    return fmax(fmax(high, low), 0) + step / 2;
}

/* Curtains, a whole number of steps deep so that they are as deep in the tile's numbers; never
 * deeper than globe_step has room for. */
static bool hang_skirts(const struct globe_look *look, double error, double step, struct mesh *mesh,
                        struct fault *why)
{
    const double low[2] = { 0, 0 }, high[2] = { GLOBE_SIDE, GLOBE_SIDE };
    const double depth = isnan(look->skirts) ? 2 * error : fmax(look->skirts, error);

    return look->skirts == 0 || mesh_add_skirts(mesh, low, high, ceil(depth / step) * step, why);
}

bool globe_write(const struct view *view, const struct globe_tile *tile,
                 const struct globe_look *look, const double *z, double sample_error,
                 struct mesh *mesh, struct bytes *to, double *error, struct fault *why)
{
    const double step = globe_step(view, look);
    const bool tells = look->metadata_levels > 0 && look->extensions & QUANTIZED_METADATA &&
                       tile->z % look->metadata_levels == 0;
    struct quantized_mesh out = {
        .mesh = mesh, .surface_vertices = mesh->vertex_count, .side = GLOBE_SIDE, .step = step
    };
    uint8_t water[QUANTIZED_WATER_SIDE * QUANTIZED_WATER_SIDE];
    float(*normals)[3] = NULL;
    struct bytes json = { 0 };
    bool done;

    tile_degrees(tile, out.bounds);
    *error = fmin(mesh->bound + sample_error + number_error(z, step),
                  range_error(view, tile, look, mesh, step));
    done = hang_skirts(look, *error, step, mesh, why);
    out.minimum = quantized_mesh_floor(least_of(mesh), step);
    if (done && look->extensions & QUANTIZED_NORMALS)
        done = fill_normals(view, tile, z, mesh, out.bounds, &normals, why);
    if (done && look->extensions & QUANTIZED_WATER) {
        done = globe_water(view, tile, look, water, &out.water_bytes, why);
        out.water = water;
    }
    if (done && tells)
        done = add_available(view, tile, look->metadata_levels, &json, why);
    out.normals = (const float(*)[3])normals;
    out.metadata = tells ? (const char *)json.data : NULL;
    done = done && quantized_mesh_write(&out, to, why);
    bytes_free(&json);
    free(normals);
    return done;
}

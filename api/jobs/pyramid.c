#include "api/jobs/pyramid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terrain/base/field.h"

static const double PI = 3.14159265358979323846;

static bool map_levels(const struct view *view, int32_t *native, int32_t *finest, struct fault *why)
{
    return tile_zooms(view, native, finest, why);
}

static bool map_ranges(const struct view *view, int32_t level, struct rect ranges[2],
                       int32_t *count, struct fault *why)
{
    return tile_grid_ranges(view, TILE_MERCATOR, level, ranges, count, why);
}

/* Those that are no sets of map tiles. */
static const struct pyramid others[] = {
    { .name = NULL },
};

enum { NAMES_MOST = 64 };

static size_t names_list(const char *names[NAMES_MOST])
{
    size_t count = 0;

    for (size_t i = 0; tile_sets[i] && count < NAMES_MOST; i++)
        names[count++] = tile_sets[i]->name;
    for (size_t i = 0; others[i].name && count < NAMES_MOST; i++)
        names[count++] = others[i].name;
    return count;
}

static bool unknown(const char *name, struct fault *why)
{
    const char *names[NAMES_MOST] = { NULL }, *near;
    size_t count = names_list(names), used = 0;
    char all[200] = "";

    near = word_nearest(name, names, count);
    if (near)
        return fault_set(why, FAULT_INPUT, "There is no set of tiles %s; did you mean %s?", name,
                         near);
    for (size_t i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    return fault_set(why, FAULT_INPUT, "There is no set of tiles %s, only %s", name, all);
}

bool pyramid_find(const char *name, struct pyramid *pyramid, struct fault *why)
{
    const struct tile_set *set = tile_set_find(name);

    if (set) {
        *pyramid = (struct pyramid){
            .name = set->name, .set = set, .map = true, .levels = map_levels, .ranges = map_ranges
        };
        return true;
    }
    for (size_t i = 0; others[i].name; i++)
        if (!strcmp(others[i].name, name)) {
            *pyramid = others[i];
            return true;
        }
    return unknown(name, why);
}

/* From 0 in the north to 1 in the south. */
static double mercator_down(double latitude)
{
    double within = fmin(fmax(latitude, -85.06), 85.06);

    return fmin(fmax((1 - asinh(tan(within * PI / 180)) / PI) / 2, 0), 1);
}

struct rect pyramid_mercator(const double bounds[4], int32_t level)
{
    const double tiles = (double)(INT64_C(1) << level);
    const double edges[4] = { (bounds[0] + 180) / 360 * tiles, mercator_down(bounds[3]) * tiles,
                              (bounds[2] + 180) / 360 * tiles, mercator_down(bounds[1]) * tiles };
    double first[2], end[2];

    for (int k = 0; k < 2; k++) {
        first[k] = fmin(fmax(floor(edges[k]), 0), tiles - 1);
        end[k] = fmin(fmax(ceil(edges[k + 2]), first[k] + 1), tiles);
    }
    return (struct rect){ (int32_t)first[0], (int32_t)first[1], (int32_t)(end[0] - first[0]),
                          (int32_t)(end[1] - first[1]) };
}

void pyramid_snap(const double bounds[4], int32_t level, int32_t side, double snapped[4])
{
    const double pixels = (double)(INT64_C(1) << level) * side;
    const double slack = 1e-6; /* of a pixel: edges that are there already stay */
    const double west = floor((bounds[0] + 180) / 360 * pixels + slack);
    const double east = ceil((bounds[2] + 180) / 360 * pixels - slack);
    const double north = floor(mercator_down(bounds[3]) * pixels + slack);
    const double south = ceil(mercator_down(bounds[1]) * pixels - slack);

    snapped[0] = west / pixels * 360 - 180;
    snapped[1] = atan(sinh(PI * (1 - 2 * south / pixels))) * 180 / PI;
    snapped[2] = east / pixels * 360 - 180;
    snapped[3] = atan(sinh(PI * (1 - 2 * north / pixels))) * 180 / PI;
}

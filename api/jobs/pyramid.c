#include "api/jobs/pyramid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/meshes/selection.h"
#include "terrain/base/field.h"
#include "terrain/format/globe.h"

static const double PI = 3.14159265358979323846;

/* ---- maps ---- */

static bool map_levels(const struct view *view, const char *options, int32_t *native,
                       int32_t *finest, struct fault *why)
{
    (void)options;
    return tile_zooms(view, native, finest, why);
}

static bool map_ranges(const struct view *view, const char *options, int32_t level,
                       struct rect ranges[2], int32_t *count, struct fault *why)
{
    (void)options;
    return tile_grid_ranges(view, TILE_MERCATOR, level, ranges, count, why);
}

/* ---- globes, whose rows come from the south ---- */

static bool globe_levels(const struct view *view, const char *options, int32_t *native,
                         int32_t *finest, struct fault *why)
{
    (void)options;
    if (!globe_finest(view, finest, why))
        return fault_at(why, "/set");
    *native = *finest;
    return true;
}

static bool globe_ranges_south(const struct view *view, const char *options, int32_t level,
                               struct rect ranges[2], int32_t *count, struct fault *why)
{
    (void)options;
    if (!globe_ranges(view, level, ranges, count, why))
        return false;
    for (int32_t i = 0; i < *count; i++)
        ranges[i].y = (int32_t)((INT64_C(1) << level) - ranges[i].y - ranges[i].height);
    return true;
}

/* ---- the landscape's own quadtree ---- */

enum { LEAF = 64, LEAF_LEAST = 8, LEAF_MOST = 1024 };

/* ?leaf= among the options; what is wrong with it the route says. */
static int32_t leaf_of(const char *options)
{
    const char *at = options;

    while (at && strncmp(at, "leaf=", 5)) {
        at = strchr(at, '&');
        at = at ? at + 1 : NULL;
    }
    if (at) {
        long leaf = strtol(at + 5, NULL, 10);

        if (leaf >= LEAF_LEAST && leaf <= LEAF_MOST && !(leaf & (leaf - 1)))
            return (int32_t)leaf;
    }
    return LEAF;
}

static bool node_levels(const struct view *view, const char *options, int32_t *native,
                        int32_t *finest, struct fault *why)
{
    (void)why;
    *native = *finest = selection_levels(view, leaf_of(options)) - 1;
    return true;
}

static bool node_ranges(const struct view *view, const char *options, int32_t level,
                        struct rect ranges[2], int32_t *count, struct fault *why)
{
    const int32_t leaf = leaf_of(options);
    const int32_t side = leaf << (selection_levels(view, leaf) - 1 - level);

    (void)why;
    ranges[0] = (struct rect){ 0, 0, (view_grid(view)->columns - 2) / side + 1,
                               (view_grid(view)->rows - 2) / side + 1 };
    *count = 1;
    return true;
}

/* Those that are no sets of map tiles. */
static const struct pyramid others[] = {
    { .name = "cesium",
      .below = "cesium",
      .ending = "terrain",
      .about = "layer.json",
      .levels = globe_levels,
      .ranges = globe_ranges_south },
    { .name = "heightmap",
      .below = "heightmap",
      .ending = "terrain",
      .about = "layer.json",
      .levels = globe_levels,
      .ranges = globe_ranges_south },
    { .name = "quadtree",
      .below = "quadtree",
      .ending = "glb",
      .levels = node_levels,
      .ranges = node_ranges },
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

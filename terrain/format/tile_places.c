#include <math.h>

#include "terrain/format/tile_map.h"

enum { ROW_MOST = 128 };

struct places {
    double (*at)[2];
    int32_t margin, stride;
};

static bool outside(double at, double beyond, int32_t vertices)
{
    return !(at >= -beyond - 1 && at <= vertices + beyond);
}

/* Where two windows a turn apart have the same samples, those on the landscape count. */
static bool places_patch(const struct tile_patch *patch, void *context, struct fault *why)
{
    const struct grid *grid = &patch->map->settings->grid;
    const struct places *places = context;
    const struct rect pixels = patch->pixels;
    const double offset = patch->map->offset;
    double columns[ROW_MOST], rows[ROW_MOST];

    (void)why;
    for (int32_t y = pixels.y; y < pixels.y + pixels.height; y++) {
        double(*to)[2] =
            places->at + (int64_t)(y + places->margin) * places->stride + pixels.x + places->margin;

        tile_patch_row(patch, pixels.x + offset, y + offset, pixels.width, columns, rows);
        for (int32_t i = 0; i < pixels.width; i++) {
            if (!isnan(to[i][0]) && (outside(columns[i], patch->step[0], grid->columns) ||
                                     outside(rows[i], patch->step[1], grid->rows)))
                continue;
            to[i][0] = columns[i];
            to[i][1] = rows[i];
        }
    }
    return true;
}

bool tile_places(const struct view *view, const struct tile *tile, double (*at)[2],
                 struct fault *why)
{
    struct places places = { at, tile->margin, tile_samples_across(tile) };
    struct tile_map map;

    if (!tile_map_init(&map, view, tile, 0, why))
        return false;
    for (int64_t i = 0; i < (int64_t)places.stride * places.stride; i++)
        at[i][0] = at[i][1] = NAN;
    return tile_map_each(&map, places_patch, &places, why);
}

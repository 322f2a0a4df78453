#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/globe_ground.h"
#include "terrain/format/quantized_mesh.h"

enum { SIDE = QUANTIZED_WATER_SIDE, COUNT = SIDE * SIDE, HALF = 128 };

static struct tile pixels_of(const struct globe_tile *tile)
{
    return (struct tile){
        .z = tile->z, .x = tile->x, .y = tile->y, .side = SIDE, .grid = TILE_GEODETIC
    };
}

/* At and below a height; what lies beyond the landscape is as high as the fill. */
static bool by_height(const struct view *view, const struct globe_tile *tile,
                      const struct globe_look *look, uint8_t *water, struct fault *why)
{
    const struct tile pixels = pixels_of(tile);
    double *z = malloc(COUNT * sizeof *z);
    bool done;

    if (!z)
        return fault_set(why, FAULT_MEMORY, "no memory for a mask of %d pixels a side", SIDE);
    done = tile_heights(view, &pixels, look->fill, z, why);
    for (int32_t i = 0; done && i < COUNT; i++)
        water[i] = z[i] <= look->water_height ? 255 : 0;
    free(z);
    return done;
}

/* The weight of the vertex next to each pixel's middle; there is none beyond the landscape. */
static bool by_paint(const struct view *view, const struct globe_tile *tile, uint32_t paint,
                     uint8_t *water, struct fault *why)
{
    const struct tree *weights = view_weights(view, paint);
    const struct tile pixels = pixels_of(tile);
    const struct grid *grid = view_grid(view);
    double(*at)[2];
    bool done;

    memset(water, 0, COUNT);
    if (!weights || weights->root.summary.greatest < HALF)
        return true;
    at = malloc(COUNT * sizeof *at);
    if (!at)
        return fault_set(why, FAULT_MEMORY, "no memory for a mask of %d pixels a side", SIDE);
    done = tile_places(view, &pixels, at, why);
    for (int32_t i = 0; done && i < COUNT; i++) {
        const double x = floor(at[i][0] + 0.5), y = floor(at[i][1] + 0.5);

        if (x >= 0 && y >= 0 && x < grid->columns && y < grid->rows &&
            tree_value(weights, (int32_t)x, (int32_t)y) >= HALF)
            water[i] = 255;
    }
    free(at);
    return done;
}

bool globe_water(const struct view *view, const struct globe_tile *tile,
                 const struct globe_look *look, uint8_t *water, size_t *bytes, struct fault *why)
{
    const struct stack *stack = view->settings->stack;
    struct fault inner = { 0 };
    bool done = true;

    memset(water, 0, COUNT);
    if (look->water_paint != GLOBE_NO_PAINT)
        done = by_paint(view, tile, stack->paints[look->water_paint].id, water, &inner);
    else if (!isnan(look->water_height))
        done = by_height(view, tile, look, water, &inner);
    /* A root tile that the landscape is not on is as the fill is. */
    if (!done && inner.code == FAULT_RANGE && tile->z == 0) {
        memset(water,
               look->water_paint == GLOBE_NO_PAINT && look->fill <= look->water_height ? 255 : 0,
               COUNT);
        done = true;
    }
    if (!done)
        *why = inner;
    *bytes = COUNT;
    if (memcmp(water, water + 1, COUNT - 1) == 0)
        *bytes = 1;
    return done;
}

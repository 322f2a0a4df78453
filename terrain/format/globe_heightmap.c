/* heightmap-1.0 (CesiumJS): 65 x 65 16-bit heights in steps of a fifth of a metre from -1000 m,
 * rows from the north; a byte that says which children there are; the water mask. */
#include <math.h>

#include "terrain/format/globe_ground.h"
#include "terrain/format/quantized_mesh.h"

enum { ACROSS = GLOBE_SIDE + 1 };

/* South-west 1, south-east 2, north-west 4, north-east 8. */
static uint8_t children_of(const struct view *view, const struct globe_tile *tile)
{
    uint8_t mask = 0;

    for (int k = 0; k < 4; k++) {
        const struct globe_tile child = { tile->z + 1, 2 * tile->x + k % 2,
                                          2 * tile->y + 1 - k / 2 };
        struct fault why;

        if (tile->z < TILE_ZOOM_MOST && globe_has(view, &child, &why))
            mask |= (uint8_t)(1 << k);
    }
    return mask;
}

bool globe_heightmap(const struct view *view, const struct globe_tile *tile,
                     const struct globe_look *look, struct bytes *to, struct fault *why)
{
    const struct tile samples = globe_samples(tile, GLOBE_SIDE, 0);
    uint8_t packed[2 * ACROSS * ACROSS + 1], water[QUANTIZED_WATER_SIDE * QUANTIZED_WATER_SIDE];
    double z[ACROSS * ACROSS];
    size_t water_bytes;

    if (!globe_has(view, tile, why) || !globe_heights(view, &samples, look, z, why) ||
        !globe_water(view, tile, look, water, &water_bytes, why))
        return false;
    for (int32_t i = 0; i < ACROSS * ACROSS; i++) {
        const double steps = fmin(fmax(floor((z[i] + 1000) * 5 + 0.5), 0), UINT16_MAX);

        packed[2 * i] = (uint8_t)((uint16_t)steps & 0xff);
        packed[2 * i + 1] = (uint8_t)((uint16_t)steps >> 8);
    }
    packed[sizeof packed - 1] = children_of(view, tile);
    return bytes_reserve(to, sizeof packed + water_bytes, why) &&
           bytes_add(to, packed, sizeof packed, why) && bytes_add(to, water, water_bytes, why);
}

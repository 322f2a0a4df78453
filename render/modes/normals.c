/* Which way the ground faces. */
#include <math.h>

#include "render/modes.h"
#include "terrain/base/wide.h"

WIDE static void colour(const struct flat_row *row, uint8_t *rgba)
{
    const float *east = row->fields[FLAT_EAST], *south = row->fields[FLAT_SOUTH];

    for (int32_t i = 0; i < row->count; i++) {
        const float up = 1 / sqrtf(1 + east[i] * east[i] + south[i] * south[i]);

        rgba[4 * i] = (uint8_t)(int32_t)(128.5f - 127 * east[i] * up);
        rgba[4 * i + 1] = (uint8_t)(int32_t)(128.5f + 127 * south[i] * up);
        rgba[4 * i + 2] = (uint8_t)(int32_t)(128.5f + 127 * up);
        rgba[4 * i + 3] = 255;
    }
}

const struct render_mode mode_normals = {
    .name = "normals",
    .summary = "Normals: red east, green north, blue up, 128 none",
    .shader = "mode_normals.glsl",
    .flat_fields = FLAT_BIT(EAST) | FLAT_BIT(SOUTH),
    .flat = colour,
};

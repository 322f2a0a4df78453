/* PhysX's PxHeightFieldSample: an int16 height and two bytes of material, whose upper bit is, of
 * the first, the tessellation flag: raised, a quad is split from its own vertex to the one across,
 * as ours are. Samples go row by row, rows along x and columns along z, so ours are transposed. A
 * triangle of material 127 (PxHeightFieldMaterial::eHOLE) is not there:
 * geometry/PxHeightFieldSample.h, PxHeightFieldFlag.h. */
#include "terrain/format/collision_window.h"

enum { HOLE = 127, SPLIT_FROM_OWN = 128 };

static void place_transposed(const struct collision_window *window, struct collision_place *place)
{
    collision_window_place(window, AXES_Y_UP, place);
    place->scale[1] = view_grid(window->grid->view)->scale[2] / 128;
    place->range[0] = window->least - GRID_LEVEL_ZERO;
    place->range[1] = window->greatest - GRID_LEVEL_ZERO;
    place->bytes = 4 * rect_area(window->samples);
}

static bool write_transposed(const struct collision_window *window, struct bytes *to,
                             struct fault *why)
{
    const size_t bytes = 4 * (size_t)rect_area(window->samples);
    const int32_t width = window->samples.width, height = window->samples.height;
    unsigned char *at;

    if (!bytes_reserve(to, bytes, why))
        return false;
    at = to->data + to->length;
    for (int32_t x = 0; x < width; x++)
        for (int32_t y = 0; y < height; y++) {
            const bool hole =
                x < width - 1 && y < height - 1 && collision_window_hole(window, x, y);

            at = put_u16(at, collision_window_code(window, x, y) ^
                                 GRID_LEVEL_ZERO); /* - 32768, signed */
            *at++ = (hole ? HOLE : 0) | SPLIT_FROM_OWN;
            *at++ = hole ? HOLE : 0;
        }
    to->length += bytes;
    return true;
}

const struct collision_format collision_format_physx = {
    .engine = "PhysX PxHeightFieldDesc",
    .layout =
        "PxHeightFieldSample (int16 height, uint8 material0 with the tessellation flag in bit "
        "7, uint8 material1), rows along x: counts are nbRows and nbColumns, scale is "
        "rowScale, heightScale, columnScale",
    .holes = "both triangles of the quad have material 127",
    .axes = AXES_Y_UP,
    .place = place_transposed,
    .write = write_transposed,
};

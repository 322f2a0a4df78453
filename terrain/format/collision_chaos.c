/* Chaos' FHeightField(uint16 heights, uint8 materials, rows, columns, scale), as UE's landscape
 * makes it: heights row by row, of which it takes 32768 off, a material a quad, and 255 for a hole
 * (FHeightField::IsHole). A quad is split from its own sample to the one across, as ours are
 * (GetHeightAt): Chaos/HeightField.cpp. */
#include "terrain/format/collision_window.h"

static void place_landscape(const struct collision_window *window, struct collision_place *place)
{
    collision_window_place(window, AXES_LANDSCAPE, place);
    place->scale[2] = view_grid(window->grid->view)->scale[2] / 128;
    place->range[0] = window->least - GRID_LEVEL_ZERO;
    place->range[1] = window->greatest - GRID_LEVEL_ZERO;
    place->bytes = 2 * rect_area(window->samples) +
                   (int64_t)(window->samples.width - 1) * (window->samples.height - 1);
}

static bool write_landscape(const struct collision_window *window, struct bytes *to,
                            struct fault *why)
{
    return collision_formats[COLLISION_r16]->write(window, to, why) &&
           collision_formats[COLLISION_holes]->write(window, to, why);
}

const struct collision_format collision_format_chaos = {
    .engine = "Chaos FHeightField (UE)",
    .layout =
        "uint16 heights, row by row, whose values are 32768 less, as the constructor makes "
        "them, then a uint8 material index a quad, row by row; metres, so that scale times 100 "
        "is UE's",
    .holes = "material 255; all others are 0",
    .axes = AXES_LANDSCAPE,
    .place = place_landscape,
    .write = write_landscape,
};

/* Samples as metres. */
#include <math.h>

#include "terrain/format/collision_window.h"

static void place_metres(const struct collision_window *window, struct collision_place *place)
{
    const struct grid *grid = view_grid(window->grid->view);

    collision_window_place(window, AXES_LANDSCAPE, place);
    place->position[2] = 0;
    place->range[0] = (double)(float)grid_metres(grid, window->least);
    place->range[1] = (double)(float)grid_metres(grid, window->greatest);
    place->bytes = 4 * rect_area(window->samples);
}

static bool write_metres(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    const struct grid *grid = view_grid(window->grid->view);
    const size_t bytes = 4 * (size_t)rect_area(window->samples);
    unsigned char *at;

    if (!bytes_reserve(to, bytes, why))
        return false;
    at = to->data + to->length;
    for (int32_t y = 0; y < window->samples.height; y++)
        for (int32_t x = 0; x < window->samples.width; x++)
            at = put_f32(at, collision_window_dropped(window, x, y)
                                 ? NAN
                                 : (float)grid_metres(grid, collision_window_code(window, x, y)));
    to->length += bytes;
    return true;
}

const struct collision_format collision_format_f32 = {
    .engine = "any",
    .layout = "float32 metres, row by row from the north-west, eastwards then southwards",
    .holes = "NaN for a sample that is left out by the rule of holes=; format=holes has the quads",
    .axes = AXES_LANDSCAPE,
    .place = place_metres,
    .write = write_metres,
};

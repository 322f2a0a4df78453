/* Samples as they are stored. */
#include "terrain/format/collision_window.h"

static void place_codes(const struct collision_window *window, struct collision_place *place)
{
    const struct grid *grid = view_grid(window->grid->view);

    collision_window_place(window, AXES_LANDSCAPE, place);
    place->scale[2] = grid->scale[2] / 128;
    place->position[2] = grid_metres(grid, 0);
    place->range[0] = window->least;
    place->range[1] = window->greatest;
    place->bytes = 2 * rect_area(window->samples);
}

static bool write_codes(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    const size_t count = (size_t)rect_area(window->samples);
    unsigned char *at;

    if (!bytes_reserve(to, 2 * count, why))
        return false;
    at = to->data + to->length;
    for (size_t i = 0; i < count; i++)
        at = put_u16(at, window->codes[i]);
    to->length += 2 * count;
    return true;
}

const struct collision_format collision_format_r16 = {
    .engine = "any",
    .layout = "uint16 codes, row by row from the north-west, eastwards then southwards",
    .holes = "no value is free for one: heights beneath them; format=holes has the quads",
    .axes = AXES_LANDSCAPE,
    .place = place_codes,
    .write = write_codes,
};

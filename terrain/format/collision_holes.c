/* The quads that are holes: what samples alone cannot say. */
#include "terrain/format/collision_window.h"

static void place_quads(const struct collision_window *window, struct collision_place *place)
{
    collision_window_place(window, AXES_LANDSCAPE, place);
    place->counts[0]--;
    place->counts[1]--;
    place->scale[2] = 0;
    place->range[0] = 0;
    place->range[1] = 255;
    place->bytes = place->counts[0] * place->counts[1];
}

static bool write_quads(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    return bytes_add(to, window->holes,
                     (size_t)(window->samples.width - 1) * (size_t)(window->samples.height - 1),
                     why);
}

const struct collision_format collision_format_holes = {
    .engine = "any",
    .layout = "a byte a quad, named by its north-west sample, row by row",
    .holes = "255; 0 is solid",
    .axes = AXES_LANDSCAPE,
    .place = place_quads,
    .write = write_quads,
};

/* What Jolt's height field lacks around holes: a hole in it is a sample, and takes all triangles
 * with it that have it for a corner. Those of solid quads among them, as a mesh shape beside the
 * height field, make the surface whole again. */
#include "terrain/format/collision_list.h"

static bool is_taken_along(const struct collision_window *window, int32_t x, int32_t y,
                           bool south_west)
{
    for (int k = 0; k < 3; k++)
        if (collision_window_dropped(window, x + collision_list_corners[south_west][k][0],
                                     y + collision_list_corners[south_west][k][1]))
            return true;
    return false;
}

static void place_rim(const struct collision_window *window, struct collision_place *place)
{
    collision_list_place(window, is_taken_along, place);
}

static bool write_rim(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    return collision_list_write(window, is_taken_along, to, why);
}

const struct collision_format collision_format_jolt_rim = {
    .engine = "Jolt MeshShapeSettings, beside the height field",
    .layout = "as triangles: the solid triangles that format=jolt leaves out with the holes",
    .holes = "left out",
    .axes = AXES_Y_UP,
    .triangles = true,
    .place = place_rim,
    .write = write_rim,
};

/* A list of triangles with shared vertices: for any engine's mesh shape. */
#include "terrain/format/collision_list.h"

static void place_all(const struct collision_window *window, struct collision_place *place)
{
    collision_list_place(window, NULL, place);
}

static bool write_all(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    return collision_list_write(window, NULL, to, why);
}

const struct collision_format collision_format_triangles = {
    .engine = "any mesh shape",
    .layout = "uint32 vertices, uint32 indices, then float32 x, y, z a vertex and three uint32 a "
              "triangle, anticlockwise from above; counts are vertices and triangles",
    .holes = "left out",
    .axes = AXES_Y_UP,
    .triangles = true,
    .place = place_all,
    .write = write_all,
};

/* Which way the ground faces. */
#include "render/flat_colours.h"
#include "render/modes.h"

const struct render_mode mode_normals = {
    .name = "normals",
    .summary = "Normals: red east, green north, blue up, 128 none",
    .shader = "mode_normals.glsl",
    .flat_fields = FLAT_BIT(EAST) | FLAT_BIT(SOUTH),
    .flat = flat_normals,
};

/* Which way the ground faces. */
#include "render/modes.h"

const struct render_mode mode_normals = {
    .name = "normals",
    .summary = "Normals: red east, green north, blue up, 128 none",
    .shader = "mode_normals.glsl",
};

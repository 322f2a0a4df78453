/* The triangles that a picture is drawn with. */
#include "render/modes.h"

const struct render_mode mode_wireframe = {
    .name = "wireframe",
    .summary = "The edges of the triangles that are drawn, over pale ground",
    .shader = "mode_wireframe.glsl",
    .apart = true,
};

/* Which detail is drawn where. */
#include "render/modes.h"

const struct render_mode mode_lod = {
    .name = "lod",
    .summary = "Colours by level of detail: the finest red, then round the circle",
    .shader = "mode_lod.glsl",
};

/* What covers the ground, without light. */
#include "render/modes.h"

const struct render_mode mode_unlit = {
    .name = "unlit",
    .summary = "What covers the ground, without light",
    .shader = "mode_unlit.glsl",
};

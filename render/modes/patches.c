/* What is drawn at once. */
#include "render/modes.h"

const struct render_mode mode_patches = {
    .name = "patches",
    .summary = "A colour for each patch of the ground",
    .shader = "mode_patches.glsl",
};

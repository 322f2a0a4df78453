/* What covers the ground, without light. */
#include "render/modes.h"
#include "render/plane.h"

const struct render_mode mode_unlit = {
    .name = "unlit",
    .summary = "What covers the ground, without light",
    .shader = "mode_unlit.glsl",
    .slots = SLOT_BIT(weights0) | SLOT_BIT(weights1) | SLOT_BIT(weights2),
    .covered = true,
};

/* The ground as a visitor would see it. */
#include "render/modes.h"
#include "render/plane.h"

const struct render_mode mode_lit = {
    .name = "lit",
    .summary = "The ground in sun and skylight, coloured by slope and height",
    .shader = "mode_lit.glsl",
    .slots = SLOT_BIT(weights0) | SLOT_BIT(weights1) | SLOT_BIT(weights2),
    .covered = true,
    .lit = true,
};

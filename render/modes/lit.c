/* The ground as a visitor would see it. */
#include "render/modes.h"

const struct render_mode mode_lit = {
    .name = "lit",
    .summary = "The ground in sun and skylight, coloured by slope and height",
    .shader = "mode_lit.glsl",
    .lit = true,
};

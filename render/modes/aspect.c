/* Which way the ground falls. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/ramp.h"

const struct render_mode mode_aspect = {
    .name = "aspect",
    .summary = "The way down by a circle of colours, gray where level",
    .shader = "mode_aspect.glsl",
    .values = MODE_ASPECT,
    .ramp = RAMP_compass,
    .flat_fields = FLAT_BIT(EAST) | FLAT_BIT(SOUTH),
    .flat = flat_aspect,
};

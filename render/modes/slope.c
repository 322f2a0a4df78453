/* How steep the ground is. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/ramp.h"

const struct render_mode mode_slope = {
    .name = "slope",
    .summary = "Steepness by a colour ramp, 0 to 60 degrees",
    .shader = "mode_slope.glsl",
    .values = MODE_SLOPE,
    .ramp = RAMP_steepness,
    .flat_fields = FLAT_BIT(EAST) | FLAT_BIT(SOUTH),
    .flat = flat_slope,
};

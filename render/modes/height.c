/* How high the ground is. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/ramp.h"

const struct render_mode mode_height = {
    .name = "height",
    .summary = "Heights by a colour ramp",
    .shader = "mode_height.glsl",
    .values = MODE_HEIGHT,
    .ramp = RAMP_relief,
    .flat_fields = FLAT_BIT(Z),
    .flat = flat_height,
};

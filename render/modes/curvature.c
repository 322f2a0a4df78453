/* How the ground bends. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/ramp.h"

const struct render_mode mode_curvature = {
    .name = "curvature",
    .summary = "Mean curvature: blue hollows, red ridges",
    .shader = "mode_curvature.glsl",
    .values = MODE_CURVATURE,
    .ramp = RAMP_diverging,
    .flat_fields = FLAT_BIT(BEND),
    .flat = flat_curvature,
};

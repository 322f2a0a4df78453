/* One paint layer. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/plane.h"
#include "render/ramp.h"

const struct render_mode mode_layer = {
    .name = "layer",
    .summary = "The weight of one paint layer by a colour ramp",
    .shader = "mode_layer.glsl",
    .slots = SLOT_BIT(weights0),
    .values = MODE_WEIGHT,
    .ramp = RAMP_perceptual,
    .hears = MODE_HEARS_LAYER,
    .flat_fields = FLAT_BIT(WEIGHT),
    .flat = flat_layer,
};

/* Which paint lies on the ground. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/plane.h"

const struct render_mode mode_layers = {
    .name = "layers",
    .summary = "Paint layers in their debug colours by weight, gray where bare",
    .shader = "mode_layers.glsl",
    .slots = SLOT_BIT(weights0) | SLOT_BIT(weights1) | SLOT_BIT(weights2),
    .flat_fields = FLAT_BIT(RED) | FLAT_BIT(GREEN) | FLAT_BIT(BLUE),
    .flat = flat_layers,
};

/* What has risen and sunk since another version. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/plane.h"
#include "render/ramp.h"

const struct render_mode mode_diff = {
    .name = "diff",
    .summary = "What has risen (red) and sunk (blue) since another version",
    .shader = "mode_diff.glsl",
    .slots = SLOT_BIT(values),
    .values = MODE_RISE,
    .ramp = RAMP_diverging,
    .hears = MODE_HEARS_AGAINST,
    .flat_fields = FLAT_BIT(RISE),
    .flat = flat_diff,
};

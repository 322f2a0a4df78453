/* Lines of equal height. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/ramp.h"

const struct render_mode mode_contours = {
    .name = "contours",
    .summary = "Contour lines over a light tint of heights, each fifth thicker",
    .shader = "mode_contours.glsl",
    .values = MODE_HEIGHT,
    .ramp = RAMP_relief,
    .hears = MODE_HEARS_INTERVAL,
    .flat_fields = FLAT_BIT(Z) | FLAT_BIT(EAST) | FLAT_BIT(SOUTH),
    .flat = flat_contours,
};

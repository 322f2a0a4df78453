/* Where there is no ground. */
#include "render/flat_colours.h"
#include "render/modes.h"

const struct render_mode mode_holes = {
    .name = "holes",
    .summary = "Pale ground with its holes outlined",
    .shader = "mode_holes.glsl",
    .flat_fields = FLAT_BIT(EDGE),
    .flat = flat_holes,
};

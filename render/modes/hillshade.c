/* The light on the ground alone. */
#include "render/flat_colours.h"
#include "render/modes.h"

const struct render_mode mode_hillshade = {
    .name = "hillshade",
    .summary = "The ground's light and shade without colours, from one side or from several",
    .shader = "mode_hillshade.glsl",
    .hears = MODE_HEARS_MANY,
    .flat_fields = FLAT_BIT(EAST) | FLAT_BIT(SOUTH),
    .flat = flat_hillshade,
};

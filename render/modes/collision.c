/* How well a coarser collision heightfield follows the ground. */
#include "render/flat_colours.h"
#include "render/modes.h"
#include "render/plane.h"
#include "render/ramp.h"

const struct render_mode mode_collision = {
    .name = "collision",
    .summary = "How far the collision heightfield of a mip lies off the ground, with its grid",
    .shader = "mode_collision.glsl",
    .slots = SLOT_BIT(values),
    .values = MODE_ERROR,
    .ramp = RAMP_steepness,
    .hears = MODE_HEARS_MIP,
    .flat_fields = FLAT_BIT(ERROR),
    .flat = flat_collision,
};

/* Which material is where. */
#include "render/modes.h"
#include "render/plane.h"

const struct render_mode mode_materials = {
    .name = "materials",
    .summary = "The material that there is most of, in its mean colour",
    .shader = "mode_materials.glsl",
    .slots = SLOT_BIT(weights0) | SLOT_BIT(weights1) | SLOT_BIT(weights2),
    .covered = true,
};

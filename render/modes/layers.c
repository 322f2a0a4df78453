/* Which paint lies on the ground. */
#include <stdio.h>
#include <string.h>

#include "render/flat_colours.h"
#include "render/legend.h"
#include "render/modes.h"
#include "render/plane.h"

static void legend_fill(const struct view *view, const struct picture *picture,
                        struct legend *legend)
{
    const struct stack *stack = view->settings->stack;

    (void)picture;
    snprintf(legend->title, sizeof legend->title, "Paint layers");
    for (int i = 0; i < stack->paint_count; i++, legend->count++) {
        struct legend_swatch *swatch = &legend->swatches[i];

        if (i >= LEGEND_SWATCHES_MOST)
            continue;
        memcpy(swatch->rgb, stack->paints[i].debug_color, sizeof swatch->rgb);
        memcpy(swatch->name, stack->paints[i].name, sizeof swatch->name);
    }
}

const struct render_mode mode_layers = {
    .name = "layers",
    .summary = "Paint layers in their debug colours by weight, gray where bare",
    .shader = "mode_layers.glsl",
    .slots = SLOT_BIT(weights0) | SLOT_BIT(weights1) | SLOT_BIT(weights2),
    .flat_fields = FLAT_BIT(RED) | FLAT_BIT(GREEN) | FLAT_BIT(BLUE),
    .flat = flat_layers,
    .legend = legend_fill,
};

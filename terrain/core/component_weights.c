#include "terrain/core/component_weights.h"

#include <string.h>

#include "terrain/core/channels.h"

void component_slots(const struct view *view, int32_t cx, int32_t cy,
                     uint16_t slots[WEIGHTS_LAYERS])
{
    const struct stack *stack = view->settings->stack;

    for (int i = 0; i < stack->paint_count; i++) {
        const struct tree *tree =
            view_layer(view, channel_key(0, CHANNEL_SLOTS, stack->paints[i].id));

        slots[i] = tree ? tree_value(tree, cx, cy) : 0;
    }
}

/* One channel of a texture, from the weights of its layer. */
static void fill_channel(const struct view *view, const struct tree *weights, struct rect over,
                         uint8_t *rgba)
{
    const struct layout *layout = &view->settings->layout;
    int32_t side = layout->section_quads + 1, texels = component_texels(layout, 0);

    for (int32_t t = 0; t < texels; t++) {
        int32_t y = over.y + t - t / side;
        uint8_t row[2 * 255 + 1];

        tree_read(weights, (struct rect){ over.x, y, over.width, 1 }, row, over.width);
        for (int32_t i = 0; i < texels; i++)
            rgba[4 * (t * texels + i)] = row[i - i / side];
    }
}

void component_weightmap(const struct view *view, int32_t cx, int32_t cy, int32_t n, uint8_t *rgba)
{
    const struct stack *stack = view->settings->stack;
    int32_t texels = component_texels(&view->settings->layout, 0);
    uint16_t slots[WEIGHTS_LAYERS];

    memset(rgba, 0, (size_t)texels * (size_t)texels * 4);
    component_slots(view, cx, cy, slots);
    for (int i = 0; i < stack->paint_count; i++) {
        const struct tree *weights = view_weights(view, stack->paints[i].id);

        if (weights && slots[i] && slot_texture(slots[i]) == n)
            fill_channel(view, weights, component_rect(view, cx, cy),
                         rgba + slot_channel(slots[i]));
    }
}

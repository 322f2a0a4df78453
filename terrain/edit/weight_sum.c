#include "terrain/edit/weight_sum.h"

#include <stdlib.h>

#include "terrain/base/wide.h"
#include "terrain/edit/leaf.h"

static bool rests(const struct view *view, uint32_t layer, uint32_t paint, int32_t bx, int32_t by)
{
    return leaf_rests(layer_leaf(view, layer, CHANNEL_WEIGHTS, paint, bx, by), CHANNEL_WEIGHTS) &&
           leaf_rests(layer_leaf(view, layer, CHANNEL_UNWEIGHTS, paint, bx, by), CHANNEL_UNWEIGHTS);
}

bool weight_sum_there(const struct summing *summing, int at, int32_t bx, int32_t by)
{
    const struct stack *stack = summing->view->settings->stack;

    if (!summing_counts(summing, at) || summing_weights_alpha(summing, at) == 0)
        return false;
    for (int p = 0; p < stack->paint_count; p++)
        if (!rests(summing->view, stack->edits[at].id, stack->paints[p].id, bx, by))
            return true;
    return false;
}

struct weight_layer *weight_sum_layers(const struct summing *summing, int32_t bx, int32_t by,
                                       int *count)
{
    const struct view *view = summing->view;
    const struct stack *stack = view->settings->stack;
    struct weight_layer *layers =
        malloc(((size_t)(summing->top + 1) * (size_t)stack->paint_count + 1) * sizeof *layers);

    *count = 0;
    for (int i = 0; layers && i <= summing->top; i++) {
        const struct edit_layer *edit = &stack->edits[i];
        double alpha = summing_weights_alpha(summing, i);

        if (!summing_counts(summing, i) || alpha == 0)
            continue;
        for (int p = 0; p < stack->paint_count; p++) {
            uint32_t paint = stack->paints[p].id;

            if (rests(view, edit->id, paint, bx, by))
                continue;
            layers[(*count)++] =
                (struct weight_layer){ i, p, edit_layer_subtracts(edit, paint) ? -alpha : alpha,
                                       layer_leaf(view, edit->id, CHANNEL_WEIGHTS, paint, bx, by),
                                       layer_leaf(view, edit->id, CHANNEL_UNWEIGHTS, paint, bx,
                                                  by) };
        }
    }
    return layers;
}

WIDE static void add_row(const uint8_t *weights, double alpha, double *sums)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] += alpha * weights[x];
}

WIDE static void clamp_row(double *sums)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++) {
        sums[x] = sums[x] > 0 ? sums[x] : 0;
        sums[x] = sums[x] < 255 ? sums[x] : 255;
    }
}

void weight_sum_values(const uint8_t *weights, const uint8_t *unweights, double alpha,
                       double sums[BLOCK_SIDE])
{
    add_row(weights, alpha, sums);
    if (unweights)
        add_row(unweights, -alpha, sums);
    clamp_row(sums);
}

void weight_sum_add(const struct weight_layer *layer, int32_t y, double sums[BLOCK_SIDE])
{
    uint8_t room[2][BLOCK_SIDE];
    bool less = !leaf_rests(layer->unweights, CHANNEL_UNWEIGHTS);

    weight_sum_values(leaf_weights(layer->weights, y, room[0]),
                      less ? leaf_weights(layer->unweights, y, room[1]) : NULL, layer->alpha, sums);
}

WIDE void weight_sum_round(const double *sums, int32_t width, uint8_t *weights)
{
    for (int32_t x = 0; x < width; x++)
        weights[x] = (uint8_t)(int32_t)(sums[x] + 0.5);
}

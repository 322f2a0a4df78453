#include "terrain/edit/height_sum.h"

#include "terrain/base/wide.h"
#include "terrain/edit/leaf.h"

static double heights_alpha(const struct summing *summing, int at)
{
    return summing->full && at == summing->top ? 1
                                               : summing->view->settings->stack->edits[at].alpha;
}

/* What a layer holds in the block of each channel of heights, one search for all. */
static void leaves(const struct view *view, uint32_t layer, int32_t bx, int32_t by,
                   struct height_layer *found)
{
    static const struct child rests[] = { [CHANNEL_LOW] = { NULL, { 0, 32768, 32768 } },
                                          [CHANNEL_HIGH] = { NULL, { 0, 0, 0 } },
                                          [CHANNEL_MASK] = { NULL, { 0, 0, 0 } } };
    const struct child *leaf[] = { &rests[0], &rests[1], &rests[2] };
    const struct layer_plane *planes;
    int32_t count;

    planes = view_layer_all(view, layer, &count);
    for (int32_t i = 0; i < count && key_channel(planes[i].key) <= CHANNEL_MASK; i++)
        leaf[key_channel(planes[i].key)] = tree_leaf(&planes[i].tree, bx, by);
    found->low = leaf[CHANNEL_LOW];
    found->high = found->blend == BLEND_ALPHA ? NULL : leaf[CHANNEL_HIGH];
    found->mask = found->blend == BLEND_ALPHA ? leaf[CHANNEL_MASK] : NULL;
}

static bool holds(const struct height_layer *layer)
{
    if (layer->blend == BLEND_ALPHA)
        return !leaf_rests(layer->mask, CHANNEL_MASK);
    return !leaf_rests(layer->low, CHANNEL_LOW) || !leaf_rests(layer->high, CHANNEL_HIGH);
}

int height_sum_layers(const struct summing *summing, int32_t bx, int32_t by,
                      struct height_layer layers[EDIT_LAYERS_MOST])
{
    const struct view *view = summing->view;
    const struct stack *stack = view->settings->stack;
    int count = 0;

    for (int i = 0; i <= summing->top; i++) {
        const struct edit_layer *edit = &stack->edits[i];
        struct height_layer layer = { i, edit->blend, heights_alpha(summing, i), NULL, NULL, NULL };

        if (!summing_counts(summing, i) || layer.alpha == 0)
            continue;
        leaves(view, edit->id, bx, by, &layer);
        if (holds(&layer))
            layers[count++] = layer;
    }
    return count;
}

void height_sum_start(double sums[BLOCK_SIDE])
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] = 32768;
}

WIDE static void add_low(const uint16_t *low, double alpha, double *sums)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] = height_sum_more(sums[x], alpha, low[x] - 32768);
}

/* The delta whole before alpha takes its part, so that it is rounded as one number. */
WIDE void height_sum_deltas(const double *deltas, double alpha, double sums[BLOCK_SIDE])
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] = height_sum_more(sums[x], alpha, deltas[x]);
}

WIDE void height_sum_blend(const uint16_t *heights, const uint8_t *mask, double alpha,
                           double sums[BLOCK_SIDE])
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] = height_sum_towards(sums[x], alpha, heights[x], mask[x]);
}

WIDE static void join_deltas(const uint16_t *low, const uint16_t *high, double *deltas)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        deltas[x] = low[x] - 32768 + 65536.0 * (int16_t)high[x];
}

void height_sum_held(const struct child *low, const struct child *high, int32_t y,
                     double deltas[BLOCK_SIDE])
{
    uint16_t room[2][BLOCK_SIDE];

    join_deltas(leaf_heights(low, y, room[0]), leaf_heights(high, y, room[1]), deltas);
}

void height_sum_add(const struct height_layer *layer, int32_t y, double sums[BLOCK_SIDE])
{
    uint16_t low_room[BLOCK_SIDE];
    uint8_t mask_room[BLOCK_SIDE];
    double deltas[BLOCK_SIDE];

    if (layer->blend == BLEND_ALPHA) {
        height_sum_blend(leaf_heights(layer->low, y, low_room),
                         leaf_weights(layer->mask, y, mask_room), layer->alpha, sums);
        return;
    }
    if (leaf_rests(layer->high, CHANNEL_HIGH)) {
        add_low(leaf_heights(layer->low, y, low_room), layer->alpha, sums);
        return;
    }
    height_sum_held(layer->low, layer->high, y, deltas);
    height_sum_deltas(deltas, layer->alpha, sums);
}

WIDE void height_sum_round(const double *sums, int32_t width, uint16_t *heights)
{
    for (int32_t x = 0; x < width; x++) {
        double sum = sums[x] > 0 ? sums[x] : 0;

        sum = sum < 65535 ? sum : 65535;
        heights[x] = (uint16_t)(int32_t)(sum + 0.5);
    }
}

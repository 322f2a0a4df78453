#include "terrain/edit/contribute.h"

#include <math.h>

#include "terrain/edit/height_sum.h"

/* A quad's corners: north-west, north-east, south-west, south-east. */
enum { CORNERS = 4 };

/* On the triangle of the quad that the position is in, as view_quad_code has it. */
static double between(const double corners[CORNERS], double across, double down)
{
    double eastward = across >= down ? corners[1] - corners[0] : corners[3] - corners[2];
    double southward = across >= down ? corners[3] - corners[1] : corners[2] - corners[0];

    return corners[0] + across * eastward + down * southward;
}

static uint16_t held(const struct view *view, uint32_t layer, enum channel channel, int32_t x,
                     int32_t y)
{
    const struct tree *tree = view_layer(view, channel_key(layer, channel, 0));

    return tree ? tree_value(tree, x, y) : channels[channel].rest;
}

/* The sum at a vertex with this layer on it. */
static double layer_sum(const struct view *view, const struct edit_layer *edit, int32_t x,
                        int32_t y, double sum, double *mask)
{
    uint16_t low = held(view, edit->id, CHANNEL_LOW, x, y);

    if (edit->blend == BLEND_ALPHA) {
        uint16_t weight = held(view, edit->id, CHANNEL_MASK, x, y);

        *mask = weight;
        return edit->visible ? height_sum_towards(sum, edit->alpha, low, weight) : sum;
    }
    *mask = NAN;
    if (!edit->visible)
        return sum;
    return height_sum_more(sum, edit->alpha,
                           low - 32768 +
                               65536.0 * (int16_t)held(view, edit->id, CHANNEL_HIGH, x, y));
}

bool contribute_at(const struct view *view, const double at[2],
                   struct contribution contributions[EDIT_LAYERS_MOST])
{
    const struct grid *grid = view_grid(view);
    const struct stack *stack = view->settings->stack;
    double sums[CORNERS] = { 32768, 32768, 32768, 32768 }, masks[CORNERS], below = 32768;
    int32_t i, j;

    if (!(at[0] >= 0 && at[1] >= 0 && at[0] <= grid->columns - 1 && at[1] <= grid->rows - 1))
        return false;
    i = at[0] < grid->columns - 2 ? (int32_t)at[0] : grid->columns - 2;
    j = at[1] < grid->rows - 2 ? (int32_t)at[1] : grid->rows - 2;
    for (int k = 0; k < stack->edit_count; k++) {
        struct contribution *one = &contributions[k];

        for (int c = 0; c < CORNERS; c++)
            sums[c] =
                layer_sum(view, &stack->edits[k], i + (c & 1), j + (c >> 1), sums[c], &masks[c]);
        one->sum = between(sums, at[0] - i, at[1] - j);
        one->mask = between(masks, at[0] - i, at[1] - j);
        one->added = one->sum - below;
        below = one->sum;
    }
    return true;
}

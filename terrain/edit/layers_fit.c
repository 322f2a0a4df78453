/* Fitting: what a layer should add is a real number where others' alphas make fractions. Between
 * the two whole numbers next to it the stack's sum moves by at most 1 (by alpha times what the
 * layers above let through), so that one of the two is rounded to the same code; unless a layer
 * above lets through more than all, as an alpha blend of negative alpha does. */
#include <math.h>

#include "terrain/edit/layers_inside.h"
#include "terrain/edit/leaf.h"

void layers_sum(const struct fitting_block *block, int first, int end, int32_t y,
                double sums[BLOCK_SIDE])
{
    for (int i = 0; i < block->count; i++)
        if (block->layers[i].at >= first && block->layers[i].at < end)
            height_sum_add(&block->layers[i], y, sums);
}

static int64_t bounded(double value, int blend)
{
    double least = blend == BLEND_ALPHA ? 0 : INT32_MIN;
    double most = blend == BLEND_ALPHA ? 65535 : INT32_MAX - 65536;

    return (int64_t)(value > least ? value < most ? value : most : least);
}

/* The codes that the row's values come to, on the sums of what lies below. */
static void try_row(const struct fitting *fitting, const struct fitting_block *block, int32_t y,
                    int32_t width, double sums[BLOCK_SIDE], const struct fitting_row *row,
                    uint16_t *codes)
{
    double deltas[BLOCK_SIDE] = { 0 };
    uint16_t heights[BLOCK_SIDE] = { 0 };

    for (int32_t x = 0; x < width; x++) {
        deltas[x] = (double)row->value[x];
        heights[x] = (uint16_t)row->value[x];
    }
    if (fitting->alpha != 0 && fitting->blend == BLEND_ALPHA)
        height_sum_blend(heights, row->mask, fitting->alpha, sums);
    else if (fitting->alpha != 0)
        height_sum_deltas(deltas, fitting->alpha, sums);
    layers_sum(block, fitting->at + fitting->replaced, EDIT_LAYERS_MOST, y, sums);
    height_sum_round(sums, width, codes);
}

/* Values from wishes. Returns the first vertex at which none serves, or -1. */
static int32_t fit_row(const struct fitting *fitting, const struct fitting_block *block, int32_t y,
                       int32_t width, struct fitting_row *row)
{
    static const int beside[] = { 0, 1, -1 };
    uint16_t room[BLOCK_SIDE], codes[BLOCK_SIDE];
    const uint16_t *were = leaf_heights(&block->codes, y, room);
    int32_t wrong = 0;

    for (size_t k = 0; k < sizeof beside / sizeof *beside && wrong >= 0; k++) {
        double sums[BLOCK_SIDE];

        for (int32_t x = 0; x < width; x++)
            if (k == 0 || codes[x] != were[x])
                row->value[x] = bounded(floor(row->wish[x] + 0.5) + beside[k], fitting->blend);
        height_sum_start(sums);
        layers_sum(block, 0, fitting->at, y, sums);
        try_row(fitting, block, y, width, sums, row, codes);
        wrong = -1;
        for (int32_t x = width - 1; x >= 0; x--)
            wrong = codes[x] != were[x] ? x : wrong;
    }
    return wrong;
}

/* What the layer comes to hold in a block: low, and high or the mask. */
struct halves {
    struct block *low, *other;
};

static void halves_row(struct halves *halves, int blend, int32_t y, int32_t width,
                       const struct fitting_row *row)
{
    uint16_t *low = (uint16_t *)block_writable(halves->low) + y * BLOCK_SIDE;

    for (int32_t x = 0; x < width; x++) {
        int64_t value = row->value[x] + (blend == BLEND_ALPHA ? 0 : 32768);

        low[x] = (uint16_t)(value & 0xffff);
        if (blend == BLEND_ALPHA)
            ((uint8_t *)block_writable(halves->other))[y * BLOCK_SIDE + x] = row->mask[x];
        else
            ((uint16_t *)block_writable(halves->other))[y * BLOCK_SIDE + x] =
                (uint16_t)(value >> 16);
    }
}

static bool halves_put(struct draft *draft, const struct fitting *fitting, int32_t bx, int32_t by,
                       struct halves *halves, struct fault *why)
{
    bool alpha = fitting->blend == BLEND_ALPHA;
    uint64_t low = channel_key(fitting->layer, CHANNEL_LOW, 0);
    uint64_t other = channel_key(fitting->layer, alpha ? CHANNEL_MASK : CHANNEL_HIGH, 0);
    uint64_t third = channel_key(fitting->layer, alpha ? CHANNEL_HIGH : CHANNEL_MASK, 0);

    return layers_put(draft, low, bx, by, &halves->low, 0, why) &&
           layers_put(draft, other, bx, by, &halves->other, 0, why) &&
           layers_put_rest(draft, third, bx, by, why);
}

static bool unfit(const struct fitting *fitting, int32_t x, int32_t y, struct fault *why)
{
    return fault_set(why, FAULT_IMPOSSIBLE,
                     "at vertex (%d, %d) no whole %s of the edit layer %s gives the height that is "
                     "there: it lies beyond what heights can be, or a layer above of negative "
                     "alpha multiplies it",
                     x, y, fitting->blend == BLEND_ALPHA ? "height" : "delta",
                     fitting->view->settings->stack->edits[fitting->at].name);
}

bool layers_fit(struct draft *draft, const struct fitting *fitting, int32_t bx, int32_t by,
                fitting_wish *wish, struct fault *why)
{
    struct summing all = summing_all(fitting->view);
    const struct tree *heights = &fitting->view->planes[PLANE_HEIGHTS];
    struct height_layer layers[EDIT_LAYERS_MOST];
    struct fitting_block block = { bx, by, layers, height_sum_layers(&all, bx, by, layers),
                                   tree_block(heights, bx, by) };
    struct rect valid = tree_block_rect(heights, bx, by);
    struct halves halves = {
        block_new(PLANE_HEIGHTS, 0),
        block_new(fitting->blend == BLEND_ALPHA ? PLANE_WEIGHTS : PLANE_HEIGHTS, 0)
    };
    bool done = halves.low && halves.other;

    if (!done)
        draft_no_memory(why);
    for (int32_t y = 0; done && y < valid.height; y++) {
        struct fitting_row row = { { 0 }, { 0 }, { 0 } };
        int32_t wrong;

        wish(fitting, &block, y, &row);
        wrong = fit_row(fitting, &block, y, valid.width, &row);
        halves_row(&halves, fitting->blend, y, valid.width, &row);
        done = wrong < 0 || unfit(fitting, valid.x + wrong, valid.y + y, why);
    }
    done = done && halves_put(draft, fitting, bx, by, &halves, why);
    block_drop(halves.low);
    block_drop(halves.other);
    return done;
}

/* Another blend */

static void wish_deltas(const struct fitting *fitting, const struct fitting_block *block, int32_t y,
                        struct fitting_row *row)
{
    const struct view *view = fitting->view;
    double below[BLOCK_SIDE];
    uint16_t room[BLOCK_SIDE];
    uint8_t mask_room[BLOCK_SIDE];
    const uint16_t *heights = leaf_heights(
        layer_leaf(view, fitting->layer, CHANNEL_LOW, 0, block->bx, block->by), y, room);
    const uint8_t *mask = leaf_weights(
        layer_leaf(view, fitting->layer, CHANNEL_MASK, 0, block->bx, block->by), y, mask_room);

    height_sum_start(below);
    layers_sum(block, 0, fitting->at, y, below);
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        row->wish[x] = (heights[x] - below[x]) * mask[x] / 255;
}

static void wish_heights(const struct fitting *fitting, const struct fitting_block *block,
                         int32_t y, struct fitting_row *row)
{
    const struct view *view = fitting->view;
    double below[BLOCK_SIDE], deltas[BLOCK_SIDE];

    height_sum_start(below);
    layers_sum(block, 0, fitting->at, y, below);
    height_sum_held(layer_leaf(view, fitting->layer, CHANNEL_LOW, 0, block->bx, block->by),
                    layer_leaf(view, fitting->layer, CHANNEL_HIGH, 0, block->bx, block->by), y,
                    deltas);
    for (int32_t x = 0; x < BLOCK_SIDE; x++) {
        row->mask[x] = deltas[x] != 0 ? 255 : 0;
        row->wish[x] = deltas[x] != 0 ? below[x] + deltas[x] : channels[CHANNEL_LOW].rest;
    }
}

static bool convert_blocks(struct draft *draft, const struct fitting *fitting, struct fault *why)
{
    const struct tree *heights = &fitting->view->planes[PLANE_HEIGHTS];
    int32_t across = tree_blocks_across(heights), down = tree_blocks_down(heights);

    for (int32_t i = 0; i < across * down; i++) {
        int32_t bx = i % across, by = i / across;
        bool rests = true;

        for (int channel = CHANNEL_LOW; channel <= CHANNEL_MASK; channel++)
            rests = rests && leaf_rests(layer_leaf(fitting->view, fitting->layer,
                                                   (enum channel)channel, 0, bx, by),
                                        (enum channel)channel);
        if (!rests && !layers_fit(draft, fitting, bx, by,
                                  fitting->blend == BLEND_ALPHA ? wish_heights : wish_deltas, why))
            return false;
    }
    return true;
}

static bool blend_put(struct draft *draft, int at, int blend, struct fault *why)
{
    struct settings *settings = layers_begin(draft, why);

    if (settings)
        settings->stack->edits[at].blend = blend;
    return settings && layers_end(draft, settings, true, why);
}

bool layers_convert(struct draft *draft, int at, int blend, struct fault *why)
{
    const struct edit_layer *edit;
    struct fitting fitting;
    struct view *was;
    bool done;

    if (!draft_settle(draft, why))
        return false;
    was = view_copy(draft->view);
    if (!was)
        return draft_no_memory(why);
    edit = &was->settings->stack->edits[at];
    fitting = (struct fitting){ was, at, 1, edit->id, blend, edit->visible ? edit->alpha : 0 };
    done = convert_blocks(draft, &fitting, why) && blend_put(draft, at, blend, why);
    view_drop(was);
    return done;
}

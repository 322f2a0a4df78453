/* Collapsing a layer into the one below. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/layers_inside.h"
#include "terrain/edit/leaf.h"
#include "terrain/edit/weight_sum.h"

struct collapse {
    struct draft *draft;
    const struct view *was; /* held, as it was */
    int at;                 /* of the lower one */
    const struct edit_layer *lower, *upper;
};

static const struct child *held(const struct collapse *collapse, const struct edit_layer *layer,
                                enum channel channel, int32_t bx, int32_t by)
{
    return layer_leaf(collapse->was, layer->id, channel, 0, bx, by);
}

/* Heights */

/* Whether the layer changes no height of the block. */
static bool level(const struct collapse *collapse, const struct edit_layer *layer, int32_t bx,
                  int32_t by)
{
    if (layer->alpha == 0)
        return true;
    if (layer->blend == BLEND_ALPHA)
        return leaf_rests(held(collapse, layer, CHANNEL_MASK, bx, by), CHANNEL_MASK);
    return leaf_rests(held(collapse, layer, CHANNEL_LOW, bx, by), CHANNEL_LOW) &&
           leaf_rests(held(collapse, layer, CHANNEL_HIGH, bx, by), CHANNEL_HIGH);
}

static bool adds_in_full(const struct edit_layer *layer)
{
    return layer->blend == BLEND_ADDITIVE && layer->alpha == 1;
}

static void wish_sum(const struct fitting *fitting, const struct fitting_block *block, int32_t y,
                     struct fitting_row *row)
{
    double below[BLOCK_SIDE], sums[BLOCK_SIDE];

    height_sum_start(below);
    layers_sum(block, 0, fitting->at, y, below);
    memcpy(sums, below, sizeof sums);
    layers_sum(block, fitting->at, fitting->at + fitting->replaced, y, sums);
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        row->wish[x] = sums[x] - below[x];
}

/* The lower layer takes over what another holds (or, with NULL, nothing), as it is. */
static bool take_heights(const struct collapse *collapse, const struct edit_layer *from, int32_t bx,
                         int32_t by, struct fault *why)
{
    static const enum channel both[] = { CHANNEL_LOW, CHANNEL_HIGH };

    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        uint64_t key = channel_key(collapse->lower->id, both[i], 0);

        if (from ? !layers_put_leaf(collapse->draft, key, bx, by,
                                    held(collapse, from, both[i], bx, by), why)
                 : !layers_put_rest(collapse->draft, key, bx, by, why))
            return false;
    }
    return layers_put_rest(collapse->draft, channel_key(collapse->lower->id, CHANNEL_MASK, 0), bx,
                           by, why);
}

static bool add_heights(const struct collapse *collapse, int32_t bx, int32_t by, struct fault *why)
{
    struct fitting fitting = { collapse->was,       collapse->at,   2,
                               collapse->lower->id, BLEND_ADDITIVE, 1 };
    bool lower = !level(collapse, collapse->lower, bx, by);
    bool upper = !level(collapse, collapse->upper, bx, by);

    if (!lower && !upper)
        return take_heights(collapse, NULL, bx, by, why);
    if (!upper && adds_in_full(collapse->lower))
        return take_heights(collapse, collapse->lower, bx, by, why);
    if (!lower && adds_in_full(collapse->upper))
        return take_heights(collapse, collapse->upper, bx, by, why);
    return layers_fit(collapse->draft, &fitting, bx, by, wish_sum, why);
}

/* Two alpha layers stay one: the upper one's height and mask where it counts, else the lower's. */
static void wish_upper(const struct fitting *fitting, const struct fitting_block *block, int32_t y,
                       struct fitting_row *row)
{
    const struct view *view = fitting->view;
    const struct stack *stack = view->settings->stack;

    for (int i = 0; i < 2; i++) {
        uint32_t id = stack->edits[fitting->at + i].id;
        uint16_t room[BLOCK_SIDE];
        uint8_t mask_room[BLOCK_SIDE];
        const uint16_t *heights =
            leaf_heights(layer_leaf(view, id, CHANNEL_LOW, 0, block->bx, block->by), y, room);
        const uint8_t *mask =
            leaf_weights(layer_leaf(view, id, CHANNEL_MASK, 0, block->bx, block->by), y, mask_room);

        for (int32_t x = 0; x < BLOCK_SIDE; x++) {
            if (i == 1 && mask[x] == 0)
                continue;
            row->wish[x] = heights[x];
            row->mask[x] = mask[x];
        }
    }
}

/* Whether the upper layer counts in full or not at all, at each vertex. */
static bool all_or_nothing(const struct collapse *collapse, int32_t bx, int32_t by)
{
    const struct child *mask = held(collapse, collapse->upper, CHANNEL_MASK, bx, by);

    for (int32_t y = 0; y < BLOCK_SIDE; y++) {
        uint8_t room[BLOCK_SIDE];
        const uint8_t *row = leaf_weights(mask, y, room);

        for (int32_t x = 0; x < BLOCK_SIDE; x++)
            if (row[x] != 0 && row[x] != 255)
                return false;
    }
    return true;
}

typedef bool collapse_block(const struct collapse *collapse, int32_t bx, int32_t by,
                            struct fault *why);

static bool each_block(const struct collapse *collapse, collapse_block *visit, struct fault *why)
{
    const struct tree *heights = &collapse->was->planes[PLANE_HEIGHTS];
    int32_t across = tree_blocks_across(heights), down = tree_blocks_down(heights);

    for (int32_t i = 0; i < across * down; i++)
        if (!visit(collapse, i % across, i / across, why))
            return false;
    return true;
}

static bool pair_block(const struct collapse *collapse, int32_t bx, int32_t by, struct fault *why)
{
    (void)why;
    return all_or_nothing(collapse, bx, by);
}

static bool stays_alpha(const struct collapse *collapse)
{
    return collapse->lower->blend == BLEND_ALPHA && collapse->upper->blend == BLEND_ALPHA &&
           collapse->lower->alpha == 1 && collapse->upper->alpha == 1 &&
           each_block(collapse, pair_block, NULL);
}

static bool join_heights(const struct collapse *collapse, int32_t bx, int32_t by, struct fault *why)
{
    struct fitting fitting = {
        collapse->was, collapse->at, 2, collapse->lower->id, BLEND_ALPHA, 1
    };

    return level(collapse, collapse->upper, bx, by) ||
           layers_fit(collapse->draft, &fitting, bx, by, wish_upper, why);
}

/* Holes */

static bool add_holes(const struct collapse *collapse, int32_t bx, int32_t by, struct fault *why)
{
    const struct child *holes[2], *solid[2];
    struct block *made[2];
    struct rect valid = tree_block_rect(&collapse->was->planes[PLANE_HOLES], bx, by);
    bool done;

    for (int i = 0; i < 2; i++) {
        const struct edit_layer *layer = i ? collapse->upper : collapse->lower;

        holes[i] = held(collapse, layer, CHANNEL_HOLES, bx, by);
        solid[i] = held(collapse, layer, CHANNEL_SOLID, bx, by);
    }
    if (leaf_rests(holes[1], CHANNEL_HOLES) && leaf_rests(solid[1], CHANNEL_SOLID))
        return true;
    made[0] = block_new(PLANE_HOLES, 0);
    made[1] = block_new(PLANE_HOLES, 0);
    done = made[0] && made[1];
    for (int i = 0; done && i < BLOCK_SIDE * 2; i++) {
        uint64_t *hole = (uint64_t *)block_writable(made[0]) + i;
        uint64_t *filled = (uint64_t *)block_writable(made[1]) + i;
        uint64_t within = leaf_bits_valid(valid, i);

        *filled =
            (leaf_bits(solid[1], i) | (leaf_bits(solid[0], i) & ~leaf_bits(holes[1], i))) & within;
        *hole = (leaf_bits(holes[1], i) | leaf_bits(holes[0], i)) & ~*filled & within;
    }
    done = done
               ? layers_put(collapse->draft, channel_key(collapse->lower->id, CHANNEL_HOLES, 0), bx,
                            by, &made[0], 0, why) &&
                     layers_put(collapse->draft, channel_key(collapse->lower->id, CHANNEL_SOLID, 0),
                                bx, by, &made[1], 0, why)
               : draft_no_memory(why);
    block_drop(made[0]);
    block_drop(made[1]);
    return done;
}

/* Weights: as heights, where the two whole numbers next to the wish always have one that serves,
 * as clamping lets through no more than all. */

struct weights_block {
    const struct weight_layer *layers;
    int count, paint; /* position */
};

static void add_between(const struct weights_block *block, int first, int end, int32_t y,
                        double sums[BLOCK_SIDE])
{
    for (int i = 0; i < block->count; i++)
        if (block->layers[i].paint == block->paint && block->layers[i].at >= first &&
            block->layers[i].at < end)
            weight_sum_add(&block->layers[i], y, sums);
}

struct weights_row {
    uint8_t more[BLOCK_SIDE], less[BLOCK_SIDE];
};

static void weight_split(double wish, int beside, uint8_t *more, uint8_t *less)
{
    double value = floor(wish + 0.5) + beside;

    value = value < -255 ? -255 : value > 255 ? 255 : value;
    *more = (uint8_t)(value > 0 ? value : 0);
    *less = (uint8_t)(value < 0 ? -value : 0);
}

/* Whole weights to add and take away such that all comes to what it came to before it was
 * normalised. Returns the first vertex at which none serves, or -1. */
static int32_t fit_weights(const struct weights_block *block, int at, int32_t y, int32_t width,
                           struct weights_row *row)
{
    static const int beside[] = { 0, 1, -1 };
    double below[BLOCK_SIDE] = { 0 }, both[BLOCK_SIDE], sums[BLOCK_SIDE];
    uint8_t were[BLOCK_SIDE], codes[BLOCK_SIDE];
    int32_t wrong = 0;

    add_between(block, 0, at, y, below);
    memcpy(both, below, sizeof both);
    add_between(block, at, at + 2, y, both);
    memcpy(sums, both, sizeof sums);
    add_between(block, at + 2, EDIT_LAYERS_MOST, y, sums);
    weight_sum_round(sums, width, were);
    for (size_t k = 0; k < sizeof beside / sizeof *beside && wrong >= 0; k++) {
        for (int32_t x = 0; x < width; x++)
            if (k == 0 || codes[x] != were[x])
                weight_split(both[x] - below[x], beside[k], &row->more[x], &row->less[x]);
        memcpy(sums, below, sizeof sums);
        weight_sum_values(row->more, row->less, 1, sums);
        add_between(block, at + 2, EDIT_LAYERS_MOST, y, sums);
        weight_sum_round(sums, width, codes);
        wrong = -1;
        for (int32_t x = width - 1; x >= 0; x--)
            wrong = codes[x] != were[x] ? x : wrong;
    }
    return wrong;
}

static bool fit_paint(const struct collapse *collapse, const struct weights_block *block,
                      int32_t bx, int32_t by, struct fault *why)
{
    uint32_t paint = collapse->was->settings->stack->paints[block->paint].id;
    struct rect valid = tree_block_rect(&collapse->was->planes[PLANE_HEIGHTS], bx, by);
    struct block *more = block_new(PLANE_WEIGHTS, 0), *less = block_new(PLANE_WEIGHTS, 0);
    int32_t wrong = -1;
    bool done = more && less;

    for (int32_t y = 0; done && wrong < 0 && y < valid.height; y++) {
        struct weights_row row = { { 0 }, { 0 } };

        wrong = fit_weights(block, collapse->at, y, valid.width, &row);
        memcpy((uint8_t *)block_writable(more) + y * BLOCK_SIDE, row.more, (size_t)valid.width);
        memcpy((uint8_t *)block_writable(less) + y * BLOCK_SIDE, row.less, (size_t)valid.width);
    }
    if (!done)
        draft_no_memory(why);
    else if (wrong >= 0)
        done = fault_set(why, FAULT_IMPOSSIBLE,
                         "no whole weights of the edit layer %s give those that are there",
                         collapse->lower->name);
    done = done &&
           layers_put(collapse->draft, channel_key(collapse->lower->id, CHANNEL_WEIGHTS, paint), bx,
                      by, &more, 0, why) &&
           layers_put(collapse->draft, channel_key(collapse->lower->id, CHANNEL_UNWEIGHTS, paint),
                      bx, by, &less, 0, why);
    block_drop(more);
    block_drop(less);
    return done;
}

/* Whether what the lower layer holds serves as it is. */
static bool weights_serve(const struct collapse *collapse, const struct weights_block *block,
                          int32_t bx, int32_t by)
{
    uint32_t paint = collapse->was->settings->stack->paints[block->paint].id;
    bool rests = true;

    for (int channel = CHANNEL_WEIGHTS; channel <= CHANNEL_UNWEIGHTS; channel++)
        rests = rests && leaf_rests(layer_leaf(collapse->was, collapse->lower->id,
                                               (enum channel)channel, paint, bx, by),
                                    (enum channel)channel);
    for (int i = 0; i < block->count; i++)
        if (block->layers[i].paint == block->paint && block->layers[i].at == collapse->at + 1)
            return false;
    return rests || (edit_layer_weights_alpha(collapse->lower) == 1 &&
                     !edit_layer_subtracts(collapse->lower, paint));
}

static bool add_weights(const struct collapse *collapse, int32_t bx, int32_t by, struct fault *why)
{
    struct summing all = summing_all(collapse->was);
    const struct stack *stack = collapse->was->settings->stack;
    struct weights_block block = { 0 };
    struct weight_layer *layers = weight_sum_layers(&all, bx, by, &block.count);
    bool done = layers || draft_no_memory(why);

    block.layers = layers;
    for (int p = 0; done && p < stack->paint_count; p++) {
        block.paint = p;
        done = weights_serve(collapse, &block, bx, by) || fit_paint(collapse, &block, bx, by, why);
    }
    free(layers);
    return done;
}

/* The stack */

static bool join(const struct collapse *collapse, int blend, struct fault *why)
{
    struct settings *settings = layers_begin(collapse->draft, why);
    struct stack *stack;
    struct edit_layer *lower;

    if (!settings)
        return false;
    stack = settings->stack;
    lower = &stack->edits[collapse->at];
    lower->blend = blend;
    lower->alpha = 1;
    lower->weights_alpha = NAN;
    lower->subtract_count = 0;
    memmove(lower + 1, lower + 2, (size_t)(stack->edit_count - collapse->at - 2) * sizeof *lower);
    stack->edit_count--;
    return layers_end(collapse->draft, settings, true, why);
}

static bool collapse_all(const struct collapse *collapse, struct fault *why)
{
    bool alpha = stays_alpha(collapse);

    return each_block(collapse, alpha ? join_heights : add_heights, why) &&
           each_block(collapse, add_holes, why) && each_block(collapse, add_weights, why) &&
           join(collapse, alpha ? BLEND_ALPHA : BLEND_ADDITIVE, why);
}

/* Position of the upper one, both being free to be joined. */
static bool may_collapse(const struct draft *draft, const char *name, int *at, struct fault *why)
{
    const struct stack *stack = draft_view(draft)->settings->stack;

    if (!layers_unlocked(draft, name, at, why))
        return false;
    if (stack->edits[*at].id == BASE_LAYER)
        return fault_set(why, FAULT_CONFLICT, "the edit layer base stays; collapse others into it");
    if (*at == 0)
        return fault_set(why, FAULT_CONFLICT, "nothing is below the edit layer %s", name);
    for (int i = *at - 1; i <= *at; i++) {
        const struct edit_layer *edit = &stack->edits[i];

        if (edit->locked)
            return fault_set(why, FAULT_LOCKED, "the edit layer %s is locked; unlock it first",
                             edit->name);
        if (!edit->visible)
            return fault_set(why, FAULT_CONFLICT,
                             "the edit layer %s is hidden; show it, or delete it instead",
                             edit->name);
    }
    return true;
}

bool layers_collapse(struct draft *draft, const char *name, struct fault *why)
{
    struct collapse collapse = { .draft = draft };
    struct view *was;
    int at;
    bool done;

    if (!may_collapse(draft, name, &at, why) || !draft_settle(draft, why))
        return false;
    was = view_copy(draft->view);
    if (!was)
        return draft_no_memory(why);
    collapse.was = was;
    collapse.at = at - 1;
    collapse.lower = &was->settings->stack->edits[at - 1];
    collapse.upper = &was->settings->stack->edits[at];
    done = collapse_all(&collapse, why);
    view_drop(was);
    return done;
}

#include "terrain/edit/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/core/weights.h"

struct summing summing_all(const struct view *view)
{
    return (struct summing){ view, view->settings->stack->edit_count - 1, false };
}

static const struct child *rest_leaf(enum channel channel)
{
    static const struct child rests[CHANNEL_COUNT] = {
#define CHANNEL(name, plane, rest, paint, grid) [CHANNEL_##name] = { NULL, { 0, rest, rest } },
#include "terrain/core/channels.def"
#undef CHANNEL
    };

    return &rests[channel];
}

/* What a layer holds of a channel in block (bx, by). */
static const struct child *layer_leaf(const struct view *view, uint32_t layer, enum channel channel,
                                      uint32_t paint, int32_t bx, int32_t by)
{
    const struct tree *tree = view_layer(view, channel_key(layer, channel, paint));

    return tree ? tree_leaf(tree, bx, by) : rest_leaf(channel);
}

static bool at_rest(const struct child *leaf, enum channel channel)
{
    return !leaf->below && leaf->summary.least == channels[channel].rest;
}

bool layer_holds(const struct view *view, uint32_t layer, enum plane plane)
{
    static const bool kinds[PLANE_COUNT][CHANNEL_COUNT] = {
        [PLANE_HEIGHTS] = { [CHANNEL_LOW] = true, [CHANNEL_HIGH] = true, [CHANNEL_MASK] = true },
        [PLANE_HOLES] = { [CHANNEL_HOLES] = true, [CHANNEL_SOLID] = true },
        [PLANE_WEIGHTS] = { [CHANNEL_WEIGHTS] = true, [CHANNEL_UNWEIGHTS] = true },
    };

    for (int32_t i = 0; i < view->layers_count; i++) {
        const struct layer_plane *held = &view->layers[i];

        if (key_layer(held->key) == layer && kinds[plane][key_channel(held->key)] &&
            !at_rest(&held->tree.root, key_channel(held->key)))
            return true;
    }
    return false;
}

static bool counts(const struct summing *summing, int at)
{
    return summing->view->settings->stack->edits[at].visible ||
           (summing->full && at == summing->top);
}

static double heights_alpha(const struct summing *summing, int at)
{
    return summing->full && at == summing->top ? 1
                                               : summing->view->settings->stack->edits[at].alpha;
}

static double weights_alpha(const struct summing *summing, int at)
{
    return summing->full && at == summing->top
               ? 1
               : edit_layer_weights_alpha(&summing->view->settings->stack->edits[at]);
}

static struct rect valid_part(const struct view *view, int32_t bx, int32_t by)
{
    struct rect valid = tree_block_rect(&view->planes[PLANE_HEIGHTS], bx, by);

    valid.x = valid.y = 0;
    return valid;
}

static struct resolved share(const struct child *leaf)
{
    return (struct resolved){ leaf->below ? block_hold(leaf->below) : NULL, leaf->summary.least };
}

/* Heights */

struct height_layer {
    int at, blend;
    double alpha;
    const struct child *low, *high, *mask;
};

static int height_layers(const struct summing *summing, int32_t bx, int32_t by,
                         struct height_layer *layers)
{
    const struct stack *stack = summing->view->settings->stack;
    int count = 0;

    for (int i = 0; i <= summing->top; i++) {
        const struct edit_layer *edit = &stack->edits[i];
        struct height_layer layer = { i, edit->blend, heights_alpha(summing, i), NULL, NULL, NULL };
        bool holds;

        if (!counts(summing, i) || layer.alpha == 0)
            continue;
        layer.low = layer_leaf(summing->view, edit->id, CHANNEL_LOW, 0, bx, by);
        if (edit->blend == BLEND_ALPHA) {
            layer.mask = layer_leaf(summing->view, edit->id, CHANNEL_MASK, 0, bx, by);
            holds = !at_rest(layer.mask, CHANNEL_MASK);
        } else {
            layer.high = layer_leaf(summing->view, edit->id, CHANNEL_HIGH, 0, bx, by);
            holds = !at_rest(layer.low, CHANNEL_LOW) || !at_rest(layer.high, CHANNEL_HIGH);
        }
        if (holds)
            layers[count++] = layer;
    }
    return count;
}

static bool height_sole(const struct height_layer *layer)
{
    return layer->blend == BLEND_ADDITIVE && layer->alpha == 1 &&
           at_rest(layer->high, CHANNEL_HIGH);
}

static const uint16_t *height_row(const struct child *leaf, int32_t y, uint16_t *room)
{
    if (leaf->below)
        return block_heights(leaf->below) + y * BLOCK_SIDE;
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        room[x] = leaf->summary.least;
    return room;
}

static const uint8_t *weight_row(const struct child *leaf, int32_t y, uint8_t *room)
{
    if (leaf->below)
        return block_weights(leaf->below) + y * BLOCK_SIDE;
    memset(room, leaf->summary.least, BLOCK_SIDE);
    return room;
}

WIDE static void add_low(const uint16_t *low, double alpha, double *sums)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] += alpha * (low[x] - 32768);
}

/* The delta whole before alpha takes its part, so that it is rounded as one number. */
WIDE static void add_low_and_high(const uint16_t *low, const uint16_t *high, double alpha,
                                  double *sums)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] += alpha * (low[x] - 32768 + 65536 * (int16_t)high[x]);
}

WIDE static void blend_row(const uint16_t *heights, const uint8_t *mask, double alpha, double *sums)
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        sums[x] += (heights[x] - sums[x]) * alpha * mask[x] / 255;
}

static void add_height_row(const struct height_layer *layer, int32_t y, double *sums)
{
    uint16_t low_room[BLOCK_SIDE], high_room[BLOCK_SIDE];
    uint8_t mask_room[BLOCK_SIDE];
    const uint16_t *low = height_row(layer->low, y, low_room);

    if (layer->blend == BLEND_ALPHA)
        blend_row(low, weight_row(layer->mask, y, mask_room), layer->alpha, sums);
    else if (at_rest(layer->high, CHANNEL_HIGH))
        add_low(low, layer->alpha, sums);
    else
        add_low_and_high(low, height_row(layer->high, y, high_room), layer->alpha, sums);
}

WIDE static void round_row(const double *sums, int32_t width, uint16_t *heights)
{
    for (int32_t x = 0; x < width; x++) {
        double sum = sums[x] > 0 ? sums[x] : 0;

        sum = sum < 65535 ? sum : 65535;
        heights[x] = (uint16_t)(int32_t)(sum + 0.5);
    }
}

bool resolve_heights(const struct summing *summing, int32_t bx, int32_t by,
                     struct resolved *resolved)
{
    struct rect valid = valid_part(summing->view, bx, by);
    struct height_layer layers[EDIT_LAYERS_MOST];
    int count = height_layers(summing, bx, by, layers);

    if (count == 0 || (count == 1 && height_sole(&layers[0]))) {
        *resolved = share(count ? layers[0].low : rest_leaf(CHANNEL_LOW));
        return true;
    }
    *resolved = (struct resolved){ block_new(PLANE_HEIGHTS, 0), 0 };
    if (!resolved->block)
        return false;
    for (int32_t y = 0; y < valid.height; y++) {
        double sums[BLOCK_SIDE];

        for (int32_t x = 0; x < BLOCK_SIDE; x++)
            sums[x] = 32768;
        for (int i = 0; i < count; i++)
            add_height_row(&layers[i], y, sums);
        round_row(sums, valid.width, (uint16_t *)block_writable(resolved->block) + y * BLOCK_SIDE);
    }
    return true;
}

/* Holes */

struct hole_layer {
    int at;
    const struct child *holes, *solid;
};

static int hole_layers(const struct summing *summing, int32_t bx, int32_t by,
                       struct hole_layer *layers)
{
    const struct stack *stack = summing->view->settings->stack;
    int count = 0;

    for (int i = 0; i <= summing->top; i++) {
        uint32_t id = stack->edits[i].id;
        struct hole_layer layer = { i, layer_leaf(summing->view, id, CHANNEL_HOLES, 0, bx, by),
                                    layer_leaf(summing->view, id, CHANNEL_SOLID, 0, bx, by) };

        if (counts(summing, i) &&
            (!at_rest(layer.holes, CHANNEL_HOLES) || !at_rest(layer.solid, CHANNEL_SOLID)))
            layers[count++] = layer;
    }
    return count;
}

static uint64_t hole_word(const struct child *leaf, int i)
{
    return leaf->below ? block_bits(leaf->below)[i] : leaf->summary.least ? UINT64_MAX : 0;
}

/* The bits of word i that lie on the landscape. */
static uint64_t valid_word(struct rect valid, int i)
{
    int32_t bits = valid.width - (i & 1) * 64;

    if (i >> 1 >= valid.height || bits <= 0)
        return 0;
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

bool resolve_holes(const struct summing *summing, int32_t bx, int32_t by, struct resolved *resolved)
{
    struct rect valid = valid_part(summing->view, bx, by);
    struct hole_layer layers[EDIT_LAYERS_MOST];
    int count = hole_layers(summing, bx, by, layers);
    uint64_t *bits;

    if (count == 0 || (count == 1 && at_rest(layers[0].solid, CHANNEL_SOLID))) {
        *resolved = share(count ? layers[0].holes : rest_leaf(CHANNEL_HOLES));
        return true;
    }
    *resolved = (struct resolved){ block_new(PLANE_HOLES, 0), 0 };
    if (!resolved->block)
        return false;
    bits = block_writable(resolved->block);
    for (int i = 0; i < BLOCK_SIDE * 2; i++) {
        for (int k = 0; k < count; k++)
            bits[i] = (bits[i] | hole_word(layers[k].holes, i)) & ~hole_word(layers[k].solid, i);
        bits[i] &= valid_word(valid, i);
    }
    return true;
}

/* Weights */

struct weight_layer {
    int paint; /* position */
    double alpha;
    const struct child *weights, *unweights;
};

static bool weight_at_rest(const struct view *view, uint32_t layer, uint32_t paint, int32_t bx,
                           int32_t by)
{
    return at_rest(layer_leaf(view, layer, CHANNEL_WEIGHTS, paint, bx, by), CHANNEL_WEIGHTS) &&
           at_rest(layer_leaf(view, layer, CHANNEL_UNWEIGHTS, paint, bx, by), CHANNEL_UNWEIGHTS);
}

/* Whether the layer at that position holds weights of any paint layer in the block. */
static bool weights_there(const struct summing *summing, int at, int32_t bx, int32_t by)
{
    const struct stack *stack = summing->view->settings->stack;

    if (!counts(summing, at) || weights_alpha(summing, at) == 0)
        return false;
    for (int p = 0; p < stack->paint_count; p++)
        if (!weight_at_rest(summing->view, stack->edits[at].id, stack->paints[p].id, bx, by))
            return true;
    return false;
}

/* Whether what the layer holds is what it adds: nothing taken away, all of it counting. */
static bool weights_plain(const struct summing *summing, int at, int32_t bx, int32_t by)
{
    const struct stack *stack = summing->view->settings->stack;
    const struct edit_layer *edit = &stack->edits[at];

    for (int p = 0; p < stack->paint_count; p++)
        if (!at_rest(
                layer_leaf(summing->view, edit->id, CHANNEL_UNWEIGHTS, stack->paints[p].id, bx, by),
                CHANNEL_UNWEIGHTS))
            return false;
    return weights_alpha(summing, at) == 1 && edit->subtract_count == 0;
}

static int weights_sole(const struct summing *summing, int32_t bx, int32_t by)
{
    int sole = -1;

    for (int i = 0; i <= summing->top; i++) {
        if (!weights_there(summing, i, bx, by))
            continue;
        if (sole >= 0)
            return -1;
        sole = i;
    }
    return sole >= 0 && weights_plain(summing, sole, bx, by) ? sole : -1;
}

WIDE static void add_weights(const uint8_t *weights, double alpha, double *sums)
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

static void sum_weight_row(const struct weight_layer *layers, int count, int paint, int32_t y,
                           uint8_t *to)
{
    double sums[BLOCK_SIDE] = { 0 };
    uint8_t room[BLOCK_SIDE];

    for (int i = 0; i < count; i++) {
        if (layers[i].paint != paint)
            continue;
        add_weights(weight_row(layers[i].weights, y, room), layers[i].alpha, sums);
        if (!at_rest(layers[i].unweights, CHANNEL_UNWEIGHTS))
            add_weights(weight_row(layers[i].unweights, y, room), -layers[i].alpha, sums);
        clamp_row(sums);
    }
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        to[x] = (uint8_t)(sums[x] + 0.5);
}

/* What any layer holds of each paint layer in the block, bottom to top; a list to be freed, NULL
 * when memory is out. */
static struct weight_layer *weight_layers(const struct summing *summing, int32_t bx, int32_t by,
                                          int *count)
{
    const struct stack *stack = summing->view->settings->stack;
    struct weight_layer *layers =
        malloc(((size_t)(summing->top + 1) * (size_t)stack->paint_count + 1) * sizeof *layers);

    *count = 0;
    for (int i = 0; layers && i <= summing->top; i++) {
        const struct edit_layer *edit = &stack->edits[i];

        if (!weights_there(summing, i, bx, by))
            continue;
        for (int p = 0; p < stack->paint_count; p++) {
            uint32_t paint = stack->paints[p].id;
            double alpha = weights_alpha(summing, i);

            if (weight_at_rest(summing->view, edit->id, paint, bx, by))
                continue;
            layers[(*count)++] = (struct weight_layer){
                p, edit_layer_subtracts(edit, paint) ? -alpha : alpha,
                layer_leaf(summing->view, edit->id, CHANNEL_WEIGHTS, paint, bx, by),
                layer_leaf(summing->view, edit->id, CHANNEL_UNWEIGHTS, paint, bx, by)
            };
        }
    }
    return layers;
}

/* Blocks for the paint layers that any of the list is of. */
static bool weight_blocks(const struct weight_layer *layers, int count, struct resolved *resolved)
{
    for (int i = 0; i < count; i++) {
        struct resolved *one = &resolved[layers[i].paint];

        if (!one->block)
            one->block = block_new(PLANE_WEIGHTS, 0);
        if (!one->block)
            return false;
    }
    return true;
}

static void normalise_rows(const struct stack *stack, struct resolved *resolved, struct rect valid)
{
    uint8_t *blended[PAINT_LAYERS_MOST];
    int count = 0;

    for (int p = 0; p < stack->paint_count; p++)
        if (stack->paints[p].blended && resolved[p].block)
            blended[count++] = block_writable(resolved[p].block);
    for (int32_t y = 0; count && y < valid.height; y++) {
        weights_normalise_row(blended, count, valid.width);
        for (int i = 0; i < count; i++)
            blended[i] += BLOCK_SIDE;
    }
}

static void sum_weights(const struct summing *summing, const struct weight_layer *layers, int count,
                        struct rect valid, struct resolved *resolved)
{
    const struct stack *stack = summing->view->settings->stack;

    for (int p = 0; p < stack->paint_count; p++) {
        uint8_t *values = resolved[p].block ? block_writable(resolved[p].block) : NULL;

        for (int32_t y = 0; values && y < valid.height; y++) {
            uint8_t row[BLOCK_SIDE];

            sum_weight_row(layers, count, p, y, row);
            memcpy(values + y * BLOCK_SIDE, row, (size_t)valid.width);
        }
    }
    normalise_rows(stack, resolved, valid);
}

/* Where nothing came of normalising, the layer's own block serves. */
static void share_same(const struct view *view, uint32_t layer, int32_t bx, int32_t by,
                       struct resolved *resolved)
{
    const struct stack *stack = view->settings->stack;

    for (int p = 0; p < stack->paint_count; p++) {
        const struct child *leaf =
            layer_leaf(view, layer, CHANNEL_WEIGHTS, stack->paints[p].id, bx, by);

        if (!leaf->below || !resolved[p].block ||
            memcmp(block_values(leaf->below), block_values(resolved[p].block), BLOCK_VERTICES) != 0)
            continue;
        block_drop(resolved[p].block);
        resolved[p] = share(leaf);
    }
}

bool resolve_weights(const struct summing *summing, int32_t bx, int32_t by,
                     struct resolved *resolved)
{
    const struct stack *stack = summing->view->settings->stack;
    int count, sole = weights_sole(summing, bx, by);
    struct weight_layer *layers = weight_layers(summing, bx, by, &count);
    bool done = layers != NULL;

    memset(resolved, 0, (size_t)stack->paint_count * sizeof *resolved);
    done = done && weight_blocks(layers, count, resolved);
    if (done)
        sum_weights(summing, layers, count, valid_part(summing->view, bx, by), resolved);
    if (done && sole >= 0)
        share_same(summing->view, stack->edits[sole].id, bx, by, resolved);
    for (int p = 0; !done && p < stack->paint_count; p++) {
        block_drop(resolved[p].block);
        resolved[p].block = NULL;
    }
    free(layers);
    return done;
}

int resolve_sole(const struct summing *summing, enum plane plane, int32_t bx, int32_t by)
{
    struct height_layer heights[EDIT_LAYERS_MOST];
    struct hole_layer holes[EDIT_LAYERS_MOST];
    int count;

    switch (plane) {
    case PLANE_HEIGHTS:
        count = height_layers(summing, bx, by, heights);
        return count == 1 && height_sole(&heights[0]) ? heights[0].at : -1;
    case PLANE_HOLES:
        count = hole_layers(summing, bx, by, holes);
        return count == 1 && at_rest(holes[0].solid, CHANNEL_SOLID) ? holes[0].at : -1;
    default:
        return weights_sole(summing, bx, by);
    }
}

/* Whole views */

/* The newest version of anything that any layer holds of the kind in the block, at least that of
 * the last change of how layers add up, and the first. */
static uint64_t block_version(const struct view *view, enum plane plane, int32_t bx, int32_t by)
{
    uint64_t reshaped = view->settings->stack->reshaped, newest = reshaped > 1 ? reshaped : 1;

    for (int32_t i = 0; i < view->layers_count; i++) {
        const struct layer_plane *held = &view->layers[i];
        enum channel channel = key_channel(held->key);
        bool of_kind = plane == PLANE_HEIGHTS ? channel <= CHANNEL_MASK
                       : plane == PLANE_HOLES
                           ? channel == CHANNEL_HOLES || channel == CHANNEL_SOLID
                           : channel == CHANNEL_WEIGHTS || channel == CHANNEL_UNWEIGHTS;

        if (of_kind) {
            uint64_t version = tree_leaf(&held->tree, bx, by)->summary.version;

            newest = version > newest ? version : newest;
        }
    }
    return newest;
}

static bool put(struct tree *tree, int32_t bx, int32_t by, struct resolved *resolved,
                uint64_t version)
{
    bool done = tree_put(tree, bx, by, &resolved->block, resolved->flat, version);

    block_drop(resolved->block);
    resolved->block = NULL;
    return done;
}

static bool resolve_block(struct view *view, int32_t bx, int32_t by)
{
    const struct stack *stack = view->settings->stack;
    struct summing all = summing_all(view);
    struct resolved heights, holes, weights[PAINT_LAYERS_MOST];
    bool done =
        resolve_heights(&all, bx, by, &heights) &&
        put(&view->planes[PLANE_HEIGHTS], bx, by, &heights,
            block_version(view, PLANE_HEIGHTS, bx, by)) &&
        resolve_holes(&all, bx, by, &holes) &&
        put(&view->planes[PLANE_HOLES], bx, by, &holes, block_version(view, PLANE_HOLES, bx, by));
    uint64_t version = block_version(view, PLANE_WEIGHTS, bx, by);

    if (!done || stack->paint_count == 0)
        return done;
    done = resolve_weights(&all, bx, by, weights);
    for (int p = 0; p < stack->paint_count && done; p++) {
        bool there = weights[p].block || weights[p].flat || version > 1;
        struct tree *tree = there
                                ? view_weights_put(view, stack->paints[p].id)
                                : (struct tree *)(uintptr_t)view_weights(view, stack->paints[p].id);

        done = (!there && !tree) || (tree && put(tree, bx, by, &weights[p], version));
    }
    for (int p = 0; p < stack->paint_count; p++)
        block_drop(weights[p].block);
    return done;
}

/* Only base has ever made the surface, as it is: one plane serves for both. */
static bool base_alone(const struct view *view)
{
    const struct stack *stack = view->settings->stack;

    for (int32_t i = 0; i < view->layers_count; i++) {
        enum channel channel = key_channel(view->layers[i].key);

        if (key_layer(view->layers[i].key) != BASE_LAYER ||
            (channel != CHANNEL_LOW && channel != CHANNEL_HOLES))
            return false;
    }
    return stack->reshaped == 0;
}

static void share_plane(struct view *view, enum plane plane, enum channel channel)
{
    const struct tree *tree = view_layer(view, channel_key(BASE_LAYER, channel, 0));

    tree_drop(&view->planes[plane]);
    view->planes[plane] = tree ? tree_hold(tree)
                               : tree_flat(plane, view_grid(view)->columns, view_grid(view)->rows,
                                           channels[channel].rest, 1);
}

bool resolve_view(struct view *view, struct fault *why)
{
    int32_t across = tree_blocks_across(&view->planes[PLANE_HEIGHTS]);
    int32_t down = tree_blocks_down(&view->planes[PLANE_HEIGHTS]);

    share_plane(view, PLANE_HEIGHTS, CHANNEL_LOW);
    share_plane(view, PLANE_HOLES, CHANNEL_HOLES);
    if (base_alone(view))
        return true;
    for (int32_t i = 0; i < across * down; i++)
        if (!resolve_block(view, i % across, i / across))
            return fault_set(why, FAULT_MEMORY, "no memory for the surface of a landscape");
    return true;
}

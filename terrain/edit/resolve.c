#include "terrain/edit/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/weights.h"
#include "terrain/edit/height_sum.h"
#include "terrain/edit/leaf.h"
#include "terrain/edit/weight_sum.h"

struct summing summing_all(const struct view *view)
{
    return (struct summing){ view, view->settings->stack->edit_count - 1, false };
}

bool summing_counts(const struct summing *summing, int at)
{
    return summing->view->settings->stack->edits[at].visible ||
           (summing->full && at == summing->top);
}

double summing_weights_alpha(const struct summing *summing, int at)
{
    return summing->full && at == summing->top
               ? 1
               : edit_layer_weights_alpha(&summing->view->settings->stack->edits[at]);
}

/* Branches may be left of what was written and taken back: what they sum up to counts. */
static bool channel_rests(const struct tree *tree, enum channel channel)
{
    const struct summary *all = &tree->root.summary;

    return all->least == channels[channel].rest && all->greatest == channels[channel].rest;
}

bool layer_holds(const struct view *view, uint32_t layer, enum plane plane)
{
    static const bool kinds[PLANE_COUNT][CHANNEL_COUNT] = {
        [PLANE_HEIGHTS] = { [CHANNEL_LOW] = true, [CHANNEL_HIGH] = true, [CHANNEL_MASK] = true },
        [PLANE_HOLES] = { [CHANNEL_HOLES] = true, [CHANNEL_SOLID] = true },
        [PLANE_WEIGHTS] = { [CHANNEL_WEIGHTS] = true, [CHANNEL_UNWEIGHTS] = true },
    };
    const struct layer_plane *planes;
    int32_t count;

    planes = view_layer_all(view, layer, &count);
    for (int32_t i = 0; i < count; i++)
        if (kinds[plane][key_channel(planes[i].key)] &&
            !channel_rests(&planes[i].tree, key_channel(planes[i].key)))
            return true;
    return false;
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

static bool height_sole(const struct height_layer *layer)
{
    return layer->blend == BLEND_ADDITIVE && layer->alpha == 1 &&
           leaf_rests(layer->high, CHANNEL_HIGH);
}

/* Rows of a part of a block, from all layers that hold anything there. */
static void sum_heights(const struct height_layer *layers, int count, struct rect part,
                        uint16_t *heights)
{
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        double sums[BLOCK_SIDE];

        height_sum_start(sums);
        for (int i = 0; i < count; i++)
            height_sum_add(&layers[i], y, sums);
        height_sum_round(sums + part.x, part.width, heights + y * BLOCK_SIDE + part.x);
    }
}

/* Whether the block is one layer's, or at rest, and what it then is. */
static bool heights_shared(const struct height_layer *layers, int count, struct resolved *resolved)
{
    if (count > 1 || (count == 1 && !height_sole(&layers[0])))
        return false;
    *resolved =
        count ? share(layers[0].low) : (struct resolved){ NULL, channels[CHANNEL_LOW].rest };
    return true;
}

bool resolve_heights(const struct summing *summing, int32_t bx, int32_t by,
                     struct resolved *resolved)
{
    struct height_layer layers[EDIT_LAYERS_MOST];
    int count = height_sum_layers(summing, bx, by, layers);

    if (heights_shared(layers, count, resolved))
        return true;
    *resolved = (struct resolved){ block_new(PLANE_HEIGHTS, 0), 0 };
    if (!resolved->block)
        return false;
    sum_heights(layers, count, valid_part(summing->view, bx, by), block_writable(resolved->block));
    return true;
}

bool resolve_heights_in(const struct summing *summing, int32_t bx, int32_t by, struct rect part,
                        struct tree *tree, uint64_t version)
{
    struct height_layer layers[EDIT_LAYERS_MOST];
    int count = height_sum_layers(summing, bx, by, layers);
    struct resolved resolved;
    struct block *block;

    if (heights_shared(layers, count, &resolved)) {
        bool done = tree_put(tree, bx, by, &resolved.block, resolved.flat, version);

        block_drop(resolved.block);
        return done;
    }
    block = tree_own(tree, bx, by, version);
    if (!block)
        return false;
    sum_heights(layers, count, part, block_writable(block));
    tree_settle(tree, bx, by, part);
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

        if (summing_counts(summing, i) &&
            (!leaf_rests(layer.holes, CHANNEL_HOLES) || !leaf_rests(layer.solid, CHANNEL_SOLID)))
            layers[count++] = layer;
    }
    return count;
}

bool resolve_holes(const struct summing *summing, int32_t bx, int32_t by, struct resolved *resolved)
{
    struct rect valid = valid_part(summing->view, bx, by);
    struct hole_layer layers[EDIT_LAYERS_MOST];
    int count = hole_layers(summing, bx, by, layers);
    uint64_t *bits;

    if (count == 0 || (count == 1 && leaf_rests(layers[0].solid, CHANNEL_SOLID))) {
        *resolved = count ? share(layers[0].holes) : (struct resolved){ NULL, 0 };
        return true;
    }
    *resolved = (struct resolved){ block_new(PLANE_HOLES, 0), 0 };
    if (!resolved->block)
        return false;
    bits = block_writable(resolved->block);
    for (int i = 0; i < BLOCK_SIDE * 2; i++) {
        for (int k = 0; k < count; k++)
            bits[i] = (bits[i] | leaf_bits(layers[k].holes, i)) & ~leaf_bits(layers[k].solid, i);
        bits[i] &= leaf_bits_valid(valid, i);
    }
    return true;
}

/* Weights */

/* Whether what the layer holds is what it adds: nothing taken away, all of it counting. */
static bool weights_plain(const struct summing *summing, int at, int32_t bx, int32_t by)
{
    const struct stack *stack = summing->view->settings->stack;
    const struct edit_layer *edit = &stack->edits[at];

    for (int p = 0; p < stack->paint_count; p++)
        if (!leaf_rests(
                layer_leaf(summing->view, edit->id, CHANNEL_UNWEIGHTS, stack->paints[p].id, bx, by),
                CHANNEL_UNWEIGHTS))
            return false;
    return summing_weights_alpha(summing, at) == 1 && edit->subtract_count == 0;
}

static int weights_sole(const struct summing *summing, int32_t bx, int32_t by)
{
    int sole = -1;

    for (int i = 0; i <= summing->top; i++) {
        if (!weight_sum_there(summing, i, bx, by))
            continue;
        if (sole >= 0)
            return -1;
        sole = i;
    }
    return sole >= 0 && weights_plain(summing, sole, bx, by) ? sole : -1;
}

static void sum_weight_row(const struct weight_layer *layers, int count, int paint, int32_t y,
                           int32_t width, uint8_t *to)
{
    double sums[BLOCK_SIDE] = { 0 };

    for (int i = 0; i < count; i++)
        if (layers[i].paint == paint)
            weight_sum_add(&layers[i], y, sums);
    weight_sum_round(sums, width, to);
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

        for (int32_t y = 0; values && y < valid.height; y++)
            sum_weight_row(layers, count, p, y, valid.width, values + y * BLOCK_SIDE);
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
    struct weight_layer *layers = weight_sum_layers(summing, bx, by, &count);
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
        count = height_sum_layers(summing, bx, by, heights);
        return count == 1 && height_sole(&heights[0]) ? heights[0].at : -1;
    case PLANE_HOLES:
        count = hole_layers(summing, bx, by, holes);
        return count == 1 && leaf_rests(holes[0].solid, CHANNEL_SOLID) ? holes[0].at : -1;
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

        if (channels[channel].alone && !channels[channel].component)
            continue; /* no part of the surface */
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

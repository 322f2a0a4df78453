/* From what was written to what the layer holds, and from the layers to the surface. */
#include "terrain/edit/draft_inside.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/edit/leaf.h"

/* Adding what was changed to what the layer holds */

struct spot {
    int32_t bx, by;
};

struct spots {
    struct spot *items;
    size_t count, room;
};

static bool spot_add(void *context, int32_t bx, int32_t by, const struct child *before,
                     const struct child *after)
{
    struct spots *spots = context;

    (void)before;
    (void)after;
    if (spots->count == spots->room) {
        size_t room = spots->room ? spots->room * 2 : 16;
        struct spot *grown = realloc(spots->items, room * sizeof *grown);

        if (!grown)
            return false;
        spots->items = grown;
        spots->room = room;
    }
    spots->items[spots->count++] = (struct spot){ bx, by };
    return true;
}

/* Puts a leaf of another tree there. */
static bool put_leaf(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                     const struct child *leaf, struct fault *why)
{
    struct tree *tree = draft_plane_own(draft, key, why);
    struct block *block = leaf->below ? block_hold(leaf->below) : NULL;
    bool done =
        tree && (tree_put(tree, bx, by, &block, leaf->summary.least, draft->view->version) ||
                 draft_no_memory(why));

    block_drop(block);
    return done;
}

static struct child plane_leaf(const struct draft *draft, uint64_t key, int32_t bx, int32_t by)
{
    const struct tree *tree = view_layer(draft->view, key);
    uint16_t rest = channels[key_channel(key)].rest;

    return tree ? tree_block(tree, bx, by) : (struct child){ NULL, { 0, rest, rest } };
}

/* A plane's block to write to, with no summary kept; plane_done sums it up. */
static void *plane_begin(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                         struct fault *why)
{
    struct tree *tree = draft_plane_own(draft, key, why);
    struct block *block = tree ? tree_own(tree, bx, by, draft->view->version) : NULL;

    if (tree && !block)
        draft_no_memory(why);
    return block ? block_writable(block) : NULL;
}

static void plane_done_in(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                          struct rect changed)
{
    tree_settle(&view_layer_put(draft->view, key, 0)->tree, bx, by, changed);
}

static void plane_done(struct draft *draft, uint64_t key, int32_t bx, int32_t by)
{
    plane_done_in(draft, key, bx, by, (struct rect){ 0, 0, BLOCK_SIDE, BLOCK_SIDE });
}

static struct rect valid_part(const struct draft *draft, int32_t bx, int32_t by)
{
    struct rect valid = tree_block_rect(&draft->view->planes[PLANE_HEIGHTS], bx, by);

    valid.x = valid.y = 0;
    return valid;
}

/* Around all that may differ in the heights of a block. */
static struct rect touched_part(const struct draft *draft, struct spot at)
{
    return draft->touched ? draft->touched[draft_block_index(draft, at.bx, at.by)]
                          : valid_part(draft, at.bx, at.by);
}

/* before -> now, added to low and high. Sums beyond 32 bits stay at the last that fits. */
static void add_difference(const uint16_t *before, const uint16_t *now, int32_t width,
                           uint16_t *low, uint16_t *high)
{
    for (int32_t x = 0; x < width; x++) {
        int64_t delta =
            (int64_t)low[x] - 32768 + 65536 * (int64_t)(int16_t)high[x] + now[x] - before[x];

        delta = delta < INT32_MIN           ? INT32_MIN
                : delta > INT32_MAX - 65536 ? INT32_MAX - 65536
                                            : delta;
        delta += 32768;
        low[x] = (uint16_t)(delta & 0xffff);
        high[x] = (uint16_t)(delta >> 16);
    }
}

/* Deltas in place. High is only made where it is there or comes to be needed. */
static bool add_deltas(struct draft *draft, uint32_t layer, struct spot at,
                       const struct child *before, const struct child *now, struct fault *why)
{
    uint64_t low_key = channel_key(layer, CHANNEL_LOW, 0);
    uint64_t high_key = channel_key(layer, CHANNEL_HIGH, 0);
    struct rect valid = valid_part(draft, at.bx, at.by);
    uint16_t *low, *high;

    if (!plane_begin(draft, high_key, at.bx, at.by, why) ||
        !plane_begin(draft, low_key, at.bx, at.by, why))
        return false;
    /* making one plane may have moved the other's tree, not its block */
    high = block_writable(plane_leaf(draft, high_key, at.bx, at.by).below);
    low = block_writable(plane_leaf(draft, low_key, at.bx, at.by).below);
    for (int32_t y = 0; y < valid.height; y++) {
        uint16_t room[2][BLOCK_SIDE];

        add_difference(leaf_heights(before, y, room[0]), leaf_heights(now, y, room[1]), valid.width,
                       low + y * BLOCK_SIDE, high + y * BLOCK_SIDE);
    }
    plane_done(draft, high_key, at.bx, at.by);
    plane_done(draft, low_key, at.bx, at.by);
    return true;
}

/* An alpha layer takes the height over, and counts in full where it changed. */
static bool take_over(struct draft *draft, uint32_t layer, struct spot at,
                      const struct child *before, const struct child *now, struct fault *why)
{
    uint64_t low_key = channel_key(layer, CHANNEL_LOW, 0);
    uint64_t mask_key = channel_key(layer, CHANNEL_MASK, 0);
    struct rect valid = valid_part(draft, at.bx, at.by);
    uint16_t *low;
    uint8_t *mask;

    if (!plane_begin(draft, mask_key, at.bx, at.by, why) ||
        !plane_begin(draft, low_key, at.bx, at.by, why))
        return false;
    mask = block_writable(plane_leaf(draft, mask_key, at.bx, at.by).below);
    low = block_writable(plane_leaf(draft, low_key, at.bx, at.by).below);
    for (int32_t y = 0; y < valid.height; y++) {
        uint16_t room[2][BLOCK_SIDE];
        const uint16_t *was = leaf_heights(before, y, room[0]), *is = leaf_heights(now, y, room[1]);

        for (int32_t x = 0; x < valid.width; x++) {
            if (was[x] == is[x])
                continue;
            low[y * BLOCK_SIDE + x] = is[x];
            mask[y * BLOCK_SIDE + x] = 255;
        }
    }
    plane_done(draft, mask_key, at.bx, at.by);
    plane_done(draft, low_key, at.bx, at.by);
    return true;
}

/* The bits above 16 of low + (now - before), of any of a row. */
WIDE static uint32_t sums_beyond(const uint16_t *low, const uint16_t *before, const uint16_t *now,
                                 int32_t width)
{
    uint32_t beyond = 0;

    for (int32_t x = 0; x < width; x++)
        beyond |= (uint32_t)(low[x] + now[x] - before[x]);
    return beyond >> 16;
}

WIDE static void add_low(const uint16_t *before, const uint16_t *now, int32_t width, uint16_t *low)
{
    for (int32_t x = 0; x < width; x++)
        low[x] = (uint16_t)(low[x] + now[x] - before[x]);
}

/* Whether the part's deltas stay within 16 bits. */
static bool deltas_fit(const struct child *low, const struct child *before, const struct child *now,
                       struct rect part)
{
    uint32_t beyond = 0;

    for (int32_t y = part.y; !beyond && y < part.y + part.height; y++) {
        uint16_t room[3][BLOCK_SIDE];

        beyond = sums_beyond(leaf_heights(low, y, room[0]) + part.x,
                             leaf_heights(before, y, room[1]) + part.x,
                             leaf_heights(now, y, room[2]) + part.x, part.width);
    }
    return !beyond;
}

/* Deltas that need no high. */
static bool add_small_deltas(struct draft *draft, uint64_t low_key, struct spot at,
                             const struct child *before, const struct child *now, struct rect part,
                             struct fault *why)
{
    uint16_t *low = plane_begin(draft, low_key, at.bx, at.by, why);

    for (int32_t y = part.y; low && y < part.y + part.height; y++) {
        uint16_t room[2][BLOCK_SIDE];

        add_low(leaf_heights(before, y, room[0]) + part.x, leaf_heights(now, y, room[1]) + part.x,
                part.width, low + y * BLOCK_SIDE + part.x);
    }
    if (low)
        plane_done_in(draft, low_key, at.bx, at.by, part);
    return low != NULL;
}

/* The surface follows: by as much as the layer changed, or added up again. */
static bool show_heights(struct draft *draft, struct spot at, const struct child *before,
                         const struct child *now, struct rect part, struct fault *why)
{
    bool shifted;

    return draft_shift(draft, at.bx, at.by, before, now, part, &shifted, why) &&
           (shifted || draft_stale_part(draft, at.bx, at.by, part, why));
}

static bool settle_heights(struct draft *draft, int paint, struct spot at, struct fault *why)
{
    const struct edit_layer *edit = &draft->view->settings->stack->edits[draft->layer];
    uint64_t low_key = channel_key(edit->id, CHANNEL_LOW, 0);
    struct child before = tree_block(&draft->heights.before, at.bx, at.by);
    struct child now = tree_block(draft_now(draft, PLANE_HEIGHTS), at.bx, at.by);
    struct child low = plane_leaf(draft, low_key, at.bx, at.by);
    struct child high = plane_leaf(draft, channel_key(edit->id, CHANNEL_HIGH, 0), at.bx, at.by);
    bool no_high = !high.below && !high.summary.least, shared = leaf_same(&low, &before) && no_high;
    struct summing all = summing_all(draft->view);
    struct rect part;

    (void)paint;
    if (edit->blend == BLEND_ALPHA)
        return take_over(draft, edit->id, at, &before, &now, why) &&
               draft_stale(draft, PLANE_HEIGHTS, at.bx, at.by, why);
    if (shared && !put_leaf(draft, low_key, at.bx, at.by, &now, why))
        return false;
    if (shared && draft->heights.plain &&
        resolve_sole(&all, PLANE_HEIGHTS, at.bx, at.by) == draft->layer)
        return true; /* the very block that the surface shows */
    part = touched_part(draft, at);
    if (!shared && !(no_high && deltas_fit(&low, &before, &now, part)))
        return add_deltas(draft, edit->id, at, &before, &now, why) &&
               draft_stale_part(draft, at.bx, at.by, part, why);
    return (shared || add_small_deltas(draft, low_key, at, &before, &now, part, why)) &&
           show_heights(draft, at, &before, &now, part, why);
}

/* Quads that changed are what was asked for, by saying nothing where that is so without a word. */
static bool say_holes(struct draft *draft, uint32_t layer, struct spot at,
                      const struct child *before, const struct child *now, struct fault *why)
{
    uint64_t holes_key = channel_key(layer, CHANNEL_HOLES, 0);
    uint64_t solid_key = channel_key(layer, CHANNEL_SOLID, 0);
    struct summing below = { draft->view, draft->layer - 1, false };
    struct rect valid = valid_part(draft, at.bx, at.by);
    struct resolved under;
    uint64_t *holes, *solid;

    if (!resolve_holes(&below, at.bx, at.by, &under))
        return draft_no_memory(why);
    if (!plane_begin(draft, solid_key, at.bx, at.by, why) ||
        !plane_begin(draft, holes_key, at.bx, at.by, why)) {
        block_drop(under.block);
        return false;
    }
    solid = block_writable(plane_leaf(draft, solid_key, at.bx, at.by).below);
    holes = block_writable(plane_leaf(draft, holes_key, at.bx, at.by).below);
    for (int i = 0; i < BLOCK_SIDE * 2; i++) {
        const struct child lower = { under.block, { 0, under.flat, under.flat } };
        uint64_t is = leaf_bits(now, i);
        uint64_t changed = (leaf_bits(before, i) ^ is) & leaf_bits_valid(valid, i);
        uint64_t lies = leaf_bits(&lower, i);

        holes[i] = (holes[i] & ~changed) | (changed & is & ~lies);
        solid[i] = (solid[i] & ~changed) | (changed & ~is & lies);
    }
    block_drop(under.block);
    plane_done(draft, solid_key, at.bx, at.by);
    plane_done(draft, holes_key, at.bx, at.by);
    return true;
}

static bool settle_holes(struct draft *draft, int paint, struct spot at, struct fault *why)
{
    const struct edit_layer *edit = &draft->view->settings->stack->edits[draft->layer];
    uint64_t holes_key = channel_key(edit->id, CHANNEL_HOLES, 0);
    struct child before = tree_block(&draft->holes.before, at.bx, at.by);
    struct child now = tree_block(draft_now(draft, PLANE_HOLES), at.bx, at.by);
    struct child holes = plane_leaf(draft, holes_key, at.bx, at.by);
    struct child solid = plane_leaf(draft, channel_key(edit->id, CHANNEL_SOLID, 0), at.bx, at.by);
    struct summing below = { draft->view, draft->layer - 1, false };
    struct summing all = summing_all(draft->view);
    struct resolved under;
    bool lowest;

    (void)paint;
    if (!resolve_holes(&below, at.bx, at.by, &under))
        return draft_no_memory(why);
    lowest = !under.block && !under.flat;
    block_drop(under.block);
    if (!lowest || !leaf_same(&holes, &before) || solid.below || solid.summary.least)
        return say_holes(draft, edit->id, at, &before, &now, why) &&
               draft_stale(draft, PLANE_HOLES, at.bx, at.by, why);
    if (!put_leaf(draft, holes_key, at.bx, at.by, &now, why))
        return false;
    if (draft->holes.plain && resolve_sole(&all, PLANE_HOLES, at.bx, at.by) == draft->layer)
        return true;
    return draft_stale(draft, PLANE_HOLES, at.bx, at.by, why);
}

/* The change of a paint layer's weights, added to what the layer adds less what it takes away. */
static bool add_weights(struct draft *draft, int paint, struct spot at, const struct child *before,
                        const struct child *now, struct fault *why)
{
    const struct stack *stack = draft->view->settings->stack;
    const struct edit_layer *edit = &stack->edits[draft->layer];
    uint64_t more_key = channel_key(edit->id, CHANNEL_WEIGHTS, stack->paints[paint].id);
    uint64_t less_key = channel_key(edit->id, CHANNEL_UNWEIGHTS, stack->paints[paint].id);
    int sign = edit_layer_subtracts(edit, stack->paints[paint].id) ? -1 : 1;
    struct rect valid = valid_part(draft, at.bx, at.by);
    uint8_t *more, *less;

    if (!plane_begin(draft, less_key, at.bx, at.by, why) ||
        !plane_begin(draft, more_key, at.bx, at.by, why))
        return false;
    less = block_writable(plane_leaf(draft, less_key, at.bx, at.by).below);
    more = block_writable(plane_leaf(draft, more_key, at.bx, at.by).below);
    for (int32_t y = 0; y < valid.height; y++) {
        uint8_t room[2][BLOCK_SIDE];
        const uint8_t *was = leaf_weights(before, y, room[0]), *is = leaf_weights(now, y, room[1]);

        for (int32_t x = 0; x < valid.width; x++) {
            int32_t i = y * BLOCK_SIDE + x;
            int weight = more[i] - less[i] + sign * (is[x] - was[x]);

            weight = weight < -255 ? -255 : weight > 255 ? 255 : weight;
            more[i] = (uint8_t)(weight > 0 ? weight : 0);
            less[i] = (uint8_t)(weight < 0 ? -weight : 0);
        }
    }
    plane_done(draft, less_key, at.bx, at.by);
    plane_done(draft, more_key, at.bx, at.by);
    return true;
}

/* What a writer has kept to its sum, and only the layer in work makes, is what the surface shows.
 */
static bool show_weights(struct draft *draft, uint32_t paint, struct spot at,
                         const struct child *now, struct fault *why)
{
    struct tree *tree = view_weights_put(draft->view, paint);
    struct block *block = now->below ? block_hold(now->below) : NULL;
    bool done =
        tree && tree_put(tree, at.bx, at.by, &block, now->summary.least, draft->view->version);

    block_drop(block);
    return done || draft_no_memory(why);
}

static bool settle_weights(struct draft *draft, int paint, struct spot at, struct fault *why)
{
    const struct stack *stack = draft->view->settings->stack;
    const struct edit_layer *edit = &stack->edits[draft->layer];
    uint32_t id = stack->paints[paint].id;
    uint64_t more_key = channel_key(edit->id, CHANNEL_WEIGHTS, id);
    struct child before = tree_block(&draft->weights[paint].before, at.bx, at.by);
    struct child now = tree_block(&draft->weights[paint].now, at.bx, at.by);
    struct child more = plane_leaf(draft, more_key, at.bx, at.by);
    struct child less =
        plane_leaf(draft, channel_key(edit->id, CHANNEL_UNWEIGHTS, id), at.bx, at.by);
    bool shares = leaf_same(&more, &before) && !less.below && !less.summary.least &&
                  !edit_layer_subtracts(edit, id);
    struct summing all = summing_all(draft->view);

    if (!shares)
        return add_weights(draft, paint, at, &before, &now, why) &&
               draft_stale(draft, PLANE_WEIGHTS, at.bx, at.by, why);
    if (!put_leaf(draft, more_key, at.bx, at.by, &now, why))
        return false;
    if (draft->weights[paint].plain &&
        resolve_sole(&all, PLANE_WEIGHTS, at.bx, at.by) == draft->layer)
        return show_weights(draft, id, at, &now, why);
    return draft_stale(draft, PLANE_WEIGHTS, at.bx, at.by, why);
}

typedef bool settle_block(struct draft *draft, int paint, struct spot at, struct fault *why);

/* Calls settle for each block in which the two trees differ. */
static bool settle_plane(struct draft *draft, const struct tree *before, const struct tree *now,
                         settle_block *settle, int paint, struct fault *why)
{
    struct spots spots = { 0 };
    bool done = tree_compare(before, now, spot_add, &spots) || draft_no_memory(why);

    for (size_t i = 0; done && i < spots.count; i++)
        done = settle(draft, paint, spots.items[i], why);
    free(spots.items);
    return done;
}

/* Resolving */

static bool put_resolved(struct tree *tree, int32_t bx, int32_t by, struct resolved *resolved,
                         uint64_t version)
{
    bool done = tree_put(tree, bx, by, &resolved->block, resolved->flat, version);

    block_drop(resolved->block);
    resolved->block = NULL;
    return done;
}

static bool resolve_one(struct draft *draft, enum plane plane, int32_t bx, int32_t by)
{
    struct summing all = summing_all(draft->view);
    struct resolved resolved;

    return (plane == PLANE_HEIGHTS ? resolve_heights : resolve_holes)(&all, bx, by, &resolved) &&
           put_resolved(&draft->view->planes[plane], bx, by, &resolved, draft->view->version);
}

static bool resolve_part(struct draft *draft, int32_t bx, int32_t by, struct rect part)
{
    struct summing all = summing_all(draft->view);

    return resolve_heights_in(&all, bx, by, part, &draft->view->planes[PLANE_HEIGHTS],
                              draft->view->version);
}

static bool resolve_paints(struct draft *draft, int32_t bx, int32_t by)
{
    struct view *view = draft->view;
    const struct stack *stack = view->settings->stack;
    struct summing all = summing_all(view);
    struct resolved resolved[PAINT_LAYERS_MOST];
    bool done = resolve_weights(&all, bx, by, resolved);

    for (int p = 0; done && p < stack->paint_count; p++) {
        bool there =
            resolved[p].block || resolved[p].flat || view_weights(view, stack->paints[p].id);
        struct tree *tree = there ? view_weights_put(view, stack->paints[p].id) : NULL;

        done = !there || (tree && put_resolved(tree, bx, by, &resolved[p], view->version));
    }
    for (int p = 0; p < stack->paint_count; p++)
        block_drop(resolved[p].block);
    return done;
}

static bool resolve_stale(struct draft *draft, struct fault *why)
{
    int32_t across = tree_blocks_across(&draft->view->planes[PLANE_HEIGHTS]);
    uint8_t *stale = draft->stale;
    bool done = true;

    for (int32_t i = 0; stale && done && i < draft_blocks(draft); i++) {
        int32_t bx = i % across, by = i / across;

        if (stale[i] & 1 << PLANE_HEIGHTS)
            done = rect_empty(draft->stale_parts[i])
                       ? resolve_one(draft, PLANE_HEIGHTS, bx, by)
                       : resolve_part(draft, bx, by, draft->stale_parts[i]);
        if (done && stale[i] & 1 << PLANE_HOLES)
            done = resolve_one(draft, PLANE_HOLES, bx, by);
        if (done && stale[i] & 1 << PLANE_WEIGHTS && draft->view->settings->stack->paint_count)
            done = resolve_paints(draft, bx, by);
    }
    free(stale);
    free(draft->stale_parts);
    draft->stale = NULL;
    draft->stale_parts = NULL;
    return done || draft_no_memory(why);
}

/* The layer's plane is the surface's, all of it. */
static bool settle_only(struct draft *draft, const struct sight *sight, enum channel channel,
                        struct fault *why)
{
    uint32_t layer = draft->view->settings->stack->edits[draft->layer].id;
    const struct tree *now = draft_now(draft, channel == CHANNEL_LOW ? PLANE_HEIGHTS : PLANE_HOLES);
    struct tree *plane;

    if (tree_same(&sight->before, now))
        return true;
    plane = draft_plane_own(draft, channel_key(layer, channel, 0), why);
    if (!plane)
        return false;
    tree_drop(plane);
    *plane = tree_hold(now);
    return true;
}

/* What was written to the layer's own plane becomes that plane. */
static bool settle_own(struct draft *draft, struct sight *sight, enum channel channel,
                       struct fault *why)
{
    uint32_t layer = draft->view->settings->stack->edits[draft->layer].id;
    struct spots spots = { 0 };
    bool done = tree_compare(&sight->before, &sight->now, spot_add, &spots) || draft_no_memory(why);
    struct tree *plane =
        done && spots.count ? draft_plane_own(draft, channel_key(layer, channel, 0), why) : NULL;

    done = done && (plane || !spots.count);
    if (plane) {
        tree_drop(plane);
        *plane = tree_hold(&sight->now);
    }
    for (size_t i = 0; done && i < spots.count; i++) {
        struct spot at = spots.items[i];
        struct child before = tree_block(&sight->before, at.bx, at.by);
        struct child now = tree_block(&sight->now, at.bx, at.by);
        struct rect part = touched_part(draft, at);

        done = channel == CHANNEL_HOLES ? draft_stale(draft, PLANE_HOLES, at.bx, at.by, why)
                                        : show_heights(draft, at, &before, &now, part, why);
    }
    free(spots.items);
    return done;
}

static bool settle_heights_all(struct draft *draft, struct fault *why)
{
    if (draft->heights.own && draft->heights.plain)
        return settle_only(draft, &draft->heights, CHANNEL_LOW, why);
    if (draft->heights.own)
        return settle_own(draft, &draft->heights, CHANNEL_LOW, why);
    return settle_plane(draft, &draft->heights.before, draft_now(draft, PLANE_HEIGHTS),
                        settle_heights, 0, why);
}

static bool settle_holes_all(struct draft *draft, struct fault *why)
{
    if (draft->holes.own && draft->holes.plain)
        return settle_only(draft, &draft->holes, CHANNEL_HOLES, why);
    if (draft->holes.own)
        return settle_own(draft, &draft->holes, CHANNEL_HOLES, why);
    return settle_plane(draft, &draft->holes.before, draft_now(draft, PLANE_HOLES), settle_holes, 0,
                        why);
}

bool draft_put_down(struct draft *draft, struct fault *why)
{
    bool done;

    if (!draft->open)
        return true;
    done = settle_heights_all(draft, why) && settle_holes_all(draft, why);
    for (int p = 0; done && p < draft->paints; p++)
        done = settle_plane(draft, &draft->weights[p].before, &draft->weights[p].now,
                            settle_weights, p, why);
    draft_shut(draft);
    return done;
}

bool draft_settle(struct draft *draft, struct fault *why)
{
    return draft_put_down(draft, why) && resolve_stale(draft, why);
}

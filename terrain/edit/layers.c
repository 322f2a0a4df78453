#include "terrain/edit/layers.h"

#include <math.h>
#include <string.h>

#include "terrain/base/field.h"
#include "terrain/edit/layers_inside.h"
#include "terrain/edit/leaf.h"

/* The stack */

struct settings *layers_begin(const struct draft *draft, struct fault *why)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);
    struct stack *stack = settings ? stack_copy(settings->stack) : NULL;

    if (!stack) {
        settings_drop(settings);
        fault_set(why, FAULT_MEMORY, "no memory for the layers of an edit");
        return NULL;
    }
    stack_drop(settings->stack);
    settings->stack = stack;
    return settings;
}

bool layers_end(struct draft *draft, struct settings *settings, bool good, struct fault *why)
{
    bool done = good && draft_settings(draft, &settings, why);

    settings_drop(settings);
    return done;
}

bool layers_unlocked(const struct draft *draft, const char *name, int *at, struct fault *why)
{
    const struct stack *stack = draft_view(draft)->settings->stack;

    if (!stack_find_edit(stack, name, at, why))
        return false;
    return !stack->edits[*at].locked ||
           fault_set(why, FAULT_LOCKED, "the edit layer %s is locked; unlock it first", name);
}

static bool named_valid(const char *name, struct fault *why)
{
    if (name_valid(name))
        return true;
    fault_set(why, FAULT_INPUT,
              "an edit layer's name has 1 to 64 letters, digits, dots, dashes and underscores and "
              "does not begin with a dot");
    return fault_at(why, "/name");
}

static bool rename_to(struct stack *stack, int at, const char *name, struct fault *why)
{
    int other = stack_edit(stack, name);

    if (other == at)
        return true;
    if (stack->edits[at].id == BASE_LAYER) {
        fault_set(why, FAULT_CONFLICT, "the edit layer base keeps its name");
        return fault_at(why, "/name");
    }
    if (!named_valid(name, why))
        return false;
    if (other >= 0) {
        fault_set(why, FAULT_CONFLICT, "there is an edit layer %s already", name);
        return fault_at(why, "/name");
    }
    strcpy(stack->edits[at].name, name);
    return true;
}

static void move_to(struct stack *stack, int from, int to)
{
    struct edit_layer moved = stack->edits[from];

    to = to < stack->edit_count ? to : stack->edit_count - 1;
    memmove(&stack->edits[from], &stack->edits[from + 1],
            (size_t)(stack->edit_count - 1 - from) * sizeof moved);
    memmove(&stack->edits[to + 1], &stack->edits[to],
            (size_t)(stack->edit_count - 1 - to) * sizeof moved);
    stack->edits[to] = moved;
}

/* To where the change says, which the layer then is at. */
static bool place(struct stack *stack, int at, const struct layers_change *change,
                  struct fault *why)
{
    int before;

    if (change->given & LAYER_BEFORE && change->given & LAYER_POSITION) {
        fault_set(why, FAULT_INPUT, "a layer's place is a position or before another, not both");
        return fault_at(why, "/before");
    }
    if (change->given & LAYER_BEFORE) {
        if (!stack_find_edit(stack, change->before, &before, why))
            return fault_at(why, "/before");
        move_to(stack, at, before > at ? before - 1 : before);
    } else if (change->given & LAYER_POSITION) {
        move_to(stack, at, change->position);
    }
    return true;
}

static bool take_away(struct stack *stack, struct edit_layer *layer,
                      const struct layers_change *change, struct fault *why)
{
    layer->subtract_count = 0;
    for (size_t i = 0; i < change->subtract_count; i++) {
        int paint;

        if (!stack_find_paint(stack, change->subtract[i], &paint, why))
            return fault_at(why, "/subtract/%zu", i);
        if (!edit_layer_subtracts(layer, stack->paints[paint].id))
            layer->subtract[layer->subtract_count++] = stack->paints[paint].id;
    }
    return true;
}

static bool number_within(double number, double least, const char *place, struct fault *why)
{
    if (number >= least && number <= 1)
        return true;
    fault_set(why, FAULT_INPUT, "%g lies outside %g to 1", number, least);
    return fault_at(why, "%s", place);
}

static bool alphas_put(struct edit_layer *layer, const struct layers_change *change,
                       struct fault *why)
{
    if (change->given & LAYER_ALPHA) {
        if (!number_within(change->alpha, -1, "/alpha", why))
            return false;
        layer->alpha = change->alpha;
    }
    if (change->given & LAYER_WEIGHTS_ALPHA) {
        if (!isnan(change->weights_alpha) &&
            !number_within(change->weights_alpha, 0, "/weights_alpha", why))
            return false;
        layer->weights_alpha = change->weights_alpha;
    }
    return true;
}

/* All but name, position and blend. */
static bool attributes_put(struct stack *stack, int at, const struct layers_change *change,
                           struct fault *why)
{
    struct edit_layer *layer = &stack->edits[at];

    if (!alphas_put(layer, change, why))
        return false;
    if (change->given & LAYER_VISIBLE)
        layer->visible = change->visible;
    if (change->given & LAYER_LOCKED)
        layer->locked = change->locked;
    return !(change->given & LAYER_SUBTRACT) || take_away(stack, layer, change, why);
}

bool layers_add(struct draft *draft, const char *name, const struct layers_change *as,
                struct fault *why)
{
    struct settings *settings;
    struct edit_layer *layer;
    int at;
    bool good;

    if (!named_valid(name, why))
        return false;
    settings = layers_begin(draft, why);
    if (!settings)
        return false;
    layer = stack_add_edit(settings->stack, name, why);
    if (!layer) {
        settings_drop(settings);
        return why->code == FAULT_CONFLICT ? fault_at(why, "/name") : false;
    }
    at = settings->stack->edit_count - 1;
    if (as->given & LAYER_BLEND)
        layer->blend = as->blend;
    good = attributes_put(settings->stack, at, as, why) && place(settings->stack, at, as, why);
    return layers_end(draft, settings, good, why);
}

/* A locked layer takes what unlocks it, and what leaves alone all that comes of it. */
static bool lock_allows(const struct edit_layer *layer, const struct layers_change *change,
                        struct fault *why)
{
    static const unsigned refused =
        LAYER_BLEND | LAYER_ALPHA | LAYER_WEIGHTS_ALPHA | LAYER_SUBTRACT;

    if (!layer->locked || (change->given & LAYER_LOCKED && !change->locked) ||
        !(change->given & refused))
        return true;
    return fault_set(why, FAULT_LOCKED,
                     "the edit layer %s is locked: unlock it to change its blend, its alphas or "
                     "what it takes away",
                     layer->name);
}

bool layers_change(struct draft *draft, const char *name, const struct layers_change *change,
                   struct fault *why)
{
    const struct stack *was = draft_view(draft)->settings->stack;
    struct settings *settings;
    int at;
    bool good;

    if (!stack_find_edit(was, name, &at, why) || !lock_allows(&was->edits[at], change, why))
        return false;
    if (change->given & LAYER_BLEND && change->blend != was->edits[at].blend &&
        !layers_convert(draft, at, change->blend, why))
        return false;
    settings = layers_begin(draft, why);
    if (!settings)
        return false;
    good = (!(change->given & LAYER_NAME) || rename_to(settings->stack, at, change->name, why)) &&
           attributes_put(settings->stack, at, change, why) &&
           place(settings->stack, at, change, why);
    return layers_end(draft, settings, good, why);
}

bool layers_delete(struct draft *draft, const char *name, struct fault *why)
{
    struct settings *settings;
    struct stack *stack;
    int at;

    if (!layers_unlocked(draft, name, &at, why))
        return false;
    if (draft_view(draft)->settings->stack->edits[at].id == BASE_LAYER)
        return fault_set(why, FAULT_CONFLICT, "the edit layer base stays; clear it instead");
    settings = layers_begin(draft, why);
    if (!settings)
        return false;
    stack = settings->stack;
    memmove(&stack->edits[at], &stack->edits[at + 1],
            (size_t)(stack->edit_count - 1 - at) * sizeof *stack->edits);
    stack->edit_count--;
    return layers_end(draft, settings, true, why);
}

/* Planes */

bool layers_put(struct draft *draft, uint64_t key, int32_t bx, int32_t by, struct block **block,
                uint16_t value, struct fault *why)
{
    const struct tree *tree = draft_plane(draft, key);
    uint16_t rest = channels[key_channel(key)].rest;
    const struct child wanted = { *block, { 0, value, value } };
    const struct child lies = { NULL, { 0, rest, rest } };

    if (leaf_same(tree ? tree_leaf(tree, bx, by) : &lies, &wanted)) {
        block_drop(*block);
        *block = NULL;
        return true;
    }
    return draft_plane_put(draft, key, bx, by, block, value, why);
}

bool layers_put_leaf(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                     const struct child *leaf, struct fault *why)
{
    struct block *block = leaf->below ? block_hold(leaf->below) : NULL;
    bool done = layers_put(draft, key, bx, by, &block, leaf->summary.least, why);

    block_drop(block);
    return done;
}

bool layers_put_rest(struct draft *draft, uint64_t key, int32_t bx, int32_t by, struct fault *why)
{
    struct block *none = NULL;

    return layers_put(draft, key, bx, by, &none, channels[key_channel(key)].rest, why);
}

/* Calls visit for each block in which a plane of the layer holds anything. */
typedef bool plane_visit(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                         const void *context, struct fault *why);

static bool planes_each(struct draft *draft, uint32_t layer, plane_visit *visit,
                        const void *context, struct fault *why)
{
    /* by key, as visiting may make planes of other layers */
    for (int channel = 0; channel < CHANNEL_COUNT; channel++) {
        const struct view *view = draft_view(draft);
        int paints = channels[channel].paint ? view->settings->stack->paint_count : 1;

        for (int p = 0; p < paints; p++) {
            uint64_t key =
                channel_key(layer, (enum channel)channel,
                            channels[channel].paint ? view->settings->stack->paints[p].id : 0);
            const struct tree *held = draft_plane(draft, key);
            struct tree tree;
            bool done = true;

            if (!held)
                continue;
            tree = tree_hold(held);
            for (int32_t by = 0; done && by < tree_blocks_down(&tree); by++)
                for (int32_t bx = 0; done && bx < tree_blocks_across(&tree); bx++)
                    if (!leaf_rests(tree_leaf(&tree, bx, by), (enum channel)channel))
                        done = visit(draft, key, bx, by, context, why);
            tree_drop(&tree);
            if (!done)
                return false;
        }
    }
    return true;
}

static bool copy_block(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                       const void *context, struct fault *why)
{
    uint32_t to = *(const uint32_t *)context;
    struct child leaf = tree_block(draft_plane(draft, key), bx, by);

    return layers_put_leaf(draft, channel_key(to, key_channel(key), key_paint(key)), bx, by, &leaf,
                           why);
}

static bool copied(struct draft *draft, const struct edit_layer *from, uint32_t *to,
                   const char *copy, int above, struct fault *why)
{
    struct settings *settings = layers_begin(draft, why);
    struct edit_layer *layer = settings ? stack_add_edit(settings->stack, copy, why) : NULL;
    struct edit_layer made;

    if (!layer) {
        settings_drop(settings);
        return why->code == FAULT_CONFLICT ? fault_at(why, "/name") : false;
    }
    made = *from;
    made.id = layer->id;
    made.locked = false;
    strcpy(made.name, layer->name);
    *layer = made;
    *to = made.id;
    move_to(settings->stack, settings->stack->edit_count - 1, above);
    return layers_end(draft, settings, true, why);
}

bool layers_duplicate(struct draft *draft, const char *name, const char *copy, struct fault *why)
{
    struct edit_layer from;
    uint32_t to = 0;
    int at;

    if (!stack_find_edit(draft_view(draft)->settings->stack, name, &at, why) ||
        !named_valid(copy, why))
        return false;
    from = draft_view(draft)->settings->stack->edits[at];
    return draft_put_down(draft, why) && copied(draft, &from, &to, copy, at + 1, why) &&
           planes_each(draft, from.id, copy_block, &to, why);
}

/* Clearing */

struct clearing {
    unsigned kinds;
    const struct rect *region;
};

static unsigned clear_kind(enum channel channel)
{
    enum plane plane = channel_kind(channel);

    return plane == PLANE_HEIGHTS ? CLEAR_HEIGHTS
           : plane == PLANE_HOLES ? CLEAR_HOLES
                                  : CLEAR_WEIGHTS;
}

static void rest_part(struct block *block, enum channel channel, struct rect part)
{
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        for (int32_t x = part.x; x < part.x + part.width; x++) {
            int32_t i = y * BLOCK_SIDE + x;

            if (block->plane == PLANE_HEIGHTS)
                ((uint16_t *)block_writable(block))[i] = channels[channel].rest;
            else if (block->plane == PLANE_WEIGHTS)
                ((uint8_t *)block_writable(block))[i] = 0;
            else
                ((uint64_t *)block_writable(block))[y * 2 + (x >> 6)] &= ~((uint64_t)1 << (x & 63));
        }
    }
}

static bool clear_block(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                        const void *context, struct fault *why)
{
    const struct clearing *clearing = context;
    struct tree *tree;
    struct rect block, part;
    struct block *own;

    if (!(clearing->kinds & clear_kind(key_channel(key))))
        return true;
    tree = draft_plane_own(draft, key, why);
    if (!tree)
        return false;
    block = tree_block_rect(tree, bx, by);
    part = clearing->region ? rect_meet(block, *clearing->region) : block;
    if (rect_empty(part))
        return true;
    if (rect_area(part) == rect_area(block))
        return layers_put_rest(draft, key, bx, by, why);
    own = tree_own(tree, bx, by, draft->view->version);
    if (!own)
        return draft_no_memory(why);
    part.x -= block.x;
    part.y -= block.y;
    rest_part(own, key_channel(key), part);
    tree_settle(tree, bx, by, part);
    return draft_stale(draft, channel_kind(key_channel(key)), bx, by, why);
}

bool layers_clear(struct draft *draft, const char *name, unsigned kinds, const struct rect *region,
                  struct fault *why)
{
    const struct clearing clearing = { kinds, region };
    int at;

    return layers_unlocked(draft, name, &at, why) && draft_put_down(draft, why) &&
           planes_each(draft, draft_view(draft)->settings->stack->edits[at].id, clear_block,
                       &clearing, why);
}

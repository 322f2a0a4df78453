#include "terrain/edit/draft_inside.h"

#include <stdlib.h>
#include <string.h>

struct draft *draft_new(const struct view *base, struct fault *why)
{
    struct draft *draft = calloc(1, sizeof *draft);
    struct view *view = draft ? view_copy(base) : NULL;

    if (!view) {
        free(draft);
        fault_set(why, FAULT_MEMORY, "no memory for an edit");
        return NULL;
    }
    view->version = base->version + 1;
    draft->base = view_hold(base);
    draft->view = view;
    draft->layer = stack_edit_of(base->settings->stack, BASE_LAYER);
    return draft;
}

void draft_free(struct draft *draft)
{
    if (!draft)
        return;
    draft_shut(draft);
    view_drop(draft->view);
    view_drop(draft->base);
    free(draft->stale);
    free(draft->stale_parts);
    free(draft);
}

const struct view *draft_view(const struct draft *draft)
{
    return draft->view;
}

bool draft_layer(struct draft *draft, const char *name, struct fault *why)
{
    int at;

    if (!draft_settle(draft, why) || !stack_find_edit(draft->view->settings->stack, name, &at, why))
        return false;
    if (draft->view->settings->stack->edits[at].locked)
        return fault_set(why, FAULT_LOCKED, "the edit layer %s is locked", name);
    draft->layer = at;
    return true;
}

void draft_limit(struct draft *draft, int64_t vertices)
{
    draft->limit = vertices;
}

bool draft_spend(struct draft *draft, int64_t vertices, struct fault *why)
{
    if (draft->limit && (vertices > draft->limit || draft->spent > draft->limit - vertices))
        return fault_set(why, FAULT_LIMIT,
                         "the edit touches more than %lld vertices, all its dabs counted; "
                         "use fewer or smaller dabs",
                         (long long)draft->limit);
    draft->spent += draft->limit ? vertices : 0;
    return true;
}

void draft_lend(struct draft *draft, const struct sources *sources)
{
    draft->sources = sources;
}

const struct image *draft_image(const struct draft *draft, const char *name,
                                enum image_channel channel, struct fault *why)
{
    if (draft->sources && draft->sources->image)
        return draft->sources->image(draft->sources->context, name, channel, why);
    fault_set(why, FAULT_MISSING, "there is no raster %s", name);
    return NULL;
}

const struct view *draft_landscape(const struct draft *draft, const char *id, struct fault *why)
{
    if (draft->sources && draft->sources->landscape)
        return draft->sources->landscape(draft->sources->context, id, why);
    fault_set(why, FAULT_MISSING, "there is no landscape %s", id);
    return NULL;
}

bool draft_no_memory(struct fault *why)
{
    return fault_set(why, FAULT_MEMORY, "no memory for the blocks of an edit");
}

/* Layers' planes */

const struct tree *draft_plane(const struct draft *draft, uint64_t key)
{
    return view_layer(draft->view, key);
}

struct tree *draft_plane_own(struct draft *draft, uint64_t key, struct fault *why)
{
    struct layer_plane *layer = view_layer_put(draft->view, key, draft->view->version);

    if (layer)
        return &layer->tree;
    draft_no_memory(why);
    return NULL;
}

bool draft_plane_put(struct draft *draft, uint64_t key, int32_t bx, int32_t by,
                     struct block **block, uint16_t value, struct fault *why)
{
    struct tree *tree = draft_plane_own(draft, key, why);

    if (!tree)
        return false;
    if (!tree_put(tree, bx, by, block, value, draft->view->version))
        return draft_no_memory(why);
    return channels[key_channel(key)].alone ||
           draft_stale(draft, channel_kind(key_channel(key)), bx, by, why);
}

static bool stale_begin(struct draft *draft, struct fault *why)
{
    size_t blocks = (size_t)draft_blocks(draft);

    if (!draft->stale_parts)
        draft->stale_parts = calloc(blocks, sizeof *draft->stale_parts);
    if (!draft->stale && draft->stale_parts)
        draft->stale = calloc(blocks, 1);
    return draft->stale || draft_no_memory(why);
}

bool draft_stale(struct draft *draft, enum plane plane, int32_t bx, int32_t by, struct fault *why)
{
    int32_t i = draft_block_index(draft, bx, by);

    if (!stale_begin(draft, why))
        return false;
    draft->stale[i] |= (uint8_t)(1 << plane);
    if (plane == PLANE_HEIGHTS)
        draft->stale_parts[i] = (struct rect){ 0 };
    return true;
}

bool draft_stale_part(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                      struct fault *why)
{
    int32_t i = draft_block_index(draft, bx, by);
    bool all;

    if (!stale_begin(draft, why))
        return false;
    all = draft->stale[i] & 1 << PLANE_HEIGHTS && rect_empty(draft->stale_parts[i]);
    draft->stale[i] |= 1 << PLANE_HEIGHTS;
    if (!all)
        draft->stale_parts[i] = rect_join(draft->stale_parts[i], part);
    return true;
}

/* Every block in which the plane holds anything. */
static bool stale_plane(struct draft *draft, const struct layer_plane *held, struct fault *why)
{
    enum channel channel = key_channel(held->key);
    int32_t across = tree_blocks_across(&held->tree), down = tree_blocks_down(&held->tree);

    for (int32_t i = 0; i < across * down; i++) {
        const struct child *leaf = tree_leaf(&held->tree, i % across, i / across);

        if ((leaf->below || leaf->summary.least != channels[channel].rest) &&
            !draft_stale(draft, channel_kind(channel), i % across, i / across, why))
            return false;
    }
    return true;
}

bool draft_stale_all(struct draft *draft, uint32_t layer, struct fault *why)
{
    for (int32_t i = 0; i < draft->view->layers_count; i++)
        if (key_layer(draft->view->layers[i].key) == layer && layer != 0 &&
            !stale_plane(draft, &draft->view->layers[i], why))
            return false;
    return true;
}

void draft_bury(struct draft *draft)
{
    struct view *view = draft->view;

    for (int32_t i = view->layers_count - 1; i >= 0; i--)
        if (!key_valid(view->settings->stack, view->layers[i].key))
            view_layer_drop(view, view->layers[i].key);
    for (int32_t i = view->weights_count - 1; i >= 0; i--)
        if (stack_paint_of(view->settings->stack, view->weights[i].paint) < 0)
            view_weights_drop(view, view->weights[i].paint);
}

/* Settings */

static bool paints_same(const struct stack *a, const struct stack *b)
{
    if (a->paint_count != b->paint_count)
        return false;
    for (int i = 0; i < a->paint_count; i++)
        if (a->paints[i].id != b->paints[i].id || a->paints[i].blended != b->paints[i].blended)
            return false;
    return true;
}

static bool stale_paint(struct draft *draft, struct fault *why)
{
    for (int32_t i = 0; i < draft->view->layers_count; i++) {
        const struct layer_plane *held = &draft->view->layers[i];

        if (key_layer(held->key) != 0 && key_paint(held->key) != 0 &&
            !stale_plane(draft, held, why))
            return false;
    }
    return true;
}

static bool stale_layers(struct draft *draft, const struct stack *stack, int first, int end,
                         struct fault *why)
{
    for (int i = first; i < end; i++)
        if (!draft_stale_all(draft, stack->edits[i].id, why))
            return false;
    return true;
}

/* Layers that stand as they did, counted from the bottom and from the top, tell nothing new. Those
 * between do, wherever they hold anything, and paint layers do wherever there is paint. */
static bool stale_between(struct draft *draft, const struct stack *was, const struct stack *is,
                          struct fault *why)
{
    int least = was->edit_count < is->edit_count ? was->edit_count : is->edit_count;
    int bottom = 0, top = 0;

    while (bottom < least && edit_layer_same_sum(&was->edits[bottom], &is->edits[bottom]))
        bottom++;
    while (top < least - bottom && edit_layer_same_sum(&was->edits[was->edit_count - 1 - top],
                                                       &is->edits[is->edit_count - 1 - top]))
        top++;
    return stale_layers(draft, was, bottom, was->edit_count - top, why) &&
           stale_layers(draft, is, bottom, is->edit_count - top, why) &&
           (paints_same(was, is) || stale_paint(draft, why));
}

/* The stack tells the version at which layers began to add up as they do; and an id that was once
 * given is not given again, also where older settings return. */
static bool settings_adapt(struct settings **settings, const struct view *now, bool same,
                           struct fault *why)
{
    const struct stack *given = (*settings)->stack;
    uint64_t reshaped = same ? given->reshaped : now->version;
    uint32_t next_id = now->settings->stack->next_id;
    struct settings *copy;
    struct stack *stack;

    if (given->reshaped == reshaped && given->next_id >= next_id)
        return true;
    copy = settings_copy(*settings);
    stack = copy ? stack_copy(copy->stack) : NULL;
    if (!stack) {
        settings_drop(copy);
        return fault_set(why, FAULT_MEMORY, "no memory for the layers of an edit");
    }
    stack->reshaped = reshaped;
    stack->next_id = stack->next_id > next_id ? stack->next_id : next_id;
    stack_drop(copy->stack);
    copy->stack = stack;
    settings_drop(*settings);
    *settings = copy;
    return true;
}

bool layout_same(const struct view *a, const struct view *b)
{
    return memcmp(&a->settings->layout, &b->settings->layout, sizeof a->settings->layout) == 0;
}

/* Every plane of another size, at rest. */
static bool empty_planes(struct view *view, struct fault *why)
{
    const struct grid *grid = view_grid(view);

    while (view->layers_count > 0)
        view_layer_drop(view, view->layers[view->layers_count - 1].key);
    while (view->weights_count > 0)
        view_weights_drop(view, view->weights[view->weights_count - 1].paint);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++) {
        tree_drop(&view->planes[plane]);
        view->planes[plane] =
            tree_flat((enum plane)plane, grid->columns, grid->rows,
                      plane == PLANE_HEIGHTS ? channels[CHANNEL_LOW].rest : 0, view->version);
    }
    return view_layer_put(view, channel_key(BASE_LAYER, CHANNEL_LOW, 0), view->version) ||
           draft_no_memory(why);
}

static bool other_layout(struct draft *draft, struct settings **settings, struct fault *why)
{
    struct view *view = draft->view;

    if (!draft_settle(draft, why) || !settings_adapt(settings, view, false, why))
        return false;
    settings_drop(view->settings);
    view->settings = *settings;
    view->settings_version = view->place_version = view->version;
    *settings = NULL;
    draft->layer = stack_edit_of(view->settings->stack, BASE_LAYER);
    return empty_planes(view, why);
}

bool draft_settings(struct draft *draft, struct settings **settings, struct fault *why)
{
    struct view *view = draft->view;
    uint32_t layer = view->settings->stack->edits[draft->layer].id;
    bool same = stack_same_sum(view->settings->stack, (*settings)->stack);

    if (memcmp(&view->settings->layout, &(*settings)->layout, sizeof(*settings)->layout) != 0)
        return other_layout(draft, settings, why);
    if (!draft_put_down(draft, why) ||
        (!same && !stale_between(draft, view->settings->stack, (*settings)->stack, why)) ||
        !settings_adapt(settings, view, same, why))
        return false;
    if (!settings_same_place(view->settings, *settings))
        view->place_version = view->version;
    settings_drop(view->settings);
    view->settings = *settings;
    view->settings_version = view->version;
    *settings = NULL;
    draft_bury(draft);
    draft->layer = stack_edit_of(view->settings->stack, layer);
    if (draft->layer < 0)
        draft->layer = stack_edit_of(view->settings->stack, BASE_LAYER);
    return true;
}

/* Restoring */

struct restoring {
    struct tree *tree;
    uint64_t version;
};

static bool restore_block(void *context, int32_t bx, int32_t by, const struct child *now,
                          const struct child *older)
{
    const struct restoring *restoring = context;
    struct block *block = older->below ? block_hold(older->below) : NULL;
    bool done;

    (void)now;
    done = tree_put(restoring->tree, bx, by, &block, older->summary.least, restoring->version);
    block_drop(block);
    return done;
}

/* The blocks of the older tree where the two differ, under this version's stamp. */
static bool restore_tree(struct tree *tree, const struct tree *older, uint64_t version)
{
    struct restoring restoring = { tree, version };
    struct tree now = tree_hold(tree);
    bool done = tree_compare(&now, older, restore_block, &restoring);

    tree_drop(&now);
    return done;
}

static bool restore_layers(struct view *view, const struct view *older)
{
    for (int32_t i = 0; i < older->layers_count; i++) {
        const struct layer_plane *was = &older->layers[i];
        struct layer_plane *layer = view_layer_put(view, was->key, view->version);

        if (!layer || !restore_tree(&layer->tree, &was->tree, view->version))
            return false;
    }
    for (int32_t i = 0; i < view->layers_count; i++) {
        struct layer_plane *layer = &view->layers[i];
        struct tree rest = channel_tree(view->settings, layer->key, 1);

        if (!view_layer(older, layer->key) && !restore_tree(&layer->tree, &rest, view->version))
            return false;
    }
    return true;
}

static bool restore_surface(struct view *view, const struct view *older)
{
    const struct grid *grid = view_grid(view);

    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        if (!restore_tree(&view->planes[plane], &older->planes[plane], view->version))
            return false;
    for (int32_t i = 0; i < older->weights_count; i++) {
        const struct paint_plane *was = &older->weights[i];
        struct tree *tree = view_weights_put(view, was->paint);

        if (!tree || !restore_tree(tree, &was->tree, view->version))
            return false;
    }
    for (int32_t i = 0; i < view->weights_count; i++) {
        struct tree rest = tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 1);

        if (!view_weights(older, view->weights[i].paint) &&
            !restore_tree(&view->weights[i].tree, &rest, view->version))
            return false;
    }
    return true;
}

bool draft_restore(struct draft *draft, const struct view *older, struct fault *why)
{
    struct settings *settings = settings_hold(older->settings);
    bool done = draft_settle(draft, why) &&
                (draft->view->settings == older->settings || draft_settings(draft, &settings, why));

    settings_drop(settings);
    if (!done)
        return false;
    if (!restore_layers(draft->view, older) || !restore_surface(draft->view, older))
        return draft_no_memory(why);
    free(draft->stale); /* the surface is that of the older version already */
    draft->stale = NULL;
    return true;
}

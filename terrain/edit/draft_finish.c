/* What a draft has come to: the next version, and how much differs. */
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/draft_inside.h"
#include "terrain/edit/leaf.h"

/* One plane's block that differs. */
struct piece {
    enum plane plane;
    int32_t bx, by;
    struct child before, after;
};

/* Blocks that differ, of planes over the landscape's vertices. */
struct pieces {
    const struct draft *draft;
    struct piece *items;
    size_t count, room;
    enum plane plane;
    /* of a layer's plane, the surface that may show it; else NULL */
    const struct tree *shown_before, *shown_after;
};

/* A layer's block that is the surface's own, before and after, tells nothing more. */
static bool shown(const struct pieces *pieces, int32_t bx, int32_t by, const struct child *before,
                  const struct child *after)
{
    return pieces->shown_before && pieces->shown_after &&
           leaf_same(tree_leaf(pieces->shown_before, bx, by), before) &&
           leaf_same(tree_leaf(pieces->shown_after, bx, by), after);
}

static bool piece_add(void *context, int32_t bx, int32_t by, const struct child *before,
                      const struct child *after)
{
    struct pieces *pieces = context;

    if (shown(pieces, bx, by, before, after))
        return true;
    if (pieces->count == pieces->room) {
        size_t room = pieces->room ? pieces->room * 2 : 16;
        struct piece *grown = realloc(pieces->items, room * sizeof *grown);

        if (!grown)
            return false;
        pieces->items = grown;
        pieces->room = room;
    }
    pieces->items[pieces->count++] = (struct piece){ pieces->plane, bx, by, *before, *after };
    return true;
}

/* Shares again what came to be as it was, and collects what did not. */
static bool compare(struct pieces *pieces, const struct tree *before, struct tree *after)
{
    pieces->plane = after->plane;
    tree_restore(after, before);
    return tree_compare(before, after, piece_add, pieces);
}

static bool compare_surface(struct draft *draft, struct pieces *pieces, unsigned *what)
{
    static const unsigned kinds[] = { CHANGE_HEIGHTS, CHANGE_HOLES };
    struct view *base = draft->base, *view = draft->view;
    const struct grid *grid = view_grid(view);
    struct tree rest = tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 1);
    size_t count;

    for (int plane = 0; plane < RESOLVED_PLANES; plane++) {
        count = pieces->count;
        if (!compare(pieces, &base->planes[plane], &view->planes[plane]))
            return false;
        *what |= pieces->count > count ? kinds[plane] : 0;
    }
    count = pieces->count;
    for (int32_t i = 0; i < view->weights_count; i++) {
        const struct tree *was = view_weights(base, view->weights[i].paint);

        if (!compare(pieces, was ? was : &rest, &view->weights[i].tree))
            return false;
    }
    for (int32_t i = 0; i < base->weights_count; i++) {
        pieces->plane = PLANE_WEIGHTS;
        if (!view_weights(view, base->weights[i].paint) &&
            !tree_compare(&base->weights[i].tree, &rest, piece_add, pieces))
            return false;
    }
    *what |= pieces->count > count ? CHANGE_WEIGHTS : 0;
    return true;
}

static void find_shown(struct pieces *pieces, uint64_t key)
{
    const struct view *base = pieces->draft->base, *view = pieces->draft->view;

    pieces->shown_before = pieces->shown_after = NULL;
    switch (key_channel(key)) {
    case CHANNEL_LOW:
        pieces->shown_before = &base->planes[PLANE_HEIGHTS];
        pieces->shown_after = &view->planes[PLANE_HEIGHTS];
        break;
    case CHANNEL_HOLES:
        pieces->shown_before = &base->planes[PLANE_HOLES];
        pieces->shown_after = &view->planes[PLANE_HOLES];
        break;
    case CHANNEL_WEIGHTS:
        pieces->shown_before = view_weights(base, key_paint(key));
        pieces->shown_after = view_weights(view, key_paint(key));
        break;
    default:
        break;
    }
}

static bool compare_layer(struct pieces *pieces, uint64_t key, const struct tree *before,
                          struct tree *after, unsigned *what)
{
    if (before->root.below && before->root.below == after->root.below)
        return true;
    find_shown(pieces, key);
    tree_restore(after, before);
    if (tree_same(before, after))
        return true;
    *what |= channels[key_channel(key)].component ? CHANGE_WEIGHTS
             : channels[key_channel(key)].alone   ? CHANGE_OFFSETS
                                                  : CHANGE_LAYERS;
    pieces->plane = after->plane;
    return channels[key_channel(key)].component || tree_compare(before, after, piece_add, pieces);
}

/* Planes that are new and at rest are let go again. */
static bool compare_layers(struct draft *draft, struct pieces *pieces, unsigned *what)
{
    struct view *base = draft->base, *view = draft->view;
    bool done = true;

    for (int32_t i = view->layers_count - 1; done && i >= 0; i--) {
        uint64_t key = view->layers[i].key;
        const struct tree *was = view_layer(base, key);
        struct tree rest = channel_tree(view->settings, key, 1);

        done = compare_layer(pieces, key, was ? was : &rest, &view->layers[i].tree, what);
        if (!was && tree_same(&rest, &view->layers[i].tree))
            view_layer_drop(view, key);
    }
    for (int32_t i = 0; done && i < base->layers_count; i++) {
        uint64_t key = base->layers[i].key;
        struct tree rest = channel_tree(view->settings, key, 1);

        if (!view_layer(view, key))
            done = compare_layer(pieces, key, &base->layers[i].tree, &rest, what);
        tree_drop(&rest);
    }
    pieces->shown_before = pieces->shown_after = NULL;
    return done;
}

/* Whatever lies at one place stands together. */
static int piece_order(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;

    if (a->by != b->by)
        return a->by < b->by ? -1 : 1;
    if (a->bx != b->bx)
        return a->bx < b->bx ? -1 : 1;
    return (int)a->plane - (int)b->plane;
}

static struct rect valid_part(const struct view *view, const struct piece *piece)
{
    struct rect valid = tree_block_rect(&view->planes[PLANE_HEIGHTS], piece->bx, piece->by);

    valid.x = valid.y = 0;
    return valid;
}

/* Vertices at which any of several pieces of one place differs. */
static struct rect differ_any(const struct piece *pieces, size_t count, struct rect valid,
                              int64_t *vertices)
{
    uint16_t counts[BLOCK_SIDE] = { 0 };
    int32_t top = valid.height, bottom = 0;

    for (int32_t y = 0; y < valid.height; y++) {
        uint8_t differs[BLOCK_SIDE] = { 0 };
        bool any = false;

        for (size_t i = 0; i < count; i++)
            any |= leaf_differs(pieces[i].plane, &pieces[i].before, &pieces[i].after, y,
                                valid.width, differs);
        if (!any)
            continue;
        leaf_count(differs, counts);
        top = y < top ? y : top;
        bottom = y + 1;
    }
    return leaf_bound(counts, valid.width, top, bottom, vertices);
}

static void count_pieces(const struct pieces *pieces, struct change *change)
{
    const struct view *view = pieces->draft->view;
    size_t end;

    if (pieces->count > 1)
        qsort(pieces->items, pieces->count, sizeof *pieces->items, piece_order);
    for (size_t first = 0; first < pieces->count; first = end) {
        const struct piece *piece = &pieces->items[first];
        struct rect valid = valid_part(view, piece), dirty;

        for (end = first + 1; end < pieces->count; end++)
            if (pieces->items[end].bx != piece->bx || pieces->items[end].by != piece->by)
                break;
        dirty = end - first == 1 ? leaf_difference(piece->plane, &piece->before, &piece->after,
                                                   valid, &change->vertices)
                                 : differ_any(piece, end - first, valid, &change->vertices);
        dirty.x += piece->bx * BLOCK_SIDE;
        dirty.y += piece->by * BLOCK_SIDE;
        if (!rect_empty(dirty))
            change->dirty = rect_join(change->dirty, dirty);
    }
}

/* Whether they say anything else: numbers that only keep count do not count. */
static bool settings_differ(const struct settings *a, const struct settings *b, bool *differ,
                            struct fault *why)
{
    struct bytes forms[2] = { { 0 }, { 0 } };
    struct settings *like = settings_copy(a);
    struct stack *stack = like ? stack_copy(like->stack) : NULL;
    bool written;

    if (!stack) {
        settings_drop(like);
        return draft_no_memory(why);
    }
    stack->next_id = b->stack->next_id;
    stack->reshaped = b->stack->reshaped;
    stack_drop(like->stack);
    like->stack = stack;
    written = settings_write(like, &forms[0], why) && settings_write(b, &forms[1], why);
    settings_drop(like);

    *differ = written && (forms[0].length != forms[1].length ||
                          memcmp(forms[0].data, forms[1].data, forms[0].length) != 0);
    bytes_free(&forms[0]);
    bytes_free(&forms[1]);
    return written;
}

/* Settings that came to say the same are the base's. */
static void same_settings(struct draft *draft)
{
    struct view *view = draft->view;

    settings_hold(draft->base->settings);
    settings_drop(view->settings);
    view->settings = draft->base->settings;
    view->settings_version = draft->base->settings_version;
    view->place_version = draft->base->place_version;
}

/* The change in front of those that the base knows. */
static void note_change(struct draft *draft, const struct change *change)
{
    const struct tree *was = &draft->base->planes[PLANE_HEIGHTS];
    struct view *view = draft->view;
    int32_t kept = draft->base->change_count;
    struct view_change note = { .over = { 0 } };

    if (change->settings)
        note.over = view_rect(view);
    else if (change->what & (CHANGE_HEIGHTS | CHANGE_HOLES))
        note.over = change->dirty;
    if (!rect_empty(note.over)) {
        uint16_t before = tree_bounds(was, note.over).greatest;
        uint16_t after = tree_bounds(&view->planes[PLANE_HEIGHTS], note.over).greatest;

        note.greatest = before > after ? before : after;
    }
    kept = kept < VIEW_CHANGES ? kept : VIEW_CHANGES - 1;
    memcpy(view->changes + 1, draft->base->changes, (size_t)kept * sizeof note);
    view->changes[0] = note;
    view->change_count = kept + 1;
}

/* Of another size nothing is as it was. */
static struct view *finish_resized(struct draft *draft, struct change *change)
{
    struct view *view = draft->view;

    view->change_count = 0;
    for (int32_t i = view->layers_count - 1; i >= 0; i--) {
        struct layer_plane *layer = &view->layers[i];
        struct tree rest = channel_tree(view->settings, layer->key, 1);

        tree_restore(&layer->tree, &rest);
        if (tree_same(&layer->tree, &rest))
            view_layer_drop(view, layer->key);
    }
    change->dirty = view_rect(view);
    change->vertices = rect_area(change->dirty);
    change->what = CHANGE_HEIGHTS | CHANGE_HOLES | CHANGE_WEIGHTS | CHANGE_LAYERS | CHANGE_SETTINGS;
    if (view_has_offsets(draft->base) || view_has_offsets(view))
        change->what |= CHANGE_OFFSETS;
    draft->view = NULL;
    return view;
}

struct view *draft_finish(struct draft *draft, struct change *change, struct fault *why)
{
    struct pieces pieces = { .draft = draft };
    struct view *view = draft->view;
    bool done;

    *change = (struct change){ 0 };
    if (!draft_settle(draft, why))
        return NULL;
    draft_bury(draft);
    if (!draft_slots(draft, why) ||
        (view->settings != draft->base->settings &&
         !settings_differ(view->settings, draft->base->settings, &change->settings, why)))
        return NULL;
    if (!change->settings)
        same_settings(draft);
    if (!layout_same(draft->base, view))
        return finish_resized(draft, change);
    done = compare_surface(draft, &pieces, &change->what) &&
           compare_layers(draft, &pieces, &change->what);
    if (done)
        count_pieces(&pieces, change);
    free(pieces.items);
    if (!done) {
        draft_no_memory(why);
        return NULL;
    }
    change->what |= change->settings ? CHANGE_SETTINGS : 0;
    if (!change->what)
        return view_hold(draft->base);
    note_change(draft, change);
    draft->view = NULL;
    return view;
}

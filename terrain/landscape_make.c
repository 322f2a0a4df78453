/* Landscapes coming into being and going. */
#include "terrain/landscape_inside.h"

#include <inttypes.h>
#include <stdio.h>

/* The same planes, every path stamped with version 1: a key of the new landscape must never name
 * two contents, and the old stamps may lie in its future. */
static bool restamp(const struct tree *from, struct tree *to)
{
    int32_t across = tree_blocks_across(from), down = tree_blocks_down(from);
    bool done = true;

    *to = tree_flat(from->plane, from->columns, from->rows,
                    from->root.below ? 0 : from->root.summary.least, 1);
    if (!from->root.below)
        return true;
    for (int64_t i = 0; done && i < (int64_t)across * down; i++) {
        int32_t bx = (int32_t)(i % across), by = (int32_t)(i / across);
        struct child child = tree_block(from, bx, by);
        struct block *block = child.below ? block_hold(child.below) : NULL;

        done = tree_put(to, bx, by, &block, child.summary.least, 1);
        block_drop(block);
    }
    return done;
}

static bool restamp_layers(const struct view *content, struct view *view)
{
    for (int32_t i = 0; i < content->layers_count; i++) {
        struct layer_plane *layer = view_layer_put(view, content->layers[i].key, 1);

        if (!layer || !restamp(&content->layers[i].tree, &layer->tree))
            return false;
    }
    for (int32_t i = 0; i < content->weights_count; i++) {
        struct tree *tree = view_weights_put(view, content->weights[i].paint);

        if (!tree || !restamp(&content->weights[i].tree, tree))
            return false;
    }
    return true;
}

/* How the layers add up is of version 1, too. */
static bool restamp_stack(struct view *view)
{
    struct stack *stack;

    if (view->settings->stack->reshaped == 0)
        return true;
    stack = stack_copy(view->settings->stack);
    if (!stack)
        return false;
    stack->reshaped = 1;
    stack_drop(view->settings->stack);
    view->settings->stack = stack;
    return true;
}

static struct view *first_version(const struct view *content, struct fault *why)
{
    struct settings *settings = settings_copy(content->settings);
    struct view *view = settings ? view_new(&settings, 0, 1, 0) : NULL;
    bool done = view && restamp_stack(view);

    for (int plane = 0; done && plane < RESOLVED_PLANES; plane++)
        done = restamp(&content->planes[plane], &view->planes[plane]);
    if (done && restamp_layers(content, view))
        return view;
    settings_drop(settings);
    view_drop(view);
    fault_set(why, FAULT_MEMORY, "no memory for a new landscape");
    return NULL;
}

/* Puts the name into the table, not yet to be found: two creations cannot both go on. */
static struct landscape *announce(struct landscapes *all, const char *id, int64_t vertices,
                                  const char *request, struct fault *why)
{
    struct landscape *landscape = landscape_new(all, id, 0, vertices, request);
    bool added;

    if (!landscape) {
        fault_set(why, FAULT_MEMORY, "no memory for one landscape more");
        return NULL;
    }
    landscape->creating = landscape->visited = true;
    landscape->holders = 2;
    pthread_mutex_lock(&all->lock);
    added = landscapes_add(all, landscape, why);
    pthread_mutex_unlock(&all->lock);
    if (!added) {
        landscape_free(landscape);
        return NULL;
    }
    return landscape;
}

static bool fill(struct landscape *landscape, const struct view *content, struct fault *why)
{
    int64_t expected = (int64_t)view_bytes(content) + (int64_t)sizeof *landscape;
    struct view *view;
    bool filled;

    if (!landscapes_room(landscape->all, expected, why))
        return false;
    view = first_version(content, why);
    landscape->history = view ? history_new(view->version, why) : NULL;
    filled = landscape->history &&
             store_create(landscape->all->store, landscape->id, view, landscape->request,
                          landscape->all->limits.executor, &landscape->ledger, why);
    if (!filled) {
        view_drop(view);
        landscape_account(landscape, expected, false);
        return false;
    }
    landscape->incarnation = view->incarnation;
    landscape->view = view;
    feed_begin(landscape, view->version);
    landscape_account(landscape, expected, true);
    landscape_note(landscape, false);
    return true;
}

struct landscape *landscapes_create(struct landscapes *all, const char *id,
                                    const struct view *content, const char *request,
                                    struct fault *why)
{
    int64_t vertices = rect_area(view_rect(content));
    struct landscape *landscape;
    bool filled;

    if (vertices > all->limits.vertices) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "%" PRId64 " vertices are over this server's limit of %" PRId64
                  " for one landscape",
                  vertices, all->limits.vertices);
        return NULL;
    }
    landscape = announce(all, id, vertices, request, why);
    if (!landscape)
        return NULL;
    pthread_mutex_lock(&landscape->turn);
    filled = fill(landscape, content, why);
    pthread_mutex_unlock(&landscape->turn);

    pthread_mutex_lock(&all->lock);
    landscape->creating = false;
    all->weighed_at = 0;
    landscape->used = ++all->clock;
    if (!filled)
        landscapes_remove(all, landscape);
    pthread_cond_broadcast(&all->made);
    pthread_mutex_unlock(&all->lock);
    if (filled)
        return landscape;
    landscape->gone = true;
    landscape_drop(landscape);
    landscape_drop(landscape);
    return NULL;
}

/* One that cannot be read any more can still be deleted, but not under a condition. */
static bool delete_allowed(struct landscape *landscape, const char *if_match, struct fault *why)
{
    char etag[32];

    if (landscape->gone)
        return fault_set(why, FAULT_MISSING, "there is no landscape %s", landscape->id);
    if (!if_match)
        return true;
    if (!landscape_load(landscape, why))
        return false;
    snprintf(etag, sizeof etag, "\"%" PRIu64 "\"", landscape->view->version);
    return etag_matches(if_match, etag, false) ||
           fault_set(why, FAULT_STALE, "the landscape is at version %s, not at %s", etag, if_match);
}

bool landscapes_delete(struct landscapes *all, const char *id, const char *if_match,
                       struct fault *why)
{
    struct landscape *landscape = landscapes_look_up(all, id, true, why);
    bool deleted;

    if (!landscape)
        return false;
    pthread_mutex_lock(&landscape->turn);
    deleted = delete_allowed(landscape, if_match, why) &&
              store_delete(all->store, id, landscape->incarnation, why);
    if (deleted) {
        landscape->gone = true;
        ledger_close(landscape->ledger);
        landscape->ledger = NULL;
        pthread_mutex_lock(&all->lock);
        landscapes_remove(all, landscape);
        all->weighed_at = 0;
        all->memory -= landscape->bytes;
        landscape->bytes = 0;
        landscape->unsaved = landscape->open = false;
        pthread_mutex_unlock(&all->lock);
        feed_end(landscape);
    }
    pthread_mutex_unlock(&landscape->turn);
    if (deleted)
        landscape_drop(landscape); /* the table's hold */
    landscape_drop(landscape);
    return deleted;
}

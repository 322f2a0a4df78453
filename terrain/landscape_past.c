/* Versions that have left memory, made again from the log; its list; snapshots. */
#include "terrain/landscape_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "terrain/landscape_inside.h"

enum {
    AGAIN_VERSIONS = 4096,    /* that are undone to reach an older one at most, */
    AGAIN_BYTES = 256 << 20,  /* and bytes of their differences; more for a snapshot */
    AGAIN_SLICE = 4 << 20,    /* bytes of differences that are read in one turn */
    AGAIN_SLICE_VERSIONS = 64 /* and versions */
};

/* Kept versions */

static struct view *kept_at(struct landscape *landscape, int32_t i)
{
    return i < landscape->kept_count
               ? landscape->kept[(landscape->kept_first + i) % KEPT_VERSIONS].view
           : i < landscape->kept_count + PAST_VERSIONS
               ? landscape->past[i - landscape->kept_count].view
               : landscape->view;
}

struct view *landscape_kept_after(struct landscape *landscape, uint64_t version)
{
    struct view *found = NULL;

    pthread_mutex_lock(&landscape->seen);
    for (int32_t i = 0; i <= landscape->kept_count + PAST_VERSIONS; i++) {
        struct view *view = kept_at(landscape, i);

        if (view && view->version >= version && (!found || view->version < found->version))
            found = view;
    }
    if (found)
        found = view_hold(found);
    pthread_mutex_unlock(&landscape->seen);
    return found;
}

struct view *landscape_kept(struct landscape *landscape, uint64_t version)
{
    struct view *found = landscape_kept_after(landscape, version);

    if (!found || found->version == version)
        return found;
    view_drop(found);
    return NULL;
}

static bool same_layout(const struct view *a, const struct view *b)
{
    return memcmp(&a->settings->layout, &b->settings->layout, sizeof a->settings->layout) == 0;
}

static int64_t bytes_beside(const struct view *view, const struct view *other)
{
    uint64_t bytes = sizeof *view;

    if (!same_layout(view, other))
        return (int64_t)(bytes + view_bytes(view));
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        bytes += tree_bytes_beside(&view->planes[plane], &other->planes[plane]);
    for (int32_t i = 0; i < view->weights_count; i++)
        bytes +=
            tree_bytes_beside(&view->weights[i].tree, view_weights(other, view->weights[i].paint));
    for (int32_t i = 0; i < view->layers_count; i++)
        bytes += tree_bytes_beside(&view->layers[i].tree, view_layer(other, view->layers[i].key));
    return (int64_t)bytes;
}

/* The one asked for longest ago makes room. */
static void keep_past(struct landscape *landscape, struct view *view, int64_t bytes)
{
    struct view *last;

    if (bytes > PAST_BYTES)
        return;
    pthread_mutex_lock(&landscape->seen);
    last = landscape->past[PAST_VERSIONS - 1].view;
    memmove(landscape->past + 1, landscape->past, (PAST_VERSIONS - 1) * sizeof *landscape->past);
    landscape->past[0] = (struct kept){ view_hold(view), bytes };
    pthread_mutex_unlock(&landscape->seen);
    view_drop(last);
    pthread_mutex_lock(&landscape->all->lock);
    landscape->grown += bytes;
    pthread_mutex_unlock(&landscape->all->lock);
}

/* Making a version again */

struct again {
    struct landscape *landscape;
    uint64_t wanted;
    struct view *from; /* held */
    struct draft *draft;
    uint64_t reached;
    bool snapshot;
    uint64_t settings_made; /* the version that made the last settings given; 0 is none */
    int64_t bytes;
    struct fault *why;
};

static bool far(const struct again *again)
{
    return fault_set(again->why, FAULT_GONE,
                     "version %" PRIu64 " is no longer kept, but for what a snapshot names",
                     again->wanted);
}

static bool is_wanted(void *context, const struct ledger_snapshot *snapshot)
{
    struct again *again = context;

    again->snapshot |= snapshot->version == again->wanted;
    return !again->snapshot;
}

/* Under its turn. */
static bool begin_again(struct again *again)
{
    struct landscape *landscape = again->landscape;

    if (!landscape_ready(landscape, again->why) ||
        !ledger_snapshots(landscape->ledger, is_wanted, again, again->why))
        return false;
    if (again->wanted < ledger_horizon(landscape->ledger) ||
        (!again->snapshot && again->from->version - again->wanted > AGAIN_VERSIONS))
        return far(again);
    return true;
}

/* Undoes the version that has been reached. Under its turn. */
static bool undo_one(struct again *again, struct bytes *raw)
{
    struct ledger *ledger = again->landscape->ledger;
    struct settings *settings = NULL;
    bool changed, done;

    raw->length = 0;
    if (!ledger_difference(ledger, again->reached, raw, &changed, again->why))
        return false;
    again->bytes += (int64_t)raw->length;
    if (again->bytes > AGAIN_BYTES && !again->snapshot)
        return far(again);
    if (changed)
        settings = ledger_settings(ledger, again->reached - 1, &again->settings_made, again->why);
    done = !changed || (settings && draft_settings(again->draft, &settings, again->why));
    settings_drop(settings);
    again->reached--;
    return done && difference_apply(again->draft, raw->data, raw->length, true, again->why);
}

/* A slice at a time, so that writers get their turn. */
static bool undo_slice(struct again *again, struct bytes *raw)
{
    int64_t until = again->bytes + AGAIN_SLICE;
    bool done;

    pthread_mutex_lock(&again->landscape->turn);
    done = begin_again(again);
    for (int i = 0;
         done && i < AGAIN_SLICE_VERSIONS && again->bytes < until && again->reached > again->wanted;
         i++)
        done = undo_one(again, raw);
    pthread_mutex_unlock(&again->landscape->turn);
    return done;
}

/* No stamp may be later than the version: answers are named by them. */
static struct view *finish_again(struct again *again)
{
    struct change change;
    struct view *view = draft_finish(again->draft, &change, again->why), *copy;
    bool moved;

    if (view == again->from) {
        copy = view_copy(view);
        view_drop(view);
        view = copy;
    }
    if (!view || !view_backdate(view, again->wanted)) {
        view_drop(view);
        if (!again->why->code)
            fault_set(again->why, FAULT_MEMORY, "no memory for an older version");
        return NULL;
    }
    view_again(view);
    moved = !settings_same_place(view->settings, again->from->settings);
    if (again->settings_made)
        view->settings_version = again->settings_made;
    if (moved)
        view->place_version = view->settings_version;
    return view;
}

struct view *landscape_past(struct landscape *landscape, uint64_t version, struct fault *why)
{
    struct fault inner = { 0 };
    struct again again = { .landscape = landscape, .wanted = version, .why = &inner };
    struct view *made = NULL;
    struct bytes raw = { 0 };
    bool done;

    again.from = landscape_kept_after(landscape, version);
    again.reached = again.from->version;
    again.draft = draft_new(again.from, &inner);
    done = again.draft != NULL;
    while (done && again.reached > version)
        done = undo_slice(&again, &raw);
    if (done)
        made = finish_again(&again);
    if (made)
        keep_past(landscape, made, bytes_beside(made, again.from));
    else
        *why = inner;
    draft_free(again.draft);
    view_drop(again.from);
    bytes_free(&raw);
    return made;
}

/* The history, as the log has it */

static bool recall_row(void *context, const struct ledger_row *row, struct fault *why)
{
    struct history_row made = { .version = row->version,
                                .kind = (enum history_kind)row->kind,
                                .of = row->of,
                                .dirty = row->dirty,
                                .what = row->what,
                                .author = row->author };

    return history_append(context, &made, why);
}

bool landscape_recall(struct landscape *landscape, struct fault *why)
{
    struct history *history = history_new(ledger_horizon(landscape->ledger), why);

    if (!history || !ledger_rows(landscape->ledger, recall_row, history, why)) {
        history_free(history);
        return false;
    }
    history_free(landscape->history);
    landscape->history = history;
    return true;
}

struct listing {
    const struct history *history;
    landscape_version_visit *visit;
    void *context;
};

static bool list_row(void *context, const struct ledger_row *row, struct fault *why)
{
    const struct listing *listing = context;
    struct landscape_version version = {
        .vertices = row->vertices, .bytes = row->bytes, .at = row->at, .request = row->request
    };

    return (history_at(listing->history, row->version, &version.row, &version.undone) ||
            fault_set(why, FAULT_STORAGE, "version %" PRIu64 " is not in the history",
                      row->version)) &&
           listing->visit(listing->context, &version);
}

bool landscape_versions(struct landscape *landscape, uint64_t before, int32_t most, int32_t letters,
                        landscape_version_visit *visit, void *context,
                        struct landscape_reach *reach, struct fault *why)
{
    struct listing listing = { .visit = visit, .context = context };
    struct history_pick pick;
    bool done;

    pthread_mutex_lock(&landscape->turn);
    done = landscape_ready(landscape, why);
    if (done) {
        listing.history = landscape->history;
        *reach = (struct landscape_reach){ .newest = history_newest(listing.history),
                                           .oldest = history_horizon(listing.history) };
        reach->undo = history_undo(listing.history, NULL, &pick) ? pick.step : 0;
        reach->redo = history_redo(listing.history, NULL, &pick) ? pick.step : 0;
        done = ledger_versions(landscape->ledger, before, most, letters, list_row, &listing, why);
    }
    pthread_mutex_unlock(&landscape->turn);
    return done;
}

/* Snapshots */

static bool put(struct landscape *landscape, struct ledger_snapshot *snapshot, const char *if_match,
                struct fault *why)
{
    int64_t most = landscape->all->limits.snapshots ? landscape->all->limits.snapshots : 100;
    struct timespec now;
    char etag[32];

    snprintf(etag, sizeof etag, "\"%" PRIu64 "\"", landscape->view->version);
    if (if_match && !etag_matches(if_match, etag, false))
        return fault_set(why, FAULT_STALE, "the landscape is at version %s, not at %s", etag,
                         if_match);
    clock_gettime(CLOCK_REALTIME, &now);
    snapshot->at = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (!snapshot->version)
        snapshot->version = landscape->view->version;
    return ledger_snapshot_put(landscape->ledger, snapshot, most, why);
}

bool landscape_snapshot_put(struct landscape *landscape, struct ledger_snapshot *snapshot,
                            const char *if_match, struct fault *why)
{
    bool done;

    pthread_mutex_lock(&landscape->turn);
    done = landscape_ready(landscape, why) && put(landscape, snapshot, if_match, why);
    if (done)
        landscape_note(landscape, true);
    pthread_mutex_unlock(&landscape->turn);
    return done;
}

bool landscape_snapshot_find(struct landscape *landscape, const char *name,
                             ledger_snapshot_visit *visit, void *context, struct fault *why)
{
    bool done;

    pthread_mutex_lock(&landscape->turn);
    done = landscape_ready(landscape, why) &&
           ledger_snapshot_find(landscape->ledger, name, visit, context, why);
    pthread_mutex_unlock(&landscape->turn);
    return done;
}

bool landscape_snapshots(struct landscape *landscape, ledger_snapshot_visit *visit, void *context,
                         struct fault *why)
{
    bool done;

    pthread_mutex_lock(&landscape->turn);
    done =
        landscape_ready(landscape, why) && ledger_snapshots(landscape->ledger, visit, context, why);
    pthread_mutex_unlock(&landscape->turn);
    return done;
}

/* The background may then let go of what the log kept for it. */
bool landscape_snapshot_drop(struct landscape *landscape, const char *name, struct fault *why)
{
    bool done;

    pthread_mutex_lock(&landscape->turn);
    done = landscape_ready(landscape, why) && ledger_snapshot_drop(landscape->ledger, name, why);
    if (done)
        landscape_note(landscape, true);
    pthread_mutex_unlock(&landscape->turn);
    return done;
}

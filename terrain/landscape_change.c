/* Changing a landscape: those who wait queue up, and the first of them commits for all. */
#include "terrain/landscape_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "terrain/core/block.h"

const double flush_bounds[FLUSH_BOUNDS] = { 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                            0.05,   0.1,   0.25,   0.5,   1,    2.5 };

/* One caller's change, on its stack until it is done. */
struct waiting {
    const struct landscape_change *change;
    struct landscape_changed *changed;
    struct fault *why;
    struct waiting *next;
    pthread_cond_t woken;
    bool done, worked;

    /* of the group that it is in */
    struct view *before, *after; /* what is to be committed; both NULL when nothing is */
    struct change came;
    const struct waiting *same; /* the one before it in the group that has its idempotency key */
    bool unsure;                /* its answer builds on versions that are not committed yet */
};

struct group {
    struct landscape *landscape;
    struct waiting *members[GROUP_CHANGES];
    size_t count;
    struct view *tip; /* newest version of the group; lent by a member, or `base` */
    struct view *base;
    int64_t bytes;
};

static bool fresh(const char *if_match, const struct view *view, struct fault *why)
{
    char etag[32];

    snprintf(etag, sizeof etag, "\"%" PRIu64 "\"", view->version);
    return !if_match || etag_matches(if_match, etag, false) ||
           fault_set(why, FAULT_STALE, "the landscape is at version %s, not at %s", etag, if_match);
}

/* The version after this view; *next is the view itself, held, when nothing came of it. */
static bool make(const struct landscape_change *change, const struct view *view, struct view **next,
                 struct change *came, struct fault *why)
{
    struct draft *draft = draft_new(view, why);
    bool made = draft && change->make(change->context, draft, why);

    *next = made ? draft_finish(draft, came, why) : NULL;
    draft_free(draft);
    return *next != NULL;
}

static bool note_step(struct landscape *landscape, const struct waiting *one,
                      const struct view *next, struct fault *why)
{
    const struct landscape_step *step = one->change->step;
    struct history_row row = { .version = next->version,
                               .kind = step ? step->kind : HISTORY_EDIT,
                               .of = step ? step->of : 0,
                               .dirty = one->came.dirty,
                               .what = one->came.what,
                               .author = one->change->author };

    return history_append(landscape->history, &row, why);
}

static bool used_otherwise(const char *once, struct fault *why)
{
    return fault_set(why, FAULT_IMPOSSIBLE,
                     "the idempotency key %.64s has been used for another request", once);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether an earlier change has this one's idempotency key; then this one is answered (or
 * refused) as that one was. */
static bool repeats(struct group *group, struct waiting *one)
{
    const struct landscape_change *change = one->change;
    struct ledger_answer answer;
    bool found = false;

    if (!change->once)
        return false;
    for (size_t i = 0; i < group->count; i++) {
        const struct waiting *other = group->members[i];

        if (!other->after || !other->change->once || strcmp(other->change->once, change->once))
            continue;
        one->unsure = true;
        one->worked = same_text(other->change->request, change->request) ||
                      used_otherwise(change->once, one->why);
        one->same = other;
        return true;
    }
    if (!ledger_once(group->landscape->ledger, change->once, change->request, &found, &answer,
                     one->why))
        return true;
    if (!found)
        return false;
    one->worked = answer.same_request || used_otherwise(change->once, one->why);
    if (one->worked)
        *one->changed = (struct landscape_changed){ answer.version, answer.change, true };
    return true;
}

/* Makes one member's change on top of those before it. */
static void consider(struct group *group, struct waiting *one)
{
    const struct landscape_change *change = one->change;
    struct view *next;

    one->unsure = group->tip != group->base;
    if (repeats(group, one) || !fresh(change->if_match, group->tip, one->why) ||
        !make(change, group->tip, &next, &one->came, one->why))
        return;
    if (next != group->tip && !note_step(group->landscape, one, next, one->why)) {
        view_drop(next);
        return;
    }
    one->worked = true;
    *one->changed = (struct landscape_changed){ next->version, one->came, false };
    if (next == group->tip && !change->once) {
        view_drop(next);
        return;
    }
    one->before = group->tip;
    one->after = next;
    group->tip = next;
    group->bytes += one->came.vertices * 2 + 256;
}

static void count_flush(struct landscape *landscape, size_t changes, double seconds)
{
    struct landscapes_numbers *numbers = &landscape->all->numbers;
    int i = 0;

    while (i < FLUSH_BOUNDS && seconds > flush_bounds[i])
        i++;
    pthread_mutex_lock(&landscape->all->lock);
    numbers->flushes[i]++;
    numbers->flush_seconds += seconds;
    numbers->commits++;
    numbers->changes += (int64_t)changes;
    pthread_mutex_unlock(&landscape->all->lock);
}

static struct ledger_edit edit_of(const struct waiting *one)
{
    const struct landscape_change *change = one->change;

    return (struct ledger_edit){ .before = one->before,
                                 .after = one->after,
                                 .change = &one->came,
                                 .author = change->author,
                                 .request = change->request,
                                 .once = change->once,
                                 .kind = change->step ? (int)change->step->kind : HISTORY_EDIT,
                                 .of = change->step ? change->step->of : 0 };
}

/* Makes durable what the group has come to. */
static bool commit(struct group *group, struct fault *why)
{
    struct ledger_edit edits[GROUP_CHANGES];
    size_t count = 0;
    double began = landscapes_now();

    for (size_t i = 0; i < group->count; i++) {
        const struct waiting *one = group->members[i];

        if (one->after)
            edits[count++] = edit_of(one);
    }
    if (count == 0)
        return true;
    if (!ledger_commit(group->landscape->ledger, edits, count, why))
        return false;
    count_flush(group->landscape, count, landscapes_now() - began);
    return true;
}

/* After the commit: each version becomes the newest in turn, or each member that had built on
 * any learns why it may not. */
static void conclude(struct group *group, bool committed, const struct fault *why)
{
    bool any = false;

    for (size_t i = 0; i < group->count; i++) {
        struct waiting *one = group->members[i];

        if (!committed && (one->after || one->unsure)) {
            *one->why = *why;
            one->worked = false;
        } else if (one->same && one->worked) {
            *one->changed = *one->same->changed;
            one->changed->repeated = true;
        }
        if (one->after && !committed && one->after != one->before)
            history_take_back(group->landscape->history);
        if (one->after && committed && one->after != one->before) {
            const struct landscape_step *step = one->change->step;
            const struct landscape_came came = { &one->came, step ? step->kind : HISTORY_EDIT,
                                                 one->change->author };

            landscape_publish(group->landscape, &one->after, &came);
            any = true;
        }
    }
    for (size_t i = 0; i < group->count; i++)
        view_drop(group->members[i]->after);
    landscape_note(group->landscape, any);
}

static void refuse_all(struct waiting *list, const struct fault *why)
{
    for (; list; list = list->next)
        *list->why = *why;
}

/* Up to a group's worth from the front of the queue. */
static struct waiting *take_waiting(struct landscape *landscape)
{
    struct waiting *list, *last;

    pthread_mutex_lock(&landscape->queue_lock);
    list = last = landscape->first;
    for (int i = 1; i < GROUP_CHANGES && last->next; i++)
        last = last->next;
    landscape->first = last->next;
    last->next = NULL;
    pthread_mutex_unlock(&landscape->queue_lock);
    return list;
}

static void give_back_waiting(struct landscape *landscape, struct waiting *list)
{
    struct waiting *last = list;

    if (!list)
        return;
    while (last->next)
        last = last->next;
    pthread_mutex_lock(&landscape->queue_lock);
    last->next = landscape->first;
    if (!landscape->first)
        landscape->last = last;
    landscape->first = list;
    pthread_mutex_unlock(&landscape->queue_lock);
}

/* Wakes those that are done, and one of the rest to lead next. */
static void wake(struct landscape *landscape, struct waiting *list)
{
    struct waiting *next;

    pthread_mutex_lock(&landscape->queue_lock);
    for (; list; list = next) {
        next = list->next; /* a woken one's stack may be gone at once */
        landscape->queued--;
        list->done = true;
        pthread_cond_signal(&list->woken);
    }
    landscape->led = false;
    if (landscape->first)
        pthread_cond_signal(&landscape->first->woken);
    pthread_mutex_unlock(&landscape->queue_lock);
}

/* The log goes back to the oldest snapshot, but not for ever. */
static bool log_fits(const struct landscape *landscape, struct fault *why)
{
    const struct landscapes_limits *limits = &landscape->all->limits;
    int64_t bytes, snapshots;

    ledger_weight(landscape->ledger, &bytes, &snapshots);
    return snapshots == 0 || limits->snapshot_bytes == 0 ||
           bytes < limits->history_bytes + limits->snapshot_bytes ||
           fault_set(why, FAULT_FULL,
                     "the log has grown to %" PRId64 " bytes for the oldest of %" PRId64
                     " snapshots; delete that, or raise snapshot_bytes",
                     bytes, snapshots);
}

/* Commits for all that wait, as many as one group takes. */
static void lead(struct landscape *landscape)
{
    struct group group = { .landscape = landscape };
    struct waiting *list, *rest;
    struct fault why = { 0 };

    pthread_mutex_lock(&landscape->turn);
    list = rest = take_waiting(landscape);
    if (!landscape_ready(landscape, &why) || !landscapes_room(landscape->all, 0, &why) ||
        !log_fits(landscape, &why)) {
        refuse_all(list, &why);
        rest = NULL;
    } else {
        struct waiting *last = NULL;

        group.base = group.tip = landscape->view; /* under the turn it stays */
        landscape->group = &group;
        for (; rest && group.bytes < GROUP_BYTES; last = rest, rest = rest->next) {
            consider(&group, rest);
            group.members[group.count++] = rest;
        }
        last->next = NULL;
        landscape->group = NULL;
        conclude(&group, commit(&group, &why), &why);
    }
    pthread_mutex_unlock(&landscape->turn);
    give_back_waiting(landscape, rest);
    wake(landscape, list);
}

struct view *landscape_known(struct landscape *landscape, uint64_t version)
{
    const struct group *group = landscape->group;

    for (size_t i = 0; group && i < group->count; i++)
        if (group->members[i]->after && group->members[i]->after->version == version)
            return view_hold(group->members[i]->after);
    return landscape_kept(landscape, version);
}

/* Makes it of the newest version, and forgets it. What goes by the history waits for its turn. */
static bool change_dry(struct landscape *landscape, const struct landscape_change *change,
                       struct landscape_changed *changed, struct fault *why)
{
    struct view *view, *next = NULL;
    struct change came;
    bool made;

    if (change->step)
        pthread_mutex_lock(&landscape->turn);
    view = landscape_view(landscape);
    made = (!change->step || landscape_ready(landscape, why)) &&
           fresh(change->if_match, view, why) && make(change, view, &next, &came, why);
    if (change->step)
        pthread_mutex_unlock(&landscape->turn);
    if (made)
        *changed = (struct landscape_changed){ next->version, came, false };
    view_drop(next);
    view_drop(view);
    return made;
}

bool landscape_change(struct landscape *landscape, const struct landscape_change *change,
                      struct landscape_changed *changed, struct fault *why)
{
    struct waiting one = { .change = change, .changed = changed, .why = why };

    if (change->once && strlen(change->once) > ONCE_MOST)
        return fault_set(why, FAULT_INPUT, "the idempotency key has %zu bytes; at most %d fit",
                         strlen(change->once), ONCE_MOST);
    if (change->dry_run)
        return change_dry(landscape, change, changed, why);
    pthread_mutex_lock(&landscape->queue_lock);
    if (landscape->queued >= landscape->all->limits.waiting_changes) {
        pthread_mutex_unlock(&landscape->queue_lock);
        return fault_set(why, FAULT_BUSY, "%" PRId32 " changes wait for this landscape already",
                         landscape->all->limits.waiting_changes);
    }
    pthread_cond_init(&one.woken, NULL);
    landscape->queued++;
    if (landscape->first)
        landscape->last->next = &one;
    else
        landscape->first = &one;
    landscape->last = &one;
    while (!one.done) {
        if (landscape->led) {
            pthread_cond_wait(&one.woken, &landscape->queue_lock);
            continue;
        }
        landscape->led = true;
        pthread_mutex_unlock(&landscape->queue_lock);
        lead(landscape);
        pthread_mutex_lock(&landscape->queue_lock);
    }
    pthread_mutex_unlock(&landscape->queue_lock);
    pthread_cond_destroy(&one.woken);
    return one.worked;
}

/* Publishing */

/* Views that have been let go of, to be dropped when no reader has to wait for it. */
struct letting_go {
    struct view *views[KEPT_VERSIONS + 1];
    int32_t count;
};

static void keep_version(struct landscape *landscape, struct view *view, int64_t bytes,
                         struct letting_go *go)
{
    while (landscape->kept_count > 0 &&
           (landscape->kept_count == KEPT_VERSIONS || landscape->kept_bytes + bytes > KEPT_BYTES)) {
        struct kept *oldest = &landscape->kept[landscape->kept_first];

        go->views[go->count++] = oldest->view;
        landscape->kept_bytes -= oldest->bytes;
        landscape->kept_first = (landscape->kept_first + 1) % KEPT_VERSIONS;
        landscape->kept_count--;
    }
    if (bytes > KEPT_BYTES) {
        go->views[go->count++] = view;
        return;
    }
    landscape->kept[(landscape->kept_first + landscape->kept_count++) % KEPT_VERSIONS] =
        (struct kept){ view, bytes };
    landscape->kept_bytes += bytes;
}

/* About what a version with this dirty rectangle does not share with the one before. */
static int64_t bytes_replaced(struct rect dirty)
{
    int64_t across, down;

    if (rect_empty(dirty))
        return sizeof(struct view);
    across = ((dirty.x + dirty.width - 1) >> BLOCK_LOG2) - (dirty.x >> BLOCK_LOG2) + 1;
    down = ((dirty.y + dirty.height - 1) >> BLOCK_LOG2) - (dirty.y >> BLOCK_LOG2) + 1;
    return across * down * (int64_t)plane_block_bytes(PLANE_HEIGHTS) +
           TREE_DEPTH_MOST * (int64_t)sizeof(struct branch);
}

void landscape_publish(struct landscape *landscape, struct view **view,
                       const struct landscape_came *came)
{
    int64_t bytes = bytes_replaced(came ? came->change->dirty : view_rect(*view));
    struct letting_go go = { .count = 0 };

    pthread_mutex_lock(&landscape->seen);
    keep_version(landscape, landscape->view, bytes, &go);
    landscape->view = *view;
    feed_add(landscape, came);
    pthread_mutex_unlock(&landscape->seen);
    *view = NULL;
    for (int32_t i = 0; i < go.count; i++)
        view_drop(go.views[i]);
    pthread_mutex_lock(&landscape->all->lock);
    landscape->grown += bytes;
    pthread_mutex_unlock(&landscape->all->lock);
}

bool landscape_settle(struct landscape *landscape, struct fault *why)
{
    struct view *newest = ledger_recover(landscape->ledger, landscape->view, why);

    if (!newest)
        return false;
    if (newest != landscape->view) {
        landscape_publish(landscape, &newest, NULL);
        history_free(landscape->history);
        landscape->history = NULL; /* it has a version more than this one knows */
    }
    view_drop(newest);
    landscape_note(landscape, true);
    return true;
}

void landscape_note(struct landscape *landscape, bool changed)
{
    struct landscapes *all = landscape->all;
    uint64_t edits;
    int64_t bytes;
    bool sum;

    if (!landscape->ledger)
        return;
    ledger_behind(landscape->ledger, &edits, &bytes);
    pthread_mutex_lock(&all->lock);
    landscape->open = true;
    landscape->doubtful = ledger_doubtful(landscape->ledger);
    landscape->hurry = ledger_long(landscape->ledger);
    if (changed)
        landscape->changed_at = landscapes_now();
    landscape->unsaved |= changed || edits > 0;
    sum = landscape->grown > (1 << 20) + landscape->bytes / 16;
    pthread_mutex_unlock(&all->lock);
    if (sum)
        landscape_account(landscape, landscape->bytes, true);
}

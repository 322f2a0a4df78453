/* Undo, redo and restoring: changes that lead to older content. */
#include "terrain/landscape_history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/landscape_inside.h"

enum { LOOKS_MOST = 4096 }; /* differences that are read to find out what is in the way */

/* A step on its way. */
struct stepping {
    struct landscape *landscape;
    const char *whose;
    struct landscape_step step; /* kind is given, of is found */
    const struct view *older;   /* of a restoring */
    struct history_pick pick;
};

/* Differences of one version, and the settings that hold before and after. */
struct differences {
    struct bytes raw;
    bool settings; /* they changed */
};

/* What differs from this version to the one after it, if both are in memory. */
static bool known_differences(struct landscape *landscape, uint64_t version, bool *known,
                              struct differences *differences, struct fault *why)
{
    struct view *before = landscape_known(landscape, version - 1);
    struct view *after = before ? landscape_known(landscape, version) : NULL;
    bool written = true;

    *known = after != NULL;
    if (after) {
        differences->settings = after->settings_version == version;
        written = difference_write(before, after, &differences->raw, why);
    }
    view_drop(before);
    view_drop(after);
    return written;
}

static bool find_differences(struct landscape *landscape, uint64_t version,
                             struct differences *differences, struct fault *why)
{
    bool known;

    *differences = (struct differences){ 0 };
    if (!known_differences(landscape, version, &known, differences, why))
        return false;
    return known || ledger_difference(landscape->ledger, version, &differences->raw,
                                      &differences->settings, why);
}

static struct settings *find_settings(struct landscape *landscape, uint64_t version,
                                      struct fault *why)
{
    struct view *view = landscape_known(landscape, version);
    struct settings *settings;
    uint64_t made;

    settings = view ? settings_hold(view->settings)
                    : ledger_settings(landscape->ledger, version, &made, why);
    view_drop(view);
    return settings;
}

/* A version in memory that has this content, held; NULL when there is none. */
static struct view *find_content(struct landscape *landscape, uint64_t content)
{
    const struct history *history = landscape->history;
    uint64_t newest = history_newest(history), oldest = history_horizon(history);

    if (newest - oldest > KEPT_VERSIONS + GROUP_CHANGES)
        oldest = newest - KEPT_VERSIONS - GROUP_CHANGES;
    for (uint64_t version = newest; version >= oldest && version > 0; version--) {
        struct view *view = history_content(history, version) == content
                                ? landscape_known(landscape, version)
                                : NULL;

        if (view)
            return view;
    }
    return NULL;
}

/* Locks */

static const struct edit_layer *lock_of(const struct stack *stack, uint32_t id)
{
    int at = stack_edit_of(stack, id);

    return at >= 0 && stack->edits[at].locked ? &stack->edits[at] : NULL;
}

/* A lock that the step itself takes away, or with which the layer goes, holds nothing. */
static bool locked(const struct stack *now, const struct stack *then, uint64_t key,
                   struct fault *why)
{
    const struct edit_layer *lock = lock_of(now, key_layer(key));

    if (!lock || !lock_of(then, key_layer(key)))
        return false;
    fault_set(why, FAULT_LOCKED, "the edit layer %s is locked, and this would change it",
              lock->name);
    return true;
}

static bool leaf_differs(void *context, int32_t bx, int32_t by, const struct child *before,
                         const struct child *after)
{
    enum plane plane = *(const enum plane *)context;

    (void)bx;
    (void)by;
    return before->below && after->below
               ? memcmp(block_values(before->below), block_values(after->below),
                        plane_block_bytes(plane)) == 0
               : !before->below && !after->below && before->summary.least == after->summary.least;
}

static bool planes_equal(const struct settings *settings, uint64_t key, const struct tree *a,
                         const struct tree *b)
{
    struct tree rest = channel_tree(settings, key, 0);
    enum plane plane = rest.plane;

    return tree_compare(a ? a : &rest, b ? b : &rest, leaf_differs, &plane);
}

static bool other_layout(const struct settings *a, const struct settings *b)
{
    return memcmp(&a->layout, &b->layout, sizeof a->layout) != 0;
}

static bool check_locks(const struct view *now, const struct view *then, struct fault *why)
{
    const struct view *views[] = { now, then };
    bool resized = other_layout(now->settings, then->settings);

    for (int v = 0; v < 2; v++)
        for (int32_t i = 0; i < views[v]->layers_count; i++) {
            uint64_t key = views[v]->layers[i].key;

            if (lock_of(now->settings->stack, key_layer(key)) &&
                (resized ||
                 !planes_equal(now->settings, key, view_layer(now, key), view_layer(then, key))) &&
                locked(now->settings->stack, then->settings->stack, key, why))
                return false;
        }
    return true;
}

/* By pointer */

static bool restore(struct draft *draft, const struct view *older, struct fault *why)
{
    return check_locks(draft_view(draft), older, why) && draft_restore(draft, older, why);
}

/* What is in the way of a step that is not the last */

struct spot {
    uint64_t key;
    struct rect rect; /* within a block */
};

struct obstacles {
    struct landscape *landscape;
    const struct view *now;
    const struct stack *then; /* the layers that there will be */
    bool resized;             /* on a landscape of another size */
    bool settings;            /* the step changed them */
    struct spot *spots;       /* that it touches, sorted by place */
    size_t count, room;
    struct rect around;
    int32_t looks;
    struct fault *why;
};

static int spot_order(const void *one, const void *other)
{
    const struct spot *a = one, *b = other;
    int32_t rows = (a->rect.y >> BLOCK_LOG2) - (b->rect.y >> BLOCK_LOG2);
    int32_t columns = (a->rect.x >> BLOCK_LOG2) - (b->rect.x >> BLOCK_LOG2);

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return rows ? rows : columns;
}

static bool add_spot(void *context, uint64_t key, struct rect rect)
{
    struct obstacles *obstacles = context;
    struct spot *grown = obstacles->spots;

    if (locked(obstacles->now->settings->stack, obstacles->then, key, obstacles->why))
        return false;
    if (!obstacles->settings && !key_valid(obstacles->then, key))
        return fault_set(obstacles->why, FAULT_CONFLICT,
                         "a layer that the change was made on has been removed since");
    if (channels[key_channel(key)].component)
        return true;
    if (obstacles->count == obstacles->room) {
        obstacles->room = obstacles->room ? obstacles->room * 2 : 64;
        grown = realloc(grown, obstacles->room * sizeof *grown);
        if (!grown)
            return fault_set(obstacles->why, FAULT_MEMORY, "no memory to look at a change");
        obstacles->spots = grown;
    }
    obstacles->spots[obstacles->count++] = (struct spot){ key, rect };
    obstacles->around = rect_join(obstacles->around, rect);
    return true;
}

/* Whether this does not meet what the step touches, and stays where the step's settings lead. */
static bool spot_free(void *context, uint64_t key, struct rect rect)
{
    const struct obstacles *obstacles = context;
    const struct spot wanted = { key, rect }, *found;

    if (obstacles->settings && !key_valid(obstacles->then, key))
        return false;
    found = obstacles->count
                ? bsearch(&wanted, obstacles->spots, obstacles->count, sizeof wanted, spot_order)
                : NULL;
    return !found || rect_empty(rect_meet(found->rect, rect));
}

static bool in_the_way(const struct obstacles *obstacles, const struct history_row *row)
{
    const char *author = row->author ? row->author : "somebody";

    if (rect_empty(row->dirty))
        return fault_set(obstacles->why, FAULT_CONFLICT,
                         "version %" PRIu64 " by %s, which changed settings, is in the way",
                         row->version, author);
    return fault_set(obstacles->why, FAULT_CONFLICT,
                     "version %" PRIu64 " by %s is in the way: it changed x %d, y %d, %d x %d "
                     "vertices",
                     row->version, author, row->dirty.x, row->dirty.y, row->dirty.width,
                     row->dirty.height);
}

/* Two that changed settings are in each other's way, and so are two that touch one plane at one
 * place. */
static bool check_row(void *context, const struct history_row *row, uint64_t version)
{
    struct obstacles *obstacles = context;
    struct differences differences;
    bool meets = !rect_empty(rect_meet(obstacles->around, row->dirty)), free_of = false;

    if (obstacles->resized || (obstacles->settings && row->what & CHANGE_SETTINGS))
        return in_the_way(obstacles, row);
    if (!meets && !obstacles->settings)
        return true;
    if (++obstacles->looks > LOOKS_MOST)
        return in_the_way(obstacles, row);
    if (find_differences(obstacles->landscape, version, &differences, obstacles->why)) {
        *obstacles->why = (struct fault){ 0 };
        free_of = difference_fits(obstacles->now, differences.raw.data, differences.raw.length) &&
                  difference_each(obstacles->now, differences.raw.data, differences.raw.length,
                                  spot_free, obstacles, obstacles->why);
        free_of = free_of || (!obstacles->why->code && in_the_way(obstacles, row));
    }
    bytes_free(&differences.raw);
    return free_of;
}

static bool check_obstacles(const struct stepping *stepping, const struct view *now,
                            const struct settings *then, const struct differences *differences,
                            struct fault *why)
{
    struct obstacles obstacles = { .landscape = stepping->landscape,
                                   .now = now,
                                   .then = then->stack,
                                   .resized = other_layout(now->settings, then),
                                   .settings = differences->settings,
                                   .why = why };
    bool clear = difference_fits(now, differences->raw.data, differences->raw.length) ||
                 fault_set(why, FAULT_CONFLICT, "the landscape has been resized since");

    clear = clear && difference_each(now, differences->raw.data, differences->raw.length, add_spot,
                                     &obstacles, why);

    if (clear && obstacles.count)
        qsort(obstacles.spots, obstacles.count, sizeof *obstacles.spots, spot_order);
    clear = clear && (!stepping->whose || history_since(stepping->landscape->history,
                                                        &stepping->pick, check_row, &obstacles));
    free(obstacles.spots);
    return clear;
}

/* Steps */

/* By the log. Where nothing has happened since, what components keep is turned back, too. */
static bool step_by_log(const struct stepping *stepping, struct draft *draft, bool settled,
                        struct fault *why)
{
    struct landscape *landscape = stepping->landscape;
    const struct view *now = draft_view(draft);
    bool undo = stepping->step.kind == HISTORY_UNDO, done = false;
    struct differences differences;
    struct settings *settings = NULL;

    if (!find_differences(landscape, stepping->pick.step, &differences, why))
        goto done;
    settings = differences.settings ? find_settings(landscape, stepping->pick.since - 1, why)
                                    : settings_hold(now->settings);
    if (!settings || !check_obstacles(stepping, now, settings, &differences, why) ||
        (differences.settings && !draft_settings(draft, &settings, why)))
        goto done;
    done = settled
               ? difference_apply(draft, differences.raw.data, differences.raw.length, undo, why)
               : difference_merge(draft, differences.raw.data, differences.raw.length, undo, why);

done:
    settings_drop(settings);
    bytes_free(&differences.raw);
    return done;
}

static bool find_step(struct stepping *stepping, struct fault *why)
{
    const struct history *history = stepping->landscape->history;
    bool undo = stepping->step.kind == HISTORY_UNDO;
    const char *whose = stepping->whose ? stepping->whose : "anybody";

    if (undo ? history_undo(history, stepping->whose, &stepping->pick)
             : history_redo(history, stepping->whose, &stepping->pick)) {
        stepping->step.of = stepping->pick.step;
        return true;
    }
    return fault_set(why, undo ? FAULT_NOTHING_TO_UNDO : FAULT_NOTHING_TO_REDO,
                     undo ? "no change by %s is left in the history that could be undone"
                          : "no change by %s has been undone and could be made again",
                     whose);
}

static bool any_row(void *context, const struct history_row *row, uint64_t version)
{
    (void)context;
    (void)row;
    (void)version;
    return false;
}

/* Whether an older version is what the step leads to. */
static bool leads_back(const struct stepping *stepping)
{
    const struct history *history = stepping->landscape->history;

    return history_settled(history, &stepping->pick) &&
           (!stepping->whose || history_since(history, &stepping->pick, any_row, NULL));
}

static bool make_step(void *context, struct draft *draft, struct fault *why)
{
    struct stepping *stepping = context;
    const struct history *history = stepping->landscape->history;
    struct view *older = NULL;
    bool back, done;

    if (!find_step(stepping, why))
        return false;
    back = leads_back(stepping);
    if (back)
        older =
            find_content(stepping->landscape, history_content(history, stepping->pick.since - 1));
    done = older ? restore(draft, older, why) : step_by_log(stepping, draft, back, why);
    view_drop(older);
    return done;
}

static bool make_restoring(void *context, struct draft *draft, struct fault *why)
{
    const struct stepping *stepping = context;

    return restore(draft, stepping->older, why);
}

static bool change_by(struct stepping *stepping, const struct landscape_change *change,
                      bool (*make)(void *context, struct draft *draft, struct fault *why),
                      struct landscape_changed *changed, struct fault *why)
{
    struct landscape_change asked = *change;

    asked.make = make;
    asked.context = stepping;
    asked.step = &stepping->step;
    return landscape_change(stepping->landscape, &asked, changed, why);
}

bool landscape_undo(struct landscape *landscape, const struct landscape_change *change,
                    const char *whose, struct landscape_changed *changed, struct fault *why)
{
    struct stepping stepping = { .landscape = landscape,
                                 .whose = whose,
                                 .step.kind = HISTORY_UNDO };

    return change_by(&stepping, change, make_step, changed, why);
}

bool landscape_redo(struct landscape *landscape, const struct landscape_change *change,
                    const char *whose, struct landscape_changed *changed, struct fault *why)
{
    struct stepping stepping = { .landscape = landscape,
                                 .whose = whose,
                                 .step.kind = HISTORY_REDO };

    return change_by(&stepping, change, make_step, changed, why);
}

bool landscape_restore(struct landscape *landscape, const struct landscape_change *change,
                       uint64_t version, struct landscape_changed *changed, struct fault *why)
{
    struct view *older = landscape_view_at(landscape, version, why);
    struct stepping stepping = { .landscape = landscape,
                                 .older = older,
                                 .step = { HISTORY_RESTORE, version } };
    bool done = older && change_by(&stepping, change, make_restoring, changed, why);

    view_drop(older);
    return done;
}

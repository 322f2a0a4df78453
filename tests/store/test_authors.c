/* Authors who take back their own changes, the end of history, snapshots, and all at once. */
#include "tests/store/past.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Authors: each change adds to the heights of a rectangle. */

enum { AUTHORS = 3, SIDE = 127 };
static const char *const names[AUTHORS] = { "anna", "bo", "cy" };

struct adding {
    struct rect at;
    uint16_t by;
};

static bool add(void *context, struct draft *draft, struct fault *why)
{
    const struct adding *adding = context;
    uint16_t *heights = malloc((size_t)rect_area(adding->at) * sizeof *heights);
    const struct tree *surface = draft_surface(draft, adding->at, why);
    bool done = surface != NULL;

    if (done) {
        tree_read(surface, adding->at, heights, adding->at.width);
        for (int64_t i = 0; i < rect_area(adding->at); i++)
            heights[i] = (uint16_t)(heights[i] + adding->by);
        done = draft_write_heights(draft, adding->at, heights, adding->at.width, why);
    }
    free(heights);
    return done;
}

struct part {
    struct adding adding;
    int author;
    bool applied;
    uint64_t turned;          /* the version that turned it last */
    bool when[VERSIONS_MOST]; /* applied, by version */
};

struct crowd {
    struct part parts[200];
    int count;
};

static void note_version(struct past *past, struct crowd *crowd)
{
    past->newest++;
    for (int i = 0; i < crowd->count; i++)
        crowd->parts[i].when[past->newest] = crowd->parts[i].applied;
}

static void assert_sum(struct past *past, const struct crowd *crowd)
{
    uint16_t *heights = malloc(SIDE * SIDE * sizeof *heights);
    struct view *view = landscape_view(past->ground);

    view_read_heights(view, (struct rect){ 0, 0, SIDE, SIDE }, heights, SIDE);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            int32_t wanted = 30000;

            for (int i = 0; i < crowd->count; i++) {
                const struct adding *adding = &crowd->parts[i].adding;

                if (crowd->parts[i].applied && rect_inside((struct rect){ x, y, 1, 1 }, adding->at))
                    wanted += adding->by;
            }
            assert_int_equal(heights[y * SIDE + x], wanted);
        }
    free(heights);
    view_drop(view);
}

static void add_any(struct past *past, struct crowd *crowd)
{
    struct part *part = &crowd->parts[crowd->count];
    struct landscape_change change = { .make = add, .context = &part->adding, .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    memset(part, 0, sizeof *part);
    part->adding.at = dice_rect(&past->dice, SIDE, SIDE, 40);
    part->adding.by = (uint16_t)dice_between(&past->dice, 1, 90);
    part->author = dice_between(&past->dice, 0, AUTHORS - 1);
    change.author = names[part->author];
    assert_true(landscape_change(past->ground, &change, &changed, &why));
    part->applied = true;
    crowd->count++;
    note_version(past, crowd);
    part->turned = past->newest;
}

/* The author's part that undo or redo is about; NULL. */
static struct part *part_of(struct crowd *crowd, int author, bool undo)
{
    struct part *found = NULL, *last = NULL;

    for (int i = 0; i < crowd->count; i++) {
        struct part *part = &crowd->parts[i];

        if (part->author != author)
            continue;
        last = part;
        if (part->applied == undo && (!found || part->turned > found->turned))
            found = part;
    }
    /* Parts are in the order of their versions; the last one's own is when it first was there. */
    for (uint64_t version = 1; found && !undo && version < VERSIONS_MOST; version++)
        if (last->when[version])
            return version < found->turned ? found : NULL;
    return found;
}

static bool free_of_others(const struct crowd *crowd, const struct part *part)
{
    for (int i = 0; i < crowd->count; i++) {
        const struct part *other = &crowd->parts[i];

        if (other != part && other->applied != other->when[part->turned] &&
            !rect_empty(rect_meet(other->adding.at, part->adding.at)))
            return false;
    }
    return true;
}

static void turn_any(struct past *past, struct crowd *crowd)
{
    bool undo = dice_between(&past->dice, 0, 1);
    int author = dice_between(&past->dice, 0, AUTHORS - 1);
    struct part *part = part_of(crowd, author, undo);
    struct landscape_change change = { .author = names[author], .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };
    bool worked = (undo ? landscape_undo : landscape_redo)(past->ground, &change, names[author],
                                                           &changed, &why);

    if (!part || !free_of_others(crowd, part)) {
        assert_false(worked);
        assert_int_equal(why.code, part   ? FAULT_CONFLICT
                                   : undo ? FAULT_NOTHING_TO_UNDO
                                          : FAULT_NOTHING_TO_REDO);
        return;
    }
    if (!worked)
        fail_msg("%s", why.detail);
    part->applied = !part->applied;
    note_version(past, crowd);
    part->turned = past->newest;
    assert_sum(past, crowd);
}

static void each_author_turns_the_own_last_unless_others_are_in_the_way(void **state)
{
    struct past *past = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);

    for (uint64_t seed = 3; seed < 6; seed++) {
        past->dice.state = seed;
        for (int i = 0; i < 150; i++) {
            int what = dice_between(&past->dice, 0, 99);

            if (what < 40 && crowd->count < 190)
                add_any(past, crowd);
            else if (what < 97)
                turn_any(past, crowd);
            else
                past_restart(past);
        }
    }
    free(crowd);
}

/* The end of history */

static void what_the_log_has_forgotten_cannot_be_undone(void **state)
{
    struct past *past = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct landscape_change change = { .request = "{}" };
    struct landscape_changed changed;
    struct landscape_reach reach;
    struct fault why = { 0 };

    past->limits.history_bytes = 4000;
    past_restart(past);
    for (int i = 0; i < 150; i++)
        add_any(past, crowd);
    past_rest(past);
    assert_true(landscape_versions(past->ground, UINT64_MAX, 0, 0, NULL, NULL, &reach, &why));
    assert_true(reach.oldest > 20);
    assert_true(reach.oldest < 151);
    past_restart(past); /* what memory keeps is another matter */
    assert_null(landscape_view_at(past->ground, reach.oldest - 1, &why));
    assert_int_equal(why.code, FAULT_GONE);
    while (landscape_undo(past->ground, &change, NULL, &changed, &why)) {
        int last = crowd->count - 1;

        while (!crowd->parts[last].applied)
            last--;
        crowd->parts[last].applied = false;
        note_version(past, crowd);
        if (past->newest % 4 == 0)
            past_restart(past);
    }
    assert_int_equal(why.code, FAULT_NOTHING_TO_UNDO);
    assert_sum(past, crowd);
    assert_true(crowd->parts[(int)reach.oldest - 2].applied);
    assert_false(crowd->parts[149].applied);
    free(crowd);
}

static bool never(void *context, const struct ledger_snapshot *snapshot)
{
    (void)context;
    (void)snapshot;
    return false;
}

static void a_snapshot_holds_the_log(void **state)
{
    struct past *past = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct ledger_snapshot snapshot = { .name = "early" };
    struct fault why = { 0 };
    struct view *view;

    past->limits.history_bytes = 4000;
    past_restart(past);
    for (int i = 0; i < 20; i++)
        add_any(past, crowd);
    assert_true(landscape_snapshot_put(past->ground, &snapshot, NULL, &why));
    assert_int_equal(snapshot.version, 21);
    view = landscape_view(past->ground);
    for (int i = 0; i < 100; i++)
        add_any(past, crowd);
    past_rest(past);
    past_restart(past);
    past->views[21] = landscape_view_at(past->ground, 21, &why);
    assert_non_null(past->views[21]);
    past_assert_same(view, past->views[21]);
    view_drop(view);
    assert_null(landscape_view_at(past->ground, 20, &why));
    assert_true(landscape_snapshot_drop(past->ground, "early", &why));
    assert_false(landscape_snapshot_find(past->ground, "early", never, NULL, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    past_rest(past);
    past_restart(past);
    assert_null(landscape_view_at(past->ground, 21, &why));
    assert_int_equal(why.code, FAULT_GONE);
    free(crowd);
}

static void a_log_that_a_snapshot_makes_too_long_takes_no_more(void **state)
{
    struct past *past = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct ledger_snapshot snapshot = { .name = "early" };
    struct adding adding = { { 1, 1, 9, 9 }, 5 };
    struct landscape_change change = { .make = add, .context = &adding, .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    past->limits.history_bytes = 4000;
    past->limits.snapshot_bytes = 10000;
    past_restart(past);
    assert_true(landscape_snapshot_put(past->ground, &snapshot, NULL, &why));
    for (int i = 0; i < 1000 && landscape_change(past->ground, &change, &changed, &why); i++)
        ;
    assert_int_equal(why.code, FAULT_FULL);
    assert_non_null(strstr(why.detail, "snapshot"));
    assert_true(landscape_snapshot_drop(past->ground, "early", &why));
    assert_true(landscape_change(past->ground, &change, &changed, &why));
    free(crowd);
}

/* Everything at once */

enum { CROWD = 4, TURNS = 60 };

struct worker {
    struct past *past;
    int number;
    int32_t sum; /* that its rectangle must have in the end */
};

/* Adds to a rectangle that nobody else touches, takes back and makes again. */
static void *turn_on(void *context)
{
    struct worker *worker = context;
    struct landscape *ground = worker->past->ground;
    struct adding adding = { { worker->number * 30, 10, 25, 25 }, 1 };
    char author[8];
    struct landscape_change change = {
        .make = add, .context = &adding, .author = author, .request = "{}"
    };

    snprintf(author, sizeof author, "w%d", worker->number);
    for (int i = 0; i < TURNS; i++) {
        struct landscape_changed changed;
        struct fault why = { 0 };
        int what = i % 4;
        bool worked = what < 2    ? landscape_change(ground, &change, &changed, &why)
                      : what == 2 ? landscape_undo(ground, &change, author, &changed, &why)
                                  : landscape_redo(ground, &change, author, &changed, &why);

        if (!worked)
            abort();
        worker->sum += what == 2 ? -1 : 1;
    }
    return NULL;
}

static _Atomic bool over;

static void *look_back(void *context)
{
    struct past *past = context;
    struct dice dice = { 5 };

    while (!over) {
        struct view *newest = landscape_view(past->ground);
        uint64_t version = (uint64_t)dice_between(&dice, 1, (int32_t)newest->version);
        struct fault why = { 0 };
        struct view *view = landscape_view_at(past->ground, version, &why);

        if (!view || view->version != version || view_newest(view, view_rect(view)) > version)
            abort();
        view_drop(view);
        view_drop(newest);
        landscapes_work(past->all);
    }
    return NULL;
}

static void many_step_back_and_forth_while_others_look_back(void **state)
{
    struct past *past = *state;
    struct worker workers[CROWD];
    pthread_t threads[CROWD], reader;
    struct view *view;

    over = false;
    assert_int_equal(pthread_create(&reader, NULL, look_back, past), 0);
    for (int i = 0; i < CROWD; i++) {
        workers[i] = (struct worker){ past, i, 30000 };
        assert_int_equal(pthread_create(&threads[i], NULL, turn_on, &workers[i]), 0);
    }
    for (int i = 0; i < CROWD; i++)
        pthread_join(threads[i], NULL);
    over = true;
    pthread_join(reader, NULL);
    view = landscape_view(past->ground);
    assert_int_equal(view->version, 1 + CROWD * TURNS);
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(view_height(view, i * 30 + 12, 20), workers[i].sum);
    view_drop(view);
}

static bool never_told(void *context, const struct ledger_snapshot *snapshot)
{
    (void)snapshot;
    *(bool *)context = true;
    return true;
}

static void a_damaged_snapshot_is_told_of(void **state)
{
    static const char title[] = "a title that stands nowhere else";
    struct past *past = *state;
    struct ledger_snapshot snapshot = { .name = "early", .title = title };
    struct fault why = { 0 };
    bool told = false;
    char *path;

    assert_true(landscape_snapshot_put(past->ground, &snapshot, NULL, &why));
    past_rest(past);
    landscape_drop(past->ground);
    past->ground = NULL;
    landscapes_close(past->all);
    past->all = NULL;
    path = scratch_ledger(past->folder);
    scratch_flip(path, title, sizeof title - 1);
    free(path);
    assert_true(landscapes_open(past->folder, &past->limits, &past->all, &why));
    past->ground = landscapes_find(past->all, "ground", &why);
    assert_non_null(past->ground);
    assert_false(landscape_snapshots(past->ground, never_told, &told, &why));
    assert_int_equal(why.code, FAULT_STORAGE);
    assert_false(told);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, past_begin, past_end)
    const struct CMUnitTest tests[] = {
        TEST(each_author_turns_the_own_last_unless_others_are_in_the_way),
        TEST(what_the_log_has_forgotten_cannot_be_undone),
        TEST(a_snapshot_holds_the_log),
        TEST(a_log_that_a_snapshot_makes_too_long_takes_no_more),
        TEST(a_damaged_snapshot_is_told_of),
        TEST(many_step_back_and_forth_while_others_look_back),
    };

    return cmocka_run_group_tests_name("authors", tests, NULL, NULL);
}

/* Live landscapes: changes in groups, versions, conditions, memory. */
#include "tests/store/scratch.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terrain/landscape_inside.h"
#include "tests/server/fault_io.h"

struct bench {
    char *folder;
    struct landscapes *all;
    struct landscapes_limits limits;
};

static void open_all(struct bench *bench)
{
    struct fault why = { 0 };

    if (!landscapes_open(bench->folder, &bench->limits, &bench->all, &why))
        fail_msg("%s", why.detail);
}

static int begin(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);

    bench->folder = scratch_new();
    bench->limits = (struct landscapes_limits){ .vertices = 1 << 24,
                                                .memory_bytes = 1 << 28,
                                                .waiting_changes = 512,
                                                .history_bytes = 1 << 26 };
    open_all(bench);
    *state = bench;
    return 0;
}

static int end(void **state)
{
    struct bench *bench = *state;

    landscapes_close(bench->all);
    scratch_remove(bench->folder);
    free(bench);
    return 0;
}

static void restart(struct bench *bench)
{
    landscapes_close(bench->all);
    open_all(bench);
}

static struct landscape *create(struct bench *bench, const char *id, int32_t cx, int32_t cy)
{
    struct view *content = scratch_flat(cx, cy, 1000);
    struct fault why = { 0 };
    struct landscape *made = landscapes_create(bench->all, id, content, "{}", &why);

    view_drop(content);
    if (!made)
        fail_msg("%s", why.detail);
    return made;
}

static struct landscape *find(struct bench *bench, const char *id)
{
    struct fault why = { 0 };
    struct landscape *found = landscapes_find(bench->all, id, &why);

    if (!found)
        fail_msg("%s", why.detail);
    return found;
}

/* Writes one height into a rectangle. */
struct stamp {
    struct rect at;
    uint16_t code;
    bool fails;
};

static bool press(void *context, struct draft *draft, struct fault *why)
{
    const struct stamp *stamp = context;
    uint16_t *heights = malloc((size_t)rect_area(stamp->at) * sizeof *heights);
    bool done;

    for (int64_t i = 0; i < rect_area(stamp->at); i++)
        heights[i] = stamp->code;
    done = draft_write_heights(draft, stamp->at, heights, stamp->at.width, why);
    free(heights);
    return stamp->fails ? fault_set(why, FAULT_IMPOSSIBLE, "as told") : done;
}

static bool change(struct landscape *landscape, struct stamp stamp, const char *if_match,
                   const char *once, struct landscape_changed *changed, struct fault *why)
{
    struct landscape_change asked = {
        .make = press, .context = &stamp, .if_match = if_match, .once = once
    };

    return landscape_change(landscape, &asked, changed, why);
}

static uint64_t version_of(struct landscape *landscape)
{
    struct view *view = landscape_view(landscape);
    uint64_t version = view->version;

    view_drop(view);
    return version;
}

static uint16_t height_of(struct landscape *landscape, int32_t x, int32_t y)
{
    struct view *view = landscape_view(landscape);
    uint16_t height = view_height(view, x, y);

    view_drop(view);
    return height;
}

static void a_change_is_a_version_that_survives_a_restart(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 2, 2);
    struct landscape_changed changed;
    struct fault why = { 0 };

    assert_int_equal(version_of(hills), 1);
    assert_true(
        change(hills, (struct stamp){ { 10, 20, 30, 40 }, 7, false }, NULL, NULL, &changed, &why));
    assert_int_equal(changed.version, 2);
    assert_int_equal(changed.change.vertices, 1200);
    assert_int_equal(changed.change.dirty.x, 10);
    assert_int_equal(changed.change.dirty.height, 40);
    landscape_drop(hills);
    restart(bench);
    hills = find(bench, "hills");
    assert_int_equal(version_of(hills), 2);
    assert_int_equal(height_of(hills, 10, 20), 7);
    assert_int_equal(height_of(hills, 9, 20), 1000);
    landscape_drop(hills);
}

static void a_change_that_fails_or_changes_nothing_keeps_the_version(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct landscape_changed changed;
    struct fault why = { 0 };

    assert_false(
        change(hills, (struct stamp){ { 1, 1, 5, 5 }, 7, true }, NULL, NULL, &changed, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_int_equal(height_of(hills, 1, 1), 1000);
    assert_true(
        change(hills, (struct stamp){ { 1, 1, 5, 5 }, 1000, false }, NULL, NULL, &changed, &why));
    assert_int_equal(changed.version, 1);
    assert_int_equal(changed.change.vertices, 0);
    assert_int_equal(version_of(hills), 1);
    landscape_drop(hills);
}

static void a_condition_that_does_not_hold_is_stale(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct stamp stamp = { { 0, 0, 4, 4 }, 8, false };

    assert_false(change(hills, stamp, "\"2\"", NULL, &changed, &why));
    assert_int_equal(why.code, FAULT_STALE);
    assert_false(change(hills, stamp, "W/\"1\"", NULL, &changed, &why));
    assert_true(change(hills, stamp, "\"9\", \"1\"", NULL, &changed, &why));
    stamp.code = 9;
    assert_true(change(hills, stamp, "*", NULL, &changed, &why));
    assert_int_equal(changed.version, 3);
    landscape_drop(hills);
}

static void a_dry_run_answers_and_leaves_no_trace(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct stamp stamp = { { 3, 3, 4, 4 }, 8, false };
    struct landscape_change asked = {
        .make = press, .context = &stamp, .dry_run = true, .once = "key"
    };

    assert_true(landscape_change(hills, &asked, &changed, &why));
    assert_int_equal(changed.version, 2);
    assert_int_equal(changed.change.vertices, 16);
    assert_int_equal(version_of(hills), 1);
    assert_int_equal(height_of(hills, 3, 3), 1000);
    assert_true(change(hills, stamp, NULL, "key", &changed, &why));
    assert_false(changed.repeated);
    landscape_drop(hills);
}

static void a_repeated_key_repeats_the_answer_even_after_a_restart(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct landscape_changed first, again;
    struct fault why = { 0 };
    struct stamp stamp = { { 3, 3, 4, 4 }, 8, false }, none = { { 0, 0, 1, 1 }, 1000, false };

    assert_true(change(hills, stamp, "\"1\"", "key", &first, &why));
    assert_true(change(hills, none, NULL, "idle", &again, &why));
    assert_int_equal(again.version, 2);
    stamp.code = 9;
    assert_true(change(hills, stamp, NULL, NULL, &again, &why));
    landscape_drop(hills);
    restart(bench);
    hills = find(bench, "hills");
    assert_true(change(hills, stamp, "\"1\"", "key", &again, &why)); /* the condition held then */
    assert_true(again.repeated);
    assert_int_equal(again.version, first.version);
    assert_int_equal(again.change.vertices, first.change.vertices);
    assert_true(change(hills, stamp, NULL, "idle", &again, &why));
    assert_true(again.repeated);
    assert_int_equal(again.version, 2);
    assert_int_equal(again.change.vertices, 0);
    assert_int_equal(version_of(hills), 3);
    landscape_drop(hills);
}

static void a_key_of_another_request_is_refused(void **state)
{
    char endless[300] = { 0 };
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct stamp stamp = { { 3, 3, 4, 4 }, 8, false };
    struct landscape_change asked = {
        .make = press, .context = &stamp, .once = "key", .request = "one"
    };
    struct landscape_changed changed;
    struct fault why = { 0 };

    assert_true(landscape_change(hills, &asked, &changed, &why));
    asked.request = "two";
    assert_false(landscape_change(hills, &asked, &changed, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    memset(endless, 'k', sizeof endless - 1);
    asked.once = endless;
    assert_false(landscape_change(hills, &asked, &changed, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_int_equal(version_of(hills), 2);
    landscape_drop(hills);
}

/* Writers of one landscape, each with a column of its own. */
struct writers {
    struct landscape *landscape;
    _Atomic int next, failed;
    int changes;
};

static void *write_column(void *context)
{
    struct writers *writers = context;
    int column = atomic_fetch_add(&writers->next, 1);
    struct landscape_changed changed;
    uint64_t last = 0;

    for (int i = 1; i <= writers->changes; i++) {
        struct stamp stamp = { { column * 4, 0, 3, 100 }, (uint16_t)(2000 + i), i % 5 == 0 };
        struct fault why = { 0 };
        bool worked = change(writers->landscape, stamp, NULL, NULL, &changed, &why);

        if (worked == stamp.fails || (worked && changed.version <= last) ||
            (worked && height_of(writers->landscape, column * 4, 99) != 2000 + i))
            writers->failed++;
        last = worked ? changed.version : last;
    }
    return NULL;
}

static void writers_take_turns_and_share_flushes(void **state)
{
    enum { WRITERS = 16, CHANGES = 20 };
    struct bench *bench = *state;
    struct writers writers = { .landscape = create(bench, "hills", 1, 1), .changes = CHANGES };
    struct landscapes_numbers numbers;
    pthread_t threads[WRITERS];

    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_column, &writers), 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(writers.failed, 0);
    assert_int_equal(version_of(writers.landscape), 1 + WRITERS * CHANGES * 4 / 5);
    landscapes_numbers(bench->all, &numbers);
    assert_int_equal(numbers.changes, WRITERS * CHANGES * 4 / 5);
    assert_true(numbers.commits < numbers.changes);
    landscape_drop(writers.landscape);
    restart(bench);
    writers.landscape = find(bench, "hills");
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(height_of(writers.landscape, i * 4, 50), 2000 + CHANGES - 1);
    landscape_drop(writers.landscape);
}

static void older_versions_can_be_named_while_they_are_kept(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct view *view;

    for (int i = 0; i < 100; i++)
        assert_true(change(hills, (struct stamp){ { 0, 0, 4, 4 }, (uint16_t)(i + 5000), false },
                           NULL, NULL, &changed, &why));
    view = landscape_view_at(hills, 99, &why);
    assert_non_null(view);
    assert_int_equal(view->version, 99);
    assert_int_equal(view_height(view, 0, 0), 5097);
    view_drop(view);
    view = landscape_view_at(hills, 3, &why); /* from the log */
    assert_non_null(view);
    assert_int_equal(view->version, 3);
    assert_int_equal(view_height(view, 0, 0), 5001);
    ground_assert_sound(view);
    view_drop(view);
    assert_null(landscape_view_at(hills, 102, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    landscape_drop(hills);
}

static void an_id_is_listed_found_and_taken_once(void **state)
{
    struct bench *bench = *state;
    struct view *content = scratch_flat(1, 1, 1);
    struct fault why = { 0 };
    char names[4][65];

    landscape_drop(create(bench, "b", 1, 1));
    landscape_drop(create(bench, "c", 1, 1));
    landscape_drop(create(bench, "a", 1, 1));
    assert_null(landscapes_create(bench->all, "b", content, "{}", &why));
    assert_int_equal(why.code, FAULT_CONFLICT);
    assert_int_equal(landscapes_list(bench->all, "", 4, names), 3);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[2], "c");
    assert_int_equal(landscapes_list(bench->all, "a", 1, names), 1);
    assert_string_equal(names[0], "b");
    assert_int_equal(landscapes_list(bench->all, "c", 4, names), 0);
    assert_null(landscapes_find(bench->all, "d", &why));
    assert_int_equal(why.code, FAULT_MISSING);
    view_drop(content);
}

static void a_deleted_landscape_is_gone_but_its_views_stay(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct view *view = landscape_view(hills);
    struct landscape_changed changed;
    struct fault why = { 0 };
    uint64_t incarnation = view->incarnation;

    assert_false(landscapes_delete(bench->all, "hills", "\"2\"", &why));
    assert_int_equal(why.code, FAULT_STALE);
    assert_true(landscapes_delete(bench->all, "hills", "\"1\"", &why));
    assert_int_equal(view_height(view, 5, 5), 1000);
    assert_false(
        change(hills, (struct stamp){ { 0, 0, 2, 2 }, 3, false }, NULL, NULL, &changed, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    landscape_drop(hills);
    view_drop(view);
    assert_false(landscapes_delete(bench->all, "hills", NULL, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    hills = create(bench, "hills", 1, 1);
    view = landscape_view(hills);
    assert_int_not_equal(view->incarnation, incarnation);
    view_drop(view);
    landscape_drop(hills);
    restart(bench);
    landscape_drop(find(bench, "hills"));
}

static void a_copy_begins_at_version_one_in_every_stamp(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 2, 2), *copy;
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct view *from, *to;

    for (int i = 0; i < 5; i++)
        assert_true(change(hills, (struct stamp){ { i * 9, 0, 9, 200 }, (uint16_t)i, false }, NULL,
                           NULL, &changed, &why));
    from = landscape_view(hills);
    copy = landscapes_create(bench->all, "copy", from, "{}", &why);
    assert_non_null(copy);
    to = landscape_view(copy);
    assert_int_equal(to->version, 1);
    assert_int_equal(to->settings_version, 1);
    assert_int_equal(view_newest(to, view_rect(to)), 1);
    for (int32_t x = 0; x < 60; x++)
        assert_int_equal(view_height(from, x, 100), view_height(to, x, 100));
    ground_assert_sound(to);
    view_drop(from);
    view_drop(to);
    landscape_drop(hills);
    landscape_drop(copy);
}

static void too_large_a_landscape_is_refused(void **state)
{
    struct bench *bench = *state;
    struct view *content = scratch_flat(40, 40, 1);
    struct fault why = { 0 };

    assert_null(landscapes_create(bench->all, "wide", content, "{}", &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_null(landscapes_find(bench->all, "wide", &why));
    assert_int_equal(why.code, FAULT_MISSING);
    view_drop(content);
}

static void the_least_used_make_room_and_come_back_when_asked_for(void **state)
{
    struct bench *bench = *state;
    struct landscapes_numbers numbers;
    struct landscape_changed changed;
    struct landscape *held[8];
    struct view *content;
    struct fault why = { 0 };
    char id[16];

    landscapes_close(bench->all);
    bench->limits.memory_bytes = 8 << 20;
    open_all(bench);
    for (int i = 0; i < 8; i++) { /* 1 MiB each of rough ground */
        struct view *rough = scratch_rough(6, 6, (uint64_t)i + 1);

        snprintf(id, sizeof id, "l%d", i);
        held[0] = landscapes_create(bench->all, id, rough, "{}", &why);
        assert_non_null(held[0]);
        assert_true(change(held[0], (struct stamp){ { 0, 0, 3, 3 }, (uint16_t)i, false }, NULL,
                           NULL, &changed, &why));
        landscape_drop(held[0]);
        view_drop(rough);
    }
    landscapes_numbers(bench->all, &numbers);
    assert_true(numbers.evictions > 0);
    assert_true(numbers.memory_bytes <= 8 << 20);
    for (int i = 0; i < 8; i++) {
        snprintf(id, sizeof id, "l%d", i);
        held[0] = find(bench, id);
        assert_int_equal(version_of(held[0]), 2);
        assert_int_equal(height_of(held[0], 2, 2), i);
        landscape_drop(held[0]);
    }
    for (int i = 0; i < 4; i++) {
        snprintf(id, sizeof id, "l%d", i);
        held[i] = find(bench, id);
    }
    content = scratch_rough(14, 14, 99);
    assert_null(landscapes_create(bench->all, "more", content, "{}", &why));
    assert_int_equal(why.code, FAULT_FULL);
    for (int i = 0; i < 4; i++)
        landscape_drop(held[i]);
    view_drop(content);
}

static void the_background_loads_everything_and_writes_back(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 1, 1);
    struct landscape_changed changed;
    struct fault why = { 0 };
    int32_t loaded, all;

    landscape_drop(create(bench, "plain", 1, 1));
    assert_true(
        change(hills, (struct stamp){ { 0, 0, 4, 4 }, 3, false }, NULL, NULL, &changed, &why));
    landscape_drop(hills);
    restart(bench);
    landscapes_progress(bench->all, &loaded, &all);
    assert_int_equal(loaded, 0);
    assert_int_equal(all, 2);
    assert_null(landscapes_find_at_once(bench->all, "hills", &why));
    assert_int_equal(why.code, FAULT_NONE);
    for (int i = 0; landscapes_work(bench->all); i++)
        assert_true(i < 100);
    landscapes_progress(bench->all, &loaded, &all);
    assert_int_equal(loaded, 2);
    hills = landscapes_find_at_once(bench->all, "hills", &why);
    assert_non_null(hills);
    assert_int_equal(height_of(hills, 3, 3), 3);
    landscape_drop(hills);
}

/* Whoever does anything, at once, where memory holds only some of the landscapes. */
struct throng {
    struct bench *bench;
    _Atomic int next, failed;
};

static bool is_fair(const struct fault *why)
{
    return why->code == FAULT_MISSING || why->code == FAULT_CONFLICT || why->code == FAULT_FULL ||
           why->code == FAULT_BUSY || why->code == FAULT_GONE;
}

static bool jostle(struct throng *throng, struct dice *dice, const char *id)
{
    struct landscapes *all = throng->bench->all;
    struct landscape *landscape = NULL;
    struct landscape_changed changed;
    struct view *view = NULL;
    struct fault why = { 0 };
    int32_t loaded, count;
    char names[8][65];

    switch (dice_between(dice, 0, 11)) {
    case 0:
        view = scratch_flat(3, 3, 1000);
        landscape = landscapes_create(all, id, view, "{}", &why);
        view_drop(view);
        break;
    case 1:
        if (dice_between(dice, 0, 3) == 0)
            landscapes_delete(all, id, dice_between(dice, 0, 1) ? NULL : "*", &why);
        break;
    case 2:
    case 3:
        landscapes_work(all);
        landscapes_progress(all, &loaded, &count);
        landscapes_list(all, "", 8, names);
        break;
    case 4:
        landscape = landscapes_find(all, id, &why);
        view = landscape ? landscape_view_at(landscape, 2, &why) : NULL;
        view_drop(view);
        break;
    default:
        landscape = landscapes_find(all, id, &why);
        if (landscape && change(landscape,
                                (struct stamp){ { dice_between(dice, 0, 200), 5, 30, 30 },
                                                (uint16_t)dice_throw(dice),
                                                false },
                                NULL, NULL, &changed, &why)) {
            view = landscape_view(landscape);
            throng->failed += view->version < changed.version;
            view_drop(view);
        }
    }
    landscape_drop(landscape);
    return why.code == FAULT_NONE || is_fair(&why);
}

static void *jostle_on(void *context)
{
    struct throng *throng = context;
    struct dice dice = { (uint64_t)atomic_fetch_add(&throng->next, 1) + 1 };
    char id[16];

    for (int i = 0; i < 150; i++) {
        snprintf(id, sizeof id, "l%d", dice_between(&dice, 0, 5));
        throng->failed += !jostle(throng, &dice, id);
    }
    return NULL;
}

static void everything_may_happen_at_once(void **state)
{
    struct throng throng = { .bench = *state };
    pthread_t threads[8];
    char names[8][65];
    size_t count;

    landscapes_close(throng.bench->all);
    throng.bench->limits.memory_bytes = 3 << 20;
    open_all(throng.bench);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, jostle_on, &throng), 0);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(throng.failed, 0);
    restart(throng.bench);
    count = landscapes_list(throng.bench->all, "", 8, names);
    for (size_t i = 0; i < count; i++)
        landscape_drop(find(throng.bench, names[i]));
}

static void restart_quick(struct bench *bench)
{
    landscapes_close(bench->all);
    bench->limits.idle = bench->limits.rest = bench->limits.scrub = 0.01;
    open_all(bench);
}

static void work_for(struct bench *bench, double seconds)
{
    for (int i = 0; i < seconds * 200; i++) {
        while (landscapes_work(bench->all))
            ;
        usleep(5000);
    }
}

static void an_idle_landscape_is_written_back_closed_and_checked(void **state)
{
    struct bench *bench = *state;
    struct landscapes_numbers numbers;
    struct landscape *hills;
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct stat about;
    char *ledger, log[700], id[65];

    restart_quick(bench);
    hills = create(bench, "hills", 2, 2);
    for (int i = 0; i < 9; i++)
        assert_true(change(hills, (struct stamp){ { i, i, 90, 90 }, (uint16_t)i, false }, NULL,
                           NULL, &changed, &why));
    work_for(bench, 0.5);
    landscapes_numbers(bench->all, &numbers);
    assert_true(numbers.write_backs > 0);
    assert_false(landscapes_trouble(bench->all, id, &why));
    ledger = scratch_ledger(bench->folder);
    snprintf(log, sizeof log, "%s-wal", ledger);
    assert_int_equal(stat(log, &about), 0);
    assert_int_equal(about.st_size, 0);
    free(ledger);
    assert_true(
        change(hills, (struct stamp){ { 0, 0, 9, 9 }, 77, false }, NULL, NULL, &changed, &why));
    assert_int_equal(changed.version, 11);
    landscape_drop(hills);
    restart(bench);
    hills = find(bench, "hills");
    assert_int_equal(height_of(hills, 8, 8), 77);
    assert_int_equal(height_of(hills, 20, 20), 8);
    landscape_drop(hills);
}

static void damage_is_found_in_the_background_and_told_once(void **state)
{
    static const unsigned char zstd[4] = { 0x28, 0xb5, 0x2f, 0xfd };
    struct bench *bench = *state;
    struct view *rough = scratch_rough(2, 2, 3);
    struct fault why = { 0 };
    struct landscape *hills = landscapes_create(bench->all, "hills", rough, "{}", &why);
    char *ledger = scratch_ledger(bench->folder), id[65];

    assert_non_null(hills);
    landscape_drop(hills);
    restart_quick(bench);
    landscape_drop(find(bench, "hills"));
    scratch_flip(ledger, zstd, sizeof zstd);
    work_for(bench, 0.5);
    assert_true(landscapes_trouble(bench->all, id, &why));
    assert_string_equal(id, "hills");
    assert_int_equal(why.code, FAULT_STORAGE);
    restart(bench);
    assert_null(landscapes_find(bench->all, "hills", &why)); /* it cannot be read any more, */
    assert_int_equal(why.code, FAULT_STORAGE);
    assert_true(landscapes_delete(bench->all, "hills", NULL, &why)); /* but it can be deleted */
    view_drop(rough);
    free(ledger);
}

static void a_failing_disk_refuses_the_change_and_recovers_by_itself(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 2, 2);
    struct landscape_changed changed;
    struct fault why = { 0 };
    char full[4096];
    int refused = 0, answered = 0;

    assert_non_null(realpath(bench->folder, full));
    setenv("FAULT_IO_FOLDER", full, 1);
    for (int i = 0; i < 60; i++) {
        uint64_t before = version_of(hills);
        uint16_t code = (uint16_t)(3000 + i);
        struct fault said = { 0 };

        fault_io_nth(1 + i % 6, i % 2 ? EIO : ENOSPC);
        if (change(hills, (struct stamp){ { 100, 100, 60, 60 }, code, false }, NULL, NULL, &changed,
                   &said)) {
            answered++;
            assert_int_equal(changed.version, version_of(hills));
            assert_int_equal(height_of(hills, 159, 159), code);
        } else {
            refused++;
            assert_true(said.code == FAULT_STORAGE || said.code == FAULT_FULL);
            assert_int_equal(version_of(hills), before);
        }
        fault_io_nth(0, 0);
    }
    unsetenv("FAULT_IO_FOLDER");
    assert_true(refused > 5 && answered > 5);
    assert_true(
        change(hills, (struct stamp){ { 0, 0, 5, 5 }, 4711, false }, NULL, NULL, &changed, &why));
    landscape_drop(hills);
    restart(bench);
    hills = find(bench, "hills");
    assert_int_equal(version_of(hills), changed.version);
    assert_int_equal(height_of(hills, 4, 4), 4711);
    landscape_drop(hills);
}

/* Its files may be closed while it is open what the last change came to: whoever closes them
 * had decided so before. What had reached the disk is then found in the file. */
static void files_closed_after_a_failure_are_no_end(void **state)
{
    struct bench *bench = *state;
    struct landscape *hills = create(bench, "hills", 2, 2);
    struct landscape_changed changed;
    struct fault why = { 0 };
    char full[4096], control[4200];
    FILE *file;

    assert_true(
        change(hills, (struct stamp){ { 0, 0, 9, 9 }, 4710, false }, NULL, NULL, &changed, &why));
    assert_non_null(realpath(bench->folder, full));
    snprintf(control, sizeof control, "%s/control", full);
    file = fopen(control, "w");
    assert_non_null(file);
    fputs("EIO 0 1000\n", file); /* no flush succeeds */
    fclose(file);
    setenv("FAULT_IO_FOLDER", full, 1);
    setenv("FAULT_IO_CONTROL", control, 1);
    assert_false(
        change(hills, (struct stamp){ { 9, 9, 5, 5 }, 4711, false }, NULL, NULL, &changed, &why));
    pthread_mutex_lock(&hills->turn);
    landscape_rest(hills);
    pthread_mutex_unlock(&hills->turn);
    unsetenv("FAULT_IO_CONTROL");
    unsetenv("FAULT_IO_FOLDER");
    remove(control);
    if (!change(hills, (struct stamp){ { 0, 0, 5, 5 }, 4712, false }, NULL, NULL, &changed, &why))
        fail_msg("%s", why.detail);
    assert_int_equal(changed.version, version_of(hills));
    assert_int_equal(height_of(hills, 4, 4), 4712);
    landscape_drop(hills);
    restart(bench);
    hills = find(bench, "hills");
    assert_int_equal(version_of(hills), changed.version);
    assert_int_equal(height_of(hills, 4, 4), 4712);
    assert_int_equal(height_of(hills, 8, 8), 4710);
    landscape_drop(hills);
}

static void an_etag_matches_as_http_says(void **state)
{
    (void)state;
    assert_true(etag_matches("*", "\"1\"", false));
    assert_true(etag_matches("\"1\"", "\"1\"", false));
    assert_true(etag_matches(" \"0\" ,\t\"1\" ", "\"1\"", false));
    assert_false(etag_matches("\"11\"", "\"1\"", false));
    assert_false(etag_matches("\"1", "\"1\"", false));
    assert_false(etag_matches("1", "\"1\"", false));
    assert_false(etag_matches("", "\"1\"", false));
    assert_false(etag_matches("W/\"1\"", "\"1\"", false));
    assert_true(etag_matches("W/\"1\"", "\"1\"", true));
    assert_true(etag_matches("\"a,\", \"1\"", "\"1\"", false));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_change_is_a_version_that_survives_a_restart),
        TEST(a_change_that_fails_or_changes_nothing_keeps_the_version),
        TEST(a_condition_that_does_not_hold_is_stale),
        TEST(a_dry_run_answers_and_leaves_no_trace),
        TEST(a_repeated_key_repeats_the_answer_even_after_a_restart),
        TEST(a_key_of_another_request_is_refused),
        TEST(writers_take_turns_and_share_flushes),
        TEST(older_versions_can_be_named_while_they_are_kept),
        TEST(an_id_is_listed_found_and_taken_once),
        TEST(a_deleted_landscape_is_gone_but_its_views_stay),
        TEST(a_copy_begins_at_version_one_in_every_stamp),
        TEST(too_large_a_landscape_is_refused),
        TEST(the_least_used_make_room_and_come_back_when_asked_for),
        TEST(the_background_loads_everything_and_writes_back),
        TEST(everything_may_happen_at_once),
        TEST(an_idle_landscape_is_written_back_closed_and_checked),
        TEST(damage_is_found_in_the_background_and_told_once),
        TEST(a_failing_disk_refuses_the_change_and_recovers_by_itself),
        TEST(files_closed_after_a_failure_are_no_end),
        cmocka_unit_test(an_etag_matches_as_http_says),
    };

    return cmocka_run_group_tests_name("landscape", tests, NULL, NULL);
}

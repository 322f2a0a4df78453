/* Those who follow a landscape: a record a version, in order, and never before it can be read. */
#include "tests/store/scratch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/landscape.h"
#include "terrain/landscape_feed.h"

enum { KEPT = 32, WRITERS = 4, WRITES = 60, TINY_BYTES = 1 << 20 };

struct bench {
    char *folder;
    struct landscapes *all;
    struct landscapes_limits limits;
};

static int begin_with(void **state, int64_t memory_bytes)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct fault why = { 0 };

    bench->folder = scratch_new();
    bench->limits = (struct landscapes_limits){ .vertices = 1 << 24,
                                                .memory_bytes = memory_bytes,
                                                .waiting_changes = 512,
                                                .history_bytes = 1 << 26,
                                                .kept_records = KEPT };
    if (!landscapes_open(bench->folder, &bench->limits, &bench->all, &why))
        fail_msg("%s", why.detail);
    *state = bench;
    return 0;
}

static int begin(void **state)
{
    return begin_with(state, 1 << 28);
}

/* Room for one large landscape and some small ones. */
static int begin_tiny(void **state)
{
    return begin_with(state, TINY_BYTES);
}

static int end(void **state)
{
    struct bench *bench = *state;

    landscapes_close(bench->all);
    scratch_remove(bench->folder);
    free(bench);
    return 0;
}

static struct landscape *create(struct bench *bench, const char *id, int32_t cx)
{
    struct view *content = scratch_rough(cx, cx, 1);
    struct fault why = { 0 };
    struct landscape *made = landscapes_create(bench->all, id, content, "{}", &why);

    view_drop(content);
    if (!made)
        fail_msg("%s", why.detail);
    return made;
}

/* ---- changes ---- */

static bool one_vertex(void *context, struct draft *draft, struct fault *why)
{
    const uint16_t *code = context;

    return draft_write_heights(draft, (struct rect){ 3, 4, 1, 1 }, code, 1, why);
}

static bool one_hole(void *context, struct draft *draft, struct fault *why)
{
    static const uint8_t hole = 1;

    (void)context;
    return draft_write_holes(draft, (struct rect){ 5, 6, 1, 1 }, &hole, 1, why);
}

static bool other_title(void *context, struct draft *draft, struct fault *why)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);

    (void)context;
    assert_non_null(settings);
    strcpy(settings->title, "another");
    return draft_settings(draft, &settings, why);
}

static void change(struct landscape *landscape,
                   bool (*make)(void *context, struct draft *draft, struct fault *why),
                   void *context, const char *author)
{
    const struct landscape_change asked = { .make = make, .context = context, .author = author };
    struct landscape_changed changed;
    struct fault why = { 0 };

    if (!landscape_change(landscape, &asked, &changed, &why))
        fail_msg("%s", why.detail);
}

static void set_height(struct landscape *landscape, uint16_t code)
{
    change(landscape, one_vertex, &code, NULL);
}

/* ---- followers ---- */

struct follower {
    struct watch watch; /* first */
    _Atomic int woken;
};

static void woken(struct watch *watch)
{
    atomic_fetch_add(&((struct follower *)watch)->woken, 1);
}

static void each_version_tells_what_it_changed(void **state)
{
    struct landscape *landscape = create(*state, "told", 1);
    struct landscape_record records[8];
    struct landscape_news news;
    uint16_t code = 7;

    change(landscape, one_vertex, &code, "anna");
    change(landscape, one_hole, NULL, NULL);
    change(landscape, other_title, NULL, "bert");
    change(landscape, one_vertex, &code, "nothing comes of this one");
    assert_int_equal(landscape_feed_read(landscape, 1, 8, records, &news), 3);
    assert_false(news.missed || news.deleted);
    assert_int_equal(news.newest, 4);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(records[i].version, i + 2);
    assert_int_equal(records[0].what, CHANGE_HEIGHTS | CHANGE_LAYERS);
    assert_string_equal(records[0].author, "anna");
    assert_int_equal(records[0].dirty.x, 3);
    assert_int_equal(records[0].dirty.y, 4);
    assert_int_equal(rect_area(records[0].dirty), 1);
    assert_int_equal(records[0].vertices, 1);
    assert_int_equal(records[1].what, CHANGE_HOLES | CHANGE_LAYERS);
    assert_string_equal(records[1].author, "");
    assert_int_equal(records[2].what, CHANGE_SETTINGS);
    assert_true(rect_empty(records[2].dirty));
    assert_int_equal(landscape_feed_read(landscape, 2, 1, records, &news), 1);
    assert_int_equal(records[0].version, 3);
    assert_int_equal(landscape_feed_read(landscape, 4, 8, records, &news), 0);
    assert_false(news.missed);
    landscape_drop(landscape);
}

static void who_fell_behind_or_dreams_is_told_so(void **state)
{
    struct landscape *landscape = create(*state, "long", 1);
    struct landscape_record records[KEPT];
    struct landscape_news news;

    for (int i = 0; i < KEPT + 10; i++) /* versions 2 to KEPT + 11 */
        set_height(landscape, (uint16_t)i);
    assert_int_equal(landscape_feed_read(landscape, 11, KEPT, records, &news), KEPT);
    assert_false(news.missed);
    assert_int_equal(records[0].version, 12);
    assert_int_equal(records[KEPT - 1].version, KEPT + 11);
    assert_int_equal(landscape_feed_read(landscape, 10, KEPT, records, &news), 0);
    assert_true(news.missed);
    assert_int_equal(news.newest, KEPT + 11);
    assert_int_equal(landscape_feed_read(landscape, KEPT + 12, KEPT, records, &news), 0);
    assert_true(news.missed);
    landscape_drop(landscape);
}

/* `told` is put away, as two that fill all memory are made, and found again. */
static struct landscape *put_away(struct bench *bench)
{
    struct fault why = { 0 };
    struct landscape *found;

    landscape_drop(create(bench, "one", 4));
    landscape_drop(create(bench, "other", 4));
    found = landscapes_find_at_once(bench->all, "told", &why);
    assert_null(found);
    assert_int_equal(why.code, FAULT_NONE);
    found = landscapes_find(bench->all, "told", &why);
    assert_non_null(found);
    return found;
}

static void following_does_not_keep_it_in_memory(void **state)
{
    struct follower follower = { .watch.wake = woken };
    struct landscape *landscape = create(*state, "told", 1), *again;
    struct landscape_record record;
    struct landscape_news news;

    set_height(landscape, 8);
    landscape_feed_watch(landscape, &follower.watch);
    landscape_drop(landscape);
    again = put_away(*state);
    assert_ptr_equal(again, landscape);
    assert_int_equal(landscape_feed_read(again, 1, 1, &record, &news), 1);
    assert_int_equal(atomic_load(&follower.woken), 0);
    set_height(again, 9);
    assert_int_equal(atomic_load(&follower.woken), 1);
    assert_int_equal(landscape_feed_read(again, 2, 1, &record, &news), 1);
    assert_int_equal(record.version, 3);
    landscape_feed_unwatch(again, &follower.watch);
    set_height(again, 10);
    assert_int_equal(atomic_load(&follower.woken), 1);
    landscape_drop(again);
}

static void what_nobody_follows_is_forgotten_with_the_rest(void **state)
{
    struct landscape *landscape = create(*state, "told", 1);
    struct landscape_record record;
    struct landscape_news news;

    set_height(landscape, 8);
    landscape_drop(landscape);
    landscape = put_away(*state);
    assert_int_equal(landscape_feed_read(landscape, 1, 1, &record, &news), 0);
    assert_true(news.missed);
    assert_int_equal(landscape_feed_read(landscape, 2, 1, &record, &news), 0);
    assert_false(news.missed);
    landscape_drop(landscape);
}

static void restart(struct bench *bench)
{
    struct fault why = { 0 };

    landscapes_close(bench->all);
    if (!landscapes_open(bench->folder, &bench->limits, &bench->all, &why))
        fail_msg("%s", why.detail);
}

static struct landscape *find(struct bench *bench, const char *id)
{
    struct fault why = { 0 };
    struct landscape *found = landscapes_find(bench->all, id, &why);

    if (!found)
        fail_msg("%s", why.detail);
    return found;
}

/* What the log recalls is what was told. */
static void after_a_restart_the_log_knows(void **state)
{
    struct bench *bench = *state;
    struct landscape *landscape = create(bench, "told", 1);
    struct landscape_record before[8], after[8];
    struct landscape_news news;
    struct fault why = { 0 };
    uint16_t code = 7;

    change(landscape, one_vertex, &code, "anna");
    change(landscape, one_hole, NULL, NULL);
    change(landscape, other_title, NULL, "bert");
    assert_int_equal(landscape_feed_read(landscape, 1, 8, before, &news), 3);
    landscape_drop(landscape);
    restart(bench);
    landscape = find(bench, "told");
    code = 8;
    change(landscape, one_vertex, &code, NULL);
    assert_int_equal(landscape_feed_read(landscape, 1, 8, after, &news), 0);
    assert_true(news.missed && news.logged);
    assert_true(landscape_feed_recall(landscape, 2, &why));
    assert_int_equal(landscape_feed_read(landscape, 2, 8, after, &news), 3);
    assert_true(landscape_feed_recall(landscape, 1, &why));
    assert_int_equal(landscape_feed_read(landscape, 1, 8, after, &news), 4);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(after[i].version, before[i].version);
        assert_memory_equal(&after[i].dirty, &before[i].dirty, sizeof before[i].dirty);
        assert_int_equal(after[i].vertices, before[i].vertices);
        assert_int_equal(after[i].what, before[i].what);
        assert_int_equal(after[i].kind, before[i].kind);
        assert_string_equal(after[i].author, before[i].author);
    }
    assert_int_equal(after[3].version, 5);
    change(landscape, one_hole, NULL, "carl");
    landscape_feed_read(landscape, 0, 8, after, &news);
    assert_true(news.missed && news.logged);
    assert_true(landscape_feed_recall(landscape, 0, &why)); /* nothing made the first version */
    landscape_feed_read(landscape, 0, 8, after, &news);
    assert_true(news.missed && !news.logged);
    landscape_drop(landscape);
}

static void the_log_is_asked_for_no_more_than_is_kept(void **state)
{
    struct bench *bench = *state;
    struct landscape *landscape = create(bench, "long", 1);
    struct landscape_record records[KEPT];
    struct landscape_news news;
    struct fault why = { 0 };

    for (int i = 0; i < KEPT + 10; i++) /* versions 2 to KEPT + 11 */
        set_height(landscape, (uint16_t)i);
    landscape_drop(landscape);
    restart(bench);
    landscape = find(bench, "long");
    landscape_feed_read(landscape, 10, KEPT, records, &news);
    assert_true(news.missed && !news.logged);
    landscape_feed_read(landscape, 11, KEPT, records, &news);
    assert_true(news.missed && news.logged);
    assert_true(landscape_feed_recall(landscape, 11, &why));
    assert_int_equal(landscape_feed_read(landscape, 11, KEPT, records, &news), KEPT);
    assert_int_equal(records[0].version, 12);
    set_height(landscape, 5000); /* the oldest makes room */
    landscape_feed_read(landscape, 11, KEPT, records, &news);
    assert_true(news.missed && !news.logged);
    assert_int_equal(landscape_feed_read(landscape, 12, KEPT, records, &news), KEPT);
    assert_int_equal(records[KEPT - 1].version, KEPT + 12);
    landscape_drop(landscape);
}

static void a_deletion_is_told(void **state)
{
    struct follower follower = { .watch.wake = woken };
    struct bench *bench = *state;
    struct landscape *landscape = create(bench, "brief", 1);
    struct landscape_record record;
    struct landscape_news news;
    struct fault why = { 0 };

    landscape_feed_watch(landscape, &follower.watch);
    landscape_drop(landscape);
    assert_true(landscapes_delete(bench->all, "brief", NULL, &why));
    assert_int_equal(atomic_load(&follower.woken), 1);
    assert_int_equal(landscape_feed_read(landscape, 1, 1, &record, &news), 0);
    assert_true(news.deleted);
    landscape_feed_unwatch(landscape, &follower.watch);
}

/* ---- many at once ---- */

struct race {
    struct landscape *landscape;
    _Atomic int writers;
};

static void *write_on(void *context)
{
    struct race *race = context;

    for (int i = 0; i < WRITES; i++)
        set_height(race->landscape, (uint16_t)(i * 2 + (i & 1)));
    atomic_fetch_sub(&race->writers, 1);
    return NULL;
}

static uint64_t version_of(struct landscape *landscape)
{
    struct view *view = landscape_view(landscape);
    uint64_t version = view->version;

    view_drop(view);
    return version;
}

static void a_follower_of_many_writers_sees_each_version_once_and_can_read_it(void **state)
{
    struct race race = { create(*state, "raced", 1), WRITERS };
    struct landscape_record records[KEPT];
    struct landscape_news news;
    pthread_t threads[WRITERS];
    uint64_t at = 1;

    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_on, &race), 0);
    for (bool more = true; more;) {
        more = atomic_load(&race.writers) > 0;
        for (size_t count = 1; count;) {
            count = landscape_feed_read(race.landscape, at, KEPT, records, &news);
            assert_true(version_of(race.landscape) >= news.newest);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(records[i].version, ++at);
            if (news.missed)
                at = news.newest; /* slower than the writers: told, and going on */
        }
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(at, version_of(race.landscape));
    landscape_drop(race.landscape);
}

#define CASE(name)      cmocka_unit_test_setup_teardown(name, begin, end)
#define CASE_TINY(name) cmocka_unit_test_setup_teardown(name, begin_tiny, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(each_version_tells_what_it_changed),
        CASE(who_fell_behind_or_dreams_is_told_so),
        CASE_TINY(following_does_not_keep_it_in_memory),
        CASE_TINY(what_nobody_follows_is_forgotten_with_the_rest),
        CASE(after_a_restart_the_log_knows),
        CASE(the_log_is_asked_for_no_more_than_is_kept),
        CASE(a_deletion_is_told),
        CASE(a_follower_of_many_writers_sees_each_version_once_and_can_read_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

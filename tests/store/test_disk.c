/* Each write and each flush of a store's life fails once: nothing that was promised is lost,
 * nothing is there by half, and whatever failed works when it is tried again. LANDSCAPED_SOAK=1
 * tries them all, otherwise every seventh. */
#include "tests/store/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/landscape.h"
#include "terrain/store/store.h"
#include "tests/server/fault_io.h"

struct life {
    char *folder;
    struct store *store;
    struct ledger *ledger;
    struct view *view; /* what the ledger must hold */
    struct dice dice;
    int failures;
    bool disk_full; /* the error that was asked for */
};

static void count_failure(struct life *life, const struct fault *why)
{
    life->failures++;
    assert_true(why->code == FAULT_STORAGE || why->code == FAULT_FULL);
    assert_true(why->code != FAULT_FULL || life->disk_full);
    assert_true(strlen(why->detail) > 10);
}

static void open_store(struct life *life)
{
    struct fault why = { 0 };

    if (store_open(life->folder, &life->store, &why))
        return;
    count_failure(life, &why);
    assert_true(store_open(life->folder, &life->store, &why));
}

static void create(struct life *life, const char *id)
{
    struct fault why = { 0 };
    struct view *view = scratch_rough(1, 2, 17);
    struct ledger *ledger = NULL;

    if (!store_create(life->store, id, view, "{}", NULL, &ledger, &why)) {
        count_failure(life, &why);
        /* Whether it is there after all is up to the catalogue; by half it is not. */
        if (!store_create(life->store, id, view, "{}", NULL, &ledger, &why))
            fail_msg("%s", why.detail);
    }
    if (life->view) {
        view_drop(view);
        ledger_close(ledger);
        return;
    }
    life->view = view;
    life->ledger = ledger;
}

/* After a failure: what is durable is what was known, or the version that had failed. */
static bool settle(struct life *life, struct view *next)
{
    struct fault why = { 0 };
    struct view *newest;
    bool there;

    if (!ledger_doubtful(life->ledger))
        return false;
    newest = ledger_recover(life->ledger, life->view, &why);
    if (!newest)
        newest = ledger_recover(life->ledger, life->view, &why);
    if (!newest)
        fail_msg("%s", why.detail);
    there = newest->version == next->version;
    assert_true(there || newest == life->view);
    view_drop(newest);
    return there;
}

static void edit(struct life *life)
{
    struct change change;
    struct view *next = scratch_edit(life->view, &life->dice, &change);
    struct ledger_edit row = { life->view, next, &change, NULL, "{}", NULL, 0, 0 };
    struct fault why = { 0 };

    if (!ledger_commit(life->ledger, &row, 1, &why)) {
        count_failure(life, &why);
        if (!settle(life, next) && !ledger_commit(life->ledger, &row, 1, &why))
            fail_msg("%s", why.detail);
    }
    view_drop(life->view);
    life->view = next;
}

static void write_back(struct life *life, int64_t history)
{
    struct fault why = { 0 };
    bool more = true;

    for (int i = 0; more; i++) {
        assert_true(i < 100);
        if (ledger_write_back(life->ledger, life->view, true, history, &more, &why))
            continue;
        count_failure(life, &why);
        settle(life, life->view);
        more = true;
    }
}

static void reload(struct life *life)
{
    struct fault why = { 0 };
    struct view *loaded;

    ledger_close(life->ledger);
    life->ledger = NULL;
    if (!ledger_open(life->store, life->view->incarnation, &life->ledger, &why)) {
        count_failure(life, &why);
        if (!ledger_open(life->store, life->view->incarnation, &life->ledger, &why))
            fail_msg("%s", why.detail);
    }
    loaded = ledger_load(life->ledger, &why);
    if (!loaded)
        fail_msg("%s", why.detail);
    scratch_assert_same(life->view, loaded);
    view_drop(loaded);
}

static void remove_other(struct life *life, uint64_t incarnation)
{
    struct fault why = { 0 };

    if (store_delete(life->store, "other", incarnation, &why))
        return;
    count_failure(life, &why);
    if (!store_delete(life->store, "other", incarnation, &why))
        assert_int_equal(why.code, FAULT_MISSING);
}

struct found {
    int count;
    uint64_t other;
};

static bool note(void *context, const struct store_entry *entry)
{
    struct found *found = context;

    found->count++;
    if (strcmp(entry->id, "other") == 0)
        found->other = entry->incarnation;
    return true;
}

static struct found look(struct life *life)
{
    struct found found = { 0 };
    struct fault why = { 0 };

    if (!store_each(life->store, note, &found, &why)) {
        count_failure(life, &why);
        found = (struct found){ 0 };
        assert_true(store_each(life->store, note, &found, &why));
    }
    return found;
}

/* From the first start to the last stop, with what a crash leaves in between. */
static void live(struct life *life)
{
    open_store(life);
    create(life, "one");
    for (int i = 0; i < 3; i++)
        edit(life);
    reload(life);
    write_back(life, 1 << 30);
    edit(life);
    create(life, "other");
    assert_int_equal(look(life).count, 2);
    remove_other(life, look(life).other);
    edit(life);
    write_back(life, 0);
    edit(life);
    reload(life);
    ledger_close(life->ledger);
    store_close(life->store);
    life->ledger = NULL;
    life->store = NULL;
}

static void assert_kept(struct life *life)
{
    char *only;

    open_store(life);
    assert_int_equal(look(life).count, 1);
    reload(life);
    only = scratch_ledger(life->folder);
    free(only);
}

static void finish(struct life *life)
{
    ledger_close(life->ledger);
    store_close(life->store);
    view_drop(life->view);
    unsetenv("FAULT_IO_FOLDER");
    scratch_remove(life->folder);
}

/* Lives that many lives, in each of which another call fails, until none is left to fail. */
static void fail_each(int error, int first)
{
    int step = getenv("LANDSCAPED_SOAK") ? 1 : 7, lives = 0;
    bool happened = true;

    for (int nth = step == 1 ? 1 : first; happened; nth += step, lives++) {
        struct life life = { .folder = scratch_new(), .dice = { 4 }, .disk_full = error == ENOSPC };
        char full[4096];

        assert_non_null(realpath(life.folder, full));
        setenv("FAULT_IO_FOLDER", full, 1);
        fault_io_nth(nth, error);
        live(&life);
        happened = fault_io_happened();
        fault_io_nth(0, 0);
        assert_kept(&life);
        finish(&life);
    }
    print_message("%d calls failed, one a life\n", lives - 1);
    assert_true(lives * step > 200);
}

static void a_store_outlives_an_io_error_anywhere(void **state)
{
    (void)state;
    fail_each(EIO, 1);
}

static void a_store_outlives_a_full_disk_anywhere(void **state)
{
    (void)state;
    fail_each(ENOSPC, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_outlives_an_io_error_anywhere),
        cmocka_unit_test(a_store_outlives_a_full_disk_anywhere),
    };

    return cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}

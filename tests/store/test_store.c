/* The store: what was committed is there again, whole landscapes only, one process a folder. */
#include "tests/store/scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terrain/store/store.h"

struct bench {
    char *folder;
    struct store *store;
    struct ledger *ledger;
    struct view *view; /* what the ledger must hold */
};

static int begin(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct fault why = { 0 };

    bench->folder = scratch_new();
    assert_true(store_open(bench->folder, &bench->store, &why));
    *state = bench;
    return 0;
}

static int end(void **state)
{
    struct bench *bench = *state;

    ledger_close(bench->ledger);
    store_close(bench->store);
    view_drop(bench->view);
    scratch_remove(bench->folder);
    free(bench);
    return 0;
}

static void create(struct bench *bench, const char *id, struct view *view)
{
    struct fault why = { 0 };

    bench->view = view;
    assert_true(store_create(bench->store, id, view, "{}", NULL, &bench->ledger, &why));
    assert_int_not_equal(view->incarnation, 0);
}

/* As after a stop, clean or not: nothing is written when the store is closed. */
static void reopen(struct bench *bench)
{
    struct fault why = { 0 };

    ledger_close(bench->ledger);
    store_close(bench->store);
    bench->ledger = NULL;
    assert_true(store_open(bench->folder, &bench->store, &why));
    assert_true(ledger_open(bench->store, bench->view->incarnation, &bench->ledger, &why));
}

static void assert_kept(struct bench *bench)
{
    struct fault why = { 0 };
    struct view *loaded = ledger_load(bench->ledger, &why);

    if (!loaded)
        fail_msg("%s", why.detail);
    scratch_assert_same(bench->view, loaded);
    view_drop(loaded);
}

static void commit(struct bench *bench, struct view *next, const struct change *change,
                   const char *once)
{
    struct ledger_edit row = { bench->view, next, change, "somebody", "{\"ops\":[]}", once, 0, 0 };
    struct fault why = { 0 };

    assert_true(ledger_commit(bench->ledger, &row, 1, &why));
    view_drop(bench->view);
    bench->view = next;
}

static void edit(struct bench *bench, struct dice *dice, const char *once)
{
    struct change change;
    struct view *next = scratch_edit(bench->view, dice, &change);

    commit(bench, next, &change, once);
}

static void write_back(struct bench *bench, bool idle, int64_t history)
{
    struct fault why = { 0 };
    bool more = true;

    for (int slices = 0; more; slices++) {
        assert_true(slices < 1000);
        assert_true(ledger_write_back(bench->ledger, bench->view, idle, history, &more, &why));
    }
}

static bool count_one(void *context, const struct store_entry *entry)
{
    assert_string_equal(entry->request, "{}");
    ++*(int64_t *)context;
    return true;
}

static int64_t count_entries(struct bench *bench)
{
    struct fault why = { 0 };
    int64_t count = 0;

    assert_true(store_each(bench->store, count_one, &count, &why));
    return count;
}

static void a_created_landscape_is_there_after_a_restart(void **state)
{
    struct bench *bench = *state;

    create(bench, "hills", scratch_rough(2, 1, 1));
    reopen(bench);
    assert_int_equal(count_entries(bench), 1);
    assert_kept(bench);
}

static void a_flat_landscape_needs_no_blocks(void **state)
{
    struct bench *bench = *state;
    struct view *loaded;
    struct fault why = { 0 };

    create(bench, "plain", scratch_flat(3, 2, 40000));
    reopen(bench);
    assert_kept(bench);
    loaded = ledger_load(bench->ledger, &why);
    assert_null(loaded->planes[PLANE_HEIGHTS].root.below);
    view_drop(loaded);
}

static void committed_edits_are_replayed(void **state)
{
    struct bench *bench = *state;
    struct dice dice = { 7 };

    create(bench, "hills", scratch_flat(3, 2, 32768));
    for (int i = 0; i < 20; i++)
        edit(bench, &dice, NULL);
    reopen(bench);
    assert_kept(bench);
}

static void write_back_may_stop_after_any_slice(void **state)
{
    struct bench *bench = *state;
    struct dice dice = { 11 };
    struct fault why = { 0 };

    create(bench, "hills", scratch_rough(3, 3, 2));
    for (int round = 0; round < 30; round++) {
        int edits = dice_between(&dice, 0, 4), slices = dice_between(&dice, 0, 4);
        bool more;

        for (int i = 0; i < edits; i++)
            edit(bench, &dice, NULL);
        for (int i = 0; i < slices; i++)
            assert_true(ledger_write_back(bench->ledger, bench->view, i == 2, 100000, &more, &why));
        if (dice_between(&dice, 0, 1))
            reopen(bench);
        assert_kept(bench);
    }
    write_back(bench, true, 0);
    reopen(bench);
    assert_kept(bench);
}

/* Layers that come, go and come back, and other sizes, whatever has been written back by then. */
static void layers_and_sizes_are_kept(void **state)
{
    struct bench *bench = *state;
    struct dice dice = { 12 };
    struct fault why = { 0 };

    create(bench, "hills", scratch_rough(2, 2, 2));
    for (int round = 0; round < 40; round++) {
        int edits = dice_between(&dice, 0, 4), slices = dice_between(&dice, 0, 4);
        bool more;

        for (int i = 0; i < edits; i++) {
            struct change change;
            struct view *next = scratch_change(bench->view, &dice, &change);

            if (next == bench->view)
                view_drop(next);
            else
                commit(bench, next, &change, NULL);
        }
        for (int i = 0; i < slices; i++)
            assert_true(ledger_write_back(bench->ledger, bench->view, i == 2, 100000, &more, &why));
        if (dice_between(&dice, 0, 1))
            reopen(bench);
        assert_kept(bench);
    }
    write_back(bench, true, 0);
    reopen(bench);
    assert_kept(bench);
}

static void after_a_write_back_nothing_is_replayed_and_the_log_is_empty(void **state)
{
    struct bench *bench = *state;
    struct dice dice = { 5 };
    uint64_t edits;
    int64_t bytes;
    struct stat about;
    char *ledger, log[700];

    create(bench, "hills", scratch_flat(2, 2, 100));
    for (int i = 0; i < 5; i++)
        edit(bench, &dice, NULL);
    ledger_behind(bench->ledger, &edits, &bytes);
    assert_int_equal(edits, 5);
    assert_true(bytes > 0);
    write_back(bench, true, 1 << 30);
    ledger_behind(bench->ledger, &edits, &bytes);
    assert_int_equal(edits, 0);
    assert_int_equal(bytes, 0);
    ledger = scratch_ledger(bench->folder);
    snprintf(log, sizeof log, "%s-wal", ledger);
    assert_int_equal(stat(log, &about), 0);
    assert_int_equal(about.st_size, 0);
    free(ledger);
}

static void history_beyond_the_limit_is_trimmed_once_blocks_do_without(void **state)
{
    struct bench *bench = *state;
    struct dice dice = { 3 };
    struct ledger_answer answer;
    struct fault why = { 0 };
    bool found;

    create(bench, "hills", scratch_flat(2, 2, 100));
    for (int i = 0; i < 10; i++)
        edit(bench, &dice, i == 0 ? "first" : i == 9 ? "last" : NULL);
    write_back(bench, false, 1 << 30);
    assert_true(ledger_once(bench->ledger, "first", "{\"ops\":[]}", &found, &answer, &why));
    assert_true(found);
    write_back(bench, false, 0);
    assert_true(ledger_once(bench->ledger, "first", "{\"ops\":[]}", &found, &answer, &why));
    assert_false(found);
    reopen(bench);
    assert_kept(bench);
    edit(bench, &dice, NULL);
    reopen(bench);
    assert_kept(bench);
}

static void history_is_trimmed_where_changes_never_rest(void **state)
{
    struct bench *bench = *state;
    struct dice dice = { 31 };
    struct ledger_answer answer;
    struct fault why = { 0 };
    bool found, more;

    create(bench, "hills", scratch_flat(1, 1, 100));
    edit(bench, &dice, "first");
    for (int i = 0; i < 40; i++) {
        assert_true(ledger_write_back(bench->ledger, bench->view, false, 0, &more, &why));
        edit(bench, &dice, NULL);
    }
    assert_true(ledger_once(bench->ledger, "first", "{\"ops\":[]}", &found, &answer, &why));
    assert_false(found);
    reopen(bench);
    assert_kept(bench);
}

static void a_key_is_answered_as_it_was_the_first_time(void **state)
{
    struct bench *bench = *state;
    struct change nothing = { 0 };
    struct ledger_answer answer;
    struct ledger_edit none;
    struct dice dice = { 9 };
    struct fault why = { 0 };
    bool found;

    create(bench, "hills", scratch_flat(1, 1, 100));
    edit(bench, &dice, "key");
    none = (struct ledger_edit){ bench->view, bench->view, &nothing, NULL, "other", "idle", 0, 0 };
    assert_true(ledger_commit(bench->ledger, &none, 1, &why));
    edit(bench, &dice, NULL);
    reopen(bench);
    assert_true(ledger_once(bench->ledger, "key", "{\"ops\":[]}", &found, &answer, &why));
    assert_true(found && answer.same_request);
    assert_int_equal(answer.version, 2);
    assert_true(answer.change.vertices > 0);
    assert_true(ledger_once(bench->ledger, "idle", "{\"ops\":[]}", &found, &answer, &why));
    assert_true(found && !answer.same_request);
    assert_int_equal(answer.version, 2);
    assert_int_equal(answer.change.vertices, 0);
    assert_true(ledger_once(bench->ledger, "unknown", NULL, &found, &answer, &why));
    assert_false(found);
}

static void an_edit_of_everything_is_kept_in_parts(void **state)
{
    struct bench *bench = *state;
    struct view *rough = scratch_rough(16, 16, 4);
    struct fault why = { 0 };
    struct change change = { view_rect(rough), 1, false, CHANGE_HEIGHTS };
    struct ledger_edit row;
    int64_t place = 0;

    create(bench, "wide", scratch_flat(16, 16, 32768));
    rough->incarnation = bench->view->incarnation;
    row = (struct ledger_edit){ bench->view, rough, &change, NULL, NULL, NULL, 0, 0 };
    assert_true(ledger_commit(bench->ledger, &row, 1, &why));
    view_drop(bench->view);
    bench->view = rough;
    reopen(bench);
    assert_kept(bench);
    do
        assert_true(ledger_scrub(bench->ledger, &place, &why));
    while (place);
    write_back(bench, true, 1 << 30);
    reopen(bench);
    assert_kept(bench);
}

static void a_deleted_landscape_leaves_no_file(void **state)
{
    struct bench *bench = *state;
    struct fault why = { 0 };
    char *ledger;

    create(bench, "hills", scratch_rough(1, 1, 1));
    ledger = scratch_ledger(bench->folder);
    assert_true(store_delete(bench->store, "hills", bench->view->incarnation, &why));
    assert_int_equal(access(ledger, F_OK), -1);
    assert_int_equal(count_entries(bench), 0);
    assert_false(store_delete(bench->store, "hills", bench->view->incarnation, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    free(ledger);
}

static void an_id_is_taken_once(void **state)
{
    struct bench *bench = *state;
    struct view *again = scratch_flat(1, 1, 1);
    struct ledger *ledger = NULL;
    struct fault why = { 0 };
    char *only;

    create(bench, "hills", scratch_rough(1, 1, 1));
    assert_false(store_create(bench->store, "hills", again, "{}", NULL, &ledger, &why));
    assert_int_equal(why.code, FAULT_CONFLICT);
    only = scratch_ledger(bench->folder); /* fails when the other left a file */
    assert_kept(bench);
    free(only);
    view_drop(again);
}

static void files_that_no_catalogue_names_are_removed_at_the_start(void **state)
{
    struct bench *bench = *state;
    char path[600];
    int file;

    create(bench, "hills", scratch_rough(1, 1, 1));
    snprintf(path, sizeof path, "%s/landscapes/0123456789abcdef.db", bench->folder);
    file = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(file >= 0);
    close(file);
    reopen(bench);
    assert_int_equal(access(path, F_OK), -1);
    assert_kept(bench);
}

static void only_the_owner_may_look(void **state)
{
    struct bench *bench = *state;
    char *ledger;
    char log[700];
    struct stat about;
    struct dice dice = { 1 };

    create(bench, "hills", scratch_rough(1, 1, 1));
    edit(bench, &dice, NULL);
    ledger = scratch_ledger(bench->folder);
    snprintf(log, sizeof log, "%s-wal", ledger);
    assert_int_equal(stat(ledger, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(stat(log, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    snprintf(log, sizeof log, "%s/landscapes", bench->folder);
    assert_int_equal(stat(log, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    free(ledger);
}

static void a_second_process_is_told_who_has_the_folder(void **state)
{
    struct bench *bench = *state;
    struct store *store = NULL;
    struct fault why = { 0 };
    char number[32];
    int status;
    pid_t child = fork();

    if (child == 0)
        _exit(store_open(bench->folder, &store, &why) ? 1 : why.code == FAULT_CONFLICT ? 0 : 2);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_false(store_open(bench->folder, &store, &why));
    assert_int_equal(why.code, FAULT_CONFLICT);
    snprintf(number, sizeof number, "process %ld;", (long)getpid());
    assert_non_null(strstr(why.detail, number));
}

static void a_flipped_bit_is_noticed(void **state)
{
    static const unsigned char zstd[4] = { 0x28, 0xb5, 0x2f, 0xfd };
    struct bench *bench = *state;
    struct fault why = { 0 };
    int64_t place = 0;
    bool sound = true;
    char *ledger;

    create(bench, "hills", scratch_rough(2, 2, 1));
    ledger = scratch_ledger(bench->folder);
    ledger_close(bench->ledger);
    bench->ledger = NULL;
    scratch_flip(ledger, zstd, sizeof zstd);
    reopen(bench);
    assert_null(ledger_load(bench->ledger, &why));
    assert_int_equal(why.code, FAULT_STORAGE);
    assert_non_null(strstr(why.detail, "checksum"));
    do
        sound = ledger_scrub(bench->ledger, &place, &why);
    while (sound && place);
    assert_false(sound);
    free(ledger);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_created_landscape_is_there_after_a_restart),
        TEST(a_flat_landscape_needs_no_blocks),
        TEST(committed_edits_are_replayed),
        TEST(write_back_may_stop_after_any_slice),
        TEST(layers_and_sizes_are_kept),
        TEST(after_a_write_back_nothing_is_replayed_and_the_log_is_empty),
        TEST(history_beyond_the_limit_is_trimmed_once_blocks_do_without),
        TEST(history_is_trimmed_where_changes_never_rest),
        TEST(a_key_is_answered_as_it_was_the_first_time),
        TEST(an_edit_of_everything_is_kept_in_parts),
        TEST(a_deleted_landscape_leaves_no_file),
        TEST(an_id_is_taken_once),
        TEST(files_that_no_catalogue_names_are_removed_at_the_start),
        TEST(only_the_owner_may_look),
        TEST(a_second_process_is_told_who_has_the_folder),
        TEST(a_flipped_bit_is_noticed),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}

/* What was promised is there: after kill -9, after power cuts, on disks that fail and fill up.
 *
 * Each round starts a process that changes landscapes by several threads, ends it, opens the
 * folder here and compares with what the process had been promised. LANDSCAPED_SOAK=1 makes
 * the rounds many.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terrain/landscape_history.h"
#include "tests/server/crash_ground.h"
#include "tests/store/scratch.h"

enum { WRITERS = 8 };

struct bench {
    char *folder, full[4096], control[4200];
    struct dice dice;
    int rounds;

    /* of the process under way */
    pid_t child;
    int from;
    char pending[256];
    size_t pending_length;

    /* what it said */
    int32_t least[WRITERS], most[WRITERS]; /* of what was promised last and tried since */
    int32_t named[CRASH_NAMES];            /* 1 there, 0 not, -1 may be either */
    int64_t acks, refusals;

    /* totals */
    int64_t lost, halves, all_acks, all_refusals;
    double longest_start;
};

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static int begin(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);

    bench->folder = scratch_new();
    assert_non_null(realpath(bench->folder, bench->full));
    snprintf(bench->control, sizeof bench->control, "%s.control", bench->full);
    bench->dice.state = (uint64_t)time(NULL);
    bench->rounds = getenv("LANDSCAPED_SOAK") ? 200 : 6;
    for (int i = 0; i < WRITERS; i++)
        bench->least[i] = bench->most[i] = 1000;
    *state = bench;
    return 0;
}

static int end(void **state)
{
    struct bench *bench = *state;

    unlink(bench->control);
    scratch_remove(bench->folder);
    free(bench);
    return 0;
}

static void disk(const struct bench *bench, const char *line)
{
    char fresh[4300];
    int file;

    snprintf(fresh, sizeof fresh, "%s.new", bench->control);
    file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, line, strlen(line)), strlen(line));
    close(file);
    assert_int_equal(rename(fresh, bench->control), 0);
}

/* The programs stand where this one stands. */
static void beside(char path[4200], const char *name)
{
    ssize_t length = readlink("/proc/self/exe", path, 4000);

    assert_true(length > 0);
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, name);
}

static void start(struct bench *bench, bool preload, bool track)
{
    char writer[4200], library[4200], count[16];
    int ends[2];

    beside(writer, "crash_writer");
    beside(library, "fault_io.so");
    snprintf(count, sizeof count, "%d", WRITERS);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    bench->child = fork();
    if (bench->child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        setenv("FAULT_IO_FOLDER", bench->full, 1);
        setenv("FAULT_IO_CONTROL", bench->control, 1);
        setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
        if (preload)
            setenv("LD_PRELOAD", library, 1);
        if (track)
            setenv("FAULT_IO_TRACK", "1", 1);
        execl(writer, writer, bench->full, count, (char *)NULL);
        _exit(127);
    }
    assert_true(bench->child > 0);
    close(ends[1]);
    bench->from = ends[0];
    bench->pending_length = 0;
}

static void hear(struct bench *bench, const char *line)
{
    char what[16];
    int a, b;

    assert_int_equal(sscanf(line, "%15s %d %d", what, &a, &b), 3);
    if (!strcmp(what, "try")) {
        bench->least[a] = b < bench->least[a] ? b : bench->least[a];
        bench->most[a] = b > bench->most[a] ? b : bench->most[a];
    } else if (!strcmp(what, "ack")) {
        bench->least[a] = bench->most[a] = b;
        bench->acks++;
    } else if (!strcmp(what, "not")) {
        bench->refusals++;
    } else {
        bench->named[a] = !strcmp(what, "made") ? 1 : !strcmp(what, "dropped") ? 0 : -1;
    }
}

/* Hears what is said within so long; false when the process has ended. */
static bool listen_for(struct bench *bench, double seconds)
{
    double until = now() + seconds;
    char *end;

    while (now() < until) {
        struct pollfd poll_for = { bench->from, POLLIN, 0 };
        ssize_t got;

        if (poll(&poll_for, 1, (int)((until - now()) * 1000) + 1) <= 0)
            continue;
        got = read(bench->from, bench->pending + bench->pending_length,
                   sizeof bench->pending - 1 - bench->pending_length);
        if (got <= 0)
            return false;
        bench->pending_length += (size_t)got;
        bench->pending[bench->pending_length] = '\0';
        while ((end = strchr(bench->pending, '\n'))) {
            *end = '\0';
            hear(bench, bench->pending);
            bench->pending_length -= (size_t)(end + 1 - bench->pending);
            memmove(bench->pending, end + 1, bench->pending_length + 1);
        }
    }
    return true;
}

static void finish(struct bench *bench)
{
    int status;

    while (listen_for(bench, 10))
        kill(bench->child, SIGKILL); /* a cut that never came */
    close(bench->from);
    assert_int_equal(waitpid(bench->child, &status, 0), bench->child);
    assert_false(WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL);
}

static void compare(struct bench *bench, const struct view *view)
{
    for (int i = 0; i < WRITERS; i++) {
        int32_t height = crash_ground_height(view, i);

        bench->halves += height < 0;
        bench->lost += height >= 0 && (height < bench->least[i] || height > bench->most[i]);
        bench->least[i] = bench->most[i] = height;
    }
}

/* The history goes on where it was: the last step back and forth again. */
static void step_back_and_forth(struct bench *bench, struct landscape *ground)
{
    struct landscape_change change = { .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct view *view;

    if (!landscape_undo(ground, &change, NULL, &changed, &why)) {
        assert_int_equal(why.code, FAULT_NOTHING_TO_UNDO);
        return;
    }
    if (!landscape_redo(ground, &change, NULL, &changed, &why))
        fail_msg("%s", why.detail);
    view = landscape_view(ground);
    compare(bench, view);
    view_drop(view);
}

/* Opens the folder, as a start would, and compares. */
static void inspect(struct bench *bench)
{
    struct landscapes_limits limits = { .vertices = 1 << 24,
                                        .memory_bytes = 1 << 28,
                                        .waiting_changes = 512,
                                        .history_bytes = 1 << 20 };
    struct landscapes *all = NULL;
    struct landscape *ground = NULL;
    struct fault why = { 0 };
    struct view *view;
    double began = now();
    char id[16];

    if (!landscapes_open(bench->folder, &limits, &all, &why) ||
        !(ground = landscapes_find(all, "ground", &why)))
        fail_msg("%s", why.detail);
    bench->longest_start =
        now() - began > bench->longest_start ? now() - began : bench->longest_start;
    view = landscape_view(ground);
    compare(bench, view);
    view_drop(view);
    step_back_and_forth(bench, ground);
    landscape_drop(ground);
    for (int i = 0; i < CRASH_NAMES; i++) {
        bool there;

        snprintf(id, sizeof id, "t%d", i);
        there = landscapes_has(all, id);
        bench->lost += bench->named[i] >= 0 && there != bench->named[i];
        bench->named[i] = there;
        ground = there ? landscapes_find(all, id, &why) : NULL;
        bench->halves += there && !ground;
        landscape_drop(ground);
    }
    landscapes_close(all);
    bench->all_acks += bench->acks;
    bench->all_refusals += bench->refusals;
    bench->acks = bench->refusals = 0;
}

static void report(const struct bench *bench, const char *what)
{
    print_message("%s: %d rounds, %lld acknowledged, %lld refused, %lld lost, %lld half applied, "
                  "longest start %.0f ms\n",
                  what, bench->rounds, (long long)bench->all_acks, (long long)bench->all_refusals,
                  (long long)bench->lost, (long long)bench->halves, bench->longest_start * 1e3);
    assert_true(bench->all_acks > 0);
    assert_int_equal(bench->lost, 0);
    assert_int_equal(bench->halves, 0);
}

/* The first round makes the ground, and is not cut short. */
static void prepare(struct bench *bench)
{
    disk(bench, "OK\n");
    start(bench, false, false);
    for (int i = 0; bench->acks < WRITERS * 4; i++) {
        assert_true(i < 600);
        assert_true(listen_for(bench, 0.1));
    }
    kill(bench->child, SIGKILL);
    finish(bench);
    inspect(bench);
}

static void nothing_promised_is_lost_by_kill_9(void **state)
{
    struct bench *bench = *state;

    prepare(bench);
    for (int round = 0; round < bench->rounds; round++) {
        start(bench, false, false);
        assert_true(listen_for(bench, dice_real(&bench->dice, 0.02, 0.6)));
        kill(bench->child, SIGKILL);
        finish(bench);
        inspect(bench);
    }
    report(bench, "kill -9");
}

static void nothing_promised_is_lost_when_power_goes(void **state)
{
    struct bench *bench = *state;

    prepare(bench);
    for (int round = 0; round < bench->rounds; round++) {
        disk(bench, "OK\n");
        start(bench, true, true);
        assert_true(listen_for(bench, dice_real(&bench->dice, 0.1, 0.5)));
        disk(bench, round % 2 ? "CUT 30 0\n" : "CUT 0 30\n");
        finish(bench);
        inspect(bench);
    }
    report(bench, "power cut");
}

static void failing_writes_and_flushes_lose_nothing_that_was_promised(void **state)
{
    static const char *const kinds[] = { "EIO 30 0\n", "EIO 0 150\n", "EIO 30 150\n",
                                         "ENOSPC 300 0\n", "ENOSPC 20 50\n" };
    struct bench *bench = *state;

    prepare(bench);
    for (int round = 0; round < bench->rounds; round++) {
        int64_t acks;

        disk(bench, "OK\n");
        start(bench, true, true);
        assert_true(listen_for(bench, 0.2));
        disk(bench, kinds[round % (int)(sizeof kinds / sizeof *kinds)]);
        assert_true(listen_for(bench, dice_real(&bench->dice, 0.2, 0.8)));
        if (round % 2) { /* well again: it goes on by itself */
            disk(bench, "OK\n");
            assert_true(listen_for(bench, 0.3));
            acks = bench->acks;
            for (int i = 0; bench->acks == acks; i++) {
                assert_true(i < 50);
                assert_true(listen_for(bench, 0.1));
            }
        }
        disk(bench, "CUT 100 100\n");
        finish(bench);
        inspect(bench);
    }
    report(bench, "failing disk, then power cut");
}

static void a_full_disk_refuses_changes_until_there_is_room(void **state)
{
    struct bench *bench = *state;
    int64_t acks;

    prepare(bench);
    disk(bench, "OK\n");
    start(bench, true, false);
    assert_true(listen_for(bench, 0.3));
    disk(bench, "ENOSPC 1000 0\n");
    assert_true(listen_for(bench, 0.2));
    acks = bench->acks;
    assert_true(listen_for(bench, 0.5));
    assert_int_equal(bench->acks, acks);
    assert_true(bench->refusals > 0);
    disk(bench, "OK\n");
    for (int i = 0; bench->acks < acks + 100; i++) {
        assert_true(i < 100);
        assert_true(listen_for(bench, 0.1));
    }
    kill(bench->child, SIGKILL);
    finish(bench);
    inspect(bench);
    report(bench, "full disk");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(nothing_promised_is_lost_by_kill_9),
        TEST(nothing_promised_is_lost_when_power_goes),
        TEST(failing_writes_and_flushes_lose_nothing_that_was_promised),
        TEST(a_full_disk_refuses_changes_until_there_is_room),
    };

    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}

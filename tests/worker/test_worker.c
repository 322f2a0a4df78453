/* Helpers answer, die, hang and are replaced; the caller loses one job and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "terrain/worker/worker.h"

static const char *const greeting[] = { "good day", NULL };

static struct worker_pool *pool_of(int count, double deadline, int renewal, int waiting)
{
    struct worker_options options = { .program = "tests/worker/helper",
                                      .arguments = greeting,
                                      .count = count,
                                      .deadline = deadline,
                                      .memory_bytes = (int64_t)1 << 30,
                                      .jobs_before_renewal = renewal,
                                      .poison_seconds = 600,
                                      .waiting_most = waiting };
    struct fault why = { 0 };
    struct worker_pool *pool = NULL;

    if (!worker_pool_start(&options, &pool, &why))
        fail_msg("%s", why.detail);
    return pool;
}

static struct worker_message text_message(const char *text)
{
    return (struct worker_message){ .data = (unsigned char *)(uintptr_t)text,
                                    .length = strlen(text) };
}

static bool says(const struct worker_message *message, const char *text)
{
    return message->length == strlen(text) && memcmp(message->data, text, message->length) == 0;
}

/* One job with one message and one answer; whether the answer is as expected. */
static bool ask(struct worker_pool *pool, const char *text, const char *expected, struct fault *why)
{
    struct worker_message question = text_message(text), answer;
    struct worker *worker = worker_begin(pool, why);
    bool right = false, got;

    if (!worker)
        return false;
    got = worker_send(worker, &question, why) && worker_receive(worker, &answer, why);
    if (got) {
        right = says(&answer, expected);
        worker_message_fini(&answer);
    }
    worker_end(worker, got);
    return right;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void a_job_is_answered(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct fault why = { 0 };
    char hello[100];

    (void)state;
    assert_true(ask(pool, "echo this", "echo this", &why));
    worker_pool_hello(pool, hello, sizeof hello);
    assert_string_equal(hello, "good day");
    worker_pool_stop(pool);
}

static void memory_goes_both_ways_sealed(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct worker_message question = text_message("m5000"), answer;
    struct fault why = { 0 };
    unsigned char *to;
    const unsigned char *from;
    struct worker *worker;

    (void)state;
    question.descriptors[0] = worker_memory(5000, (void **)&to, &why);
    question.count = 1;
    assert_true(question.descriptors[0] >= 0);
    for (int i = 0; i < 5000; i++)
        to[i] = (unsigned char)(i % 200);
    assert_true(worker_memory_seal(question.descriptors[0], to, 5000, &why));

    worker = worker_begin(pool, &why);
    assert_non_null(worker);
    assert_true(worker_send(worker, &question, &why));
    assert_true(worker_receive(worker, &answer, &why));
    worker_end(worker, true);
    assert_int_equal(answer.count, 1);
    from = worker_memory_map(answer.descriptors[0], 5000, &why);
    assert_non_null(from);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(from[i], i % 200 + 1);
    worker_memory_unmap(from, 5000);
    worker_message_fini(&answer);
    close(question.descriptors[0]);
    worker_pool_stop(pool);
}

static void memory_of_another_size_or_without_seals_is_refused(void **state)
{
    struct fault why = { 0 };
    void *mapped;
    int sealed = worker_memory(100, &mapped, &why);
    int loose = memfd_create("loose", MFD_CLOEXEC);

    (void)state;
    assert_true(sealed >= 0 && loose >= 0);
    assert_null(worker_memory_map(sealed, 101, &why));
    assert_int_equal(why.code, FAULT_WORKER);
    assert_null(worker_memory_map(sealed, 0, &why));
    assert_int_equal(ftruncate(loose, 100), 0);
    assert_null(worker_memory_map(loose, 100, &why));
    assert_int_equal(ftruncate(sealed, 50), -1);
    assert_true(worker_memory_seal(sealed, mapped, 100, &why));
    assert_true(mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, sealed, 0) == MAP_FAILED);
    close(sealed);
    close(loose);
}

static void a_death_costs_one_job(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct worker_numbers numbers;

    (void)state;
    for (int i = 0; i < 10; i++) {
        struct fault why = { 0 };

        assert_false(ask(pool, "crash", "", &why));
        assert_int_equal(why.code, FAULT_WORKER);
        assert_non_null(strstr(why.detail, "signal 11"));
        assert_false(ask(pool, "x", "", &why));
        assert_non_null(strstr(why.detail, "status 7"));
        assert_true(ask(pool, "e", "e", &why));
    }
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.jobs, 30);
    assert_int_equal(numbers.failures, 20);
    assert_int_equal(numbers.starts, 21);
    worker_pool_stop(pool);
}

/* A pure job that kills the first so many workers that try it; what the trial comes to. */
static bool try_job(struct worker_pool *pool, const char *name, int deaths, struct fault *why)
{
    struct worker_trial trial = { .pool = pool, .name = name, .length = strlen(name) };
    char order[16];
    struct worker_message question = { .data = (unsigned char *)order, .count = 1 };
    bool right = false, died;
    void *mapped;

    question.length = (size_t)snprintf(order, sizeof order, "d%d", deaths);
    question.descriptors[0] = worker_memory(sizeof(int), &mapped, why);
    assert_true(question.descriptors[0] >= 0);
    if (!worker_trial(&trial, why))
        goto done;
    do {
        struct worker *worker = worker_begin(pool, why);
        struct worker_message answer = { 0 };
        bool got =
            worker && worker_send(worker, &question, why) && worker_receive(worker, &answer, why);

        right = got && says(&answer, "alive");
        worker_message_fini(&answer);
        died = worker && worker_died(worker);
        worker_end(worker, got);
    } while (!right && died && worker_trial_again(&trial, why));

done:
    munmap(mapped, sizeof(int));
    close(question.descriptors[0]);
    return right;
}

/* The one child of this process, and its state; 0 without one. */
static pid_t only_child(char *state)
{
    DIR *tasks = opendir("/proc/self/task");
    int child = 0;

    for (struct dirent *task; tasks && !child && (task = readdir(tasks));) {
        char path[300];
        FILE *file;

        snprintf(path, sizeof path, "/proc/self/task/%s/children", task->d_name);
        file = fopen(path, "r");
        if (file && fscanf(file, "%d", &child) != 1)
            child = 0;
        if (file)
            fclose(file);
    }
    if (tasks)
        closedir(tasks);
    if (child) {
        char path[60];
        FILE *file;

        snprintf(path, sizeof path, "/proc/%d/stat", child);
        file = fopen(path, "r");
        if (!file || fscanf(file, "%*d (%*[^)]) %c", state) != 1)
            child = 0;
        if (file)
            fclose(file);
    }
    return child;
}

static void one_that_dies_while_idle_is_replaced_though_nobody_asks(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct worker_numbers numbers;
    struct fault why = { 0 };
    char process_state = 0;
    pid_t first, next = 0;

    (void)state;
    assert_true(ask(pool, "e", "e", &why));
    first = only_child(&process_state);
    assert_true(first > 0);
    assert_int_equal(kill(first, SIGKILL), 0);
    for (int i = 0; i < 600 && (next == 0 || next == first || process_state == 'Z'); i++) {
        usleep(100000);
        next = only_child(&process_state);
    }
    assert_true(next != first && next > 0 && process_state != 'Z');
    assert_true(ask(pool, "e", "e", &why));
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.starts, 2);
    assert_int_equal(numbers.failures, 1);
    assert_int_equal(numbers.jobs, 2);
    worker_pool_stop(pool);
}

static void a_pure_job_survives_one_death(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct worker_numbers numbers;
    struct fault why = { 0 };

    (void)state;
    assert_true(try_job(pool, "healthy", 0, &why));
    assert_true(try_job(pool, "unlucky", 1, &why));
    assert_true(try_job(pool, "unlucky", 1, &why)); /* one death is held against nobody */
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.failures, 2);
    assert_int_equal(numbers.poisonous, 0);
    worker_pool_stop(pool);
}

/* The second death is the last: the job is not tried again, then or when it is asked for anew,
 * and every answer names the same reference. Others of other names go on. */
static void a_job_that_kills_two_workers_is_poison(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct worker_numbers numbers;
    struct fault first = { 0 }, next = { 0 }, why = { 0 };
    const char *reference;

    (void)state;
    assert_false(try_job(pool, "deadly", 9, &first));
    assert_int_equal(first.code, FAULT_POISON);
    assert_non_null(strstr(first.detail, "status 9"));
    reference = strstr(first.detail, "reference is ");
    assert_non_null(reference);
    assert_false(try_job(pool, "deadly", 0, &next));
    assert_int_equal(next.code, FAULT_POISON);
    assert_non_null(strstr(next.detail, reference));
    assert_true(try_job(pool, "deadlz", 0, &why));
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.jobs, 3);
    assert_int_equal(numbers.starts, 3);
    assert_int_equal(numbers.poisonous, 1);
    worker_pool_stop(pool);
}

static void poison_is_forgotten_in_time(void **state)
{
    struct worker_options options = { .program = "tests/worker/helper",
                                      .count = 1,
                                      .deadline = 20,
                                      .waiting_most = 4,
                                      .poison_seconds = 0 };
    struct worker_pool *pool = NULL;
    struct fault why = { 0 };

    (void)state;
    assert_true(worker_pool_start(&options, &pool, &why));
    assert_false(try_job(pool, "deadly", 9, &why));
    assert_int_equal(why.code, FAULT_POISON);
    assert_true(try_job(pool, "deadly", 0, &why));
    worker_pool_stop(pool);
}

static void *one_job(void *pool)
{
    struct fault why = { 0 };

    return ask(pool, "e", "e", &why) ? pool : NULL;
}

/* One that hangs at its start keeps neither the others' work nor the end of all waiting. */
static void a_slow_start_keeps_nobody_waiting(void **state)
{
    static const char *const slow[] = { "slow", NULL };
    struct worker_options options = { .program = "tests/worker/helper",
                                      .arguments = slow,
                                      .count = 2,
                                      .deadline = 20,
                                      .waiting_most = 4 };
    struct worker_pool *pool = NULL;
    struct worker *worker;
    struct fault why = { 0 };
    pthread_t thread;
    char path[64];
    void *right;
    double begun = seconds();

    (void)state;
    snprintf(path, sizeof path, "/tmp/landscaped-turn-%d", (int)getpid());
    unlink(path);
    assert_true(worker_pool_start(&options, &pool, &why));
    worker = worker_begin(pool, &why);
    assert_non_null(worker);
    /* Another one has to be started for the second, and does not come; the first is done soon. */
    assert_int_equal(pthread_create(&thread, NULL, one_job, pool), 0);
    usleep(300000);
    worker_end(worker, true);
    pthread_join(thread, &right);
    assert_non_null(right);
    for (int i = 0; i < 3; i++) { /* one that dies is replaced meanwhile */
        unlink(path);
        assert_false(ask(pool, "x", "", &why));
        assert_true(ask(pool, "e", "e", &why));
    }
    worker_pool_stop(pool);
    unlink(path);
    assert_true(seconds() - begun < 30);
}

/* A machine that starts processes more slowly than a job may take is no machine that is busy. */
static void a_start_does_not_count_against_the_job(void **state)
{
    static const char *const late[] = { "late", NULL };
    struct worker_options options = { .program = "tests/worker/helper",
                                      .arguments = late,
                                      .count = 1,
                                      .deadline = 0.3,
                                      .waiting_most = 4 };
    struct worker_pool *pool = NULL;
    struct worker *worker;
    struct fault why = { 0 };

    (void)state;
    assert_true(worker_pool_start(&options, &pool, &why));
    for (int behind = 0; behind < 2; behind++) {
        worker = behind ? worker_begin_behind(pool, &why) : worker_begin(pool, &why);
        if (!worker)
            fail_msg("%s", why.detail);
        worker_end(worker, false); /* so that another one has to be started */
    }
    worker_pool_stop(pool);
}

/* The first replacement comes at once, then they wait 0.1 s, 0.2 s, 0.4 s, …; a job that ends
 * well puts an end to that. */
static void deaths_in_a_row_are_paced(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct fault why = { 0 };
    double begun;

    (void)state;
    assert_true(ask(pool, "e", "e", &why));
    begun = seconds();
    for (int i = 0; i < 4; i++)
        assert_false(ask(pool, "x", "", &why));
    assert_true(ask(pool, "e", "e", &why));
    assert_true(seconds() - begun >= 0.69);
    worker_pool_stop(pool);
}

static void a_worker_that_has_grown_is_replaced(void **state)
{
    struct worker_options options = { .program = "tests/worker/helper",
                                      .count = 1,
                                      .deadline = 20,
                                      .waiting_most = 4,
                                      .resident_most = 48 << 20 };
    struct worker_pool *pool = NULL;
    struct worker_numbers numbers;
    struct fault why = { 0 };

    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they hold more than that from the start */
#endif
    assert_true(worker_pool_start(&options, &pool, &why));
    for (int i = 0; i < 3; i++) {
        assert_true(ask(pool, "e", "e", &why));
        assert_true(ask(pool, "b", "grown", &why));
    }
    assert_true(ask(pool, "e", "e", &why));
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.starts, 4);
    assert_int_equal(numbers.renewals, 3);
    assert_int_equal(numbers.failures, 0);
    worker_pool_stop(pool);
}

static void the_kernel_takes_helpers_first(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct fault why = { 0 };

    (void)state;
    assert_true(ask(pool, "o", "800", &why));
    worker_pool_stop(pool);
}

static void a_hang_ends_at_the_deadline(void **state)
{
    struct worker_pool *pool = pool_of(1, 1, 0, 4);
    struct fault why = { 0 };
    double begun;

    (void)state;
    assert_true(ask(pool, "e", "e", &why));
    begun = seconds();
    assert_false(ask(pool, "hang", "", &why));
    assert_int_equal(why.code, FAULT_DEADLINE);
    assert_in_range((int)(1000 * (seconds() - begun)), 990, 5000);
    assert_true(ask(pool, "e", "e", &why));
    worker_pool_stop(pool);
}

static void an_unsound_job_gets_another_process(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 3, 4);
    struct fault why = { 0 };
    uint64_t first, second, third;
    struct worker *worker;

    (void)state;
    worker = worker_begin(pool, &why);
    first = worker_serial(worker);
    worker_end(worker, true);
    worker = worker_begin(pool, &why);
    second = worker_serial(worker);
    worker_end(worker, false);
    worker = worker_begin(pool, &why);
    third = worker_serial(worker);
    worker_end(worker, true);
    assert_int_equal(first, second);
    assert_int_not_equal(second, third);
    for (int i = 0; i < 2; i++) /* the third job is this process's last */
        assert_true(ask(pool, "e", "e", &why));
    worker = worker_begin(pool, &why);
    assert_int_not_equal(worker_serial(worker), third);
    worker_end(worker, true);
    worker_pool_stop(pool);
}

static void jobs_beyond_those_that_may_wait_are_refused(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 0);
    struct fault why = { 0 };
    struct worker *worker;

    (void)state;
    while (!(worker = worker_begin(pool, &why))) /* nobody may wait, the start included */
        usleep(1000);
    assert_null(worker_begin(pool, &why));
    assert_int_equal(why.code, FAULT_BUSY);
    worker_end(worker, true);
    worker_pool_stop(pool);
}

static void a_program_that_is_missing_or_mute_is_said_so(void **state)
{
    static const char *const mute[] = { "mute", NULL };
    struct worker_options options = {
        .program = "no-such-program", .count = 1, .deadline = 20, .waiting_most = 4
    };
    struct worker_pool *pool = NULL;
    struct fault why = { 0 };

    (void)state;
    assert_false(worker_pool_start(&options, &pool, &why));
    assert_int_equal(why.code, FAULT_WORKER);
    assert_null(pool);

    options.program = "tests/worker/helper";
    options.arguments = mute;
    assert_true(worker_pool_start(&options, &pool, &why));
    assert_null(worker_begin(pool, &why));
    assert_int_equal(why.code, FAULT_WORKER);
    worker_pool_stop(pool);
}

static void memory_is_limited(void **state)
{
    struct worker_pool *pool;
    struct fault why = { 0 };

    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();
#endif
    pool = pool_of(1, 20, 0, 4);
    assert_true(ask(pool, "g", "refused", &why));
    worker_pool_stop(pool);
}

/* r reads a file, w writes one, s opens a socket, f forks, m makes code, e executes, t starts a
 * thread, c makes a file without writing, u removes one, k signals the daemon, l looks at the
 * daemon's limits, o takes hold of a mount, a opens a file for ioctl alone; a capital says that it
 * could. */
static void a_sandbox_holds(void **state)
{
    struct worker_pool *pool = pool_of(1, 20, 0, 4);
    struct fault why = { 0 };

    (void)state;
    assert_true(ask(pool, "u", "RWSFMeTCUKLOA", &why));
    assert_true(ask(pool, "D", "in", &why));
    assert_true(ask(pool, "t", "rwsfmetcukloa", &why));
    assert_false(ask(pool, "x", "", &why));
    assert_true(ask(pool, "R", "in", &why));
    assert_true(ask(pool, "t", "RwsfMeTcukloa", &why));
    assert_false(ask(pool, "x", "", &why));
    assert_true(ask(pool, "P", "in", &why));
    assert_true(ask(pool, "t", "rwsfMeTcukloa", &why));
    worker_pool_stop(pool);
}

static void *many_jobs(void *context)
{
    static const char *const kinds[] = { "e1", "c", "e2", "x" };
    long right = 0;

    for (int i = 0; i < 40; i++) {
        struct fault why = { 0 };
        const char *kind = kinds[i % 4];
        bool answered = ask(context, kind, kind, &why);

        right += answered == (kind[0] == 'e');
    }
    return (void *)right;
}

static void many_threads_share_a_pool(void **state)
{
    struct worker_pool *pool = pool_of(3, 60, 5, 100);
    struct worker_numbers numbers;
    pthread_t threads[8];
    void *right;

    (void)state;
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_jobs, pool), 0);
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], &right);
        assert_int_equal((long)right, 40);
    }
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.jobs, 320);
    assert_int_equal(numbers.running, 0);
    assert_int_equal(numbers.waiting, 0);
    worker_pool_stop(pool);
}

/* Those that want the one process of a pool, and the order in which they had it. */
struct wish {
    struct worker_pool *pool;
    struct worker *(*begin)(struct worker_pool *pool, struct fault *why);
    char letter;
    char *order; /* with a process: nobody else writes */
};

static void *have(void *context)
{
    struct wish *wish = context;
    struct fault why;
    struct worker *worker = wish->begin(wish->pool, &why);

    if (worker)
        wish->order[strlen(wish->order)] = wish->letter;
    worker_end(worker, true);
    return worker;
}

static void until_they_wait(struct worker_pool *pool, int waiting, int behind)
{
    const struct timespec moment = { 0, 1000000 };
    struct worker_numbers numbers;

    for (;;) {
        worker_pool_numbers(pool, &numbers);
        if (numbers.waiting == waiting && numbers.behind == behind)
            return;
        nanosleep(&moment, NULL);
    }
}

static void whoever_is_behind_lets_all_others_go_first(void **state)
{
    struct worker_pool *pool =
        pool_of(1, 60, 0, 2); /* two may wait: those behind are none of them */
    char order[8] = "";
    struct fault why = { 0 };
    struct worker *worker = worker_begin(pool, &why);
    struct wish wishes[5];
    pthread_t threads[5];

    (void)state;
    assert_non_null(worker);
    for (int i = 0; i < 5; i++) {
        wishes[i] = (struct wish){ pool, i < 3 ? worker_begin_behind : worker_begin,
                                   i < 3 ? 'b' : 'a', order };
        assert_int_equal(pthread_create(&threads[i], NULL, have, &wishes[i]), 0);
        until_they_wait(pool, i < 3 ? 0 : i - 2, i < 3 ? i + 1 : 3);
    }
    worker_end(worker, true);
    for (int i = 0; i < 5; i++) {
        void *had;

        pthread_join(threads[i], &had);
        assert_non_null(had);
    }
    assert_string_equal(order, "aabbb");
    worker_pool_stop(pool);
}

/* It has just had the process, and is awake; whoever waits has to be woken first. */
static void whoever_is_behind_does_not_go_twice_before_others(void **state)
{
    struct worker_pool *pool = pool_of(1, 60, 0, 2);
    char order[8] = "";
    struct fault why = { 0 };
    struct worker *worker = worker_begin_behind(pool, &why);
    struct wish wish = { pool, worker_begin, 'a', order };
    pthread_t thread;

    (void)state;
    assert_non_null(worker);
    assert_int_equal(pthread_create(&thread, NULL, have, &wish), 0);
    until_they_wait(pool, 1, 0);
    worker_end(worker, true);
    worker = worker_begin_behind(pool, &why);
    assert_non_null(worker);
    assert_string_equal(order, "a");
    worker_end(worker, true);
    pthread_join(thread, NULL);
    worker_pool_stop(pool);
}

static void whoever_is_behind_has_a_process_started(void **state)
{
    struct worker_pool *pool = pool_of(1, 60, 0, 2);
    struct fault why = { 0 };
    struct worker *worker = worker_begin_behind(pool, &why);

    (void)state;
    assert_non_null(worker);
    worker_end(worker, false); /* is replaced */
    worker = worker_begin_behind(pool, &why);
    assert_non_null(worker);
    worker_end(worker, true);
    worker_pool_stop(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_answered),
        cmocka_unit_test(memory_goes_both_ways_sealed),
        cmocka_unit_test(memory_of_another_size_or_without_seals_is_refused),
        cmocka_unit_test(a_death_costs_one_job),
        cmocka_unit_test(one_that_dies_while_idle_is_replaced_though_nobody_asks),
        cmocka_unit_test(a_pure_job_survives_one_death),
        cmocka_unit_test(a_job_that_kills_two_workers_is_poison),
        cmocka_unit_test(poison_is_forgotten_in_time),
        cmocka_unit_test(a_slow_start_keeps_nobody_waiting),
        cmocka_unit_test(a_start_does_not_count_against_the_job),
        cmocka_unit_test(deaths_in_a_row_are_paced),
        cmocka_unit_test(a_worker_that_has_grown_is_replaced),
        cmocka_unit_test(the_kernel_takes_helpers_first),
        cmocka_unit_test(a_hang_ends_at_the_deadline),
        cmocka_unit_test(an_unsound_job_gets_another_process),
        cmocka_unit_test(jobs_beyond_those_that_may_wait_are_refused),
        cmocka_unit_test(a_program_that_is_missing_or_mute_is_said_so),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(a_sandbox_holds),
        cmocka_unit_test(many_threads_share_a_pool),
        cmocka_unit_test(whoever_is_behind_lets_all_others_go_first),
        cmocka_unit_test(whoever_is_behind_does_not_go_twice_before_others),
        cmocka_unit_test(whoever_is_behind_has_a_process_started),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

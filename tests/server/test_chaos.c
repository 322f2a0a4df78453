/* Renderers that crash, are killed, stopped or starved of memory, one after another, while pictures
 * are drawn: every picture ends as a picture or as an answer that says why not, and nobody else
 * notices. LANDSCAPED_SOAK makes it a hundred of each.
 *
 * And what stops and starts meanwhile: the first picture of a fresh daemon, and a stop during one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/server/harness.h"

enum { PAINTERS = 3, RENDERERS = 2, SOAK = 100 };

static const char json[] = "Content-Type: application/json\r\n";

struct chaos {
    struct served *served;
    _Atomic int painted[PAINTERS];            /* pictures that have ended, of each painter */
    _Atomic int next, drawn, told, wrong;     /* of all; told: an answer that says why not */
    _Atomic int deadlines, others, disturbed; /* other requests, and those that failed */
    _Atomic bool ending;
};

struct painter {
    struct chaos *chaos;
    int number;
};

static void expect(const struct served *served, const char *method, const char *target,
                   const char *body, int status)
{
    struct answer answer;

    served_ask(served, method, target, body ? json : NULL, body, body ? strlen(body) : 0, &answer);
    if (answer.status != status)
        fail_msg("%s %s: %d %.300s", method, target, answer.status, (const char *)answer.body);
    answer_free(&answer);
}

static void make_hill(const struct served *served)
{
    expect(served, "PUT", "/v1/landscapes/hill",
           "{\"layout\":{\"components\":[2,2],\"sections_per_component\":2,\"section_quads\":63}}",
           201);
    expect(served, "POST", "/v1/landscapes/hill/edits",
           "{\"ops\":[{\"tool\":\"raise\",\"path\":[[120,120]],\"radius\":90,\"amount\":60}]}",
           200);
}

static bool is_picture(const struct answer *answer)
{
    return answer->status == 200 && answer->length > 100 && memcmp(answer->body, "\x89PNG", 4) == 0;
}

/* A failure as the API tells one, which names its kind and its reason. */
static bool is_told(const struct answer *answer)
{
    const char *body = (const char *)answer->body;

    return (answer->status == 503 || answer->status == 504 || answer->status == 500) &&
           strstr(body, "\"type\":\"/problems/") && strstr(body, "\"detail\":\"");
}

static void *paint(void *context)
{
    struct painter *painter = context;
    struct chaos *chaos = painter->chaos;

    while (!atomic_load(&chaos->ending)) {
        int number = atomic_fetch_add(&chaos->next, 1);
        struct answer answer;
        char target[160];

        /* No two are the same, so that none is kept from before. */
        snprintf(target, sizeof target,
                 "/v1/landscapes/hill/render.png?width=96&height=64&azimuth=%.3f",
                 number * 7 % 3590 * 0.1 + number % 100 * 1e-3);
        served_ask(chaos->served, "GET", target, NULL, NULL, 0, &answer);
        if (is_picture(&answer)) {
            chaos->drawn++;
            atomic_fetch_add(&chaos->painted[painter->number], 1);
        } else if (is_told(&answer))
            chaos->told++;
        else
            chaos->wrong++;
        chaos->deadlines += answer.status == 504;
        answer_free(&answer);
    }
    return NULL;
}

static void ask_other(struct chaos *chaos, const char *method, const char *target, const char *body,
                      const char *says)
{
    struct answer answer;

    served_ask(chaos->served, method, target, body ? json : NULL, body, body ? strlen(body) : 0,
               &answer);
    chaos->disturbed += answer.status != 200 || !strstr((const char *)answer.body, says);
    chaos->others++;
    answer_free(&answer);
}

/* What everybody else asks meanwhile. */
static void *work(void *context)
{
    struct chaos *chaos = context;

    while (!atomic_load(&chaos->ending)) {
        ask_other(chaos, "GET", "/healthz", NULL, "");
        ask_other(chaos, "GET", "/readyz", NULL, "");
        ask_other(chaos, "GET", "/v1/landscapes/hill/height?x=120&y=120", NULL, "\"z\":60");
        ask_other(chaos, "POST", "/v1/landscapes/hill/edits",
                  "{\"ops\":[{\"tool\":\"raise\",\"path\":[[10,10]],\"radius\":3,\"amount\":0.5}]}",
                  "");
    }
    return NULL;
}

/* Leaves the process hardly more address space than it has. */
static bool starve(pid_t pid)
{
    struct rlimit room;
    long long pages = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (fscanf(file, "%lld", &pages) != 1)
        pages = 0;
    fclose(file);
    room.rlim_cur = room.rlim_max = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + 16384);
    return pages > 0 && prlimit(pid, RLIMIT_AS, &room, NULL) == 0;
}

/* Whether it has started: then it is in its sandbox. */
static bool is_at_work(pid_t pid)
{
    char path[64], line[200];
    int sandboxed = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "Seccomp: %d", &sandboxed);
    if (file)
        fclose(file);
    return sandboxed == 2;
}

/* One of those that are there. A renderer may die while it starts as well; whether it is stopped
 * then is the business of another deadline. */
static bool harm(const struct served *served, int signal, int which)
{
    pid_t found[RENDERERS];
    int count = served_helpers(served, "landscaped-rend", found, RENDERERS);

    if (count == 0 || (signal != SIGKILL && signal != SIGSEGV && !is_at_work(found[which % count])))
        return false;
    return signal ? kill(found[which % count], signal) == 0 : starve(found[which % count]);
}

/* Until every painter has drawn two more: what was under way, and one begun after. So no picture is
 * harmed twice. */
static void await_painters(struct chaos *chaos)
{
    int before[PAINTERS];

    for (int i = 0; i < PAINTERS; i++)
        before[i] = atomic_load(&chaos->painted[i]);
    for (int i = 0; i < PAINTERS; i++)
        while (atomic_load(&chaos->painted[i]) < before[i] + 2)
            usleep(1000);
}

static void picture_of(const struct served *served, struct answer *answer)
{
    static const char target[] = "/v1/landscapes/hill/render.png?width=96&height=64&azimuth=30";

    served_ask(served, "GET", target, NULL, NULL, 0, answer);
    /* Who was starved last and has not drawn since, says so now and is gone. */
    for (int i = 0; i < RENDERERS && answer->status == 503 && is_told(answer); i++) {
        assert_non_null(strstr((const char *)answer->body, "memory"));
        answer_free(answer);
        served_ask(served, "GET", target, NULL, NULL, 0, answer);
    }
    assert_true(is_picture(answer));
}

/* So many times; signal 0 is memory. */
static void make_chaos(int signal, int times, const char *seconds, struct chaos *chaos)
{
    const char *options[] = { "--renderers", "2", "--render-seconds", seconds, NULL };
    struct painter painters[PAINTERS];
    pthread_t threads[PAINTERS], worker;

    *chaos = (struct chaos){ .served = served_start(options) };
    assert_non_null(chaos->served);
    make_hill(chaos->served);
    for (int i = 0; i < PAINTERS; i++) {
        painters[i] = (struct painter){ chaos, i };
        assert_int_equal(pthread_create(&threads[i], NULL, paint, &painters[i]), 0);
    }
    assert_int_equal(pthread_create(&worker, NULL, work, chaos), 0);
    await_painters(chaos);
    for (int i = 0; i < times; i++) {
        for (int which = i; !harm(chaos->served, signal, which); which++)
            usleep(1000); /* its successor is about to come */
        await_painters(chaos);
        usleep((useconds_t)(i * 7919 % 13) * 1000);
    }
    atomic_store(&chaos->ending, true);
    for (int i = 0; i < PAINTERS; i++)
        pthread_join(threads[i], NULL);
    pthread_join(worker, NULL);
    printf("%s %d times: %d pictures drawn, %d told why not; %d other requests\n",
           signal ? strsignal(signal) : "No memory", times, chaos->drawn, chaos->told,
           chaos->others);
}

static void expect_calm(struct chaos *chaos)
{
    struct answer answer, again;

    assert_int_equal(chaos->wrong, 0);
    assert_int_equal(chaos->disturbed, 0);
    assert_int_equal(chaos->drawn + chaos->told, chaos->next);
    assert_true(chaos->others > 0 && chaos->drawn > 0);
    picture_of(chaos->served, &answer);
    served_ask(chaos->served, "GET",
               "/v1/landscapes/hill/render.png?width=96&height=64&azimuth=-330", NULL, NULL, 0,
               &again);
    assert_int_equal(answer.length, again.length);
    assert_memory_equal(answer.body, again.body, answer.length);
    answer_free(&answer);
    answer_free(&again);
    assert_true(served_metric_becomes(chaos->served, "landscaped_pictures_waiting", 0));
    assert_int_equal(served_stop(chaos->served), 0);
    served_free(chaos->served);
}

static int times_of(int usually)
{
    return getenv("LANDSCAPED_SOAK") ? SOAK : usually;
}

static void crashes_cost_nobody_a_picture(void **state)
{
    struct chaos chaos;

    (void)state;
    make_chaos(SIGSEGV, times_of(8), "60", &chaos);
    assert_int_equal(chaos.told, 0);
    expect_calm(&chaos);
}

static void kills_cost_nobody_a_picture(void **state)
{
    struct chaos chaos;

    (void)state;
    make_chaos(SIGKILL, times_of(8), "60", &chaos);
    assert_int_equal(chaos.told, 0);
    expect_calm(&chaos);
}

/* A renderer that stands still costs the picture that it had, at the deadline. */
static void stops_end_at_the_deadline(void **state)
{
    struct chaos chaos;
    int times = times_of(2);

    (void)state;
    make_chaos(SIGSTOP, times, "4", &chaos);
    assert_in_range(chaos.told, 0, times);
    assert_int_equal(chaos.told, chaos.deadlines);
    expect_calm(&chaos);
}

/* One that gets no memory says so or dies of it, and makes room for another. */
static void want_of_memory_is_told(void **state)
{
    struct chaos chaos;
    int times = times_of(6);

    (void)state;
    make_chaos(0, times, "60", &chaos);
    assert_in_range(chaos.told, 0, times);
    expect_calm(&chaos);
}

static void *ask_for_a_large_picture(void *context)
{
    struct answer *answer = malloc(sizeof *answer);

    served_ask(context, "GET", "/v1/landscapes/hill/render.png?width=1300&height=1000&azimuth=77",
               NULL, NULL, 0, answer);
    return answer;
}

/* REN-12: the first thing that a daemon is asked for may be a picture; and one that is told to stop
 * while it draws answers first, stops, and draws again when it is started anew. */
static void a_stop_while_drawing_and_a_start_go_well(void **state)
{
    struct served *served = served_start(NULL);
    struct answer answer, *large;
    pthread_t thread;
    void *result;

    (void)state;
    assert_non_null(served);
    make_hill(served);
    picture_of(served, &answer);
    answer_free(&answer);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread, NULL, ask_for_a_large_picture, served), 0);
        usleep(30000);
        assert_int_equal(served_stop(served), 0);
        pthread_join(thread, &result);
        large = result;
        assert_true(large->status == 0 || is_picture(large) || is_told(large));
        answer_free(large);
        free(large);
        assert_true(served_again(served, NULL));
        picture_of(served, &answer);
        answer_free(&answer);
    }
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes_cost_nobody_a_picture),
        cmocka_unit_test(kills_cost_nobody_a_picture),
        cmocka_unit_test(stops_end_at_the_deadline),
        cmocka_unit_test(want_of_memory_is_told),
        cmocka_unit_test(a_stop_while_drawing_and_a_start_go_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

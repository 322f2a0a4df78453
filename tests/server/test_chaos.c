/* Renderers that crash, are killed, stopped or starved of memory, one after another, while pictures
 * are drawn: every picture ends as a picture or as an answer that says why not, and nobody else
 * notices. LANDSCAPED_SOAK makes it a hundred of each.
 *
 * And what stops and starts meanwhile: the first picture of a fresh daemon, and a stop during one.
 */
#include "tests/server/chaos.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAINTERS = 3 };

struct chaos {
    struct served *served;
    _Atomic int painted[PAINTERS];        /* pictures that have ended, of each painter */
    _Atomic int next, drawn, told, wrong; /* of all; told: an answer that says why not */
    _Atomic int deadlines;
    struct chaos_others others;
    _Atomic bool ending;
};

struct painter {
    struct chaos *chaos;
    int number;
};

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
        if (chaos_is_picture(&answer)) {
            chaos->drawn++;
            atomic_fetch_add(&chaos->painted[painter->number], 1);
        } else if (chaos_is_told(&answer))
            chaos->told++;
        else
            chaos->wrong++;
        chaos->deadlines += answer.status == 504;
        answer_free(&answer);
    }
    return NULL;
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
    served_ask(served, "GET", "/v1/landscapes/hill/render.png?width=96&height=64&azimuth=30", NULL,
               NULL, 0, answer);
    assert_true(chaos_is_picture(answer));
}

/* So many times; signal 0 is memory. */
static void make_chaos(int signal, int times, const char *seconds, struct chaos *chaos)
{
    const char *options[] = { "--renderers", "2", "--render-seconds", seconds, NULL };
    struct painter painters[PAINTERS];
    pthread_t threads[PAINTERS];

    *chaos = (struct chaos){ .served = served_start(options) };
    assert_non_null(chaos->served);
    chaos_hill(chaos->served, "hill");
    for (int i = 0; i < PAINTERS; i++) {
        painters[i] = (struct painter){ chaos, i };
        assert_int_equal(pthread_create(&threads[i], NULL, paint, &painters[i]), 0);
    }
    chaos_others_start(&chaos->others, chaos->served, "hill");
    await_painters(chaos);
    for (int i = 0; i < times; i++) {
        for (int which = i; !chaos_harm(chaos->served, signal, which); which++)
            usleep(1000); /* its successor is about to come */
        await_painters(chaos);
        usleep((useconds_t)(i * 7919 % 13) * 1000);
    }
    atomic_store(&chaos->ending, true);
    for (int i = 0; i < PAINTERS; i++)
        pthread_join(threads[i], NULL);
    chaos_others_stop(&chaos->others);
    printf("%s %d times: %d pictures drawn, %d told why not; %d other requests\n",
           signal ? strsignal(signal) : "No memory", times, chaos->drawn, chaos->told,
           chaos->others.asked);
}

static void expect_calm(struct chaos *chaos)
{
    struct answer answer, again;

    assert_int_equal(chaos->wrong, 0);
    assert_int_equal(chaos->others.disturbed, 0);
    assert_int_equal(chaos->drawn + chaos->told, chaos->next);
    assert_true(chaos->others.asked > 0 && chaos->drawn > 0);
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

static void crashes_cost_nobody_a_picture(void **state)
{
    struct chaos chaos;

    (void)state;
    make_chaos(SIGSEGV, chaos_times(8), "60", &chaos);
    assert_int_equal(chaos.told, 0);
    expect_calm(&chaos);
}

static void kills_cost_nobody_a_picture(void **state)
{
    struct chaos chaos;

    (void)state;
    make_chaos(SIGKILL, chaos_times(8), "60", &chaos);
    assert_int_equal(chaos.told, 0);
    expect_calm(&chaos);
}

/* A renderer that stands still costs the picture that it had, at the deadline: one that no other
 * picture comes near, on a busy machine either. */
static void stops_end_at_the_deadline(void **state)
{
    struct chaos chaos;
    int times = chaos_times(2);

    (void)state;
    make_chaos(SIGSTOP, times, "15", &chaos);
    assert_in_range(chaos.told, 0, times);
    assert_int_equal(chaos.told, chaos.deadlines);
    expect_calm(&chaos);
}

/* One that gets no memory says so or dies of it, and makes room for another. */
static void want_of_memory_costs_at_most_a_picture_each(void **state)
{
    struct chaos chaos;
    int times = chaos_times(6);

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
    chaos_hill(served, "hill");
    picture_of(served, &answer);
    answer_free(&answer);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread, NULL, ask_for_a_large_picture, served), 0);
        usleep(30000);
        assert_int_equal(served_stop(served), 0);
        pthread_join(thread, &result);
        large = result;
        assert_true(large->status == 0 || chaos_is_picture(large) || chaos_is_told(large));
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
        cmocka_unit_test(want_of_memory_costs_at_most_a_picture_each),
        cmocka_unit_test(a_stop_while_drawing_and_a_start_go_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

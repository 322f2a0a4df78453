/* How it stops: what is under way is answered, what comes meanwhile is told, and nothing hangs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/harness.h"

static const char json_type[] = "Content-Type: application/json\r\n";
static const char plain[] = "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,"
                            "\"section_quads\":63}}";

static void ends_with(struct served *served, int wanted)
{
    int status = 0;

    assert_int_equal(waitpid(served->process, &status, 0), served->process);
    served->process = 0;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), wanted);
}

/* Asks for SIGTERM, and waits until it has been heard: a connection that is open is still told. */
static void stop_asked(struct served *served)
{
    static const char ask[] = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
    int socket = served_connect(served);
    double end = served_seconds() + 60;
    struct answer answer = { .status = 0 };

    for (int asked = 0; answer.status != 503; asked++) {
        assert_true(served_seconds() < end);
        served_send(socket, ask, sizeof ask - 1);
        served_receive(socket, 60, &answer);
        assert_true(answer.status == 200 || (asked && answer.status == 503));
        answer_free(&answer);
        if (!asked)
            kill(served->process, SIGTERM);
    }
    close(socket);
}

/* Many requests whose heads have been read, more than there are threads, and a SIGTERM while their
 * bodies arrive. */
static void a_stop_answers_what_is_under_way(void **state)
{
    static const char body[] = "{\"points\":[[1,2],[3,4]]}";
    static const char *const options[] = { "--workers",
                                           "2",
                                           "--stop-seconds",
                                           "600",
                                           "--body-seconds",
                                           "600",
                                           "--head-seconds",
                                           "600",
                                           "--request-seconds",
                                           "600",
                                           NULL };
    struct served *served = served_start(options);
    struct answer answer;
    int sockets[300];

    (void)state;
    assert_non_null(served);
    served_ask(served, "PUT", "/v1/landscapes/plain", json_type, plain, sizeof plain - 1, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    for (int i = 0; i < 300; i++) {
        sockets[i] = served_connect(served);
        assert_true(served_offer(sockets[i], "POST", "/v1/landscapes/plain/query/heights",
                                 json_type, sizeof body - 1));
    }
    for (int i = 0; i < 300; i++) {
        if (i == 150)
            kill(served->process, SIGTERM);
        assert_true(served_send(sockets[i], body, sizeof body - 1));
    }
    for (int i = 0; i < 300; i++) {
        served_receive(sockets[i], 600, &answer);
        assert_int_equal(answer.status, 200);
        assert_non_null(strstr((char *)answer.body, "\"heights\":[0,0]"));
        answer_free(&answer);
        close(sockets[i]);
    }
    ends_with(served, 0);
    served_free(served);
}

/* A body that is on its way may still arrive; one that never does only takes its time. */
static void a_stop_waits_for_a_body_but_not_for_ever(void **state)
{
    static const char *const options[] = { "--stop-seconds", "6", "--body-seconds", "3600", NULL };
    struct served *served = served_start(options);
    int honest, stuck;
    struct answer answer;
    double began;

    (void)state;
    assert_non_null(served);
    honest = served_connect(served);
    stuck = served_connect(served);
    assert_true(served_offer(honest, "PUT", "/v1/landscapes/late", json_type, sizeof plain - 1));
    assert_true(served_offer(stuck, "PUT", "/v1/landscapes/late", json_type, sizeof plain - 1));
    stop_asked(served);
    began = served_seconds();
    served_send(honest, plain, sizeof plain - 1);
    served_receive(honest, 10, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    ends_with(served, 0);
    assert_true(served_seconds() - began < 600);
    close(honest);
    close(stuck);
    /* What was acknowledged is there. */
    assert_true(served_again(served, NULL));
    served_ask(served, "GET", "/v1/landscapes/late", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    served_free(served);
}

static void a_second_signal_ends_at_once(void **state)
{
    static const char *const options[] = { "--stop-seconds", "3600", "--body-seconds", "3600",
                                           NULL };
    struct served *served = served_start(options);
    double began;
    int stuck;

    (void)state;
    assert_non_null(served);
    stuck = served_connect(served);
    assert_true(served_offer(stuck, "PUT", "/v1/landscapes/x", json_type, 9));
    stop_asked(served);
    began = served_seconds();
    kill(served->process, SIGTERM);
    ends_with(served, 1);
    assert_true(served_seconds() - began < 600);
    close(stuck);
    served_free(served);
}

/* While a body is waited for, others come, on connections of their own. */
static void who_comes_during_a_stop_is_told(void **state)
{
    static const char *const options[] = { "--stop-seconds", "3600", "--body-seconds", "3600",
                                           NULL };
    struct served *served = served_start(options);
    struct answer answer;
    int honest;

    (void)state;
    assert_non_null(served);
    honest = served_connect(served);
    assert_true(served_offer(honest, "PUT", "/v1/landscapes/late", json_type, sizeof plain - 1));
    stop_asked(served);
    served_ask(served, "GET", "/readyz", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 503);
    assert_non_null(strstr((char *)answer.body, "\"stopping\""));
    answer_free(&answer);
    served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    served_ask(served, "GET", "/v1/landscapes", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 503);
    assert_non_null(strstr((char *)answer.body, "shutting down"));
    answer_free(&answer);
    served_send(honest, plain, sizeof plain - 1);
    served_receive(honest, 60, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    ends_with(served, 0);
    close(honest);
    served_free(served);
}

enum { CALLERS = 6, STOPS = 6 };

struct callers {
    const struct served *served;
    _Atomic int answered, wrong;
    _Atomic bool ending;
};

/* A connection for each question. Those that nobody took end without a status. */
static void *call(void *context)
{
    static const char *const asks[] = { "/healthz", "/v1/landscapes", "/v1/info" };
    struct callers *callers = context;

    for (unsigned i = 0; !atomic_load(&callers->ending); i++) {
        struct answer answer;

        served_ask(callers->served, "GET", asks[i % 3], NULL, NULL, 0, &answer);
        callers->answered += answer.status == 200;
        callers->wrong += answer.status != 200 && answer.status != 503 && answer.status != 0;
        answer_free(&answer);
    }
    return NULL;
}

/* Whatever the event threads are just doing. */
static void a_stop_under_a_rush_of_connections_is_clean(void **state)
{
    const int stops = getenv("LANDSCAPED_SOAK") ? 50 * STOPS : STOPS;
    struct served *served = NULL;

    (void)state;
    for (int i = 0; i < stops; i++) {
        struct callers callers = { 0 };
        pthread_t threads[CALLERS];

        if (served)
            assert_true(served_again(served, NULL));
        else
            assert_non_null(served = served_start(NULL));
        callers.served = served;
        for (int k = 0; k < CALLERS; k++)
            assert_int_equal(pthread_create(&threads[k], NULL, call, &callers), 0);
        while (callers.answered < 20 * CALLERS + i)
            usleep(100);
        assert_int_equal(served_stop(served), 0);
        atomic_store(&callers.ending, true);
        for (int k = 0; k < CALLERS; k++)
            pthread_join(threads[k], NULL);
        assert_int_equal(callers.wrong, 0);
    }
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_answers_what_is_under_way),
        cmocka_unit_test(a_stop_waits_for_a_body_but_not_for_ever),
        cmocka_unit_test(a_second_signal_ends_at_once),
        cmocka_unit_test(who_comes_during_a_stop_is_told),
        cmocka_unit_test(a_stop_under_a_rush_of_connections_is_clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What no client may do to the server, and what every answer has: over raw sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/server/harness.h"

static const char *const quick[] = { "--head-seconds",
                                     "2",
                                     "--body-seconds",
                                     "2",
                                     "--idle-seconds",
                                     "3",
                                     "--json-body-bytes",
                                     "65536",
                                     "--cors-origin",
                                     "https://maps.example",
                                     NULL };

static const char healthz[] = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

static struct served *served;

static int start(void **state)
{
    (void)state;
    served = served_start(quick);
    return served ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    served_free(served);
    return 0;
}

/* Every refusal is a problem document that says its own status, and nothing that a browser could
 * take for a page. */
static void is_problem(const struct answer *answer, int status)
{
    char wanted[32];

    assert_int_equal(answer->status, status);
    assert_string_equal(answer_header(answer, "Content-Type"), "application/problem+json");
    assert_string_equal(answer_header(answer, "X-Content-Type-Options"), "nosniff");
    snprintf(wanted, sizeof wanted, "\"status\":%d,", status);
    assert_non_null(strstr((char *)answer->body, wanted));
    assert_non_null(strstr((char *)answer->body, "\"type\":\"/problems/"));
    assert_true(answer->seconds < SERVED_SOON);
}

static void raw_is(const char *request, int status)
{
    struct answer answer;

    served_raw(served, request, strlen(request), &answer);
    if (answer.status != status)
        fprintf(stderr, "%s -> %d\n", request, answer.status);
    assert_int_equal(answer.status, status);
    answer_free(&answer);
}

static void ask_is(const char *method, const char *target, int status)
{
    struct answer answer;

    served_ask(served, method, target, NULL, NULL, 0, &answer);
    if (answer.status != status)
        fprintf(stderr, "%s %s -> %d %s\n", method, target, answer.status, (char *)answer.body);
    if (status >= 400)
        is_problem(&answer, status);
    else
        assert_int_equal(answer.status, status);
    answer_free(&answer);
}

static void health_is_quick(void)
{
    struct answer answer;

    served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_true(answer.seconds < SERVED_SOON);
    answer_free(&answer);
}

static void health_is_ok(void **state)
{
    struct answer answer;

    (void)state;
    served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_string_equal((char *)answer.body, "{\"status\":\"ok\"}");
    assert_string_equal(answer_header(&answer, "Content-Type"), "application/json");
    answer_free(&answer);
    ask_is("GET", "/readyz", 200);
}

static void what_two_programs_could_read_differently_is_refused(void **state)
{
    static const char *const heads[] = {
        "Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Host: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n",
        "Host: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n",
        "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Host: a\r\nTransfer-Encoding: identity\r\n",
        "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n",
        "Host: a\r\nContent-Length: -1\r\n",
        "Host: a\r\nContent-Length: +2\r\n",
        "Host: a\r\nContent-Length: 2x\r\n",
        "Host: a\r\nHost: b\r\n",
        "Accept: */*\r\n",
        "Host: a b\r\n",
        "Host: <svg>\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char request[512];
        snprintf(request, sizeof request, "POST /v1 HTTP/1.1\r\n%s\r\n{}", heads[i]);
        raw_is(request, 400);
    }
    raw_is("POST /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413);
    health_is_quick();
}

static void a_refused_framing_ends_the_connection(void **state)
{
    static const char request[] =
        "GET /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    struct answer answer, after;
    int socket = served_connect(served);

    (void)state;
    served_send(socket, request, sizeof request - 1);
    served_receive(socket, SERVED_SOON, &answer);
    assert_int_equal(answer.status, 400);
    assert_true(answer.closed);
    served_receive(socket, 5, &after); /* the smuggled request has no answer */
    assert_int_equal(after.status, 0);
    assert_true(after.closed);
    answer_free(&answer);
    answer_free(&after);
    close(socket);
}

static void hidden_bytes_of_paths_are_refused(void **state)
{
    (void)state;
    ask_is("GET", "/v1/%00", 400);
    ask_is("GET", "/v1%00/info", 400);
    ask_is("GET", "/v1%2Finfo", 400);
    ask_is("GET", "/v1%2finfo", 400);
    ask_is("GET", "/v1/%zz", 400);
    ask_is("GET", "/v1/%", 400);
    ask_is("GET", "/v1/%ff%fe", 400);
    ask_is("GET", "/v1/../v1/info", 404);
    ask_is("GET", "/v1/%2e%2e/info", 404);
    ask_is("GET", "//v1", 404);
    ask_is("GET", "/v1/", 404);
    ask_is("GET", "/%76%31", 200); /* an escape that hides nothing */
}

static void markup_in_a_path_is_not_markup_in_the_answer(void **state)
{
    struct answer answer;

    (void)state;
    served_ask(served, "GET", "/<svg%20onload=1>", NULL, NULL, 0, &answer);
    is_problem(&answer, 404);
    answer_free(&answer);
}

static void two_thousand_parameters_are_answered(void **state)
{
    char *target = malloc(32768);
    size_t used = (size_t)sprintf(target, "/v1/info?");

    (void)state;
    for (int i = 0; i < 2000; i++)
        used += (size_t)sprintf(target + used, "p%d=%d&", i, i % 10);
    ask_is("GET", target, 400);
    free(target);
    health_is_quick();
}

static void a_head_beyond_all_bounds_is_refused(void **state)
{
    char *request = malloc(200000);
    struct answer answer;
    size_t used = (size_t)sprintf(request, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ");

    (void)state;
    memset(request + used, 'x', 100000);
    memcpy(request + used + 100000, "\r\n\r\n", 4);
    served_raw(served, request, used + 100004, &answer);
    assert_true(answer.status == 431 || answer.status == 413 || answer.status == 414 ||
                answer.status == 400);
    assert_true(answer.seconds < SERVED_SOON);
    answer_free(&answer);
    free(request);
    health_is_quick();
}

static void unknown_parameters_are_named(void **state)
{
    struct answer answer;

    (void)state;
    served_ask(served, "GET", "/healthz?verbose=1", NULL, NULL, 0, &answer);
    is_problem(&answer, 400);
    assert_non_null(strstr((char *)answer.body, "\"parameter\":\"verbose\""));
    answer_free(&answer);
}

static void methods_are_known_by_path(void **state)
{
    struct answer answer;

    (void)state;
    served_ask(served, "DELETE", "/v1/info", NULL, NULL, 0, &answer);
    is_problem(&answer, 405);
    assert_string_equal(answer_header(&answer, "Allow"), "GET, HEAD, OPTIONS");
    answer_free(&answer);
    served_ask(served, "OPTIONS", "/v1/info", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 204);
    assert_string_equal(answer_header(&answer, "Allow"), "GET, HEAD, OPTIONS");
    answer_free(&answer);
    served_ask(served, "HEAD", "/v1/info", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_true(atoi(answer_header(&answer, "Content-Length")) > 100);
    answer_free(&answer);
}

/* Every answer whatsoever lets the configured origin read it. */
static void every_answer_has_its_origin(void **state)
{
    static const struct {
        const char *method, *target, *headers;
        int status;
    } asks[] = {
        { "GET", "/healthz", NULL, 200 },
        { "GET", "/nothing", NULL, 404 },
        { "GET", "/healthz?x=1", NULL, 400 },
        { "PUT", "/healthz", NULL, 405 },
        { "GET", "/v1", "If-None-Match: *\r\n", 304 },
        { "GET", "/v1", "Accept: image/png\r\n", 406 },
        { "OPTIONS", "/v1", NULL, 204 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct answer answer;
        served_ask(served, asks[i].method, asks[i].target, asks[i].headers, NULL, 0, &answer);
        assert_int_equal(answer.status, asks[i].status);
        assert_string_equal(answer_header(&answer, "Access-Control-Allow-Origin"),
                            "https://maps.example");
        answer_free(&answer);
    }
}

static void a_preflight_lists_methods_and_headers(void **state)
{
    struct answer answer;

    (void)state;
    served_ask(served, "OPTIONS", "/v1/info",
               "Origin: https://maps.example\r\nAccess-Control-Request-Method: GET\r\n"
               "Access-Control-Request-Headers: content-type\r\n",
               NULL, 0, &answer);
    assert_int_equal(answer.status, 204);
    assert_non_null(strstr(answer_header(&answer, "Access-Control-Allow-Methods"), "GET"));
    assert_non_null(strstr(answer_header(&answer, "Access-Control-Allow-Headers"), "Content-Type"));
    answer_free(&answer);
}

/* A form or a script of a foreign page cannot change anything through its visitor's browser. */
static void pages_of_other_origins_change_nothing(void **state)
{
    char own[128];
    const struct {
        const char *origin;
        int status;
    } asks[] = {
        { "Origin: https://evil.example\r\n", 403 },
        { "Origin: null\r\n", 403 },
        { "Origin: https://maps.example\r\n", 411 },
        { own, 411 },
    };

    (void)state;
    snprintf(own, sizeof own, "Origin: http://127.0.0.1:%d\r\n", served->port);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct answer answer;
        served_ask(served, "PUT", "/v1/landscapes/foreign", asks[i].origin, NULL, 0, &answer);
        is_problem(&answer, asks[i].status);
        answer_free(&answer);
        served_ask(served, "GET", "/v1/landscapes", asks[i].origin, NULL, 0, &answer);
        assert_int_equal(answer.status, 200);
        answer_free(&answer);
    }
}

static void an_unchanged_answer_is_304_without_a_body(void **state)
{
    struct answer first, second;
    char header[200];

    (void)state;
    served_ask(served, "GET", "/v1", NULL, NULL, 0, &first);
    assert_int_equal(first.status, 200);
    snprintf(header, sizeof header, "If-None-Match: \"other\", %s\r\n",
             answer_header(&first, "ETag"));
    served_ask(served, "GET", "/v1", header, NULL, 0, &second);
    assert_int_equal(second.status, 304);
    assert_int_equal(second.length, 0);
    assert_non_null(answer_header(&second, "ETag"));
    answer_free(&first);
    answer_free(&second);
}

static void long_json_is_compressed_under_another_etag(void **state)
{
    struct answer plain, coded;
    char etag[100];

    (void)state;
    served_ask(served, "GET", "/v1", NULL, NULL, 0, &plain);
    snprintf(etag, sizeof etag, "%s", answer_header(&plain, "ETag"));
    served_ask(served, "GET", "/v1", "Accept-Encoding: gzip, br\r\n", NULL, 0, &coded);
    assert_int_equal(coded.status, 200);
    if (plain.length >= 1024) {
        assert_string_equal(answer_header(&coded, "Content-Encoding"), "gzip");
        assert_true(coded.length < plain.length);
        assert_string_not_equal(answer_header(&coded, "ETag"), etag);
        assert_memory_equal(coded.body, "\x1f\x8b", 2);
    }
    assert_non_null(strstr(answer_header(&coded, "Vary"), "Accept-Encoding"));
    answer_free(&plain);
    answer_free(&coded);
}

static void a_body_for_nothing_is_refused(void **state)
{
    struct answer answer;

    (void)state;
    served_ask(served, "GET", "/healthz", NULL, "{}", 2, &answer);
    is_problem(&answer, 400);
    answer_free(&answer);
}

static void requests_may_follow_each_other_on_one_connection(void **state)
{
    static const char three[] = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
                                "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                                "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n";
    static const int statuses[] = { 200, 404, 200 };
    int socket = served_connect(served);

    (void)state;
    served_send(socket, three, sizeof three - 1);
    for (int i = 0; i < 3; i++) {
        struct answer answer;
        served_receive(socket, SERVED_SOON, &answer);
        assert_int_equal(answer.status, statuses[i]);
        answer_free(&answer);
    }
    close(socket);
}

/* Seconds that a dripping client is watched; the server is to cut it after 2. */
enum { DRIP_MOST = 30 };

/* Sends a byte every tenth of a second; returns when the server has cut the connection. */
static double drip(const char *request)
{
    int socket = served_connect(served);
    double began = served_seconds();
    char answer[512];

    while (served_seconds() - began < DRIP_MOST) {
        struct pollfd wait = { .fd = socket, .events = POLLIN };
        char c = *request ? *request++ : 'x';
        if (send(socket, &c, 1, MSG_NOSIGNAL) < 1)
            break;
        if (poll(&wait, 1, 100) == 1 && recv(socket, answer, sizeof answer, 0) < 1)
            break;
    }
    close(socket);
    return served_seconds() - began;
}

static void a_dripping_client_is_cut(void **state)
{
    (void)state;
    assert_true(drip("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ") < DRIP_MOST);
    assert_true(drip("GET /") < DRIP_MOST);
    health_is_quick();
}

static void an_idle_connection_is_cut(void **state)
{
    int socket = served_connect(served);
    struct answer answer;
    double began;
    char c;

    (void)state;
    served_send(socket, healthz, sizeof healthz - 1);
    served_receive(socket, SERVED_SOON, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    began = served_seconds();
    assert_int_equal(recv(socket, &c, 1, 0), 0);
    assert_true(served_seconds() - began > 1.5);
    assert_true(served_seconds() - began < 3 + SERVED_SOON);
    close(socket);
}

/* So many connections, each with a request sent before any answer is read, three times over: how
 * long that took. */
static double connections_at_once(int count)
{
    int *sockets = calloc((size_t)count, sizeof *sockets);
    double began = served_seconds();

    for (int i = 0; i < count; i++) {
        sockets[i] = served_connect(served);
        assert_true(sockets[i] >= 0);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < count; i++)
            served_send(sockets[i], healthz, sizeof healthz - 1);
        for (int i = 0; i < count; i++) {
            struct answer answer;
            served_receive(sockets[i], 60, &answer);
            assert_int_equal(answer.status, 200);
            answer_free(&answer);
        }
    }
    for (int i = 0; i < count; i++)
        close(sockets[i]);
    free(sockets);
    return served_seconds() - began;
}

/* A stall comes every time, a busy machine does not. */
static void no_number_of_connections_stalls(void **state)
{
    static const int counts[] = { 1, 2, 31, 126, 127, 128, 129, 200, 254, 255, 256, 257, 300 };

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double took = connections_at_once(counts[i]);

        for (int again = 0; again < 4 && took >= 2 + 0.01 * counts[i]; again++) {
            print_message("%d connections took %.2f s\n", counts[i], took);
            took = connections_at_once(counts[i]);
        }
        assert_true(took < 2 + 0.01 * counts[i]);
    }
}

static int descriptors(void)
{
    char path[64];
    int count = 0;

    for (int i = 0; i < 4096; i++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)served->process, i);
        count += !access(path, F_OK) || !faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW);
    }
    return count;
}

static void clients_that_hang_up_leave_nothing_behind(void **state)
{
    static const char large[] = "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
    int before = descriptors(), after = before + 1;
    char some[2000];

    (void)state;
    for (int i = 0; i < 200; i++) {
        int socket = served_connect(served);
        struct linger reset = { 1, 0 };
        served_send(socket, i % 2 ? healthz : large, i % 5 == 2 ? 20 : sizeof healthz - 1);
        served_send(socket, large, sizeof large - 1);
        if (i % 4 < 2) /* in the middle of a large answer */
            recv(socket, some, i % 7 ? sizeof some : 1, 0);
        if (i % 3 == 1)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(socket);
    }
    for (int i = 0; i < 600 && after > before; i++) {
        usleep(100000);
        after = descriptors();
    }
    assert_true(after <= before);
    health_is_quick();
}

static void a_stop_ends_with_nought(void **state)
{
    struct served *own = served_start(NULL);
    int idle;

    (void)state;
    assert_non_null(own);
    idle = served_connect(own);
    assert_int_equal(served_stop(own), 0);
    close(idle);
    served_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(health_is_ok),
        cmocka_unit_test(what_two_programs_could_read_differently_is_refused),
        cmocka_unit_test(a_refused_framing_ends_the_connection),
        cmocka_unit_test(hidden_bytes_of_paths_are_refused),
        cmocka_unit_test(markup_in_a_path_is_not_markup_in_the_answer),
        cmocka_unit_test(two_thousand_parameters_are_answered),
        cmocka_unit_test(a_head_beyond_all_bounds_is_refused),
        cmocka_unit_test(unknown_parameters_are_named),
        cmocka_unit_test(methods_are_known_by_path),
        cmocka_unit_test(every_answer_has_its_origin),
        cmocka_unit_test(a_preflight_lists_methods_and_headers),
        cmocka_unit_test(pages_of_other_origins_change_nothing),
        cmocka_unit_test(an_unchanged_answer_is_304_without_a_body),
        cmocka_unit_test(long_json_is_compressed_under_another_etag),
        cmocka_unit_test(a_body_for_nothing_is_refused),
        cmocka_unit_test(requests_may_follow_each_other_on_one_connection),
        cmocka_unit_test(a_dripping_client_is_cut),
        cmocka_unit_test(an_idle_connection_is_cut),
        cmocka_unit_test(no_number_of_connections_stalls),
        cmocka_unit_test(clients_that_hang_up_leave_nothing_behind),
        cmocka_unit_test(a_stop_ends_with_nought),
    };

    return cmocka_run_group_tests(tests, start, stop);
}

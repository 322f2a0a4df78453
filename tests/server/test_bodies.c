/* Bodies, however they arrive: whole, in pieces, too large, cut short, dripping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/server/harness.h"

enum { LIMIT = 16384 };

static const char *const quick[] = {
    "--head-seconds", "2", "--body-seconds", "2", "--json-body-bytes", "16384", NULL
};
static const char plain[] = "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,"
                            "\"section_quads\":63}}";
static const char json_type[] = "Content-Type: application/json\r\n";

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

static int put(const char *name, const char *headers, const void *body, size_t length)
{
    char target[128];
    struct answer answer;

    snprintf(target, sizeof target, "/v1/landscapes/%s", name);
    served_ask(served, "PUT", target, headers, body, length, &answer);
    answer_free(&answer);
    return answer.status;
}

static bool exists(const char *name)
{
    char target[128];
    struct answer answer;

    snprintf(target, sizeof target, "/v1/landscapes/%s", name);
    served_ask(served, "GET", target, NULL, NULL, 0, &answer);
    answer_free(&answer);
    assert_true(answer.status == 200 || answer.status == 404);
    return answer.status == 200;
}

/* Sends a raw request, in pieces of so many bytes with a pause between, and reads the answer. */
static int put_raw(const char *request, size_t length, size_t piece, int pause_us,
                   struct answer *answer)
{
    int socket = served_connect(served), one = 1;

    assert_true(socket >= 0);
    setsockopt(socket, 6 /* TCP */, 1 /* NODELAY */, &one, sizeof one);
    for (size_t at = 0; at < length; at += piece) {
        size_t left = length - at;
        if (!served_send(socket, request + at, left < piece ? left : piece))
            break;
        if (pause_us)
            usleep((unsigned)pause_us);
    }
    served_receive(socket, 10, answer);
    close(socket);
    answer_free(answer);
    return answer->status;
}

static void a_body_in_any_pieces_is_the_same_body(void **state)
{
    static const struct {
        size_t piece;
        int pause_us;
    } ways[] = {
        { 1 << 20, 0 },
        { 1, 0 },
        { 40, 20000 },
    };
    char request[1024];
    struct answer answer;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        int length = snprintf(request, sizeof request,
                              "PUT /v1/landscapes/piece%zu HTTP/1.1\r\nHost: a\r\n%s"
                              "Content-Length: %zu\r\n\r\n%s",
                              i, json_type, sizeof plain - 1, plain);
        assert_int_equal(put_raw(request, (size_t)length, ways[i].piece, ways[i].pause_us, &answer),
                         201);
    }
}

static void a_chunked_body_is_the_same_body(void **state)
{
    char request[2048];
    struct answer answer;
    size_t used = (size_t)sprintf(request,
                                  "PUT /v1/landscapes/chunked HTTP/1.1\r\nHost: a\r\n%s"
                                  "Transfer-Encoding: chunked\r\n\r\n",
                                  json_type);

    (void)state;
    for (size_t i = 0; i < sizeof plain - 1; i += 7) {
        size_t left = sizeof plain - 1 - i, size = left < 7 ? left : 7;
        used += (size_t)sprintf(request + used, "%zx\r\n%.*s\r\n", size, (int)size, plain + i);
    }
    used += (size_t)sprintf(request + used, "0\r\n\r\n");
    assert_int_equal(put_raw(request, used, 11, 500, &answer), 201);
    assert_true(exists("chunked"));
}

/* The right body, and blanks up to the length. */
static char *padded(size_t length)
{
    char *body = malloc(length + 1);

    memset(body, ' ', length);
    memcpy(body, plain, sizeof plain - 1);
    return body;
}

static void the_limit_is_the_one_that_is_documented(void **state)
{
    char *body = padded(LIMIT + 1);
    struct answer answer;

    (void)state;
    assert_int_equal(put("under", json_type, body, LIMIT - 1), 201);
    assert_int_equal(put("at", json_type, body, LIMIT), 201);
    served_ask(served, "PUT", "/v1/landscapes/over", json_type, body, LIMIT + 1, &answer);
    assert_int_equal(answer.status, 413);
    assert_non_null(strstr((char *)answer.body, "16384"));
    answer_free(&answer);
    assert_false(exists("over"));
    free(body);
}

static void too_large_is_said_before_the_body_comes(void **state)
{
    static const char *const heads[] = { "", "Expect: 100-continue\r\n" };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char request[512];
        struct answer answer;
        int length = snprintf(request, sizeof request,
                              "PUT /v1/landscapes/over HTTP/1.1\r\nHost: a\r\n%s%s"
                              "Content-Length: %d\r\n\r\n",
                              json_type, heads[i], 1 << 30);
        assert_int_equal(put_raw(request, (size_t)length, 4096, 0, &answer), 413);
        assert_true(answer.seconds < SERVED_SOON);
        assert_true(answer.closed);
    }
}

static void the_client_that_asks_first_is_told_to_go_on(void **state)
{
    char request[512], interim[64] = "";
    struct answer answer;
    int socket = served_connect(served);
    int length = snprintf(request, sizeof request,
                          "PUT /v1/landscapes/asked HTTP/1.1\r\nHost: a\r\n%s"
                          "Expect: 100-continue\r\nContent-Length: %zu\r\n\r\n",
                          json_type, sizeof plain - 1);

    (void)state;
    served_send(socket, request, (size_t)length);
    assert_true(recv(socket, interim, 25, MSG_WAITALL) == 25);
    assert_memory_equal(interim, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    served_send(socket, plain, sizeof plain - 1);
    served_receive(socket, SERVED_SOON, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    close(socket);
}

static void a_chunked_body_without_end_is_stopped_at_the_limit(void **state)
{
    char chunk[4096 + 16];
    struct answer answer;
    int socket = served_connect(served);
    size_t used = (size_t)sprintf(chunk,
                                  "PUT /v1/landscapes/endless HTTP/1.1\r\nHost: a\r\n%s"
                                  "Transfer-Encoding: chunked\r\n\r\n",
                                  json_type);

    (void)state;
    served_send(socket, chunk, used);
    used = (size_t)sprintf(chunk, "1000\r\n");
    memset(chunk + used, ' ', 4096);
    memcpy(chunk + used + 4096, "\r\n", 2);
    for (int i = 0; i < 8; i++)
        served_send(socket, chunk, used + 4098);
    served_receive(socket, SERVED_SOON, &answer);
    assert_int_equal(answer.status, 413);
    assert_string_equal(answer_header(&answer, "Content-Type"), "application/problem+json");
    answer_free(&answer);
    close(socket);
    assert_false(exists("endless"));
}

static void what_is_no_json_body_is_told_apart(void **state)
{
    (void)state;
    assert_int_equal(put("x", json_type, NULL, 0), 411);
    assert_int_equal(put("x", json_type, "", 0), 400);
    assert_int_equal(put("x", "Content-Type: text/plain\r\n", plain, sizeof plain - 1), 415);
    assert_int_equal(put("x", "Content-Type: application/json\r\nContent-Encoding: gzip\r\n", plain,
                         sizeof plain - 1),
                     415);
    assert_int_equal(put("x", json_type, "{\"layout\":", 10), 400);
    assert_false(exists("x"));
    assert_int_equal(
        put("y", "Content-Type: application/json; charset=utf-8\r\n", plain, sizeof plain - 1),
        201);
}

static void a_megabyte_of_nesting_is_answered(void **state)
{
    char *body = malloc(LIMIT);
    double began = served_seconds();

    (void)state;
    memset(body, '[', LIMIT);
    assert_int_equal(put("deep", json_type, body, LIMIT), 400);
    memcpy(body, "{\"layout\":", 10);
    assert_int_equal(put("deep", json_type, body, LIMIT), 400);
    for (size_t i = 0; i + 5 <= LIMIT; i += 5)
        memcpy(body + i, "{\"a\":", 5);
    assert_int_equal(put("deep", json_type, body, LIMIT), 400);
    assert_true(served_seconds() - began < SERVED_SOON);
    free(body);
}

static void a_body_cut_short_changes_nothing_and_has_no_answer(void **state)
{
    char request[1024];
    struct answer answer;
    int length = snprintf(request, sizeof request,
                          "PUT /v1/landscapes/cut HTTP/1.1\r\nHost: a\r\n%s"
                          "Content-Length: %zu\r\n\r\n%s",
                          json_type, sizeof plain + 10, plain);

    (void)state;
    for (int half = 0; half < 2; half++) {
        int socket = served_connect(served);
        served_send(socket, request, (size_t)length);
        shutdown(socket, half ? SHUT_WR : SHUT_RDWR);
        served_receive(socket, SERVED_SOON, &answer);
        assert_int_equal(answer.status, 0);
        close(socket);
    }
    usleep(100000);
    assert_false(exists("cut"));
}

static void a_dripping_body_is_cut(void **state)
{
    char request[512];
    int socket = served_connect(served);
    int length = snprintf(request, sizeof request,
                          "PUT /v1/landscapes/drip HTTP/1.1\r\nHost: a\r\n%s"
                          "Content-Length: 1000\r\n\r\n",
                          json_type);
    double began = served_seconds();

    (void)state;
    served_send(socket, request, (size_t)length);
    while (served_seconds() - began < 30) {
        struct pollfd wait = { .fd = socket, .events = POLLIN };
        if (send(socket, " ", 1, MSG_NOSIGNAL) < 1)
            break;
        if (poll(&wait, 1, 100) == 1)
            break;
    }
    assert_true(served_seconds() - began < 30);
    close(socket);
    assert_false(exists("drip"));
}

/* An answer that nobody takes is given up, and the thread that sends it was never stuck. */
static void a_client_that_does_not_read_is_cut(void **state)
{
    int socket = served_connect(served), small = 2048, sent = 0;
    static const char ask[] = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n";
    double began = served_seconds();
    struct pollfd wait;

    (void)state;
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    for (; sent < 20000; sent++)
        if (send(socket, ask, sizeof ask - 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 1)
            break;
    wait = (struct pollfd){ .fd = socket, .events = 0 };
    while (served_seconds() - began < 60 && !(wait.revents & (POLLHUP | POLLERR)))
        poll(&wait, 1, 500);
    assert_true(served_seconds() - began < 60);
    close(socket);
    assert_true(exists("at"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_in_any_pieces_is_the_same_body),
        cmocka_unit_test(a_chunked_body_is_the_same_body),
        cmocka_unit_test(the_limit_is_the_one_that_is_documented),
        cmocka_unit_test(too_large_is_said_before_the_body_comes),
        cmocka_unit_test(the_client_that_asks_first_is_told_to_go_on),
        cmocka_unit_test(a_chunked_body_without_end_is_stopped_at_the_limit),
        cmocka_unit_test(what_is_no_json_body_is_told_apart),
        cmocka_unit_test(a_megabyte_of_nesting_is_answered),
        cmocka_unit_test(a_body_cut_short_changes_nothing_and_has_no_answer),
        cmocka_unit_test(a_dripping_body_is_cut),
        cmocka_unit_test(a_client_that_does_not_read_is_cut),
    };

    return cmocka_run_group_tests(tests, start, stop);
}

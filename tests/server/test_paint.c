/* Paint over HTTP, by several at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"
#include "tests/server/harness.h"

#define BASE "/v1/landscapes/field"
enum { SIDE = 127, ROUNDS = 4 };

static struct served *served;

static void post(const char *method, const char *target, const char *body, int status)
{
    struct answer answer;

    served_ask(served, method, target, "Content-Type: application/json\r\n", body, strlen(body),
               &answer);
    if (answer.status != status)
        fail_msg("%s %s: %d %s", method, target, answer.status, (char *)answer.body);
    answer_free(&answer);
}

static int start(void **state)
{
    (void)state;
    served = served_start(NULL);
    if (!served)
        return -1;
    post("PUT", BASE, "{\"layout\":{\"components\":[2,2],\"section_quads\":63}}", 201);
    post("POST", BASE "/layers", "{\"name\":\"a\",\"blended\":false}", 201);
    post("POST", BASE "/layers", "{\"name\":\"b\",\"blended\":false}", 201);
    post("POST", BASE "/layers", "{\"name\":\"first\",\"physical_material\":\"mud\"}", 201);
    post("POST", BASE "/layers", "{\"name\":\"second\"}", 201);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    served_free(served);
    return 0;
}

/* One who sends a picture of weights again and again. */
struct painter {
    const char *layer, *file;
    pthread_t thread;
    int accepted;
};

static void *send_all(void *context)
{
    struct painter *painter = context;
    size_t length;
    unsigned char *data = input_read(painter->file, &length);
    char target[100];

    snprintf(target, sizeof target, BASE "/weights/%s", painter->layer);
    for (int i = 0; i < ROUNDS; i++) {
        struct answer answer;

        served_ask(served, "PUT", target, "Content-Type: image/png\r\n", data, length, &answer);
        painter->accepted += answer.status == 200;
        answer_free(&answer);
    }
    free(data);
    return NULL;
}

static void weights_read(const char *layer, uint8_t *weights)
{
    struct answer answer;
    char target[100];

    snprintf(target, sizeof target, BASE "/weights/%s?format=r8", layer);
    served_ask(served, "GET", target, NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.length, SIDE * SIDE);
    memcpy(weights, answer.body, SIDE * SIDE);
    answer_free(&answer);
}

static void send_at_once(struct painter *painters)
{
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&painters[i].thread, NULL, send_all, &painters[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(painters[i].thread, NULL);
        assert_int_equal(painters[i].accepted, ROUNDS);
    }
}

/* WGT-11 */
static void layers_sent_at_the_same_time_are_each_their_own(void **state)
{
    struct painter painters[2] = { { .layer = "a", .file = "weights/a.png" },
                                   { .layer = "b", .file = "weights/b_sum254.png" } };
    static uint8_t a[SIDE * SIDE], b[SIDE * SIDE];

    (void)state;
    send_at_once(painters);
    weights_read("a", a);
    weights_read("b", b);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(a[i], 2 * (i % SIDE));
        assert_int_equal(b[i], 254 - 2 * (i % SIDE));
    }
}

/* Blended ones push each other, whoever comes last: the sums are whole all the same. */
static void blended_layers_sent_at_the_same_time_add_up(void **state)
{
    struct painter painters[2] = { { .layer = "first", .file = "weights/a.png" },
                                   { .layer = "second", .file = "weights/b_sum254.png" } };
    static uint8_t a[SIDE * SIDE], b[SIDE * SIDE];

    (void)state;
    send_at_once(painters);
    weights_read("first", a);
    weights_read("second", b);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(a[i] + b[i], 255);
        if (a[i] != 2 * (i % SIDE))
            assert_int_equal(b[i], 254 - 2 * (i % SIDE));
    }
}

static void the_ground_says_what_it_is_made_of(void **state)
{
    struct answer answer;

    (void)state;
    post("POST", BASE "/edits",
         "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"first\",\"target\":255,\"region\":{\"x\":60,"
         "\"y\":60,\"width\":5,\"height\":5}},{\"tool\":\"unpaint\",\"layer\":\"a\",\"target\":0,"
         "\"region\":{\"x\":60,\"y\":60,\"width\":5,\"height\":5}},{\"tool\":\"unpaint\","
         "\"layer\":\"b\",\"target\":0,\"region\":{\"x\":60,\"y\":60,\"width\":5,\"height\":5}}]}",
         200);
    served_ask(served, "GET", BASE "/height?x=62&y=62&frame=grid", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr((char *)answer.body, "\"layer\":\"first\""));
    assert_non_null(strstr((char *)answer.body, "\"physical_material\":\"mud\""));
    answer_free(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_sent_at_the_same_time_are_each_their_own),
        cmocka_unit_test(blended_layers_sent_at_the_same_time_add_up),
        cmocka_unit_test(the_ground_says_what_it_is_made_of),
    };

    return cmocka_run_group_tests(tests, start, stop);
}

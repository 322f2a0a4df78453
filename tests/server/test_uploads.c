/* Uploaded rasters on a real daemon: what it has answered is there after kill -9, and many clients
 * at once see all of one raster or all of the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/harness.h"

enum { SIDE = 200, CLIENTS = 6, ROUNDS = 25 };

static struct served *served;

static int start(void **state)
{
    (void)state;
    served = served_start(NULL);
    return served ? 0 : -1;
}

static int stop(void **state)
{
    int status = served_stop(served);

    (void)state;
    served_free(served);
    return status;
}

/* A raster all of one brightness; the answer's status and ETag. */
static int put(const char *name, unsigned char value, char etag[64])
{
    static _Thread_local unsigned char samples[SIDE * SIDE];
    char target[100];
    struct answer answer;

    memset(samples, value, sizeof samples);
    snprintf(target, sizeof target, "/v1/rasters/%s?width=%d&height=%d", name, SIDE, SIDE);
    served_ask(served, "PUT", target, "Content-Type: application/x-r8\r\n", samples, sizeof samples,
               &answer);
    snprintf(etag, 64, "%s", answer_header(&answer, "ETag") ? answer_header(&answer, "ETag") : "");
    answer_free(&answer);
    return answer.status;
}

static int ask(const char *method, const char *name, char etag[64])
{
    char target[100];
    struct answer answer;

    snprintf(target, sizeof target, "/v1/rasters/%s", name);
    served_ask(served, method, target, NULL, NULL, 0, &answer);
    snprintf(etag, 64, "%s", answer_header(&answer, "ETag") ? answer_header(&answer, "ETag") : "");
    answer_free(&answer);
    return answer.status;
}

static void what_was_answered_survives_kill_9(void **state)
{
    char name[16], etags[8][64], etag[64];

    (void)state;
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "r%d", i);
        assert_int_equal(put(name, (unsigned char)i, etags[i]), 201);
    }
    assert_int_equal(put("r1", 100, etags[1]), 200);
    assert_int_equal(ask("DELETE", "r2", etag), 204);
    served_kill(served);
    assert_true(served_again(served, NULL));
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "r%d", i);
        assert_int_equal(ask("GET", name, etag), i == 2 ? 404 : 200);
        if (i != 2)
            assert_string_equal(etag, etags[i]);
    }
}

static _Atomic int wrongs, stamped;

/* Heights that a stamp of the raster leaves are all alike: it is of one brightness. */
static void *stamp_and_look(void *context)
{
    static const char edit[] =
        "{\"ops\":[{\"tool\":\"stamp\",\"image\":\"moving\",\"blend\":\"blend\","
        "\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64}}]}";
    char id[40], target[100];
    struct answer answer;

    snprintf(id, sizeof id, "/v1/landscapes/l%d", *(int *)context);
    snprintf(target, sizeof target, "%s/edits", id);
    for (int round = 0; round < ROUNDS; round++) {
        served_ask(served, "POST", target, "Content-Type: application/json\r\n", edit,
                   sizeof edit - 1, &answer);
        atomic_fetch_add(answer.status == 200 ? &stamped : &wrongs, 1);
        if (answer.status != 200)
            fprintf(stderr, "%d %s\n", answer.status, (char *)answer.body);
        answer_free(&answer);
        snprintf(target, sizeof target, "%s/heights?format=r16", id);
        served_ask(served, "GET", target, NULL, NULL, 0, &answer);
        for (size_t i = 2; answer.status == 200 && i < answer.length; i += 2)
            if (memcmp(answer.body, answer.body + i, 2) != 0) {
                atomic_fetch_add(&wrongs, 1);
                break;
            }
        answer_free(&answer);
        snprintf(target, sizeof target, "%s/edits", id);
    }
    return NULL;
}

static void *put_others(void *context)
{
    char etag[64];

    for (int round = 0; round < ROUNDS; round++) {
        int status = put("moving", (unsigned char)(*(int *)context * 40 + round), etag);

        if (status != 200) {
            fprintf(stderr, "put: %d\n", status);
            atomic_fetch_add(&wrongs, 1);
        }
    }
    return NULL;
}

static void edits_read_all_of_one_raster_while_others_replace_it(void **state)
{
    static const char square[] = "{\"layout\":{\"components\":[1,1],\"section_quads\":63}}";
    pthread_t threads[CLIENTS];
    int numbers[CLIENTS];
    char etag[64], target[40];
    struct answer answer;

    (void)state;
    assert_int_equal(put("moving", 1, etag), 201);
    for (int i = 0; i < CLIENTS; i++) {
        numbers[i] = i;
        snprintf(target, sizeof target, "/v1/landscapes/l%d", i);
        served_ask(served, "PUT", target, "Content-Type: application/json\r\n", square,
                   sizeof square - 1, &answer);
        assert_int_equal(answer.status, 201);
        answer_free(&answer);
    }
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, i % 3 ? stamp_and_look : put_others, &numbers[i]), 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrongs), 0);
    assert_int_equal(atomic_load(&stamped), CLIENTS / 3 * 2 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_answered_survives_kill_9),
        cmocka_unit_test(edits_read_all_of_one_raster_while_others_replace_it),
    };

    return cmocka_run_group_tests(tests, start, stop);
}

/* Once an edit is acknowledged, nobody sees the ground as it was: writers at places of their own
 * change it all the time, and after each answer ask from other connections, in every way there is,
 * how high it is. LANDSCAPED_SOAK makes 10,000 tries of it. */
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

#define LAND "/v1/landscapes/field"

enum { WRITERS = 4, SIDE = 40, TRIES = 600, TRIES_LONG = 10000 };

/* A question about the ground at one place; %1$g, %2$g are its x and y, %3$d the height that it
 * must have. The answer is the number behind `key` and so many commas. */
static const struct question {
    const char *target, *body, *key;
    int commas;
} questions[] = {
    { LAND "/height?x=%1$g&y=%2$g", NULL, "\"z\":", 0 },
    { LAND "/query/heights", "{\"points\":[[0,0],[%1$g,%2$g]]}", "\"heights\":[", 1 },
    { LAND "/query/heights?fields=normal,triangle", "{\"points\":[[%1$g,%2$g]]}", "\"z\":", 0 },
    { LAND "/query/heights?interpolation=bicubic", "{\"points\":[[%1$g,%2$g]]}", "\"heights\":[",
      0 },
    { LAND "/query/raycast", "{\"rays\":[{\"origin\":[%1$g,%2$g,900],\"direction\":[0,0,-2]}]}",
      "\"position\":[", 2 },
    { LAND "/query/raycast", "{\"rays\":[{\"origin\":[%1$g,%2$g,700],\"direction\":[2,1,-100]}]}",
      "\"position\":[", 2 },
    { LAND "/query/nearest", "{\"points\":[[%1$g,%2$g,%3$d]]}", "\"position\":[", 2 },
    { LAND "/query/sphere-sweep",
      "{\"sweeps\":[{\"from\":[%1$g,%2$g,900],\"to\":[%1$g,%2$g,-900],\"radius\":2}]}",
      "\"position\":[", 2 },
    { LAND "/query/profile", "{\"path\":[[%1$g,%2$g],[0,0]],\"samples\":2}", "\"z\":", 0 },
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static struct served *served;
static _Atomic int tries, stale;
static int tries_most;

/* The number behind a key, with so many commas before it. */
static bool number_after(const struct answer *answer, const char *key, int commas, double *number)
{
    const char *at = answer->body ? strstr((const char *)answer->body, key) : NULL;
    char *end;

    if (!at)
        return false;
    at += strlen(key);
    for (; commas > 0; commas--) {
        at = strchr(at, ',');
        if (!at)
            return false;
        at++;
    }
    *number = strtod(at, &end);
    return end != at;
}

static uint64_t version_of(const struct answer *answer)
{
    const char *text = answer_header(answer, "Landscape-Version");

    return text ? strtoull(text, NULL, 10) : 0;
}

static void post(const char *target, const char *body, struct answer *answer)
{
    served_ask(served, "POST", target, "Content-Type: application/json\r\n", body, strlen(body),
               answer);
}

static uint64_t raise(int writer, int height)
{
    struct answer answer;
    uint64_t version;
    char body[300];

    snprintf(
        body, sizeof body,
        "{\"ops\":[{\"tool\":\"set\",\"region\":{\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d},"
        "\"height\":%d}]}",
        100 + writer % 2 * 60, 90 + writer / 2 * 60, SIDE, SIDE, height);
    post(LAND "/edits", body, &answer);
    version = answer.status == 200 ? version_of(&answer) : 0;
    if (!version)
        fprintf(stderr, "edit: %d %.200s\n", answer.status, (const char *)answer.body);
    answer_free(&answer);
    return version;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static bool shows(const struct question *question, double x, double y, int height, uint64_t version)
{
    char target[200], body[300];
    struct answer answer;
    double found = -1;
    bool right;

    snprintf(target, sizeof target, question->target, x, y, height);
    if (question->body) {
        snprintf(body, sizeof body, question->body, x, y, height);
        post(target, body, &answer);
    } else {
        served_ask(served, "GET", target, NULL, NULL, 0, &answer);
    }
    right = answer.status == 200 && version_of(&answer) >= version &&
            number_after(&answer, question->key, question->commas, &found) &&
            found > height - 1e-6 && found < height + 1e-6;
    if (!right)
        fprintf(stderr, "%s: %d, version %llu after %llu, %.12g m where %d was written: %.300s\n",
                target, answer.status, (unsigned long long)version_of(&answer),
                (unsigned long long)version, found, height, (const char *)answer.body);
    answer_free(&answer);
    return right;
}
#pragma GCC diagnostic pop

static void *writer_run(void *context)
{
    const int writer = *(const int *)context;
    const double x = 100.5 + writer % 2 * 60 + SIDE / 2, y = 90.25 + writer / 2 * 60 + SIDE / 2;

    for (int turn = 0; atomic_fetch_add(&tries, 1) < tries_most; turn++) {
        const int height = 1 + (turn * 37 + writer * 11) % 200;
        const uint64_t version = raise(writer, height);

        if (!version || !shows(&questions[(turn + writer) % QUESTIONS], x, y, height, version))
            atomic_fetch_add(&stale, 1);
    }
    return NULL;
}

/* The places lie around the corner of four blocks. */
static void what_was_acknowledged_is_what_is_seen(void **state)
{
    static const char plain[] = "{\"layout\":{\"components\":[4,4],\"sections_per_component\":1,"
                                "\"section_quads\":63}}";
    pthread_t threads[WRITERS];
    int numbers[WRITERS];
    struct answer answer;

    (void)state;
    served = served_start(NULL);
    assert_non_null(served);
    served_ask(served, "PUT", LAND, "Content-Type: application/json\r\n", plain, strlen(plain),
               &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    tries_most = getenv("LANDSCAPED_SOAK") ? TRIES_LONG : TRIES;
    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, writer_run, &numbers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_true(atomic_load(&tries) >= tries_most);
    assert_int_equal(atomic_load(&stale), 0);
    assert_int_equal(served_stop(served), 0);
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_was_acknowledged_is_what_is_seen) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

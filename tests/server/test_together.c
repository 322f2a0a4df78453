/* Readers while writers change everything: each answer is of one moment. LANDSCAPED_SOAK is how
 * many seconds it goes on, 3 by default. */
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
#include <unistd.h>

#include "tests/server/harness.h"

enum { SIDE = 127, WRITERS = 2, READERS = 8 };

static struct served *served;
static _Atomic bool ending;
static _Atomic int writes, reads, wrongs, renders;

static int post(const char *method, const char *target, const char *body)
{
    struct answer answer;

    served_ask(served, method, target, body ? "Content-Type: application/json\r\n" : NULL, body,
               body ? strlen(body) : 0, &answer);
    answer_free(&answer);
    return answer.status;
}

static int start(void **state)
{
    static const char plain[] = "{\"layout\":{\"components\":[1,1],\"sections_per_component\":2,"
                                "\"section_quads\":63}}";

    (void)state;
    served = served_start(NULL);
    if (!served)
        return -1;
    return post("PUT", "/v1/landscapes/field", plain) == 201 &&
                   post("POST", "/v1/landscapes/field/layers", "{\"name\":\"a\"}") == 201 &&
                   post("POST", "/v1/landscapes/field/layers", "{\"name\":\"b\"}") == 201
               ? 0
               : -1;
}

static int stop(void **state)
{
    int status = served_stop(served);

    (void)state;
    served_free(served);
    return status;
}

static void complain(const char *what, const struct answer *answer)
{
    if (atomic_fetch_add(&wrongs, 1) < 5)
        fprintf(stderr, "%s: %d %.200s\n", what, answer->status, (const char *)answer->body);
}

/* What the whole landscape becomes in one edit. */
struct whole {
    int height;
    const char *layer, *hole;
};

/* Every third time what was done last, by whomever, is taken back. */
static void *write_all(void *context)
{
    static const char all[] = "\"region\":{\"x\":0,\"y\":0,\"width\":127,\"height\":127}";
    const struct whole *whole = context;
    char body[600];

    snprintf(
        body, sizeof body,
        "{\"ops\":[{\"tool\":\"set\",%s,\"height\":%d},{\"tool\":\"paint\",%s,\"layer\":\"%s\","
        "\"target\":255},{\"tool\":\"%s\",%s}]}",
        all, whole->height, all, whole->layer, whole->hole, all);
    for (int turn = 0; !atomic_load(&ending); turn++) {
        struct answer answer;

        if (turn % 3 == 2)
            served_ask(served, "POST", "/v1/landscapes/field/undo", NULL, NULL, 0, &answer);
        else
            served_ask(served, "POST", "/v1/landscapes/field/edits",
                       "Content-Type: application/json\r\n", body, strlen(body), &answer);
        if (answer.status == 200)
            atomic_fetch_add(&writes, 1);
        else
            complain("edit", &answer);
        answer_free(&answer);
    }
    return NULL;
}

/* Samples of that many bytes are all the same. */
static void all_one(const char *what, const struct answer *answer, size_t size)
{
    if (answer->status != 200 || answer->length < size * SIDE) {
        complain(what, answer);
        return;
    }
    for (size_t i = size; i + size <= answer->length; i += size) {
        if (memcmp(answer->body, answer->body + i, size)) {
            complain(what, answer);
            return;
        }
    }
    atomic_fetch_add(&reads, 1);
}

/* Both layers, all of them one's or the other's; nobody's before the first edit. */
static void planes_check(const struct answer *answer)
{
    const size_t plane = (size_t)SIDE * SIDE;
    const unsigned char *body = answer->body;

    if (answer->status != 200 || answer->length != 2 * plane) {
        complain("planes", answer);
        return;
    }
    for (size_t i = 0; i < plane; i++) {
        if (body[i] != body[0] || body[plane + i] != body[plane] ||
            (body[0] + body[plane] != 255 && body[0] + body[plane] != 0)) {
            complain("planes", answer);
            return;
        }
    }
    atomic_fetch_add(&reads, 1);
}

/* One ETag, one content: remembered for a while and compared. */
struct seen {
    char etag[100];
    unsigned char *body;
    size_t length;
};

static void tile_check(struct seen *seen, const struct answer *answer)
{
    const char *etag = answer_header(answer, "ETag");

    if (answer->status != 200 || !etag || memcmp(answer->body, "\x89PNG", 4)) {
        complain("tile", answer);
        return;
    }
    if (!strcmp(etag, seen->etag) &&
        (answer->length != seen->length || memcmp(answer->body, seen->body, seen->length)))
        complain("tile under the same ETag", answer);
    free(seen->body);
    snprintf(seen->etag, sizeof seen->etag, "%s", etag);
    seen->length = answer->length;
    seen->body = malloc(answer->length);
    memcpy(seen->body, answer->body, answer->length);
    atomic_fetch_add(&reads, 1);
}

static void *read_all(void *context)
{
    static const char batch_type[] =
        "Content-Type: application/x-f32\r\nAccept: application/x-f32\r\n";
    float points[2 * SIDE];
    struct seen seen = { .body = NULL };
    int turn = *(int *)context;

    for (int i = 0; i < SIDE; i++)
        points[2 * i] = points[2 * i + 1] = (float)i * 0.99f;
    for (; !atomic_load(&ending); turn++) {
        struct answer answer;
        switch (turn % 8) {
        case 0:
            served_ask(served, "GET", "/v1/landscapes/field/heights?format=r16", NULL, NULL, 0,
                       &answer);
            all_one("heights", &answer, 2);
            break;
        case 1:
            served_ask(served, "GET", "/v1/landscapes/field/export?format=r16", NULL, NULL, 0,
                       &answer);
            all_one("export", &answer, 2);
            break;
        case 2:
            served_ask(served, "POST", "/v1/landscapes/field/query/heights?frame=grid", batch_type,
                       points, sizeof points, &answer);
            all_one("points", &answer, 4);
            break;
        case 3:
            served_ask(served, "GET", "/v1/landscapes/field/tiles/terrarium/0/0/0.png", NULL, NULL,
                       0, &answer);
            tile_check(&seen, &answer);
            break;
        case 4:
            served_ask(served, "GET", "/v1/landscapes/field/weights/a?format=r8", NULL, NULL, 0,
                       &answer);
            all_one("weights", &answer, 1);
            break;
        case 5:
            served_ask(served, "GET", "/v1/landscapes/field/weights?layers=a,b", NULL, NULL, 0,
                       &answer);
            planes_check(&answer);
            break;
        case 6:
            served_ask(served, "GET", "/v1/landscapes/field/holes?format=r8", NULL, NULL, 0,
                       &answer);
            all_one("holes", &answer, 1);
            break;
        default:
            served_ask(served, "GET", "/v1/landscapes/field", NULL, NULL, 0, &answer);
            if (answer.status != 200)
                complain("document", &answer);
        }
        answer_free(&answer);
    }
    free(seen.body);
    return NULL;
}

static void *look_all(void *context)
{
    (void)context;
    while (!atomic_load(&ending)) {
        struct answer answer;
        served_ask(served, "GET", "/v1/landscapes/field/render.png?width=64&height=64", NULL, NULL,
                   0, &answer);
        if (answer.status == 200)
            atomic_fetch_add(&renders, 1);
        else if (answer.status != 503) /* a machine that cannot draw says so */
            complain("render", &answer);
        answer_free(&answer);
    }
    return NULL;
}

/* HTTP-18 */
static void every_answer_is_of_one_moment(void **state)
{
    const char *soak = getenv("LANDSCAPED_SOAK");
    struct whole wholes[WRITERS] = { { 50, "a", "hole" }, { -50, "b", "unhole" } };
    int turns[READERS];
    pthread_t writers[WRITERS], readers[READERS], looker;

    (void)state;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, write_all, &wholes[i]);
    for (int i = 0; i < READERS; i++) {
        turns[i] = i;
        pthread_create(&readers[i], NULL, read_all, &turns[i]);
    }
    pthread_create(&looker, NULL, look_all, NULL);
    sleep(soak ? (unsigned)atoi(soak) : 3);
    for (int i = 0; i < 1200 && (writes <= 5 || reads <= 50); i++)
        usleep(100000); /* the machine has other things to do */
    atomic_store(&ending, true);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    pthread_join(looker, NULL);
    printf("%d writes, %d reads, %d pictures\n", writes, reads, renders);
    assert_int_equal(wrongs, 0);
    assert_true(writes > 5);
    assert_true(reads > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_of_one_moment),
    };

    return cmocka_run_group_tests(tests, start, stop);
}

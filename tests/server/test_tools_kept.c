/* What every tool made, on either of two edit layers, is there again after a kill. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "tests/server/harness.h"

enum { SIDE = 64 };

static void ask(const struct served *served, const char *method, const char *target,
                const char *type, const void *body, size_t length)
{
    struct answer answer;
    char headers[128];

    snprintf(headers, sizeof headers, "Content-Type: %s\r\n", type);
    served_ask(served, method, target, headers, body, length, &answer);
    if (answer.status / 100 != 2)
        fail_msg("%s %s: %d %s", method, target, answer.status, (char *)answer.body);
    answer_free(&answer);
}

static void post(const struct served *served, const char *target, const char *body)
{
    ask(served, "POST", target, "application/json", body, strlen(body));
}

static void make(const struct served *served)
{
    static const char body[] =
        "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,\"section_quads\":63}}";
    uint16_t image[SIDE * SIDE];

    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = (uint16_t)(i * 16);
    ask(served, "PUT", "/v1/rasters/demo?width=64&height=64", "application/x-r16", image,
        sizeof image);
    ask(served, "PUT", "/v1/landscapes/it", "application/json", body, strlen(body));
    post(served, "/v1/landscapes/it/layers", "{\"name\":\"grass\"}");
    post(served, "/v1/landscapes/it/layers", "{\"name\":\"rock\"}");
    post(served, "/v1/landscapes/it/edit-layers", "{\"name\":\"above\"}");
    post(served, "/v1/landscapes/it/edits",
         "{\"ops\":[{\"tool\":\"generate\",\"generator\":\"fbm\",\"amplitude\":40,\"scale\":30,"
         "\"seed\":5,\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64}},"
         "{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,"
         "\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64}}]}");
}

static void edit(const struct served *served, const struct brush *brush, const char *layer)
{
    char body[2048];

    snprintf(body, sizeof body, "{\"edit_layer\":\"%s\",\"ops\":[%s]}", layer, brush->example);
    post(served, "/v1/landscapes/it/edits", body);
}

/* Heights, holes and weights, one behind the other; to be freed. */
static unsigned char *shown(const struct served *served, size_t *length)
{
    static const char *const targets[] = { "/v1/landscapes/it/heights?format=r16",
                                           "/v1/landscapes/it/holes?format=r8",
                                           "/v1/landscapes/it/weights?layers=grass,rock" };
    unsigned char *bytes = NULL;

    *length = 0;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct answer answer;

        served_ask(served, "GET", targets[i], NULL, NULL, 0, &answer);
        assert_int_equal(answer.status, 200);
        bytes = realloc(bytes, *length + answer.length);
        memcpy(bytes + *length, answer.body, answer.length);
        *length += answer.length;
        answer_free(&answer);
    }
    return bytes;
}

static void assert_kept(struct served *served)
{
    size_t lengths[2];
    unsigned char *before = shown(served, &lengths[0]), *after;

    kill(served->process, SIGKILL);
    served_kill(served);
    assert_true(served_again(served, NULL));
    after = shown(served, &lengths[1]);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(before, after, lengths[0]);
    free(before);
    free(after);
}

/* A kill after each few, so that each tool's edit is replayed from the log once at least. */
static void what_every_tool_made_is_replayed_after_a_kill(void **state)
{
    struct served *served = served_start(NULL);

    (void)state;
    assert_non_null(served);
    make(served);
    for (int i = 0; i < brush_count; i++) {
        edit(served, brushes[i], "base");
        edit(served, brushes[i], "above");
        if (i % 4 == 3 || i == brush_count - 1)
            assert_kept(served);
        if (i % 5 == 2)
            post(served, "/v1/landscapes/it/undo", "");
    }
    assert_kept(served);
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_every_tool_made_is_replayed_after_a_kill),
    };

    return cmocka_run_group_tests_name("tools kept", tests, NULL, NULL);
}

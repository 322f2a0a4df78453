/* What holds for every tool alike, asked from outside: the row's own example, on a landscape with
 * ground, holes, paint and a second edit layer. */
#include "tests/api/caller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"

enum { SIDE = 64 };

/* Everything that a landscape shows. */
struct shown {
    char *bytes;
    size_t length;
};

static void show(struct caller *caller, const char *id, struct shown *shown)
{
    static const char *const asks[] = { "heights?format=r16", "holes?format=r8",
                                        "weights?layers=grass,rock" };

    *shown = (struct shown){ 0 };
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char target[128];

        snprintf(target, sizeof target, "/v1/landscapes/%s/%s", id, asks[i]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        shown->bytes = realloc(shown->bytes, shown->length + caller->length);
        memcpy(shown->bytes + shown->length, caller->body, caller->length);
        shown->length += caller->length;
    }
}

static bool same(const struct shown *a, const struct shown *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

static void assert_shows(struct caller *caller, const char *id, const struct shown *expected)
{
    struct shown shown;

    show(caller, id, &shown);
    assert_int_equal(shown.length, expected->length);
    assert_memory_equal(shown.bytes, expected->bytes, expected->length);
    free(shown.bytes);
}

static void post(struct caller *caller, const char *target, const char *body)
{
    if (call(caller, "POST", target, body) / 100 != 2)
        fail_msg("%s %s: %.*s", target, body ? body : "", (int)caller->length, caller->body);
}

static void put_image(struct caller *caller)
{
    uint16_t values[SIDE * SIDE];

    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = (uint16_t)(i % SIDE * 900 + i / SIDE * 120);
    caller->type = "application/x-r16";
    assert_int_equal(
        call_bytes(caller, "PUT", "/v1/rasters/demo?width=64&height=64", values, sizeof values),
        201);
}

/* A landscape of 64 x 64 vertices on which no tool finds nothing to do. */
static void make(struct caller *caller, const char *id)
{
    static const char body[] =
        "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,\"section_quads\":63}}";
    static const char ground[] =
        "{\"ops\":[{\"tool\":\"generate\",\"generator\":\"fbm\",\"amplitude\":40,\"scale\":30,"
        "\"seed\":5,\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64}},"
        "{\"tool\":\"hole\",\"region\":{\"x\":22,\"y\":16,\"width\":6,\"height\":5}},"
        "{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,"
        "\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64}},"
        "{\"tool\":\"paint\",\"layer\":\"rock\",\"amount\":90,\"path\":[[30,30]],\"radius\":30}]}";
    char target[128];

    snprintf(target, sizeof target, "/v1/landscapes/%s", id);
    assert_int_equal(call(caller, "PUT", target, body), 201);
    caller_paint(caller, id, "grass", true);
    caller_paint(caller, id, "rock", true);
    snprintf(target, sizeof target, "/v1/landscapes/%s/edits", id);
    post(caller, target, ground);
    snprintf(target, sizeof target, "/v1/landscapes/%s/edit-layers", id);
    post(caller, target, "{\"name\":\"above\"}");
}

static void body_of(const struct brush *brush, const char *layer, char body[2048])
{
    snprintf(body, 2048, "{\"edit_layer\":\"%s\",\"ops\":[%s]}", layer, brush->example);
}

struct told {
    double version, changed;
    char dirty[256];
};

static void edit(struct caller *caller, const char *target, const char *body, struct told *told)
{
    char *dirty;

    post(caller, target, body);
    told->version = caller_number(caller, "version");
    told->changed = caller_number(caller, "changed");
    dirty = json_dumps(caller_member(caller, "dirty"), JSON_ENCODE_ANY | JSON_COMPACT);
    snprintf(told->dirty, sizeof told->dirty, "%s", dirty);
    free(dirty);
}

/* How many vertices differ, and the rectangle around them. */
static int differences(const struct shown *a, const struct shown *b, int around[4])
{
    int count = 0;

    around[0] = around[1] = SIDE;
    around[2] = around[3] = -1;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            size_t height = (size_t)(y * SIDE + x) * 2, planes = SIDE * SIDE * 2;
            size_t hole = planes + (size_t)(y * (SIDE - 1) + x);
            size_t weight = planes + (SIDE - 1) * (SIDE - 1) + (size_t)(y * SIDE + x);
            bool differs = memcmp(a->bytes + height, b->bytes + height, 2) != 0 ||
                           a->bytes[weight] != b->bytes[weight] ||
                           a->bytes[weight + SIDE * SIDE] != b->bytes[weight + SIDE * SIDE];

            if (x < SIDE - 1 && y < SIDE - 1)
                differs = differs || a->bytes[hole] != b->bytes[hole];
            if (!differs)
                continue;
            count++;
            around[0] = x < around[0] ? x : around[0];
            around[1] = y < around[1] ? y : around[1];
            around[2] = x > around[2] ? x : around[2];
            around[3] = y > around[3] ? y : around[3];
        }
    return count;
}

static void assert_told(const struct told *told, const struct shown *before,
                        const struct shown *after)
{
    int around[4], count = differences(before, after, around);
    char dirty[256];

    snprintf(dirty, sizeof dirty, "{\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d}", around[0],
             around[1], around[2] - around[0] + 1, around[3] - around[1] + 1);
    assert_true(count > 0);
    assert_int_equal(told->changed, count);
    assert_string_equal(told->dirty, dirty);
}

/* One tool through its whole life on one edit layer. */
static void live(struct caller *caller, const struct brush *brush, const char *layer)
{
    struct shown before, after, other;
    struct told dry, wet, twin;
    char body[2048];

    body_of(brush, layer, body);
    make(caller, "one");
    make(caller, "two");
    show(caller, "one", &before);

    edit(caller, "/v1/landscapes/one/edits?dry_run=true", body, &dry);
    assert_shows(caller, "one", &before);
    edit(caller, "/v1/landscapes/one/edits", body, &wet);
    show(caller, "one", &after);
    assert_true(dry.version == wet.version && dry.changed == wet.changed);
    assert_string_equal(dry.dirty, wet.dirty);
    assert_told(&wet, &before, &after);

    edit(caller, "/v1/landscapes/two/edits", body, &twin);
    show(caller, "two", &other);
    assert_true(same(&after, &other));
    assert_true(twin.changed == wet.changed);

    post(caller, "/v1/landscapes/one/undo", NULL);
    assert_shows(caller, "one", &before);
    post(caller, "/v1/landscapes/one/redo", NULL);
    assert_shows(caller, "one", &after);
    caller_restart(caller);
    assert_shows(caller, "one", &after);
    post(caller, "/v1/landscapes/one/undo", NULL);
    assert_shows(caller, "one", &before);

    assert_int_equal(
        call(caller, "PATCH", "/v1/landscapes/one/edit-layers/above", "{\"locked\":true}"), 200);
    body_of(brush, "above", body);
    call(caller, "POST", "/v1/landscapes/one/edits", body);
    assert_refused(caller, 423, "/edit_layer");
    assert_shows(caller, "one", &before);

    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/one", NULL), 204);
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/two", NULL), 204);
    free(before.bytes);
    free(after.bytes);
    free(other.bytes);
}

static void every_tool_is_predicted_repeated_undone_kept_and_refused(void **state)
{
    struct caller *caller = *state;

    put_image(caller);
    for (int i = 0; i < brush_count; i++) {
        print_message("%s\n", brushes[i]->name);
        live(caller, brushes[i], "base");
        live(caller, brushes[i], "above");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_tool_is_predicted_repeated_undone_kept_and_refused,
                                        caller_begin, caller_end),
    };

    return cmocka_run_group_tests_name("every tool", tests, NULL, NULL);
}

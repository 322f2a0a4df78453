/* Flow through the API: the same numbers in every format, and only what it depends on. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void land(struct caller *caller, const char *scale)
{
    char body[300];

    snprintf(body, sizeof body,
             "{\"layout\":{\"components\":[2,2],\"sections_per_component\":1,\"section_quads\":7},"
             "\"scale\":%s}",
             scale);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/it", body), 201);
}

static void edit(struct caller *caller, const char *op)
{
    char body[300];

    snprintf(body, sizeof body, "{\"ops\":[%s]}", op);
    if (call(caller, "POST", "/v1/landscapes/it/edits?frame=grid", body) != 200)
        fail_msg("%s", caller->body);
}

static int ask(struct caller *caller, const char *what)
{
    char target[200];

    snprintf(target, sizeof target, "/v1/landscapes/it/%s", what);
    return call(caller, "GET", target, NULL);
}

static double cell(const struct caller *caller, size_t x, size_t y)
{
    const json_t *number =
        json_array_get(json_array_get(json_object_get(caller->json, "rows"), y), x);

    assert_non_null(number);
    return json_is_null(number) ? NAN : json_number_value(number);
}

static const char ridge[] = "{\"tool\":\"ramp\",\"from\":[0,7,0],\"to\":[14,7,14],\"width\":60,"
                            "\"falloff\":0}";
static const char dent[] = "{\"tool\":\"lower\",\"region\":{\"x\":5,\"y\":5,\"width\":3,"
                           "\"height\":3},\"amount\":20}";

static void a_slope_drains_down(void **state)
{
    struct caller *caller = *state;

    land(caller, "[2,3,1]");
    edit(caller, ridge);
    assert_int_equal(ask(caller, "flow-direction?format=json"), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/json");
    assert_true(caller_number(caller, "version") == 2);
    assert_true(caller_number(caller, "width") == 15 && caller_number(caller, "height") == 15);
    assert_true(cell(caller, 5, 7) == 16 && cell(caller, 0, 7) == 0);
    assert_int_equal(ask(caller, "flow-accumulation?format=json"), 200);
    assert_string_equal(caller_text(caller, "unit"), "vertices");
    for (size_t x = 0; x < 15; x++)
        assert_true(cell(caller, x, 7) == 15 - (double)x);
    assert_int_equal(ask(caller, "flow-accumulation?format=json&unit=area"), 200);
    assert_string_equal(caller_text(caller, "unit"), "area");
    assert_true(cell(caller, 0, 7) == 15 * 6);
    /* What comes from beyond the window does not count. */
    assert_int_equal(ask(caller, "flow-accumulation?format=json&x=2&width=4&y=6&height=3"), 200);
    assert_true(cell(caller, 0, 1) == 4);
}

static void a_dent_is_filled_unless_it_is_left(void **state)
{
    struct caller *caller = *state;

    land(caller, "[1,1,1]");
    edit(caller, dent);
    assert_int_equal(ask(caller, "depression-depths?format=json"), 200);
    for (size_t y = 0; y < 15; y++)
        for (size_t x = 0; x < 15; x++)
            assert_true(cell(caller, x, y) == (x > 4 && x < 8 && y > 4 && y < 8 ? 20 : 0));
    assert_int_equal(ask(caller, "flow-direction?format=json&fill=false"), 200);
    assert_true(cell(caller, 6, 6) == 0 && cell(caller, 4, 6) == 1 && cell(caller, 2, 6) == 0);
    assert_int_equal(ask(caller, "flow-direction?format=json"), 200);
    for (size_t y = 1; y < 14; y++)
        for (size_t x = 1; x < 14; x++)
            assert_true(cell(caller, x, y) != 0);
}

static void a_hole_has_no_flow(void **state)
{
    struct caller *caller = *state;

    land(caller, "[1,1,1]");
    edit(caller, "{\"tool\":\"hole\",\"region\":{\"x\":4,\"y\":4,\"width\":3,\"height\":3}}");
    assert_int_equal(ask(caller, "flow-direction?format=json"), 200);
    assert_true(cell(caller, 5, 5) == 255 && cell(caller, 4, 4) != 255);
    assert_int_equal(ask(caller, "flow-accumulation?format=json"), 200);
    assert_true(isnan(cell(caller, 5, 5)) && cell(caller, 4, 4) >= 1);
    assert_int_equal(ask(caller, "flow-direction?format=json&ignore_holes=true"), 200);
    assert_true(cell(caller, 5, 5) != 255);
}

/* Little-endian, row by row, and pictures of one byte a vertex. */
static void every_format_has_the_same_numbers(void **state)
{
    static const uint8_t png[] = { 0x89, 'P', 'N', 'G' };
    struct caller *caller = *state;
    double wanted[15][15];

    land(caller, "[1,1,1]");
    edit(caller, ridge);
    edit(caller, dent);
    assert_int_equal(ask(caller, "flow-accumulation?format=json"), 200);
    for (size_t y = 0; y < 15; y++)
        for (size_t x = 0; x < 15; x++)
            wanted[y][x] = cell(caller, x, y);
    assert_int_equal(ask(caller, "flow-accumulation?format=f32"), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f32");
    assert_int_equal(caller->length, 15 * 15 * 4);
    for (size_t i = 0; i < 15 * 15; i++) {
        float value;

        memcpy(&value, caller->body + 4 * i, sizeof value);
        assert_true(value == wanted[i / 15][i % 15]);
    }
    assert_int_equal(ask(caller, "flow-accumulation?format=f64"), 200);
    assert_int_equal(caller->length, 15 * 15 * 8);
    for (size_t i = 0; i < 15 * 15; i++) {
        double value;

        memcpy(&value, caller->body + 8 * i, sizeof value);
        assert_true(value == wanted[i / 15][i % 15]);
    }
    assert_int_equal(ask(caller, "flow-direction?format=json"), 200);
    for (size_t y = 0; y < 15; y++)
        for (size_t x = 0; x < 15; x++)
            wanted[y][x] = cell(caller, x, y);
    assert_int_equal(ask(caller, "flow-direction?format=r8"), 200);
    assert_int_equal(caller->length, 15 * 15);
    for (size_t i = 0; i < 15 * 15; i++)
        assert_true((uint8_t)caller->body[i] == wanted[i / 15][i % 15]);
    for (int i = 0; i < 3; i++) {
        static const char *const which[] = { "flow-direction", "flow-accumulation",
                                             "depression-depths" };

        assert_int_equal(ask(caller, which[i]), 200);
        assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
        assert_memory_equal(caller->body, png, sizeof png);
    }
}

static void it_is_named_by_what_it_depends_on(void **state)
{
    struct caller *caller = *state;
    static const char *const window = "flow-direction?format=r8&x=9&y=9&width=4&height=4";
    char tag[100];

    land(caller, "[1,1,1]");
    assert_int_equal(ask(caller, window), 200);
    snprintf(tag, sizeof tag, "%s", caller_header(caller, "ETag"));
    edit(caller, "{\"tool\":\"raise\",\"region\":{\"x\":1,\"y\":1,\"width\":2,\"height\":2},"
                 "\"amount\":3}");
    caller->if_none_match = tag;
    (void)ask(caller, window); /* one block: either answer is right, but never the old bytes */
    assert_true(caller->status == 304 || caller->status == 200);
    edit(caller, "{\"tool\":\"raise\",\"region\":{\"x\":10,\"y\":10,\"width\":2,\"height\":2},"
                 "\"amount\":3}");
    caller->if_none_match = tag;
    assert_int_equal(ask(caller, window), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), tag);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "3");
    /* As it was. */
    assert_int_equal(ask(caller, "flow-accumulation?format=json&version=1&fill=false"), 200);
    assert_true(caller_number(caller, "version") == 1 && cell(caller, 10, 10) == 1);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
}

static void what_is_too_much_or_wrong_is_named(void **state)
{
    struct caller *caller = *state;

    land(caller, "[1,1,1]");
    ask(caller, "flow-direction?width=16");
    assert_refused(caller, 422, "width");
    ask(caller, "flow-direction?step=2");
    assert_refused(caller, 400, "step");
    ask(caller, "flow-accumulation?unit=acres");
    assert_refused(caller, 400, "unit");
    ask(caller, "flow-direction?format=f32");
    assert_int_equal(caller->status, 400);
    ask(caller, "depression-depths?fill=false");
    assert_refused(caller, 400, "fill");
    caller->service.limits.flow_vertices = 224;
    ask(caller, "flow-accumulation");
    assert_refused(caller, 413, "");
    assert_non_null(strstr(caller->body, "flow_vertices"));
    assert_int_equal(ask(caller, "flow-accumulation?height=14"), 200);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_slope_drains_down),
        TEST(a_dent_is_filled_unless_it_is_left),
        TEST(a_hole_has_no_flow),
        TEST(every_format_has_the_same_numbers),
        TEST(it_is_named_by_what_it_depends_on),
        TEST(what_is_too_much_or_wrong_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

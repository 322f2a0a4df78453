/* Viewsheds through the API. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 29 x 29 vertices, 2 m apart, with a wall of 10 m along column 20. */
static void land(struct caller *caller, const char *more)
{
    char body[300];

    snprintf(body, sizeof body,
             "{\"layout\":{\"components\":[4,4],\"sections_per_component\":1,\"section_quads\":7},"
             "\"scale\":[2,2,1]%s}",
             more);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/it", body), 201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/it/edits",
                          "{\"ops\":[{\"tool\":\"raise\",\"region\":{\"x\":20,\"y\":0,\"width\":1,"
                          "\"height\":29},\"amount\":10}]}"),
                     200);
}

static int ask(struct caller *caller, const char *query)
{
    char target[240];

    snprintf(target, sizeof target, "/v1/landscapes/it/viewshed?%s", query);
    return call(caller, "GET", target, NULL);
}

static double cell(const struct caller *caller, size_t x, size_t y)
{
    const json_t *number =
        json_array_get(json_array_get(json_object_get(caller->json, "rows"), y), x);

    assert_non_null(number);
    return json_is_null(number) ? NAN : json_number_value(number);
}

static void a_wall_hides_what_is_behind_it(void **state)
{
    struct caller *caller = *state;

    land(caller, "");
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&eye_height=2&format=json"), 200);
    assert_true(caller_number(caller, "version") == 2);
    assert_true(caller_number(caller, "seen") == 21 * 29);
    assert_true(caller_number(caller, "area") == 21 * 29 * 4);
    for (size_t y = 0; y < 29; y++)
        for (size_t x = 0; x < 29; x++)
            assert_true(cell(caller, x, y) == (x <= 20 ? 255 : 0));
    /* Local metres are the same place. */
    assert_int_equal(ask(caller, "x=20&y=28&z=2&format=json&kind=height"), 200);
    for (size_t x = 0; x < 29; x++)
        assert_true(fabs(cell(caller, x, 14) - (x <= 20 ? 0 : 2 + 0.8 * ((double)x - 10))) < 1e-5);
    /* Tall enough. */
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&eye_height=2&target_height=20&format=json"),
                     200);
    assert_true(caller_number(caller, "seen") == 29 * 29);
}

static void a_radius_is_metres_and_its_window(void **state)
{
    struct caller *caller = *state;

    land(caller, "");
    assert_int_equal(ask(caller, "x=5&y=14&frame=grid&radius=8&format=json"), 200);
    assert_true(caller_number(caller, "x") == 1 && caller_number(caller, "y") == 10);
    assert_true(caller_number(caller, "width") == 9 && caller_number(caller, "height") == 9);
    assert_true(cell(caller, 4, 0) == 255 && cell(caller, 0, 0) == 0);
    assert_true(caller_number(caller, "seen") == 49); /* whole points within 4 quads */
    assert_int_equal(
        ask(caller, "x=5&y=14&frame=grid&radius=8&window=0,0,29,29&format=json&kind=height"), 200);
    assert_true(caller_number(caller, "width") == 29 && isnan(cell(caller, 28, 28)));
    assert_true(caller_number(caller, "seen") == 49);
}

/* Nothing is seen in a hole, and a wall with one lets you through. */
static void holes_hide_nothing(void **state)
{
    struct caller *caller = *state;

    land(caller, "");
    assert_int_equal(call(caller, "POST", "/v1/landscapes/it/edits",
                          "{\"ops\":[{\"tool\":\"hole\",\"region\":{\"x\":19,\"y\":12,\"width\":4,"
                          "\"height\":4}}]}"),
                     200);
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&format=json"), 200);
    assert_true(cell(caller, 20, 14) == 0 && cell(caller, 26, 14) == 255);
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&format=json&ignore_holes=true"), 200);
    assert_true(cell(caller, 20, 14) == 255 && cell(caller, 26, 14) == 0);
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&format=json&version=2"), 200);
    assert_true(cell(caller, 26, 14) == 0);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "2");
}

static void every_format_has_the_same_numbers(void **state)
{
    static const uint8_t png[] = { 0x89, 'P', 'N', 'G' };
    struct caller *caller = *state;
    float value;

    land(caller, "");
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid"), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
    assert_memory_equal(caller->body, png, sizeof png);
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&format=r8"), 200);
    assert_int_equal(caller->length, 29 * 29);
    for (size_t i = 0; i < 29 * 29; i++)
        assert_int_equal((uint8_t)caller->body[i], i % 29 <= 20 ? 255 : 0);
    assert_int_equal(ask(caller, "x=10&y=14&frame=grid&format=f32&kind=height&eye_height=2"), 200);
    assert_int_equal(caller->length, 29 * 29 * 4);
    memcpy(&value, caller->body + 4 * (29 * 14 + 25), sizeof value);
    assert_true(fabs(value - 14) < 1e-5);
}

/* A far shore sinks behind the Earth's curve, less so where light is bent. */
static void the_earth_is_round_when_asked(void **state)
{
    struct caller *caller = *state;
    double seen[3];
    static const char *const queries[] = { "", "&curvature=true", "&curvature=true&refraction=0" };

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/it",
                          "{\"layout\":{\"components\":[2,1],\"sections_per_component\":1,"
                          "\"section_quads\":127},\"scale\":[100,100,1]}"),
                     201);
    for (int i = 0; i < 3; i++) {
        char query[120];

        snprintf(query, sizeof query, "x=0&y=0&frame=grid&eye_height=2&format=json%s", queries[i]);
        assert_int_equal(ask(caller, query), 200);
        seen[i] = caller_number(caller, "seen");
    }
    assert_true(seen[0] == 255 * 128);
    /* Horizons of sqrt(2 R h / (1 - k)), 5412 m and 5048 m; a vertex is still seen half a quad
     * further, over the one before it. Quarters of circles with their radii. */
    assert_true(fabs(seen[1] - (3.14159 / 4 * 54.62 * 54.62 + 54.62)) < 20);
    assert_true(fabs(seen[2] - (3.14159 / 4 * 50.98 * 50.98 + 50.98)) < 20);
    assert_true(seen[2] < seen[1]);
}

static void it_is_named_by_what_it_depends_on(void **state)
{
    struct caller *caller = *state;
    static const char *const query = "x=5&y=14&frame=grid&radius=8&format=r8";
    char tag[100];

    land(caller, "");
    assert_int_equal(ask(caller, query), 200);
    snprintf(tag, sizeof tag, "%s", caller_header(caller, "ETag"));
    caller->if_none_match = tag;
    assert_int_equal(ask(caller, query), 304);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/it/edits",
                          "{\"ops\":[{\"tool\":\"raise\",\"region\":{\"x\":7,\"y\":14,\"width\":1,"
                          "\"height\":1},\"amount\":10}]}"),
                     200);
    caller->if_none_match = tag;
    assert_int_equal(ask(caller, query), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), tag);
}

static void what_is_too_much_or_wrong_is_named(void **state)
{
    struct caller *caller = *state;

    land(caller, "");
    ask(caller, "eye_height=2");
    assert_int_equal(caller->status, 400);
    ask(caller, "x=5&y=5&z=3&eye_height=2");
    assert_refused(caller, 400, "eye_height");
    ask(caller, "x=-50&y=5");
    assert_refused(caller, 422, "z");
    assert_int_equal(ask(caller, "x=-50&y=5&z=30"), 200);
    ask(caller, "x=5&y=5&z=-3");
    assert_refused(caller, 422, "");
    assert_non_null(strstr(caller->body, "below the ground"));
    ask(caller, "x=-50&y=5&z=3&radius=20");
    assert_refused(caller, 422, "radius");
    ask(caller, "x=5&y=5&radius=0");
    assert_refused(caller, 400, "radius");
    ask(caller, "x=5&y=5&window=0,0,30,1");
    assert_refused(caller, 422, "window");
    ask(caller, "x=5&y=5&window=0,-1,3,1");
    assert_refused(caller, 400, "window");
    ask(caller, "x=5&y=5&kind=hidden");
    assert_refused(caller, 400, "kind");
    ask(caller, "x=5&y=5&frame=lonlat");
    assert_int_equal(caller->status, 422);
    ask(caller, "x=1e300&y=5&z=4");
    assert_int_equal(caller->status, 422);
    caller->service.limits.viewshed_vertices = 100;
    ask(caller, "x=5&y=5");
    assert_refused(caller, 413, "");
    assert_non_null(strstr(caller->body, "viewshed_vertices"));
    /* The way to a far window counts as well. */
    ask(caller, "x=5&y=5&frame=grid&window=27,27,1,1");
    assert_refused(caller, 413, "");
    assert_int_equal(ask(caller, "x=5&y=5&frame=grid&radius=9"), 200);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_wall_hides_what_is_behind_it),
        TEST(a_radius_is_metres_and_its_window),
        TEST(holes_hide_nothing),
        TEST(every_format_has_the_same_numbers),
        TEST(the_earth_is_round_when_asked),
        TEST(it_is_named_by_what_it_depends_on),
        TEST(what_is_too_much_or_wrong_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What users of such software have met, of numbers: ends of ranges, sums, flat ground, and what is
 * no number at all. Each test names its report. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"

/* NUM-01 */
static void the_lowest_ground_is_not_the_top_after_any_change(void **state)
{
    static const char *const ops[] = {
        "{\"tool\":\"smooth\"," LAND_ALL "}",
        "{\"tool\":\"sharpen\",\"strength\":1," LAND_ALL "}",
        "{\"tool\":\"contrast\",\"factor\":3," LAND_ALL "}",
        "{\"tool\":\"flatten\",\"target\":-256," LAND_ALL "}",
        "{\"tool\":\"flatten\",\"terrace\":0.5," LAND_ALL "}",
        "{\"tool\":\"set\",\"height\":-256.001," LAND_ALL "}",
        "{\"tool\":\"lower\",\"amount\":0.001," LAND_ALL "}",
        "{\"tool\":\"erosion\",\"iterations\":5," LAND_ALL "}",
        "{\"tool\":\"expression\",\"expression\":\"h - 1\"," LAND_ALL "}",
    };
    struct caller *caller = land_begin_with(state, "surface/all_zero.png");

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char body[400];

        snprintf(body, sizeof body, "{\"ops\":[%s]}", ops[i]);
        land_post(caller, LAND "/edits", body);
        if (caller_number(caller, "changed") != 0)
            fail_msg("%s: %s", ops[i], caller->body);
        assert_land_codes(caller, 0);
    }
    land_post(caller, LAND "/resize", "{\"components\":[4,4],\"mode\":\"resample\"}");
    assert_int_equal(land_codes(caller)[0], 0);
    assert_int_equal(caller->length, 2 * 253 * 253);
    assert_land_codes(caller, 0);
}

/* NUM-02: each goes no further than the end, and says nothing or that nothing changed. */
static void ground_at_the_limits_saturates(void **state)
{
    static const struct {
        const char *file, *op;
        uint16_t least, greatest;
    } cases[] = {
        { "surface/all_max.png", "{\"tool\":\"raise\",\"amount\":1e9," LAND_ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"lower\",\"amount\":-1e9," LAND_ALL "}", 65535,
          65535 },
        { "surface/all_max.png", "{\"tool\":\"raise\",\"amount\":-1e9," LAND_ALL "}", 0, 0 },
        { "surface/all_zero.png", "{\"tool\":\"lower\",\"amount\":1e9," LAND_ALL "}", 0, 0 },
        { "surface/all_zero.png", "{\"tool\":\"lower\",\"amount\":-1e9," LAND_ALL "}", 65535,
          65535 },
        { "surface/all_max.png", "{\"tool\":\"noise\",\"amplitude\":1,\"cell\":3," LAND_ALL "}",
          65407, 65535 },
        { "surface/all_zero.png", "{\"tool\":\"noise\",\"amplitude\":1,\"cell\":3," LAND_ALL "}", 0,
          128 },
        { "surface/all_max.png", "{\"tool\":\"set\",\"height\":1e9," LAND_ALL "}", 65535, 65535 },
        { "surface/all_zero.png", "{\"tool\":\"set\",\"height\":-1e9," LAND_ALL "}", 0, 0 },
        { "surface/all_max.png", "{\"tool\":\"flatten\",\"target\":1e9," LAND_ALL "}", 65535,
          65535 },
        { "surface/all_max.png",
          "{\"tool\":\"ramp\",\"from\":[-9,63,1e6],\"to\":[140,63,1e6],\"width\":400,"
          "\"falloff\":0}",
          65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"smooth\"," LAND_ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"sharpen\",\"strength\":1," LAND_ALL "}", 65535,
          65535 },
        { "surface/all_max.png", "{\"tool\":\"contrast\",\"factor\":9," LAND_ALL "}", 65535,
          65535 },
        { "surface/all_max.png", "{\"tool\":\"erosion\",\"iterations\":9," LAND_ALL "}", 65535,
          65535 },
        { "surface/all_max.png",
          "{\"tool\":\"expression\",\"expression\":\"h * 1e9\"," LAND_ALL "}", 65535, 65535 },
        { "surface/all_max.png",
          "{\"tool\":\"expression\",\"expression\":\"h * -1e9\"," LAND_ALL "}", 0, 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct caller *caller = land_begin_with(state, cases[i].file);
        const uint16_t *now;

        land_edit(caller, cases[i].op);
        now = land_codes(caller);
        for (int k = 0; k < LAND_VERTICES; k++)
            if (now[k] < cases[i].least || now[k] > cases[i].greatest)
                fail_msg("%s: %d", cases[i].op, now[k]);
    }
}

/* NUM-02, of weights: amounts as large as they may be, again and again, up and down. */
static void weights_at_the_limits_saturate(void **state)
{
    struct caller *caller = land_begin(state);

    caller_paint(caller, "land", "a", true);
    caller_paint(caller, "land", "b", true);
    caller_paint(caller, "land", "free", false);
    for (int i = 0; i < 2; i++) {
        land_edit(caller, "{\"tool\":\"paint\",\"layer\":\"a\",\"amount\":255," LAND_ALL "},"
                          "{\"tool\":\"paint\",\"layer\":\"free\",\"amount\":200," LAND_ALL "},"
                          "{\"tool\":\"paint\",\"layer\":\"free\",\"amount\":200," LAND_ALL "}");
        assert_int_equal(land_weight(caller, "a", 126, 126), 255);
        assert_int_equal(land_weight(caller, "free", 126, 126), 255);
        land_edit(caller, "{\"tool\":\"unpaint\",\"layer\":\"free\",\"amount\":200," LAND_ALL "},"
                          "{\"tool\":\"unpaint\",\"layer\":\"free\",\"amount\":200," LAND_ALL "},"
                          "{\"tool\":\"paint\",\"layer\":\"b\",\"amount\":255," LAND_ALL "}");
        assert_int_equal(land_weight(caller, "free", 0, 0), 0);
        assert_int_equal(land_weight(caller, "a", 0, 0), 0);
        assert_int_equal(land_weight(caller, "b", 0, 0), 255);
    }
    for (int i = 0; i < 2; i++) {
        call(caller, "POST", LAND "/edits",
             i ? "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"a\",\"amount\":-1," LAND_ALL "}]}"
               : "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"a\",\"amount\":256," LAND_ALL "}]}");
        assert_refused(caller, 400, "/ops/0/amount");
    }
}

/* NUM-02, COL-10: dabs as small, as large and as far as can be said, of every tool that has any. */
static void radii_and_places_at_the_limits_are_safe(void **state)
{
    static const char *const tools[] = {
        "\"raise\",\"amount\":5",
        "\"lower\",\"amount\":5",
        "\"set\",\"height\":5",
        "\"flatten\",\"target\":5",
        "\"flatten\",\"terrace\":3",
        "\"smooth\",\"kernel_radius\":64",
        "\"noise\",\"amplitude\":5,\"cell\":3",
        "\"sharpen\",\"strength\":1",
        "\"contrast\",\"factor\":2",
        "\"clone\",\"from\":[3,3]",
        "\"erosion\",\"iterations\":2,\"threshold\":1",
        "\"hydro_erosion\",\"iterations\":1",
        "\"expression\",\"expression\":\"h + 5\"",
        "\"hole\"",
        "\"unhole\"",
        "\"paint\",\"layer\":\"b\",\"amount\":9",
        "\"unpaint\",\"layer\":\"a\",\"amount\":9",
    };
    static const struct {
        const char *path, *radius;
        int most; /* vertices or quads that it may reach */
    } dabs[] = {
        { "[[60,60]]", "1e-9", 1 },
        { "[[60.4,60.4]]", "0.5", 0 },
        { "[[126,126]]", "1e-300", 1 },
        { "[[-3,-3]]", "2.9", 0 },
        { "[[1e6,-1e6]]", "1000", 0 },
        { "[[63,63]]", "1e5", LAND_VERTICES },
        { "[[0,0],[126,126]]", "1e5", LAND_VERTICES },
    };
    struct caller *caller = land_begin_with_all(state);

    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        for (size_t k = 0; k < sizeof dabs / sizeof *dabs; k++) {
            char body[400];

            snprintf(body, sizeof body,
                     "{\"ops\":[{\"tool\":%s,\"path\":%s,\"radius\":%s,\"falloff\":0.5}]}",
                     tools[i], dabs[k].path, dabs[k].radius);
            land_post(caller, LAND "/edits?frame=grid&dry_run=true", body);
            if (caller_number(caller, "changed") > dabs[k].most)
                fail_msg("%s: %s", body, caller->body);
            if (caller_number(caller, "changed") > 0) {
                assert_true(caller_number(caller, "dirty.x") >= 0);
                assert_true(caller_number(caller, "dirty.x") +
                                caller_number(caller, "dirty.width") <=
                            LAND_SIDE);
                assert_true(caller_number(caller, "dirty.y") +
                                caller_number(caller, "dirty.height") <=
                            LAND_SIDE);
            }
        }
    }
}

/* NUM-04: null, and every answer is JSON, also of a landscape in which there is nothing. */
static void what_is_not_there_is_null_and_every_answer_is_json(void **state)
{
    static const char *const asks[] = {
        LAND,
        LAND "/height?x=60&y=60",
        LAND "/height?x=126&y=126",
        LAND "/heights?format=json&x=0&y=0&width=5&height=5",
        LAND "/layers?statistics=true",
        LAND "/layers/a?statistics=true",
        LAND "/difference?from=1",
        LAND "/difference?from=1&x=3&y=3&width=1&height=1",
        LAND "/edit-layers",
        LAND "/versions",
        LAND "/snapshots",
        LAND "/checksums?since=1",
        LAND "/index-map",
        LAND "/components/1/1",
        "/v1/rasters",
    };
    struct caller *caller = land_begin(state);

    caller_paint(caller, "land", "a", true);
    land_edit(caller, "{\"tool\":\"hole\"," LAND_ALL "}");
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        if (call(caller, "GET", asks[i], NULL) != 200 || !caller->json)
            fail_msg("%s: %d %s", asks[i], caller->status, caller->body);
    }
    land_post(caller, LAND "/query/heights", "{\"points\":[[5,5],[-1,5],[126,126.5]]}");
    for (size_t i = 0; i < 3; i++)
        assert_true(json_is_null(json_array_get(caller_member(caller, "heights"), i)));
    land_post(caller, LAND "/query/heights?fields=normal,layer,triangle", "{\"points\":[[5,5]]}");
    assert_true(json_is_null(caller_member(caller, "points.0")));
}

/* NUM-06 */
static void numbers_that_are_none_change_nothing(void **state)
{
    static const char *const files[] = {
        "nan", "inf", "overflow", "long_number", "trailing_comma", "duplicate", "bom", "empty"
    };
    static const char *const takers[] = { "/edits",     "/resize",        "/layers", "/edit-layers",
                                          "/snapshots", "/query/heights", "/copy" };
    static const char *const values[] = { "NaN", "-Infinity", "1e999", "0x10", "", "1,5" };
    static const char *const queries[] = { "/height?y=5&x=%s",    "/heights?format=r16&x=%s",
                                           "/weights/a?width=%s", "/holes?y=%s",
                                           "/difference?from=%s", "/versions?limit=%s",
                                           "/checksums?since=%s", "/export?format=r16&x=%s" };
    struct caller *caller = land_begin(state);
    char target[200], file[100];
    double before;

    caller_paint(caller, "land", "a", true);
    before = land_version(caller);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t k = 0; k < sizeof takers / sizeof *takers; k++) {
            size_t length;
            unsigned char *data;

            snprintf(file, sizeof file, "bodies/%s.json", files[i]);
            data = input_read(file, &length);
            snprintf(target, sizeof target, LAND "%s", takers[k]);
            if (call_bytes(caller, "POST", target, data, length) != 400)
                fail_msg("%s %s: %d %s", target, files[i], caller->status, caller->body);
            free(data);
        }
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
            char query[100];

            snprintf(query, sizeof query, queries[k], values[i]);
            snprintf(target, sizeof target, LAND "%s", query);
            if (call(caller, "GET", target, NULL) != 400)
                fail_msg("%s: %d %s", target, caller->status, caller->body);
            caller_member(caller, "parameter");
        }
    }
    assert_float_equal(land_version(caller), before, 0);
}

/* NUM-06 in a list of thousands: the item and the number in it are named, whichever it is, and
 * however many stand before and behind it. */
static void numbers_that_are_none_are_named_in_long_lists(void **state)
{
    static const char long_number[] = "11111111111111111111111111111111"
                                      "111111111111111111111111111111111";
    static const char *const values[] = { "NaN",   "-Infinity", "1e999", "0x10",     "",
                                          "01",    "1.",        "+1",    ".5",       "null",
                                          "\"1\"", "1e",        "--1",   long_number };
    static const size_t places[] = { 0, 1, 4999, 9999 };
    enum { ITEMS = 10000 };
    struct caller *caller = land_begin(state);
    char *body = malloc(ITEMS * 60 + 200);

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            char *end = body + sprintf(body, "{\"rays\":["), pointer[60];

            for (size_t n = 0; n < ITEMS; n++)
                end += sprintf(end, "%s{\"origin\":[1,2,%s],\"direction\":[0,0,-1]}", n ? "," : "",
                               n == places[k] ? values[i] : "300");
            sprintf(end, "]}");
            if (call(caller, "POST", LAND "/query/raycast", body) != 400)
                fail_msg("%s at %zu: %d", values[i], places[k], caller->status);
            /* behind a zero the list goes wrong rather than its number */
            snprintf(pointer, sizeof pointer,
                     values[i][0] != '0' ? "/rays/%zu/origin/2" : "/rays/%zu/origin", places[k]);
            if (strcmp(caller_text(caller, "pointer"), pointer) != 0)
                fail_msg("%s: %s, not %s", values[i], caller_text(caller, "pointer"), pointer);
        }
    }
    free(body);
}

/* NUM-04 of batches: null in JSON is NaN in floats. */
static void what_is_not_there_is_nan_in_floats(void **state)
{
    static const double pairs[] = { 5, 5, -1, 5, 126, 126.5, NAN, 1, INFINITY, 1, 1e300, 1e300 };
    struct caller *caller = land_begin(state);
    double heights[6];

    land_edit(caller, "{\"tool\":\"hole\"," LAND_ALL "}");
    caller->type = "application/x-f64";
    assert_int_equal(
        call_bytes(caller, "POST", LAND "/query/heights?frame=grid", pairs, sizeof pairs), 200);
    assert_int_equal(caller->length, sizeof heights);
    memcpy(heights, caller->body, sizeof heights);
    for (int i = 0; i < 6; i++)
        assert_true(isnan(heights[i]));
}

/* NUM-08: sums of a million of the greatest. */
static void great_sums_do_not_come_back_small(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[8,8],\"sections_per_component\":2,"
                          "\"section_quads\":63},\"height\":-256}"),
                     201);
    caller_paint(caller, "land", "a", true);
    land_edit(caller,
              "{\"tool\":\"set\",\"height\":1000,\"region\":{\"x\":0,\"y\":0,\"width\":1009,"
              "\"height\":1009}},{\"tool\":\"paint\",\"layer\":\"a\",\"target\":255,\"region\":"
              "{\"x\":0,\"y\":0,\"width\":1009,\"height\":1009}}");
    assert_int_equal(caller_number(caller, "changed"), 1009 * 1009);
    assert_int_equal(call(caller, "GET", LAND "/difference?from=1", NULL), 200);
    assert_int_equal(caller_number(caller, "heights_changed"), 1009 * 1009);
    assert_float_equal(caller_number(caller, "mean"), 65535 / 128.0, 1e-9);
    assert_float_equal(caller_number(caller, "least"), 65535 / 128.0, 1e-9);
    assert_float_equal(caller_number(caller, "greatest"), 65535 / 128.0, 1e-9);
    assert_float_equal(caller_number(caller, "raised"), 1009 * 1009 * (65535 / 128.0), 1e-3);
    assert_int_equal(caller_number(caller, "lowered"), 0);
    assert_int_equal(call(caller, "GET", LAND "/layers/a?statistics=true", NULL), 200);
    assert_float_equal(caller_number(caller, "statistics.mean"), 255, 0);
    assert_int_equal(call(caller, "GET", LAND "/tiles/terrarium/0/0/0.png", NULL), 200);
}

/* NUM-11 */
static void erasing_goes_to_zero_metres_and_never_guesses(void **state)
{
    struct caller *caller = land_begin_with(state, "surface/ramp_x.png");

    call(caller, "POST", LAND "/edits", "{\"ops\":[{\"tool\":\"flatten\"," LAND_ALL "}]}");
    assert_refused(caller, 400, "/ops/0/target");
    call(caller, "POST", LAND "/edits", "{\"ops\":[{\"tool\":\"erase\"," LAND_ALL "}]}");
    assert_refused(caller, 400, "/ops/0/tool");
    assert_int_equal(land_codes(caller)[1], 512);
    land_post(caller, LAND "/edit-layers/base/clear", "{}");
    assert_land_codes(caller, 32768);
    land_post(caller, LAND "/undo", NULL);
    land_edit(caller, "{\"tool\":\"set\",\"height\":0," LAND_ALL "}");
    assert_land_codes(caller, 32768);
}

/* NUM-12, SEA-05: what has no relief gets none, up to the border. */
static void flat_ground_stays_flat(void **state)
{
    static const char *const files[] = { "surface/all_mid.png", "surface/all_zero.png",
                                         "surface/all_max.png", NULL };
    static const char *const ops[] = {
        "{\"tool\":\"smooth\",\"path\":[[0,0],[126,63],[63,126]],\"radius\":20}",
        "{\"tool\":\"smooth\",\"kernel\":\"gauss\",\"kernel_radius\":9," LAND_ALL "}",
        "{\"tool\":\"sharpen\",\"strength\":1,\"path\":[[0,0],[126,63],[63,126]],\"radius\":20}",
        "{\"tool\":\"contrast\",\"factor\":4,\"path\":[[0,0],[126,126]],\"radius\":30}",
        "{\"tool\":\"flatten\",\"target\":\"pick\",\"path\":[[0,0],[126,126]],\"radius\":30}",
        "{\"tool\":\"erosion\",\"iterations\":20," LAND_ALL "}",
        "{\"tool\":\"hydro_erosion\",\"iterations\":5,\"rain\":0.01,"
        "\"path\":[[126,126]],\"radius\":30}",
        "{\"tool\":\"mirror\",\"axis\":\"x\"," LAND_ALL "}",
        "{\"tool\":\"expression\",\"expression\":\"h\"," LAND_ALL "}",
        "{\"tool\":\"raise\",\"amount\":9," LAND_ALL ",\"mask\":{\"type\":\"slope\",\"from\":1,"
        "\"to\":90}}",
    };

    for (int i = 0; i < 4; i++) {
        struct caller *caller = land_begin_with(state, files[i] ?: "surface/all_mid.png");
        uint16_t code;

        if (!files[i])
            land_edit(caller, "{\"tool\":\"set\",\"height\":56.5," LAND_ALL "}"); /* 40000 */
        code = land_codes(caller)[0];
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
            land_edit(caller, ops[k]);
            if (caller_number(caller, "changed") != 0)
                fail_msg("%s: %s", ops[k], caller->body);
            assert_land_codes(caller, code);
        }
        assert_int_equal(call(caller, "GET", LAND "/height?x=63&y=63", NULL), 200);
        assert_float_equal(caller_number(caller, "normal.2"), 1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(the_lowest_ground_is_not_the_top_after_any_change),
        TEST(ground_at_the_limits_saturates),
        TEST(weights_at_the_limits_saturate),
        TEST(radii_and_places_at_the_limits_are_safe),
        TEST(what_is_not_there_is_null_and_every_answer_is_json),
        TEST(numbers_that_are_none_change_nothing),
        TEST(numbers_that_are_none_are_named_in_long_lists),
        TEST(what_is_not_there_is_nan_in_floats),
        TEST(great_sums_do_not_come_back_small),
        TEST(erasing_goes_to_zero_metres_and_never_guesses),
        TEST(flat_ground_stays_flat),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

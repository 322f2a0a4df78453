/* Profiles through the API: heights along a path, evenly or wherever the ground bends. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROFILE LAND "/query/profile"

static void profile(struct caller *caller, const char *query, const char *body)
{
    char target[160];

    snprintf(target, sizeof target, PROFILE "?frame=grid%s", query);
    land_post(caller, target, body);
}

static double of(const json_t *samples, size_t i, const char *member)
{
    const json_t *value = json_object_get(json_array_get(samples, i), member);

    assert_non_null(value);
    return json_is_null(value) ? NAN : json_number_value(value);
}

static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within))
        fail_msg("%.17g where %.17g was expected", value, expected);
}

/* A path with a corner, 30 + 40 quads of 2 m and 3 m, and a step of 10 m at column 30. */
static void samples_lie_evenly_along_the_path(void **state)
{
    struct caller *caller = land_begin(state);
    const json_t *samples;

    land_edit(caller, "{\"tool\":\"raise\",\"amount\":10,\"region\":{\"x\":30,\"y\":0,"
                      "\"width\":97,\"height\":127}}");
    assert_int_equal(call(caller, "PATCH", LAND, "{\"scale\":[2,3,1]}"), 200);
    profile(caller, "", "{\"path\":[[10,20],[40,20],[40,60]],\"samples\":7}");
    assert_int_equal(caller_number(caller, "version"), 3);
    samples = caller_member(caller, "samples");
    assert_int_equal(json_array_size(samples), 7);
    for (size_t i = 0; i < 7; i++) {
        assert_near(of(samples, i, "distance"), 30.0 * (double)i, 1e-12);
        assert_near(of(samples, i, "x"), i < 2 ? 10 + 15.0 * (double)i : 40, 1e-12);
        assert_near(of(samples, i, "y"), i < 2 ? 20 : 20 + 10.0 * ((double)i - 2), 1e-12);
        assert_true(of(samples, i, "z") == (i < 2 ? 0 : 10));
    }
    assert_near(caller_number(caller, "totals.length"), 180, 1e-12);
    assert_near(caller_number(caller, "totals.surface_length"), 150 + hypot(30, 10), 1e-12);
    assert_near(caller_number(caller, "totals.ascent"), 10, 0);
    assert_near(caller_number(caller, "totals.descent"), 0, 0);
    assert_near(caller_number(caller, "totals.least"), 0, 0);
    assert_near(caller_number(caller, "totals.greatest"), 10, 0);
    /* Backwards it falls. */
    profile(caller, "", "{\"path\":[[40,60],[40,20],[10,20]],\"samples\":7}");
    assert_near(caller_number(caller, "totals.descent"), 10, 0);
    /* The same path in metres. */
    land_post(caller, PROFILE, "{\"path\":[[20,60],[80,60],[80,180]],\"samples\":7}");
    assert_near(caller_number(caller, "samples.1.x"), 50, 1e-12);
    assert_near(caller_number(caller, "samples.6.y"), 180, 0);
    /* A path that stays where it is. */
    profile(caller, "", "{\"path\":[[50,20],[50,20]],\"samples\":3}");
    assert_near(caller_number(caller, "samples.2.distance"), 0, 0);
    assert_near(caller_number(caller, "samples.2.z"), 10, 0);
}

static const char across[] = "[[-5,-3],[130.5,100.25],[60,60],[60,126],[126,126],[-20,50.5]]";

/* The heights that each sample's place has by itself, to the bit. */
static void samples_are_the_heights(void **state)
{
    static const char *const holes[] = { "", "&ignore_holes=true" };
    struct caller *caller = land_begin_with_all(state);

    for (int i = 0; i < 2; i++) {
        char body[300], target[160], *points = malloc(400000);
        size_t used = 0, grounded = 0, count;
        json_t *samples;

        snprintf(body, sizeof body, "{\"path\":%s,\"samples\":5000}", across);
        profile(caller, holes[i], body);
        samples = json_incref(caller_member(caller, "samples"));
        count = json_array_size(samples);
        assert_int_equal(count, 5000);
        for (size_t k = 0; k < count; k++)
            used += (size_t)sprintf(points + used, "%s[%.17g,%.17g]", k ? "," : "{\"points\":[",
                                    of(samples, k, "x"), of(samples, k, "y"));
        strcpy(points + used, "]}");
        snprintf(target, sizeof target, LAND "/query/heights?frame=grid&fields=triangle%s",
                 holes[i]);
        land_post(caller, target, points);
        for (size_t k = 0; k < count; k++) {
            const json_t *point = json_array_get(caller_member(caller, "points"), k);

            assert_int_equal(json_is_null(point), isnan(of(samples, k, "z")));
            if (json_is_null(point))
                continue;
            grounded++;
            assert_true(json_number_value(json_object_get(point, "z")) == of(samples, k, "z"));
        }
        assert_true(grounded > count / 2 && grounded < count);
        json_decref(samples);
        free(points);
    }
}

/* Between two exact samples the ground is straight: at places in between it has the height that
 * lies between theirs, and none where either has none. */
static void exact_samples_leave_nothing_out(void **state)
{
    static const char *const holes[] = { "", "&ignore_holes=true" };
    struct caller *caller = land_begin_with_all(state);

    for (int i = 0; i < 2; i++) {
        char body[300], target[160], *points;
        size_t used = 0, count, grounded = 0, gaps = 0;
        json_t *samples;

        snprintf(body, sizeof body, "{\"path\":%s,\"samples\":\"exact\"}", across);
        profile(caller, holes[i], body);
        samples = json_incref(caller_member(caller, "samples"));
        count = json_array_size(samples);
        assert_true(count > 500 && count < 3000);
        points = malloc(count * 200);
        for (size_t k = 0; k + 1 < count; k++)
            for (int part = 1; part < 4; part++) {
                const double t = part / 4.0;

                used +=
                    (size_t)sprintf(points + used, "%s[%.17g,%.17g]", used ? "," : "{\"points\":[",
                                    (1 - t) * of(samples, k, "x") + t * of(samples, k + 1, "x"),
                                    (1 - t) * of(samples, k, "y") + t * of(samples, k + 1, "y"));
            }
        strcpy(points + used, "]}");
        snprintf(target, sizeof target, LAND "/query/heights?frame=grid%s", holes[i]);
        land_post(caller, target, points);
        for (size_t k = 0; k + 1 < count; k++) {
            const double a = of(samples, k, "z"), b = of(samples, k + 1, "z");

            assert_true(of(samples, k, "distance") < of(samples, k + 1, "distance"));
            for (size_t part = 0; part < 3; part++) {
                const json_t *z = json_array_get(caller_member(caller, "heights"), 3 * k + part);
                const double t = (double)(part + 1) / 4;

                if (isnan(a) || isnan(b)) {
                    assert_true(json_is_null(z));
                    gaps++;
                    continue;
                }
                grounded++;
                assert_near(json_number_value(z), (1 - t) * a + t * b, 2e-9);
            }
        }
        assert_true(grounded > 1000 && gaps > 5);
        json_decref(samples);
        free(points);
    }
}

/* Counted by hand: a level ramp, crossed along a row, a column, a diagonal and aslant. */
static void exact_samples_stand_where_edges_are(void **state)
{
    static const struct {
        const char *path;
        size_t count;
    } cases[] = {
        { "[[10.5,20],[13.5,20]]", 5 },           /* 11, 12, 13 */
        { "[[10.5,20.5],[13.5,20.5]]", 7 },       /* and diagonals at 11.5 and 12.5 */
        { "[[10,20],[13,23]]", 4 },               /* along a diagonal, by vertices */
        { "[[10.5,20.25],[13.5,23.25]]", 8 },     /* beside it: three of either kind */
        { "[[10.25,20.5],[10.75,20.5]]", 3 },     /* within one quad */
        { "[[10.25,20.75],[10.5,20.8]]", 2 },     /* within one triangle */
        { "[[10,20],[10,20]]", 1 },               /* nowhere else */
        { "[[-2,20],[-1,20]]", 2 },               /* outside */
        { "[[-2,20],[1,20]]", 3 },                /* 0 and the end */
        { "[[-2,-2],[-2,4],[4,-2]]", 8 },         /* in by (0, 2), out by (2, 0) */
        { "[[126,126],[126,125],[125,125]]", 3 }, /* the last ones */
    };
    struct caller *caller = land_begin(state);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[200];

        snprintf(body, sizeof body, "{\"path\":%s,\"samples\":\"exact\"}", cases[i].path);
        profile(caller, "", body);
        if (json_array_size(caller_member(caller, "samples")) != cases[i].count)
            fail_msg("%s: %s", cases[i].path, caller->body);
    }
    /* Far beyond the landscape on both sides: all of it, and a place without height at either end.
     */
    profile(caller, "", "{\"path\":[[-1e9,20],[1e9,20]],\"samples\":\"exact\"}");
    assert_int_equal(json_array_size(caller_member(caller, "samples")), 129);
    assert_true(json_is_null(caller_member(caller, "samples.0.z")));
    assert_near(caller_number(caller, "samples.1.x"), 0, 0);
    assert_near(caller_number(caller, "samples.127.x"), 126, 0);
}

/* Over a hole of one quad: both of its edges have the ground's height, and between them is none. */
static void a_hole_is_a_gap_in_the_line(void **state)
{
    struct caller *caller = land_begin(state);
    const json_t *samples;

    land_edit(caller,
              "{\"tool\":\"hole\",\"region\":{\"x\":30,\"y\":20,\"width\":1,\"height\":1}}");
    profile(caller, "", "{\"path\":[[29,20.25],[32,20.25]],\"samples\":\"exact\"}");
    samples = caller_member(caller, "samples");
    for (size_t i = 0; i < json_array_size(samples); i++) {
        const double x = of(samples, i, "x");

        assert_int_equal(isnan(of(samples, i, "z")), x > 30 && x < 31);
    }
    assert_near(caller_number(caller, "totals.surface_length"), 2, 1e-12);
    assert_near(caller_number(caller, "totals.length"), 3, 1e-12);
    profile(caller, "&version=1", "{\"path\":[[29,20.25],[32,20.25]],\"samples\":\"exact\"}");
    assert_near(caller_number(caller, "totals.surface_length"), 3, 1e-12);
    profile(caller, "&ignore_holes=true",
            "{\"path\":[[29,20.25],[32,20.25]],\"samples\":\"exact\"}");
    assert_near(caller_number(caller, "totals.surface_length"), 3, 1e-12);
    profile(caller, "&statuses=true",
            "{\"path\":[[29.5,20.25],[29.5,-1],[30.5,20.5]],\"samples\":\"exact\"}");
    samples = caller_member(caller, "samples");
    assert_int_equal(json_array_size(caller_member(caller, "statuses")), json_array_size(samples));
    for (size_t i = 0; i < json_array_size(samples); i++) {
        const char *status =
            json_string_value(json_array_get(caller_member(caller, "statuses"), i));
        const char *right = !isnan(of(samples, i, "z"))                              ? "hit"
                            : of(samples, i, "y") >= 0 && of(samples, i, "y") <= 126 ? "hole"
                                                                                     : "outside";

        assert_string_equal(status, right);
    }
    assert_string_equal(json_string_value(json_array_get(caller_member(caller, "statuses"),
                                                         json_array_size(samples) - 1)),
                        "hole");
    profile(caller, "", "{\"path\":[[30.25,20.5],[30.75,20.5]],\"samples\":4}");
    assert_null(json_object_get(caller->json, "statuses"));
    assert_true(json_is_null(caller_member(caller, "totals.least")));
}

static void more_is_told_of_samples_with_ground(void **state)
{
    struct caller *caller = land_begin_with_all(state);

    profile(caller, "&fields=layer,normal,slope", "{\"path\":[[-10,60],[60,60]],\"samples\":2}");
    assert_null(json_object_get(caller_member(caller, "samples.0"), "layer"));
    assert_true(json_is_null(caller_member(caller, "samples.0.z")));
    assert_string_equal(caller_text(caller, "samples.1.layer"), "b");
    assert_int_equal(json_array_size(caller_member(caller, "samples.1.normal")), 3);
    assert_true(caller_number(caller, "samples.1.slope") >= 0);
}

static void degrees_come_back_as_degrees(void **state)
{
    struct caller *caller = land_begin(state);

    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[7,45.91,7.09,46]}"), 200);
    land_post(caller, PROFILE "?frame=lonlat",
              "{\"path\":[[7.01,45.92],[7.03,45.94]],\"samples\":3}");
    assert_near(caller_number(caller, "samples.1.x"), 7.02, 1e-9);
    assert_near(caller_number(caller, "samples.1.y"), 45.93, 1e-9);
    assert_near(caller_number(caller, "totals.length"), hypot(0.02 * 77500, 0.02 * 111150), 20);
}

static void refused(struct caller *caller, const char *body, int status, const char *place)
{
    call(caller, "POST", PROFILE, body);
    assert_refused(caller, status, place);
}

static void what_is_wrong_is_named(void **state)
{
    struct caller *caller = land_begin(state);

    refused(caller, "{\"path\":[[1,1],[2,2]]}", 400, "/samples");
    refused(caller, "{\"samples\":4}", 400, "/path");
    refused(caller, "{\"path\":[[1,1]],\"samples\":4}", 400, "/path");
    refused(caller, "{\"path\":[[1,1],[2,2,2]],\"samples\":4}", 400, "/path/1");
    refused(caller, "{\"path\":[[1,1],[2,2]],\"samples\":1}", 400, "/samples");
    refused(caller, "{\"path\":[[1,1],[2,2]],\"samples\":2.5}", 400, "/samples");
    refused(caller, "{\"path\":[[1,1],[2,2]],\"samples\":\"all\"}", 400, "/samples");
    refused(caller, "{\"path\":[[1,1],[2,2]],\"samples\":1e6,\"vertices\":true}", 400, "/vertices");
    refused(caller, "{\"path\":[[1,1],[2,2]],\"samples\":1000001}", 413, "/samples");
    refused(caller, "{\"path\":[[-1.7e308,0],[1.7e308,0]],\"samples\":3}", 400, "/path");
    call(caller, "POST", PROFILE "?fields=colour", "{\"path\":[[1,1],[2,2]],\"samples\":3}");
    assert_refused(caller, 400, "fields");
    call(caller, "POST", PROFILE "?frame=lonlat", "{\"path\":[[1,1],[2,2]],\"samples\":3}");
    assert_int_equal(caller->status, 422);
    caller->service.limits.query_points = 100;
    refused(caller, "{\"path\":[[1,1],[2,2]],\"samples\":101}", 413, "/samples");
    refused(caller, "{\"path\":[[0,0],[126,60]],\"samples\":\"exact\"}", 413, "/path");
    assert_non_null(strstr(caller->body, "query_points"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(samples_lie_evenly_along_the_path), TEST(samples_are_the_heights),
        TEST(exact_samples_leave_nothing_out),   TEST(exact_samples_stand_where_edges_are),
        TEST(a_hole_is_a_gap_in_the_line),       TEST(more_is_told_of_samples_with_ground),
        TEST(degrees_come_back_as_degrees),      TEST(what_is_wrong_is_named),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

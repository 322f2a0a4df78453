/* Heights at points: by every interpolation, with all that can be told of them, and many at once.
 */
#include "tests/api/land.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/ray.h"

#define HEIGHTS LAND "/query/heights?frame=grid"

/* Heights fall by a metre a quad to the east; a hole at quad (5, 5). */
static struct caller *begin(void **state)
{
    struct caller *caller = land_begin(state);

    land_edit(caller, "{\"tool\":\"expression\",\"expression\":\"0 - x\"," LAND_ALL "},"
                      "{\"tool\":\"hole\",\"region\":{\"x\":5,\"y\":5,\"width\":1,\"height\":1}}");
    return caller;
}

static void assert_wrong(struct caller *caller, int status, const char *place)
{
    assert_int_equal(caller->status, status);
    if (!strstr(caller->body, place))
        fail_msg("%s is not named: %s", place, caller->body);
}

static void every_interpolation_can_be_asked_for(void **state)
{
    static const struct {
        const char *word;
        double z;
    } ways[] = {
        { "triangle", -10.25 }, { "bilinear", -10.25 }, { "bicubic", -10.25 }, { "nearest", -10 }
    };
    struct caller *caller = begin(state);
    char target[200];

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(target, sizeof target, HEIGHTS "&interpolation=%s", ways[i].word);
        land_post(caller, target, "{\"points\":[[10.25,20.75]]}");
        assert_float_equal(caller_number(caller, "heights.0"), ways[i].z, 1e-9);
        snprintf(target, sizeof target, LAND "/height?frame=grid&x=10.25&y=20.75&interpolation=%s",
                 ways[i].word);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_float_equal(caller_number(caller, "z"), ways[i].z, 1e-9);
    }
    call(caller, "POST", HEIGHTS "&interpolation=bilinaer", "{\"points\":[[1,1]]}");
    assert_wrong(caller, 400, "did you mean \\\"bilinear\\\"");
    call(caller, "GET", LAND "/height?x=1&y=1&interpolation=bicubic&contributions=true", NULL);
    assert_wrong(caller, 400, "interpolation");
}

static void a_place_outside_is_named_as_it_was_asked_for(void **state)
{
    struct caller *caller = land_begin(state);

    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[7,45.91,7.09,46]}"), 200);
    call(caller, "GET", LAND "/height?frame=lonlat&x=8.25&y=-45.5", NULL);
    assert_wrong(caller, 404, "longitude 8.25, latitude -45.5 is outside the landscape");
    call(caller, "GET", LAND "/height?frame=grid&x=-3&y=5", NULL);
    assert_wrong(caller, 404, "column -3, row 5 is outside");
}

static void statuses_tell_what_became_of_each_point(void **state)
{
    static const double points[] = { 1, 1, 5.5, 5.5, -1, 3, 126, 126 };
    static const uint8_t expected[] = { RAY_HIT, RAY_HOLE, RAY_OUTSIDE, RAY_HIT };
    struct caller *caller = begin(state);
    double z[4];

    land_post(caller, HEIGHTS "&statuses=true", "{\"points\":[[1,1],[5.5,5.5],[-1,3],[126,126]]}");
    assert_string_equal(caller_text(caller, "statuses.0"), "hit");
    assert_string_equal(caller_text(caller, "statuses.1"), "hole");
    assert_string_equal(caller_text(caller, "statuses.2"), "outside");
    assert_true(json_is_null(caller_member(caller, "heights.1")));
    land_post(caller, HEIGHTS "&statuses=true&ignore_holes=true", "{\"points\":[[5.5,5.5]]}");
    assert_string_equal(caller_text(caller, "statuses.0"), "hit");
    assert_float_equal(caller_number(caller, "heights.0"), -5.5, 1e-9);
    land_post(caller, HEIGHTS, "{\"points\":[[1,1]]}");
    assert_null(json_object_get(caller->json, "statuses"));
    land_post(caller, HEIGHTS "&statuses=true&fields=hole", "{\"points\":[[1,1],[-1,3]]}");
    assert_true(json_is_null(caller_member(caller, "points.1")));
    assert_string_equal(caller_text(caller, "statuses.1"), "outside");
    assert_null(json_object_get(caller->json, "heights"));

    caller->type = "application/x-f64";
    assert_int_equal(call_bytes(caller, "POST", HEIGHTS "&statuses=true", points, sizeof points),
                     200);
    assert_int_equal(caller->length, 4 * sizeof *z + 4);
    memcpy(z, caller->body, sizeof z);
    assert_true(z[0] == -1 && isnan(z[1]) && isnan(z[2]) && z[3] == -126);
    assert_memory_equal(caller->body + sizeof z, expected, 4);
}

static void all_that_is_known_of_a_place_can_be_asked_for(void **state)
{
    static const char all[] = "normal,smooth,triangle,barycentric,layer,physical_material,weight,"
                              "hole,slope,aspect,curvature,x,y";
    struct caller *caller = begin(state);
    char target[300];
    json_t *point;

    snprintf(target, sizeof target, HEIGHTS "&ignore_holes=true&fields=%s", all);
    land_post(caller, target, "{\"points\":[[5.75,5.5],[200,5]]}");
    point = caller_member(caller, "points.0");
    assert_int_equal(json_object_size(point), 14);
    assert_float_equal(caller_number(caller, "points.0.z"), -5.75, 1e-9);
    assert_float_equal(caller_number(caller, "points.0.smooth.0"), sqrt(0.5), 1e-9);
    assert_int_equal(caller_number(caller, "points.0.triangle"), 2 * (5 * 126 + 5));
    assert_float_equal(caller_number(caller, "points.0.barycentric.0"), 0.25, 1e-12);
    assert_float_equal(caller_number(caller, "points.0.barycentric.1"), 0.25, 1e-12);
    assert_float_equal(caller_number(caller, "points.0.barycentric.2"), 0.5, 1e-12);
    assert_true(json_is_true(caller_member(caller, "points.0.hole")));
    assert_true(json_is_null(caller_member(caller, "points.0.layer")));
    assert_float_equal(caller_number(caller, "points.0.slope"), 45, 1e-9);
    assert_float_equal(caller_number(caller, "points.0.aspect"), 90, 1e-9);
    assert_float_equal(caller_number(caller, "points.0.curvature.mean"), 0, 1e-9);
    assert_float_equal(caller_number(caller, "points.0.x"), 5.75, 0);
    assert_true(json_is_null(caller_member(caller, "points.1")));

    /* one point answers the same words, beside what it answers anyway */
    snprintf(target, sizeof target, LAND "/height?frame=grid&x=5.75&y=5.5&fields=%s", all);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_int_equal(json_object_size(caller->json), 9 + 8);
    assert_float_equal(caller_number(caller, "aspect"), 90, 1e-9);
    assert_float_equal(caller_number(caller, "barycentric.2"), 0.5, 1e-12);
    assert_int_equal(call(caller, "GET", LAND "/height?frame=grid&x=5.75&y=5.5", NULL), 200);
    assert_int_equal(json_object_size(caller->json), 9);
    call(caller, "GET", LAND "/height?x=1&y=1&fields=slope,aspcet", NULL);
    assert_wrong(caller, 400, "did you mean \\\"aspect\\\"");
}

/* NUM-04, NUM-12 */
static void level_ground_faces_nowhere_and_every_number_is_one(void **state)
{
    struct caller *caller = land_begin(state);

    land_post(caller, HEIGHTS "&fields=slope,aspect,curvature,smooth",
              "{\"points\":[[3,4],[0,0]]}");
    assert_float_equal(caller_number(caller, "points.1.slope"), 0, 0);
    assert_true(json_is_null(caller_member(caller, "points.0.aspect")));
    assert_true(json_is_null(caller_member(caller, "points.0.curvature.plan")));
    assert_true(json_is_null(caller_member(caller, "points.0.curvature.profile")));
    assert_float_equal(caller_number(caller, "points.0.curvature.mean"), 0, 0);
    assert_float_equal(caller_number(caller, "points.0.smooth.2"), 1, 0);
}

/* A change beside a point changes what its neighbours make of it. */
static void an_etag_of_slopes_tells_of_the_ground_around(void **state)
{
    static const char target[] = LAND "/height?frame=grid&x=128.5&y=64&fields=slope";
    struct caller *caller = *state;
    char etag[80];

    assert_int_equal(
        call(caller, "PUT", LAND, "{\"layout\":{\"components\":[4,4],\"section_quads\":63}}"), 201);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    land_edit(caller, "{\"tool\":\"set\",\"height\":9,\"region\":{\"x\":127,\"y\":64,\"width\":1,"
                      "\"height\":1}}");
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_true(caller_number(caller, "slope") > 0);
}

static void a_million_points_are_answered_and_one_more_is_not(void **state)
{
    enum { COUNT = 1000000 };
    struct caller *caller = begin(state);
    float(*points)[2] = malloc((COUNT + 1) * sizeof *points);
    const float *z;

    for (int i = 0; i <= COUNT; i++) {
        points[i][0] = (float)(i % 1260) / 10;
        points[i][1] = (float)(i / 1260 % 1260) / 10;
    }
    caller->type = "application/x-f32";
    assert_int_equal(
        call_bytes(caller, "POST", HEIGHTS "&ignore_holes=true", points, COUNT * sizeof *points),
        200);
    assert_int_equal(caller->length, COUNT * sizeof *z);
    z = (const float *)(const void *)caller->body;
    for (int i = 0; i < COUNT; i++)
        if (fabsf(z[i] + points[i][0]) > 1e-4F)
            fail_msg("point %d of %g has %g", i, (double)points[i][0], (double)z[i]);
    caller->type = "application/x-f32";
    call_bytes(caller, "POST", HEIGHTS, points, (COUNT + 1) * sizeof *points);
    assert_wrong(caller, 413, "1000001 points came; at most 1000000");
    free(points);
}

static void fields_of_too_many_points_are_refused(void **state)
{
    struct caller *caller = begin(state);

    caller->service.limits.query_details = 5;
    land_post(caller, HEIGHTS "&fields=slope,hole", "{\"points\":[[1,1],[2,2]]}");
    call(caller, "POST", HEIGHTS "&fields=slope,hole,layer", "{\"points\":[[1,1],[2,2]]}");
    assert_wrong(caller, 413, "query_details");
}

/* More points than are told at once, in order. */
static void fields_come_in_the_order_of_the_points(void **state)
{
    enum { COUNT = 9000 };
    struct caller *caller = begin(state);
    char *body = malloc(COUNT * 20 + 40);
    size_t length = (size_t)sprintf(body, "{\"points\":[");

    for (int i = 0; i < COUNT; i++)
        length += (size_t)sprintf(body + length, "%s[%d,%d]", i ? "," : "", i % 127, i / 127);
    sprintf(body + length, "]}");
    land_post(caller, HEIGHTS "&fields=x,y&ignore_holes=true", body);
    for (size_t i = 0; i < COUNT; i++) {
        const json_t *point = json_array_get(caller_member(caller, "points"), i);

        assert_int_equal(json_number_value(json_object_get(point, "x")), i % 127);
        assert_int_equal(json_number_value(json_object_get(point, "y")), i / 127);
    }
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(every_interpolation_can_be_asked_for),
        TEST(a_place_outside_is_named_as_it_was_asked_for),
        TEST(statuses_tell_what_became_of_each_point),
        TEST(all_that_is_known_of_a_place_can_be_asked_for),
        TEST(level_ground_faces_nowhere_and_every_number_is_one),
        TEST(an_etag_of_slopes_tells_of_the_ground_around),
        TEST(a_million_points_are_answered_and_one_more_is_not),
        TEST(fields_of_too_many_points_are_refused),
        TEST(fields_come_in_the_order_of_the_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

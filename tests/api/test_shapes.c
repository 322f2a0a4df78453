/* Shapes through the API: sweeps, overlaps and nearest places, in every frame, as JSON and as
 * floats. The sums themselves are tried in tests/terrain. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SWEEP   LAND "/query/sphere-sweep"
#define OVERLAP LAND "/query/overlap"
#define NEAREST LAND "/query/nearest"

static void ask(struct caller *caller, const char *target, const char *body, int status,
                const char *place)
{
    if (status == 200)
        land_post(caller, target, body);
    else {
        call(caller, "POST", target, body);
        assert_refused(caller, status, place);
    }
}

static void assert_is(struct caller *caller, const char *path, double right)
{
    if (fabs(caller_number(caller, path) - right) > 1e-9)
        fail_msg("%s is %.17g, not %.17g", path, caller_number(caller, path), right);
}

static bool is_null(struct caller *caller, const char *path)
{
    return json_is_null(caller_member(caller, path));
}

/* A plain of 0 m. */
static void a_sphere_falls_on_a_plain(void **state)
{
    struct caller *caller = land_begin(state);

    ask(caller, SWEEP "?statuses=true",
        "{\"sweeps\":[{\"from\":[10.5,20.25,30],\"to\":[10.5,20.25,-30],\"radius\":2},"
        "{\"from\":[10.5,20.25,30],\"to\":[90,20.25,30],\"radius\":2},"
        "{\"from\":[10.5,20.25,0.5],\"to\":[90,20.25,30],\"radius\":2},"
        "{\"from\":[-10,-10,0.5],\"to\":[-5,-90,0],\"radius\":2}]}",
        200, "");
    assert_is(caller, "version", 1);
    assert_is(caller, "hits.0.distance", 28);
    assert_is(caller, "hits.0.position.0", 10.5);
    assert_is(caller, "hits.0.position.1", 20.25);
    assert_is(caller, "hits.0.position.2", 0);
    assert_is(caller, "hits.0.center.2", 2);
    assert_is(caller, "hits.0.normal.2", 1);
    assert_is(caller, "hits.0.triangle", 2 * (20 * 126 + 10));
    assert_is(caller, "hits.0.penetration", 0);
    assert_true(json_is_false(caller_member(caller, "hits.0.inside")));
    assert_true(is_null(caller, "hits.0.layer"));
    assert_true(is_null(caller, "hits.1"));
    assert_true(json_is_true(caller_member(caller, "hits.2.inside")));
    assert_is(caller, "hits.2.penetration", 1.5);
    assert_is(caller, "hits.2.distance", 0);
    assert_true(is_null(caller, "hits.3"));
    assert_string_equal(caller_text(caller, "statuses.0"), "hit");
    assert_string_equal(caller_text(caller, "statuses.1"), "miss");
    assert_string_equal(caller_text(caller, "statuses.3"), "outside");
}

static void boxes_and_spheres_touch_a_plain(void **state)
{
    static const char body[] =
        "{\"boxes\":[{\"min\":[10,10,-1],\"max\":[12,12,1]},{\"min\":[12,12,3],\"max\":[10,10,1]},"
        "{\"center\":[50.5,50.25,2],\"half\":[3,1,1]},"
        "{\"center\":[50.5,50.25,2],\"half\":[3,1,1],\"rotation\":[0,2,0,2]},"
        "{\"min\":[10,10,-5],\"max\":[12,12,-4]}],"
        "\"spheres\":[{\"center\":[30,30,5],\"radius\":5},{\"center\":[30,30,5],\"radius\":4.75}]}";
    static const bool right[] = { true, false, false, true, false, true, false };
    struct caller *caller = land_begin(state);

    ask(caller, OVERLAP "?statuses=true", body, 200, "");
    for (int i = 0; i < 7; i++) {
        char path[40];

        snprintf(path, sizeof path, "%s.%d.overlaps", i < 5 ? "boxes" : "spheres", i % 5);
        assert_int_equal(json_is_true(caller_member(caller, path)), right[i]);
        snprintf(path, sizeof path, "%s.%d.triangle", i < 5 ? "boxes" : "spheres", i % 5);
        assert_int_equal(is_null(caller, path), !right[i]);
        snprintf(path, sizeof path, "statuses.%d", i);
        assert_string_equal(caller_text(caller, path), right[i] ? "hit" : "miss");
    }
    ask(caller, OVERLAP "?solid=true", body, 200, "");
    assert_true(json_is_true(caller_member(caller, "boxes.4.overlaps")));
    ask(caller, OVERLAP, "{\"spheres\":[]}", 200, "");
    assert_int_equal(json_array_size(caller_member(caller, "boxes")), 0);
    ask(caller, OVERLAP, "{}", 400, "/boxes");
}

static void the_nearest_place_of_a_plain_is_below(void **state)
{
    struct caller *caller = land_begin(state);

    ask(caller, NEAREST,
        "{\"points\":[[10.5,20.25,30],[-3,20,4],[10.5,20.25,-51]],\"max_distance\":50}", 200, "");
    assert_is(caller, "nearest.0.distance", 30);
    assert_is(caller, "nearest.0.position.1", 20.25);
    assert_is(caller, "nearest.0.normal.2", 1);
    assert_true(json_is_true(caller_member(caller, "nearest.0.above")));
    assert_is(caller, "nearest.1.distance", 5);
    assert_true(is_null(caller, "nearest.2"));
    ask(caller, NEAREST, "{\"points\":[[10.5,20.25,-51]]}", 200, "");
    assert_true(json_is_false(caller_member(caller, "nearest.0.above")));
    ask(caller, NEAREST "?max_distance=50", "{\"points\":[[10.5,20.25,-51]]}", 200, "");
    assert_true(is_null(caller, "nearest.0"));
}

static void a_hole_is_not_there_unless_it_is_ignored(void **state)
{
    struct caller *caller = land_begin(state);
    static const char fall[] =
        "{\"sweeps\":[{\"from\":[10.5,20.5,30],\"to\":[10.5,20.5,-30],\"radius\":0.25}]}";

    land_edit(caller,
              "{\"tool\":\"hole\",\"region\":{\"x\":10,\"y\":20,\"width\":1,\"height\":1}}");
    ask(caller, SWEEP "?statuses=true", fall, 200, "");
    assert_true(is_null(caller, "hits.0"));
    assert_string_equal(caller_text(caller, "statuses.0"), "hole");
    assert_is(caller, "version", 2);
    ask(caller, SWEEP "?ignore_holes=true&fields=hole,smooth", fall, 200, "");
    assert_is(caller, "hits.0.distance", 29.75);
    assert_true(json_is_true(caller_member(caller, "hits.0.hole")));
    assert_is(caller, "hits.0.smooth.2", 1);
    ask(caller, SWEEP "?version=1", fall, 200, "");
    assert_is(caller, "hits.0.distance", 29.75);
    ask(caller, NEAREST, "{\"points\":[[10.5,20.5,0]]}", 200, "");
    assert_is(caller, "nearest.0.distance", 0.5);
    ask(caller, OVERLAP, "{\"spheres\":[{\"center\":[10.5,20.5,0],\"radius\":0.25}]}", 200, "");
    assert_true(json_is_false(caller_member(caller, "spheres.0.overlaps")));
}

static void what_is_wrong_is_named(void **state)
{
    struct caller *caller = land_begin(state);

    ask(caller, SWEEP, "{}", 400, "/sweeps");
    ask(caller, SWEEP, "{\"sweeps\":[{\"from\":[1,1,1],\"to\":[1,1,2]}]}", 400, "/sweeps/0/radius");
    ask(caller, SWEEP, "{\"sweeps\":[{\"from\":[1,1],\"to\":[1,1,2],\"radius\":1}]}", 400,
        "/sweeps/0/from");
    ask(caller, SWEEP "?fields=smoth", "{\"sweeps\":[]}", 400, "fields");
    assert_non_null(strstr(caller->body, "smooth"));
    ask(caller, OVERLAP, "{\"boxes\":[{\"min\":[1,1,1]}]}", 400, "/boxes/0/max");
    ask(caller, OVERLAP, "{\"boxes\":[{\"max\":[1,1,1]}]}", 400, "/boxes/0/min");
    ask(caller, OVERLAP, "{\"boxes\":[{}]}", 400, "/boxes/0/center");
    ask(caller, OVERLAP, "{\"boxes\":[{\"center\":[1,1,1]}]}", 400, "/boxes/0/half");
    ask(caller, OVERLAP, "{\"boxes\":[{\"center\":[1,1,1],\"min\":[1,1,1],\"max\":[2,2,2]}]}", 400,
        "/boxes/0/center");
    ask(caller, NEAREST, "{\"points\":[[1,2,3],[1,2]]}", 400, "/points/1");
    ask(caller, NEAREST "?max_distance=-1", "{\"points\":[]}", 400, "max_distance");
    caller->service.limits.query_shapes = 1;
    ask(caller, NEAREST, "{\"points\":[[1,2,3],[1,2,3]]}", 413, "/points");
    assert_non_null(strstr(caller->body, "query_shapes"));
    ask(caller, OVERLAP,
        "{\"boxes\":[{\"min\":[1,1,1],\"max\":[2,2,2]}],"
        "\"spheres\":[{\"center\":[1,1,1],\"radius\":1}]}",
        413, "/boxes");
    caller->service.limits.query_shape_quads = 50;
    ask(caller, NEAREST, "{\"points\":[[60,60,40]]}", 413, "");
    assert_non_null(strstr(caller->body, "query_shape_quads"));
    ask(caller, NEAREST, "{\"points\":[[60,60,0.5]]}", 200, "");
}

/* Uneven ground and scale: the same places whatever they are counted in. */
static void frames_agree(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    char body[300];
    double at[3], scale[3], origin[3], distance;

    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    for (int axis = 0; axis < 3; axis++) {
        char path[20];

        snprintf(path, sizeof path, "scale.%d", axis);
        scale[axis] = caller_number(caller, path);
        snprintf(path, sizeof path, "origin.%d", axis);
        origin[axis] = caller_number(caller, path);
    }
    ask(caller, SWEEP "?frame=grid",
        "{\"sweeps\":[{\"from\":[30,40,9000],\"to\":[90,80,-9000],\"radius\":3}]}", 200, "");
    distance = caller_number(caller, "hits.0.distance");
    for (int axis = 0; axis < 3; axis++) {
        char path[30];

        snprintf(path, sizeof path, "hits.0.position.%d", axis);
        at[axis] = caller_number(caller, path);
    }
    snprintf(body, sizeof body,
             "{\"sweeps\":[{\"from\":[%.17g,%.17g,9000],\"to\":[%.17g,%.17g,-9000],\"radius\":3}]}",
             origin[0] + 30 * scale[0], origin[1] + 40 * scale[1], origin[0] + 90 * scale[0],
             origin[1] + 80 * scale[1]);
    ask(caller, SWEEP, body, 200, "");
    assert_true(fabs(caller_number(caller, "hits.0.distance") - distance) < 1e-6);
    assert_true(fabs(caller_number(caller, "hits.0.position.0") - origin[0] - at[0] * scale[0]) <
                1e-6);
    assert_true(fabs(caller_number(caller, "hits.0.position.2") - at[2]) < 1e-6);
}

static void floats_are_the_json(void **state)
{
    const double sweeps[3][7] = { { 20, 30, 9000, 90, 80, -9000, 3 },
                                  { 20, 30, 9000, 90, 80, 8000, 3 },
                                  { 20, NAN, 9000, 90, 80, 8000, 3 } };
    static const unsigned char statuses[3] = { 0, 1, 4 };
    const double points[2][3] = { { 50, 60, 700 }, { 50, 60, INFINITY } };
    struct caller *caller = land_begin_with_all(state);
    double hits[3][12], places[2][9];

    caller->type = caller->accept = "application/x-f64";
    assert_int_equal(
        call_bytes(caller, "POST", SWEEP "?frame=grid&statuses=true", sweeps, sizeof sweeps), 200);
    assert_int_equal(caller->length, sizeof hits + 3);
    memcpy(hits, caller->body, sizeof hits);
    assert_memory_equal(caller->body + sizeof hits, statuses, 3);
    assert_true(isnan(hits[1][0]) && isnan(hits[2][11]));
    ask(caller, SWEEP "?frame=grid",
        "{\"sweeps\":[{\"from\":[20,30,9000],\"to\":[90,80,-9000],\"radius\":3}]}", 200, "");
    assert_is(caller, "hits.0.distance", hits[0][0]);
    assert_is(caller, "hits.0.position.0", hits[0][1]);
    assert_is(caller, "hits.0.position.2", hits[0][3]);
    assert_is(caller, "hits.0.normal.1", hits[0][5]);
    assert_is(caller, "hits.0.triangle", hits[0][7]);
    assert_is(caller, "hits.0.center.1", hits[0][9]);
    assert_is(caller, "hits.0.penetration", hits[0][11]);
    caller->type = caller->accept = "application/x-f64";
    assert_int_equal(call_bytes(caller, "POST", NEAREST "?frame=grid", points, sizeof points), 200);
    assert_int_equal(caller->length, sizeof places);
    memcpy(places, caller->body, sizeof places);
    assert_true(isnan(places[1][0]));
    ask(caller, NEAREST "?frame=grid", "{\"points\":[[50,60,700]]}", 200, "");
    assert_is(caller, "nearest.0.distance", places[0][0]);
    assert_is(caller, "nearest.0.position.1", places[0][2]);
    assert_is(caller, "nearest.0.normal.0", places[0][4]);
    assert_is(caller, "nearest.0.triangle", places[0][7]);
    assert_true(places[0][8] == json_is_true(caller_member(caller, "nearest.0.above")));
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", NEAREST, points, sizeof points - 1);
    assert_refused(caller, 400, "");
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", NEAREST "?fields=smooth", points, sizeof points);
    assert_refused(caller, 400, "fields");
    caller->service.limits.query_shape_quads = 10;
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", NEAREST, points, sizeof points);
    assert_refused(caller, 413, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_sphere_falls_on_a_plain),
        TEST(boxes_and_spheres_touch_a_plain),
        TEST(the_nearest_place_of_a_plain_is_below),
        TEST(a_hole_is_not_there_unless_it_is_ignored),
        TEST(what_is_wrong_is_named),
        TEST(frames_agree),
        TEST(floats_are_the_json),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

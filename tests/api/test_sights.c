/* Lines of sight through the API: blocked or not, and where. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGHT LAND "/query/line-of-sight"

static uint32_t seed;
static double random_between(double least, double greatest)
{
    seed = seed * 1664525u + 1013904223u;
    return least + (greatest - least) * (seed >> 8) / 16777216.0;
}

static void look(struct caller *caller, const char *query, const char *body)
{
    char target[160];

    snprintf(target, sizeof target, SIGHT "?frame=grid%s", query);
    land_post(caller, target, body);
}

/* Whether it is visible. */
static bool sees(struct caller *caller, const char *query, const char *from, const char *to)
{
    char body[200];

    snprintf(body, sizeof body, "{\"from\":%s,\"to\":%s}", from, to);
    look(caller, query, body);
    assert_true(json_is_boolean(caller_member(caller, "visible")));
    return json_is_true(caller_member(caller, "visible"));
}

/* A ridge of 50 m along column 63 on a plain of 0 m. */
static struct caller *ridge_begin(void **state)
{
    struct caller *caller = land_begin(state);

    land_edit(caller, "{\"tool\":\"raise\",\"amount\":50,\"region\":{\"x\":63,\"y\":0,"
                      "\"width\":1,\"height\":127}}");
    return caller;
}

static void a_ridge_is_in_the_way(void **state)
{
    struct caller *caller = ridge_begin(state);

    assert_false(sees(caller, "", "[20,40.5,10]", "[100,40.5,10]"));
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_true(fabs(caller_number(caller, "blocked_at.0") - 62.2) < 1e-4);
    assert_true(fabs(caller_number(caller, "blocked_at.1") - 40.5) < 1e-9);
    assert_true(fabs(caller_number(caller, "blocked_at.2") - 10.001) < 1e-9); /* lifted */
    assert_false(sees(caller, "", "[100,40.5,10]", "[20,40.5,10]"));
    assert_true(fabs(caller_number(caller, "blocked_at.0") - 63.8) < 1e-4);
    assert_true(sees(caller, "", "[20,40.5,51]", "[100,40.5,51]"));
    assert_true(json_is_null(caller_member(caller, "blocked_at")));
    assert_true(sees(caller, "", "[20,40.5,10]", "[60,40.5,10]"));
    /* What only touches is not blocked. */
    assert_true(sees(caller, "", "[20,40.5,50]", "[100,40.5,50]"));
    assert_false(sees(caller, "", "[20,40.5,49.998]", "[100,40.5,49.998]"));
    assert_true(sees(caller, "", "[70,40.5,0]", "[100,40.5,0]"));
    /* Beyond the landscape there is nothing. */
    assert_true(sees(caller, "", "[20,-1,10]", "[100,-1,10]"));
    assert_false(sees(caller, "", "[-20,40,10]", "[300,40,10]"));
    /* From beneath, the plain itself is in the way. */
    assert_false(sees(caller, "", "[20,40,-1]", "[20,40,1]"));
    assert_true(sees(caller, "", "[20,40,-1]", "[30,40,-1]"));
}

/* What stands on the ground is not hidden by that. */
static void an_end_on_the_ground_does_not_hide_itself(void **state)
{
    struct caller *caller = ridge_begin(state);

    assert_true(sees(caller, "", "[20,40,2]", "[30,40,0]"));
    assert_true(sees(caller, "", "[20,40,0]", "[30,40,2]"));
    assert_true(sees(caller, "", "[63,40,50]", "[20,40,0]"));
    assert_false(sees(caller, "", "[20,40,2]", "[30,40,-0.01]"));
    assert_true(sees(caller, "&touching=1", "[20,40,2]", "[30,40,-0.01]"));
    assert_false(sees(caller, "&touching=0", "[20,40,2]", "[30,40,0]"));
    assert_true(fabs(caller_number(caller, "blocked_at.0") - 30) < 1e-9);
    assert_true(sees(caller, "", "[20,40,0]", "[20,40,0]"));
    assert_true(sees(caller, "&touching=0", "[20,40,0]", "[20,40,0]"));
    assert_true(sees(caller, "", "[20,40,-0.0005]", "[20,40,0.0005]"));
}

static void ends_stand_on_the_ground_if_they_ought_to(void **state)
{
    struct caller *caller = ridge_begin(state);

    assert_true(sees(caller, "&above_ground=both", "[63,40,0]", "[20.5,40.25,0]"));
    assert_true(sees(caller, "&above_ground=both", "[63,40,1.7]", "[20.5,40.25,1.7]"));
    assert_false(sees(caller, "&above_ground=both", "[100,40,1.7]", "[20,40,1.7]"));
    assert_true(sees(caller, "&above_ground=both", "[100,40,51.7]", "[20,40,51.7]"));
    assert_true(sees(caller, "&above_ground=from", "[63,40,1]", "[20,40,2]"));
    assert_false(sees(caller, "&above_ground=to", "[63,40,1]", "[20,40,2]"));
    /* Where there is no ground to stand on. */
    look(caller, "&above_ground=both&statuses=true",
         "{\"pairs\":[{\"from\":[-1,40,2],\"to\":[20,40,2]},{\"from\":[10,40,2],\"to\":[20,40,2]},"
         "{\"from\":[10,40,2],\"to\":[20,140,2]},{\"from\":[30,40,2],\"to\":[100,40,2]}]}");
    assert_true(json_is_null(caller_member(caller, "results.0")));
    assert_true(json_is_true(caller_member(caller, "results.1.visible")));
    assert_true(json_is_null(caller_member(caller, "results.2")));
    assert_true(json_is_false(caller_member(caller, "results.3.visible")));
    assert_string_equal(caller_text(caller, "statuses.0"), "outside");
    assert_string_equal(caller_text(caller, "statuses.1"), "miss");
    assert_string_equal(caller_text(caller, "statuses.2"), "outside");
    assert_string_equal(caller_text(caller, "statuses.3"), "hit");
    call(caller, "POST", SIGHT "?above_ground=from", "{\"from\":[-1,40,2],\"to\":[20,40,2]}");
    assert_refused(caller, 404, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/outside-landscape");
}

static void holes_let_through(void **state)
{
    struct caller *caller = ridge_begin(state);

    land_edit(caller,
              "{\"tool\":\"hole\",\"region\":{\"x\":62,\"y\":40,\"width\":2,\"height\":1}}");
    assert_true(sees(caller, "&statuses=true", "[20,40.5,10]", "[100,40.5,10]"));
    assert_string_equal(caller_text(caller, "statuses.0"), "hole");
    assert_false(sees(caller, "&ignore_holes=true", "[20,40.5,10]", "[100,40.5,10]"));
    assert_false(sees(caller, "", "[20,42.5,10]", "[100,42.5,10]"));
    assert_false(sees(caller, "&version=2", "[20,40.5,10]", "[100,40.5,10]"));
    call(caller, "POST", SIGHT "?frame=grid&above_ground=to",
         "{\"from\":[20,40.5,9],\"to\":[62.5,40.5,1]}");
    assert_refused(caller, 404, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/no-surface");
    assert_true(sees(caller, "&above_ground=to&ignore_holes=true", "[20,40.5,9]", "[62.5,40.5,1]"));
}

static void refused(struct caller *caller, const char *body, int status, const char *place)
{
    call(caller, "POST", SIGHT, body);
    assert_refused(caller, status, place);
}

static void what_is_wrong_is_named(void **state)
{
    struct caller *caller = land_begin(state);

    refused(caller, "{}", 400, "/from");
    refused(caller, "{\"from\":[1,1,1]}", 400, "/to");
    refused(caller, "{\"to\":[1,1,1]}", 400, "/from");
    refused(caller, "{\"from\":[1,1,1],\"pairs\":[]}", 400, "/from");
    refused(caller, "{\"to\":[1,1,1],\"pairs\":[]}", 400, "/to");
    refused(caller, "{\"pairs\":[{\"from\":[1,1,1]}]}", 400, "/pairs/0/to");
    refused(caller, "{\"pairs\":[{\"from\":[1,1],\"to\":[1,1,1]}]}", 400, "/pairs/0/from");
    refused(caller, "{\"from\":[1,1,-1e308],\"to\":[1,1,1e308]}", 400, "/to");
    call(caller, "POST", SIGHT "?above_ground=yes", "{\"from\":[1,1,1],\"to\":[1,1,2]}");
    assert_refused(caller, 400, "above_ground");
    call(caller, "POST", SIGHT "?touching=-1", "{\"from\":[1,1,1],\"to\":[1,1,2]}");
    assert_refused(caller, 400, "touching");
    caller->service.limits.query_rays = 1;
    refused(caller,
            "{\"pairs\":[{\"from\":[1,1,1],\"to\":[1,1,2]},{\"from\":[1,1,1],\"to\":[1,1,2]}]}",
            413, "/pairs");
    caller->service.limits.query_rays = 9;
    land_post(caller, SIGHT, "{\"pairs\":[]}");
    assert_int_equal(json_array_size(caller_member(caller, "results")), 0);
}

enum { MANY = 3000, IN = 6, OUT = 4 };

/* Random lines over holes and hills, which may begin beneath the ground: as rays, as JSON and as
 * floats. */
static void sights_are_rays(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    double pairs[MANY][IN], seen[MANY][OUT];
    char *body = malloc(MANY * 200), statuses[MANY];
    size_t used = 0, blocked = 0;
    json_t *results;

    seed = 5;
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < IN; k++)
            pairs[i][k] = k % 3 == 2 ? random_between(-280, 280) : random_between(-9, 135);
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", SIGHT "?frame=grid&touching=0&statuses=true", pairs, sizeof pairs);
    assert_int_equal(caller->status, 200);
    assert_int_equal(caller->length, sizeof seen + MANY);
    memcpy(seen, caller->body, sizeof seen);
    memcpy(statuses, caller->body + sizeof seen, MANY);

    used = (size_t)sprintf(body, "{\"pairs\":");
    for (int i = 0; i < MANY; i++) {
        const double *p = pairs[i];

        used += (size_t)sprintf(body + used,
                                "%c{\"from\":[%.17g,%.17g,%.17g],\"to\":[%.17g,%.17g,%.17g]}",
                                i ? ',' : '[', p[0], p[1], p[2], p[3], p[4], p[5]);
    }
    strcpy(body + used, "]}");
    land_post(caller, SIGHT "?frame=grid&touching=0", body);
    results = json_incref(caller_member(caller, "results"));

    used = (size_t)sprintf(body, "{\"rays\":");
    for (int i = 0; i < MANY; i++) {
        const double *p = pairs[i];

        used += (size_t)sprintf(body + used,
                                "%c{\"origin\":[%.17g,%.17g,%.17g],\"target\":[%.17g,%.17g,%.17g]}",
                                i ? ',' : '[', p[0], p[1], p[2], p[3], p[4], p[5]);
    }
    strcpy(body + used, "]}");
    land_post(caller, LAND "/query/raycast?frame=grid", body);
    for (size_t i = 0; i < MANY; i++) {
        const json_t *hit = json_array_get(caller_member(caller, "hits"), i);
        const json_t *result = json_array_get(results, i);
        const json_t *at = json_object_get(result, "blocked_at");

        assert_int_equal(json_is_true(json_object_get(result, "visible")), json_is_null(hit));
        assert_int_equal(json_is_null(hit), statuses[i] != 0);
        assert_true(seen[i][0] == json_is_null(hit));
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(isnan(seen[i][1 + k]), json_is_null(hit));
            if (json_is_null(hit))
                continue;
            assert_true(json_number_value(json_array_get(at, k)) == seen[i][1 + k]);
            assert_true(
                fabs(json_number_value(json_array_get(json_object_get(hit, "position"), k)) -
                     seen[i][1 + k]) < 1e-8);
        }
        blocked += !json_is_null(hit);
    }
    assert_true(blocked > MANY / 5 && blocked < MANY * 4 / 5);
    json_decref(results);
    free(body);
}

/* Two ways of deciding who sees whom, which share nothing but the ground. */
static void viewsheds_agree(void **state)
{
    static const char eye[] = "frame=grid&ignore_holes=true&x=60.5&y=61.25&eye_height=9"
                              "&target_height=4";
    static double pairs[LAND_VERTICES][IN];
    struct caller *caller = land_begin_with_all(state);
    const double(*seen)[OUT];
    char target[200], *shed;
    float *lacks;
    size_t length, blocked = 0;

    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":15,\"cell\":11,\"seed\":3," LAND_ALL "}");
    snprintf(target, sizeof target, LAND "/viewshed?%s&format=r8", eye);
    shed = land_take(caller, target, &length);
    assert_int_equal(length, LAND_VERTICES);
    snprintf(target, sizeof target, LAND "/viewshed?%s&format=f32&kind=height", eye);
    lacks = (float *)(void *)land_take(caller, target, &length);
    assert_int_equal(length, LAND_VERTICES * sizeof *lacks);
    for (int i = 0; i < LAND_VERTICES; i++) {
        const double pair[IN] = { 60.5, 61.25, 9, i % LAND_SIDE, i / LAND_SIDE, 4 };

        memcpy(pairs[i], pair, sizeof pair);
    }
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST",
               SIGHT "?frame=grid&ignore_holes=true&above_ground=both&touching=1e-7", pairs,
               sizeof pairs);
    assert_int_equal(caller->length, LAND_VERTICES * sizeof *seen);
    seen = (const double(*)[OUT])(void *)caller->body;
    for (int i = 0; i < LAND_VERTICES; i++) {
        blocked += seen[i][0] == 0;
        if (shed[i] ? seen[i][0] == 1 : seen[i][0] == 0 || lacks[i] < 1e-2F)
            continue;
        fail_msg("%d, %d: %g, where the viewshed has %d and %g m", i % LAND_SIDE, i / LAND_SIDE,
                 seen[i][0], shed[i], (double)lacks[i]);
    }
    if (blocked < LAND_VERTICES / 10 || blocked > LAND_VERTICES * 9 / 10)
        fail_msg("%zu blocked", blocked);
    free(shed);
    free(lacks);
}

static void wrong_floats_are_wrong_alone(void **state)
{
    const double pairs[][IN] = { { 10, 20, 30, 10, 20, -30 },
                                 { 10, 20, 30, NAN, 20, -30 },
                                 { 10, 20, 30, 10, INFINITY, -30 },
                                 { 10, 20, -1e308, 10, 20, 1e308 },
                                 { 10, 20, 30, 10, 20, 30 } };
    static const uint8_t expected[] = { 0, 4, 4, 4, 1 };
    static const int visible[] = { 0, -1, -1, -1, 1 };
    enum { COUNT = sizeof pairs / sizeof *pairs };
    struct caller *caller = land_begin(state);
    double seen[COUNT][OUT];

    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", SIGHT "?statuses=true", pairs, sizeof pairs);
    assert_int_equal(caller->status, 200);
    assert_int_equal(caller->length, sizeof seen + COUNT);
    memcpy(seen, caller->body, sizeof seen);
    assert_memory_equal(caller->body + sizeof seen, expected, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(visible[i] < 0 ? isnan(seen[i][0]) : seen[i][0] == visible[i]);
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", SIGHT, pairs, sizeof pairs - 8);
    assert_refused(caller, 400, "");
}

/* The same line by degrees, metres and quads. */
static void frames_agree(void **state)
{
    struct caller *caller = ridge_begin(state);

    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[7,45.91,7.09,46]}"), 200);
    land_post(caller, SIGHT "?frame=lonlat", "{\"from\":[7.02,45.95,10],\"to\":[7.07,45.95,10]}");
    assert_true(json_is_false(caller_member(caller, "visible")));
    assert_true(fabs(caller_number(caller, "blocked_at.0") - (7 + 0.09 * 62.2 / 126)) < 1e-7);
    assert_true(fabs(caller_number(caller, "blocked_at.1") - 45.95) < 1e-9);
    land_post(caller, SIGHT "?frame=lonlat&above_ground=from",
              "{\"from\":[7.045,45.95,2],\"to\":[7.07,45.95,10]}");
    assert_true(json_is_true(caller_member(caller, "visible")));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_ridge_is_in_the_way),
        TEST(an_end_on_the_ground_does_not_hide_itself),
        TEST(ends_stand_on_the_ground_if_they_ought_to),
        TEST(holes_let_through),
        TEST(what_is_wrong_is_named),
        TEST(sights_are_rays),
        TEST(viewsheds_agree),
        TEST(wrong_floats_are_wrong_alone),
        TEST(frames_agree),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

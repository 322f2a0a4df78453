/* Contours through the API: GeoJSON in the frame that suits the landscape, within its limits. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char hill[] =
    "{\"ops\":[{\"tool\":\"raise\",\"path\":[[63,63]],\"radius\":60,\"amount\":50}]}";

static void land(struct caller *caller, const char *more)
{
    char body[300];

    snprintf(body, sizeof body,
             "{\"layout\":{\"components\":[2,2],\"sections_per_component\":1,\"section_quads\":63}"
             "%s}",
             more);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/it", body), 201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/it/edits", hill), 200);
}

static json_t *features(struct caller *caller, const char *query)
{
    char target[160];

    snprintf(target, sizeof target, "/v1/landscapes/it/contours?%s", query);
    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/geo+json");
    assert_string_equal(caller_text(caller, "type"), "FeatureCollection");
    return json_object_get(caller->json, "features");
}

static const json_t *line_of(const json_t *feature)
{
    return json_object_get(json_object_get(feature, "geometry"), "coordinates");
}

static double part(const json_t *line, size_t point, size_t k)
{
    return json_number_value(json_array_get(json_array_get(line, point), k));
}

static void rings_round_a_hill_are_closed(void **state)
{
    struct caller *caller = *state;
    json_t *all;

    land(caller, "");
    all = features(caller, "interval=10&base=5");
    assert_int_equal(json_array_size(all), 5); /* at 5, 15, … 45 m */
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *feature = json_array_get(all, i), *line = line_of(feature);
        const size_t last = json_array_size(line) - 1;

        assert_string_equal(json_string_value(json_object_get(feature, "type")), "Feature");
        assert_true(
            json_is_true(json_object_get(json_object_get(feature, "properties"), "closed")));
        assert_true(last > 10);
        for (size_t k = 0; k < 2; k++)
            assert_true(part(line, 0, k) == part(line, last, k));
        for (size_t p = 0; p < last; p++)
            assert_true(hypot(part(line, p, 0) - 63, part(line, p, 1) - 63) < 60);
    }
    /* A window cuts them. */
    all = features(caller, "interval=10&base=5&width=64");
    assert_int_equal(json_array_size(all), 5);
    assert_true(json_is_false(
        json_object_get(json_object_get(json_array_get(all, 0), "properties"), "closed")));
}

/* Longitude before latitude, unless something else is asked. */
static void lines_of_placed_ground_are_in_degrees(void **state)
{
    struct caller *caller = *state;
    const json_t *line;
    json_t *all;
    double grid[2], z;
    char target[200];

    land(caller, ",\"crs\":\"EPSG:4326\",\"bounds\":[-84,36,-83.9,36.1]");
    all = features(caller, "interval=20&base=10&simplify=0.5");
    assert_true(json_array_size(all) >= 2);
    line = line_of(json_array_get(all, 0));
    for (size_t p = 0; p < json_array_size(line); p++)
        assert_true(part(line, p, 0) >= -84 && part(line, p, 0) <= -83.9 &&
                    part(line, p, 1) >= 36 && part(line, p, 1) <= 36.1);
    snprintf(target, sizeof target, "/v1/landscapes/it/height?frame=lonlat&x=%.15g&y=%.15g",
             part(line, 3, 0), part(line, 3, 1));
    z = json_number_value(
        json_object_get(json_object_get(json_array_get(all, 0), "properties"), "elevation"));
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_true(fabs(caller_number(caller, "z") - z) < 1e-6);
    line = line_of(json_array_get(features(caller, "interval=20&base=10&frame=grid"), 0));
    for (int k = 0; k < 2; k++)
        grid[k] = part(line, 0, (size_t)k);
    assert_true(grid[0] >= 0 && grid[0] <= 126 && grid[1] >= 0 && grid[1] <= 126);
}

static void what_is_too_much_or_wrong_is_named(void **state)
{
    struct caller *caller = *state;

    land(caller, "");
    call(caller, "GET", "/v1/landscapes/it/contours", NULL);
    assert_refused(caller, 400, "interval");
    call(caller, "GET", "/v1/landscapes/it/contours?interval=0", NULL);
    assert_refused(caller, 400, "interval");
    call(caller, "GET", "/v1/landscapes/it/contours?interval=0.0001", NULL);
    assert_refused(caller, 413, "interval");
    call(caller, "GET", "/v1/landscapes/it/contours?interval=5&width=400", NULL);
    assert_refused(caller, 422, "width");
    call(caller, "GET", "/v1/landscapes/it/contours?interval=5&frame=lonlat", NULL);
    assert_int_equal(caller->status, 422);
}

/* However many levels there were between two samples, a tile of them is drawn. */
static void a_tile_of_the_least_interval_ends(void **state)
{
    static const char *const queries[] = { "interval=1e-9", "interval=1e-17&base=100000",
                                           "interval=1e-300", "interval=1e-308&base=-1000000",
                                           "interval=5e-324" };
    struct caller *caller = *state;

    land(caller, "");
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char target[160];

        snprintf(target, sizeof target, "/v1/landscapes/it/tiles/contours/0/0/0.png?%s",
                 queries[i]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(rings_round_a_hill_are_closed),
        TEST(lines_of_placed_ground_are_in_degrees),
        TEST(what_is_too_much_or_wrong_is_named),
        TEST(a_tile_of_the_least_interval_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

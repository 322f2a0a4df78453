/* Statistics, cut and fill, slopes, aspects and curvatures through the API. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Eastwards 1 m up each quad of 2 m by 4, with a hole of 2 x 1 quads. */
static struct caller *ramp(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[2,2],\"section_quads\":63},"
                          "\"scale\":[2,4,1],\"origin\":[1000,2000,0],\"height\":0}"),
                     201);
    land_edit(caller, "{\"tool\":\"expression\",\"expression\":\"c\"," LAND_ALL "}");
    land_edit(caller,
              "{\"tool\":\"hole\",\"region\":{\"x\":10,\"y\":20,\"width\":2,\"height\":1}}");
    return caller;
}

static double number_at(struct caller *caller, const char *list, size_t i)
{
    return json_number_value(json_array_get(caller_member(caller, list), i));
}

static void get(struct caller *caller, const char *path)
{
    char target[300];

    snprintf(target, sizeof target, LAND "/%s", path);
    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
}

static void post(struct caller *caller, const char *path, const char *body)
{
    char target[300];

    snprintf(target, sizeof target, LAND "/query/%s", path);
    if (call(caller, "POST", target, body) != 200)
        fail_msg("%s %s: %s", target, body, caller->body);
}

static void a_ramp_has_the_numbers_of_one(void **state)
{
    struct caller *caller = ramp(state);

    get(caller, "statistics?width=101&height=101&frame=grid&plane=50&percentiles=0,50,99.5&bins=4");
    assert_true(caller_number(caller, "version") == land_version(caller));
    get(caller, "statistics?width=101&height=101&frame=grid&plane=50&percentiles=0,50,99.5&bins=4");
    assert_int_equal(caller_number(caller, "vertices"), 101 * 101);
    assert_float_equal(caller_number(caller, "least"), 0, 0);
    assert_float_equal(caller_number(caller, "greatest"), 100, 0);
    assert_float_equal(number_at(caller, "greatest_at", 0), 100, 0);
    assert_float_equal(number_at(caller, "greatest_at", 1), 0, 0);
    assert_float_equal(caller_number(caller, "mean"), 50, 0);
    assert_float_equal(caller_number(caller, "deviation"), sqrt((101. * 101 - 1) / 12), 1e-9);
    assert_float_equal(number_at(caller, "percentiles", 1), 50, 0);
    assert_float_equal(number_at(caller, "percentiles", 2), 100, 0);
    assert_float_equal(caller_number(caller, "histogram.bin_width"), 25, 0);
    assert_int_equal(number_at(caller, "histogram.counts", 0), 25 * 101);
    assert_int_equal(number_at(caller, "histogram.counts", 3), 26 * 101);
    assert_float_equal(caller_number(caller, "plan_area"), (10000 - 2) * 8, 1e-6);
    assert_float_equal(caller_number(caller, "surface_area"), (10000 - 2) * 8 * sqrt(1.25), 1e-6);
    assert_float_equal(caller_number(caller, "volumes.above"), 50. * 25 * 100 * 8, 1e-4);
    assert_float_equal(caller_number(caller, "volumes.area_above"), 50 * 100 * 8, 1e-6);
    /* the hole is cut out below the plane: columns 10 and 11, at 10.5 and 11.5 m */
    assert_float_equal(caller_number(caller, "volumes.below"),
                       50. * 25 * 100 * 8 - (39.5 + 38.5) * 8, 1e-4);
    get(caller, "statistics?width=101&height=101&bin_width=30&surface=false");
    assert_int_equal(json_array_size(caller_member(caller, "histogram.counts")), 4);
    assert_int_equal(number_at(caller, "histogram.counts", 3), 11 * 101);
    assert_true(json_is_null(caller_member(caller, "surface_area")));
    assert_true(json_is_null(caller_member(caller, "volumes")));
    assert_true(json_is_null(caller_member(caller, "percentiles")));
    assert_float_equal(number_at(caller, "greatest_at", 0), 1200, 0);
    assert_float_equal(number_at(caller, "greatest_at", 1), 2000, 0);
}

/* The same place in metres and in quads, as a polygon and as a rectangle. */
static void a_polygon_is_asked_in_any_frame(void **state)
{
    struct caller *caller = ramp(state);
    double area;

    post(caller, "statistics?frame=grid", "{\"polygon\":[[0,0],[100,0],[100,100],[0,100]]}");
    area = caller_number(caller, "plan_area");
    assert_float_equal(area, (10000 - 2) * 8, 1e-6);
    assert_int_equal(caller_number(caller, "vertices"), 101 * 101);
    assert_non_null(caller_header(caller, "Landscape-Version"));
    post(caller, "statistics",
         "{\"polygon\":[[1000,2000],[1200,2000],[1200,2400],[1000,2400]],\"plane\":50,"
         "\"percentiles\":[50]}");
    assert_float_equal(caller_number(caller, "plan_area"), area, 1e-6);
    assert_float_equal(caller_number(caller, "volumes.above"), 50. * 25 * 100 * 8, 1e-3);
    assert_float_equal(number_at(caller, "percentiles", 0), 50, 0);
    /* the plane of the ramp itself: nothing above or below */
    post(caller, "statistics",
         "{\"polygon\":[[1000,2000],[1150,2100],[1020,2380]],"
         "\"through\":[[1000,2000,0],[1200,2000,100],[1200,2400,100]]}");
    assert_float_equal(caller_number(caller, "volumes.above"), 0, 1e-6);
    assert_float_equal(caller_number(caller, "volumes.below"), 0, 1e-6);
    /* half a triangle's area: cross product of its sides, without the hole if that is outside */
    post(caller, "statistics?frame=grid", "{\"polygon\":[[30.25,30.5],[70.75,33],[50,61.125]]}");
    assert_float_equal(caller_number(caller, "plan_area"), 8 * 0.5 * (40.5 * 30.625 - 2.5 * 19.75),
                       1e-6);
    post(caller, "statistics?frame=grid", "{\"polygon\":[[-30,-30],[-10,-30],[-20,-5]]}");
    assert_int_equal(caller_number(caller, "vertices"), 0);
    assert_true(json_is_null(caller_member(caller, "mean")));
    assert_true(json_is_null(caller_member(caller, "least_at")));
    assert_float_equal(caller_number(caller, "plan_area"), 0, 0);
}

static void what_cannot_be_measured_is_named(void **state)
{
    struct caller *caller = ramp(state);

    call(caller, "GET", LAND "/statistics?width=500", NULL);
    assert_refused(caller, 422, "width");
    call(caller, "GET", LAND "/statistics?percentiles=50,101", NULL);
    assert_refused(caller, 400, "percentiles");
    call(caller, "GET", LAND "/statistics?bins=3&bin_width=2", NULL);
    assert_refused(caller, 400, "bin_width");
    call(caller, "GET", LAND "/statistics?bin_width=1e-9", NULL);
    assert_refused(caller, 413, "bin_width");
    call(caller, "GET", LAND "/statistics?bins=0", NULL);
    assert_refused(caller, 400, "bins");
    call(caller, "POST", LAND "/query/statistics", "{\"polygon\":[[0,0],[1,1]]}");
    assert_refused(caller, 400, "/polygon");
    call(caller, "POST", LAND "/query/statistics",
         "{\"polygon\":[[0,0],[1,1],[0,1]],\"through\":[[0,0,0],[1,1,5],[2,2,0]]}");
    assert_refused(caller, 400, "/through");
    call(caller, "POST", LAND "/query/statistics",
         "{\"polygon\":[[0,0],[1,1],[0,1]],\"plane\":0,\"through\":[[0,0,0],[1,1,5],[2,0,0]]}");
    assert_refused(caller, 400, "/through");
    call(caller, "POST", LAND "/query/statistics?frame=grid",
         "{\"polygon\":[[0,0],[1e9,1],[0,1]]}");
    assert_refused(caller, 400, "/polygon");
    call(caller, "POST", LAND "/query/statistics?frame=lonlat",
         "{\"polygon\":[[0,0],[1,1],[0,1]]}");
    assert_int_equal(caller->status, 422);
    caller->service.limits.region_vertices = 100;
    caller->service.limits.region_points = 3;
    call(caller, "GET", LAND "/statistics", NULL);
    assert_refused(caller, 413, "");
    call(caller, "POST", LAND "/query/statistics?frame=grid",
         "{\"polygon\":[[0,0],[50,1],[0,50]]}");
    assert_refused(caller, 413, "");
    call(caller, "POST", LAND "/query/statistics?frame=grid",
         "{\"polygon\":[[0,0],[5,1],[5,5],[0,5]]}");
    assert_refused(caller, 413, "/polygon");
    call(caller, "GET", LAND "/cut-fill?from=1", NULL);
    assert_refused(caller, 413, "");
}

static void earth_moved_is_told_between_versions(void **state)
{
    struct caller *caller = ramp(state);
    const int before = (int)land_version(caller);
    char path[200], body[200];
    double net;

    /* one vertex 3 m up: a pyramid over six triangles; another 1 m down */
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3,\"region\":{\"x\":50,\"y\":40,\"width\":1,"
                      "\"height\":1}}");
    land_edit(caller, "{\"tool\":\"lower\",\"amount\":1,\"region\":{\"x\":60,\"y\":41,\"width\":1,"
                      "\"height\":1}}");
    snprintf(path, sizeof path, "cut-fill?frame=grid&from=%d", before);
    get(caller, path);
    assert_int_equal(caller_number(caller, "from"), before);
    assert_int_equal(caller_number(caller, "to"), before + 2);
    assert_float_equal(caller_number(caller, "fill"), 3 * 8, 1e-9);
    assert_float_equal(caller_number(caller, "cut"), 1 * 8, 1e-9);
    assert_float_equal(caller_number(caller, "net"), 2 * 8, 1e-9);
    assert_float_equal(caller_number(caller, "fill_area"), 3 * 8, 1e-9);
    assert_int_equal(caller_number(caller, "changed"), 2);
    assert_float_equal(caller_number(caller, "rise"), 3, 0);
    assert_float_equal(number_at(caller, "rise_at", 0), 50, 0);
    assert_float_equal(number_at(caller, "fall_at", 1), 41, 0);
    snprintf(path, sizeof path, "cut-fill?from=%d&to=%d&x=55&width=20", before, before + 2);
    get(caller, path);
    assert_float_equal(caller_number(caller, "fill"), 0, 0);
    assert_true(json_is_null(caller_member(caller, "rise_at")));
    assert_float_equal(number_at(caller, "fall_at", 0), 1000 + 60 * 2, 0);
    /* half of the pyramid, cut along its middle */
    snprintf(body, sizeof body, "{\"from\":%d,\"polygon\":[[50,0],[55,0],[55,90],[50,90]]}",
             before);
    post(caller, "cut-fill?frame=grid", body);
    assert_float_equal(caller_number(caller, "fill"), 3 * 8 / 2.0, 1e-9);
    net = caller_number(caller, "net");
    assert_float_equal(net, 12, 1e-9);
    land_post(caller, LAND "/undo", NULL);
    land_post(caller, LAND "/undo", NULL);
    snprintf(path, sizeof path, "cut-fill?from=%d", before);
    get(caller, path);
    assert_float_equal(caller_number(caller, "fill"), 0, 0);
    assert_float_equal(caller_number(caller, "cut"), 0, 0);
    assert_int_equal(caller_number(caller, "changed"), 0);
    call(caller, "GET", LAND "/cut-fill", NULL);
    assert_refused(caller, 400, "from");
    call(caller, "GET", LAND "/cut-fill?from=1000", NULL);
    assert_true(caller->status >= 400 && strstr(caller->body, "\"from\""));
    snprintf(body, sizeof body, "{\"from\":%d,\"to\":999,\"polygon\":[[50,0],[55,0],[55,90]]}",
             before);
    call(caller, "POST", LAND "/query/cut-fill", body);
    assert_true(caller->status >= 400 && strstr(caller->body, "\"/to\""));
}

/* The answer but for the member of that name. */
static json_t *without(struct caller *caller, const char *name)
{
    json_t *rest = json_deep_copy(caller->json);

    json_object_del(rest, name);
    return rest;
}

/* What lies beneath holes counts as if they had not been cut; there is some, unless it is asked
 * for. */
static void holes_can_be_ignored(void **state)
{
    static const char polygon[] =
        "{%s\"plane\":9,\"percentiles\":[5,50],\"polygon\":[[3,5],[110,20],[60.5,99.25]]}";
    static const char windows[][80] = { "statistics?plane=9&bins=5&x=3&y=9&width=70",
                                        "statistics?surface=false" };
    struct caller *caller = land_begin(state);
    int versions[3];
    char path[200], body[300];
    json_t *right[6];

    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":15,\"cell\":11,\"seed\":3," LAND_ALL "}");
    versions[0] = (int)land_version(caller);
    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":9,\"cell\":7,\"seed\":8," LAND_ALL "}");
    versions[1] = (int)land_version(caller);
    land_edit(caller, "{\"tool\":\"hole\",\"path\":[[20,30],[90,80]],\"radius\":9,\"spacing\":4}");
    versions[2] = (int)land_version(caller);
    for (int holed = 0; holed < 3; holed++) { /* none, ignored, counted */
        const int version = versions[holed ? 2 : 1];
        const char *ways = holed == 1 ? "&ignore_holes=true" : "";
        const char *members = holed == 1 ? "\"ignore_holes\":true," : "";

        for (int i = 0; i < 6; i++) {
            json_t *told;

            if (i < 2) {
                snprintf(path, sizeof path, "%s&version=%d%s", windows[i], version, ways);
                get(caller, path);
            } else if (i == 2) {
                snprintf(path, sizeof path, "statistics?frame=grid&version=%d", version);
                snprintf(body, sizeof body, polygon, members);
                post(caller, path, body);
            } else if (i < 5) {
                snprintf(path, sizeof path, "cut-fill?from=%d&to=%d%s%s", versions[0], version,
                         i == 4 ? "&x=5&width=77" : "", ways);
                get(caller, path);
            } else {
                snprintf(body, sizeof body,
                         "{%s\"from\":%d,\"to\":%d,\"polygon\":[[3,5],[110,20],[60.5,99.25]]}",
                         members, versions[0], version);
                post(caller, "cut-fill?frame=grid", body);
            }
            told = without(caller, i < 3 ? "version" : "to");
            if (holed == 0)
                right[i] = told;
            else if (json_equal(told, right[i]) != (holed == 1))
                fail_msg("%d, %d: %s", holed, i, caller->body);
            if (holed)
                json_decref(told);
        }
    }
    for (int i = 0; i < 6; i++)
        json_decref(right[i]);
}

static const double *doubles(struct caller *caller, const char *path, size_t count)
{
    get(caller, path);
    assert_int_equal(caller->length, count * sizeof(double));
    return (const double *)(const void *)caller->body;
}

static void a_ramp_is_as_steep_everywhere(void **state)
{
    struct caller *caller = ramp(state);
    const double *values = doubles(caller, "slope?format=f64", LAND_VERTICES);

    for (int i = 0; i < LAND_VERTICES; i++) {
        const int x = i % LAND_SIDE, y = i / LAND_SIDE;

        if (y == 20 && (x == 10 || x == 11))
            assert_true(isnan(values[i]));
        else
            assert_float_equal(values[i], atan(0.5) * 180 / M_PI, 1e-12);
    }
    values = doubles(caller, "slope?format=f64&unit=percent&ignore_holes=true", LAND_VERTICES);
    for (int i = 0; i < LAND_VERTICES; i++)
        assert_float_equal(values[i], 50, 1e-9);
    values = doubles(caller, "aspect?format=f64&x=5&y=19&width=8&height=3&step=3", 3);
    assert_float_equal(values[0], 270, 1e-12);
    values = doubles(caller, "curvature?format=f64&width=20&height=9", 180);
    for (int i = 0; i < 180; i++)
        assert_float_equal(values[i], 0, 1e-12);
    get(caller, "slope?format=json&x=9&y=20&width=3&height=1&unit=percent");
    assert_string_equal(caller_text(caller, "unit"), "percent");
    assert_true(json_is_null(json_array_get(json_array_get(caller_member(caller, "rows"), 0), 1)));
    get(caller, "aspect?format=png&width=10&height=10");
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
}

/* Horn, from the heights that the API tells, away from the border. */
static void slopes_are_those_of_the_heights(void **state)
{
    static const char bumps[] =
        "{\"tool\":\"noise\",\"amplitude\":20,\"cell\":9,\"seed\":3," LAND_ALL "}";
    struct caller *caller = ramp(state);
    double *slopes = malloc(LAND_VERTICES * sizeof *slopes);
    const float *z;
    int other = 0;

    land_edit(caller, bumps);
    memcpy(slopes, doubles(caller, "slope?format=f64&ignore_holes=true", LAND_VERTICES),
           LAND_VERTICES * sizeof *slopes);
    get(caller, "heights?format=f32");
    z = (const float *)(const void *)caller->body;
    for (int y = 1; y < LAND_SIDE - 1; y++)
        for (int x = 1; x < LAND_SIDE - 1; x++) {
            const float *here = z + y * LAND_SIDE + x, *n = here - LAND_SIDE, *s = here + LAND_SIDE;
            const double dx = ((double)n[1] + 2 * here[1] + s[1] - n[-1] - 2 * here[-1] - s[-1]);
            const double dy = ((double)s[-1] + 2 * s[0] + s[1] - n[-1] - 2 * n[0] - n[1]);
            const double expected = atan(hypot(dx / 16, dy / 32)) * 180 / M_PI;

            assert_float_equal(slopes[y * LAND_SIDE + x], expected, 1e-9);
            other += fabs(expected - 26.565) > 1;
        }
    assert_true(other > 1000);
    /* every third vertex of a window is the same vertex's number */
    {
        const double *some = doubles(caller,
                                     "slope?format=f64&x=4&y=7&width=100&height=31&step=3"
                                     "&ignore_holes=true",
                                     34 * 11);

        for (int j = 0; j < 11; j++)
            for (int i = 0; i < 34; i++)
                assert_float_equal(some[j * 34 + i], slopes[(7 + 3 * j) * LAND_SIDE + 4 + 3 * i],
                                   0);
    }
    free(slopes);
}

/* Bit for bit what is told of points at the vertices. */
static void rasters_and_points_agree(void **state)
{
    struct caller *caller = ramp(state);
    double *raster[5];
    static const char *const paths[] = { "slope?format=f64", "aspect?format=f64",
                                         "curvature?format=f64&kind=plan",
                                         "curvature?format=f64&kind=profile",
                                         "curvature?format=f64&kind=mean" };
    static const char *const members[] = { "slope", "aspect", "plan", "profile", "mean" };

    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":20,\"cell\":9,\"seed\":3," LAND_ALL "}");
    for (int k = 0; k < 5; k++) {
        raster[k] = malloc(LAND_VERTICES * sizeof *raster[k]);
        memcpy(raster[k], doubles(caller, paths[k], LAND_VERTICES),
               LAND_VERTICES * sizeof *raster[k]);
    }
    for (int y = 0; y < LAND_SIDE; y += 9) {
        char body[8192] = "{\"points\":[";

        for (int x = 0; x < LAND_SIDE; x++)
            sprintf(body + strlen(body), "%s[%d,%d]", x ? "," : "", x, y);
        strcat(body, "]}");
        post(caller, "heights?frame=grid&fields=slope,aspect,curvature", body);
        for (int x = 0; x < LAND_SIDE; x++) {
            const json_t *item = json_array_get(caller_member(caller, "points"), (size_t)x);

            for (int k = 0; k < 5; k++) {
                const json_t *of = k < 2 ? item : json_object_get(item, "curvature");
                const json_t *told = json_object_get(of, members[k]);
                const double value = raster[k][y * LAND_SIDE + x];

                assert_true(isnan(value) ? !json_is_number(told)
                                         : json_number_value(told) == value);
            }
        }
    }
    for (int k = 0; k < 5; k++)
        free(raster[k]);
}

static void rasters_are_refused_by_name(void **state)
{
    struct caller *caller = ramp(state);

    call(caller, "GET", LAND "/slope?unit=radians", NULL);
    assert_refused(caller, 400, "unit");
    call(caller, "GET", LAND "/curvature?kind=profil", NULL);
    assert_refused(caller, 400, "kind");
    assert_non_null(strstr(caller->body, "profile"));
    call(caller, "GET", LAND "/aspect?x=200", NULL);
    assert_refused(caller, 422, "x");
    call(caller, "GET", LAND "/aspect?format=r16", NULL);
    assert_refused(caller, 400, "format");
    caller->service.limits.window_vertices = 100;
    call(caller, "GET", LAND "/slope", NULL);
    assert_refused(caller, 413, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_ramp_has_the_numbers_of_one),
        TEST(a_polygon_is_asked_in_any_frame),
        TEST(what_cannot_be_measured_is_named),
        TEST(earth_moved_is_told_between_versions),
        TEST(a_ramp_is_as_steep_everywhere),
        TEST(slopes_are_those_of_the_heights),
        TEST(holes_can_be_ignored),
        TEST(rasters_and_points_agree),
        TEST(rasters_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

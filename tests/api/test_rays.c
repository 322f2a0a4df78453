/* Rays through the API: what they meet, in every frame, as JSON and as floats. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAST LAND "/query/raycast"
static const char grid_cast[] = CAST "?frame=grid";

static uint32_t seed;
static double random_between(double least, double greatest)
{
    seed = seed * 1664525u + 1013904223u;
    return least + (greatest - least) * (seed >> 8) / 16777216.0;
}

static void cast(struct caller *caller, const char *target, const char *rays)
{
    char body[800];

    snprintf(body, sizeof body, "{\"rays\":[%s]}", rays);
    land_post(caller, target, body);
}

static void refused(struct caller *caller, const char *target, const char *rays, int status,
                    const char *place)
{
    char body[400];

    snprintf(body, sizeof body, "{\"rays\":[%s]}", rays);
    call(caller, "POST", target, body);
    assert_refused(caller, status, place);
}

static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within))
        fail_msg("%.17g where %.17g was expected", value, expected);
}

/* A plain of 0 m. */
static void a_ray_tells_what_it_meets(void **state)
{
    struct caller *caller = land_begin(state);

    cast(caller, CAST,
         "{\"origin\":[10.5,20.25,30],\"direction\":[0,0,-2]},"
         "{\"origin\":[10,20,30],\"direction\":[3,0,-30]},"
         "{\"origin\":[10,20,30],\"direction\":[0,0,1]},"
         "{\"origin\":[10,20,-7],\"direction\":[0,0,0.001]}");
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
    assert_int_equal(json_array_size(caller_member(caller, "hits")), 4);
    assert_true(caller_number(caller, "hits.0.position.0") == 10.5);
    assert_true(caller_number(caller, "hits.0.position.1") == 20.25);
    assert_true(caller_number(caller, "hits.0.position.2") == 0);
    assert_true(caller_number(caller, "hits.0.normal.2") == 1);
    assert_true(caller_number(caller, "hits.0.distance") == 30);
    assert_true(caller_number(caller, "hits.0.triangle") == 2 * (20 * 126 + 10));
    assert_true(json_is_null(caller_member(caller, "hits.0.layer")));
    assert_true(json_is_false(caller_member(caller, "hits.0.back")));
    assert_null(json_object_get(caller_member(caller, "hits.0"), "smooth"));
    assert_null(json_object_get(caller->json, "statuses"));
    assert_near(caller_number(caller, "hits.1.position.0"), 13, 1e-12);
    assert_near(caller_number(caller, "hits.1.distance"), sqrt(909), 1e-12);
    assert_true(json_is_null(caller_member(caller, "hits.2")));
    assert_true(json_is_true(caller_member(caller, "hits.3.back")));
    assert_true(caller_number(caller, "hits.3.distance") == 7);
    assert_true(caller_number(caller, "hits.3.normal.2") == 1);
    cast(caller, CAST, "");
    assert_int_equal(json_array_size(caller_member(caller, "hits")), 0);
}

/* Shorter than the way, as long, and towards a place. */
static void a_ray_ends_where_it_is_told_to(void **state)
{
    static const struct {
        const char *ray;
        bool hits;
    } cases[] = {
        { "\"direction\":[0,0,-5],\"max_distance\":29.999", false },
        { "\"direction\":[0,0,-5],\"max_distance\":30", true },
        { "\"direction\":[0,0,-5],\"max_distance\":null", true },
        { "\"direction\":[0,0,-5],\"max_distance\":0", false },
        { "\"direction\":[0,0,-1e-320]", true },
        { "\"direction\":[0,0,-1e308],\"max_distance\":31", true },
        { "\"direction\":[1e300,0,-1e300]", true },
        { "\"direction\":[0,0,-1],\"max_distance\":1e300", true },
        { "\"target\":[10,20,0]", true },
        { "\"target\":[10,20,0.001]", false },
        { "\"target\":[10,20,-1e200]", true },
        { "\"target\":[10,20,20]", false },
        { "\"target\":[10,20,20],\"max_distance\":30", true },
        { "\"target\":[10,20,-20],\"max_distance\":29", false },
    };
    struct caller *caller = land_begin(state);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char ray[200];

        snprintf(ray, sizeof ray, "{\"origin\":[10,20,30],%s}", cases[i].ray);
        cast(caller, CAST, ray);
        if (json_is_null(caller_member(caller, "hits.0")) == cases[i].hits)
            fail_msg("%s: %s", ray, caller->body);
    }
}

static void what_is_wrong_is_named(void **state)
{
    struct caller *caller = land_begin(state);

    refused(caller, CAST, "{\"origin\":[1,1,1]}", 400, "/rays/0/direction");
    refused(caller, CAST, "{\"direction\":[1,1,1]}", 400, "/rays/0/origin");
    refused(caller, CAST, "{\"origin\":[1,1,1],\"direction\":[0,0,1],\"target\":[1,2,3]}", 400,
            "/rays/0/target");
    refused(caller, CAST, "{\"origin\":[1,1,1],\"direction\":[0,1]}", 400, "/rays/0/direction");
    refused(caller, CAST, "{\"origin\":[1,1],\"direction\":[0,0,1]}", 400, "/rays/0/origin");
    refused(caller, CAST, "{\"origin\":[1,1,1],\"direction\":[0,0,1e999]}", 400,
            "/rays/0/direction/2");
    refused(caller, CAST, "{\"origin\":[1,1,1],\"direction\":[0,0,NaN]}", 400,
            "/rays/0/direction/2");
    refused(caller, CAST, "{\"origin\":[1,1,1],\"along\":[0,0,1]}", 400, "/rays/0/along");
    refused(caller, CAST "?fields=smoth", "", 400, "fields");
    assert_non_null(strstr(caller->body, "smooth"));
    refused(caller, CAST "?frame=lonlat", "{\"origin\":[1,1,1],\"direction\":[0,0,1]}", 422,
            "/rays/0/origin");
    call(caller, "POST", CAST, "{}");
    assert_refused(caller, 400, "/rays");
    caller->service.limits.query_rays = 1;
    refused(caller, CAST,
            "{\"origin\":[1,1,1],\"direction\":[0,0,1]},{\"origin\":[1,1,1],"
            "\"direction\":[0,0,1]}",
            413, "/rays");
    assert_non_null(strstr(caller->body, "query_rays"));
}

/* A ray towards where it begins, and one that is too long. */
static void targets_may_be_wrong_alone(void **state)
{
    struct caller *caller = land_begin(state);

    cast(caller, CAST "?statuses=true",
         "{\"origin\":[1,1,1],\"target\":[1,1,-1]},{\"origin\":[1,1,1],\"target\":[1,1,1]},"
         "{\"origin\":[1,1,-1e308],\"target\":[1,1,1e308]}");
    for (int i = 0; i < 3; i++) {
        char path[20];

        snprintf(path, sizeof path, "statuses.%d", i);
        assert_string_equal(caller_text(caller, path), i ? "wrong" : "hit");
        snprintf(path, sizeof path, "hits.%d", i);
        assert_int_equal(json_is_null(caller_member(caller, path)), i > 0);
    }
}

static void each_field_and_status_can_be_asked_for(void **state)
{
    static const char *const words[] = { "smooth",   "barycentric", "physical_material",
                                         "weight",   "hole",        "slope",
                                         "aspect",   "layer",       "curvature",
                                         "x",        "y",           "normal",
                                         "triangle", "position" };
    struct caller *caller = land_begin_with_all(state);

    for (size_t i = 0; i + 1 < sizeof words / sizeof *words; i++) {
        char target[120];

        snprintf(target, sizeof target, "%s&fields=%s", grid_cast, words[i]);
        cast(caller, target, "{\"origin\":[60,61,9999],\"direction\":[0,0,-1]}");
        assert_non_null(json_object_get(caller_member(caller, "hits.0"), words[i]));
        assert_string_equal(caller_text(caller, "hits.0.layer"), "b");
    }
    /* A hole at column 125, row 125: through it, on what lies beneath, beside it. */
    cast(caller, CAST "?frame=grid&statuses=true&fields=hole",
         "{\"origin\":[125.5,125.5,9999],\"direction\":[0,0,-1]},"
         "{\"origin\":[124.5,125.5,9999],\"direction\":[0,0,-1]},"
         "{\"origin\":[200,125.5,9999],\"direction\":[0,0,-1]},"
         "{\"origin\":[50,50,9999],\"direction\":[0,0,1]}");
    assert_string_equal(caller_text(caller, "statuses.0"), "hole");
    assert_string_equal(caller_text(caller, "statuses.1"), "hit");
    assert_string_equal(caller_text(caller, "statuses.2"), "outside");
    assert_string_equal(caller_text(caller, "statuses.3"), "miss");
    assert_true(json_is_null(caller_member(caller, "hits.0")));
    assert_true(json_is_false(caller_member(caller, "hits.1.hole")));
    cast(caller, CAST "?frame=grid&statuses=true&fields=hole&ignore_holes=true",
         "{\"origin\":[125.5,125.5,9999],\"direction\":[0,0,-1]}");
    assert_string_equal(caller_text(caller, "statuses.0"), "hit");
    assert_true(json_is_true(caller_member(caller, "hits.0.hole")));
}

/* Random places, vertices, edges and diagonals among them, in local metres of another scale. */
static void straight_down_is_the_height_query(void **state)
{
    enum { COUNT = 400 };
    struct caller *caller = land_begin_with_all(state);
    char *rays = malloc(COUNT * 100), *points = malloc(COUNT * 60);
    size_t used[2] = { 0, 0 };
    json_t *hits, *heights;

    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"scale\":[0.7,1.3,0.37],\"origin\":[1000.1,-2000.7,33.3]}"),
        200);
    seed = 7;
    for (int i = 0; i < COUNT; i++) {
        double at[2] = { random_between(-2, 128), random_between(-2, 128) };

        for (int axis = 0; axis < 2; axis++)
            at[axis] = i % 4 == 0 ? floor(at[axis]) : at[axis];
        if (i % 4 == 1)
            at[1] = at[0];
        used[0] += (size_t)sprintf(rays + used[0],
                                   "%c{\"origin\":[%.17g,%.17g,5000],\"direction\":[0,0,-3]}",
                                   i ? ',' : '[', at[0], at[1]);
        used[1] +=
            (size_t)sprintf(points + used[1], "%c[%.17g,%.17g]", i ? ',' : '[', at[0], at[1]);
    }
    for (int holes = 0; holes < 2; holes++) {
        char target[160], *body = malloc(used[0] + 20);
        size_t met = 0;

        sprintf(body, "{\"rays\":%s]}", rays);
        snprintf(target, sizeof target, CAST "?frame=grid&fields=smooth,barycentric%s",
                 holes ? "&ignore_holes=true" : "");
        land_post(caller, target, body);
        hits = json_incref(caller_member(caller, "hits"));
        sprintf(body, "{\"points\":%s]}", points);
        snprintf(target, sizeof target,
                 LAND "/query/heights?frame=grid&fields=normal,triangle,layer%s",
                 holes ? "&ignore_holes=true" : "");
        land_post(caller, target, body);
        heights = caller_member(caller, "points");
        assert_int_equal(json_array_size(heights), COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            const json_t *hit = json_array_get(hits, i), *height = json_array_get(heights, i);

            /* On an edge a hole belongs to one side, and a ray meets the other. */
            if (json_is_null(height) && i % 4 < 2)
                continue;
            assert_int_equal(json_is_null(hit), json_is_null(height));
            if (json_is_null(hit))
                continue;
            met++;
            assert_true(json_real_value(json_array_get(json_object_get(hit, "position"), 2)) ==
                        json_real_value(json_object_get(height, "z")));
            if (i % 4 < 2) /* several triangles are met at once */
                continue;
            for (size_t k = 0; k < 3; k++)
                assert_true(
                    json_number_value(json_array_get(json_object_get(hit, "normal"), k)) ==
                    json_number_value(json_array_get(json_object_get(height, "normal"), k)));
            assert_true(
                json_equal(json_object_get(hit, "triangle"), json_object_get(height, "triangle")));
            assert_true(
                json_equal(json_object_get(hit, "layer"), json_object_get(height, "layer")));
        }
        assert_true(met > COUNT * 3 / 4);
        json_decref(hits);
        free(body);
    }
    free(rays);
    free(points);
}

static void frames_agree(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    double local[2], grid[3], z, degrees, fallen, t;
    char ray[300];

    assert_int_equal(call(caller, "PATCH", LAND,
                          "{\"crs\":\"EPSG:32632\",\"bounds\":[500000,5100000,500252,5100378]}"),
                     200);
    cast(caller, grid_cast, "{\"origin\":[100,40,900],\"direction\":[0.5,0.25,-60]}");
    for (size_t k = 0; k < 3; k++)
        grid[k] = json_number_value(json_array_get(caller_member(caller, "hits.0.position"), k));
    assert_near((grid[0] - 100) / (grid[1] - 40), 2, 1e-9); /* quads */
    /* The same line in metres: 2 m and 3 m a quad, nearly. */
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    for (int k = 0; k < 2; k++) {
        char path[20];

        snprintf(path, sizeof path, "scale.%d", k);
        local[k] = caller_number(caller, path);
    }
    assert_near(local[0], 2, 0.01);
    snprintf(ray, sizeof ray, "{\"origin\":[%.17g,%.17g,900],\"direction\":[%.17g,%.17g,-60]}",
             100 * local[0], 40 * local[1], 0.5 * local[0], 0.25 * local[1]);
    cast(caller, CAST "?frame=local", ray);
    for (size_t k = 0; k < 3; k++)
        assert_near(json_number_value(json_array_get(caller_member(caller, "hits.0.position"), k)),
                    k < 2 ? grid[k] * local[k] : grid[k], 1e-9);
    /* Degrees for places, metres for the direction: the second ray says where the first would be
     * without its sideways part. */
    cast(caller, CAST "?frame=lonlat&ignore_holes=true",
         "{\"origin\":[9.001,46.056,9000],\"direction\":[0,0,-60]},"
         "{\"origin\":[9.001,46.056,9000],\"direction\":[0.6,0,-60]},"
         "{\"origin\":[9.001,46.056,9000],\"target\":[9.0015,46.0565,-9000]}");
    assert_near(caller_number(caller, "hits.0.position.0"), 9.001, 1e-10);
    assert_near(caller_number(caller, "hits.0.position.1"), 46.056, 1e-10);
    z = caller_number(caller, "hits.0.position.2");
    degrees = caller_number(caller, "hits.1.position.0") - 9.001;
    fallen = 9000 - caller_number(caller, "hits.1.position.2");
    assert_near(degrees * 111320 * cos(46.056 * M_PI / 180), fallen / 100, fallen / 100 * 0.01);
    t = (9000 - caller_number(caller, "hits.2.position.2")) / 18000;
    assert_near(caller_number(caller, "hits.2.position.0"), 9.001 + t * 0.0005, 1e-7);
    assert_near(caller_number(caller, "hits.2.position.1"), 46.056 + t * 0.0005, 1e-7);
    assert_int_equal(call(caller, "GET", LAND "/height?frame=lonlat&x=9.001&y=46.056", NULL), 200);
    assert_true(caller_number(caller, "z") == z);
}

/* An older version answers what it was. */
static void older_versions_are_asked_too(void **state)
{
    static const char down[] = "{\"origin\":[63,63,900],\"direction\":[0,0,-1]}";
    struct caller *caller = land_begin(state);

    land_edit(caller, "{\"tool\":\"raise\",\"amount\":50,\"path\":[[63,63]],\"radius\":9}");
    cast(caller, grid_cast, down);
    assert_near(caller_number(caller, "hits.0.position.2"), 50, 1 / 256.0);
    assert_int_equal(caller_number(caller, "version"), 2);
    cast(caller, CAST "?frame=grid&version=1", down);
    assert_true(caller_number(caller, "hits.0.position.2") == 0);
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
}

enum { MANY = 100000, IN = 7, OUT = 8 };

static void many_make(double *rays)
{
    seed = 99;
    for (size_t i = 0; i < MANY; i++) {
        double *ray = rays + i * IN;

        for (int k = 0; k < 2; k++) {
            ray[k] = random_between(-10, 137);
            ray[3 + k] = random_between(-3, 3);
        }
        ray[2] = random_between(-300, 500);
        ray[5] = random_between(-9, 1);
        ray[6] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : random_between(0, 900);
    }
}

static char *many_print(const double *rays)
{
    char *body = malloc(MANY * 180 + 20), *at = body + sprintf(body, "{\"rays\":[");

    for (size_t i = 0; i < MANY; i++) {
        const double *ray = rays + i * IN;

        at += sprintf(at, "%s{\"origin\":[%.17g,%.17g,%.17g],\"direction\":[%.17g,%.17g,%.17g]",
                      i ? "," : "", ray[0], ray[1], ray[2], ray[3], ray[4], ray[5]);
        at += isfinite(ray[6]) ? sprintf(at, ",\"max_distance\":%.17g}", ray[6]) : sprintf(at, "}");
    }
    strcpy(at, "]}");
    return body;
}

static double number_at(const json_t *hit, const char *member, size_t k)
{
    return json_number_value(json_array_get(json_object_get(hit, member), k));
}

static void floats_are_the_json(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    double *rays = malloc(MANY * IN * sizeof *rays), *hits;
    char *body, *statuses;
    size_t met = 0;
    json_t *list;

    many_make(rays);
    caller->type = caller->accept = "application/x-f64";
    assert_int_equal(call_bytes(caller, "POST", CAST "?frame=local&statuses=true", rays,
                                MANY * IN * sizeof *rays),
                     200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f64");
    assert_int_equal(caller->length, MANY * (OUT * sizeof *hits + 1));
    hits = malloc(MANY * OUT * sizeof *hits);
    memcpy(hits, caller->body, MANY * OUT * sizeof *hits);
    statuses = malloc(MANY);
    memcpy(statuses, caller->body + MANY * OUT * sizeof *hits, MANY);
    body = many_print(rays);
    land_post(caller, CAST "?statuses=true", body);
    list = caller_member(caller, "hits");
    assert_int_equal(json_array_size(list), MANY);
    for (size_t i = 0; i < MANY; i++) {
        const json_t *hit = json_array_get(list, i);
        const double *floats = hits + i * OUT;

        assert_int_equal(json_is_null(hit), statuses[i] != 0);
        assert_int_equal(json_is_null(hit), isnan(floats[0]));
        if (json_is_null(hit))
            continue;
        met++;
        assert_true(json_number_value(json_object_get(hit, "distance")) == floats[0]);
        for (size_t k = 0; k < 3; k++) {
            assert_true(number_at(hit, "position", k) == floats[1 + k]);
            assert_true(number_at(hit, "normal", k) == floats[4 + k]);
        }
        assert_true(json_number_value(json_object_get(hit, "triangle")) == floats[7]);
    }
    if (!(met > MANY / 10 && met < MANY))
        fail_msg("%zu", met);
    free(body);
    free(statuses);
    free(hits);
    free(rays);
}

static void run_backwards(const struct executor *self, size_t count,
                          void (*piece)(void *work, size_t i), void *work)
{
    (void)self;
    while (count > 0)
        piece(work, --count);
}

/* Whoever makes the pieces, and in whichever order: the answer is the same bytes. */
static void pieces_are_put_together_in_order(void **state)
{
    static const char *const targets[] = { CAST "?statuses=true&fields=smooth,slope,layer",
                                           CAST "?frame=grid", LAND "/query/profile?fields=normal",
                                           LAND "/query/line-of-sight?statuses=true" };
    const struct executor backwards = { run_backwards };
    struct caller *caller = land_begin_with_all(state);
    double *rays = malloc(MANY * IN * sizeof *rays);
    char *bodies[4], *at;

    many_make(rays);
    memset(rays + 9000 * IN, 0, (MANY - 9000) * IN * sizeof *rays);
    bodies[0] = bodies[1] = many_print(rays);
    at = strstr(bodies[0], ",{\"origin\":[0,0,0]"); /* what has no direction is cut off */
    assert_non_null(at);
    strcpy(at, "]}");
    bodies[2] = strdup("{\"path\":[[-3,-5],[130,90],[10,120]],\"samples\":9000}");
    bodies[3] = malloc(9000 * 120);
    at = bodies[3] + sprintf(bodies[3], "{\"pairs\":[");
    for (size_t i = 0; i < 9000; i++)
        at += sprintf(at, "%s{\"from\":[%.6f,%.6f,%.6f],\"to\":[%.6f,%.6f,0]}", i ? "," : "",
                      rays[i * IN], rays[i * IN + 1], rays[i * IN + 2], rays[i * IN + 1],
                      rays[i * IN]);
    strcpy(at, "]}");
    for (int i = 0; i < 4; i++) {
        char *alone;

        land_post(caller, targets[i], bodies[i]);
        alone = strdup(caller->body);
        assert_true(strlen(alone) > 9000 * 10);
        caller->service.executor = &backwards;
        land_post(caller, targets[i], bodies[i]);
        caller->service.executor = NULL;
        assert_string_equal(caller->body, alone);
        free(alone);
    }
    for (int i = 1; i < 4; i++)
        free(bodies[i]);
    free(rays);
}

static void wrong_floats_are_wrong_alone(void **state)
{
    const float rays[][IN] = {
        { 10.5, 20.25, 30, 0, 0, -1, NAN },      { 10.5, 20.25, 30, 0, 0, 0, NAN },
        { NAN, 20.25, 30, 0, 0, -1, NAN },       { 10.5, 20.25, 30, 0, 0, INFINITY, 9 },
        { 10.5, 20.25, 30, 0, 0, -1, -1 },       { 10.5, 20.25, 30, 0, 0, -1, 29 },
        { 10.5, 20.25, 30, 0, 0, -1, INFINITY }, { 10.5, 20.25, 30, 0, 0, -1, -INFINITY }
    };
    static const uint8_t expected[] = { 0, 4, 4, 4, 4, 1, 0, 4 };
    enum { COUNT = sizeof rays / sizeof *rays };
    struct caller *caller = land_begin(state);
    float hits[COUNT][OUT];

    caller->type = caller->accept = "application/x-f32";
    call_bytes(caller, "POST", CAST "?statuses=true", rays, sizeof rays);
    assert_int_equal(caller->status, 200);
    assert_int_equal(caller->length, sizeof hits + COUNT);
    memcpy(hits, caller->body, sizeof hits);
    assert_memory_equal(caller->body + sizeof hits, expected, COUNT);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < OUT; k++)
            assert_int_equal(isnan(hits[i][k]), expected[i] != 0);
    assert_true(hits[0][0] == 30 && hits[0][7] == 2 * (20 * 126 + 10));
    caller->type = caller->accept = "application/x-f32";
    call_bytes(caller, "POST", CAST, rays, sizeof rays - 1);
    assert_refused(caller, 400, "");
    caller->type = caller->accept = "application/x-f32";
    call_bytes(caller, "POST", CAST "?fields=smooth", rays, sizeof rays);
    assert_refused(caller, 400, "fields");
    caller->service.limits.query_rays = COUNT - 1;
    caller->type = caller->accept = "application/x-f32";
    call_bytes(caller, "POST", CAST, rays, sizeof rays);
    assert_refused(caller, 413, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_ray_tells_what_it_meets),
        TEST(a_ray_ends_where_it_is_told_to),
        TEST(what_is_wrong_is_named),
        TEST(targets_may_be_wrong_alone),
        TEST(each_field_and_status_can_be_asked_for),
        TEST(straight_down_is_the_height_query),
        TEST(frames_agree),
        TEST(older_versions_are_asked_too),
        TEST(floats_are_the_json),
        TEST(pieces_are_put_together_in_order),
        TEST(wrong_floats_are_wrong_alone),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

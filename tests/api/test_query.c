/* Queries and paths by their rows, and the way from a path to its row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/query.h"
#include "api/route.h"

struct asked {
    int32_t z, step;
    int64_t nodata;
    double fov, at[2], eye[3], bounds[4], level;
    bool strict;
    const char *crs, *layer;
    int fit;
    struct rect window;
    struct list layers, stops;
};

static const char *const fits[] = { "pad", "exact", "resample", NULL };
static const char *const levels[] = { "auto", NULL };

static const struct field rows[] = {
    FIELD(struct asked, z, NULL, 0, 24, "Zoom", .in_path = true, .required = true),
    FIELD(struct asked, step, NULL, 1, 64, "Step", .has_value = true, .value = 1),
    FIELD(struct asked, nodata, NULL, 0, 0, "No data"),
    FIELD(struct asked, fov, "degrees", 0, 180, "Field of view", .above_least = true),
    { .name = "x,y", .kind = FIELD_POINT, .at = offsetof(struct asked, at), .help = "Where" },
    FIELD_AS(FIELD_POINT3, struct asked, eye, "From where"),
    FIELD_AS(FIELD_REALS, struct asked, bounds, "Bounds", .count = 4),
    FIELD_AS(FIELD_PICK, struct asked, level, "Level", .words = levels),
    FIELD(struct asked, strict, NULL, 0, 0, "Strictly"),
    FIELD(struct asked, crs, NULL, 1, 20, "CRS"),
    FIELD_AS(FIELD_NAME, struct asked, layer, "Layer"),
    FIELD_AS(FIELD_CHOICE, struct asked, fit, "Fit", .words = fits),
    FIELD_AS(FIELD_TEXTS, struct asked, layers, "Layers"),
    FIELD_AS(FIELD_NUMBERS, struct asked, stops, "Stops", .least = 0, .greatest = 3),
    { .kind = FIELD_END }
};

static const struct field window_rows[] = { FIELD(struct asked, window, NULL, 0, 0, "The window"),
                                            { .kind = FIELD_END } };

static struct arena arena;
static struct fault why;

static int finish(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool read_query(const char *query, struct asked *asked)
{
    static const struct path_value path[] = { { "z", "7" } };
    const struct query_target target = { SHAPE(struct asked, rows), asked };

    memset(asked, 0, sizeof *asked);
    why = (struct fault){ 0 };
    return query_read(&target, 1, path, 1, query, false, &arena, &why);
}

static void a_whole_query_is_read(void **state)
{
    struct asked asked;

    (void)state;
    assert_true(read_query("step=4&nodata=-9999&fov=60.5&x=1e3&y=-2&eye=1,2,3&bounds=1,2,3,4"
                           "&level=auto&strict=true&crs=EPSG%3A4326&layer=a.b&fit=resample"
                           "&layers=a,b,c&stops=1,2",
                           &asked));
    assert_int_equal(asked.z, 7);
    assert_int_equal(asked.step, 4);
    assert_int_equal(asked.nodata, -9999);
    assert_float_equal(asked.at[0], 1000, 0);
    assert_float_equal(asked.at[1], -2, 0);
    assert_float_equal(asked.eye[2], 3, 0);
    assert_float_equal(asked.bounds[3], 4, 0);
    assert_true(isnan(asked.level));
    assert_true(asked.strict);
    assert_string_equal(asked.crs, "EPSG:4326");
    assert_int_equal(asked.fit, 2);
    assert_int_equal(asked.layers.count, 3);
    assert_string_equal(((const char **)asked.layers.items)[2], "c");
    assert_int_equal(asked.stops.count, 2);
}

static void nothing_leaves_the_defaults(void **state)
{
    struct asked asked;

    (void)state;
    assert_true(read_query(NULL, &asked));
    assert_true(read_query("", &asked));
    assert_true(read_query("&&", &asked));
    assert_int_equal(asked.step, 1);
    assert_true(isnan(asked.at[0]));
    assert_null(asked.crs);
}

static void every_wrong_parameter_is_named(void **state)
{
    static const struct {
        const char *query, *place, *says;
    } wrongs[] = {
        { "stepp=1", "stepp", "did you mean \"step\"" },
        { "z=3", "z", "no query parameter" },
        { "step=1&step=2", "step", "twice" },
        { "step=", "step", "number" },
        { "step=one", "step", "whole number such as 12" },
        { "step=1.5", "step", "whole number" },
        { "step=0x10", "step", "whole number" },
        { "step=1e1000", "step", "number" },
        { "step=65", "step", "at most 64" },
        { "step=-1", "step", "at least 1" },
        { "step=1%00", "step", "NUL" },
        { "step=%zz", "step", "hexadecimal" },
        { "step=%f", "step", "hexadecimal" },
        { "crs=%ff", "crs", "UTF-8" },
        { "%zz=1", "", "hexadecimal" },
        { "fov=NaN", "fov", "number" },
        { "fov=nan", "fov", "number" },
        { "fov=inf", "fov", "number" },
        { "fov=Infinity", "fov", "number" },
        { "fov=1e999", "fov", "number" },
        { "fov=0", "fov", "above 0" },
        { "x=1", "y", "missing" },
        { "y=1", "x", "missing" },
        { "x=1&y=2&x=3", "x", "twice" },
        { "x=NaN&y=2", "x", "number" },
        { "eye=1,2", "eye", "3 numbers" },
        { "eye=1,2,", "eye", "number" },
        { "strict=yes", "strict", "true or false" },
        { "crs=", "crs", "1 to 20" },
        { "layer=..", "layer", "1 to 64" },
        { "layer=%2e%2e%2fx", "layer", "1 to 64" },
        { "fit=pat", "fit", "did you mean \"pad\"" },
        { "stops=1,2,3,4", "stops", "0 to 3" },
    };
    struct asked asked;

    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        assert_false(read_query(wrongs[i].query, &asked));
        if (why.code != FAULT_INPUT || strcmp(why.place, wrongs[i].place) ||
            !strstr(why.detail, wrongs[i].says))
            fail_msg("%s -> \"%s\" at \"%s\"", wrongs[i].query, why.detail, why.place);
    }
}

static void a_window_is_four_parameters(void **state)
{
    struct asked asked = { 0 };
    const struct query_target target = { SHAPE(struct asked, window_rows), &asked };

    (void)state;
    assert_true(query_read(&target, 1, NULL, 0, "x=1&y=2&width=3&height=4", false, &arena, &why));
    assert_int_equal(asked.window.x, 1);
    assert_int_equal(asked.window.height, 4);
    assert_false(query_read(&target, 1, NULL, 0, "width=0", false, &arena, &why));
    assert_string_equal(why.place, "width");
    assert_false(query_read(&target, 1, NULL, 0, "width=99999999999", false, &arena, &why));
    assert_false(query_read(&target, 1, NULL, 0, "height=-4", false, &arena, &why));
}

static void a_loose_query_skips_what_it_does_not_know(void **state)
{
    struct asked asked = { 0 };
    const struct query_target target = { SHAPE(struct asked, window_rows), &asked };

    (void)state;
    assert_true(query_read(&target, 1, NULL, 0, "v=3&access_token=x&x=9", true, &arena, &why));
    assert_int_equal(asked.window.x, 9);
    assert_false(query_read(&target, 1, NULL, 0, "v=3&x=q", true, &arena, &why));
}

/* ---- routes ---- */

static bool never(struct request *rq, const void *asked, void *answer)
{
    (void)asked, (void)answer;
    return REFUSE(rq, FAULT_INTERNAL, "this row is for finding alone");
}

#define ROW(name, method_, path_)                                                                  \
    static const struct endpoint name = { .method = method_, .path = path_, .run = never }
ROW(list_things, "GET", "/v1/things");
ROW(get_thing, "GET", "/v1/things/{thing}");
ROW(put_thing, "PUT", "/v1/things/{thing}");
ROW(get_special, "GET", "/v1/things/special");
ROW(get_tile, "GET", "/v1/things/{thing}/{z}/{x}/{y}.png");
ROW(get_tile_2x, "GET", "/v1/things/{thing}/{z}/{x}/{y}@2x.png");
ROW(get_root, "GET", "/");
static const struct endpoint *const table[] = { &list_things, &get_thing, &put_thing,
                                                &get_special, &get_tile,  &get_tile_2x,
                                                &get_root };

static struct routes *routes;

static int routes_begin(void **state)
{
    (void)state;
    routes = routes_new(table, sizeof table / sizeof *table, &why);
    return routes ? 0 : -1;
}

static int routes_end(void **state)
{
    (void)state;
    routes_free(routes);
    return 0;
}

static const struct endpoint *found(const char *method, const char *path, struct route *route)
{
    why = (struct fault){ 0 };
    if (!route_find(routes, path, strlen(path), &arena, route, &why))
        return NULL;
    return route_row(route, method);
}

static void words_win_over_members(void **state)
{
    struct route route;

    (void)state;
    assert_ptr_equal(found("GET", "/", &route), &get_root);
    assert_ptr_equal(found("GET", "/v1/things", &route), &list_things);
    assert_ptr_equal(found("GET", "/v1/things/special", &route), &get_special);
    assert_ptr_equal(found("GET", "/v1/things/ordinary", &route), &get_thing);
    assert_string_equal(route.values[0].name, "thing");
    assert_string_equal(route.values[0].text, "ordinary");
    assert_ptr_equal(found("HEAD", "/v1/things/ordinary", &route), &get_thing);
    assert_null(found("POST", "/v1/things/ordinary", &route));
}

static void longer_text_wins_over_shorter(void **state)
{
    struct route route;

    (void)state;
    assert_ptr_equal(found("GET", "/v1/things/a/1/2/3@2x.png", &route), &get_tile_2x);
    assert_string_equal(route.values[3].text, "3");
    assert_ptr_equal(found("GET", "/v1/things/a/1/2/3.png", &route), &get_tile);
    assert_string_equal(route.values[3].text, "3");
    assert_null(found("GET", "/v1/things/a/1/2/3.jpg", &route));
    assert_null(found("GET", "/v1/things/a/1/2/.png", &route));
}

static void segments_are_decoded_one_by_one(void **state)
{
    struct route route;

    (void)state;
    assert_ptr_equal(found("GET", "/v1/things/a%20b", &route), &get_thing);
    assert_string_equal(route.values[0].text, "a b");
    assert_null(found("GET", "/v1/things/a%2Fb", &route));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_null(found("GET", "/v1/things/a%00", &route));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_null(found("GET", "/v1%2Fthings", &route));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_null(found("GET", "/v1/things/", &route));
    assert_int_equal(why.code, FAULT_MISSING);
    assert_null(found("GET", "/v1/things//1/2/3.png", &route));
    assert_null(found("GET", "v1/things", &route));
    assert_int_equal(why.code, FAULT_INPUT);
}

static void allow_lists_what_there_is(void **state)
{
    char allow[ALLOW_ROOM];
    struct route route;

    (void)state;
    found("GET", "/v1/things/x", &route);
    assert_string_equal(route_allow(&route, allow), "GET, HEAD, PUT, OPTIONS");
}

static void two_rows_of_one_path_are_refused(void **state)
{
    static const struct endpoint *const twice[] = { &get_thing, &get_thing };

    (void)state;
    assert_null(routes_new(twice, 2, &why));
    assert_int_equal(why.code, FAULT_INTERNAL);
}

int main(void)
{
    const struct CMUnitTest queries[] = {
        cmocka_unit_test(a_whole_query_is_read),
        cmocka_unit_test(nothing_leaves_the_defaults),
        cmocka_unit_test(every_wrong_parameter_is_named),
        cmocka_unit_test(a_window_is_four_parameters),
        cmocka_unit_test(a_loose_query_skips_what_it_does_not_know),
    };
    const struct CMUnitTest paths[] = {
        cmocka_unit_test(words_win_over_members),
        cmocka_unit_test(longer_text_wins_over_shorter),
        cmocka_unit_test(segments_are_decoded_one_by_one),
        cmocka_unit_test(allow_lists_what_there_is),
        cmocka_unit_test(two_rows_of_one_path_are_refused),
    };

    return cmocka_run_group_tests(paths, routes_begin, routes_end) +
           cmocka_run_group_tests(queries, NULL, finish);
}

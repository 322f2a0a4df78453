/* From coordinate systems to the grid and back, against PROJ asked point by point here. */
#include <math.h>
#include <proj.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/format/georef.h"

/* cmocka's own comparison is of floats. */
static void assert_near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most))
        fail_msg("%.17g is not within %g of %.17g", value, most, expected);
}

/* Only what georef reads of settings. */
static struct settings placed(const char *crs, double west, double south, double east, double north)
{
    struct settings settings = { .grid = { .columns = 101, .rows = 81, .scale = { 1, 1, 1 } },
                                 .placed = true,
                                 .bounds = { west, south, east, north } };

    strncpy(settings.crs, crs, sizeof settings.crs - 1);
    return settings;
}

static const struct place {
    const char *crs;
    double bounds[4];
} places[] = {
    { "EPSG:4326", { -84.41, 36.45, -84.08, 36.73 } },
    { "EPSG:3857", { -9396000, 4360000, -9360000, 4399000 } },
    { "EPSG:32616", { 700000, 4030000, 760000, 4080000 } },
    { "EPSG:27700", { 400000, 200000, 430000, 224000 } },    /* Britain, another datum */
    { "EPSG:2056", { 2600000, 1100000, 2630000, 1124000 } }, /* Switzerland, oblique */
    { "EPSG:2193", { 1500000, 5200000, 1530000, 5224000 } }, /* north before east in the CRS */
    { "EPSG:2274", { 2200000, 600000, 2300000, 680000 } },   /* US survey feet */
    { "EPSG:4269", { -84.41, 36.45, -84.08, 36.73 } },
    { "EPSG:3031", { -200000, 900000, 200000, 1220000 } }, /* south polar */
    { "EPSG:3413", { -300000, -1400000, 100000, -1080000 } },
};
enum { PLACES = sizeof places / sizeof places[0] };

/* Longitude and latitude of a place in the CRS, by PROJ's own way for both axis orders. */
static PJ_COORD by_proj(PJ_CONTEXT *context, const char *crs, const char *to, double x, double y)
{
    PJ *raw = proj_create_crs_to_crs(context, crs, to, NULL);
    PJ *way = proj_normalize_for_visualization(context, raw);
    PJ_COORD out = proj_trans(way, PJ_FWD, proj_coord(x, y, 0, 0));

    proj_destroy(raw);
    proj_destroy(way);
    return out;
}

static void grid_points_lie_where_proj_says(void **state)
{
    PJ_CONTEXT *context = proj_context_create();

    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        const double *b = places[i].bounds;
        struct settings settings = placed(places[i].crs, b[0], b[1], b[2], b[3]);

        for (int k = 0; k < 20; k++) {
            const double column = k * 37 % 101 + 0.25, row = k * 23 % 81 - 0.125;
            const double x = b[0] + (b[2] - b[0]) * column / 100;
            const double y = b[3] - (b[3] - b[1]) * row / 80;
            double lonlat[2] = { column, row }, mercator[2] = { column, row };
            struct fault why = { 0 };
            PJ_COORD degrees = by_proj(context, places[i].crs, "EPSG:4326", x, y);
            PJ_COORD metres = by_proj(context, places[i].crs, "EPSG:3857", x, y);

            assert_true(georef_from_grid(&settings, GEOREF_LONLAT, lonlat, 1, &why));
            assert_near(lonlat[0], degrees.xy.x, 1e-9);
            assert_near(lonlat[1], degrees.xy.y, 1e-9);
            assert_true(georef_from_grid(&settings, GEOREF_MERCATOR, mercator, 1, &why));
            assert_near(mercator[0], metres.xy.x, 1e-3);
            assert_near(mercator[1], metres.xy.y, 1e-3);
        }
    }
    proj_context_destroy(context);
}

static void there_and_back_is_the_same_grid_point(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        const double *b = places[i].bounds;
        struct settings settings = placed(places[i].crs, b[0], b[1], b[2], b[3]);

        for (int frame = GEOREF_LONLAT; frame <= GEOREF_MERCATOR; frame++) {
            double points[2 * 30];
            struct fault why = { 0 };

            for (int k = 0; k < 30; k++) {
                points[2 * k] = k * 41 % 101;
                points[2 * k + 1] = k * 29 % 81 + 0.5;
            }
            assert_true(georef_from_grid(&settings, frame, points, 30, &why));
            assert_true(georef_to_grid(&settings, frame, points, 30, &why));
            for (int k = 0; k < 30; k++) {
                assert_near(points[2 * k], k * 41 % 101, 1e-3);
                assert_near(points[2 * k + 1], k * 29 % 81 + 0.5, 1e-3);
            }
        }
    }
}

/* A degree at the equator of WGS84 is 111319.491 m along it and, by the curvature there, 110574.276
 * m across; the scale of a projected CRS is its unit's. */
static void scales_are_metres_on_the_ground(void **state)
{
    const double degree[4] = { 10, -0.5, 11, 0.5 }, feet[4] = { 2e6, 5e5, 2001000, 501000 };
    const double metres[4] = { 5e5, 4e6, 501000, 4001000 };
    double scale[2];
    struct fault why = { 0 };

    (void)state;
    assert_true(georef_scale("EPSG:4326", degree, 2, 2, scale, &why));
    assert_near(scale[0], 111319.491, 0.001);
    assert_near(scale[1], 110574.276, 0.001);
    assert_true(georef_scale("EPSG:2274", feet, 101, 101, scale, &why));
    assert_near(scale[0], 10 * 1200 / 3937.0, 1e-9);
    assert_near(scale[1], 10 * 1200 / 3937.0, 1e-9);
    assert_true(georef_scale("EPSG:32633", metres, 101, 51, scale, &why));
    assert_near(scale[0], 10, 1e-12);
    assert_near(scale[1], 20, 1e-12);
}

/* Against PROJ's geodesics over one step at the middle. */
static void scales_agree_with_geodesics(void **state)
{
    static const double bounds[][4] = { { -84.41, 36.45, -84.08, 36.73 }, { 10, 69, 11, 70 } };
    PJ_CONTEXT *context = proj_context_create();
    PJ *wgs84 = proj_create(context, "EPSG:4326");
    const double earth = 6378137;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const double *b = bounds[i];
        const double lon = (b[0] + b[2]) / 2, lat = (b[1] + b[3]) / 2;
        const double dx = (b[2] - b[0]) / 1200, dy = (b[3] - b[1]) / 900;
        double m[4] = { b[0] * M_PI / 180 * earth, 0, b[2] * M_PI / 180 * earth, 0 };
        double scale[2], mercator[2];
        struct fault why = { 0 };
        PJ_COORD west = proj_coord(proj_torad(lon - dx / 2), proj_torad(lat), 0, 0);
        PJ_COORD east = proj_coord(proj_torad(lon + dx / 2), proj_torad(lat), 0, 0);
        PJ_COORD south = proj_coord(proj_torad(lon), proj_torad(lat - dy / 2), 0, 0);
        PJ_COORD north = proj_coord(proj_torad(lon), proj_torad(lat + dy / 2), 0, 0);

        assert_true(georef_scale("EPSG:4326", b, 1201, 901, scale, &why));
        assert_near(scale[0], proj_lp_dist(wgs84, west, east), scale[0] * 1e-6);
        assert_near(scale[1], proj_lp_dist(wgs84, south, north), scale[1] * 1e-6);

        /* The same ground in Mercator metres, bounds laid so that its middle is the same parallel.
         */
        m[1] = earth * asinh(tan(lat * M_PI / 180)) - 50000;
        m[3] = m[1] + 100000;
        assert_true(georef_scale("EPSG:3857", m, 1201, 901, mercator, &why));
        assert_near(mercator[0], scale[0], scale[0] * 1e-6);
        assert_near(mercator[1] / scale[1],
                    (100000 / earth * cos(lat * M_PI / 180)) / ((b[3] - b[1]) * M_PI / 180), 1e-6);
    }
    proj_destroy(wgs84);
    proj_context_destroy(context);
}

static void what_is_no_ground_is_refused(void **state)
{
    static const struct {
        const char *crs;
        enum fault_code code;
    } wrong[] = {
        { "EPSG:999999", FAULT_IMPOSSIBLE },
        { "EPSG:5773", FAULT_IMPOSSIBLE }, /* vertical */
        { "EPSG:4978", FAULT_IMPOSSIBLE }, /* geocentric */
        { "EPSG:7030", FAULT_IMPOSSIBLE }, /* an ellipsoid */
        { "", FAULT_INPUT },
        { "EPSG:", FAULT_INPUT },
        { "4326", FAULT_INPUT },
        { "EPSG:4326 ", FAULT_INPUT },
        { "EPSG:-1", FAULT_INPUT },
        { "epsg:4326", FAULT_INPUT },
        { "+proj=longlat", FAULT_INPUT },
        { "EPSG:4326+5773", FAULT_INPUT },
        { "EPSG:99999999999999999999999999", FAULT_INPUT },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct fault why = { 0 };

        assert_false(georef_check(wrong[i].crs, &why));
        assert_int_equal(why.code, wrong[i].code);
        assert_true(strlen(why.detail) > 10);
    }
}

static void every_horizontal_crs_is_known(void **state)
{
    static const char *const good[] = { "EPSG:4326", "EPSG:3857",  "EPSG:4979", "EPSG:5498",
                                        "EPSG:4267", "EPSG:31467", "EPSG:2154", "EPSG:3035" };
    struct fault why = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(georef_check(good[i], &why));
}

static void bounds_without_area_or_beyond_a_pole_have_no_scale(void **state)
{
    static const double wrong[][4] = {
        { 1, 1, 1, 2 }, { 1, 2, 2, 1 }, { 0, 0, NAN, 1 }, { 0, 80, 10, 95 }, { 0, -100, 10, 0 }
    };
    double scale[2] = { -1, -1 };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct fault why = { 0 };

        assert_false(georef_scale("EPSG:4326", wrong[i], 11, 11, scale, &why));
        assert_int_equal(why.code, FAULT_IMPOSSIBLE);
        assert_near(scale[0], -1, 0);
    }
}

static void a_landscape_without_crs_has_no_place(void **state)
{
    struct settings settings = placed("", 0, 0, 1, 1);
    double point[2] = { 3, 4 }, bounds[4];
    struct fault why = { 0 };

    (void)state;
    settings.placed = false;
    assert_false(georef_to_grid(&settings, GEOREF_LONLAT, point, 1, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_near(point[0], 3, 0);
    assert_false(georef_lonlat_bounds(&settings, bounds, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
}

static void a_point_without_image_is_nan(void **state)
{
    struct settings settings = placed("EPSG:32616", 700000, 4030000, 760000, 4080000);
    double points[6] = { -86, 91, NAN, 10, -86, 36.6 };
    struct fault why = { 0 };

    (void)state;
    assert_true(georef_to_grid(&settings, GEOREF_LONLAT, points, 3, &why));
    assert_true(isnan(points[0]) && isnan(points[1]));
    assert_true(isnan(points[2]) && isnan(points[3]));
    assert_true(isfinite(points[4]) && isfinite(points[5]));
}

static void longitudes_a_turn_apart_are_one_place(void **state)
{
    struct settings settings = placed("EPSG:4326", 170, -10, 190, 6);
    double points[6] = { -175, 0, 185, 0, 545, 0 }, bounds[4];
    double back[4] = { 100, 40, 0, 40 };
    struct fault why = { 0 };

    (void)state;
    assert_true(georef_to_grid(&settings, GEOREF_LONLAT, points, 3, &why));
    for (int i = 0; i < 3; i++)
        assert_near(points[2 * i], 75, 1e-9);
    assert_true(georef_from_grid(&settings, GEOREF_LONLAT, back, 2, &why));
    assert_near(back[0], 190, 1e-12);
    assert_near(back[2], 170, 1e-12);
    assert_near(georef_turn(&settings), 1800, 1e-9);
    assert_true(georef_lonlat_bounds(&settings, bounds, &why));
    assert_near(bounds[0], 170, 0);
    assert_near(bounds[2], 190, 0);
}

static void degree_bounds_hold_every_point_of_the_landscape(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        const double *b = places[i].bounds;
        struct settings settings = placed(places[i].crs, b[0], b[1], b[2], b[3]);
        double bounds[4], least[2] = { INFINITY, INFINITY }, greatest[2] = { -INFINITY, -INFINITY };
        struct fault why = { 0 };

        assert_true(georef_lonlat_bounds(&settings, bounds, &why));
        for (int row = 0; row <= 80; row++)
            for (int column = 0; column <= 100; column++) {
                double point[2] = { column, row };

                assert_true(georef_from_grid(&settings, GEOREF_LONLAT, point, 1, &why));
                for (int k = 0; k < 2; k++) {
                    least[k] = fmin(least[k], point[k]);
                    greatest[k] = fmax(greatest[k], point[k]);
                }
            }
        for (int k = 0; k < 2; k++) {
            const double slack = 1e-3 * (greatest[k] - least[k]);

            assert_true(bounds[k] <= least[k] + 1e-6 && bounds[k] >= least[k] - slack);
            assert_true(bounds[2 + k] >= greatest[k] - 1e-6 &&
                        bounds[2 + k] <= greatest[k] + slack);
        }
    }
}

static void a_landscape_round_a_pole_covers_the_turn(void **state)
{
    struct settings south = placed("EPSG:3031", -3e6, -3e6, 3e6, 3e6);
    double bounds[4], step;
    struct fault why = { 0 };

    (void)state;
    assert_true(georef_lonlat_bounds(&south, bounds, &why));
    assert_near(bounds[0], -180, 0);
    assert_near(bounds[2], 180, 0);
    assert_near(bounds[1], -90, 0);
    assert_true(bounds[3] > -65 && bounds[3] < -50);
    assert_true(georef_step(&south, GEOREF_MERCATOR, &step, &why));
    assert_true(step > 60000 && step < 1e6);
}

static void the_whole_world_is_its_own_bounds(void **state)
{
    struct settings world = placed("EPSG:4326", -180, -90, 180, 90);
    double bounds[4];
    struct fault why = { 0 };

    (void)state;
    assert_true(georef_lonlat_bounds(&world, bounds, &why));
    assert_near(bounds[0], -180, 0);
    assert_near(bounds[1], -90, 0);
    assert_near(bounds[2], 180, 0);
    assert_near(bounds[3], 90, 0);
}

static void mercator_steps_are_those_of_the_finer_axis(void **state)
{
    struct settings degrees = placed("EPSG:4326", 0, 59, 1, 61);
    struct settings metres = placed("EPSG:3857", 0, 0, 3000, 1600);
    double step;
    struct fault why = { 0 };

    (void)state;
    assert_true(georef_step(&degrees, GEOREF_MERCATOR, &step, &why));
    assert_near(step, 6378137 * M_PI / 180 / 100, 1e-6);
    assert_true(georef_step(&metres, GEOREF_MERCATOR, &step, &why));
    assert_near(step, 20, 1e-6);
}

static void *use_many(void *data)
{
    const char *const *crs = data;
    struct fault why = { 0 };

    for (int round = 0; round < 3; round++)
        for (int i = 0; crs[i]; i++)
            if (!georef_check(crs[i], &why))
                return (void *)1;
    return NULL;
}

/* More systems than a thread keeps, on threads that end. */
static void threads_share_nothing(void **state)
{
    static const char *const many[] = { "EPSG:32601", "EPSG:32602", "EPSG:32603", "EPSG:32604",
                                        "EPSG:32605", "EPSG:32606", "EPSG:32607", "EPSG:32608",
                                        "EPSG:32609", "EPSG:32610", "EPSG:32611", "EPSG:32612",
                                        "EPSG:32613", "EPSG:32614", "EPSG:32615", "EPSG:32616",
                                        "EPSG:32617", "EPSG:32618", NULL };
    pthread_t threads[3];

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_many, (void *)many), 0);
    for (int i = 0; i < 3; i++) {
        void *failed = NULL;

        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_points_lie_where_proj_says),
        cmocka_unit_test(there_and_back_is_the_same_grid_point),
        cmocka_unit_test(scales_are_metres_on_the_ground),
        cmocka_unit_test(scales_agree_with_geodesics),
        cmocka_unit_test(what_is_no_ground_is_refused),
        cmocka_unit_test(every_horizontal_crs_is_known),
        cmocka_unit_test(bounds_without_area_or_beyond_a_pole_have_no_scale),
        cmocka_unit_test(a_landscape_without_crs_has_no_place),
        cmocka_unit_test(a_point_without_image_is_nan),
        cmocka_unit_test(longitudes_a_turn_apart_are_one_place),
        cmocka_unit_test(degree_bounds_hold_every_point_of_the_landscape),
        cmocka_unit_test(a_landscape_round_a_pole_covers_the_turn),
        cmocka_unit_test(the_whole_world_is_its_own_bounds),
        cmocka_unit_test(mercator_steps_are_those_of_the_finer_axis),
        cmocka_unit_test(threads_share_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

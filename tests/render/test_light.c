/* Light, air and water in pictures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/lod/camera.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

static const double metre[3] = { 1, 1, 1 };

/* 128 x 128 vertices, a ridge of 20 m through the middle: along x, or along y. */
static struct view *ridge(bool along_x)
{
    uint16_t codes[128 * 128];

    for (int32_t i = 0; i < 128 * 128; i++) {
        int32_t off = abs((along_x ? i / 128 : i % 128) - 64);

        codes[i] = (uint16_t)(32768 + (off < 30 ? 128 * 20 * (30 - off) / 30 : 0));
    }
    return scenery_of(128, 128, codes, metre);
}

/* REN-07, with shadows and without, from every side. */
static void the_face_towards_the_sun_is_brighter_with_shadows_and_without(void **state)
{
    for (int i = 0; i < 16; i++) {
        int side = i % 4; /* north, east, south, west */
        struct view *view = ridge(side % 2 == 0);
        struct picture map = studio_map(view, 64, 100);
        double to, away;
        uint8_t *pixels;

        map.light.sun_azimuth = 90 * side;
        map.light.sun_elevation = i < 8 ? 45 : 20;
        map.light.shadows = map.light.occlusion = i % 8 < 4;
        pixels = studio_draw(*state, view, &map);
        /* the ridge's flanks are some 10 pixels to both sides of the middle */
        to = side == 0   ? studio_brightness(pixels, &map, 16, 20, 32, 6)
             : side == 1 ? studio_brightness(pixels, &map, 38, 16, 6, 32)
             : side == 2 ? studio_brightness(pixels, &map, 16, 38, 32, 6)
                         : studio_brightness(pixels, &map, 20, 16, 6, 32);
        away = side == 0   ? studio_brightness(pixels, &map, 16, 38, 32, 6)
               : side == 1 ? studio_brightness(pixels, &map, 20, 16, 6, 32)
               : side == 2 ? studio_brightness(pixels, &map, 16, 20, 32, 6)
                           : studio_brightness(pixels, &map, 38, 16, 6, 32);
        assert_true(to > away + 20);
        free(pixels);
        view_drop(view);
    }
}

/* A wall of 10 m at 30 degrees: 17 m of shade to its south when the sun is in the north. */
static void a_shadow_lies_on_the_ground_and_only_where_it_is_asked_for(void **state)
{
    struct view *plain = scenery_plain(128, 1, 32768);
    struct view *view = scenery_change(plain, (struct rect){ 0, 62, 128, 4 }, 32768 + 1280);
    struct picture map = studio_map(view, 100, 100);
    uint8_t *with, *without;

    map.light.sun_azimuth = 0;
    map.light.sun_elevation = 30;
    without = studio_draw(*state, view, &map);
    map.light.shadows = 1;
    with = studio_draw(*state, view, &map);
    assert_true(studio_brightness(with, &map, 20, 56, 60, 6) <
                0.7 * studio_brightness(without, &map, 20, 56, 60, 6));
    assert_true(fabs(studio_brightness(with, &map, 20, 75, 60, 6) -
                     studio_brightness(without, &map, 20, 75, 60, 6)) < 1.5);
    assert_true(fabs(studio_brightness(with, &map, 20, 30, 60, 6) -
                     studio_brightness(without, &map, 20, 30, 60, 6)) < 1.5);
    free(with);
    free(without);
    view_drop(view);
    view_drop(plain);
}

static void a_hollow_is_darker_where_occlusion_is_asked_for(void **state)
{
    struct view *plain = scenery_plain(128, 1, 32768);
    struct view *view = scenery_change(plain, (struct rect){ 60, 60, 9, 9 }, 32768 - 1280);
    struct picture map = studio_map(view, 100, 100);
    uint8_t *with, *without;

    map.light.sun_elevation = -5; /* the sky alone */
    map.light.exposure = 3;
    without = studio_draw(*state, view, &map);
    map.light.occlusion = 1;
    with = studio_draw(*state, view, &map);
    assert_true(studio_brightness(with, &map, 49, 49, 3, 3) <
                0.9 * studio_brightness(without, &map, 49, 49, 3, 3));
    assert_true(fabs(studio_brightness(with, &map, 10, 10, 20, 20) -
                     studio_brightness(without, &map, 10, 10, 20, 20)) < 0.01);
    free(with);
    free(without);
    view_drop(view);
    view_drop(plain);
}

static void more_exposure_is_never_darker_and_none_is_black(void **state)
{
    struct view *view = scenery_plain(32, 1, 32768);
    struct picture map = studio_map(view, 16, 8);
    double before = 0;

    for (double stops = -8; stops <= 8; stops++) {
        uint8_t *pixels;
        double now;

        map.light.exposure = stops;
        pixels = studio_draw(*state, view, &map);
        now = studio_brightness(pixels, &map, 4, 4, 8, 8);
        assert_true(stops > -8 ? now >= before : now < 3);
        assert_true(stops < -4 || stops > 4 || now > before);
        before = now;
        free(pixels);
    }
    assert_true(before > 245);
    view_drop(view);
}

/* A plain seen from low above it: the farther, the more of the air's own light. */
static void fog_thickens_with_the_way(void **state)
{
    struct view *view = scenery_plain(1009, 10, 32768);
    struct picture clear = studio_from(32, 64, (const double[]){ 5000, 9900, 150 },
                                       (const double[]){ 5000, 5000, -100 }, 20);
    struct picture foggy = clear, thin;
    uint8_t *none, *some, *less;
    double before = 1e9, first = 0;

    foggy.light.fog = 0.95;
    thin = foggy;
    thin.light.fog_height = 40; /* the eye is above most of it */
    none = studio_draw(*state, view, &clear);
    some = studio_draw(*state, view, &foggy);
    less = studio_draw(*state, view, &thin);
    for (int32_t y = 28; y < 60; y += 4) { /* nearer and nearer */
        double off = fabs(studio_brightness(some, &clear, 0, y, 32, 2) -
                          studio_brightness(none, &clear, 0, y, 32, 2));

        assert_true(off <= before);
        assert_true(fabs(studio_brightness(less, &clear, 0, y, 32, 2) -
                         studio_brightness(none, &clear, 0, y, 32, 2)) <= off);
        before = off;
        first = y == 28 ? off : first;
    }
    assert_true(before * 2 < first);
    free(none);
    free(some);
    free(less);
    view_drop(view);
}

/* From above each pixel's middle lies over a known height. Those within half a metre of the level
 * are left out: an 8-bit picture shows less than that of water. */
static void water_is_where_the_ground_is_lower_and_nowhere_else(void **state)
{
    struct view *view = scenery_mountains(253, 4);
    const struct grid *grid = view_grid(view);
    struct picture dry = studio_map(view, 200, 200), wet;
    double level = 0.8 * grid_metres(grid, view->planes[PLANE_HEIGHTS].root.summary.least) +
                   0.2 * grid_metres(grid, view->planes[PLANE_HEIGHTS].root.summary.greatest);
    int under = 0, over = 0;

    for (int horizon = 0; horizon < 2; horizon++) {
        uint8_t *before, *after;

        wet = dry;
        wet.water.on = true;
        wet.water.level = level;
        wet.water.to_horizon = horizon;
        wet.water.color[2] = 255;
        wet.samples = dry.samples = 1;
        before = studio_draw(*state, view, &dry);
        after = studio_draw(*state, view, &wet);
        for (int32_t y = 0; y < 200; y += 3)
            for (int32_t x = 0; x < 200; x += 3) {
                double local[2] = { dry.camera.target[0] + x + 0.5 - 100,
                                    dry.camera.target[1] + y + 0.5 - 100 };
                const uint8_t *was = before + 4 * (y * 200 + x), *is = after + 4 * (y * 200 + x);
                double at[2], code;

                grid_from_local(grid, local, at);
                assert_true(view_code_at(view, at[0], at[1], &code));
                if (fabs(grid_metres(grid, code) - level) < 0.5)
                    continue;
                if (grid_metres(grid, code) < level) {
                    assert_false(studio_alike(was, is, 3));
                    under++;
                } else {
                    assert_true(studio_alike(was, is, 1));
                    over++;
                }
            }
        free(before);
        free(after);
    }
    assert_true(under > 500 && over > 500);
    view_drop(view);
}

/* Beyond the model, and where it ends, water is seen if it goes to the horizon. */
static void water_ends_with_the_model_or_at_the_horizon(void **state)
{
    struct view *view = scenery_plain(128, 1, 32768);
    struct picture picture =
        studio_from(64, 64, (const double[]){ 64, 400, 60 }, (const double[]){ 64, 64, 0 }, 60);
    uint8_t *dry = studio_draw(*state, view, &picture), *box, *sea;

    picture.water.on = true;
    picture.water.level = 10;
    picture.water.color[1] = 255;
    box = studio_draw(*state, view, &picture);
    picture.water.to_horizon = true;
    sea = studio_draw(*state, view, &picture);
    /* the model's middle, then the world before it, then the sky */
    assert_false(studio_alike(dry + 4 * (33 * 64 + 32), box + 4 * (33 * 64 + 32), 4));
    assert_true(studio_alike(dry + 4 * (58 * 64 + 32), box + 4 * (58 * 64 + 32), 4));
    assert_false(studio_alike(dry + 4 * (58 * 64 + 32), sea + 4 * (58 * 64 + 32), 4));
    assert_true(studio_alike(dry + 4 * (3 * 64 + 32), sea + 4 * (3 * 64 + 32), 4));
    free(dry);
    free(box);
    free(sea);
    view_drop(view);
}

/* Water ten metres deep, looked at aslant by parallel rays: so many metres of it. */
static struct picture water_of(const struct view *view, double metres)
{
    struct picture picture = studio_map(view, 128, metres);

    picture.samples = 1;
    picture.camera.elevation = 15;
    picture.camera.azimuth = 180;
    picture.water.on = true;
    picture.water.level = picture.camera.target[2] = 10;
    picture.water.color[2] = 255;
    return picture;
}

static void ripples_stay_where_they_are(void **state)
{
    struct view *view = scenery_plain(128, 1, 32768);
    struct picture picture = water_of(view, 8);
    uint8_t *here = studio_draw(*state, view, &picture), *beside;
    int least = 255, most = 0;

    picture.camera.target[0] += 2; /* 32 pixels */
    beside = studio_draw(*state, view, &picture);
    for (int32_t y = 0; y < 128; y++)
        for (int32_t x = 0; x < 96; x++) {
            const uint8_t *pixel = here + 4 * (y * 128 + x + 32);

            assert_true(studio_alike(pixel, beside + 4 * (y * 128 + x), 3));
            least = pixel[1] < least ? pixel[1] : least;
            most = pixel[1] > most ? pixel[1] : most;
        }
    assert_true(most > least + 20);
    free(here);
    free(beside);
    view_drop(view);
}

static void from_afar_water_is_still(void **state)
{
    struct view *view = scenery_plain(128, 1, 32768);
    struct picture picture = water_of(view, 200);
    uint8_t *rgba = studio_draw(*state, view, &picture);

    for (int32_t y = 60; y < 68; y++)
        for (int32_t x = 40; x < 88; x++)
            assert_true(studio_alike(rgba + 4 * (y * 128 + x), rgba + 4 * (64 * 128 + 64), 1));
    free(rgba);
    view_drop(view);
}

/* Ground before a plain background: without smoothing an edge is one or the other. */
static void several_samples_give_edges_in_between(void **state)
{
    static const int samples[] = { 1, 2, 4, 16 };
    struct view *view = scenery_plain(128, 1, 32768);
    struct picture picture = studio_picture(96, 96);
    int between[4] = { 0 };

    picture.light.plain = true;
    for (int i = 0; i < 4; i++) {
        uint8_t *pixels;

        picture.samples = samples[i];
        pixels = studio_draw(*state, view, &picture);
        for (int32_t y = 0; y < 96; y++)
            for (int32_t x = 1; x < 95; x++) {
                const uint8_t *at = pixels + 4 * (y * 96 + x);

                between[i] += at[2] > at[-2] + 12 && at[2] + 12 < at[6];
                between[i] += at[2] + 12 < at[-2] && at[2] > at[6] + 12;
            }
        free(pixels);
    }
    assert_true(between[0] * 3 < between[2]);
    assert_true(between[2] > 10 && between[3] >= between[2]);
    view_drop(view);
}

static void the_sun_stands_in_the_sky_where_it_is_said_to(void **state)
{
    struct view *view = scenery_plain(32, 1, 32768);
    double sun[3];
    struct picture picture;
    uint8_t *pixels;

    camera_direction(60, 30, sun);
    picture = studio_from(64, 64, (const double[]){ 16, 16, 100 },
                          (const double[]){ 16 + sun[0], 16 + sun[1], 100 + sun[2] }, 20);
    picture.light.sun_azimuth = 60;
    picture.light.sun_elevation = 30;
    picture.samples = 1;
    pixels = studio_draw(*state, view, &picture);
    for (int32_t i = 0; i < 64 * 64; i++) {
        double off = hypot(i % 64 - 31.5, i / 64 - 31.5);

        if (off < 0.8)
            assert_true(pixels[4 * i] > 250 && pixels[4 * i + 1] > 245);
        else if (off > 3)
            assert_true(pixels[4 * i + 2] < 250);
    }
    free(pixels);
    picture.light.sun_elevation = -20; /* night */
    pixels = studio_draw(*state, view, &picture);
    assert_true(studio_brightness(pixels, &picture, 0, 0, 64, 64) < 40);
    free(pixels);
    view_drop(view);
}

static int open_studio(void **state)
{
    *state = studio_open(1, NULL);
    return 0;
}

static int close_studio(void **state)
{
    renderer_stop(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_face_towards_the_sun_is_brighter_with_shadows_and_without),
        cmocka_unit_test(a_shadow_lies_on_the_ground_and_only_where_it_is_asked_for),
        cmocka_unit_test(a_hollow_is_darker_where_occlusion_is_asked_for),
        cmocka_unit_test(more_exposure_is_never_darker_and_none_is_black),
        cmocka_unit_test(fog_thickens_with_the_way),
        cmocka_unit_test(water_is_where_the_ground_is_lower_and_nowhere_else),
        cmocka_unit_test(water_ends_with_the_model_or_at_the_horizon),
        cmocka_unit_test(ripples_stay_where_they_are),
        cmocka_unit_test(from_afar_water_is_still),
        cmocka_unit_test(several_samples_give_edges_in_between),
        cmocka_unit_test(the_sun_stands_in_the_sky_where_it_is_said_to),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}

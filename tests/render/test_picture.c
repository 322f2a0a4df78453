/* What must be so in any picture, whoever draws it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/render/scenery.h"
#include "tests/render/studio.h"

static const double metre[3] = { 1, 1, 1 };

/* A landscape of 128 x 128 vertices (127 quads of a metre) whose heights are codes(x, y). */
static struct view *view_of(uint16_t (*codes)(int32_t x, int32_t y))
{
    static uint16_t heights[128 * 128];

    for (int32_t y = 0; y < 128; y++)
        for (int32_t x = 0; x < 128; x++)
            heights[y * 128 + x] = codes(x, y);
    return scenery_of(128, 128, heights, metre);
}

/* Nothing but sky: the ground of a view made all of holes. */
static uint8_t *draw_sky(struct renderer *renderer, const struct view *view,
                         const struct picture *picture)
{
    struct rect all = view_rect(view);
    struct view *empty = scenery_holes(view, (struct rect){ 0, 0, all.width - 1, all.height - 1 });
    uint8_t *pixels = studio_draw(renderer, empty, picture);

    view_drop(empty);
    return pixels;
}

static int32_t count_alike(const uint8_t *a, const uint8_t *b, const struct picture *picture)
{
    int32_t count = 0;

    for (int32_t i = 0; i < picture->width * picture->height; i++)
        count += studio_alike(a + 4 * i, b + 4 * i, 0);
    return count;
}

/* The highest quarter in the north-west, the lowest in the south-east. */
static uint16_t quarters(int32_t x, int32_t y)
{
    static const uint16_t codes[4] = { 45000, 39000, 36000, 32768 };

    return codes[(x > 63) + 2 * (y > 63)];
}

static void expect_quarters(const uint8_t *pixels, const struct picture *picture)
{
    double north_west = studio_brightness(pixels, picture, 70, 70, 40, 40);
    double north_east = studio_brightness(pixels, picture, 146, 70, 40, 40);
    double south_west = studio_brightness(pixels, picture, 70, 146, 40, 40);
    double south_east = studio_brightness(pixels, picture, 146, 146, 40, 40);

    assert_true(north_west > north_east + 5);
    assert_true(north_east > south_west + 3);
    assert_true(south_west > south_east + 3);
}

static void north_is_up_and_high_ground_pale_with_every_backend(void **state)
{
    static const char *const backends[] = { "egl-surfaceless", "osmesa" };
    struct view *view = view_of(quarters);
    struct picture map = studio_map(view, 256, 200);
    int drawn = 0;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct renderer *renderer = studio_open(1, backends[i]);
        struct renderer_about about;
        struct fault why;

        if (renderer_about(renderer, &about, &why)) {
            uint8_t *pixels = studio_draw(renderer, view, &map);

            assert_string_equal(about.backend, backends[i]);
            expect_quarters(pixels, &map);
            free(pixels);
            drawn++;
        }
        renderer_stop(renderer);
    }
    assert_true(drawn > 0);
    view_drop(view);
}

static void every_camera_straight_above_has_north_up(void **state)
{
    struct view *view = view_of(quarters);
    struct picture map = studio_map(view, 256, 200);
    const double above[3] = { 63.5, 63.5, 400 }, middle[3] = { 63.5, 63.5, 0 };
    struct picture eye = studio_from(256, 256, above, middle, 32), orbit = eye, fit = eye;

    orbit.camera.kind = CAMERA_ORBIT;
    orbit.camera.azimuth = 0;
    orbit.camera.elevation = 90;
    orbit.camera.distance = 400;
    fit.camera.kind = CAMERA_FIT;
    fit.camera.azimuth = 0;
    fit.camera.elevation = 90;
    for (int i = 0; i < 4; i++) {
        const struct picture *picture = i == 0 ? &map : i == 1 ? &eye : i == 2 ? &orbit : &fit;
        uint8_t *pixels = studio_draw(*state, view, picture);

        expect_quarters(pixels, picture);
        free(pixels);
    }
    view_drop(view);
}

static uint16_t ridge_north_south(int32_t x, int32_t y)
{
    (void)y;
    return (uint16_t)(32768 + 128 * (40 - abs(x - 64)) * (abs(x - 64) < 40));
}

static uint16_t ridge_east_west(int32_t x, int32_t y)
{
    return ridge_north_south(y, x);
}

static void the_side_towards_the_sun_is_brighter(void **state)
{
    static const struct {
        uint16_t (*ridge)(int32_t x, int32_t y);
        double azimuth;
        int32_t lit[2], dark[2]; /* north-west pixel of a part of the face */
    } cases[] = {
        { ridge_north_south, 270, { 90, 118 }, { 146, 118 } },
        { ridge_north_south, 90, { 146, 118 }, { 90, 118 } },
        { ridge_east_west, 0, { 118, 90 }, { 118, 146 } },
        { ridge_east_west, 180, { 118, 146 }, { 118, 90 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct view *view = view_of(cases[i].ridge);
        struct picture map = studio_map(view, 256, 200);
        uint8_t *pixels;

        map.light.sun_azimuth = cases[i].azimuth;
        pixels = studio_draw(*state, view, &map);
        assert_true(studio_brightness(pixels, &map, cases[i].lit[0], cases[i].lit[1], 20, 20) >
                    studio_brightness(pixels, &map, cases[i].dark[0], cases[i].dark[1], 20, 20) +
                        20);
        free(pixels);
        view_drop(view);
    }
}

/* Cracks between levels of detail would show the sky behind. */
static void no_sky_shows_through_solid_ground(void **state)
{
    struct view *view = scenery_mountains(1009, 10);
    struct picture pictures[] = {
        studio_map(view, 300, 9000),
        studio_map(view, 300, 700),
        studio_from(400, 250, (const double[]){ 5000, 8500, 4000 },
                    (const double[]){ 5000, 5000, 300 }, 35),
        studio_from(400, 250, (const double[]){ 5000, 5000, 5200 },
                    (const double[]){ 5200, 4400, 300 }, 45),
    };

    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        uint8_t *ground = studio_draw(*state, view, &pictures[i]);
        uint8_t *sky = draw_sky(*state, view, &pictures[i]);

        assert_int_equal(count_alike(ground, sky, &pictures[i]), 0);
        free(ground);
        free(sky);
    }
    view_drop(view);
}

static uint16_t level(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return 32768;
}

/* At eight pixels a quad, the middle of each quad tells whether it is there. */
static void each_hole_shows_what_is_behind_and_nothing_else_does(void **state)
{
    struct view *view = view_of(level);
    uint32_t random = 7;
    struct picture map;
    uint8_t *pixels, *sky;

    for (int i = 0; i < 40; i++) {
        struct rect quads = { 40 + (int32_t)(random >> 8) % 44, 40 + (int32_t)(random >> 20) % 44,
                              1 + (int32_t)(random >> 3) % 4, 1 + (int32_t)(random >> 5) % 3 };
        struct view *more = scenery_holes(view, quads);

        view_drop(view);
        view = more;
        random = random * 1664525 + 1013904223;
    }
    map = studio_map(view, 512, 64);
    pixels = studio_draw(*state, view, &map);
    sky = draw_sky(*state, view, &map);
    for (int32_t y = 33; y < 94; y++)
        for (int32_t x = 33; x < 94; x++) {
            /* the quad's middle; the picture's is at (63.5, 63.5) */
            int32_t column = (x - 63) * 8 + 256, row = (y - 63) * 8 + 256;
            const uint8_t *pixel = pixels + 4 * (row * 512 + column);

            assert_int_equal(studio_alike(pixel, sky + 4 * (row * 512 + column), 0),
                             view_hole(view, x, y));
        }
    free(pixels);
    free(sky);
    view_drop(view);
}

static void the_pad_is_not_seen(void **state)
{
    static uint16_t heights[100 * 90];
    struct view *view;
    struct picture map;
    uint8_t *pixels, *sky;
    int32_t seen = 0;

    for (int i = 0; i < 100 * 90; i++)
        heights[i] = 33000;
    view = scenery_of(100, 90, heights, metre);
    assert_non_null(view);
    assert_true(view->settings->padded[0] > 0 && view->settings->padded[1] > 0);
    map = studio_map(view, 256, 128); /* two pixels a metre */
    pixels = studio_draw(*state, view, &map);
    sky = draw_sky(*state, view, &map);
    seen = 256 * 256 - count_alike(pixels, sky, &map);
    assert_in_range(seen, 198 * 178 - 400, 198 * 178 + 400);
    free(pixels);
    free(sky);
    view_drop(view);
}

static void flat_ground_is_one_colour_and_not_black(void **state)
{
    static const uint16_t codes[] = { 0, 32768, 65535 };

    for (int i = 0; i < 3; i++) {
        struct view *view = scenery_plain(128, 1, codes[i]);
        struct picture map = studio_map(view, 64, 60);
        uint8_t *pixels = studio_draw(*state, view, &map);

        for (int32_t pixel = 0; pixel < 64 * 64; pixel++)
            assert_memory_equal(pixels + 4 * pixel, pixels, 4);
        assert_true(studio_brightness(pixels, &map, 0, 0, 64, 64) > 40);
        free(pixels);
        view_drop(view);
    }
}

static void the_smallest_landscape_and_picture_can_be_drawn(void **state)
{
    struct view *view = scenery_plain(8, 1, 32768);
    struct picture fit = studio_picture(1, 1);
    uint8_t *pixels = studio_draw(*state, view, &fit);

    assert_int_equal(pixels[3], 255);
    free(pixels);
    fit = studio_picture(700, 3);
    pixels = studio_draw(*state, view, &fit);
    free(pixels);
    view_drop(view);
}

static void a_fitted_landscape_touches_no_edge_and_fills_the_picture(void **state)
{
    struct view *view = scenery_mountains(253, 10);
    static const int32_t sizes[][2] = { { 300, 100 }, { 100, 300 }, { 256, 256 } };

    for (int i = 0; i < 3; i++) {
        struct picture fit = studio_picture(sizes[i][0], sizes[i][1]);
        uint8_t *pixels = studio_draw(*state, view, &fit), *sky = draw_sky(*state, view, &fit);
        int32_t low[2] = { 1000, 1000 }, high[2] = { -1, -1 };

        for (int32_t y = 0; y < fit.height; y++)
            for (int32_t x = 0; x < fit.width; x++)
                if (!studio_alike(pixels + 4 * (y * fit.width + x), sky + 4 * (y * fit.width + x),
                                  8)) {
                    low[0] = x < low[0] ? x : low[0];
                    low[1] = y < low[1] ? y : low[1];
                    high[0] = x > high[0] ? x : high[0];
                    high[1] = y > high[1] ? y : high[1];
                }
        assert_true(low[0] > 0 && low[1] > 0);
        assert_true(high[0] < fit.width - 1 && high[1] < fit.height - 1);
        assert_true(high[0] - low[0] > fit.width * 6 / 10 ||
                    high[1] - low[1] > fit.height * 6 / 10);
        free(pixels);
        free(sky);
    }
    view_drop(view);
}

/* 1009 x 1009 at 100 m: ground from under the eye to the horizon. */
static void close_to_the_ground_nothing_is_cut_away(void **state)
{
    struct view *view = scenery_plain(1009, 100, 32768);
    struct picture picture = studio_from(200, 120, (const double[]){ 50000, 90000, 2 },
                                         (const double[]){ 50000, 89000, -50 }, 60);
    uint8_t *pixels = studio_draw(*state, view, &picture);
    uint8_t *sky = draw_sky(*state, view, &picture);
    int32_t rows = picture.height * 3 / 10;

    for (int32_t i = picture.width * (rows + 25); i < picture.width * picture.height; i++)
        assert_false(studio_alike(pixels + 4 * i, sky + 4 * i, 2));
    free(pixels);
    free(sky);
    view_drop(view);
}

static void from_afar_the_nearer_ridge_hides_the_farther(void **state)
{
    struct view *plain = scenery_plain(1009, 100, 32768);
    struct view *near = scenery_change(plain, (struct rect){ 0, 700, 1009, 20 }, 32768 + 128 * 250);
    struct view *both = scenery_change(near, (struct rect){ 0, 300, 1009, 20 }, 32768 + 128 * 150);
    struct picture picture = studio_from(300, 100, (const double[]){ 50000, 270000, 200 },
                                         (const double[]){ 50000, 70000, 150 }, 2);
    uint8_t *one, *two;

    assert_non_null(both);
    one = studio_draw(*state, near, &picture);
    two = studio_draw(*state, both, &picture);
    assert_memory_equal(one, two, (size_t)picture.width * (size_t)picture.height * 4);
    free(one);
    free(two);
    view_drop(both);
    view_drop(near);
    view_drop(plain);
}

static void straight_up_is_sky(void **state)
{
    struct view *view = scenery_plain(128, 1, 32768);
    struct picture up =
        studio_from(64, 64, (const double[]){ 60, 60, 5 }, (const double[]){ 60, 60, 50 }, 40);
    uint8_t *pixels = studio_draw(*state, view, &up), *sky = draw_sky(*state, view, &up);

    assert_memory_equal(pixels, sky, 64 * 64 * 4);
    assert_true(pixels[2] > pixels[0] + 20); /* and blue */
    free(pixels);
    free(sky);
    view_drop(view);
}

static void what_cannot_be_drawn_is_refused_and_nothing_appended(void **state)
{
    struct view *view = scenery_plain(8, 1, 32768);
    const double here[3] = { 1, 2, 3 };
    struct picture nowhere = studio_from(64, 64, here, here, 40);
    struct picture large = studio_picture(8192, 8192), none = studio_picture(0, 5);
    struct bytes pixels = { 0 };
    struct fault why = { 0 };

    assert_false(renderer_draw(*state, view, &nowhere, &pixels, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_false(renderer_draw(*state, view, &large, &pixels, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    assert_false(renderer_draw(*state, view, &none, &pixels, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_int_equal(pixels.length, 0);
    view_drop(view);
}

/* Pictures larger than a target are drawn in parts that must fit together. */
static void the_parts_of_a_large_picture_fit_together(void **state)
{
    struct view *view = scenery_mountains(253, 10);
    struct picture large = studio_picture(2400, 40), same = large;
    uint8_t *pixels = studio_draw(*state, view, &large), *sky = draw_sky(*state, view, &same);

    /* A wrong part would put a jump across the seam at column 2048. */
    for (int32_t y = 0; y < large.height; y++) {
        const uint8_t *row = sky + 4 * (size_t)y * 2400;

        assert_true(studio_alike(row + 4 * 2047, row + 4 * 2048, 2));
    }
    free(pixels);
    free(sky);
    view_drop(view);
}

/* A tile reads two samples of its neighbours, so a changed block is read by nine. */
static void an_edit_loads_only_the_tiles_that_read_the_changed_block(void **state)
{
    struct view *view = scenery_mountains(1009, 10);
    struct picture map = studio_map(view, 1000, 9000);
    struct renderer_numbers before, first, again, after;
    struct view *edited = scenery_change(view, (struct rect){ 180, 180, 30, 30 }, 40000);

    renderer_numbers(*state, &before);
    free(studio_draw(*state, view, &map));
    renderer_numbers(*state, &first);
    free(studio_draw(*state, view, &map));
    renderer_numbers(*state, &again);
    free(studio_draw(*state, edited, &map));
    renderer_numbers(*state, &after);
    assert_true(first.tiles_loaded - before.tiles_loaded >= 49);
    assert_int_equal(again.tiles_loaded, first.tiles_loaded);
    assert_in_range(after.tiles_loaded - again.tiles_loaded, 1, 9);
    view_drop(edited);
    view_drop(view);
}

static void the_cost_follows_the_picture_and_not_the_landscape(void **state)
{
    struct view *small = scenery_mountains(505, 40), *large = scenery_mountains(2017, 10);
    struct picture fit = studio_picture(256, 256);
    struct renderer_numbers before, middle, after;

    renderer_numbers(*state, &before);
    free(studio_draw(*state, small, &fit));
    renderer_numbers(*state, &middle);
    free(studio_draw(*state, large, &fit));
    renderer_numbers(*state, &after);
    assert_true(after.tiles_loaded - middle.tiles_loaded <=
                2 * (middle.tiles_loaded - before.tiles_loaded));
    assert_true(after.triangles - middle.triangles <= 2 * (middle.triangles - before.triangles));
    assert_true(after.triangles - middle.triangles < 40000);
    assert_true(after.draws - middle.draws <= 12);
    view_drop(small);
    view_drop(large);
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
        cmocka_unit_test(north_is_up_and_high_ground_pale_with_every_backend),
        cmocka_unit_test(every_camera_straight_above_has_north_up),
        cmocka_unit_test(the_side_towards_the_sun_is_brighter),
        cmocka_unit_test(no_sky_shows_through_solid_ground),
        cmocka_unit_test(each_hole_shows_what_is_behind_and_nothing_else_does),
        cmocka_unit_test(the_pad_is_not_seen),
        cmocka_unit_test(flat_ground_is_one_colour_and_not_black),
        cmocka_unit_test(the_smallest_landscape_and_picture_can_be_drawn),
        cmocka_unit_test(a_fitted_landscape_touches_no_edge_and_fills_the_picture),
        cmocka_unit_test(close_to_the_ground_nothing_is_cut_away),
        cmocka_unit_test(from_afar_the_nearer_ridge_hides_the_farther),
        cmocka_unit_test(straight_up_is_sky),
        cmocka_unit_test(what_cannot_be_drawn_is_refused_and_nothing_appended),
        cmocka_unit_test(the_parts_of_a_large_picture_fit_together),
        cmocka_unit_test(an_edit_loads_only_the_tiles_that_read_the_changed_block),
        cmocka_unit_test(the_cost_follows_the_picture_and_not_the_landscape),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}

/* What each mode of a map must show, whoever looks at it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/flat.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum { SIDE = 127 }; /* quads, and pixels of a map where each pixel is one */

static const uint8_t background[4] = { 240, 240, 240, 255 };

static uint8_t *draw(const struct view *view, const struct picture *picture)
{
    struct bytes pixels = { 0 };
    struct fault why = { 0 };

    assert_true(flat_draws(view, picture));
    if (!flat_draw(view, picture, NULL, &pixels, &why))
        fail_msg("no picture: %s", why.detail);
    assert_int_equal(pixels.length, (size_t)picture->width * (size_t)picture->height * 4);
    return pixels.data;
}

/* Each quad of a landscape of SIDE x SIDE quads a pixel. */
static struct picture map_of(const struct view *view, int mode)
{
    struct picture picture = studio_map(view, SIDE, SIDE * view_grid(view)->scale[0]);

    picture.mode = mode;
    return picture;
}

static const uint8_t *at(const uint8_t *pixels, int32_t x, int32_t y)
{
    return pixels + 4 * (y * SIDE + x);
}

static int apart(const uint8_t *a, const uint8_t *b)
{
    int most = 0;

    for (int c = 0; c < 4; c++)
        most = abs(a[c] - b[c]) > most ? abs(a[c] - b[c]) : most;
    return most;
}

/* A plane that rises so many codes a quad. */
static struct view *slope_of(int east, int south)
{
    static uint16_t codes[(SIDE + 1) * (SIDE + 1)];

    for (int y = 0; y <= SIDE; y++)
        for (int x = 0; x <= SIDE; x++)
            codes[y * (SIDE + 1) + x] = (uint16_t)(32768 + east * x + south * y);
    return scenery_of(SIDE + 1, SIDE + 1, codes, (const double[]){ 1, 1, 1 });
}

/* Two versions of a rough landscape, the later one with paint. */
struct land {
    struct view *before, *grown, *view;
};

static struct land land_new(void)
{
    struct land land;

    land.before = scenery_mountains(SIDE + 1, 10);
    land.grown = scenery_paint_layer(land.before, "grass");
    land.view = scenery_paint(land.grown, "grass", (struct rect){ 20, 40, 50, 30 }, 255);
    assert_non_null(land.view);
    return land;
}

static void land_free(struct land *land)
{
    view_drop(land->view);
    view_drop(land->grown);
    view_drop(land->before);
}

static void level_ground_is_one_colour(void **state)
{
    struct view *before = scenery_plain(SIDE + 1, 10, 31000);
    struct view *grown = scenery_paint_layer(before, "grass");
    struct view *view = scenery_change(grown, view_rect(grown), 32768);

    (void)state;
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture picture = map_of(view, mode);
        uint8_t *pixels;

        if (!render_modes[mode]->flat)
            continue;
        picture.show.before = before;
        pixels = draw(view, &picture);
        assert_int_equal(pixels[3], 255);
        for (int32_t i = 1; i < SIDE * SIDE; i++)
            assert_memory_equal(pixels + 4 * i, pixels, 4);
        free(pixels);
    }
    view_drop(view);
    view_drop(grown);
    view_drop(before);
}

static void holes_and_what_lies_outside_are_background(void **state)
{
    static const uint8_t nothing[4] = { 0 };
    struct land land = land_new();
    struct view *torn = scenery_holes(land.view, (struct rect){ 5, 60, 33, 7 });
    struct view *view = scenery_holes(torn, (struct rect){ 126, 126, 1, 1 });

    (void)state;
    for (int mode = 0; mode < RENDER_MODES; mode++)
        for (int transparent = 0; transparent < 2 && render_modes[mode]->flat; transparent++) {
            struct picture picture = map_of(view, mode);
            uint8_t *pixels;

            picture.show.before = land.before;
            picture.transparent = transparent != 0;
            picture.camera.target[0] += 300; /* 30 pixels of outside */
            pixels = draw(view, &picture);
            for (int32_t y = 0; y < SIDE; y++)
                for (int32_t x = 0; x < SIDE; x++) {
                    bool ground = x + 30 < SIDE && !view_hole(view, x + 30, y);
                    const uint8_t *right = transparent ? nothing : background;

                    if (!ground)
                        assert_memory_equal(at(pixels, x, y), right, 4);
                    else
                        assert_int_equal(at(pixels, x, y)[3], 255);
                }
            free(pixels);
        }
    view_drop(view);
    view_drop(torn);
    land_free(&land);
}

/* The highest quarter in the north-west, then north-east, south-west, south-east. */
static void north_is_up_unless_the_map_is_turned(void **state)
{
    static uint16_t codes[(SIDE + 1) * (SIDE + 1)];
    static const int32_t middles[4][2] = { { 31, 31 }, { 95, 31 }, { 31, 95 }, { 95, 95 } };
    struct view *view;
    uint8_t *north, *south;

    (void)state;
    for (int y = 0; y <= SIDE; y++)
        for (int x = 0; x <= SIDE; x++)
            codes[y * (SIDE + 1) + x] = (uint16_t)(33000 - 200 * (x > 63) - 400 * (y > 63));
    view = scenery_of(SIDE + 1, SIDE + 1, codes, (const double[]){ 1, 1, 1 });
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture picture = map_of(view, mode);

        if (render_modes[mode]->values != MODE_HEIGHT || !render_modes[mode]->flat)
            continue;
        picture.show.ramp = 1 + RAMP_gray;
        north = draw(view, &picture);
        picture.camera.azimuth = 180;
        south = draw(view, &picture);
        for (int i = 1; i < 4; i++)
            assert_true(at(north, middles[i][0], middles[i][1])[0] <
                        at(north, middles[i - 1][0], middles[i - 1][1])[0]);
        for (int i = 0; i < 4; i++)
            assert_memory_equal(at(north, middles[i][0], middles[i][1]),
                                at(south, middles[3 - i][0], middles[3 - i][1]), 4);
        free(north);
        free(south);
    }
    view_drop(view);
}

/* What is up in the picture is east then, and to the right lies the south. */
static void a_map_turned_by_a_quarter_is_the_map_turned(void **state)
{
    struct land land = land_new();

    (void)state;
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture picture = map_of(land.view, mode);
        uint8_t *north, *east;

        if (!render_modes[mode]->flat)
            continue;
        picture.show.before = land.before;
        north = draw(land.view, &picture);
        picture.camera.azimuth = 90;
        east = draw(land.view, &picture);
        for (int32_t y = 0; y < SIDE; y++)
            for (int32_t x = 0; x < SIDE; x++)
                assert_true(apart(at(east, x, y), at(north, SIDE - 1 - y, x)) <= 4);
        free(north);
        free(east);
    }
    land_free(&land);
}

/* Light on ground of a slope and an aspect, as textbooks have it: Burrough and McDonell,
 * "Principles of Geographical Information Systems", 1998. Degrees. */
static double textbook(double slope, double aspect, double azimuth, double elevation)
{
    const double degree = M_PI / 180, zenith = (90 - elevation) * degree;

    return fmax(0, cos(zenith) * cos(slope * degree) +
                       sin(zenith) * sin(slope * degree) * cos((azimuth - aspect) * degree));
}

static void light_falls_as_textbooks_say(void **state)
{
    static const int rises[][2] = { { 64, 0 },  { -64, 0 }, { 0, 64 },  { 0, -64 },
                                    { 40, 30 }, { -9, 70 }, { 33, -1 }, { -50, -80 } };

    (void)state;
    for (size_t i = 0; i < sizeof rises / sizeof *rises; i++) {
        const double east = rises[i][0] / 128.0, south = rises[i][1] / 128.0;
        const double slope = atan(hypot(east, south)) * 180 / M_PI;
        const double aspect = atan2(-east, south) * 180 / M_PI;
        struct view *view = slope_of(rises[i][0], rises[i][1]);

        for (double azimuth = 0; azimuth < 360; azimuth += 45) {
            struct picture picture = map_of(view, RENDER_MODE_hillshade);
            double many = 0, one = textbook(slope, aspect, azimuth, 40);
            uint8_t *pixels;

            for (int k = -2; k < 2; k++)
                many += pow(cos((aspect - azimuth - 45 * k) * M_PI / 180), 2) *
                        textbook(slope, aspect, azimuth + 45 * k, 40);
            picture.light.sun_azimuth = azimuth;
            picture.light.sun_elevation = 40;
            pixels = draw(view, &picture);
            assert_true(fabs(at(pixels, 60, 60)[0] - 255 * one) < 0.51);
            free(pixels);
            picture.show.many = true;
            pixels = draw(view, &picture);
            assert_true(fabs(at(pixels, 60, 60)[0] - 255 * many / 2) < 0.51);
            free(pixels);
        }
        view_drop(view);
    }
}

/* A vertex is at the corner of four pixels: those around the rectangle's rim have a share of it. */
static void paint_is_where_it_was_painted(void **state)
{
    struct land land = land_new();
    struct picture layer = map_of(land.view, RENDER_MODE_layer);
    struct picture layers = map_of(land.view, RENDER_MODE_layers);
    const uint8_t *colour = land.view->settings->stack->paints[0].debug_color;
    uint8_t *weight, *colours;

    (void)state;
    layer.show.ramp = 1 + RAMP_gray;
    weight = draw(land.view, &layer);
    colours = draw(land.view, &layers);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            bool within = x >= 20 && x < 69 && y >= 40 && y < 69;
            bool beyond = x < 19 || x > 69 || y < 39 || y > 69;

            if (within) {
                assert_int_equal(at(weight, x, y)[0], 255);
                assert_memory_equal(at(colours, x, y), colour, 3);
            }
            if (beyond) {
                assert_int_equal(at(weight, x, y)[0], 0);
                assert_int_equal(at(colours, x, y)[0], 128);
            }
        }
    free(weight);
    free(colours);
    land_free(&land);
}

static void what_has_risen_is_red_and_what_has_sunk_blue(void **state)
{
    struct view *before = scenery_plain(SIDE + 1, 10, 32768);
    struct view *raised = scenery_change(before, (struct rect){ 10, 10, 30, 30 }, 33000);
    struct view *view = scenery_change(raised, (struct rect){ 80, 80, 30, 30 }, 32600);
    struct picture picture = map_of(view, RENDER_MODE_diff);
    uint8_t *pixels;

    (void)state;
    picture.show.before = before;
    pixels = draw(view, &picture);
    assert_true(at(pixels, 25, 25)[0] > at(pixels, 25, 25)[2] + 60);
    assert_true(at(pixels, 95, 95)[2] > at(pixels, 95, 95)[0] + 60);
    assert_in_range(at(pixels, 60, 60)[0] - at(pixels, 60, 60)[2] + 2, 0, 4);
    free(pixels);
    view_drop(view);
    view_drop(raised);
    view_drop(before);
}

/* A quad is a pixel: of the ground those that are at most two pixels from a hole's middle, along
 * the rows, the columns or the diagonals. */
static void a_line_is_around_holes(void **state)
{
    struct view *plain = scenery_plain(SIDE + 1, 10, 32768);
    struct view *view = scenery_holes(plain, (struct rect){ 50, 60, 3, 1 });
    struct picture picture = map_of(view, RENDER_MODE_holes);
    uint8_t *pixels = draw(view, &picture);
    int lines = 0;

    (void)state;
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            int32_t aside = x < 50 ? 50 - x : x > 52 ? x - 52 : 0, apart = abs(y - 60);
            bool red = at(pixels, x, y)[0] > 200 && at(pixels, x, y)[1] < 60;
            bool beside = (aside || apart) && aside + apart <= 2;

            assert_int_equal(red, beside);
            lines += red;
        }
    assert_int_equal(lines, 20);
    free(pixels);
    view_drop(view);
    view_drop(plain);
}

/* Of a mip that keeps every second vertex about: a spike between those is all that it lacks. */
static void what_the_collision_lacks_is_told_where_it_is(void **state)
{
    struct view *plain = scenery_plain(SIDE + 1, 10, 32768);
    struct view *view = scenery_change(plain, (struct rect){ 61, 61, 1, 1 }, 33768);
    struct picture picture = map_of(view, RENDER_MODE_collision);
    uint8_t *pixels;
    int off = 0;

    (void)state;
    picture.show.mip = 1;
    pixels = draw(view, &picture);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            bool near = abs(x - 60) <= 2 && abs(y - 60) <= 2;
            bool told = apart(at(pixels, x, y), at(pixels, 0, 0)) > 20;

            assert_true(near || !told);
            off += told;
        }
    assert_in_range(off, 4, 16); /* the quads at the spike, and the heightfield's slopes */
    free(pixels);
    view_drop(view);
    view_drop(plain);
}

/* Pictures larger than FLAT_PART are drawn in parts. */
static void the_parts_of_a_large_map_fit_together(void **state)
{
    struct view *view = scenery_mountains(253, 10);
    struct picture whole = studio_map(view, 1100, 2200), part = whole;
    uint8_t *pixels, *cut;

    (void)state;
    whole.height = part.height = 40;
    part.width = 100; /* across the seam: columns 974 to 1073 */
    whole.mode = part.mode = RENDER_MODE_height;
    part.camera.ortho_width = 200;
    part.camera.target[0] += (974 + 50 - 550) * 2;
    pixels = draw(view, &whole);
    cut = draw(view, &part);
    for (int32_t y = 0; y < 40; y++)
        for (int32_t x = 0; x < 100; x++)
            assert_true(apart(pixels + 4 * (y * 1100 + 974 + x), cut + 4 * (y * 100 + x)) <= 2);
    free(pixels);
    free(cut);
    view_drop(view);
}

static void what_is_no_map_is_left_to_gl(void **state)
{
    struct land land = land_new();
    struct picture map = map_of(land.view, RENDER_MODE_height), other = map;
    struct bytes pixels = { 0 };
    struct fault why;

    (void)state;
    assert_true(flat_draws(land.view, &map));
    other.mode = RENDER_MODE_lit;
    assert_false(flat_draws(land.view, &other));
    other = map;
    other.by_gl = true;
    assert_false(flat_draws(land.view, &other));
    other = map;
    other.output = RENDER_OUTPUT_depth;
    assert_false(flat_draws(land.view, &other));
    other = map;
    other.camera.elevation = 80;
    assert_false(flat_draws(land.view, &other));
    assert_false(flat_draw(land.view, &other, NULL, &pixels, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_int_equal(pixels.length, 0);
    land_free(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_ground_is_one_colour),
        cmocka_unit_test(holes_and_what_lies_outside_are_background),
        cmocka_unit_test(north_is_up_unless_the_map_is_turned),
        cmocka_unit_test(a_map_turned_by_a_quarter_is_the_map_turned),
        cmocka_unit_test(light_falls_as_textbooks_say),
        cmocka_unit_test(paint_is_where_it_was_painted),
        cmocka_unit_test(what_has_risen_is_red_and_what_has_sunk_blue),
        cmocka_unit_test(a_line_is_around_holes),
        cmocka_unit_test(what_the_collision_lacks_is_told_where_it_is),
        cmocka_unit_test(the_parts_of_a_large_map_fit_together),
        cmocka_unit_test(what_is_no_map_is_left_to_gl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

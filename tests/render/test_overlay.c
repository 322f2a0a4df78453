/* What is drawn onto finished pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/overlay.h"
#include "render/overlay_inside.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

/* A picture all of one colour, with a frame of bytes around it that nobody may touch. */
enum { GUARD = 4096 };

static uint8_t *blank(int32_t width, int32_t height)
{
    size_t bytes = 4 * (size_t)width * (size_t)height;
    uint8_t *room = malloc(bytes + 2 * GUARD);

    memset(room, 0xa5, bytes + 2 * GUARD);
    for (size_t i = 0; i < bytes; i++)
        room[GUARD + i] = i % 4 == 3 ? 255 : 120;
    return room + GUARD;
}

static void expect_guarded(uint8_t *rgba, int32_t width, int32_t height)
{
    size_t bytes = 4 * (size_t)width * (size_t)height;

    for (int i = 0; i < GUARD; i++) {
        assert_int_equal(rgba[-1 - i], 0xa5);
        assert_int_equal(rgba[bytes + (size_t)i], 0xa5);
    }
    free(rgba - GUARD);
}

static bool is(const uint8_t *pixel, const uint8_t colour[4])
{
    return memcmp(pixel, colour, 4) == 0;
}

/* The dots of a text as lines of a picture of its own. */
static uint8_t *written(const char *text, int32_t *width)
{
    struct canvas canvas = { .dot = 1 };

    *width = canvas_text_width(&canvas, text) + 1;
    canvas = (struct canvas){ blank(*width, GLYPH_HEIGHT), *width, GLYPH_HEIGHT, 1 };
    canvas_text(&canvas, 0, 0, text, canvas_light);
    return canvas.rgba;
}

static void every_letter_has_a_glyph_of_its_own(void **state)
{
    uint8_t *all[97];
    int32_t width;

    (void)state;
    for (int i = 0; i < 97; i++) {
        char text[8] = { i < 95 ? (char)(' ' + i) : 0 };

        if (i == 95)
            strcpy(text, "\u00b0");
        if (i == 96)
            strcpy(text, "\u00e9"); /* has none */
        all[i] = written(text, &width);
        assert_int_equal(width, GLYPH_WIDTH);
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(all[i], all[k], (size_t)(4 * width * GLYPH_HEIGHT));
    }
    for (int i = 0; i < 97; i++)
        free(all[i] - GUARD);
}

static void text_counts_code_points_and_survives_what_is_none(void **state)
{
    static const char *const texts[] = { "ab", "\u00b0\u00b0", "\xff\xfe", "\xe2\x82", "\xf0" };
    const struct canvas canvas = { .dot = 3 };

    (void)state;
    assert_int_equal(canvas_text_width(&canvas, ""), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(canvas_text_width(&canvas, texts[i]), 3 * (2 * GLYPH_WIDTH - 1));
    assert_int_equal(canvas_text_width(&canvas, texts[4]), 3 * (GLYPH_WIDTH - 1));
}

static void a_larger_dot_draws_the_same_larger(void **state)
{
    int32_t width;
    uint8_t *small = written("Ag5,", &width);
    struct canvas canvas = { blank(2 * width, 2 * GLYPH_HEIGHT), 2 * width, 2 * GLYPH_HEIGHT, 2 };

    (void)state;
    canvas_text(&canvas, 0, 0, "Ag5,", canvas_light);
    for (int32_t y = 0; y < canvas.height; y++)
        for (int32_t x = 0; x < canvas.width; x++)
            assert_memory_equal(canvas.rgba + 4 * (y * canvas.width + x),
                                small + 4 * (y / 2 * width + x / 2), 4);
    expect_guarded(canvas.rgba, canvas.width, canvas.height);
    expect_guarded(small, width, GLYPH_HEIGHT);
}

static void nothing_is_drawn_beyond_the_picture(void **state)
{
    (void)state;
    for (int32_t side = 1; side < 140; side += 9) {
        struct canvas canvas = { blank(side, side / 2 + 1), side, side / 2 + 1, 1 + side % 3 };
        struct legend legend = { .title = "A title longer than the picture is wide",
                                 .ramp = &ramps[RAMP_relief],
                                 .span = { 0, 50, 100 } };

        canvas_text(&canvas, -5, -3, "cut off", canvas_light);
        canvas_text(&canvas, side - 9, side / 2 - 3, "cut off", canvas_light);
        canvas_plate(&canvas, (struct rect){ -4, -4, side + 30, 9 });
        overlay_scale_bar(&canvas, 12.5, " in the middle");
        overlay_legend(&canvas, &legend);
        legend.ramp = NULL;
        legend.count = 40;
        overlay_legend(&canvas, &legend);
        expect_guarded(canvas.rgba, canvas.width, canvas.height);
    }
}

/* The longest run of light pixels in any row: the bar's first half, or of all of it. */
static int32_t longest_run(const struct canvas *canvas)
{
    int32_t most = 0;

    for (int32_t y = 0; y < canvas->height; y++)
        for (int32_t x = 0, run = 0; x < canvas->width; x++) {
            run = is(canvas->rgba + 4 * (y * canvas->width + x), canvas_light) ? run + 1 : 0;
            most = run > most ? run : most;
        }
    return most;
}

static void a_scale_bar_is_as_long_as_it_says(void **state)
{
    (void)state;
    for (double pixel = 0.013; pixel < 5000; pixel *= 1.37) {
        struct canvas canvas = canvas_of(blank(400, 60), 400, 60);
        double metres, decade;
        int32_t length;

        overlay_scale_bar(&canvas, pixel, "");
        length = longest_run(&canvas);
        metres = length * pixel;
        assert_true(length <= 100 && length > 38);
        /* Of 1, 2 or 5 times a power of ten, but for the rounding to a pixel. */
        decade = pow(10, floor(log10(metres + pixel)));
        assert_true(fabs(metres - decade) <= pixel || fabs(metres - 2 * decade) <= pixel ||
                    fabs(metres - 5 * decade) <= pixel);
        expect_guarded(canvas.rgba, 400, 60);
    }
}

/* Those of cameras that doubles can hardly say: nothing is drawn. */
static void a_length_that_cannot_be_told_has_no_bar(void **state)
{
    static const double pixels[] = { 0, 5e-324, 1e-310, 1e307, INFINITY, NAN };

    (void)state;
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) {
        struct canvas canvas = canvas_of(blank(400, 60), 400, 60);

        assert_int_equal(overlay_scale_bar(&canvas, pixels[i], "").width, 0);
        assert_int_equal(longest_run(&canvas), 0);
        expect_guarded(canvas.rgba, 400, 60);
    }
}

/* Which has no one scale, but may have a legend. */
static void a_panorama_has_a_legend_and_no_bar(void **state)
{
    struct view *view = scenery_plain(253, 10, 32768);
    struct picture picture = studio_picture(400, 200);
    struct canvas canvas = canvas_of(blank(400, 200), 400, 200);
    struct fault why = { 0 };

    (void)state;
    picture.camera = (struct camera){ .kind = CAMERA_PANORAMA, .position = { 1260, 1260, 90 } };
    picture.mode = RENDER_MODE_height;
    picture.overlays.scale_bar = true;
    assert_true(overlay_draw(view, &picture, canvas.rgba, &why));
    assert_int_equal(longest_run(&canvas), 0);
    picture.overlays.legend = true;
    assert_true(overlay_draw(view, &picture, canvas.rgba, &why));
    assert_true(longest_run(&canvas) > 0);
    expect_guarded(canvas.rgba, 400, 200);
    view_drop(view);
}

static void round_numbers_are_the_greatest_that_fit(void **state)
{
    (void)state;
    assert_true(overlay_round(1) == 1 && overlay_round(1.99) == 1 && overlay_round(2) == 2);
    assert_true(overlay_round(4.9) == 2 && overlay_round(5) == 5 && overlay_round(9.99) == 5);
    assert_true(fabs(overlay_round(0.3) - 0.2) < 1e-12 && overlay_round(7e6) == 5e6);
}

static void a_ramp_of_a_legend_shows_each_colour_in_its_order(void **state)
{
    (void)state;
    for (int i = 0; i < RAMPS; i++) {
        struct canvas canvas = canvas_of(blank(200, 200), 200, 200);
        struct legend legend = { .title = "Height, m", .ramp = &ramps[i] };
        uint8_t low[4] = { 0, 0, 0, 255 }, high[4] = { 0, 0, 0, 255 };
        int32_t top = -1, bottom = -1;

        legend.span = ramp_span_of(legend.ramp, -300, 1100);
        ramp_colour(legend.ramp, &legend.span, legend.span.low, low);
        ramp_colour(legend.ramp, &legend.span, legend.span.high, high);
        overlay_legend(&canvas, &legend);
        for (int32_t p = 0; p < 200 * 200; p++) {
            if (is(canvas.rgba + 4 * p, high) && top < 0)
                top = p / 200;
            if (is(canvas.rgba + 4 * p, low))
                bottom = p / 200;
        }
        assert_true(top > 0 && bottom >= top + 80);
        expect_guarded(canvas.rgba, 200, 200);
    }
}

static void what_shines_through_keeps_its_share(void **state)
{
    static const uint8_t half[4] = { 200, 100, 0, 128 }, whole[4] = { 1, 2, 3, 255 };
    uint8_t pixels[8] = { 90, 90, 90, 0, 0, 100, 200, 255 };
    const struct canvas canvas = { pixels, 2, 1, 1 };

    (void)state;
    canvas_fill(&canvas, (struct rect){ 0, 0, 2, 1 }, half);
    assert_memory_equal(pixels, half, 4); /* nothing was there */
    assert_in_range(pixels[4], 99, 101);
    assert_in_range(pixels[5], 99, 101);
    assert_in_range(pixels[6], 98, 101);
    assert_int_equal(pixels[7], 255);
    canvas_fill(&canvas, (struct rect){ 0, 0, 2, 1 }, whole);
    assert_memory_equal(pixels, whole, 4);
    assert_memory_equal(pixels + 4, whole, 4);
}

/* The bar beneath a camera with perspective is that of the ground ahead. */
static void a_bar_is_drawn_where_there_is_ground_ahead(void **state)
{
    struct view *view = scenery_plain(253, 10, 32768);
    const double eye[3] = { 1260, 1260, 1000 }, down[3] = { 1260, 1260, 0 };
    const double up[3] = { 1260, 1260, 2000 };
    struct picture picture = studio_from(400, 100, eye, down, 90);
    struct canvas canvas = canvas_of(blank(400, 100), 400, 100);
    struct fault why;

    (void)state;
    picture.overlays.scale_bar = true;
    assert_true(overlay_draw(view, &picture, canvas.rgba, &why));
    /* 1000 m away a picture of 90 degrees is 2000 m high: 20 m a pixel. */
    assert_int_equal(longest_run(&canvas), 2000 / 20);
    expect_guarded(canvas.rgba, 400, 100);

    canvas.rgba = blank(400, 100);
    memcpy(picture.camera.target, up, sizeof up);
    assert_true(overlay_draw(view, &picture, canvas.rgba, &why));
    assert_int_equal(longest_run(&canvas), 0);
    expect_guarded(canvas.rgba, 400, 100);
    view_drop(view);
}

/* A hill of 100 m whose east end is missing; lines 10 m apart. */
static void numbers_lie_on_their_lines_and_keep_apart(void **state)
{
    enum { SIDE = 400, MOST = 200 };
    static float z[SIDE * SIDE];
    struct canvas canvas = canvas_of(blank(SIDE, SIDE), SIDE, SIDE);
    struct rect taken[MOST] = { { 20, 20, 90, 60 } };
    int count;

    (void)state;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            z[y * SIDE + x] =
                x > 330 ? NAN : 100 - 0.45f * (float)hypot(x - 201.3, y - 198.8) + 0.03f;
    count = overlay_contours(&canvas, z, 10, taken, 1, MOST);
    assert_in_range(count, 6, MOST - 1);
    for (int i = 1; i <= count; i++) {
        const struct rect plate = taken[i];
        float middle = z[(plate.y + plate.height / 2) * SIDE + plate.x + plate.width / 2];

        assert_true(rect_inside(plate, (struct rect){ 0, 0, 331, SIDE }));
        assert_true(fabsf(middle - 10 * roundf(middle / 10)) < 0.45f);
        for (int k = 0; k < i; k++)
            assert_true(rect_empty(rect_meet(plate, taken[k])));
    }
    expect_guarded(canvas.rgba, SIDE, SIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_letter_has_a_glyph_of_its_own),
        cmocka_unit_test(text_counts_code_points_and_survives_what_is_none),
        cmocka_unit_test(a_larger_dot_draws_the_same_larger),
        cmocka_unit_test(nothing_is_drawn_beyond_the_picture),
        cmocka_unit_test(a_scale_bar_is_as_long_as_it_says),
        cmocka_unit_test(a_length_that_cannot_be_told_has_no_bar),
        cmocka_unit_test(a_panorama_has_a_legend_and_no_bar),
        cmocka_unit_test(round_numbers_are_the_greatest_that_fit),
        cmocka_unit_test(a_ramp_of_a_legend_shows_each_colour_in_its_order),
        cmocka_unit_test(what_shines_through_keeps_its_share),
        cmocka_unit_test(a_bar_is_drawn_where_there_is_ground_ahead),
        cmocka_unit_test(numbers_lie_on_their_lines_and_keep_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

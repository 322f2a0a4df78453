/* Samples against the vertices that they stand for, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/samples.h"
#include "tests/render/scenery.h"

static int32_t clamp(int32_t value, int32_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static uint16_t height_near(const struct view *view, int32_t x, int32_t y)
{
    return view_height(view, clamp(x, view_grid(view)->columns - 1),
                       clamp(y, view_grid(view)->rows - 1));
}

static bool is_hole(const struct view *view, int32_t x, int32_t y)
{
    return x < 0 || y < 0 || x >= view_grid(view)->columns - 1 || y >= view_grid(view)->rows - 1 ||
           view_hole(view, x, y);
}

static void expect_samples(const struct view *view, int32_t level, struct rect samples)
{
    int64_t stride = samples.width + 3;
    size_t size = (size_t)stride * (size_t)samples.height;
    uint16_t *codes = calloc(size, sizeof *codes);
    uint8_t *holes = calloc(size, 1);
    bool any = false;

    assert_true(samples_heights(view, level, samples, codes, stride));
    assert_true(samples_holes(view, level, samples, holes, stride));
    for (int32_t row = 0; row < samples.height; row++)
        for (int32_t i = 0; i < samples.width; i++) {
            int32_t step = 1 << level;
            int32_t left = (samples.x + i) * step, top = (samples.y + row) * step;
            int64_t sum = 0, hollow = 0, count = (int64_t)step * step;

            for (int32_t y = top; y < top + step; y++)
                for (int32_t x = left; x < left + step; x++) {
                    sum += height_near(view, x, y);
                    hollow += is_hole(view, x, y);
                }
            /* A cell cut off by the border counts whole with the mean of what it has. */
            if (level < 3 || (left >= 0 && top >= 0 && left + step <= view_grid(view)->columns &&
                              top + step <= view_grid(view)->rows))
                assert_int_equal(codes[row * stride + i], (sum + count / 2) / count);
            assert_int_equal(holes[row * stride + i], hollow * 2 >= count);
            any = any || hollow > 0;
        }
    assert_true(!any || samples_holed(view, level, samples));
    free(holes);
    free(codes);
}

static void each_sample_is_the_mean_of_its_vertices(void **state)
{
    static const struct rect parts[] = {
        { 0, 0, 30, 20 }, { -3, -2, 41, 9 }, { 5, 3, 1, 1 }, { 11, 1, 50, 33 }, { -9, 7, 3, 3 }
    };
    struct view *mountains = scenery_mountains(301, 10);
    struct view *view = scenery_holes(mountains, (struct rect){ 40, 17, 90, 61 });

    (void)state;
    for (int32_t level = 0; level <= 6; level++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            expect_samples(view, level, parts[i]);
    view_drop(view);
    view_drop(mountains);
}

static void where_nothing_is_stored_a_sample_is_the_one_value(void **state)
{
    struct view *plain = scenery_plain(511, 1, 40000);
    struct view *view = scenery_change(plain, (struct rect){ 200, 100, 30, 300 }, 20000);

    (void)state;
    for (int32_t level = 0; level <= 7; level++)
        expect_samples(view, level, (struct rect){ -1, -1, (512 >> level) + 3, 5 });
    view_drop(view);
    view_drop(plain);
}

static void the_place_of_a_sample_is_the_middle_of_its_vertices(void **state)
{
    (void)state;
    for (int32_t level = 0; level <= 6; level++)
        for (int32_t i = -2; i < 5; i++) {
            double middle = (double)i * (1 << level) + ((1 << level) - 1) / 2.0;

            assert_true(samples_place(level, middle) == i);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sample_is_the_mean_of_its_vertices),
        cmocka_unit_test(where_nothing_is_stored_a_sample_is_the_one_value),
        cmocka_unit_test(the_place_of_a_sample_is_the_middle_of_its_vertices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

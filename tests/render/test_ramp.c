/* Every ramp of the table: what is promised of each, over spans of all kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/ramp.h"

static const double spans[][2] = { { 0, 1 },          { 265.2, 1071.9 }, { -8000, 6000 },
                                   { -3, 4000 },      { -4000, -1000 },  { 12, 12 },
                                   { 0, 0 },          { -0.001, 0.002 }, { -32768, 32767 },
                                   { 1e-300, 2e-300 } };
enum { SPANS = sizeof spans / sizeof *spans };

/* CIE 1976 L* of an sRGB colour (IEC 61966-2-1; CIE 15). */
static double lightness(const uint8_t rgb[3])
{
    static const double weights[3] = { 0.2126, 0.7152, 0.0722 };
    double y = 0;

    for (int c = 0; c < 3; c++) {
        double v = rgb[c] / 255.0;

        y += weights[c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static void the_stops_of_each_ramp_rise_and_its_names_are_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < RAMPS; i++) {
        assert_true(ramps[i].count >= 2);
        assert_string_equal(ramps[i].name, ramp_names[i]);
        for (int k = 1; k < ramps[i].count; k++) {
            assert_true(ramps[i].stops[k].at >= ramps[i].stops[k - 1].at);
            assert_true(ramps[i].stops[k].rgb <= 0xffffff);
        }
        if (ramps[i].measure != RAMP_METRES) {
            assert_true(ramps[i].stops[0].at == 0);
            assert_true(ramps[i].stops[ramps[i].count - 1].at == 1);
        }
        for (int k = 0; k < i; k++)
            assert_string_not_equal(ramps[i].name, ramps[k].name);
    }
    assert_null(ramp_names[RAMPS]);
}

static void a_span_rises_and_holds_its_values(void **state)
{
    (void)state;
    for (int i = 0; i < RAMPS; i++)
        for (int k = 0; k < SPANS; k++) {
            struct ramp_span span = ramp_span_of(&ramps[i], spans[k][0], spans[k][1]);

            assert_true(span.low < span.middle && span.middle < span.high);
            if (ramps[i].measure == RAMP_SHARE && spans[k][0] < spans[k][1]) {
                assert_true(span.low == spans[k][0] && span.high == spans[k][1]);
            } else {
                assert_true(span.low <= spans[k][0] && span.high >= spans[k][1]);
            }
            if (ramps[i].measure != RAMP_SHARE)
                assert_true(span.middle == 0);
            if (ramps[i].measure == RAMP_SIGNED)
                assert_true(span.high == -span.low);
        }
}

static void a_colour_is_the_tables_and_values_walk_it_in_order(void **state)
{
    (void)state;
    for (int i = 0; i < RAMPS; i++)
        for (int k = 0; k < SPANS; k++) {
            struct ramp_span span = ramp_span_of(&ramps[i], spans[k][0], spans[k][1]);
            uint8_t table[RAMP_TEXELS][4], rgb[3];
            int before = 0;

            ramp_table(&ramps[i], &span, table);
            for (int n = -50; n <= 1050; n++) {
                double value = span.low + (span.high - span.low) * n / 1000;
                int texel = ramp_texel(&span, value);

                assert_true(texel >= before && texel < RAMP_TEXELS);
                ramp_colour(&ramps[i], &span, value, rgb);
                assert_memory_equal(rgb, table[texel], 3);
                before = texel;
            }
            assert_int_equal(ramp_texel(&span, span.low), 0);
            assert_int_equal(ramp_texel(&span, span.high), RAMP_TEXELS - 1);
            assert_int_equal(ramp_texel(&span, NAN), 0);
            for (int t = 0; t < RAMP_TEXELS; t++)
                assert_int_equal(table[t][3], 255);
        }
}

static void lightness_goes_the_way_that_is_promised(void **state)
{
    (void)state;
    for (int i = 0; i < RAMPS; i++) {
        struct ramp_span span = ramp_span_of(&ramps[i], 0, 1);
        uint8_t table[RAMP_TEXELS][4];

        ramp_table(&ramps[i], &span, table);
        for (int t = 1; t < RAMP_TEXELS && ramps[i].lightness != RAMP_FREE; t++) {
            double step = lightness(table[t]) - lightness(table[t - 1]);
            int way = ramps[i].lightness == RAMP_PEAKS && t > RAMP_TEXELS / 2 ? -1 : 1;

            /* Half a byte of green, the heaviest, is what rounding to bytes may take back. */
            assert_true(way * step > -0.25 || t == RAMP_TEXELS / 2);
        }
    }
}

static void even_steps_to_the_eye_are_even(void **state)
{
    struct ramp_span span = ramp_span_of(&ramps[RAMP_perceptual], 0, 1);
    uint8_t table[RAMP_TEXELS][4];
    double whole;

    (void)state;
    ramp_table(&ramps[RAMP_perceptual], &span, table);
    whole = lightness(table[255]) - lightness(table[0]);
    assert_true(whole > 75);
    for (int t = 0; t < 240; t += 16) {
        double step = lightness(table[t + 15]) - lightness(table[t]);

        assert_true(step > 0.6 * whole / 17 && step < 1.5 * whole / 17);
    }
}

static void the_shore_lies_between_two_values(void **state)
{
    const struct ramp *atlas = &ramps[RAMP_atlas];
    struct ramp_span span = ramp_span_of(atlas, -300, 2500);
    uint8_t wet[3], dry[3];

    (void)state;
    ramp_colour(atlas, &span, -1e-9, wet);
    ramp_colour(atlas, &span, 0, dry);
    assert_true(wet[2] > wet[1] && wet[1] > wet[0]);
    assert_true(dry[1] > dry[2] && dry[1] > dry[0]);
    /* A shallow sea beside high land does not look deep. */
    span = ramp_span_of(atlas, -1, 2500);
    ramp_colour(atlas, &span, -1, dry);
    for (int c = 0; c < 3; c++)
        assert_in_range(abs(dry[c] - wet[c]), 0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stops_of_each_ramp_rise_and_its_names_are_its_own),
        cmocka_unit_test(a_span_rises_and_holds_its_values),
        cmocka_unit_test(a_colour_is_the_tables_and_values_walk_it_in_order),
        cmocka_unit_test(lightness_goes_the_way_that_is_promised),
        cmocka_unit_test(even_steps_to_the_eye_are_even),
        cmocka_unit_test(the_shore_lies_between_two_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Our own circle against the C library's, and where it has to be exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "terrain/base/angle.h"

static const long double pi = 3.14159265358979323846264338L;

static void sines_and_cosines_are_right_to_the_last_digit(void **state)
{
    (void)state;
    for (double degrees = -800; degrees < 800; degrees += 0.0173) {
        assert_float_equal(angle_sin(degrees), (double)sinl(degrees * pi / 180), 1e-15);
        assert_float_equal(angle_cos(degrees), (double)cosl(degrees * pi / 180), 1e-15);
    }
    for (double radians = -1e5; radians < 1e5; radians += 3.917) {
        assert_float_equal(circle_sin(radians), (double)sinl(radians), 1e-15);
        assert_float_equal(circle_cos(radians), (double)cosl(radians), 1e-15);
    }
}

static void what_is_too_far_round_has_no_sine(void **state)
{
    (void)state;
    assert_true(isnan(angle_sin(INFINITY)) && isnan(angle_cos(NAN)));
    assert_true(isnan(circle_sin(1e300)) && isnan(circle_cos(-INFINITY)));
}

static void quarters_are_exact(void **state)
{
    (void)state;
    for (int quarter = -9; quarter <= 9; quarter++) {
        static const double sines[] = { 0, 1, 0, -1 };

        assert_true(angle_sin(90.0 * quarter) == sines[quarter & 3]);
        assert_true(angle_cos(90.0 * quarter) == sines[(quarter + 1) & 3]);
    }
}

static void angles_of_tangents_are_right_and_exact_where_it_shows(void **state)
{
    (void)state;
    for (double tangent = 0; tangent < 90; tangent += 0.00091)
        assert_float_equal(angle_of_tangent(tangent), (double)(atanl(tangent) * 180 / pi), 1e-13);
    assert_true(angle_of_tangent(0) == 0);
    assert_true(angle_of_tangent(1) == 45);
    assert_true(angle_of_tangent(INFINITY) == 90);
}

static void a_row_of_tangents_has_the_same_angles(void **state)
{
    double tangents[37], degrees[37];

    (void)state;
    for (int i = 0; i < 37; i++)
        tangents[i] = i * i * 0.003;
    angles_of_tangents(37, tangents, degrees);
    for (int i = 0; i < 37; i++)
        assert_true(degrees[i] == angle_of_tangent(tangents[i]));
}

static void the_compass_begins_in_the_north_and_goes_clockwise(void **state)
{
    static const double ways[][3] = { { 0, -1, 0 },   { 1, -1, 45 },   { 1, 0, 90 },
                                      { 1, 1, 135 },  { 0, 1, 180 },   { -1, 1, 225 },
                                      { -1, 0, 270 }, { -1, -1, 315 }, { 0, 0, 0 } };

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        assert_true(angle_compass(ways[i][0], ways[i][1]) == ways[i][2]);
    for (double degrees = 0; degrees < 360; degrees += 0.37) {
        double angle =
            angle_compass((double)sinl(degrees * pi / 180), -(double)cosl(degrees * pi / 180));

        assert_true(angle >= 0 && angle < 360);
        assert_float_equal(remainder(angle - degrees, 360), 0, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_and_cosines_are_right_to_the_last_digit),
        cmocka_unit_test(what_is_too_far_round_has_no_sine),
        cmocka_unit_test(quarters_are_exact),
        cmocka_unit_test(angles_of_tangents_are_right_and_exact_where_it_shows),
        cmocka_unit_test(a_row_of_tangents_has_the_same_angles),
        cmocka_unit_test(the_compass_begins_in_the_north_and_goes_clockwise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

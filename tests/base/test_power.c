/* Our own exponential, logarithm and power against the C library's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "terrain/base/power.h"

static void assert_near(double is, long double right, double share)
{
    assert_true(fabsl(is - right) <= share * fmaxl(fabsl(right), 1e-300L));
}

static void exponentials_are_right_to_a_few_units_of_the_last_place(void **state)
{
    (void)state;
    for (double x = -700; x < 709; x += 0.0171)
        assert_near(power_exp(x), expl(x), 4 * DBL_EPSILON);
    assert_true(power_exp(0) == 1);
    assert_true(power_exp(710) == INFINITY && power_exp(INFINITY) == INFINITY);
    assert_true(power_exp(-750) == 0 && power_exp(-INFINITY) == 0);
    assert_true(isnan(power_exp(NAN)));
}

static void logarithms_are_right_to_a_few_units_of_the_last_place(void **state)
{
    (void)state;
    for (double x = 1e-310; x < 1e308; x *= 1.0171)
        assert_float_equal(power_log(x), (double)logl(x), 4 * DBL_EPSILON * fabs(log(x)) + 1e-16);
    assert_true(power_log(1) == 0);
    assert_true(power_log(0) == -INFINITY && power_log(INFINITY) == INFINITY);
    assert_true(isnan(power_log(-1)) && isnan(power_log(NAN)));
}

static void powers_are_right_and_whole_ones_of_whole_numbers_exact(void **state)
{
    (void)state;
    for (double x = 0.01; x < 100; x *= 1.37)
        for (double y = -30; y < 30; y += 0.37)
            assert_near(power_of(x, y), powl(x, y), 1e-12);
    for (int x = -9; x <= 9; x++)
        for (int y = 0; y <= 16; y++)
            assert_true(power_of(x, y) == (double)powl(x, y));
    assert_true(power_of(2, -3) == 0.125);
    assert_true(power_of(-2, -3) == -0.125);
    assert_true(power_of(2, 0.5) == sqrt(2));
    assert_true(power_of(0, 1.5) == 0 && power_of(0, -1.5) == INFINITY && power_of(0, 0) == 1);
    assert_true(isnan(power_of(-2, 1.5)) && isnan(power_of(NAN, 2)) && isnan(power_of(2, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_right_to_a_few_units_of_the_last_place),
        cmocka_unit_test(logarithms_are_right_to_a_few_units_of_the_last_place),
        cmocka_unit_test(powers_are_right_and_whole_ones_of_whole_numbers_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

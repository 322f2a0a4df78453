/* A way through places at times: passed on time, without a jerk, and never backwards. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "terrain/lod/flight.h"
#include "tests/terrain/dice.h"

enum { KEYS = 12, ROUNDS = 200 };

/* Places far and near, some of them twice, and unequal times. */
static size_t journey(struct dice *dice, struct flight_key keys[KEYS])
{
    size_t count = 2 + (size_t)(dice_real(dice, 0, 1) * (KEYS - 2));
    double time = dice_real(dice, -10, 10);

    for (size_t k = 0; k < count; k++) {
        keys[k] = (struct flight_key){ .time = time };
        for (int i = 0; i < 3; i++)
            keys[k].at[i] = dice_real(dice, -1000, 1000) * (dice_real(dice, 0, 1) < 0.3 ? 0.01 : 1);
        if (k && dice_real(dice, 0, 1) < 0.15)
            memcpy(keys[k].at, keys[k - 1].at, sizeof keys->at);
        time += dice_real(dice, 0.1, 5);
    }
    flight_plan(keys, count);
    return count;
}

static double apart(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void each_place_is_passed_at_its_time(void **state)
{
    struct dice dice = { 1 };
    struct flight_key keys[KEYS];
    double at[3];

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = journey(&dice, keys);

        for (size_t k = 0; k < count; k++) {
            flight_at(keys, count, keys[k].time, at);
            assert_true(apart(at, keys[k].at) < 1e-9);
        }
        flight_at(keys, count, keys[0].time - 1, at);
        assert_true(apart(at, keys[0].at) == 0);
        flight_at(keys, count, keys[count - 1].time + 1, at);
        assert_true(apart(at, keys[count - 1].at) == 0);
    }
}

/* Velocity just before and just behind a key, by differences: the gap shrinks with the step. */
static double jerk(const struct flight_key *keys, size_t count, size_t k, double step)
{
    double before[3], here[3], behind[3], gap = 0;

    flight_at(keys, count, keys[k].time - step, before);
    flight_at(keys, count, keys[k].time, here);
    flight_at(keys, count, keys[k].time + step, behind);
    for (int i = 0; i < 3; i++)
        gap = hypot(gap, (behind[i] - 2 * here[i] + before[i]) / step);
    return gap;
}

static void the_velocity_does_not_jump(void **state)
{
    struct dice dice = { 2 };
    struct flight_key keys[KEYS];

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = journey(&dice, keys);

        for (size_t k = 1; k + 1 < count; k++) {
            double coarse = jerk(keys, count, k, 1e-4), fine = jerk(keys, count, k, 1e-6);

            /* A jump would stay; what bends is a hundred times less. */
            assert_true(fine < 0.02 * coarse + 1e-2);
        }
    }
}

/* The same curve by another way: Hermite's cubic with the tangents of a Catmull-Rom spline on
 * unequal knots, as the paper's section 2 gives them. */
static void hermite(const struct flight_key *key, double travel, double at[3])
{
    double step = key[1].travel - key[0].travel, s = (travel - key[0].travel) / step;

    for (int i = 0; i < 3; i++) {
        double tangent[2];

        for (int end = 0; end < 2; end++) {
            const struct flight_key *here = key + end;
            double back = here[0].travel - here[-1].travel, on = here[1].travel - here[0].travel;

            tangent[end] = (here[0].at[i] - here[-1].at[i]) / back -
                           (here[1].at[i] - here[-1].at[i]) / (back + on) +
                           (here[1].at[i] - here[0].at[i]) / on;
        }
        at[i] = (2 * s * s * s - 3 * s * s + 1) * key[0].at[i] +
                (s * s * s - 2 * s * s + s) * step * tangent[0] +
                (3 * s * s - 2 * s * s * s) * key[1].at[i] +
                (s * s * s - s * s) * step * tangent[1];
    }
}

static void the_way_is_the_centripetal_spline(void **state)
{
    struct dice dice = { 3 };

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct flight_key keys[4] = { { .time = 0 } };
        double at[3], truth[3], nearest = 1e9;

        for (int k = 0; k < 4; k++) {
            keys[k].time = k;
            for (int i = 0; i < 3; i++)
                keys[k].at[i] = dice_real(&dice, -50, 50);
        }
        flight_plan(keys, 4);
        for (int k = 0; k < 3; k++) /* knots lie the root of their distance apart */
            assert_true(fabs(keys[k + 1].travel - keys[k].travel -
                             sqrt(apart(keys[k].at, keys[k + 1].at))) < 1e-9);
        flight_at(keys, 4, 1.37, at);
        for (int i = 0; i <= 20000; i++) {
            hermite(&keys[1],
                    keys[1].travel + (keys[2].travel - keys[1].travel) * (double)i / 20000, truth);
            nearest = fmin(nearest, apart(at, truth));
        }
        assert_true(nearest < 0.01);
    }
}

static void on_a_line_nobody_goes_back(void **state)
{
    struct dice dice = { 4 };
    struct flight_key keys[KEYS];

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = journey(&dice, keys);
        double last = -1e9, at[3];

        for (size_t k = 0; k < count; k++) {
            keys[k].at[0] = (k ? keys[k - 1].at[0] : 0) +
                            (dice_real(&dice, 0, 1) < 0.2 ? 0 : dice_real(&dice, 0.1, 100));
            keys[k].at[1] = keys[k].at[2] = 0;
        }
        flight_plan(keys, count);
        for (int i = 0; i <= 1000; i++) {
            flight_at(keys, count,
                      keys[0].time + (keys[count - 1].time - keys[0].time) * (double)i / 1000, at);
            assert_true(at[0] >= last - 1e-9);
            last = at[0];
        }
    }
}

static void an_even_walk_stays_even(void **state)
{
    struct flight_key keys[6];
    double at[3];

    (void)state;
    for (int k = 0; k < 6; k++)
        keys[k] = (struct flight_key){ .at = { 3.0 * k, 4.0 * k, 0 }, .time = 2.0 * k };
    flight_plan(keys, 6);
    for (int i = 0; i <= 100; i++) {
        flight_at(keys, 6, 0.1 * i, at);
        assert_true(fabs(at[0] - 0.15 * i) < 1e-9 && fabs(at[1] - 0.2 * i) < 1e-9);
    }
}

static void between_equal_places_one_stands_still(void **state)
{
    struct flight_key keys[4] = { { .at = { 0, 0, 0 }, .time = 0 },
                                  { .at = { 10, 5, 1 }, .time = 1 },
                                  { .at = { 10, 5, 1 }, .time = 3 },
                                  { .at = { 20, 0, 0 }, .time = 4 } };
    double at[3];

    (void)state;
    flight_plan(keys, 4);
    for (int i = 0; i <= 20; i++) {
        flight_at(keys, 4, 1 + 0.1 * i, at);
        assert_true(apart(at, keys[1].at) == 0);
    }
    flight_at(keys, 1, 5, at);
    assert_true(apart(at, keys[0].at) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_is_passed_at_its_time),
        cmocka_unit_test(the_velocity_does_not_jump),
        cmocka_unit_test(the_way_is_the_centripetal_spline),
        cmocka_unit_test(on_a_line_nobody_goes_back),
        cmocka_unit_test(an_even_walk_stays_even),
        cmocka_unit_test(between_equal_places_one_stands_still),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

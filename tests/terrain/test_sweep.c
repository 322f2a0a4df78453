/* Sphere sweeps and nearest places against all triangles of random grounds. */
#include "tests/terrain/shape_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/nearest.h"
#include "terrain/query/sweep.h"

static int times_longer(void)
{
    return getenv("LANDSCAPED_SOAK") ? 20 : 1;
}

static const struct shape_ways plain;

static struct touch swept(const struct view *view, const struct sweep *sweep,
                          const struct shape_ways *ways)
{
    struct fault why = { 0 };
    struct touch touch;

    assert_true(sweep_spheres(view, sweep, 1, ways, &touch, NULL, &why));
    return touch;
}

/* What is told about a touch fits together, whoever found it. */
static void assert_touch(const struct view *view, const struct sweep *sweep,
                         const struct touch *touch)
{
    wide center[3], at[3], corners[3][3], apart = 0, along = 0, length = 0;

    judge_metres(view, touch->center, center);
    judge_metres(view, touch->at, at);
    judge_triangle(view, touch->triangle, corners);
    for (int axis = 0; axis < 3; axis++) {
        apart += (center[axis] - at[axis]) * (center[axis] - at[axis]);
        along += (center[axis] - at[axis]) * (wide)touch->normal[axis];
        length += (wide)touch->normal[axis] * (wide)touch->normal[axis];
    }
    apart = sqrtl(apart);
    assert_true(judge_distance(corners, at) < 1e-8L);
    assert_true(fabsl(length - 1) < 1e-9L);
    assert_true(fabsl(apart + (wide)touch->penetration - (wide)sweep->radius) < 1e-8L);
    if (apart > 1e-4L)
        assert_true(fabsl(along - apart) < 1e-7L * (1 + apart));
}

static struct sweep random_sweep(struct dice *dice, const struct view *view)
{
    struct sweep sweep = { .radius = dice_between(dice, 0, 3) ? exp(dice_real(dice, -4, 3)) : 0 };

    judge_place(dice, view, 4, sweep.from);
    judge_place(dice, view, 4, sweep.to);
    for (int axis = 0; axis < 3; axis++)
        if (dice_between(dice, 0, 4) == 0)
            sweep.to[axis] = sweep.from[axis];
    return sweep;
}

static void sweeps_on(struct dice *dice, struct view *view, int count, int *hits, int *insides,
                      int *close)
{
    for (int i = 0; i < count; i++) {
        const struct sweep sweep = random_sweep(dice, view);
        const struct shape_ways ways = { .ignore_holes = dice_between(dice, 0, 3) == 0 };
        const struct judge judge = { view, ways.ignore_holes };
        const struct touch touch = swept(view, &sweep, &ways);
        wide margin, t = judge_sweep(&judge, sweep.from, sweep.to, sweep.radius, &margin);

        assert_int_not_equal(touch.status, RAY_WRONG);
        if (touch.status == RAY_HIT)
            assert_touch(view, &sweep, &touch);
        if (margin < (sweep.radius > 0 ? 1e-8L : 5e-10L)) {
            ++*close;
            continue;
        }
        assert_int_equal(touch.status == RAY_HIT, isfinite(t));
        if (touch.status != RAY_HIT)
            continue;
        ++*hits;
        *insides += touch.inside;
        assert_true(fabsl((wide)touch.t - t) * (wide)sweep_metres(view, &sweep) < 1e-7L ||
                    fabsl((wide)touch.t - t) < 1e-9L);
    }
    view_drop(view);
}

static void sweeps_meet_what_a_look_at_every_triangle_finds(void **state)
{
    struct dice dice = { 5 };
    int hits = 0, insides = 0, close = 0;

    (void)state;
    for (int round = 0; round < 40 * times_longer(); round++)
        sweeps_on(&dice,
                  judge_ground(&dice, dice_between(&dice, 2, 20), dice_between(&dice, 2, 20)), 20,
                  &hits, &insides, &close);
    for (int round = 0; round < 1 * times_longer(); round++)
        sweeps_on(&dice, judge_ground(&dice, 141, 134), 8, &hits, &insides, &close);
    assert_true(hits > 200);
    assert_true(insides > 30);
    assert_true(close < 20);
}

static void touching_is_exact_where_the_numbers_are(void **state)
{
    struct view *view = ground_flat(9, 9, 32768 + 128);
    const struct sweep falling = { { 4.25, 3.5, 9 }, { 4.25, 3.5, -7 }, 2 };
    const struct sweep resting = { { 4.25, 3.5, 3 }, { 7, 3.5, 3 }, 2 };
    const struct sweep above = { { 4.25, 3.5, 3.0000001 }, { 7, 3.5, 3.0000001 }, 2 };
    const struct sweep sunk = { { 4.25, 3.5, 1.5 }, { 4.25, 3.5, 1.5 }, 2 };
    const struct sweep edge = { { -8, 4, 1 }, { 8, 4, 1 }, 3 };
    const struct sweep point = { { 2, 2, 3 }, { 2, 2, -1 }, 0 };
    const struct sweep beneath = { { 4.25, 3.5, -7 }, { 4.25, 3.5, 9 }, 2 };
    struct touch touch = swept(view, &falling, &plain);

    (void)state;
    assert_int_equal(touch.status, RAY_HIT);
    assert_float_equal(touch.t, 6 / 16., 0);
    assert_float_equal(touch.center[2], 3, 0);
    assert_float_equal(touch.at[2], 1, 0);
    assert_float_equal(touch.normal[2], 1, 0);
    assert_int_equal(touch.triangle, 2 * (3 * 8 + 4) + 1);
    assert_false(touch.inside);
    touch = swept(view, &resting, &plain);
    assert_int_equal(touch.status, RAY_HIT);
    assert_float_equal(touch.t, 0, 0);
    assert_false(touch.inside);
    assert_int_equal(swept(view, &above, &plain).status, RAY_MISS);
    touch = swept(view, &sunk, &plain);
    assert_true(touch.inside);
    assert_float_equal(touch.penetration, 1.5, 0);
    touch = swept(view, &edge, &plain);
    assert_float_equal(touch.t, 5 / 16., 1e-15);
    assert_float_equal(touch.normal[0], -1, 0);
    assert_float_equal(touch.at[0], 0, 0);
    touch = swept(view, &point, &plain);
    assert_float_equal(touch.t, 0.5, 0);
    assert_float_equal(touch.normal[2], 1, 0);
    /* the vertex belongs to six triangles */
    assert_int_equal(touch.triangle, 2 * (1 * 8 + 1));
    touch = swept(view, &beneath, &plain);
    assert_float_equal(touch.t, 6 / 16., 0);
    assert_float_equal(touch.normal[2], -1, 0);
    view_drop(view);
}

static void a_sweep_that_cannot_be_answered_says_why(void **state)
{
    struct view *view = ground_flat(300, 300, 32768);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(view, &why);
    const uint8_t hole = 255;
    const struct sweep sweeps[] = {
        { { 4, NAN, 9 }, { 4, 3, -7 }, 2 },          { { 4, 3, 9 }, { 4, 3, -7 }, -1 },
        { { 4, 3, 9 }, { 4, INFINITY, 0 }, 1 },      { { -9, 3, 9 }, { -4, 3, -7 }, 2 },
        { { 5.5, 5.5, 9 }, { 5.5, 5.5, -9 }, 0.25 }, { { 4, 3, 9 }, { 9, 3, 8 }, 2 },
        { { 1e300, 3, 9 }, { -1e300, 3, 8 }, 2 },    { { 4, 3, 9 }, { 4, 3, 1e300 }, 2 },
        { { 4, 3, 0x1p44 }, { 4, 3, -0x1p44 }, 2 },
    };
    static const enum ray_status right[] = { RAY_WRONG, RAY_WRONG, RAY_WRONG, RAY_OUTSIDE, RAY_HOLE,
                                             RAY_MISS,  RAY_WRONG, RAY_WRONG, RAY_HIT };
    const struct sweep level = { { 0, 0, 0.5 }, { 299, 299, 0.5 }, 0.4 };
    const struct shape_ways few = { .quads_most = 100 };
    struct touch touches[9];

    (void)state;
    assert_true(draft_write_holes(draft, (struct rect){ 5, 5, 1, 1 }, &hole, 1, &why));
    view = ground_finish(draft, view, &change);
    assert_true(sweep_spheres(view, sweeps, 9, &plain, touches, NULL, &why));
    for (int i = 0; i < 9; i++)
        assert_int_equal(touches[i].status, right[i]);
    assert_true(fabs(touches[8].center[2] - 2) < 0.01); /* a double that far is a 256th */
    assert_true(sweep_spheres(view, &level, 1, &plain, touches, NULL, &why));
    assert_int_equal(touches[0].status, RAY_MISS);
    assert_true(sweep_spheres(view, sweeps + 4, 1, &few, touches, NULL, &why));
    for (int i = 0; i < 7; i++)
        assert_true(sweep_spheres(view, sweeps, 4, &plain, touches, NULL, &why));
    view_drop(view);
    /* rough ground just beneath has to be looked at */
    view = ground_rough(300, 300, 3);
    assert_false(sweep_spheres(view, &(struct sweep){ { 0, 0, 0.5 }, { 299, 299, 0.5 }, 40 }, 1,
                               &few, touches, NULL, &why) &&
                 touches[0].status != RAY_HIT);
    view_drop(view);
}

/* Quads between two blocks take corners from both. */
static void a_point_falls_on_the_height_between_blocks(void **state)
{
    struct view *view = ground_rough(300, 280, 9);
    struct dice dice = { 10 };

    (void)state;
    for (int i = 0; i < 4000; i++) {
        const double middle = dice_between(&dice, 0, 1) ? 127.5 : 255.5;
        const double at[2] = { middle + dice_real(&dice, -1, 1), dice_real(&dice, 0, 279) };
        const double x = i % 2 ? at[0] : fmin(at[1], 299), y = i % 2 ? at[1] : at[0];
        const struct sweep falling = { { x, y, 400 }, { x, y, -400 }, 0 };
        const struct touch touch = swept(view, &falling, &plain);
        double z = 0;

        assert_true(collide_height(view, x, y, &z, NULL));
        assert_int_equal(touch.status, RAY_HIT);
        assert_float_equal(touch.at[2], z, 1e-9);
    }
    view_drop(view);
}

static void nearest_places_are_nearest_of_all(void **state)
{
    struct dice dice = { 6 };
    int hits = 0, misses = 0;

    (void)state;
    for (int round = 0; round < 60 * times_longer(); round++) {
        const bool large = round % 30 == 0;
        struct view *view = judge_ground(&dice, large ? 150 : dice_between(&dice, 2, 24),
                                         large ? 131 : dice_between(&dice, 2, 24));

        for (int i = 0; i < 40; i++) {
            const struct shape_ways ways = { .ignore_holes = dice_between(&dice, 0, 3) == 0 };
            const struct judge judge = { view, ways.ignore_holes };
            const double most = dice_between(&dice, 0, 1) ? INFINITY : dice_real(&dice, 0, 12);
            struct fault why = { 0 };
            struct nearest place;
            wide at[3], from[3], corners[3][3], right, apart = 0;
            double point[3];

            judge_place(&dice, view, 9, point);
            assert_true(nearest_places(view, (const double(*)[3])point, 1, most, &ways, &place,
                                       NULL, &why));
            right = judge_nearest(&judge, point);
            if (fabsl(right - (wide)most) < 1e-9L)
                continue;
            assert_int_equal(place.status == RAY_HIT, right < (wide)most);
            if (place.status != RAY_HIT) {
                misses++;
                continue;
            }
            hits++;
            assert_true(fabsl((wide)place.distance - right) < 1e-9L * (1 + right));
            judge_metres(view, place.at, at);
            judge_metres(view, point, from);
            for (int axis = 0; axis < 3; axis++)
                apart += (at[axis] - from[axis]) * (at[axis] - from[axis]);
            assert_true(fabsl(sqrtl(apart) - right) < 1e-8L * (1 + right));
            assert_false(judge_triangle(view, place.triangle, corners) && !ways.ignore_holes);
            assert_true(judge_distance(corners, at) < 1e-8L);
        }
        view_drop(view);
    }
    assert_true(hits > 1000);
    assert_true(misses > 100);
}

/* Nothing but holes, and then two quads of ground far apart among them. */
static void a_land_of_holes_is_passed_over(void **state)
{
    const struct shape_ways few = { .quads_most = 8000 };
    const struct sweep level = { { 0, 0, 0.5 }, { 299, 259, 0.5 }, 40 };
    struct dice dice = { 12 };
    struct view *view = ground_rough(300, 260, 5);
    uint8_t *holes = malloc(299 * 259);

    (void)state;
    memset(holes, 255, 299 * 259);
    for (int grounds = 0; grounds < 2; grounds++) {
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);
        struct change change;

        holes[3 * 299 + 291] = holes[250 * 299 + 128] = grounds ? 0 : 255;
        assert_true(draft_write_holes(draft, (struct rect){ 0, 0, 299, 259 }, holes, 299, &why));
        view = ground_finish(draft, view, &change);
        for (int i = 0; i < 12; i++) {
            const struct judge judge = { view, false };
            struct nearest place;
            double point[3];

            judge_place(&dice, view, 9, point);
            assert_true(nearest_places(view, (const double(*)[3])point, 1, INFINITY, &few, &place,
                                       NULL, &why));
            assert_int_equal(place.status, grounds ? RAY_HIT : RAY_HOLE);
            if (grounds)
                assert_true(fabsl((wide)place.distance - judge_nearest(&judge, point)) < 1e-8L);
        }
        if (!grounds)
            assert_int_equal(swept(view, &level, &few).status, RAY_HOLE);
    }
    free(holes);
    view_drop(view);
}

static void nearest_places_are_exact_on_a_plain(void **state)
{
    static const double points[][3] = { { 3.5, 4.25, 6 }, { -3, 4, 5 },  { 4, 4, -2 },
                                        { 4, 4, 1 },      { 11, 12, 1 }, { NAN, 4, 1 } };
    struct view *view = ground_flat(9, 9, 32768 + 128);
    struct fault why = { 0 };
    struct nearest places[6];

    (void)state;
    assert_true(nearest_places(view, points, 6, INFINITY, &plain, places, NULL, &why));
    assert_float_equal(places[0].distance, 5, 0);
    assert_true(places[0].above);
    assert_int_equal(places[0].triangle, 2 * (4 * 8 + 3));
    assert_float_equal(places[1].distance, 5, 0);
    assert_float_equal(places[1].at[0], 0, 0);
    assert_float_equal(places[2].distance, 3, 0);
    assert_false(places[2].above);
    assert_float_equal(places[3].distance, 0, 0);
    assert_true(places[3].above);
    assert_int_equal(places[3].triangle, 2 * (3 * 8 + 3)); /* the least of six */
    assert_float_equal(places[4].distance, 5, 0);
    assert_int_equal(places[5].status, RAY_WRONG);
    assert_true(nearest_places(view, points, 6, 5, &plain, places, NULL, &why));
    assert_int_equal(places[0].status, RAY_HIT); /* as far as it may be */
    assert_true(nearest_places(view, points, 6, 4.75, &plain, places, NULL, &why));
    assert_int_equal(places[0].status, RAY_MISS);
    assert_int_equal(places[1].status, RAY_OUTSIDE);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_is_exact_where_the_numbers_are),
        cmocka_unit_test(a_point_falls_on_the_height_between_blocks),
        cmocka_unit_test(a_sweep_that_cannot_be_answered_says_why),
        cmocka_unit_test(sweeps_meet_what_a_look_at_every_triangle_finds),
        cmocka_unit_test(nearest_places_are_exact_on_a_plain),
        cmocka_unit_test(a_land_of_holes_is_passed_over),
        cmocka_unit_test(nearest_places_are_nearest_of_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Noise and generators against slow recounts of their own, and what they promise. */
#include "tests/terrain/tooling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double bumped(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    double sum = 0, all = 0;

    (void)op;
    for (int o = 0; o < 4; o++) {
        double share = 1.0 / (1 << o), cell = 13.7 * share;

        sum += share * tool_noise(x / cell, y / cell, 5 + (uint32_t)o);
        all += share;
    }
    return view_height(before, x, y) + 20 * 128 * sum / all * f;
}

static void perlin_noise_has_slopes_at_the_points_of_its_lattice(void **state)
{
    struct view *before = ground_rough(150, 140, 14);
    struct op *op = tool_on_dab("noise", 126, 60, 50);

    (void)state;
    op_real(op, "amplitude", 20);
    op_real(op, "cell", 13.7);
    op_integer(op, "seed", 5);
    op_integer(op, "octaves", 4);
    op_word(op, "kind", "perlin");
    tool_assert(before, op, NULL, bumped);
    view_drop(before);
}

static struct op *generating(const char *generator, struct rect region)
{
    struct op *op = tool_on_region("generate", region);

    op_word(op, "generator", generator);
    op_real(op, "amplitude", 100);
    op_real(op, "scale", 40);
    op_integer(op, "seed", 9);
    return op;
}

/* What the rows promise of hills, ridges and billows: octaves of gradient noise. */
static double generated(int kind, int32_t x, int32_t y, const double scale[2])
{
    double sum = 0, all = 0, weight = 1, share = 1, size_now = 40;

    for (uint32_t o = 0; o < 7; o++) {
        double east = x * scale[0] / size_now, south = y * scale[1] / size_now;
        double turn = (o + 1) * atan2(3, 4), n, crest;

        n = tool_noise(east * cos(turn) - south * sin(turn) + tool_hash(0, o, ~9u) / 4294967296.0,
                       east * sin(turn) + south * cos(turn) + tool_hash(1, o, ~9u) / 4294967296.0,
                       9 + o);
        crest = (1 - fabs(n)) * (1 - fabs(n)) * weight;
        sum += share * (kind == 0 ? n : kind == 1 ? crest : fabs(n));
        weight = crest * 2 < 1 ? crest * 2 : 1;
        all += share;
        share /= 2;
        size_now /= 2;
    }
    return sum / all;
}

static int kind_now;

static double made(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    (void)op;
    (void)f;
    return 32768 + 128 * (-7 + 100 * generated(kind_now, x, y, view_grid(before)->scale));
}

static double made_upon(const struct view *before, const struct op *op, int32_t x, int32_t y,
                        double f)
{
    (void)op;
    return view_height(before, x, y) +
           f * 128 * 100 * generated(kind_now, x, y, view_grid(before)->scale);
}

static void hills_ridges_and_billows_are_octaves_of_noise(void **state)
{
    static const char *const names[] = { "fbm", "ridged", "billow" };
    struct view *before = ground_rough(150, 140, 15);

    (void)state;
    before->settings->grid.scale[0] = 0.75;
    for (kind_now = 0; kind_now < 3; kind_now++) {
        struct op *op = generating(names[kind_now], (struct rect){ 90, 100, 60, 38 });

        op_real(op, "level", -7);
        tool_assert(before, op, NULL, made);
        op = tool_on_dab("generate", 100, 130, 20);
        op_word(op, "generator", names[kind_now]);
        op_real(op, "amplitude", 100);
        op_real(op, "scale", 40);
        op_integer(op, "seed", 9);
        op_word(op, "blend", "add");
        tool_assert(before, op, NULL, made_upon);
    }
    view_drop(before);
}

/* The height in metres, of the generator's amplitude, at a share of the way from the middle. */
static double profile(const struct view *view, double far, double turn)
{
    double x = 100 + 100 * far * cos(turn), y = 90 + 90 * far * sin(turn);

    return (view_height(view, (int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)) - 32768) / 12800.0;
}

static void a_crater_has_a_floor_a_rim_and_a_skirt(void **state)
{
    struct view *flat = ground_flat(201, 181, 32768), *view;
    double crests = 0, floors = 0;

    (void)state;
    view = tool_done(flat, generating("crater", view_rect(flat)), NULL);
    for (double turn = 0; turn < 6.28; turn += 0.1) {
        double crest = -1;

        for (double far = 0; far < 1; far += 0.005)
            crest = fmax(crest, profile(view, far, turn));
        crests += crest / 63;
        floors += profile(view, 0.1, turn) / 63;
        assert_true(crest > 0.15 && crest < 0.25);
        assert_true(fabs(profile(view, 0.99, turn)) < 0.02);
        assert_true(profile(view, 0.75, turn) > 0.02);
    }
    assert_true(crests > 0.18 && crests < 0.22);
    assert_float_equal(floors, -0.8, 0.001);
    view_drop(flat);
    view_drop(view);
}

static void an_island_stands_in_the_sea_all_around(void **state)
{
    struct view *flat = ground_flat(201, 181, 32768), *view;
    int64_t land = 0;

    (void)state;
    view = tool_done(flat, generating("island", view_rect(flat)), NULL);
    for (int32_t y = 0; y < 181; y++) {
        for (int32_t x = 0; x < 201; x++) {
            double across = (x - 100) / 100.0, down = (y - 90) / 90.0;
            int32_t code = view_height(view, x, y);

            assert_true(code <= 32768 + 12800 * 1.2);
            if (across * across + down * down >= 1)
                assert_int_equal(code, 32768);
            land += code > 32768 + 640;
        }
    }
    assert_true(land > 201 * 181 / 4 && land < 201 * 181 * 3 / 4);
    assert_true(profile(view, 0, 0) > 0.5);
    view_drop(flat);
    view_drop(view);
}

static void another_seed_is_other_ground(void **state)
{
    static const char *const names[] = { "fbm", "ridged", "billow", "island", "crater" };
    struct view *flat = ground_flat(101, 91, 32768);

    (void)state;
    for (int i = 0; i < 5; i++) {
        struct op *op = generating(names[i], view_rect(flat));
        struct view *one = tool_done(flat, generating(names[i], view_rect(flat)), NULL), *two;
        int64_t differ = 0;

        op_integer(op, "seed", 10);
        two = tool_done(flat, op, NULL);
        for (int32_t k = 0; k < 101 * 91; k++)
            differ += view_height(one, k % 101, k / 101) != view_height(two, k % 101, k / 101);
        assert_true(differ > 101 * 91 / 3);
        view_drop(one);
        view_drop(two);
    }
    view_drop(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perlin_noise_has_slopes_at_the_points_of_its_lattice),
        cmocka_unit_test(hills_ridges_and_billows_are_octaves_of_noise),
        cmocka_unit_test(a_crater_has_a_floor_a_rim_and_a_skirt),
        cmocka_unit_test(an_island_stands_in_the_sea_all_around),
        cmocka_unit_test(another_seed_is_other_ground),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

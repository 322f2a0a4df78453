/* Blending of materials against the reference's numbers, and what must be so of any. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/query/blend.h"
#include "tests/terrain/dice.h"
#include "tests/terrain/vectors.h"

enum { LAYERS_MOST = 16 };

static int reals(const json_t *object, const char *member, double *numbers)
{
    const json_t *array = json_object_get(object, member);
    int count = (int)json_array_size(array);

    assert_in_range(count, 0, LAYERS_MOST);
    for (int i = 0; i < count; i++)
        numbers[i] = vectors_at(array, (size_t)i);
    return count;
}

static void assert_reals(const json_t *object, const char *member, const double *numbers, int count)
{
    double expected[LAYERS_MOST];

    assert_int_equal(reals(object, member, expected), count);
    for (int i = 0; i < count; i++)
        assert_float_equal(numbers[i], expected[i], 1e-6);
}

static void check_plan(const json_t *expected, const uint8_t *weights, int count)
{
    struct blend_plan plan = blend_plan(weights, count);
    const json_t *layers = json_object_get(expected, "layers");
    int weighty = 0;

    assert_int_equal(plan.exclusive, strcmp(json_string_value(json_object_get(expected, "kind")),
                                            "exclusive") == 0);
    assert_int_equal(plan.samples, vectors_int(expected, "samples"));
    if (plan.exclusive) {
        assert_int_equal(plan.layer, vectors_int(expected, "layer"));
        return;
    }
    for (int i = 0; i < count; i++)
        if (weights[i])
            assert_int_equal(vectors_at(layers, (size_t)weighty++), i);
    assert_int_equal(weighty, json_array_size(layers));
}

static void weights_blend_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("10_blend"), *row;
    size_t at;

    (void)state;
    json_array_foreach(json_object_get(file, "weight_blend"), at, row)
    {
        double weights[LAYERS_MOST], shares[LAYERS_MOST], mixed[3] = { 0 };
        uint8_t bytes[LAYERS_MOST];
        int count = reals(row, "w", weights);

        blend_weights(weights, count, shares);
        for (int i = 0; i < count; i++) {
            const json_t *colour = json_array_get(json_object_get(row, "c"), (size_t)i);

            bytes[i] = (uint8_t)weights[i];
            for (size_t c = 0; c < 3; c++)
                mixed[c] += shares[i] * vectors_at(colour, c);
        }
        assert_reals(row, "out", mixed, 3);
        check_plan(json_object_get(row, "plan"), bytes, count);
    }
    json_decref(file);
}

static void heights_blend_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("10_blend"), *row;
    size_t at;

    (void)state;
    json_array_foreach(json_object_get(file, "height_blend"), at, row)
    {
        double weights[LAYERS_MOST], heights[LAYERS_MOST], uses[LAYERS_MOST], shares[LAYERS_MOST];
        bool uses_height[LAYERS_MOST];
        int count = reals(row, "w", weights);

        assert_int_equal(reals(row, "h", heights), count);
        assert_int_equal(reals(row, "use_height", uses), count);
        for (int i = 0; i < count; i++)
            uses_height[i] = uses[i] != 0;
        blend_heights(weights, heights, vectors_real(row, "depth"), count, shares);
        assert_reals(row, "out", shares, count);
        blend_node(weights, heights, uses_height, count, shares);
        assert_reals(row, "node", shares, count);
    }
    json_decref(file);
}

static void by_example_samples_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("10_blend"), *row;
    size_t at;

    (void)state;
    json_array_foreach(json_object_get(file, "by_example"), at, row)
    {
        struct blend_sample samples[3];

        blend_by_example(vectors_real(row, "u"), vectors_real(row, "v"),
                         (uint32_t)vectors_int(row, "seed"), vectors_real(row, "exponent"),
                         samples);
        for (size_t i = 0; i < 3; i++) {
            const json_t *vertex = json_array_get(json_object_get(row, "vertices"), i);
            const json_t *sample = json_array_get(json_object_get(row, "samples"), i);

            for (size_t axis = 0; axis < 2; axis++) {
                assert_int_equal(samples[i].vertex[axis], vectors_at(vertex, axis));
                assert_float_equal(samples[i].at[axis], vectors_at(sample, axis), 1e-4);
            }
            assert_float_equal(samples[i].weight, vectors_at(sample, 2), 1e-6);
        }
    }
    json_decref(file);
}

static void by_example_colours_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("10_blend"), *row;
    size_t at;

    (void)state;
    json_array_foreach(json_object_get(file, "by_example_color"), at, row)
    {
        struct blend_sample samples[3] = { 0 };
        double mean[LAYERS_MOST], plain[3], kept[3], weights[LAYERS_MOST];

        assert_int_equal(reals(row, "w", weights), 3);
        assert_int_equal(reals(row, "mean", mean), 3);
        for (int c = 0; c < 3; c++) {
            double values[3];

            for (int i = 0; i < 3; i++) {
                samples[i].weight = weights[i];
                values[i] = vectors_at(json_array_get(json_object_get(row, "samples"), (size_t)i),
                                       (size_t)c);
            }
            plain[c] = blend_samples(samples, values, NULL);
            kept[c] = blend_samples(samples, values, &mean[c]);
        }
        assert_reals(row, "plain", plain, 3);
        assert_reals(row, "kept", kept, 3);
    }
    json_decref(file);
}

static double sum_of(const double *shares, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        assert_true(shares[i] >= 0 && shares[i] <= 1);
        sum += shares[i];
    }
    return sum;
}

static void shares_add_up_to_one_or_nothing(void **state)
{
    struct dice dice = { 10 };

    (void)state;
    for (int round = 0; round < 2000; round++) {
        double weights[LAYERS_MOST], heights[LAYERS_MOST], shares[LAYERS_MOST];
        bool uses[LAYERS_MOST], any = false;
        int count = dice_between(&dice, 0, LAYERS_MOST);

        for (int i = 0; i < count; i++) {
            weights[i] = dice_between(&dice, 0, 2) ? dice_real(&dice, 0, 1) : 0;
            heights[i] = dice_real(&dice, 0, 1);
            uses[i] = dice_between(&dice, 0, 1);
            any = any || weights[i] > 0;
        }
        blend_weights(weights, count, shares);
        assert_float_equal(sum_of(shares, count), any, 1e-12);
        blend_heights(weights, heights, 1e-3 + dice_real(&dice, 0, 1), count, shares);
        assert_float_equal(sum_of(shares, count), any, 1e-12);
        for (int i = 0; i < count; i++)
            assert_true(weights[i] > 0 || shares[i] == 0);
        blend_node(weights, heights, uses, count, shares);
        for (int i = 0; i < count; i++)
            any = any || uses[i];
        assert_float_equal(sum_of(shares, count), any, 1e-12);
    }
}

/* The limit of little depth is the highest alone, and of great depth the plain mean. */
static void depth_goes_from_the_highest_alone_to_all_alike(void **state)
{
    const double weights[3] = { 0.5, 0.3, 0.2 }, heights[3] = { 0.1, 0.9, 0.4 };
    double shares[3];

    (void)state;
    blend_heights(weights, heights, 1e-9, 3, shares);
    assert_float_equal(shares[1], 1, 1e-9);
    blend_heights(weights, heights, 1e9, 3, shares);
    for (int i = 0; i < 3; i++)
        assert_float_equal(shares[i], 1.0 / 3, 1e-6);
}

/* Crossing from one triangle to the next changes no weight and no place by a jump: the colour is
 * continuous wherever the texture is. */
static void by_example_noise_has_no_seams(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (int round = 0; round < 20000; round++) {
        double u = dice_real(&dice, -20, 20), v = dice_real(&dice, -20, 20), values[2] = { 0 };

        for (int side = 0; side < 2; side++) {
            struct blend_sample samples[3];
            double looked_up[3];

            blend_by_example(u + 1e-7 * side, v - 1e-7 * side, 5, 3, samples);
            for (int i = 0; i < 3; i++)
                looked_up[i] = sin(6.283185307179586 * samples[i].at[0]) +
                               cos(6.283185307179586 * 2 * samples[i].at[1]);
            values[side] = blend_samples(samples, looked_up, NULL);
        }
        assert_float_equal(values[0], values[1], 1e-4);
    }
}

static void by_example_weights_survive_any_exponent_and_place(void **state)
{
    static const double places[] = { 0, -0.0, 1e-300, 0.5, -1e30, HUGE_VAL, 3e9 };
    static const double exponents[] = { 0, 1, 7, 1000, 1e6 };

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t j = 0; j < sizeof exponents / sizeof *exponents; j++) {
            struct blend_sample samples[3];
            double sum = 0;

            blend_by_example(places[i], -places[i], 1, exponents[j], samples);
            for (int k = 0; k < 3; k++)
                sum += samples[k].weight;
            assert_float_equal(sum, 1, 1e-9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_blend_as_in_the_reference),
        cmocka_unit_test(heights_blend_as_in_the_reference),
        cmocka_unit_test(by_example_samples_are_those_of_the_reference),
        cmocka_unit_test(by_example_colours_are_those_of_the_reference),
        cmocka_unit_test(shares_add_up_to_one_or_nothing),
        cmocka_unit_test(depth_goes_from_the_highest_alone_to_all_alike),
        cmocka_unit_test(by_example_noise_has_no_seams),
        cmocka_unit_test(by_example_weights_survive_any_exponent_and_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

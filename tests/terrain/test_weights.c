/* Weights against the reference and against rules written down plainly. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/weights.h"
#include "tests/terrain/vectors.h"

enum { WIDTH_MOST = 200, LAYERS_MOST = 40 };

static int bytes_of(const json_t *array, uint8_t *bytes)
{
    int count = (int)json_array_size(array);

    assert_in_range(count, 1, LAYERS_MOST);
    for (int i = 0; i < count; i++)
        bytes[i] = (uint8_t)vectors_at(array, (size_t)i);
    return count;
}

static void assert_weights(const uint8_t *weights, const json_t *expected)
{
    uint8_t bytes[LAYERS_MOST];
    int count = bytes_of(expected, bytes);

    assert_memory_equal(weights, bytes, (size_t)count);
}

/* The reference's numbers */

static void shares_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("09_weights"), *one;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "largest_remainder"), i, one)
    {
        uint16_t *parts = vectors_codes(json_object_get(one, "w"));
        int count = (int)json_array_size(json_object_get(one, "w"));
        uint8_t shares[LAYERS_MOST];

        weights_share(parts, count, (uint8_t)vectors_int(one, "target"), shares);
        assert_weights(shares, json_object_get(one, "out"));
        free(parts);
    }
    assert_int_equal(i, 30);
    json_decref(file);
}

/* The reference's word for no layer is 255. */
static int dominant(const uint8_t *weights, int count, int skipped)
{
    int first = weights_dominance(weights, count, skipped, 0).first;

    return first == WEIGHTS_NONE ? 255 : first;
}

static void paint_delete_and_dominance_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("09_weights"), *one;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "painting"), i, one)
    {
        uint8_t weights[LAYERS_MOST], painted[LAYERS_MOST], deleted[LAYERS_MOST];
        uint8_t flags[LAYERS_MOST];
        bool blended[LAYERS_MOST];
        int count = bytes_of(json_object_get(one, "w"), weights);
        int layer = vectors_int(one, "layer");

        bytes_of(json_object_get(one, "blended"), flags);
        for (int k = 0; k < count; k++)
            blended[k] = flags[k];
        memcpy(painted, weights, sizeof weights);
        memcpy(deleted, weights, sizeof weights);
        weights_paint(painted, blended, count, layer, (uint8_t)vectors_int(one, "new"));
        weights_delete(deleted, blended, count, layer);
        assert_weights(painted, json_object_get(one, "paint"));
        assert_weights(deleted, json_object_get(one, "delete"));
        assert_int_equal(dominant(weights, count, WEIGHTS_NONE), vectors_int(one, "dominant"));
        assert_int_equal(dominant(weights, count, 0), vectors_int(one, "dominant_vis0"));
    }
    assert_int_equal(i, 60);
    json_decref(file);
}

static void slots_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("09_weights"), *one, *op, *row;
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(file, "allocations"), i, one)
    {
        uint16_t slots[WEIGHTS_LAYERS] = { 0 };
        size_t used = 0;

        json_array_foreach(json_object_get(one, "ops"), k, op)
        {
            int layer = (int)vectors_at(op, 1);

            if (strcmp(json_string_value(json_array_get(op, 0)), "add") == 0)
                slots_take(slots, WEIGHTS_LAYERS, layer);
            else
                slots_release(slots, layer);
        }
        json_array_foreach(json_object_get(one, "slots"), k, row)
        {
            uint16_t slot = slots[(int)vectors_at(row, 0)];

            assert_int_not_equal(slot, 0);
            assert_int_equal(slot_texture(slot), vectors_at(row, 1));
            assert_int_equal(slot_channel(slot), vectors_at(row, 2));
        }
        for (int layer = 0; layer < WEIGHTS_LAYERS; layer++)
            used += slots[layer] != 0;
        assert_int_equal(used, k);
        assert_int_equal(slots_textures(slots, WEIGHTS_LAYERS), vectors_int(one, "textures"));
    }
    assert_int_equal(i, 4);
    json_decref(file);
}

/* Rules */

static int total(const uint8_t *weights, const bool *blended, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += blended[i] ? weights[i] : 0;
    return sum;
}

/* Largest remainder as the reference words it: the missing units one by one. */
static void share_plainly(const uint16_t *parts, int count, int target, uint8_t *shares)
{
    int64_t remainders[WEIGHTS_LAYERS], sum = 0, missing = target;

    for (int i = 0; i < count; i++) {
        sum += parts[i];
        shares[i] = 0;
    }
    for (int i = 0; i < count && sum; i++) {
        shares[i] = (uint8_t)((int64_t)parts[i] * target / sum);
        remainders[i] = (int64_t)parts[i] * target % sum;
        missing -= shares[i];
    }
    for (; sum && missing > 0; missing--) {
        int best = 0;

        for (int i = 1; i < count; i++)
            best = remainders[i] > remainders[best] ? i : best;
        shares[best]++;
        remainders[best] = -1;
    }
}

static void shares_add_up_whatever_the_parts(void **state)
{
    struct dice dice = { 91 };

    (void)state;
    for (int round = 0; round < 20000; round++) {
        uint16_t parts[WEIGHTS_LAYERS];
        uint8_t shares[WEIGHTS_LAYERS], plain[WEIGHTS_LAYERS];
        int count = dice_between(&dice, 1, round % 100 ? 12 : WEIGHTS_LAYERS), sum = 0;
        int most = round % 3 ? 255 : round % 2 ? 65535 : 3;
        uint8_t target = (uint8_t)dice_between(&dice, 0, 255);
        bool any = false;

        for (int i = 0; i < count; i++) {
            parts[i] = (uint16_t)(dice_between(&dice, 0, 2) ? dice_between(&dice, 0, most) : 0);
            any |= parts[i] > 0;
        }
        weights_share(parts, count, target, shares);
        share_plainly(parts, count, target, plain);
        assert_memory_equal(shares, plain, (size_t)count);
        for (int i = 0; i < count; i++) {
            sum += shares[i];
            assert_true(parts[i] || !shares[i]);
        }
        assert_int_equal(sum, any ? target : 0);
    }
}

/* Any sequence of operations leaves a sum of 255 or 0. */
static void sums_stay_whole_through_any_sequence(void **state)
{
    struct dice dice = { 92 };
    uint8_t weights[WEIGHTS_LAYERS] = { 0 };
    bool blended[WEIGHTS_LAYERS];

    (void)state;
    for (int i = 0; i < WEIGHTS_LAYERS; i++)
        blended[i] = i % 5 != 3;
    for (int round = 0; round < 30000; round++) {
        int count = WEIGHTS_LAYERS, layer = dice_between(&dice, 0, count - 1), sum;
        uint8_t asked = (uint8_t)dice_between(&dice, 0, 255);

        switch (dice_between(&dice, 0, 3)) {
        case 0:
            weights_delete(weights, blended, count, layer);
            assert_int_equal(weights[layer], 0);
            break;
        case 1:
            weights_normalise(weights, blended, count);
            break;
        default:
            weights_paint(weights, blended, count, layer, asked);
            break;
        }
        sum = total(weights, blended, count);
        assert_true(sum == 255 || sum == 0);
    }
}

static void dominance_is_by_weight_then_by_number(void **state)
{
    const uint8_t weights[6] = { 40, 90, 0, 90, 35, 255 };
    struct dominance found = weights_dominance(weights, 6, 5, 0);

    (void)state;
    assert_int_equal(found.first, 1);
    assert_int_equal(found.second, 3);
    found = weights_dominance(weights, 6, WEIGHTS_NONE, 0);
    assert_int_equal(found.first, 5);
    assert_int_equal(found.second, 1);
    found = weights_dominance(weights, 2, WEIGHTS_NONE, 41);
    assert_int_equal(found.first, 1);
    assert_int_equal(found.second, WEIGHTS_NONE);
    found = weights_dominance(weights, 5, WEIGHTS_NONE, 91);
    assert_int_equal(found.first, WEIGHTS_NONE);
}

/* Rows */

/* Rows of some layers: sums of 255, sums of anything, and vertices without paint. */
static void throw_rows(struct dice *dice, int count, uint8_t (*rows)[WIDTH_MOST])
{
    bool blended[LAYERS_MOST];

    memset(blended, true, sizeof blended);
    for (int32_t x = 0; x < WIDTH_MOST; x++) {
        uint8_t weights[LAYERS_MOST] = { 0 };
        int kind = dice_between(dice, 0, 5);

        for (int k = 0; k < count && kind; k++)
            weights[k] = (uint8_t)(dice_between(dice, 0, 1) ? dice_between(dice, 0, 255) : 0);
        if (kind > 1)
            weights_normalise(weights, blended, count);
        for (int k = 0; k < count; k++)
            rows[k][x] = weights[k];
    }
}

static int rows_throw_count(struct dice *dice)
{
    return dice_between(dice, 1, dice_between(dice, 0, 3) ? 6 : LAYERS_MOST);
}

static void a_painted_row_is_what_its_vertices_are(void **state)
{
    static uint8_t rows[LAYERS_MOST][WIDTH_MOST], was[LAYERS_MOST][WIDTH_MOST];
    struct dice dice = { 93 };
    bool blended[LAYERS_MOST];

    (void)state;
    memset(blended, true, sizeof blended);
    for (int round = 0; round < 3000; round++) {
        int count = rows_throw_count(&dice), layer = dice_between(&dice, 0, count - 1), rest = 0;
        int32_t first = dice_between(&dice, 0, 70), width = dice_between(&dice, 0, 130);
        uint8_t asked[WIDTH_MOST], *others[LAYERS_MOST];

        throw_rows(&dice, count, rows);
        memcpy(was, rows, sizeof rows);
        for (int32_t x = 0; x < WIDTH_MOST; x++)
            asked[x] =
                dice_between(&dice, 0, 2) ? (uint8_t)dice_between(&dice, 0, 255) : rows[layer][x];
        for (int k = 0; k < count; k++) {
            if (k != layer)
                others[rest++] = rows[k] + first;
        }
        weights_paint_row(rows[layer] + first, asked + first, others, rest, width);
        for (int32_t x = 0; x < WIDTH_MOST; x++) {
            uint8_t weights[LAYERS_MOST];
            bool inside = x >= first && x < first + width;

            for (int k = 0; k < count; k++)
                weights[k] = was[k][x];
            if (inside && asked[x] != was[layer][x])
                weights_paint(weights, blended, count, layer, asked[x]);
            for (int k = 0; k < count; k++)
                assert_int_equal(rows[k][x], weights[k]);
        }
    }
}

static void a_normalised_row_is_what_its_vertices_are(void **state)
{
    static uint8_t rows[LAYERS_MOST][WIDTH_MOST], was[LAYERS_MOST][WIDTH_MOST];
    struct dice dice = { 94 };
    bool blended[LAYERS_MOST];

    (void)state;
    memset(blended, true, sizeof blended);
    for (int round = 0; round < 3000; round++) {
        int count = rows_throw_count(&dice);
        int32_t width = dice_between(&dice, 0, WIDTH_MOST), sum = 0;
        uint8_t *all[LAYERS_MOST];
        int32_t odd = -1;

        throw_rows(&dice, count, rows);
        memcpy(was, rows, sizeof rows);
        for (int k = 0; k < count; k++)
            all[k] = rows[k];
        for (int32_t x = width - 1; x >= 0; x--) {
            int here = 0;

            for (int k = 0; k < count; k++)
                here += rows[k][x];
            if (here == 0 || here == 255)
                continue;
            odd = x;
            sum = here;
        }
        {
            int32_t said = 0;

            assert_int_equal(weights_row_odd(all, count, width, &said), odd);
            assert_int_equal(said, sum);
        }
        weights_normalise_row(all, count, width);
        for (int32_t x = 0; x < WIDTH_MOST; x++) {
            uint8_t weights[LAYERS_MOST];

            for (int k = 0; k < count; k++)
                weights[k] = was[k][x];
            if (x < width)
                weights_normalise(weights, blended, count);
            for (int k = 0; k < count; k++)
                assert_int_equal(rows[k][x], weights[k]);
        }
        assert_int_equal(weights_row_odd(all, count, width, &(int32_t){ 0 }), -1);
    }
}

/* What putting some layers' weights comes to, said plainly. */
static void put_plainly(uint8_t *weights, int given, int count)
{
    bool first[LAYERS_MOST] = { false }, second[LAYERS_MOST] = { false };
    int sum, rest;

    for (int k = 0; k < count; k++) {
        first[k] = k < given;
        second[k] = k >= given;
    }
    sum = total(weights, first, count);
    rest = total(weights, second, count);
    if (sum >= 255 || rest == 0) {
        memset(weights + given, 0, (size_t)(count - given));
        weights_normalise(weights, first, count);
        return;
    }
    {
        uint16_t parts[LAYERS_MOST];

        for (int k = given; k < count; k++)
            parts[k] = weights[k];
        share_plainly(parts + given, count - given, 255 - sum, weights + given);
    }
}

static void a_row_that_is_put_keeps_what_was_given_while_it_can(void **state)
{
    static uint8_t rows[LAYERS_MOST][WIDTH_MOST], was[LAYERS_MOST][WIDTH_MOST];
    struct dice dice = { 96 };

    (void)state;
    for (int round = 0; round < 3000; round++) {
        int count = rows_throw_count(&dice), given = dice_between(&dice, 1, count);
        int32_t width = dice_between(&dice, 0, WIDTH_MOST);
        uint8_t *all[LAYERS_MOST];

        throw_rows(&dice, count, rows);
        throw_rows(&dice, given, rows);
        memcpy(was, rows, sizeof rows);
        for (int k = 0; k < count; k++)
            all[k] = rows[k];
        weights_put_row(all, given, all + given, count - given, width);
        assert_int_equal(weights_row_odd(all, count, width, &(int32_t){ 0 }), -1);
        for (int32_t x = 0; x < width; x++) {
            uint8_t weights[LAYERS_MOST];

            for (int k = 0; k < count; k++)
                weights[k] = was[k][x];
            put_plainly(weights, given, count);
            for (int k = 0; k < count; k++)
                assert_int_equal(rows[k][x], weights[k]);
        }
    }
}

/* Every pair of two weights, and every target: the whole table of a division that is done in
 * floating point. */
static void no_quotient_is_off_by_one(void **state)
{
    (void)state;
    for (int a = 0; a < 256; a++) {
        for (int asked = 1; asked < 256; asked++) {
            uint8_t first[256], second[256], own[256] = { 0 }, want[256];
            uint8_t *const others[2] = { first, second };

            for (int b = 0; b < 256; b++) {
                first[b] = (uint8_t)a;
                second[b] = (uint8_t)b;
            }
            memset(want, asked, sizeof want);
            weights_paint_row(own, want, others, 2, 256);
            for (int b = 0; b < 256; b++) {
                const uint16_t parts[2] = { (uint16_t)a, (uint16_t)b };
                uint8_t shares[2];
                int rest = a + b ? 255 - asked : 0;

                share_plainly(parts, 2, rest, shares);
                assert_int_equal(first[b], shares[0]);
                assert_int_equal(second[b], shares[1]);
                assert_int_equal(own[b], 255 - rest);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_those_of_the_reference),
        cmocka_unit_test(paint_delete_and_dominance_are_those_of_the_reference),
        cmocka_unit_test(slots_are_those_of_the_reference),
        cmocka_unit_test(shares_add_up_whatever_the_parts),
        cmocka_unit_test(sums_stay_whole_through_any_sequence),
        cmocka_unit_test(dominance_is_by_weight_then_by_number),
        cmocka_unit_test(a_painted_row_is_what_its_vertices_are),
        cmocka_unit_test(a_normalised_row_is_what_its_vertices_are),
        cmocka_unit_test(a_row_that_is_put_keeps_what_was_given_while_it_can),
        cmocka_unit_test(no_quotient_is_off_by_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

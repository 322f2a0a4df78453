/* What paint there is: at a point, over a landscape, as textures and as tiles. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <string.h>

#include "terrain/core/component_weights.h"
#include "terrain/edit/brush.h"
#include "terrain/query/cover.h"
#include "terrain/query/cover_tile.h"
#include "tests/terrain/ops.h"

/* 150 x 140 vertices, so that four blocks take part. */
enum { COLUMNS = 150, ROWS = 140, VERTICES = COLUMNS * ROWS };

static void cover_is_that_of_the_triangle(void **state)
{
    struct dice dice = { 144 };
    struct view *view = ground_daubed(COLUMNS, ROWS, &dice);

    (void)state;
    for (int round = 0; round < 2000; round++) {
        double at[2] = { dice_real(&dice, 0, COLUMNS - 1), dice_real(&dice, 0, ROWS - 1) };
        double weights[OPS_PAINTS], least = dice_between(&dice, 0, 3) ? 0 : 60;
        int first = -1, second = -1;
        struct cover cover;

        for (int k = 0; k < OPS_PAINTS; k++) {
            int32_t i = (int32_t)at[0], j = (int32_t)at[1], corners[4];

            for (int c = 0; c < 4; c++)
                corners[c] = i + (c & 1) < COLUMNS && j + (c >> 1) < ROWS
                                 ? ground_weight(view, k, i + (c & 1), j + (c >> 1))
                                 : 0;
            weights[k] = view_quad_code(corners[0], corners[1], corners[2], corners[3], at[0] - i,
                                        at[1] - j);
            if (weights[k] < 1e-9 || weights[k] < least)
                continue;
            if (first < 0 || weights[k] > weights[first] + 1e-9) {
                second = first;
                first = k;
            } else if (second < 0 || weights[k] > weights[second] + 1e-9) {
                second = k;
            }
        }
        assert_true(cover_at(view, at, least, &cover));
        assert_int_equal(cover.first, first);
        assert_int_equal(cover.second, second);
        if (first >= 0)
            assert_float_equal(cover.first_weight, weights[first], 1e-9);
        if (second >= 0)
            assert_float_equal(cover.second_weight, weights[second], 1e-9);
    }
    assert_false(cover_at(view, (const double[2]){ COLUMNS - 0.5, 3 }, 0, &(struct cover){ 0 }));
    assert_false(cover_at(view, (const double[2]){ NAN, 3 }, 0, &(struct cover){ 0 }));
    view_drop(view);
}

static void statistics_are_those_of_a_count(void **state)
{
    struct dice dice = { 145 };
    struct view *view = ground_daubed(COLUMNS, ROWS, &dice);

    (void)state;
    for (int paint = 0; paint < OPS_PAINTS; paint++) {
        struct coverage coverage = cover_statistics(view, paint);
        int some = 0, sum = 0, least = 255, greatest = 0;

        for (int32_t i = 0; i < VERTICES; i++) {
            int weight = ground_weight(view, paint, i % COLUMNS, i / COLUMNS);

            some += weight > 0;
            sum += weight;
            least = weight < least ? weight : least;
            greatest = weight > greatest ? weight : greatest;
        }
        assert_float_equal(coverage.share, some / (double)VERTICES, 1e-12);
        assert_float_equal(coverage.mean, sum / (double)VERTICES, 1e-9);
        assert_int_equal(coverage.least, least);
        assert_int_equal(coverage.greatest, greatest);
    }
    view_drop(view);
}

/* A dab of paint; takes the view. */
static struct view *dabbed(struct view *view, const char *layer, const double at[2], double amount)
{
    struct op *op = op_new("paint");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_true(op && draft);
    op_name(op, "layer", layer);
    op_path(op, (const double(*)[2])at, 1);
    op_real(op, "radius", 14);
    op_real(op, "amount", amount);
    assert_true(brush_apply_all(draft, &op->variant, 1, &why));
    op_free(op);
    return ground_finish(draft, view, &change);
}

/* 2 x 1 components of 2 x 2 sections, each with paint of its own layers. */
static struct view *of_components(struct dice *dice)
{
    const struct layout layout = { { 2, 1 }, 2, 31 };
    struct settings *settings = settings_new(&layout);
    struct view *view;

    assert_true(settings && ops_paint_layers(settings));
    view = view_new(&settings, 7, 1, 32768);
    assert_non_null(view);
    for (int i = 0; i < 12; i++) {
        double at[2] = { i < 4 ? 20 + i : dice_real(dice, 80, 124), dice_real(dice, 0, 62) };

        view = dabbed(view, ops_paints[i % 2 ? 3 : i / 2 % 3], at, dice_real(dice, 40, 255));
    }
    return view;
}

static void weightmaps_hold_sections_with_their_inner_rows_twice(void **state)
{
    enum { V = 32, TEXELS = 2 * V };
    static uint8_t rgba[TEXELS * TEXELS * 4];
    struct dice dice = { 149 };
    struct view *view = of_components(&dice);
    int used = 0;

    (void)state;
    for (int32_t cx = 0; cx < 2; cx++) {
        uint16_t slots[WEIGHTS_LAYERS];

        component_slots(view, cx, 0, slots);
        component_weightmap(view, cx, 0, 0, rgba);
        for (int channel = 0; channel < 4; channel++) {
            int paint = OPS_PAINTS - 1;

            while (paint >= 0 && slots[paint] != 1 + channel)
                paint--;
            used += paint >= 0;
            for (int32_t i = 0; i < TEXELS * TEXELS; i++) {
                int32_t u = i % TEXELS, v = i / TEXELS;
                int32_t x = cx * 62 + u / V * 31 + u % V, y = v / V * 31 + v % V;

                assert_int_equal(rgba[4 * i + channel],
                                 paint < 0 ? 0 : ground_weight(view, paint, x, y));
            }
        }
        component_weightmap(view, cx, 0, 1, rgba); /* a fifth layer there is not */
        for (int32_t i = 0; i < TEXELS * TEXELS * 4; i++)
            assert_int_equal(rgba[i], 0);
    }
    assert_in_range(used, 5, 7);
    view_drop(view);
}

/* The whole pyramid, made plainly: planes of each level from those below. */
static void tiles_of_weights_are_parents_of_their_children(void **state)
{
    enum { SIDE = 512, LEVELS = 3 }; /* 300 x 200 vertices: 5 x 4 tiles, then 3 x 2, 2 x 1, 1 */
    struct dice dice = { 146 };
    struct view *view = ground_daubed(300, 200, &dice);
    const struct index_map_form form = { COVER_TILE_SIDE, COVER_TILE_CELL, OPS_PAINTS };
    static uint8_t level[SIDE * SIDE * OPS_PAINTS];

    (void)state;
    assert_int_equal(cover_tile_levels(view), 4);
    memset(level, 0, sizeof level);
    for (int paint = 0; paint < OPS_PAINTS - 1; paint++) /* the blended ones */
        cover_read(view, paint, view_rect(view), level + paint * SIDE * SIDE, SIDE);
    for (int l = 0; l <= LEVELS; l++) {
        int32_t side = SIDE >> l;

        for (int32_t y = 0; y < cover_tiles_down(view, l); y++) {
            for (int32_t x = 0; x < cover_tiles_across(view, l); x++) {
                uint8_t entries[COVER_ENTRY_BYTES], channels[COVER_CHANNEL_BYTES];
                static uint8_t planes[64 * 64 * OPS_PAINTS], again[64 * 64 * OPS_PAINTS];
                struct fault why = { 0 };

                assert_true(cover_tile(view, l, x, y, entries, channels, &why));
                index_map_decode(&form, entries, channels, again);
                for (int32_t i = 0; i < 64 * 64 * OPS_PAINTS; i++) {
                    int32_t paint = i / 4096, v = y * 64 + i % 4096 / 64, u = x * 64 + i % 64;

                    planes[i] = level[paint * SIDE * SIDE + v * SIDE + u];
                }
                {
                    uint8_t own_entries[COVER_ENTRY_BYTES], own_channels[COVER_CHANNEL_BYTES];

                    index_map_encode(&form, planes, own_entries, own_channels, NULL);
                    assert_memory_equal(entries, own_entries, sizeof entries);
                    assert_memory_equal(channels, own_channels, sizeof channels);
                }
            }
        }
        for (int32_t i = 0; i < side / 2 * (side / 2); i++) { /* the next level, in place */
            int32_t u = i % (side / 2), v = i / (side / 2);
            uint16_t parts[OPS_PAINTS];
            uint8_t shares[OPS_PAINTS];

            for (int paint = 0; paint < OPS_PAINTS; paint++) {
                const uint8_t *at = level + paint * SIDE * SIDE + 2 * v * SIDE + 2 * u;

                parts[paint] = (uint16_t)(at[0] + at[1] + at[SIDE] + at[SIDE + 1]);
            }
            weights_share(parts, OPS_PAINTS, 255, shares);
            for (int paint = 0; paint < OPS_PAINTS; paint++)
                level[paint * SIDE * SIDE + v * SIDE + u] = shares[paint];
        }
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cover_is_that_of_the_triangle),
        cmocka_unit_test(statistics_are_those_of_a_count),
        cmocka_unit_test(weightmaps_hold_sections_with_their_inner_rows_twice),
        cmocka_unit_test(tiles_of_weights_are_parents_of_their_children),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

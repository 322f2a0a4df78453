/* Brushes on weights against the reference, and what they keep. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/weights.h"
#include "terrain/edit/brush.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"
#include "tests/terrain/vectors.h"

static struct view *after(struct view *view, struct op *op, struct change *change)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    assert_non_null(draft);
    if (!brush_apply_all(draft, &op->variant, 1, &why))
        fail_msg("%s %s", why.place, why.detail);
    op_free(op);
    return ground_finish(draft, view, change);
}

static void refused(const struct view *view, struct op *op, enum fault_code code, const char *place)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    assert_non_null(draft);
    assert_false(brush_apply_all(draft, &op->variant, 1, &why));
    assert_int_equal(why.code, code);
    assert_string_equal(why.place, place);
    draft_free(draft);
    op_free(op);
}

static void dab(struct op *op, double x, double y, double radius)
{
    const double path[1][2] = { { x, y } };

    assert_true(op_path(op, path, 1));
    assert_true(op_real(op, "radius", radius));
}

static struct op *paint_op(const char *tool, const char *layer)
{
    struct op *op = op_new(tool);

    assert_non_null(op);
    assert_true(op_name(op, "layer", layer));
    return op;
}

/* The reference */

static void painting_is_that_of_the_reference(void **state)
{
    json_t *file = vectors_open("14_brushes"), *one;
    int32_t width = vectors_int(file, "w"), height = vectors_int(file, "h");
    const json_t *weights = json_object_get(file, "weights");
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "paint"), i, one)
    {
        const json_t *brush = json_object_get(one, "brush"), *out = json_object_get(one, "out");
        double amount = vectors_real(one, "amount");
        struct op *op =
            paint_op(amount < 0 ? "unpaint" : "paint", ops_paints[vectors_int(one, "layer")]);
        uint8_t *planes[OPS_PAINTS];
        struct change change;
        struct view *view;

        dab(op, vectors_real(brush, "x"), vectors_real(brush, "y"), vectors_real(brush, "radius"));
        op_real(op, "falloff", vectors_real(brush, "falloff"));
        op_word(op, "shape", json_string_value(json_object_get(brush, "kind")));
        op_real(op, "amount", fabs(amount));
        for (size_t paint = 0; paint < OPS_PAINTS; paint++) {
            planes[paint] = malloc((size_t)(width * height));
            for (size_t k = 0; k < (size_t)(width * height); k++)
                planes[paint][k] = (uint8_t)vectors_at(json_array_get(weights, paint), k);
        }
        view = after(ground_painted(width, height, planes), op, &change);
        for (int paint = 0; paint < OPS_PAINTS; paint++) {
            for (int32_t k = 0; k < width * height; k++)
                assert_int_equal(ground_weight(view, paint, k % width, k / width),
                                 vectors_at(json_array_get(out, (size_t)paint), (size_t)k));
            free(planes[paint]);
        }
        ground_assert_sound(view);
        view_drop(view);
    }
    assert_int_equal(i, 3);
    json_decref(file);
}

/* Each tool vertex by vertex */

/* What a vertex's weights come to when one layer is to have `asked`. */
static void expect_painted(const struct view *before, const struct view *now, int paint,
                           const uint8_t *asked)
{
    const bool blended[OPS_PAINTS] = { true, true, true, false };
    int32_t columns = view_rect(now).width;

    for (int32_t i = 0; i < columns * view_rect(now).height; i++) {
        uint8_t weights[OPS_PAINTS];
        int32_t x = i % columns, y = i / columns;

        for (int k = 0; k < OPS_PAINTS; k++)
            weights[k] = (uint8_t)ground_weight(before, k, x, y);
        if (weights[paint] != asked[i])
            weights_paint(weights, blended, OPS_PAINTS, paint, asked[i]);
        for (int k = 0; k < OPS_PAINTS; k++)
            assert_int_equal(ground_weight(now, k, x, y), weights[k]);
    }
}

static uint8_t rounded(double weight)
{
    weight = weight < 0 ? 0 : weight > 255 ? 255 : weight;
    return (uint8_t)(weight + 0.5);
}

/* 150 x 140 vertices, so that four blocks take part. */
enum { COLUMNS = 150, ROWS = 140, VERTICES = COLUMNS * ROWS };

static void a_target_is_gone_to_by_the_force_and_unpainting_only_goes_down(void **state)
{
    struct dice dice = { 141 };

    (void)state;
    for (int round = 0; round < 16; round++) {
        struct view *before = ground_daubed(COLUMNS, ROWS, &dice), *now;
        bool down = round % 2;
        int paint = round / 2 % OPS_PAINTS, target = dice_between(&dice, 0, 255);
        struct op *op = paint_op(down ? "unpaint" : "paint", ops_paints[paint]);
        static uint8_t asked[VERTICES];
        struct change change;

        dab(op, 120.3, 126.8, 60);
        op_word(op, "shape", "linear");
        op_real(op, "target", target);
        for (int32_t i = 0; i < VERTICES; i++) {
            double x = i % COLUMNS - 120.3, y = i / COLUMNS - 126.8;
            double force = falloff_at(FALLOFF_LINEAR, sqrt(x * x + y * y), 60, 0.5);
            int weight = ground_weight(before, paint, i % COLUMNS, i / COLUMNS);

            asked[i] = rounded(weight + (down && target > weight ? 0 : target - weight) * force);
        }
        now = after(view_hold(before), op, &change);
        expect_painted(before, now, paint, asked);
        ground_assert_sound(now);
        view_drop(before);
        view_drop(now);
    }
}

static void weights_are_smoothed_to_their_means(void **state)
{
    struct dice dice = { 142 };
    enum { REACH = 5 };

    (void)state;
    for (int paint = 0; paint < OPS_PAINTS; paint++) {
        struct view *before = ground_daubed(COLUMNS, ROWS, &dice), *now;
        struct op *op = paint_op("smooth", ops_paints[paint]);
        static uint8_t asked[VERTICES];
        struct change change;

        op_region(op, (struct rect){ 0, 0, COLUMNS, ROWS });
        op_integer(op, "kernel_radius", REACH);
        op_real(op, "strength", 0.75);
        for (int32_t i = 0; i < VERTICES; i++) {
            int32_t sum = 0, count = 0, weight;

            for (int32_t k = 0; k < (2 * REACH + 1) * (2 * REACH + 1); k++) {
                int32_t x = i % COLUMNS + k % (2 * REACH + 1) - REACH;
                int32_t y = i / COLUMNS + k / (2 * REACH + 1) - REACH;

                if (x < 0 || y < 0 || x >= COLUMNS || y >= ROWS)
                    continue;
                sum += ground_weight(before, paint, x, y);
                count++;
            }
            weight = ground_weight(before, paint, i % COLUMNS, i / COLUMNS);
            asked[i] = rounded(weight + (sum / (double)count - weight) * 0.75);
        }
        now = after(view_hold(before), op, &change);
        expect_painted(before, now, paint, asked);
        for (int32_t i = 0; i < VERTICES; i++)
            assert_int_equal(view_height(now, i % COLUMNS, i / COLUMNS), 32768);
        view_drop(before);
        view_drop(now);
    }
}

static void weights_are_flattened_to_a_target_or_to_what_is_picked(void **state)
{
    struct dice dice = { 143 };
    static const char *const modes[] = { "both", "raise", "lower" };

    (void)state;
    for (int round = 0; round < 9; round++) {
        struct view *before = ground_daubed(COLUMNS, ROWS, &dice), *now;
        struct op *op = paint_op("flatten", "rock");
        int target = round < 6 ? 100 : ground_weight(before, 1, 70, 71);
        static uint8_t asked[VERTICES];
        struct change change;

        dab(op, 70.2, 70.7, 300);
        op_real(op, "falloff", 0);
        op_real(op, "strength", 0.5);
        op_real(op, "target", round < 6 ? target : NAN);
        op_word(op, "mode", modes[round % 3]);
        for (int32_t i = 0; i < VERTICES; i++) {
            int weight = ground_weight(before, 1, i % COLUMNS, i / COLUMNS);
            bool goes = round % 3 == 0 || (round % 3 == 1) == (target > weight);

            asked[i] = goes ? rounded(weight + (target - weight) * 0.5) : (uint8_t)weight;
        }
        now = after(view_hold(before), op, &change);
        expect_painted(before, now, 1, asked);
        view_drop(before);
        view_drop(now);
    }
}

/* On the layer that is free, and on heights of the same noise: 1 m is 128 codes. */
static void noise_on_weights_is_that_on_heights(void **state)
{
    struct op *ops[2] = { op_new("noise"), paint_op("noise", "wet") };
    struct view *views[2];
    struct change change;

    (void)state;
    for (int i = 0; i < 2; i++) {
        op_region(ops[i], (struct rect){ 0, 0, COLUMNS, ROWS });
        op_real(ops[i], "amplitude", i ? 200 : 200 / 128.0);
        op_real(ops[i], "cell", 9);
        op_integer(ops[i], "octaves", 3);
        views[i] = after(ground_flat(COLUMNS, ROWS, 32768), ops[i], &change);
    }
    for (int32_t i = 0; i < VERTICES; i++) {
        int height = view_height(views[0], i % COLUMNS, i / COLUMNS) - 32768;

        assert_int_equal(ground_weight(views[1], 3, i % COLUMNS, i / COLUMNS), height < 0 ? 0
                                                                               : height > 255
                                                                                   ? 255
                                                                                   : height);
    }
    view_drop(views[0]);
    view_drop(views[1]);
}

static void steep(struct op *op)
{
    struct variant mask = mask_new(&op->arena, "slope");

    mask_real(&mask, "from", 30);
    mask_real(&mask, "to", 90);
    assert_true(op_mask(op, mask));
}

static void a_rule_paints_where_its_mask_is(void **state)
{
    struct view *view = ground_flat(64, 64, 32768);
    struct op *op = op_new("raise");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    (void)state;
    dab(op, 32, 32, 20);
    op_real(op, "amount", 40);
    assert_true(brush_apply_all(draft, &op->variant, 1, &why));
    op_free(op);
    view = ground_finish(draft, view, &change);
    for (int i = 0; i < 2; i++) { /* grass everywhere, then the rule */
        op = paint_op("paint", i ? "rock" : "grass");
        op_region(op, (struct rect){ 0, 0, 64, 64 });
        op_real(op, "target", 255);
        if (i)
            steep(op);
        view = after(view, op, &change);
    }
    assert_int_equal(ground_weight(view, 1, 32, 32), 0); /* the level top */
    assert_int_equal(ground_weight(view, 0, 32, 32), 255);
    assert_int_equal(ground_weight(view, 1, 32, 17), 255); /* the steep side */
    assert_int_equal(ground_weight(view, 0, 32, 17), 0);
    assert_int_equal(ground_weight(view, 1, 2, 2), 0);
    view_drop(view);
}

static void what_paint_needs_is_said(void **state)
{
    struct view *view = ground_flat(64, 64, 32768);
    struct op *op = paint_op("paint", "gras");

    (void)state;
    dab(op, 9, 9, 3);
    op_real(op, "amount", 9);
    refused(view, op, FAULT_MISSING, "/0/layer");
    op = paint_op("paint", "grass");
    dab(op, 9, 9, 3);
    refused(view, op, FAULT_INPUT, "/0/amount");
    op = paint_op("unpaint", "grass");
    dab(op, 9, 9, 3);
    op_real(op, "amount", 9);
    op_real(op, "target", 9);
    refused(view, op, FAULT_INPUT, "/0/target");
    op = paint_op("flatten", "grass");
    dab(op, 9, 9, 3);
    op_real(op, "target", 256);
    refused(view, op, FAULT_INPUT, "/0/target");
    op = paint_op("flatten", "grass");
    dab(op, 9, 9, 3);
    op_real(op, "terrace", 5);
    refused(view, op, FAULT_INPUT, "/0/target");
    op = paint_op("flatten", "grass");
    dab(op, -9, 9, 30);
    op_real(op, "target", NAN);
    refused(view, op, FAULT_IMPOSSIBLE, "/0/target");
    op = paint_op("smooth", "sand");
    dab(op, 9, 9, 3);
    refused(view, op, FAULT_MISSING, "/0/layer");
    view_drop(view);
}

/* Layers that give way cost more than one that is free. */
static void other_layers_count_among_the_work(void **state)
{
    struct dice dice = { 150 };
    struct view *view = ground_daubed(64, 64, &dice);

    (void)state;
    for (int free_one = 0; free_one < 2; free_one++) {
        struct op *op = paint_op("paint", ops_paints[free_one ? 3 : 0]);
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);

        op_region(op, (struct rect){ 0, 0, 64, 64 });
        op_real(op, "amount", 9);
        draft_limit(draft, 64 * 64 + 500); /* the others: 2 x (64 + 64 x 64 / 8) */
        assert_int_equal(brush_apply_all(draft, &op->variant, 1, &why), free_one);
        assert_int_equal(why.code, free_one ? FAULT_NONE : FAULT_LIMIT);
        draft_free(draft);
        op_free(op);
    }
    view_drop(view);
}

/* Edit layers */

/* The same with two edit layers above base. */
static struct view *layered(struct view *view)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct settings *settings = settings_copy(view->settings);
    struct stack *stack = stack_copy(settings->stack);
    struct change change;

    assert_non_null(stack_add_edit(stack, "middle", &why));
    assert_non_null(stack_add_edit(stack, "top", &why));
    stack_drop(settings->stack);
    settings->stack = stack;
    assert_true(draft_settings(draft, &settings, &why));
    return ground_finish(draft, view, &change);
}

static struct view *after_on(struct view *view, const char *layer, const struct op *op)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_true(draft_layer(draft, layer, &why));
    if (!brush_apply_all(draft, &op->variant, 1, &why))
        fail_msg("%s %s", why.place, why.detail);
    return ground_finish(draft, view, &change);
}

static int brush_of(const char *name)
{
    int brush = 0;

    while (strcmp(brushes[brush]->name, name) != 0)
        brush++;
    return brush;
}

static bool paints(int brush)
{
    static const char *const tools[] = { "paint", "unpaint", "smooth", "flatten", "noise" };

    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (strcmp(brushes[brush]->name, tools[i]) == 0)
            return true;
    }
    return false;
}

/* What is painted on the topmost layers in turn looks as if it had been painted on the ground: a
 * layer takes away what it must of those below. */
static void paint_on_upper_layers_looks_like_paint_on_the_ground(void **state)
{
    struct dice dice = { 147 };

    (void)state;
    for (int round = 0; round < 8; round++) {
        struct view *plain = ground_daubed(COLUMNS, ROWS, &dice), *high = layered(view_hold(plain));

        for (int step = 0; step < 12; step++) {
            int brush = dice_between(&dice, 0, brush_count - 1);
            struct op *op;

            while (!paints(brush))
                brush = dice_between(&dice, 0, brush_count - 1);
            op = op_random(brush, view_rect(plain), &dice);
            op_mask(op, (struct variant){ 0, NULL });
            plain = after_on(plain, "base", op);
            high = after_on(high, step < 4 ? "base" : step < 8 ? "middle" : "top", op);
            op_free(op);
            ground_assert_sound(high);
            for (int32_t i = 0; i < VERTICES; i++) {
                for (int paint = 0; paint < OPS_PAINTS; paint++)
                    assert_int_equal(ground_weight(high, paint, i % COLUMNS, i / COLUMNS),
                                     ground_weight(plain, paint, i % COLUMNS, i / COLUMNS));
            }
        }
        view_drop(plain);
        view_drop(high);
    }
}

/* Below others, on layers of any alpha, sums stay whole. */
static void sums_stay_whole_under_any_layers(void **state)
{
    struct dice dice = { 148 };
    static const char *const names[] = { "base", "middle", "top" };

    (void)state;
    for (int round = 0; round < 6; round++) {
        struct view *view = layered(ground_daubed(COLUMNS, ROWS, &dice));
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);
        struct settings *settings = settings_copy(view->settings);
        struct stack *stack = stack_copy(settings->stack);
        struct change change;

        stack->edits[1].alpha = dice_real(&dice, 0, 1);
        stack->edits[2].alpha = dice_real(&dice, 0, 1);
        stack_drop(settings->stack);
        settings->stack = stack;
        assert_true(draft_settings(draft, &settings, &why));
        view = ground_finish(draft, view, &change);
        for (int step = 0; step < 10; step++) {
            struct op *op =
                op_random(dice_between(&dice, 0, 1) ? brush_of("paint") : brush_of("unpaint"),
                          view_rect(view), &dice);

            op_mask(op, (struct variant){ 0, NULL });
            view = after_on(view, names[dice_between(&dice, 0, 2)], op);
            ground_assert_sound(view);
            op_free(op);
        }
        view_drop(view);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(painting_is_that_of_the_reference),
        cmocka_unit_test(a_target_is_gone_to_by_the_force_and_unpainting_only_goes_down),
        cmocka_unit_test(weights_are_smoothed_to_their_means),
        cmocka_unit_test(weights_are_flattened_to_a_target_or_to_what_is_picked),
        cmocka_unit_test(noise_on_weights_is_that_on_heights),
        cmocka_unit_test(a_rule_paints_where_its_mask_is),
        cmocka_unit_test(what_paint_needs_is_said),
        cmocka_unit_test(other_layers_count_among_the_work),
        cmocka_unit_test(paint_on_upper_layers_looks_like_paint_on_the_ground),
        cmocka_unit_test(sums_stay_whole_under_any_layers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

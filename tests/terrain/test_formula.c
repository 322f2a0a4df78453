/* Formulas: what they come to, worked out again by a tree of numbers, and what is refused where. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/power.h"
#include "terrain/core/block.h"
#include "terrain/edit/formula.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

/* The formula's value where x is 3, y 4, c 5, r 6, h 7, slope 8, aspect 9, curvature 10, and every
 * weight 200. */
static double worked_out(const char *text)
{
    static const double of[FORMULA_VARIABLES] = { 3, 4, 5, 6, 7, 8, 9, 10 };
    static const uint8_t weight[1] = { 200 };
    struct fault why = { 0 };
    struct formula *formula = formula_new(text, &why);
    struct formula_rows rows;
    double value;

    if (!formula)
        fail_msg("%s: %s", text, why.detail);
    for (int i = 0; i < FORMULA_VARIABLES; i++)
        rows.variables[i] = &of[i];
    for (int i = 0; i < FORMULA_LAYERS_MOST; i++)
        rows.weights[i] = weight;
    formula_row(formula, &rows, 1, &value);
    formula_free(formula);
    return value;
}

static void every_sign_and_name_means_what_it_says(void **state)
{
    static const struct {
        const char *text;
        double value;
    } formulas[] = {
        { "1", 1 },
        { " .5 ", 0.5 },
        { "2.", 2 },
        { "1e3", 1000 },
        { "1.5E-2", 0.015 },
        { "x", 3 },
        { "y", 4 },
        { "c", 5 },
        { "r", 6 },
        { "h", 7 },
        { "slope", 8 },
        { "aspect", 9 },
        { "curvature", 10 },
        { "pi", 3.14159265358979323846 },
        { "e", 2.71828182845904523536 },
        { "w(\"rock\")", 200 },
        { "w('rock') + w('snow')", 400 },
        { "1+2*3", 7 },
        { "(1+2)*3", 9 },
        { "10-4-3", 3 },
        { "24/4/2", 3 },
        { "7%3", 1 },
        { "-7%3", 2 },
        { "7%-3", -2 },
        { "2^3^2", 512 },
        { "-2^2", -4 },
        { "(-2)^2", 4 },
        { "2^-1", 0.5 },
        { "9^0.5", 3 },
        { "--3", 3 },
        { "-+-3", 3 },
        { "!0", 1 },
        { "!3", 0 },
        { "!!3", 1 },
        { "1<2", 1 },
        { "2<1", 0 },
        { "2<=2", 1 },
        { "2>=3", 0 },
        { "3>2", 1 },
        { "2==2", 1 },
        { "2!=2", 0 },
        { "1<2 && 0", 0 },
        { "0 || 2", 1 },
        { "1 || 0 && 0", 1 },
        { "1 ? 2 : 3", 2 },
        { "0 ? 2 : 3", 3 },
        { "0 ? 1 : 0 ? 2 : 5", 5 },
        { "1 + 1 ? 2 : 3", 2 },
        { "(1 ? 2 : 3) * 4", 8 },
        { "abs(-3)", 3 },
        { "sign(-3) + sign(0) + sign(4)", 0 },
        { "floor(-1.5)", -2 },
        { "ceil(-1.5)", -1 },
        { "round(2.5)", 3 },
        { "sqrt(16)", 4 },
        { "exp(0)", 1 },
        { "log(e)", 1 },
        { "sin(pi / 2)", 1 },
        { "cos(0)", 1 },
        { "min(3, 1, 2)", 1 },
        { "max(3, 1, 2, 9)", 9 },
        { "clamp(5, 0, 3)", 3 },
        { "clamp(-5, 0, 3)", 0 },
        { "lerp(10, 20, 0.25)", 12.5 },
        { "step(2, 2)", 1 },
        { "step(2, 1.9)", 0 },
        { "smoothstep(0, 10, 5)", 0.5 },
        { "smoothstep(0, 10, 11)", 1 },
        { "smoothstep(10, 0, 2.5)", 0.84375 },
        { "smoothstep(2, 2, 1)", 0 },
        { "smoothstep(2, 2, 2)", 1 },
        { "noise(3, 4) == noise(3, 4, 0)", 1 },
        { "noise(3.5, 4, 1) != noise(3.5, 4, 2)", 1 },
        { "abs(noise(x * 7.3, y / 3, 9)) <= 1", 1 },
        { "h\t+\n1\r", 8 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        double value = worked_out(formulas[i].text);

        if (!(fabs(value - formulas[i].value) <= 1e-12))
            fail_msg("%s is %.17g, not %.17g", formulas[i].text, value, formulas[i].value);
    }
}

static void what_has_no_value_is_nan_or_infinite(void **state)
{
    static const char *const nans[] = { "0/0",
                                        "sqrt(-1)",
                                        "log(-1)",
                                        "(-8)^0.3",
                                        "min(0/0, 1)",
                                        "max(1, 0/0)",
                                        "5 % 0",
                                        "1 ? 0/0 : 1",
                                        "smoothstep(0, 1, 0/0)",
                                        "noise(1e300, 0)",
                                        "noise(0, 0, -1e10)" };

    (void)state;
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++)
        if (!isnan(worked_out(nans[i])))
            fail_msg("%s has a value", nans[i]);
    assert_true(isinf(worked_out("1/0")));
    assert_true(isinf(worked_out("exp(1e5)")));
    assert_true(isinf(worked_out("min(1/0, 1/0)")));
    assert_true(worked_out("0 ? 0/0 : 1") == 1); /* the arm that is not taken does no harm */
    assert_true(worked_out("(0/0 < 1) + (0/0 >= 1) + (0/0 == 0/0)") == 0);
    assert_true(worked_out("0/0 != 0/0") == 1);
}

/* Random formulas: the text, and what it comes to by the C library. */

struct grown {
    char text[4000];
    size_t length;
    double value;
};

static void grow(struct grown *grown, struct dice *dice, int depth);

static void say(struct grown *grown, const char *text)
{
    size_t length = strlen(text);

    assert_true(grown->length + length < sizeof grown->text);
    memcpy(grown->text + grown->length, text, length + 1);
    grown->length += length;
}

static double grow_number(struct grown *grown, struct dice *dice)
{
    char number[32];

    snprintf(number, sizeof number, "%.3f", dice_real(dice, 0, 9));
    say(grown, number);
    return strtod(number, NULL);
}

static void grow_pair(struct grown *grown, struct dice *dice, int depth)
{
    static const char *const signs[] = { " + ", "-", "*", "/", "<", ">=", "&&", "||" };
    int sign = dice_between(dice, 0, 7);
    double a, b;

    say(grown, "(");
    grow(grown, dice, depth);
    a = grown->value;
    say(grown, signs[sign]);
    grow(grown, dice, depth);
    b = grown->value;
    say(grown, ")");
    switch (sign) {
    case 0:
        grown->value = a + b;
        break;
    case 1:
        grown->value = a - b;
        break;
    case 2:
        grown->value = a * b;
        break;
    case 3:
        grown->value = a / b;
        break;
    case 4:
        grown->value = a < b;
        break;
    case 5:
        grown->value = a >= b;
        break;
    case 6:
        grown->value = a != 0 && b != 0;
        break;
    default:
        grown->value = a != 0 || b != 0;
        break;
    }
}

static void grow_call(struct grown *grown, struct dice *dice, int depth)
{
    static const char *const names[] = { "abs(", "floor(", "-(", "!(", "min(", "max(", "lerp(" };
    int which = dice_between(dice, 0, 6), count = which < 4 ? 1 : which < 6 ? 2 : 3;
    double v[3] = { 0 };

    say(grown, names[which]);
    for (int i = 0; i < count; i++) {
        say(grown, i ? ", " : "");
        grow(grown, dice, depth);
        v[i] = grown->value;
    }
    say(grown, ")");
    grown->value = which == 0   ? fabs(v[0])
                   : which == 1 ? floor(v[0])
                   : which == 2 ? -v[0]
                   : which == 3 ? v[0] == 0
                   : which == 4 ? fmin(v[0], v[1])
                   : which == 5 ? fmax(v[0], v[1])
                                : v[0] + (v[1] - v[0]) * v[2];
    if (which >= 4 && which <= 5 && (isnan(v[0]) || isnan(v[1])))
        grown->value = NAN;
}

static void grow_choice(struct grown *grown, struct dice *dice, int depth)
{
    double arms[2];
    bool first;

    say(grown, "(");
    grow(grown, dice, depth);
    first = grown->value != 0;
    for (int arm = 0; arm < 2; arm++) {
        say(grown, arm ? " : " : " ? ");
        grow(grown, dice, depth);
        arms[arm] = grown->value;
    }
    say(grown, ")");
    grown->value = first ? arms[0] : arms[1];
}

static void grow(struct grown *grown, struct dice *dice, int depth)
{
    int way = depth > 0 ? dice_between(dice, 0, 9) : 0;

    if (way < 2)
        grown->value = grow_number(grown, dice);
    else if (way < 3) {
        say(grown, "h");
        grown->value = 7;
    } else if (way < 7)
        grow_pair(grown, dice, depth - 1);
    else if (way < 9)
        grow_call(grown, dice, depth - 1);
    else
        grow_choice(grown, dice, depth - 1);
}

static void random_formulas_come_to_what_c_makes_of_them(void **state)
{
    struct dice dice = { 51 };
    int told = 0;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct grown grown = { .length = 0 };
        double value;

        grow(&grown, &dice, dice_between(&dice, 1, 5));
        value = worked_out(grown.text);
        if (isnan(grown.value) ? !isnan(value) : value != grown.value)
            fail_msg("%s is %.17g, not %.17g", grown.text, value, grown.value);
        told += !isnan(value);
    }
    assert_true(told > 2000);
}

static void what_is_no_formula_is_refused_where_it_stops_being_one(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        { "", "at character 1: a value is missing; the end stands there" },
        { "1 +", "at character 4: a value is missing" },
        { "h + * 2", "at character 5: a value is missing; \"*\"" },
        { "(1 + 2", "at character 7: \")\" is missing; the end" },
        { "1 2", "at character 3: the formula has ended, but \"2\" follows" },
        { "h $ 2", "at character 3: the formula has ended" },
        { "hh", "at character 1: there is no hh" },
        { "1 + slop", "at character 5: there is no slop; did you mean slope?" },
        { "smothstep(0,1,h)", "did you mean smoothstep?" },
        { "sin", "at character 4: \"(\" is missing" },
        { "sin()", "at character 5: a value is missing" },
        { "sin(1, 2)", "at character 1: sin takes at most 1" },
        { "clamp(1, 2)", "at character 1: clamp takes at least 3 values, not 2" },
        { "min(1)", "takes at least 2" },
        { "1 ? 2", "at character 6: \":\" is missing" },
        { "1 < 2 < 3", "at character 7: the formula has ended" },
        { "1e", "at character 1: this is no number" },
        { "1.2.3", "at character 1: this is no number" },
        { "0x10", "at character 1: this is no number" },
        { "1e999", "at character 1: the number 1e999 is too large" },
        { ".", "at character 1: this is no number" },
        { "w(rock)", "at character 3: w takes a paint layer's name in quotes" },
        { "w('rock)", "at character 4: a layer's name has 1 to 64 letters and ends with '" },
        { "w('')", "1 to 64 letters" },
        { "h = 2", "at character 3: the formula has ended, but \"=\" follows" },
        { "h\x01", "at character 2: the formula has ended, but \"?\" follows" },
        { "\xc3\xa9", "at character 1: a value is missing; \"?\"" },
        { "x; y", "at character 2" },
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a name of 43 letters" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fault why = { 0 };

        assert_null(formula_new(wrong[i].text, &why));
        assert_int_equal(why.code, FAULT_INPUT);
        if (!strstr(why.detail, wrong[i].says))
            fail_msg("%s: %s", wrong[i].text, why.detail);
    }
}

static void assert_limited(const char *text, const char *says)
{
    struct fault why = { 0 };

    assert_null(formula_new(text, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    if (!strstr(why.detail, says))
        fail_msg("%s", why.detail);
}

static void length_depth_and_steps_are_bounded(void **state)
{
    static char text[9000];
    struct fault why = { 0 };
    struct formula *formula;

    (void)state;
    memset(text, '(', 3000);
    assert_limited(text, "32 brackets");
    memset(text, '-', 3000);
    assert_limited(text, "brackets");
    memset(text, ' ', 4097);
    assert_limited(text, "4096 characters");
    memset(text, 0, sizeof text);
    for (int i = 0; i < 257; i++)
        strcat(text, i ? "+1" : "1");
    assert_limited(text, "512 steps");
    text[511] = '\0'; /* 256 numbers, 255 sums */
    formula = formula_new(text, &why);
    assert_non_null(formula);
    assert_int_equal(formula_steps(formula), 511);
    formula_free(formula);
    memset(text, 0, sizeof text);
    for (int i = 0; i < 30; i++)
        strcat(text, "(1+");
    strcat(text, "1");
    for (int i = 0; i < 30; i++)
        strcat(text, ")");
    assert_true(worked_out(text) == 31);
    memset(text, 0, sizeof text);
    for (int i = 0; i < 17; i++)
        snprintf(text + strlen(text), 20, "%sw('l%d')", i ? "+" : "", i);
    assert_limited(text, "16 layers");
    memset(text, 0, sizeof text);
    for (int i = 0; i < 25; i++)
        strcat(text, "lerp(1,1,");
    assert_limited(text, "values at once");
}

static void a_row_is_worked_out_vertex_by_vertex(void **state)
{
    struct fault why = { 0 };
    struct formula *formula = formula_new("c > 40 ? sqrt(h) * w('a') : noise(c / 3, r, 5)", &why);
    double columns[BLOCK_SIDE], heights[BLOCK_SIDE], values[BLOCK_SIDE];
    double row[BLOCK_SIDE], one;
    uint8_t weights[BLOCK_SIDE];
    struct formula_rows rows = {
        .variables = { [FORMULA_c] = columns, [FORMULA_h] = heights, [FORMULA_r] = row },
        .weights = { weights }
    };

    (void)state;
    assert_non_null(formula);
    assert_true(formula_reads(formula, FORMULA_c) && formula_reads(formula, FORMULA_h));
    assert_false(formula_reads(formula, FORMULA_slope));
    assert_int_equal(formula_layers(formula), 1);
    assert_string_equal(formula_layer(formula, 0), "a");
    for (int i = 0; i < BLOCK_SIDE; i++) {
        columns[i] = i;
        heights[i] = i * 3.5;
        weights[i] = (uint8_t)(i * 2);
        row[i] = 2;
    }
    formula_row(formula, &rows, BLOCK_SIDE, values);
    for (int i = 0; i < BLOCK_SIDE; i++) {
        struct formula_rows single = { .variables = { [FORMULA_c] = columns + i,
                                                      [FORMULA_h] = heights + i,
                                                      [FORMULA_r] = row + i },
                                       .weights = { weights + i } };

        formula_row(formula, &single, 1, &one);
        assert_true(one == values[i]);
        if (i > 40)
            assert_true(one == sqrt(i * 3.5) * (i * 2));
    }
    formula_free(formula);
}

/* The tool */

static struct view *applied(const struct view *view, const struct op *op)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    draft_lend(draft, &mask_sources);
    if (!brush_apply_all(draft, &op->variant, 1, &why))
        fail_msg("%s %s", why.place, why.detail);
    return ground_finish(draft, view_hold(view), &change);
}

static void heights_become_what_the_expression_says(void **state)
{
    struct view *view = ground_rough(140, 130, 4), *changed;
    struct op *op = op_new("expression");
    const struct grid *grid = view_grid(view);

    (void)state;
    view->settings->grid.origin[0] = 100;
    view->settings->grid.scale[1] = 2;
    op_text(op, "expression", "h / 2 + x / 10 - y + (c % 2 == 0 ? 3 : 0)");
    op_region(op, (struct rect){ 10, 20, 120, 100 });
    changed = applied(view, op);
    for (int32_t i = 0; i < 140 * 130; i++) {
        int32_t x = i % 140, y = i / 140;
        double h = grid_metres(grid, view_height(view, x, y));
        double to = h / 2 + (100 + x) / 10.0 - 2 * y + (x % 2 == 0 ? 3 : 0);
        bool inside = x >= 10 && y >= 20 && x < 130 && y < 120;

        if (inside)
            assert_float_equal(view_height(changed, x, y),
                               fmin(fmax(grid_code(grid, to), 0), 65535), 0.5001);
        else
            assert_int_equal(view_height(changed, x, y), view_height(view, x, y));
    }
    view_drop(changed);
    op_free(op);
    view_drop(view);
}

static void where_an_expression_has_no_value_the_ground_stays(void **state)
{
    struct view *view = ground_rough(64, 64, 4), *changed;
    struct op *op = op_new("expression");

    (void)state;
    op_text(op, "expression", "c < 20 ? 0/0 : c < 40 ? 1/(r - r) : 12");
    op_region(op, view_rect(view));
    changed = applied(view, op);
    for (int32_t i = 0; i < 64 * 64; i++) {
        int32_t x = i % 64, y = i / 64;

        assert_int_equal(view_height(changed, x, y),
                         x < 40 ? view_height(view, x, y) : 32768 + 12 * 128);
    }
    view_drop(changed);
    op_free(op);
    view_drop(view);
}

/* Every vertex reads what was there before the dab, also its neighbours' slope and the weights. */
static void an_expression_reads_the_ground_from_before_its_dab(void **state)
{
    uint16_t *heights = malloc(64 * 64 * sizeof *heights);
    struct view *view, *changed;
    struct op *op = op_new("expression");

    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        heights[i] = (uint16_t)(20000 + i % 64 * 128); /* 45 degrees, falling west */
    view = ground_of(64, 64, heights);
    op_text(op, "expression", "slope == 45 && aspect == 270 && curvature == 0 ? -100 : 100");
    op_region(op, view_rect(view));
    changed = applied(view, op);
    for (int32_t i = 0; i < 64 * 64; i++)
        assert_int_equal(view_height(changed, i % 64, i / 64), 32768 - 12800);
    view_drop(changed);
    op_free(op);
    view_drop(view);
    free(heights);
}

static void an_expression_can_weigh_a_paint_layer(void **state)
{
    struct view *view = ground_rough(64, 64, 4), *changed;
    struct op *op = op_new("expression");
    uint32_t rock = view->settings->stack->paints[1].id, wet = view->settings->stack->paints[3].id;

    (void)state;
    op_text(op, "expression", "c * 3.5");
    op_name(op, "layer", "wet"); /* which no other layer gives way to */
    op_region(op, view_rect(view));
    changed = applied(view, op);
    view_drop(view);
    view = changed;
    op_text(op, "expression", "w('wet') > 100 ? h : 255 - w('wet')");
    op_name(op, "layer", "rock");
    changed = applied(view, op);
    for (int32_t i = 0; i < 64 * 64; i++) {
        int32_t x = i % 64, y = i / 64;
        double weight = tree_value(view_weights(changed, wet), x, y);
        double h = grid_metres(view_grid(view), view_height(view, x, y));

        assert_int_equal(weight, fmin(floor(x * 3.5 + 0.5), 255));
        assert_int_equal(view_height(changed, x, y), view_height(view, x, y));
        /* alone among the blended it is all or nothing */
        assert_true(tree_value(view_weights(changed, rock), x, y) ==
                    (weight > 100 ? floor(fmin(fmax(h, 0), 255) + 0.5) > 0 ? 255 : 0 : 255));
    }
    view_drop(changed);
    op_free(op);
    view_drop(view);
}

static void what_is_wrong_is_told_at_its_member(void **state)
{
    static const struct {
        const char *text, *says;
        enum fault_code code;
    } wrong[] = {
        { "h +", "at character 4", FAULT_INPUT },
        { "w('rok')", "rock", FAULT_MISSING },
    };
    struct view *view = ground_flat(64, 64, 9);

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct op *op = op_new("expression");
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);

        op_text(op, "expression", wrong[i].text);
        op_region(op, view_rect(view));
        assert_false(brush_apply_all(draft, &op->variant, 1, &why));
        assert_int_equal(why.code, wrong[i].code);
        assert_string_equal(why.place, "/0/expression");
        assert_non_null(strstr(why.detail, wrong[i].says));
        draft_free(draft);
        op_free(op);
    }
    view_drop(view);
}

static void long_expressions_cost_more(void **state)
{
    struct view *view = ground_flat(64, 64, 9);
    struct op *op = op_new("expression");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    (void)state;
    op_text(op, "expression", "h+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1");
    op_region(op, view_rect(view));
    draft_limit(draft, 4 * 64 * 64);
    assert_false(brush_apply_all(draft, &op->variant, 1, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    draft_free(draft);
    op_free(op);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sign_and_name_means_what_it_says),
        cmocka_unit_test(what_has_no_value_is_nan_or_infinite),
        cmocka_unit_test(random_formulas_come_to_what_c_makes_of_them),
        cmocka_unit_test(what_is_no_formula_is_refused_where_it_stops_being_one),
        cmocka_unit_test(length_depth_and_steps_are_bounded),
        cmocka_unit_test(a_row_is_worked_out_vertex_by_vertex),
        cmocka_unit_test(heights_become_what_the_expression_says),
        cmocka_unit_test(where_an_expression_has_no_value_the_ground_stays),
        cmocka_unit_test(an_expression_reads_the_ground_from_before_its_dab),
        cmocka_unit_test(an_expression_can_weigh_a_paint_layer),
        cmocka_unit_test(what_is_wrong_is_told_at_its_member),
        cmocka_unit_test(long_expressions_cost_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

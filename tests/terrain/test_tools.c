/* Sharpen, contrast, clone and mirror against slow recounts of their own. */
#include "tests/terrain/tooling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sharpen, contrast ---- */

static double mean_around(const struct view *view, int32_t x, int32_t y, int32_t r, bool gauss)
{
    double sum = 0, weights = 0, sigma = r / 2.0;

    for (int32_t j = y - r; j <= y + r; j++) {
        for (int32_t i = x - r; i <= x + r; i++) {
            double square = (i - x) * (i - x) + (j - y) * (j - y);
            double weight = gauss ? exp(-square / (2 * sigma * sigma)) : 1;

            if (i < 0 || j < 0 || i >= view_rect(view).width || j >= view_rect(view).height)
                continue;
            sum += weight * view_height(view, i, j);
            weights += weight;
        }
    }
    return sum / weights;
}

static double sharpened(const struct view *before, const struct op *op, int32_t x, int32_t y,
                        double f)
{
    double h = view_height(before, x, y);
    bool gauss = ((const struct where *)op->variant.members)->path.count > 0;

    return h + (h - mean_around(before, x, y, 5, gauss)) * f * 0.75;
}

static void sharpening_goes_away_from_the_mean(void **state)
{
    struct view *before = ground_rough(150, 140, 4);

    (void)state;
    for (int gauss = 0; gauss < 2; gauss++) {
        struct op *op = gauss ? tool_on_dab("sharpen", 120.3, 110.7, 45)
                              : tool_on_region("sharpen", (struct rect){ 3, 0, 147, 133 });

        op_integer(op, "kernel_radius", 5);
        op_word(op, "kernel", gauss ? "gauss" : "box");
        op_real(op, "strength", 0.75);
        tool_assert(before, op, NULL, sharpened);
    }
    view_drop(before);
}

static double level; /* code, of the recount at hand */

static double stretched(const struct view *before, const struct op *op, int32_t x, int32_t y,
                        double f)
{
    double h = view_height(before, x, y);

    (void)op;
    return h + (h - level) * f * 1.25;
}

static void contrast_is_about_a_level_or_the_mean_by_force(void **state)
{
    struct view *before = ground_rough(150, 140, 5);
    struct op *op = tool_on_dab("contrast", 127.5, 100.25, 38);
    double forces = 0, sum = 0;

    (void)state;
    for (int32_t i = 0; i < 150 * 140; i++) {
        double f = tool_force(op, before, i % 150, i / 150);

        forces += f;
        sum += f * view_height(before, i % 150, i / 150);
    }
    level = sum / forces;
    op_real(op, "factor", 2.25);
    tool_assert(before, op, NULL, stretched);
    level = 32768 + 12 * 128;
    op = tool_on_region("contrast", (struct rect){ 100, 20, 50, 100 });
    op_real(op, "factor", 2.25);
    op_real(op, "level", 12);
    tool_assert(before, op, NULL, stretched);
    view_drop(before);
}

static void contrast_of_none_levels_to_the_mean(void **state)
{
    struct view *before = ground_rough(90, 80, 6), *after;
    struct op *op = tool_on_region("contrast", (struct rect){ 0, 0, 90, 80 });
    double sum = 0;

    (void)state;
    op_real(op, "factor", 0);
    after = tool_done(before, op, NULL);
    for (int32_t i = 0; i < 7200; i++)
        sum += view_height(before, i % 90, i / 90);
    for (int32_t i = 0; i < 7200; i++)
        assert_int_equal(view_height(after, i % 90, i / 90), tool_rested(sum / 7200));
    view_drop(before);
    view_drop(after);
}

/* ---- clone ---- */

/* Blended from the four vertices around; NaN off the landscape. */
static double blended(const struct view *view, double x, double y)
{
    int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    double sum = 0;

    if (x < 0 || y < 0 || x > view_rect(view).width - 1 || y > view_rect(view).height - 1)
        return NAN;
    for (int32_t c = 0; c < 4; c++) {
        double weight = (c & 1 ? x - i : 1 - (x - i)) * (c & 2 ? y - j : 1 - (y - j));

        if (weight > 0)
            sum += weight * view_height(view, i + (c & 1), j + (c >> 1));
    }
    return sum;
}

static double shifted[2];

static double cloned(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    double h = view_height(before, x, y), to = blended(before, x + shifted[0], y + shifted[1]);

    (void)op;
    return isnan(to) ? h : h + (to - h) * f;
}

static void a_clone_is_what_lay_at_its_source(void **state)
{
    struct view *before = ground_rough(200, 180, 7);
    static const double froms[][2] = { { 20, 30 }, { 61.25, 122.5 }, { 199, 0 }, { 118, 105 } };

    (void)state;
    for (size_t i = 0; i < sizeof froms / sizeof *froms; i++) {
        struct op *op = tool_on_dab("clone", 126, 100, 40);

        shifted[0] = froms[i][0] - 126;
        shifted[1] = froms[i][1] - 100;
        op_point(op, "from", froms[i]);
        tool_assert(before, op, NULL, cloned);
        op = tool_on_region("clone", (struct rect){ 126, 100, 70, 40 });
        op_point(op, "from", froms[i]);
        tool_assert(before, op, NULL, cloned);
    }
    view_drop(before);
}

static double cloned_upon(const struct view *before, const struct op *op, int32_t x, int32_t y,
                          double f)
{
    double h = view_height(before, x, y), to = blended(before, x + shifted[0], y + shifted[1]);
    double rise = blended(before, 126, 100) - blended(before, 126 + shifted[0], 100 + shifted[1]);

    (void)op;
    return isnan(to) ? h : h + (to + rise - h) * f * 0.5;
}

static void a_relative_clone_keeps_the_height_of_its_ground(void **state)
{
    const double from[2] = { 20.5, 30 }, outside[2] = { -3, 30 };
    struct view *before = ground_rough(200, 180, 8);
    struct op *op = tool_on_dab("clone", 126, 100, 40);

    (void)state;
    shifted[0] = from[0] - 126;
    shifted[1] = from[1] - 100;
    op_point(op, "from", from);
    op_word(op, "heights", "relative");
    op_real(op, "strength", 0.5);
    tool_assert(before, op, NULL, cloned_upon);
    op = tool_on_dab("clone", 126, 100, 40);
    op_point(op, "from", outside);
    op_word(op, "heights", "relative");
    tool_refused(before, op, FAULT_IMPOSSIBLE, "/0/from");
    op = tool_on_dab("clone", -5, 100, 40);
    op_point(op, "from", from);
    op_word(op, "heights", "relative");
    tool_refused(before, op, FAULT_IMPOSSIBLE, "/0/path");
    op = tool_on_dab("clone", 5, 100, 40);
    tool_refused(before, op, FAULT_INPUT, "/0/from");
    view_drop(before);
}

static const struct view *other_landscape(void *context, const char *id, struct fault *why)
{
    if (strcmp(id, "other") == 0)
        return context;
    fault_set(why, FAULT_MISSING, "there is no landscape %s; other is", id);
    return NULL;
}

static const struct view *other;
static double size;

static double copied(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    const struct grid *to = view_grid(before), *of = view_grid(other);
    double h = view_height(before, x, y), metres[2] = { -40, 25 }, at[2], code;

    (void)op;
    metres[0] += (x - 30) * to->scale[0] / size;
    metres[1] += (y - 20) * to->scale[1] / size;
    grid_from_local(of, metres, at);
    code = blended(other, at[0], at[1]);
    return isnan(code) ? h : h + (grid_code(to, grid_metres(of, code)) - h) * f;
}

static void a_copy_from_another_landscape_keeps_its_metres(void **state)
{
    struct view *before = ground_rough(160, 150, 9), *source = ground_rough(140, 190, 10);
    struct sources sources = { .context = source, .landscape = other_landscape };
    const double from[2] = { -39, 10 }; /* at (-40, 25) m */
    struct fault why = { 0 };
    struct op *op;

    (void)state;
    before->settings->grid.scale[1] = 2;
    before->settings->grid.origin[0] = -1;
    before->settings->grid.origin[1] = 5;
    source->settings->grid.scale[0] = 0.8;
    source->settings->grid.scale[1] = 1.5;
    source->settings->grid.scale[2] = 0.5;
    source->settings->grid.origin[0] = -70;
    source->settings->grid.origin[2] = 11;
    other = source;
    for (size = 0.5; size <= 2; size *= 2) {
        op = tool_on_region("clone", (struct rect){ 30, 20, 100, 90 });
        op_point(op, "from", from);
        op_real(op, "scale", size);
        op_name(op, "landscape", "other");
        tool_assert(before, op, &sources, copied);
    }
    op = tool_on_region("clone", (struct rect){ 30, 20, 100, 90 });
    op_name(op, "landscape", "none");
    assert_null(tool_tried(before, op, &sources, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    assert_string_equal(why.place, "/0/landscape");
    op_free(op);
    view_drop(before);
    view_drop(source);
}

/* Paint and holes here and there; takes the view. */
static struct view *varied(struct view *view, uint64_t seed)
{
    struct dice dice = { seed };
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_non_null(draft);
    for (int i = 0; i < 20; i++) {
        struct rect to =
            dice_rect(&dice, view_rect(view).width - 1, view_rect(view).height - 1, 60);
        struct op *op = tool_on_dab("paint", to.x, to.y, to.width);
        uint8_t holes[60 * 60];

        memset(holes, i % 3 ? 255 : 0, sizeof holes);
        assert_true(draft_write_holes(draft, to, holes, to.width, &why));
        op_name(op, "layer", ops_paints[i % OPS_PAINTS]);
        op_real(op, "amount", dice_between(&dice, 1, 255));
        assert_true(brush_apply_all(draft, &op->variant, 1, &why));
        op_free(op);
    }
    return ground_finish(draft, view, &change);
}

static double blended_weight(const struct view *view, int paint, double x, double y)
{
    int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    double sum = 0;

    for (int32_t c = 0; c < 4; c++) {
        double weight = (c & 1 ? x - i : 1 - (x - i)) * (c & 2 ? y - j : 1 - (y - j));

        if (weight > 0)
            sum += weight * ground_weight(view, paint, i + (c & 1), j + (c >> 1));
    }
    return sum;
}

/* What the layers have at a vertex that goes the share f of the way to (x + dx, y + dy). */
static void mixed(const struct view *view, int32_t x, int32_t y, const double by[2], double f,
                  int *weights)
{
    int64_t parts[OPS_PAINTS], total = 0, left[OPS_PAINTS], missing = 255;

    for (int p = 0; p < OPS_PAINTS; p++) {
        double own = ground_weight(view, p, x, y);
        double part = own + (blended_weight(view, p, x + by[0], y + by[1]) - own) * f;

        parts[p] = (int64_t)floor(part * 256 + 0.5);
        total += p < OPS_PAINTS - 1 ? parts[p] : 0; /* the last is not blended */
        weights[p] = (int)((parts[p] + 128) / 256);
    }
    for (int p = 0; p < OPS_PAINTS - 1; p++) {
        weights[p] = total ? (int)(parts[p] * 255 / total) : 0;
        left[p] = total ? parts[p] * 255 % total : 0;
        missing -= weights[p];
    }
    for (; total && missing > 0; missing--) {
        int most = 0;

        for (int p = 1; p < OPS_PAINTS - 1; p++)
            most = left[p] > left[most] ? p : most;
        weights[most]++;
        left[most] = -1;
    }
}

static void a_clone_brings_weights_and_holes_along(void **state)
{
    static const double moves[][2] = { { -70, -40 }, { -70.25, -40.5 } };
    struct view *before = varied(ground_rough(200, 180, 17), 1);
    int64_t moved = 0;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const double from[2] = { 120 + moves[i][0], 100 + moves[i][1] };
        struct op *op = tool_on_dab("clone", 120, 100, 45);
        struct view *after;

        op_point(op, "from", from);
        op_word(op, "what", "all");
        after = tool_tried(before, op, NULL, &(struct fault){ 0 });
        assert_non_null(after);
        ground_assert_sound(after);
        for (int32_t y = 0; y < 180; y++) {
            for (int32_t x = 0; x < 200; x++) {
                double f = tool_force(op, before, x, y);
                bool hole = view_hole(before, x, y);
                int weights[OPS_PAINTS];

                if (f > 0.5)
                    hole = view_hole(before, (int32_t)floor(x + 0.5 + moves[i][0]),
                                     (int32_t)floor(y + 0.5 + moves[i][1]));
                assert_int_equal(view_hole(after, x, y), hole);
                moved += hole != view_hole(before, x, y);
                mixed(before, x, y, moves[i], f, weights);
                for (int p = 0; p < OPS_PAINTS; p++) {
                    assert_int_equal(ground_weight(after, p, x, y),
                                     f > 0 ? weights[p] : ground_weight(before, p, x, y));
                    moved += f > 0 && weights[p] != ground_weight(before, p, x, y);
                }
            }
        }
        op_free(op);
        view_drop(after);
    }
    assert_true(moved > 5000);
    view_drop(before);
}

/* The other landscape's layers in another order and under other ids, one of them missing. */
static void weights_go_to_the_layers_of_the_same_names(void **state)
{
    struct view *before = varied(ground_rough(90, 80, 18), 2);
    struct view *source = varied(ground_rough(90, 80, 19), 3), *after;
    struct sources sources = { .context = source, .landscape = other_landscape };
    struct stack *stack = source->settings->stack;
    struct paint_layer swapped = stack->paints[0];
    struct op *op = tool_on_region("clone", (struct rect){ 0, 0, 90, 80 });

    (void)state;
    stack->paints[0] = stack->paints[1];
    stack->paints[1] = swapped;
    strcpy(stack->paints[2].name, "elsewhere");
    op_name(op, "landscape", "other");
    op_word(op, "what", "weights");
    after = tool_done(before, op, &sources);
    ground_assert_sound(after);
    for (int32_t i = 0; i < 90 * 80; i++) {
        int x = i % 90, y = i / 90, one = ground_weight(source, 1, x, y);
        int two = ground_weight(source, 0, x, y);

        assert_int_equal(ground_weight(after, 2, x, y), 0);
        assert_int_equal(ground_weight(after, 0, x, y) + ground_weight(after, 1, x, y),
                         one + two ? 255 : 0);
        assert_true(one + two == 0 ||
                    abs(ground_weight(after, 0, x, y) * (one + two) - one * 255) <= one + two);
        assert_int_equal(view_height(after, x, y), view_height(before, x, y));
    }
    view_drop(before);
    view_drop(source);
    view_drop(after);
}

/* ---- mirror ---- */

static double mirrored_place[3]; /* axis across, axis down, sign of what stays */

static double mirrored(const struct view *before, const struct op *op, int32_t x, int32_t y,
                       double f)
{
    const double mx = 60.5, my = 70; /* of 41..80 x 50..90 */
    bool across = mirrored_place[0] > 0, down = mirrored_place[1] > 0;
    double side = down ? y - my : x - mx, h = view_height(before, x, y), to;

    (void)op;
    if (down && across && side == 0)
        side = x - mx;
    to = view_height(before, across ? (int32_t)(2 * mx) - x : x, down ? (int32_t)(2 * my) - y : y);
    return side * mirrored_place[2] > 0 ? h : h + (to - h) * f;
}

static void a_mirror_reflects_across_the_middle_of_its_region(void **state)
{
    static const char *const axes[] = { "x", "y", "xy" };
    static const char *const keeps[] = { "none", "first", "second" };
    struct view *before = ground_rough(150, 140, 11);

    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int keep = 0; keep < 3; keep++) {
            struct op *op = tool_on_region("mirror", (struct rect){ 41, 50, 40, 41 });

            mirrored_place[0] = axis != 1;
            mirrored_place[1] = axis != 0;
            mirrored_place[2] = keep == 1 ? -1 : keep == 2 ? 1 : 0;
            op_word(op, "axis", axes[axis]);
            op_word(op, "keep", keeps[keep]);
            tool_assert(before, op, NULL, mirrored);
        }
    }
    view_drop(before);
}

static double across_line(const struct view *before, const struct op *op, int32_t x, int32_t y,
                          double f)
{
    /* in metres the line goes from (20, 30) to (110, 90): along (3, 2) */
    const double *scale = view_grid(before)->scale;
    double px = x * scale[0] - 20, py = y * scale[1] - 30, t = (3 * px + 2 * py) / 13;
    double qx = 2 * 3 * t - px, qy = 2 * 2 * t - py, h = view_height(before, x, y);
    double to = blended(before, (qx + 20) / scale[0], (qy + 30) / scale[1]);

    (void)op;
    return isnan(to) || 3 * py - 2 * px < 0 ? h : h + (to - h) * f;
}

static void a_mirror_reflects_across_a_line_in_metres(void **state)
{
    struct view *before = ground_rough(150, 140, 12);
    struct op *op = tool_on_dab("mirror", 60, 50, 48);
    double line[2][2] = { { 40, 20 }, { 220, 60 } }, level_line[2][2] = { { 5, 5 }, { 5, 5 } };

    (void)state;
    before->settings->grid.scale[0] = 0.5;
    before->settings->grid.scale[1] = 1.5;
    op_line(op, (const double(*)[2])line);
    op_word(op, "keep", "first");
    tool_assert(before, op, NULL, across_line);
    op = tool_on_dab("mirror", 60, 50, 48);
    op_line(op, (const double(*)[2])level_line);
    tool_refused(before, op, FAULT_INPUT, "/0/line");
    op = tool_on_dab("mirror", 60, 50, 48);
    op_word(op, "axis", "y");
    op_line(op, (const double(*)[2])line);
    tool_refused(before, op, FAULT_INPUT, "/0/line");
    view_drop(before);
}

static void reflecting_twice_changes_nothing(void **state)
{
    struct view *before = ground_rough(150, 140, 13), *once, *twice;
    struct bytes difference = { 0 };
    struct fault why = { 0 };

    (void)state;
    once = tool_done(before, tool_on_region("mirror", (struct rect){ 10, 20, 130, 117 }), NULL);
    twice = tool_done(once, tool_on_region("mirror", (struct rect){ 10, 20, 130, 117 }), NULL);
    for (int32_t i = 0; i < 150 * 140; i++)
        assert_int_equal(view_height(twice, i % 150, i / 150),
                         view_height(before, i % 150, i / 150));
    assert_true(difference_write(before, once, &difference, &why));
    assert_true(difference.length > 10000);
    bytes_free(&difference);
    view_drop(before);
    view_drop(once);
    view_drop(twice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharpening_goes_away_from_the_mean),
        cmocka_unit_test(contrast_is_about_a_level_or_the_mean_by_force),
        cmocka_unit_test(contrast_of_none_levels_to_the_mean),
        cmocka_unit_test(a_clone_is_what_lay_at_its_source),
        cmocka_unit_test(a_relative_clone_keeps_the_height_of_its_ground),
        cmocka_unit_test(a_copy_from_another_landscape_keeps_its_metres),
        cmocka_unit_test(a_clone_brings_weights_and_holes_along),
        cmocka_unit_test(weights_go_to_the_layers_of_the_same_names),
        cmocka_unit_test(a_mirror_reflects_across_the_middle_of_its_region),
        cmocka_unit_test(a_mirror_reflects_across_a_line_in_metres),
        cmocka_unit_test(reflecting_twice_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What differs between two versions, against looking at every vertex. */
#include "tests/terrain/ground.h"
#include "tests/terrain/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "terrain/query/compare.h"
#include "tests/terrain/masks.h"

enum { COLUMNS = 253, ROWS = 127 };

static struct view *painted(void)
{
    struct layout layout = { { 2, 1 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *view;

    assert_non_null(settings);
    assert_true(ops_paint_layers(settings));
    view = view_new(&settings, 0, 1, 30000);
    assert_non_null(view);
    return view;
}

/* The next version, by a brush thrown at random; the same one when that fails. */
static struct view *next(const struct view *view, struct dice *dice)
{
    struct op *op = op_random(dice_between(dice, 0, brush_count - 1), view_rect(view), dice);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct view *after = NULL;

    assert_non_null(draft);
    draft_lend(draft, &mask_sources);
    draft_limit(draft, 2000000);
    if (brush_apply_all(draft, &op->variant, 1, &why))
        after = draft_finish(draft, &change, &why);
    draft_free(draft);
    op_free(op);
    return after ? after : view_hold(view);
}

static bool weights_differ(const struct view *from, const struct view *to, int32_t x, int32_t y)
{
    const struct stack *stack = from->settings->stack;

    for (int p = 0; p < stack->paint_count; p++) {
        const struct tree *was = view_weights(from, stack->paints[p].id);
        const struct tree *is = view_weights(to, stack->paints[p].id);

        if ((was ? tree_value(was, x, y) : 0) != (is ? tree_value(is, x, y) : 0))
            return true;
    }
    return false;
}

static struct compared recount(const struct view *from, const struct view *to, struct rect over)
{
    struct compared all = { .least = INFINITY, .greatest = -INFINITY };
    double sum = 0;

    for (int32_t y = over.y; y < over.y + over.height; y++)
        for (int32_t x = over.x; x < over.x + over.width; x++) {
            double rise = grid_metres(view_grid(to), view_height(to, x, y)) -
                          grid_metres(view_grid(from), view_height(from, x, y));
            bool was = view_hole(from, x, y), is = view_hole(to, x, y);
            bool paint = weights_differ(from, to, x, y);

            all.least = fmin(all.least, rise);
            all.greatest = fmax(all.greatest, rise);
            all.heights += rise != 0;
            all.weights += paint;
            all.opened += is && !was;
            all.closed += was && !is;
            sum += rise;
            all.raised += fmax(rise, 0);
            all.lowered += fmax(-rise, 0);
            if (rise != 0 || was != is || paint) {
                all.changed++;
                all.dirty = rect_join(all.dirty, (struct rect){ x, y, 1, 1 });
            }
        }
    all.mean = sum / (double)rect_area(over);
    return all;
}

static void numbers_are_those_of_every_vertex(void **state)
{
    struct view *view = painted();
    struct dice dice = { 17 };

    (void)state;
    for (int round = 0; round < 120; round++) {
        struct view *after = next(view, &dice);
        struct rect over = round % 3 ? dice_rect(&dice, COLUMNS, ROWS, 200) : view_rect(view);
        struct compared told, counted = recount(view, after, over);
        struct fault why = { 0 };

        assert_true(compare_views(view, after, over, &told, &why));
        assert_int_equal(told.changed, counted.changed);
        assert_int_equal(told.heights, counted.heights);
        assert_int_equal(told.weights, counted.weights);
        assert_int_equal(told.opened, counted.opened);
        assert_int_equal(told.closed, counted.closed);
        assert_memory_equal(&told.dirty, &counted.dirty, sizeof told.dirty);
        assert_float_equal(told.least, counted.least, 0);
        assert_float_equal(told.greatest, counted.greatest, 0);
        assert_float_equal(told.mean, counted.mean, 1e-9);
        assert_float_equal(told.raised, counted.raised, 1e-6);
        assert_float_equal(told.lowered, counted.lowered, 1e-6);
        view_drop(view);
        view = after;
    }
    view_drop(view);
}

/* The same codes at another scale are other heights. */
static void another_scale_is_a_difference_everywhere(void **state)
{
    struct view *view = painted();
    struct settings *settings = settings_copy(view->settings);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct compared told;
    struct view *after;

    (void)state;
    settings->grid.origin[2] = 7;
    assert_true(draft_settings(draft, &settings, &why));
    after = draft_finish(draft, &change, &why);
    assert_true(compare_views(view, after, view_rect(view), &told, &why));
    assert_int_equal(told.heights, COLUMNS * ROWS);
    assert_float_equal(told.least, 7, 0);
    assert_float_equal(told.mean, 7, 1e-9);
    draft_free(draft);
    view_drop(after);
    view_drop(view);
}

static void versions_of_two_sizes_are_not_compared(void **state)
{
    struct view *view = painted(), *other = ground_flat(40, 30, 1);
    struct fault why = { 0 };
    struct compared told;

    (void)state;
    assert_false(compare_views(view, other, view_rect(other), &told, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    view_drop(view);
    view_drop(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_every_vertex),
        cmocka_unit_test(another_scale_is_a_difference_everywhere),
        cmocka_unit_test(versions_of_two_sizes_are_not_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

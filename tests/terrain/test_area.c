/* What holds for every brush: its area is all that counts, not whether a region or a mask makes it,
 * and it stands whatever its rows let through. */
#include "terrain/edit/mask.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/tooling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A random op of a brush that goes by positions, not by the middle or the size of its area. */
static struct op *anchored(int brush, const struct view *view, struct dice *dice)
{
    static const double line[2][2] = { { 50, 40 }, { 130, 160 } };
    struct op *op = op_random(brush, view_rect(view), dice);

    assert_non_null(op);
    op_path(op, line, 0);
    op_real(op, "scale", strcmp(brushes[brush]->name, "clone") == 0 ? 1 : 30);
    op_word(op, "generator", "ridged");
    op_word(op, "heights", "absolute");
    if (op_line(op, line))
        op_forget(op, "axis");
    return op;
}

/* A clone's source, as far from the corner of a region as it is from that of another. */
static void clone_from(struct op *op, struct rect region)
{
    const double from[2] = { region.x + 20.5, region.y - 3 };

    op_point(op, "from", from);
}

static void a_region_is_the_whole_through_a_rectangle(void **state)
{
    struct dice dice = { 21 };
    struct arena arena = { 0 };

    (void)state;
    for (int brush = 0; brush < brush_count; brush++) {
        /* a stamp is as large as its region */
        if (brushes[brush]->takes->base != &where_shape ||
            strcmp(brushes[brush]->name, "stamp") == 0)
            continue;
        for (int round = 0; round < 6; round++) {
            struct view *view = ground_rough(190, 170, (uint64_t)round), *part, *whole;
            struct op *op = anchored(brush, view, &dice);
            struct where *where = op->variant.members;
            struct rect region = dice_rect(&dice, 190, 170, 100), all = view_rect(view);
            struct bytes difference = { 0 };
            struct fault why = { 0 };

            where->mask = (struct variant){ 0 };
            op_region(op, region);
            clone_from(op, region);
            part = tool_tried(view, op, &mask_sources, &why);
            if (!part)
                fail_msg("%s: %s %s", brushes[brush]->name, why.place, why.detail);
            op_region(op, all);
            clone_from(op, all);
            where->mask = mask_new(&arena, "rectangle");
            assert_true(mask_integer(&where->mask, "x", region.x));
            assert_true(mask_integer(&where->mask, "y", region.y));
            assert_true(mask_integer(&where->mask, "width", region.width));
            assert_true(mask_integer(&where->mask, "height", region.height));
            whole = tool_tried(view, op, &mask_sources, &why);
            assert_non_null(whole);
            assert_true(difference_write(part, whole, &difference, &why));
            if (difference.length != 16)
                fail_msg("%s, round %d", brushes[brush]->name, round);
            bytes_free(&difference);
            op_free(op);
            view_drop(part);
            view_drop(whole);
            view_drop(view);
        }
    }
    arena_free(&arena);
}

/* Layers "middle" and "top" above base, each with hills of its own; takes the view. */
static struct view *layered(struct view *view)
{
    static const char *const names[] = { "middle", "top" };
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct settings *settings = settings_copy(view->settings);
    struct stack *stack = stack_copy(view->settings->stack);
    struct change change;

    for (int i = 0; i < 2; i++)
        assert_non_null(stack_add_edit(stack, names[i], &why));
    stack_drop(settings->stack);
    settings->stack = stack;
    assert_true(draft_settings(draft, &settings, &why));
    for (int i = 0; i < 2; i++) {
        struct op *op = tool_on_dab("noise", 60 + 30 * i, 70 + 20 * i, 60);

        op_real(op, "amplitude", 9);
        op_real(op, "cell", 11 + 5 * i);
        assert_true(draft_layer(draft, names[i], &why));
        assert_true(brush_apply_all(draft, &op->variant, 1, &why));
        op_free(op);
    }
    return ground_finish(draft, view, &change);
}

/* What a writer to that layer sees, to be freed. */
static uint16_t *seen(const struct view *view, const char *layer)
{
    struct rect all = view_rect(view);
    uint16_t *heights = malloc((size_t)rect_area(all) * sizeof *heights);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    const struct tree *surface;

    assert_non_null(heights);
    assert_true(draft_layer(draft, layer, &why));
    surface = draft_surface(draft, all, &why);
    assert_non_null(surface);
    tree_read(surface, all, heights, all.width);
    draft_free(draft);
    return heights;
}

static void a_brush_sees_its_layer_and_those_below(void **state)
{
    struct dice dice = { 23 };

    (void)state;
    for (int brush = 0; brush < brush_count; brush++) {
        for (int round = 0; round < 6; round++) {
            struct view *view = layered(ground_rough(150, 140, (uint64_t)round)), *plain, *both[2];
            uint16_t *heights = seen(view, "middle"), *after[2];
            struct op *op = op_random(brush, view_rect(view), &dice);
            const char *const layers[] = { "middle", "base" };
            struct fault why = { 0 };

            plain = ground_of(150, 140, heights);
            for (int i = 0; i < 2; i++) {
                struct view *from = i ? plain : view;
                struct draft *draft = draft_new(from, &why);
                struct change change;

                draft_lend(draft, &mask_sources);
                assert_true(draft_layer(draft, layers[i], &why));
                if (!brush_apply_all(draft, &op->variant, 1, &why))
                    fail_msg("%s: %s", brushes[brush]->name, why.detail);
                both[i] = ground_finish(draft, from, &change);
                after[i] = seen(both[i], layers[i]);
            }
            for (int32_t i = 0; i < 150 * 140; i++) {
                if (after[0][i] != after[1][i])
                    fail_msg("%s, round %d: (%d, %d)", brushes[brush]->name, round, i % 150,
                             i / 150);
            }
            for (int i = 0; i < 2; i++) {
                view_drop(both[i]);
                free(after[i]);
            }
            free(heights);
            op_free(op);
        }
    }
}

/* A member at its row's end, or one more number there; positions may be far away. */
struct bending {
    struct op *op;
    struct dice *dice;
};

static bool bend(const struct field *field, int index, void *context)
{
    static const double far[] = { -1e300, -1e9, 0, 1e9, 1e300 };
    struct bending *bending = context;
    bool most = dice_between(bending->dice, 0, 1);
    double points[2] = { far[dice_between(bending->dice, 0, 4)],
                         far[dice_between(bending->dice, 0, 4)] };

    (void)index;
    if (dice_between(bending->dice, 0, 2) == 0)
        return true;
    if (field->kind == FIELD_REAL || field->kind == FIELD_PICK)
        op_real(bending->op, field->name,
                most                 ? field->greatest
                : field->above_least ? nextafter(field->least, INFINITY)
                                     : field->least);
    else if (field->kind == FIELD_INT || field->kind == FIELD_INT64)
        op_integer(bending->op, field->name, (int64_t)(most ? field->greatest : field->least));
    else if (field->kind == FIELD_POINT)
        op_point(bending->op, field->name, points);
    return true;
}

/* Any op that its rows let through, on any landscape, is done or refused: with a limit on the work
 * it does not take long either. */
static void every_brush_stands_the_ends_of_its_rows(void **state)
{
    static const double scales[] = { 1e-6, 0.01, 1, 1e6 };
    struct dice dice = { 22 };
    int done = 0, refusals = 0;

    (void)state;
    for (int brush = 0; brush < brush_count; brush++) {
        for (int round = 0; round < 24; round++) {
            struct view *view = round % 4 ? ground_rough(140, 130, (uint64_t)round)
                                          : ground_flat(140, 130, round % 8 ? 65535 : 0);
            struct op *op = op_random(brush, view_rect(view), &dice);
            struct bending bending = { op, &dice };
            struct fault why = { 0 };
            struct draft *draft;

            for (int i = 0; i < 3; i++)
                view->settings->grid.scale[i] = scales[dice_between(&dice, 0, 3)];
            shape_each(brushes[brush]->takes, bend, &bending);
            draft = draft_new(view, &why);
            assert_non_null(draft);
            draft_lend(draft, &mask_sources);
            draft_limit(draft, 400000);
            if (brush_apply_all(draft, &op->variant, 1, &why)) {
                struct change change;
                struct view *after = ground_finish(draft, view, &change);

                ground_assert_sound(after);
                view_drop(after);
                done++;
            } else {
                if (why.code != FAULT_INPUT && why.code != FAULT_IMPOSSIBLE &&
                    why.code != FAULT_LIMIT)
                    fail_msg("%s: %s", brushes[brush]->name, why.detail);
                draft_free(draft);
                view_drop(view);
                refusals++;
            }
            op_free(op);
        }
    }
    assert_true(done > 200 && refusals > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_is_the_whole_through_a_rectangle),
        cmocka_unit_test(a_brush_sees_its_layer_and_those_below),
        cmocka_unit_test(every_brush_stands_the_ends_of_its_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* An op's area is all that counts: not whether dabs, a region or a mask make it. */
#include "terrain/edit/mask.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/tooling.h"

#include <math.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_is_the_whole_through_a_rectangle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

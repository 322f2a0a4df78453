/* Another size, held against a vertex-by-vertex recount; and the differences that tell of it. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/weights.h"
#include "terrain/edit/resize.h"
#include "terrain/edit/resolve.h"

/* Rough ground of 3 x 2 components of 31 quads with holes, paint, and a layer above base. */
static struct view *layered(void)
{
    struct layout layout = { { 3, 2 }, 1, 31 };
    struct settings *settings = settings_new(&layout);
    struct stack *stack = stack_copy(settings->stack);
    struct fault why = { 0 };
    struct change change;
    struct view *view;
    struct draft *draft;
    struct dice dice = { 77 };
    uint16_t heights[64 * 64];
    uint8_t holes[20 * 20], *rows[2];

    assert_non_null(stack_add_edit(stack, "above", &why));
    assert_non_null(stack_add_paint(stack, "grass", &why));
    assert_non_null(stack_add_paint(stack, "rock", &why));
    stack_drop(settings->stack);
    settings->stack = stack;
    settings->placed = true;
    strcpy(settings->crs, "EPSG:32616");
    memcpy(settings->bounds, (double[]){ 1000, 2000, 1930, 2620 }, sizeof settings->bounds);
    view = view_new(&settings, 5, 1, 30000);
    draft = draft_new(view, &why);
    for (int i = 0; i < 64 * 64; i++)
        heights[i] = (uint16_t)dice_between(&dice, 20000, 40000);
    for (int i = 0; i < 20 * 20; i++)
        holes[i] = dice_between(&dice, 0, 2) == 0;
    assert_true(draft_write_heights(draft, (struct rect){ 30, 0, 63, 63 }, heights, 64, &why));
    assert_true(draft_write_holes(draft, (struct rect){ 70, 40, 20, 20 }, holes, 20, &why));
    assert_true(draft_weights_begin(draft, 0, 0, -1, rows, &why));
    for (int y = 0; y < 63; y++)
        for (int x = 0; x < 94; x++) {
            rows[0][y * BLOCK_SIDE + x] = (uint8_t)dice_between(&dice, 0, 255);
            rows[1][y * BLOCK_SIDE + x] = 255 - rows[0][y * BLOCK_SIDE + x];
        }
    draft_weights_end(draft, 0, 0, (struct rect){ 0, 0, 94, 63 });
    assert_true(draft_layer(draft, "above", &why));
    for (int i = 0; i < 64 * 64; i++)
        heights[i] = (uint16_t)dice_between(&dice, 0, 65535);
    assert_true(draft_write_heights(draft, (struct rect){ 0, 10, 40, 40 }, heights, 64, &why));
    return ground_finish(draft, view, &change);
}

static struct view *resized(const struct view *view, struct resize resize, struct change *change)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct view *after;

    if (!resize_apply(draft, &resize, &why))
        fail_msg("%s", why.detail);
    after = draft_finish(draft, change, &why);
    assert_non_null(after);
    draft_free(draft);
    return after;
}

static int32_t inside(int32_t at, int32_t size)
{
    return at < 0 ? 0 : at < size ? at : size - 1;
}

/* Heights and weights at each vertex are those of the old vertex, or of the border's; holes are
 * where they were and nowhere else. */
static void assert_moved(const struct view *was, const struct view *is, int32_t dx, int32_t dy)
{
    const struct grid *old = view_grid(was), *new = view_grid(is);

    for (int32_t y = 0; y < new->rows; y++)
        for (int32_t x = 0; x < new->columns; x++) {
            int32_t i = x - dx, j = y - dy;
            bool quad = i >= 0 && j >= 0 && i < old->columns - 1 && j < old->rows - 1;

            assert_int_equal(view_height(is, x, y),
                             view_height(was, inside(i, old->columns), inside(j, old->rows)));
            if (x < new->columns - 1 && y < new->rows - 1)
                assert_int_equal(view_hole(is, x, y), quad && view_hole(was, i, j));
            for (int32_t p = 0; p < was->weights_count; p++)
                assert_int_equal(tree_value(&is->weights[p].tree, x, y),
                                 tree_value(&was->weights[p].tree, inside(i, old->columns),
                                            inside(j, old->rows)));
        }
}

static void expand_and_clip_keep_each_vertex_that_stays(void **state)
{
    static const struct {
        struct resize resize;
        int32_t dx, dy; /* components */
    } cases[] = {
        { { { 5, 2 }, RESIZE_EXPAND, RESIZE_NORTH_WEST }, 0, 0 },
        { { { 5, 3 }, RESIZE_EXPAND, RESIZE_SOUTH_EAST }, 2, 1 },
        { { { 5, 4 }, RESIZE_EXPAND, RESIZE_CENTER }, 1, 1 },
        { { { 4, 3 }, RESIZE_EXPAND, RESIZE_CENTER }, 0, 0 },
        { { { 2, 1 }, RESIZE_CLIP, RESIZE_SOUTH_EAST }, -1, -1 },
        { { { 1, 2 }, RESIZE_CLIP, RESIZE_NORTH }, -1, 0 },
        { { { 3, 2 }, RESIZE_CLIP, RESIZE_EAST }, 0, 0 },
    };
    struct view *was = layered();

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct change change;
        struct view *is = resized(was, cases[k].resize, &change);
        const struct grid *grid = view_grid(is);

        assert_moved(was, is, cases[k].dx * 31, cases[k].dy * 31);
        ground_assert_sound(is);
        assert_true(grid->origin[0] == -31.0 * cases[k].dx);
        assert_true(grid->origin[1] == -31.0 * cases[k].dy);
        assert_true(is->settings->bounds[0] == 1000 - 310.0 * cases[k].dx);
        assert_true(is->settings->bounds[3] == 2620 + 310.0 * cases[k].dy);
        assert_true(is->settings->bounds[2] - is->settings->bounds[0] ==
                    10.0 * (grid->columns - 1));
        if (k < 6) {
            assert_int_equal(change.vertices, (int64_t)grid->columns * grid->rows);
            assert_int_equal(is->version, was->version + 1);
        }
        view_drop(is);
    }
    view_drop(was);
}

static void resampling_keeps_the_borders_and_never_overshoots(void **state)
{
    struct view *was = layered();
    const struct grid *old = view_grid(was);
    struct change change;
    struct view *is = resized(was, (struct resize){ { 6, 4 }, RESIZE_RESAMPLE, 0 }, &change);
    const struct grid *new = view_grid(is);

    (void)state;
    assert_true(new->scale[0] == 0.5 && new->scale[1] == 0.5);
    assert_memory_equal(is->settings->bounds, was->settings->bounds, sizeof was->settings->bounds);
    for (int32_t y = 0; y < new->rows; y++)
        for (int32_t x = 0; x < new->columns; x++) {
            int32_t i = x / 2, j = y / 2, e = inside(i + 1, old->columns),
                    s = inside(j + 1, old->rows), sum = 0;

            for (int32_t p = 0; p < is->weights_count; p++)
                sum += tree_value(&is->weights[p].tree, x, y);
            assert_int_equal(sum, 255);
            if (x % 2 == 0 && y % 2 == 0)
                assert_int_equal(view_height(is, x, y), view_height(was, i, j));
            /* above lies a delta of base's opposite sign, so each layer by itself is within */
            for (int32_t k = 0; k < is->layers_count; k++) {
                const struct tree *tree = &is->layers[k].tree;
                const struct tree *from = view_layer(was, is->layers[k].key);
                uint16_t at, corners[4];

                if (key_channel(is->layers[k].key) != CHANNEL_WEIGHTS || !from)
                    continue;
                at = tree_value(tree, x, y);
                corners[0] = tree_value(from, i, j), corners[1] = tree_value(from, e, j);
                corners[2] = tree_value(from, i, s), corners[3] = tree_value(from, e, s);
                assert_true(at >= corners[0] || at >= corners[1] || at >= corners[2] ||
                            at >= corners[3]);
                assert_true(at <= corners[0] || at <= corners[1] || at <= corners[2] ||
                            at <= corners[3]);
            }
        }
    ground_assert_sound(is);
    view_drop(is);
    view_drop(was);
}

/* 127 -> 253 columns of a ramp: column i is 256 i exactly, ends included. */
static void a_resampled_ramp_is_a_ramp(void **state)
{
    struct layout layout = { { 2, 2 }, 1, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *view = view_new(&settings, 1, 1, 0), *is;
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    uint16_t row[127];
    struct change change;

    (void)state;
    for (int32_t x = 0; x < 127; x++)
        row[x] = (uint16_t)(512 * x);
    for (int32_t y = 0; y < 127; y++)
        assert_true(draft_write_heights(draft, (struct rect){ 0, y, 127, 1 }, row, 127, &why));
    view = ground_finish(draft, view, &change);
    is = resized(view, (struct resize){ { 4, 4 }, RESIZE_RESAMPLE, 0 }, &change);
    assert_int_equal(view_grid(is)->columns, 253);
    for (int32_t x = 0; x < 253; x++)
        assert_int_equal(view_height(is, x, 100), 256 * x);
    view_drop(is);
    view_drop(view);
}

static void assert_same(const struct view *a, const struct view *b)
{
    struct bytes nothing = { 0 };
    struct fault why = { 0 };

    assert_int_equal(view_grid(a)->columns, view_grid(b)->columns);
    assert_int_equal(view_grid(a)->rows, view_grid(b)->rows);
    assert_true(difference_write(a, b, &nothing, &why));
    assert_int_equal(nothing.length, 16); /* its head alone */
    bytes_free(&nothing);
    assert_moved(a, b, 0, 0);
}

/* The view that differences lead to from another. */
static struct view *led(const struct view *from, const struct settings *to,
                        const struct bytes *differences, bool undo)
{
    struct settings *settings = settings_hold(to);
    struct fault why = { 0 };
    struct draft *draft = draft_new(from, &why);
    struct change change;
    struct view *view;

    assert_true(draft_settings(draft, &settings, &why));
    if (!difference_apply(draft, differences->data, differences->length, undo, &why))
        fail_msg("%s", why.detail);
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    return view;
}

static void the_difference_does_and_undoes_it(void **state)
{
    static const struct resize cases[] = { { { 4, 3 }, RESIZE_EXPAND, RESIZE_CENTER },
                                           { { 1, 1 }, RESIZE_CLIP, RESIZE_NORTH_EAST },
                                           { { 5, 1 }, RESIZE_RESAMPLE, 0 } };
    struct view *was = layered();

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct bytes differences = { 0 };
        struct fault why = { 0 };
        struct change change;
        struct view *is = resized(was, cases[k], &change), *again, *back;

        assert_true(difference_write(was, is, &differences, &why));
        again = led(was, is->settings, &differences, false);
        assert_same(is, again);
        back = led(is, was->settings, &differences, true);
        assert_same(was, back);
        view_drop(back);
        view_drop(again);
        view_drop(is);
        bytes_free(&differences);
    }
    view_drop(was);
}

static void an_older_size_is_restored_by_its_blocks(void **state)
{
    struct view *was = layered(), *is, *back;
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;

    (void)state;
    is = resized(was, (struct resize){ { 1, 1 }, RESIZE_CLIP, RESIZE_EAST }, &change);
    draft = draft_new(is, &why);
    assert_true(draft_restore(draft, was, &why));
    back = draft_finish(draft, &change, &why);
    assert_non_null(back);
    assert_int_equal(back->version, is->version + 1);
    assert_same(was, back);
    ground_assert_sound(back);
    draft_free(draft);
    view_drop(back);
    view_drop(is);
    view_drop(was);
}

static void what_cannot_be_is_refused(void **state)
{
    static const struct {
        struct resize resize;
        enum fault_code code;
        const char *place;
    } cases[] = {
        { { { 2, 2 }, RESIZE_EXPAND, 0 }, FAULT_IMPOSSIBLE, "/components/0" },
        { { { 3, 3 }, RESIZE_CLIP, 0 }, FAULT_IMPOSSIBLE, "/components/1" },
        { { { 0, 3 }, RESIZE_RESAMPLE, 0 }, FAULT_INPUT, NULL },
    };
    struct view *was = layered();

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct fault why = { 0 };
        struct draft *draft = draft_new(was, &why);

        assert_false(resize_apply(draft, &cases[k].resize, &why));
        if (cases[k].place) {
            assert_int_equal(why.code, cases[k].code);
            assert_string_equal(why.place, cases[k].place);
        }
        draft_free(draft);
    }
    view_drop(was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expand_and_clip_keep_each_vertex_that_stays),
        cmocka_unit_test(resampling_keeps_the_borders_and_never_overshoots),
        cmocka_unit_test(a_resampled_ramp_is_a_ramp),
        cmocka_unit_test(the_difference_does_and_undoes_it),
        cmocka_unit_test(an_older_size_is_restored_by_its_blocks),
        cmocka_unit_test(what_cannot_be_is_refused),
    };

    return cmocka_run_group_tests_name("resize", tests, NULL, NULL);
}

/* Drafts: writing, finishing, and the differences between versions. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

static struct draft *begin(const struct view *view)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    assert_non_null(draft);
    return draft;
}

static void put(struct draft *draft, struct rect to, uint16_t code)
{
    uint16_t *heights = malloc((size_t)rect_area(to) * sizeof *heights);
    struct fault why = { 0 };

    for (int64_t i = 0; i < rect_area(to); i++)
        heights[i] = code;
    assert_true(draft_write_heights(draft, to, heights, to.width, &why));
    free(heights);
}

static void put_holes(struct draft *draft, struct rect to, uint8_t hole)
{
    uint8_t *holes = malloc((size_t)rect_area(to));
    struct fault why = { 0 };

    memset(holes, hole, (size_t)rect_area(to));
    assert_true(draft_write_holes(draft, to, holes, to.width, &why));
    free(holes);
}

static void a_draft_without_changes_is_its_base(void **state)
{
    struct view *base = ground_rough(300, 200, 1), *after;
    struct draft *draft = begin(base);
    struct change change;
    struct fault why = { 0 };

    (void)state;
    put(draft, (struct rect){ 10, 10, 5, 5 }, 1);
    put(draft, (struct rect){ 10, 10, 5, 5 }, 2);
    draft_free(draft);
    draft = begin(base);
    after = draft_finish(draft, &change, &why);
    assert_ptr_equal(after, base);
    assert_true(rect_empty(change.dirty));
    assert_int_equal(change.vertices, 0);
    draft_free(draft);
    view_drop(after);
    view_drop(base);
}

static void what_is_changed_and_changed_back_leaves_no_trace(void **state)
{
    struct view *base = ground_rough(400, 150, 2), *after;
    struct draft *draft = begin(base);
    uint16_t *heights = ground_heights(base);
    struct change change;
    struct fault why = { 0 };

    (void)state;
    put(draft, view_rect(base), 12345);
    put_holes(draft, (struct rect){ 0, 0, 399, 149 }, 1);
    put_holes(draft, (struct rect){ 0, 0, 399, 149 }, 0);
    assert_true(draft_write_heights(draft, view_rect(base), heights, 400, &why));
    after = draft_finish(draft, &change, &why);
    assert_ptr_equal(after, base);
    assert_int_equal(change.vertices, 0);
    draft_free(draft);
    view_drop(after);
    view_drop(base);
    free(heights);
}

static void blocks_that_did_not_change_are_shared_with_their_stamps(void **state)
{
    struct view *base = ground_rough(1100, 1100, 3), *after;
    struct draft *draft = begin(base);
    uint16_t *heights = ground_heights(base);
    struct change change;
    struct fault why = { 0 };

    (void)state;
    put(draft, (struct rect){ 0, 0, 600, 600 }, 5);
    assert_true(draft_write_heights(draft, (struct rect){ 0, 0, 600, 600 }, heights, 1100, &why));
    put(draft, (struct rect){ 300, 300, 1, 1 }, 7);
    after = draft_finish(draft, &change, &why);
    assert_int_equal(after->version, 2);
    for (int32_t by = 0; by < 9; by++) {
        for (int32_t bx = 0; bx < 9; bx++) {
            struct child was = tree_block(&base->planes[0], bx, by);
            struct child is = tree_block(&after->planes[0], bx, by);

            if (bx == 2 && by == 2) {
                assert_int_equal(is.summary.version, 2);
                assert_ptr_not_equal(is.below, was.below);
            } else {
                assert_ptr_equal(is.below, was.below);
                assert_int_equal(is.summary.version, was.summary.version);
            }
        }
    }
    assert_int_equal(change.vertices, 1);
    assert_int_equal(change.dirty.x, 300);
    assert_int_equal(change.dirty.width, 1);
    assert_int_equal(view_newest(after, (struct rect){ 0, 0, 128, 128 }),
                     view_newest(base, (struct rect){ 0, 0, 128, 128 }));
    assert_int_equal(view_newest(after, view_rect(after)), 2);
    ground_assert_sound(after);
    free(heights);
    draft_free(draft);
    view_drop(after);
    view_drop(base);
}

static void one_value_needs_no_memory(void **state)
{
    struct view *flat = ground_flat(8065, 8065, 40000), *view;
    uint64_t bytes = view_bytes(flat);
    struct draft *draft = begin(flat);
    struct change change;

    (void)state;
    put(draft, (struct rect){ 4000, 4000, 300, 300 }, 1);
    view = ground_finish(draft, flat, &change);
    assert_int_equal(change.vertices, 90000);
    assert_true(view_bytes(view) > bytes);
    draft = begin(view);
    put(draft, view_rect(view), 2);
    view = ground_finish(draft, view, &change);
    assert_int_equal(view_bytes(view), bytes);
    assert_int_equal(change.vertices, 8065 * 8065);
    assert_int_equal(view_height(view, 8064, 8064), 2);
    view_drop(view);
}

/* Holes and heights changed at random beside a flat array; after each version everything is
 * recounted. */
static void random_writes_agree_with_a_flat_array(void **state)
{
    static const int32_t sizes[][2] = { { 128, 128 }, { 8, 8 }, { 129, 40 }, { 1030, 300 } };
    struct dice dice = { 4 };

    (void)state;
    for (size_t s = 0; s < 4; s++) {
        int32_t columns = sizes[s][0], rows = sizes[s][1];
        uint16_t *model = calloc((size_t)columns * (size_t)rows, sizeof *model);
        uint16_t *before = calloc((size_t)columns * (size_t)rows, sizeof *model);
        struct view *view = ground_flat(columns, rows, 0);

        for (int version = 0; version < 12; version++) {
            struct draft *draft = begin(view);
            struct rect dirty = { 0 };
            struct change change;
            int64_t vertices = 0;
            uint16_t *heights;

            memcpy(before, model, (size_t)columns * (size_t)rows * sizeof *model);
            for (int op = dice_between(&dice, 1, 4); op > 0; op--) {
                struct rect to = dice_rect(&dice, columns, rows, 400);
                uint16_t code = (uint16_t)(dice_throw(&dice) % 3);

                put(draft, to, code);
                for (int64_t i = 0; i < rect_area(to); i++)
                    model[(to.y + i / to.width) * columns + to.x + i % to.width] = code;
            }
            for (int32_t i = 0; i < columns * rows; i++) {
                if (model[i] == before[i])
                    continue;
                vertices++;
                dirty = rect_join(dirty, (struct rect){ i % columns, i / columns, 1, 1 });
            }
            view = ground_finish(draft, view, &change);
            assert_int_equal(change.vertices, vertices);
            assert_memory_equal(&change.dirty, &dirty, sizeof dirty);
            heights = ground_heights(view);
            assert_memory_equal(heights, model, (size_t)columns * (size_t)rows * sizeof *model);
            free(heights);
            ground_assert_sound(view);
        }
        view_drop(view);
        free(model);
        free(before);
    }
}

static void a_vertex_whose_hole_and_height_change_counts_once(void **state)
{
    struct view *view = ground_flat(300, 300, 9);
    struct draft *draft = begin(view);
    struct change change;
    uint8_t holes[4] = { 9, 9, 9, 9 };

    (void)state;
    put(draft, (struct rect){ 100, 100, 10, 10 }, 8);
    put_holes(draft, (struct rect){ 105, 105, 50, 50 }, 255);
    view = ground_finish(draft, view, &change);
    assert_int_equal(change.vertices, 100 + 2500 - 25);
    assert_int_equal(change.dirty.x, 100);
    assert_int_equal(change.dirty.width, 55);
    assert_true(view_hole(view, 154, 154));
    assert_false(view_hole(view, 155, 154));
    view_read_holes(view, (struct rect){ 154, 154, 2, 2 }, holes, 2);
    assert_int_equal(holes[0], 255);
    assert_int_equal(holes[1] + holes[2] + holes[3], 0);
    ground_assert_sound(view);
    view_drop(view);
}

static void new_settings_make_a_version_and_the_same_do_not(void **state)
{
    struct view *view = ground_flat(8, 8, 0);
    struct draft *draft = begin(view);
    struct settings *settings = settings_copy(view->settings);
    struct fault why = { 0 };
    struct change change;

    (void)state;
    assert_true(draft_settings(draft, &settings, &why));
    view = ground_finish(draft, view, &change);
    assert_int_equal(view->version, 1);
    assert_false(change.settings);
    draft = begin(view);
    settings = settings_copy(view->settings);
    settings->grid.scale[2] = 2;
    assert_true(draft_settings(draft, &settings, &why));
    view = ground_finish(draft, view, &change);
    assert_int_equal(view->version, 2);
    assert_int_equal(view->settings_version, 2);
    assert_true(change.settings);
    assert_true(rect_empty(change.dirty));
    view_drop(view);
}

/* Differences */

static struct view *changed_at_random(const struct view *view, struct dice *dice)
{
    struct draft *draft = begin(view);
    struct change change;

    for (int op = 0; op < 5; op++) {
        put(draft, dice_rect(dice, view_rect(view).width, view_rect(view).height, 200),
            (uint16_t)dice_throw(dice));
        put_holes(draft, dice_rect(dice, view_rect(view).width, view_rect(view).height, 200),
                  (uint8_t)(dice_throw(dice) & 1));
    }
    return ground_finish(draft, view_hold(view), &change);
}

static struct view *applied(const struct view *view, const struct bytes *difference, bool undo)
{
    struct draft *draft = begin(view);
    struct fault why = { 0 };
    struct change change;

    assert_true(difference_apply(draft, difference->data, difference->length, undo, &why));
    return ground_finish(draft, view_hold(view), &change);
}

static void assert_same_content(const struct view *a, const struct view *b)
{
    struct bytes difference = { 0 };
    struct fault why = { 0 };

    assert_true(difference_write(a, b, &difference, &why));
    assert_int_equal(difference.length, 16); /* the head alone */
    bytes_free(&difference);
}

static void differences_redo_and_undo_exactly(void **state)
{
    struct dice dice = { 5 };

    (void)state;
    for (int round = 0; round < 10; round++) {
        struct view *before =
            ground_rough(dice_between(&dice, 8, 700), dice_between(&dice, 8, 500), (uint64_t)round);
        struct view *after = changed_at_random(before, &dice), *redone, *undone;
        struct bytes difference = { 0 };
        struct fault why = { 0 };

        assert_true(difference_write(before, after, &difference, &why));
        redone = applied(before, &difference, false);
        undone = applied(after, &difference, true);
        assert_same_content(redone, after);
        assert_same_content(undone, before);
        ground_assert_sound(redone);
        bytes_free(&difference);
        view_drop(redone);
        view_drop(undone);
        view_drop(after);
        view_drop(before);
    }
}

static void differences_cut_short_or_bent_are_refused(void **state)
{
    struct view *before = ground_rough(140, 140, 6);
    struct dice dice = { 6 };
    struct view *after = changed_at_random(before, &dice);
    struct view *other = ground_flat(140, 141, 0);
    struct bytes difference = { 0 };
    struct fault why = { 0 };
    struct draft *draft = begin(other);

    (void)state;
    assert_true(difference_write(before, after, &difference, &why));
    assert_false(difference_apply(draft, difference.data, difference.length, false, &why));
    assert_int_equal(why.code, FAULT_STORAGE);
    draft_free(draft);
    for (int round = 0; round < 400; round++) {
        size_t length = dice_throw(&dice) % difference.length;
        struct bytes bent = { 0 };

        assert_true(bytes_add(&bent, difference.data, difference.length, &why));
        draft = begin(before);
        bent.data[16 + dice_throw(&dice) % 9] ^= (unsigned char)(1 << dice_throw(&dice) % 8);
        if (!difference_apply(draft, bent.data, bent.length, false, &why))
            assert_int_equal(why.code, FAULT_STORAGE);
        draft_free(draft);
        draft = begin(before);
        if (!difference_apply(draft, difference.data, length, false, &why))
            assert_int_equal(why.code, FAULT_STORAGE);
        draft_free(draft);
        bytes_free(&bent);
    }
    bytes_free(&difference);
    view_drop(after);
    view_drop(before);
    view_drop(other);
}

static void a_draft_that_has_spent_its_vertices_takes_no_more(void **state)
{
    struct view *view = ground_flat(8, 8, 0);
    struct draft *draft = begin(view);
    struct fault why = { 0 };

    (void)state;
    assert_true(draft_spend(draft, INT64_MAX, &why));
    draft_limit(draft, 100);
    assert_true(draft_spend(draft, 60, &why));
    assert_false(draft_spend(draft, 41, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    assert_true(draft_spend(draft, 40, &why));
    assert_false(draft_spend(draft, 1, &why));
    draft_free(draft);
    view_drop(view);
}

/* The last versions' changes stand in the view, the newest first; what is no height is none. */
static void a_view_knows_its_last_changes(void **state)
{
    static const uint16_t xy[1][2] = { { 33000, 32768 } };
    struct view *view = ground_rough(300, 260, 5);
    struct change change;
    struct draft *draft;
    struct fault why;

    (void)state;
    for (int32_t i = 0; i < VIEW_CHANGES + 4; i++) {
        draft = begin(view);
        if (i == VIEW_CHANGES + 1)
            assert_true(draft_write_offsets(draft, (struct rect){ 3, 3, 1, 1 }, xy, 1, &why));
        else
            put(draft, (struct rect){ 5 * i, 3 * i, 7, 4 }, (uint16_t)(i % 2 ? 65535 : i));
        view = ground_finish(draft, view, &change);
    }
    assert_int_equal(view->change_count, VIEW_CHANGES);
    for (int32_t k = 0; k < VIEW_CHANGES; k++) {
        int32_t i = VIEW_CHANGES + 3 - k;
        struct rect over = { 5 * i, 3 * i, 7, 4 };

        if (k == 2)
            assert_true(rect_empty(view->changes[k].over));
        else
            assert_memory_equal(&view->changes[k].over, &over, sizeof over);
        if (k != 2 && i % 2)
            assert_int_equal(view->changes[k].greatest, 65535); /* as it became */
    }
    view_again(view);
    assert_int_equal(view->change_count, 0);
    view_drop(view);
}

/* Offsets are told from all else, stand where they were put, and differences carry them. */
static void offsets_are_a_change_of_their_own(void **state)
{
    static const uint16_t xy[4][2] = { { 33000, 32768 }, { 1, 2 }, { 65535, 0 }, { 7, 32768 } };
    const struct rect to = { 126, 127, 2, 2 }; /* in four blocks */
    struct view *view = ground_rough(300, 260, 5), *before = view_hold(view);
    struct bytes difference = { 0 };
    struct change change;
    struct fault why;
    struct draft *draft = draft_new(view, &why);

    (void)state;
    assert_true(draft_write_offsets(draft, to, xy, 2, &why));
    view = ground_finish(draft, view, &change);
    assert_int_equal(change.what, CHANGE_OFFSETS);
    assert_int_equal(change.vertices, 4);
    assert_memory_equal(&change.dirty, &to, sizeof to);
    assert_true(view_has_offsets(view));
    assert_true(view_newest_offsets(view, to) == view->version);
    assert_true(view_newest_offsets(view, (struct rect){ 256, 0, 44, 128 }) < view->version);
    assert_true(view_newest(view, view_rect(view)) == view_newest(before, view_rect(view)));
    for (int axis = 0; axis < 2; axis++) {
        uint16_t around[16];

        view_read_offsets(view, axis, (struct rect){ 125, 126, 4, 4 }, around, 4);
        for (int i = 0; i < 16; i++) {
            int x = i % 4 - 1, y = i / 4 - 1;
            bool there = x >= 0 && x < 2 && y >= 0 && y < 2;

            assert_int_equal(around[i], there ? xy[y * 2 + x][axis] : 32768);
        }
    }
    assert_true(difference_write(before, view, &difference, &why));
    draft = draft_new(view, &why);
    assert_true(difference_apply(draft, difference.data, difference.length, true, &why));
    view = ground_finish(draft, view, &change);
    assert_int_equal(change.what, CHANGE_OFFSETS);
    assert_false(view_has_offsets(view));
    draft = draft_new(view, &why);
    assert_true(difference_apply(draft, difference.data, difference.length, false, &why));
    view = ground_finish(draft, view, &change);
    assert_int_equal(change.vertices, 4);
    assert_true(view_has_offsets(view));
    ground_assert_sound(view);
    bytes_free(&difference);
    view_drop(before);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_without_changes_is_its_base),
        cmocka_unit_test(what_is_changed_and_changed_back_leaves_no_trace),
        cmocka_unit_test(blocks_that_did_not_change_are_shared_with_their_stamps),
        cmocka_unit_test(one_value_needs_no_memory),
        cmocka_unit_test(random_writes_agree_with_a_flat_array),
        cmocka_unit_test(a_vertex_whose_hole_and_height_change_counts_once),
        cmocka_unit_test(new_settings_make_a_version_and_the_same_do_not),
        cmocka_unit_test(differences_redo_and_undo_exactly),
        cmocka_unit_test(differences_cut_short_or_bent_are_refused),
        cmocka_unit_test(a_draft_that_has_spent_its_vertices_takes_no_more),
        cmocka_unit_test(a_view_knows_its_last_changes),
        cmocka_unit_test(offsets_are_a_change_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

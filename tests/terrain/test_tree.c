/* Blocks and the quadtree over them. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

static void a_flat_tree_of_any_size_needs_no_memory(void **state)
{
    static const int32_t sizes[][3] = { { 8, 8, 0 },     { 128, 128, 0 },    { 129, 8, 1 },
                                        { 8, 1024, 1 },  { 1025, 1024, 2 },  { 8192, 8192, 2 },
                                        { 8193, 17, 3 }, { 65536, 65536, 3 } };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tree tree = tree_flat(PLANE_HEIGHTS, sizes[i][0], sizes[i][1], 7, 3);
        struct rect all = { 0, 0, sizes[i][0], sizes[i][1] };
        struct summary sum = tree_bounds(&tree, all);

        assert_int_equal(tree.depth, sizes[i][2]);
        assert_int_equal(tree_bytes(&tree), 0);
        assert_int_equal(tree_value(&tree, all.width - 1, all.height - 1), 7);
        assert_int_equal(tree_newest(&tree, all), 3);
        assert_true(sum.least == 7 && sum.greatest == 7);
        assert_int_equal(tree_newest(&tree, (struct rect){ -9, -9, 5, 5 }), 0);
        tree_drop(&tree);
    }
}

static void a_block_that_is_put_is_found_and_summed(void **state)
{
    struct tree tree = tree_flat(PLANE_HEIGHTS, 1000, 300, 7, 1);
    struct block *block = block_new(PLANE_HEIGHTS, 0);
    uint64_t identity = block->identity;
    struct child leaf;

    (void)state;
    for (int32_t i = 0; i < BLOCK_VERTICES; i++)
        ((uint16_t *)block_writable(block))[i] = (uint16_t)(i % 1000 + 5);
    assert_true(tree_put(&tree, 3, 1, &block, 0, 9));
    assert_null(block);
    leaf = tree_block(&tree, 3, 1);
    assert_int_equal(((struct block *)leaf.below)->identity, identity);
    assert_int_equal(leaf.summary.version, 9);
    assert_int_equal(leaf.summary.least, 5);
    assert_int_equal(leaf.summary.greatest, 1004);
    assert_int_equal(tree_newest(&tree, (struct rect){ 384, 128, 1, 1 }), 9);
    assert_int_equal(tree_newest(&tree, (struct rect){ 383, 0, 1, 128 }), 1);
    assert_int_equal(tree_node(&tree, 3, 0, 0).greatest, 1004);
    /* one value instead, and the same value as all around */
    assert_true(tree_put(&tree, 3, 1, &block, 8, 10));
    assert_int_equal(tree_value(&tree, 400, 200), 8);
    assert_null(tree_block(&tree, 3, 1).below);
    /* a block of one value is not kept */
    block = block_new(PLANE_HEIGHTS, 44);
    assert_true(tree_put(&tree, 0, 0, &block, 0, 11));
    assert_null(tree_block(&tree, 0, 0).below);
    assert_int_equal(tree_value(&tree, 127, 127), 44);
    tree_drop(&tree);
}

static void edge_blocks_leave_out_what_is_beyond(void **state)
{
    struct tree tree = tree_flat(PLANE_HEIGHTS, 200, 140, 50, 1);
    struct block *block = tree_own(&tree, 1, 1, 2);

    (void)state;
    for (int32_t y = 0; y < 12; y++)
        for (int32_t x = 0; x < 72; x++)
            assert_int_equal(block_value(block, x, y), 50);
    assert_int_equal(block_value(block, 72, 0), 0);
    assert_int_equal(block_value(block, 0, 12), 0);
    ((uint16_t *)block_writable(block))[11 * BLOCK_SIDE + 71] = 60;
    tree_settle(&tree, 1, 1, (struct rect){ 71, 11, 1, 1 });
    assert_int_equal(tree_block(&tree, 1, 1).summary.least, 50);
    assert_int_equal(tree_block(&tree, 1, 1).summary.greatest, 60);
    assert_int_equal(block_cells(tree_block(&tree, 1, 1).below)[16 + 8].sum, 4 * 8 * 50 + 10);
    tree_drop(&tree);
}

static void versions_share_what_they_do_not_change(void **state)
{
    struct view *view = ground_rough(2000, 500, 1);
    struct tree old = tree_hold(&view->planes[PLANE_HEIGHTS]);
    struct tree *tree = &view->planes[PLANE_HEIGHTS];
    uint16_t before = tree_value(&old, 700, 300);
    struct block *block = tree_own(tree, 5, 2, 77);
    int shared = 0, other = 0;

    (void)state;
    ((uint16_t *)block_writable(block))[(300 - 256) * BLOCK_SIDE + 700 - 640] = 1;
    tree_settle(tree, 5, 2, (struct rect){ 60, 44, 1, 1 });
    assert_int_equal(tree_value(&old, 700, 300), before);
    assert_int_equal(tree_value(tree, 700, 300), 1);
    for (int32_t i = 0; i < 16 * 4; i++) {
        void *was = tree_block(&old, i % 16, i / 16).below,
             *is = tree_block(tree, i % 16, i / 16).below;

        shared += was == is;
        other += was != is;
    }
    assert_int_equal(other, 1);
    assert_int_equal(shared, 63);
    /* the same block again is already this tree's own */
    assert_ptr_equal(tree_own(tree, 5, 2, 78), block);
    tree_settle(tree, 5, 2, (struct rect){ 0 });
    tree_drop(&old);
    ground_assert_sound(view);
    view_drop(view);
}

static void bounds_of_a_rectangle_are_never_too_narrow(void **state)
{
    struct view *view = ground_rough(1500, 700, 2);
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    struct dice dice = { 2 };

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct rect over = dice_rect(&dice, 1500, 700, i % 2 ? 20 : 1500);
        struct rect cells = { over.x & ~7, over.y & ~7, 0, 0 };
        struct summary got = tree_bounds(tree, over);
        uint16_t least = UINT16_MAX, greatest = 0, widest_least = UINT16_MAX, widest_greatest = 0;

        cells.width = ((over.x + over.width + 7) & ~7) - cells.x;
        cells.height = ((over.y + over.height + 7) & ~7) - cells.y;
        cells = rect_meet(cells, view_rect(view));
        for (int32_t y = cells.y; y < cells.y + cells.height; y++) {
            for (int32_t x = cells.x; x < cells.x + cells.width; x++) {
                uint16_t code = tree_value(tree, x, y);
                bool in = rect_inside((struct rect){ x, y, 1, 1 }, over);

                widest_least = code < widest_least ? code : widest_least;
                widest_greatest = code > widest_greatest ? code : widest_greatest;
                least = in && code < least ? code : least;
                greatest = in && code > greatest ? code : greatest;
            }
        }
        assert_true(got.least <= least && got.greatest >= greatest);
        assert_int_equal(got.least, widest_least);
        assert_int_equal(got.greatest, widest_greatest);
    }
    view_drop(view);
}

static void the_newest_version_is_that_of_the_blocks_it_meets(void **state)
{
    struct tree tree = tree_flat(PLANE_HOLES, 3000, 2000, 0, 1);
    struct dice dice = { 3 };

    (void)state;
    for (uint64_t version = 2; version < 60; version++) {
        int32_t bx = dice_between(&dice, 0, 23), by = dice_between(&dice, 0, 15);
        struct block *block = tree_own(&tree, bx, by, version);

        ((uint64_t *)block_writable(block))[0] ^= 1;
        tree_settle(&tree, bx, by, (struct rect){ 0, 0, 1, 1 });
    }
    for (int i = 0; i < 300; i++) {
        struct rect over = dice_rect(&dice, 3000, 2000, i % 3 ? 300 : 3000);
        uint64_t newest = 0;

        for (int32_t by = over.y >> 7; by <= (over.y + over.height - 1) >> 7; by++) {
            for (int32_t bx = over.x >> 7; bx <= (over.x + over.width - 1) >> 7; bx++) {
                uint64_t version = tree_block(&tree, bx, by).summary.version;

                newest = version > newest ? version : newest;
            }
        }
        assert_int_equal(tree_newest(&tree, over), newest);
    }
    tree_drop(&tree);
}

static void nodes_beyond_the_landscape_are_empty(void **state)
{
    struct tree tree = tree_flat(PLANE_HEIGHTS, 1200, 300, 9, 4);

    (void)state;
    assert_int_equal(tree_node(&tree, 0, 9, 2).version, 4);
    assert_int_equal(tree_node(&tree, 0, 10, 2).version, 0);
    assert_true(tree_node(&tree, 0, 9, 3).least > tree_node(&tree, 0, 9, 3).greatest);
    assert_int_equal(tree_node(&tree, 2, 2, 0).version, 4);
    assert_int_equal(tree_node(&tree, 2, 3, 0).version, 0);
    assert_int_equal(tree_node(&tree, 0, -1, 0).version, 0);
    assert_int_equal(tree_node(&tree, 20, 0, 0).version, 4);
    assert_int_equal(tree_node(&tree, 20, 1, 0).version, 0);
    tree_drop(&tree);
}

struct visits {
    int count, stop_after;
};

static bool visit(void *context, int32_t bx, int32_t by, const struct child *before,
                  const struct child *after)
{
    struct visits *visits = context;

    assert_true(before->below != after->below || before->summary.least != after->summary.least);
    assert_true(bx >= 0 && bx < 10 && by >= 0 && by < 3);
    return ++visits->count < visits->stop_after;
}

static void comparing_visits_each_block_that_differs(void **state)
{
    struct tree a = tree_flat(PLANE_HEIGHTS, 1200, 300, 9, 4);
    struct tree b = tree_flat(PLANE_HEIGHTS, 1200, 300, 8, 5);
    struct tree c = tree_flat(PLANE_HEIGHTS, 1200, 300, 9, 6);
    struct visits all = { 0, 1000 }, none = { 0, 1000 }, some = { 0, 2 };

    (void)state;
    assert_true(tree_compare(&a, &b, visit, &all));
    assert_int_equal(all.count, 30);
    assert_true(tree_compare(&a, &c, visit, &none));
    assert_int_equal(none.count, 0);
    ((uint16_t *)block_writable(tree_own(&c, 0, 0, 7)))[0] = 1;
    tree_settle(&c, 0, 0, (struct rect){ 0, 0, 1, 1 });
    ((uint16_t *)block_writable(tree_own(&c, 9, 2, 7)))[0] = 1;
    tree_settle(&c, 9, 2, (struct rect){ 0, 0, 1, 1 });
    assert_false(tree_compare(&a, &c, visit, &some));
    assert_int_equal(some.count, 2);
    all.count = 0;
    assert_true(tree_compare(&c, &b, visit, &all));
    assert_int_equal(all.count, 30);
    tree_drop(&a);
    tree_drop(&b);
    tree_drop(&c);
}

static void planes_have_names_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(plane_name(PLANE_HEIGHTS), "heights");
    assert_string_equal(plane_name(PLANE_HOLES), "holes");
    for (int plane = 0; plane < RESOLVED_PLANES; plane++) {
        struct block *block = block_new(plane, 1), *copy = block_copy(block);

        assert_non_null(plane_name(plane));
        assert_int_equal(plane_block_bytes(plane), BLOCK_VERTICES * plane_bits(plane) / 8);
        assert_int_equal(block_value(block, 127, 127), 1);
        assert_int_not_equal(block->identity, copy->identity);
        assert_memory_equal(block_values(block), block_values(copy), plane_block_bytes(plane));
        block_drop(block_hold(copy));
        block_drop(copy);
        block_drop(block);
    }
    block_drop(NULL);
}

/* Views */

static void reading_around_repeats_the_border(void **state)
{
    struct view *view = ground_rough(150, 140, 4);
    struct dice dice = { 4 };

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct rect from = { dice_between(&dice, -60, 200), dice_between(&dice, -60, 200),
                             dice_between(&dice, 1, 30), dice_between(&dice, 1, 30) };
        uint16_t got[30 * 33];

        view_read_around(view, from, got, 33);
        for (int32_t k = 0; k < from.width * from.height; k++) {
            int32_t x = from.x + k % from.width, y = from.y + k / from.width;
            int32_t in_x = x < 0 ? 0 : x > 149 ? 149 : x, in_y = y < 0 ? 0 : y > 139 ? 139 : y;

            assert_int_equal(got[k / from.width * 33 + k % from.width],
                             view_height(view, in_x, in_y));
        }
    }
    view_drop(view);
}

static void a_view_lives_until_its_last_holder_drops_it(void **state)
{
    struct view *view = ground_rough(150, 140, 4), *held = view_hold(view);
    uint16_t code = view_height(view, 9, 9);

    (void)state;
    view_drop(view);
    assert_int_equal(view_height(held, 9, 9), code);
    assert_true(view_bytes(held) > 150 * 140 * 2);
    view_drop(held);
    view_drop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_tree_of_any_size_needs_no_memory),
        cmocka_unit_test(a_block_that_is_put_is_found_and_summed),
        cmocka_unit_test(edge_blocks_leave_out_what_is_beyond),
        cmocka_unit_test(versions_share_what_they_do_not_change),
        cmocka_unit_test(bounds_of_a_rectangle_are_never_too_narrow),
        cmocka_unit_test(the_newest_version_is_that_of_the_blocks_it_meets),
        cmocka_unit_test(nodes_beyond_the_landscape_are_empty),
        cmocka_unit_test(comparing_visits_each_block_that_differs),
        cmocka_unit_test(planes_have_names_and_sizes),
        cmocka_unit_test(reading_around_repeats_the_border),
        cmocka_unit_test(a_view_lives_until_its_last_holder_drops_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

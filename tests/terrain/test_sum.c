/* Sums of heights over rectangles against additions one by one. */
#include "tests/terrain/ground.h"

#include <stdlib.h>

#include "terrain/query/sum.h"

static uint32_t seed = 1;

static int32_t chance(int32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)seed * (uint32_t)below >> 32);
}

static void compare_sums(const struct view *view, int rounds, int32_t highest)
{
    const struct rect all = view_rect(view);
    uint16_t *heights = ground_heights(view);

    for (int round = 0; round < rounds; round++) {
        struct rect over = { chance(all.width), chance(all.height), 0, 0 };
        uint64_t sum = 0;

        over.width = 1 + chance(all.width - over.x);
        over.height = 1 + chance(round % 3 ? highest : all.height);
        over = rect_meet(over, all);
        for (int32_t y = over.y; y < over.y + over.height; y++)
            for (int32_t x = over.x; x < over.x + over.width; x++)
                sum += heights[y * all.width + x];
        assert_true(sum_heights(view, over) == sum);
    }
    free(heights);
}

static void any_rectangle_sums_to_its_heights(void **state)
{
    struct view *rough = ground_rough(442, 316, 7);

    (void)state;
    compare_sums(rough, 3000, 20);
    view_drop(rough);
}

/* Blocks that are all one value are not there. */
static void flat_ground_sums_as_well(void **state)
{
    struct view *flat = ground_flat(442, 316, 40000);
    const uint16_t peaks[4] = { 1, 65535, 3, 0 };
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(flat, &why);

    (void)state;
    assert_true(draft_write_heights(draft, (struct rect){ 127, 127, 2, 2 }, peaks, 2, &why));
    flat = ground_finish(draft, flat, &change);
    compare_sums(flat, 500, 316);
    view_drop(flat);
}

static void sums_go_beyond_32_bits(void **state)
{
    struct view *view = ground_flat(1009, 1009, 65535);

    (void)state;
    assert_true(sum_heights(view, view_rect(view)) == 65535ull * 1009 * 1009);
    view_drop(view);
}

static void an_empty_rectangle_sums_to_nothing(void **state)
{
    struct view *view = ground_flat(64, 64, 7);

    (void)state;
    assert_true(sum_heights(view, (struct rect){ 3, 3, 0, 5 }) == 0);
    assert_true(sum_heights(view, (struct rect){ 3, 3, 5, -1 }) == 0);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_rectangle_sums_to_its_heights),
        cmocka_unit_test(flat_ground_sums_as_well),
        cmocka_unit_test(sums_go_beyond_32_bits),
        cmocka_unit_test(an_empty_rectangle_sums_to_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

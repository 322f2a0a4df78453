/* Tiles against the view that they are made from, sample by sample. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/tile.h"
#include "tests/render/scenery.h"

static int32_t clamp(int32_t value, int32_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The height of a vertex, the nearest on the landscape beyond its border. */
static uint16_t height_near(const struct view *view, int32_t x, int32_t y)
{
    return view_height(view, clamp(x, view_grid(view)->columns - 1),
                       clamp(y, view_grid(view)->rows - 1));
}

static bool is_hole(const struct view *view, int32_t x, int32_t y)
{
    return x < 0 || y < 0 || x >= view_grid(view)->columns - 1 || y >= view_grid(view)->rows - 1 ||
           view_hole(view, x, y);
}

static bool tile_says_hole(const uint16_t *texels, int32_t column, int32_t row)
{
    return texels[(TILE_SIDE + column / 16) * TILE_SIDE + row] >> column % 16 & 1;
}

static void expect_tile(const struct view *view, int32_t level, int32_t x, int32_t y)
{
    static uint16_t texels[TILE_TEXELS];
    int32_t step = 1 << level;

    assert_true(tile_make(view, level, x, y, texels));
    for (int32_t row = 0; row < TILE_SIDE; row++)
        for (int32_t column = 0; column < TILE_SIDE; column++) {
            int32_t left = (x * 128 + column - TILE_MARGIN) * step;
            int32_t top = (y * 128 + row - TILE_MARGIN) * step;
            int64_t sum = 0, holes = 0, count = (int64_t)step * step;

            for (int32_t j = top; j < top + step; j++)
                for (int32_t i = left; i < left + step; i++) {
                    sum += height_near(view, i, j);
                    holes += is_hole(view, i, j);
                }
            /* A cell cut off by the border counts whole with the mean of what it has. */
            if (left >= 0 && top >= 0 && left + step <= view_grid(view)->columns &&
                top + step <= view_grid(view)->rows)
                assert_int_equal(texels[row * TILE_SIDE + column], (sum + count / 2) / count);
            assert_int_equal(tile_says_hole(texels, column, row), holes * 2 >= count);
        }
}

static struct view *torn_mountains(int32_t side)
{
    struct view *view = scenery_mountains(side, 10);
    static const struct rect holes[] = { { 3, 5, 40, 11 }, { 120, 100, 30, 60 }, { 130, 3, 1, 1 } };

    for (int i = 0; view && i < 3; i++) {
        struct view *torn = scenery_holes(view, holes[i]);

        view_drop(view);
        view = torn;
    }
    return view;
}

static void every_level_is_the_mean_of_what_it_covers(void **state)
{
    struct view *view = torn_mountains(505);

    (void)state;
    assert_non_null(view);
    for (int32_t level = 0; level < 5; level++)
        for (int32_t y = 0; y <= 504 >> (7 + level); y++)
            for (int32_t x = 0; x <= 504 >> (7 + level); x++)
                expect_tile(view, level, x, y);
    view_drop(view);
}

static void a_plain_without_blocks_has_its_height_everywhere(void **state)
{
    struct view *view = scenery_plain(253, 1, 40000);
    static uint16_t texels[TILE_TEXELS];

    (void)state;
    for (int32_t level = 0; level < 4; level++) {
        assert_true(tile_make(view, level, 0, 0, texels));
        for (int i = 0; i < TILE_SIDE * TILE_SIDE; i++)
            assert_int_equal(texels[i], 40000);
    }
    view_drop(view);
}

/* Tiles of one level agree where they overlap: two samples of each other's on either side. */
static void neighbours_share_their_border(void **state)
{
    static uint16_t west[TILE_TEXELS], east[TILE_TEXELS];
    struct view *view = torn_mountains(505);

    (void)state;
    for (int32_t level = 0; level < 2; level++) {
        assert_true(tile_make(view, level, 0, 0, west) && tile_make(view, level, 1, 0, east));
        for (int32_t row = 0; row < TILE_SIDE; row++)
            assert_memory_equal(west + row * TILE_SIDE + 128, east + row * TILE_SIDE, 4 * 2);
    }
    view_drop(view);
}

/* Whatever an edit does to a tile, its key tells; and far away no key changes. */
static void another_content_is_another_key(void **state)
{
    struct view *view = torn_mountains(505);
    uint32_t random = 3;

    (void)state;
    for (int round = 0; round < 30; round++) {
        struct rect where = { (int32_t)(random >> 8) % 490, (int32_t)(random >> 16) % 490, 9, 7 };
        struct view *next = round % 3 ? scenery_change(view, where, (uint16_t)(random >> 4))
                                      : scenery_holes(view, where);
        static uint16_t before[TILE_TEXELS], after[TILE_TEXELS];

        for (int32_t i = 0; i < 16; i++) {
            struct tile_key was = tile_key(view, 0, i % 4, i / 4);
            struct tile_key is = tile_key(next, 0, i % 4, i / 4);
            struct rect reach = { i % 4 * 128 - 130, i / 4 * 128 - 130, 388, 388 };

            assert_true(tile_make(view, 0, i % 4, i / 4, before));
            assert_true(tile_make(next, 0, i % 4, i / 4, after));
            if (memcmp(before, after, TILE_BYTES) != 0)
                assert_memory_not_equal(&was, &is, sizeof was);
            if (rect_empty(rect_meet(where, reach)))
                assert_memory_equal(&was, &is, sizeof was);
        }
        view_drop(view);
        view = next;
        random = random * 1664525 + 1013904223;
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_is_the_mean_of_what_it_covers),
        cmocka_unit_test(a_plain_without_blocks_has_its_height_everywhere),
        cmocka_unit_test(neighbours_share_their_border),
        cmocka_unit_test(another_content_is_another_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tiles of paint against the view that they are made from, and what their keys say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/plane_make.h"
#include "render/plane_weights.h"
#include "render/wire.h"
#include "tests/render/scenery.h"

enum { A_SLOT = 4, BYTES = TILE_SIDE * TILE_SIDE * A_SLOT };

static const struct plane_maker *const maker = &plane_maker_weights;
static const struct picture picture = { .mode = RENDER_MODE_lit };

static void become(struct view **view, struct view *next)
{
    assert_non_null(next);
    view_drop(*view);
    *view = next;
}

static void add_layers(struct view **view, int count)
{
    for (int i = 0; i < count; i++) {
        char name[16];

        snprintf(name, sizeof name, "p%d", i);
        become(view, scenery_paint_layer(*view, name));
    }
}

static void paint(struct view **view, int layer, struct rect where, uint8_t weight)
{
    char name[16];

    snprintf(name, sizeof name, "p%d", layer);
    become(view, scenery_paint(*view, name, where, weight));
}

/* 379 x 379 vertices with seven layers, each on a part of its own. */
static struct view *meadow(void)
{
    struct view *view = scenery_plain(379, 10, 32768);
    uint32_t random = 5;

    add_layers(&view, 7);
    paint(&view, 0, view_rect(view), 255);
    for (int i = 1; i < 40; i++) {
        struct rect where = { (int32_t)(random >> 8) % 300, (int32_t)(random >> 16) % 300,
                              1 + (int32_t)(random >> 5) % 60, 1 + (int32_t)(random >> 12) % 50 };

        paint(&view, 1 + i % 5, where, (uint8_t)(random >> 10));
        random = random * 1664525 + 1013904223;
    }
    return view;
}

static uint8_t mean_of(const struct view *view, int layer, int32_t left, int32_t top, int32_t step)
{
    const struct tree *tree = view_weights(view, view->settings->stack->paints[layer].id);
    struct rect square = rect_meet((struct rect){ left, top, step, step }, view_rect(view));
    uint32_t sum = 0, count = (uint32_t)rect_area(square);

    for (int32_t y = square.y; y < square.y + square.height; y++)
        for (int32_t x = square.x; x < square.x + square.width; x++)
            sum += tree_value(tree, x, y);
    return (uint8_t)((sum + count / 2) / count);
}

static int32_t within(int32_t sample, int32_t step, int32_t size)
{
    int32_t last = (size - 1) / step;

    return sample < 0 ? 0 : sample > last ? last : sample;
}

static void expect_tile(const struct view *view, int32_t level, int32_t x, int32_t y)
{
    static uint8_t texels[BYTES];
    const struct plane_source source = { .view = view, .picture = &picture };
    uint8_t paints[PAINTS_MOST], listed[WIRE_PAINTS] = { 0 };
    int count = plane_weights_paints(view, level, x, y, paints);
    int32_t step = 1 << level;
    struct fault why;

    for (int slot = SLOT_weights0; slot <= SLOT_weights2; slot++) {
        int first = (slot - SLOT_weights0) * A_SLOT;
        struct tile_key key;

        assert_int_equal(maker->key(&source, level, x, y, slot, &key), first < count);
        if (first >= count)
            continue;
        maker->paints(&source, level, x, y, slot, listed);
        assert_true(maker->make(&source, &key, texels, &why));
        for (int32_t i = 0; i < TILE_SIDE * TILE_SIDE; i++) {
            int32_t column = within(x * 128 + i % TILE_SIDE - 2, step, view_grid(view)->columns);
            int32_t row = within(y * 128 + i / TILE_SIDE - 2, step, view_grid(view)->rows);

            for (int c = 0; c < A_SLOT; c++)
                assert_int_equal(texels[A_SLOT * i + c],
                                 first + c < count ? mean_of(view, listed[first + c], column * step,
                                                             row * step, step)
                                                   : 0);
        }
    }
    assert_memory_equal(listed, paints, (size_t)count);
}

static void every_level_is_the_mean_of_what_it_covers(void **state)
{
    struct view *view = meadow();

    (void)state;
    for (int32_t level = 0; level < 4; level++)
        for (int32_t y = 0; y <= 378 >> (7 + level); y++)
            for (int32_t x = 0; x <= 378 >> (7 + level); x++)
                expect_tile(view, level, x, y);
    view_drop(view);
}

static void all_that_have_weight_are_there_in_the_stacks_order(void **state)
{
    struct view *view = meadow();
    uint8_t paints[PAINTS_MOST];

    (void)state;
    assert_int_equal(plane_weights_paints(view, 2, 0, 0, paints), 6); /* p6 has none */
    for (int i = 0; i < 6; i++)
        assert_int_equal(paints[i], i);
    view_drop(view);
}

static void of_more_than_twelve_the_heaviest_are_shown(void **state)
{
    struct view *view = scenery_plain(127, 10, 32768);
    uint8_t paints[PAINTS_MOST];

    (void)state;
    add_layers(&view, 15);
    paint(&view, 0, view_rect(view), 255);
    for (int i = 0; i < 15; i++) /* p4, p5 and p6 the smallest */
        paint(&view, i, (struct rect){ 0, 8 * i, i < 4 || i > 6 ? 80 : 20, 8 }, 255);
    assert_int_equal(plane_weights_paints(view, 0, 0, 0, paints), PAINTS_MOST);
    for (int i = 0; i < PAINTS_MOST; i++)
        assert_int_equal(paints[i], i < 4 ? i : i + 3);
    view_drop(view);
}

static void ground_of_one_layer_is_one_tile_wherever_it_lies(void **state)
{
    static uint8_t texels[BYTES];
    struct view *view = scenery_plain(379, 10, 32768);
    const struct plane_source source = { .view = view, .picture = &picture };
    struct plane_source painted = source;
    struct tile_key bare, first, other;
    struct fault why;

    (void)state;
    assert_false(maker->key(&source, 0, 0, 0, SLOT_weights0, &bare)); /* nothing to look up */
    add_layers(&view, 2);
    paint(&view, 1, view_rect(view), 255);
    painted.view = view;
    assert_true(maker->key(&painted, 0, 0, 0, SLOT_weights0, &first));
    for (int32_t level = 0; level < 3; level++) {
        assert_true(maker->key(&painted, level, (2 >> level), 0, SLOT_weights0, &other));
        assert_memory_equal(&first, &other, sizeof first);
    }
    assert_true(maker->make(&painted, &first, texels, &why));
    for (int32_t i = 0; i < BYTES; i++)
        assert_int_equal(texels[i], i % A_SLOT == 0 ? 255 : 0);
    view_drop(view);
}

/* Whatever painting does to a tile, its key tells; and far away no key changes. */
static void another_content_is_another_key(void **state)
{
    static uint8_t before[BYTES], after[BYTES];
    struct view *view = meadow();
    uint32_t random = 11;
    struct fault why;

    (void)state;
    for (int round = 0; round < 12; round++) {
        struct rect where = { (int32_t)(random >> 8) % 360, (int32_t)(random >> 16) % 360, 9, 7 };
        struct view *next = view_hold(view);

        paint(&next, 1 + round % 4, where, (uint8_t)(random >> 4));
        for (int32_t i = 0; i < 9; i++) {
            const struct plane_source was = { .view = view, .picture = &picture };
            const struct plane_source is = { .view = next, .picture = &picture };
            struct rect reach = { i % 3 * 128 - 130, i / 3 * 128 - 130, 388, 388 };
            struct tile_key old, new;

            assert_true(maker->key(&was, 0, i % 3, i / 3, SLOT_weights0, &old));
            assert_true(maker->key(&is, 0, i % 3, i / 3, SLOT_weights0, &new));
            assert_true(maker->make(&was, &old, before, &why));
            assert_true(maker->make(&is, &new, after, &why));
            if (memcmp(before, after, BYTES) != 0)
                assert_memory_not_equal(&old, &new, sizeof old);
            if (rect_empty(rect_meet(where, reach)))
                assert_memory_equal(&old, &new, sizeof old);
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
        cmocka_unit_test(all_that_have_weight_are_there_in_the_stacks_order),
        cmocka_unit_test(of_more_than_twelve_the_heaviest_are_shown),
        cmocka_unit_test(ground_of_one_layer_is_one_tile_wherever_it_lies),
        cmocka_unit_test(another_content_is_another_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

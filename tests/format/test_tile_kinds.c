/* Every kind of file that a set of tiles comes as holds the same samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <webp/decode.h>

#include "terrain/edit/draft.h"
#include "terrain/format/tile_set.h"
#include "tests/format/judge.h"

/* Rough ground on its own grid. */
static struct view *ground(void)
{
    const struct layout layout = { { 2, 2 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *flat = view_new(&settings, 1, 1, 32768), *view;
    const int32_t side = view_rect(flat).width;
    uint16_t *codes = malloc((size_t)side * (size_t)side * sizeof *codes);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(flat, &why);

    for (int32_t i = 0; i < side * side; i++)
        codes[i] = (uint16_t)(30000 + 40 * (i % side) + ((uint32_t)i * 2654435761u >> 23));
    assert_true(draft_write_heights(draft, view_rect(flat), codes, side, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    view_drop(flat);
    free(codes);
    return view;
}

static struct bytes written(const struct tile_set *set, const char *kind, const struct view *view,
                            int32_t side)
{
    const struct tile tile = TILE_AT(0, 0, 0, side);
    struct bytes to = { 0 };
    struct fault why = { 0 };

    if (!tile_set_write(set, tile_set_kind(set, kind), view, &tile, &tile_look_usual, &to, &why))
        fail_msg("%s as %s: %s", set->name, kind, why.detail);
    return to;
}

/* The file is one lossless picture and nothing else, with every sample of the PNG. */
static void webp_is_the_png(const struct tile_set *set, const struct view *view, int32_t side)
{
    struct bytes png = written(set, "png", view, side), webp = written(set, "webp", view, side);
    int width, height, channels, across, down;
    uint8_t *samples = judge_png(png.data, png.length, &width, &height, &channels);
    uint8_t *rgba = WebPDecodeRGBA(webp.data, webp.length, &across, &down);

    assert_non_null(samples);
    assert_non_null(rgba);
    assert_int_equal(across, side);
    assert_int_equal(down, side);
    assert_memory_equal(webp.data, "RIFF", 4);
    assert_memory_equal(webp.data + 8, "WEBPVP8L", 8);
    for (int i = 0; i < side * side; i++)
        for (int c = 0; c < 4; c++) {
            const int expected = c == 3 && channels < 4 ? 255
                                 : channels == 1        ? samples[i]
                                                        : samples[channels * i + c];

            if (rgba[4 * i + c] != expected)
                fail_msg("%s: pixel %d, channel %d is %d, not %d", set->name, i, c, rgba[4 * i + c],
                         expected);
        }
    WebPFree(rgba);
    free(samples);
    bytes_free(&png);
    bytes_free(&webp);
}

static void webp_holds_every_sample(void **state)
{
    struct view *view = ground();

    (void)state;
    for (int i = 0; tile_sets[i]; i++) {
        if (!tile_set_kind(tile_sets[i], "webp"))
            continue;
        webp_is_the_png(tile_sets[i], view, TILE_SIDE);
        webp_is_the_png(tile_sets[i], view, TILE_SIDE_2X);
    }
    view_drop(view);
}

static void the_first_kind_is_the_usual_one(void **state)
{
    struct view *view = ground();

    (void)state;
    for (int i = 0; tile_sets[i]; i++) {
        const struct tile tile = TILE_AT(0, 0, 0, TILE_SIDE);
        struct bytes first =
            written(tile_sets[i], tile_sets[i]->kinds[0]->extension, view, TILE_SIDE);
        struct bytes usual = { 0 };
        struct fault why;

        assert_true(
            tile_set_write(tile_sets[i], NULL, view, &tile, &tile_look_usual, &usual, &why));
        assert_int_equal(first.length, usual.length);
        assert_memory_equal(first.data, usual.data, usual.length);
        assert_null(tile_set_kind(tile_sets[i], "jpg"));
        assert_ptr_equal(tile_set_find(tile_sets[i]->name), tile_sets[i]);
        bytes_free(&first);
        bytes_free(&usual);
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(webp_holds_every_sample),
        cmocka_unit_test(the_first_kind_is_the_usual_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

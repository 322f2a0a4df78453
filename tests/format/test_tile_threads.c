/* Tiles painted by several threads at once, while a writer makes new versions beside them. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/edit/draft.h"
#include "terrain/format/georef.h"
#include "terrain/format/tile_set.h"

enum { THREADS = 4, ROUNDS = 6 };

static const char *const systems[] = { "EPSG:4326", "EPSG:32616", "EPSG:27700" };
static const double corners[][4] = { { -84.41, 36.45, -84.08, 36.73 },
                                     { 700000, 4030000, 760000, 4080000 },
                                     { 400000, 200000, 430000, 224000 } };

static struct view *slope(int i)
{
    const struct layout layout = { { 4, 4 }, 1, 63 };
    struct settings *settings = settings_new(&layout);
    struct fault why = { 0 };
    struct change change;
    struct view *flat, *view;
    struct draft *draft;
    uint16_t row[253];

    settings->placed = true;
    strcpy(settings->crs, systems[i]);
    memcpy(settings->bounds, corners[i], sizeof settings->bounds);
    flat = view_new(&settings, (uint64_t)i + 1, 1, 30000);
    draft = draft_new(flat, &why);
    for (int y = 0; y < 253; y++) {
        for (int x = 0; x < 253; x++)
            row[x] = (uint16_t)(30000 + 20 * x + 13 * y);
        assert_true(draft_write_heights(draft, (struct rect){ 0, y, 253, 1 }, row, 253, &why));
    }
    view = draft_finish(draft, &change, &why);
    draft_free(draft);
    view_drop(flat);
    return view;
}

struct work {
    struct view *views[3];
    struct bytes expected[3];
};

static bool paint(const struct view *view, struct bytes *png, uint64_t *stamp)
{
    const struct tile_look look = tile_look_usual;
    double at[2] = { 126, 126 };
    struct fault why;
    struct tile tile = TILE_AT(12, 0, 0, TILE_SIDE);

    if (!georef_from_grid(view->settings, GEOREF_MERCATOR, at, 1, &why))
        return false;
    tile.x = (int32_t)((at[0] / 40075016.68557849 + 0.5) * 4096);
    tile.y = (int32_t)((0.5 - at[1] / 40075016.68557849) * 4096);
    return tile_stamp(view, &tile, stamp, &why) &&
           tile_set_write(&tile_set_hillshade, NULL, view, &tile, &look, png, &why) &&
           tile_set_write(&tile_set_terrarium, NULL, view, &tile, &look, png, &why);
}

static void *paint_all(void *data)
{
    const struct work *work = data;

    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 3; i++) {
            struct bytes png = { 0 };
            uint64_t stamp;
            const bool same = paint(work->views[i], &png, &stamp) &&
                              png.length == work->expected[i].length &&
                              memcmp(png.data, work->expected[i].data, png.length) == 0;

            bytes_free(&png);
            if (!same)
                return (void *)1;
        }
    return NULL;
}

/* Versions of the same landscape, made and dropped; none of it shows in the views that are held. */
static void *write_all(void *data)
{
    const struct work *work = data;

    for (int round = 0; round < 20 * ROUNDS; round++) {
        const uint16_t peak = (uint16_t)round;
        struct fault why;
        struct change change;
        struct draft *draft = draft_new(work->views[round % 3], &why);
        struct view *view;

        if (!draft_write_heights(draft, (struct rect){ round, 100, 1, 1 }, &peak, 1, &why))
            return (void *)1;
        view = draft_finish(draft, &change, &why);
        draft_free(draft);
        view_drop(view);
    }
    return NULL;
}

static void threads_paint_the_same_tiles(void **state)
{
    struct work work = { 0 };
    pthread_t threads[THREADS + 1];

    (void)state;
    for (int i = 0; i < 3; i++) {
        uint64_t stamp;

        work.views[i] = slope(i);
        assert_true(paint(work.views[i], &work.expected[i], &stamp));
    }
    for (int i = 0; i <= THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, i < THREADS ? paint_all : write_all, &work), 0);
    for (int i = 0; i <= THREADS; i++) {
        void *failed = NULL;

        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    for (int i = 0; i < 3; i++) {
        view_drop(work.views[i]);
        bytes_free(&work.expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_paint_the_same_tiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

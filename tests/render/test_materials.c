/* What the ground is made of, as pictures show it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/surface.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"
#include "terrain/edit/draft.h"
#include "terrain/edit/paints.h"

enum { SIDE = 128 };

static struct view *next_of(struct view *view, struct view *next)
{
    view_drop(view);
    assert_non_null(next);
    return next;
}

static struct view *with_layer(struct view *view, const char *name, const struct material *material,
                               unsigned given)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct paints_change as = { .given = given };
    struct change change;
    struct view *next;

    as.as.material = *material;
    assert_true(paints_add(draft, name, &as, &why));
    next = draft_finish(draft, &change, &why);
    draft_free(draft);
    return next_of(view, next);
}

static struct view *painted(struct view *view, const char *name, struct rect where)
{
    return next_of(view, scenery_paint(view, name, where, 255));
}

/* A pixel a metre, from above, without light. */
static struct picture map_of(const struct view *view, int32_t side, double metres)
{
    struct picture picture = studio_map(view, side, metres);

    picture.mode = RENDER_MODE_unlit;
    picture.cover.depth = 0.2;
    return picture;
}

static const uint8_t *pixel(const uint8_t *rgba, int32_t side, int32_t x, int32_t y)
{
    return rgba + 4 * (y * side + x);
}

static void paint_shows_where_it_is_and_nowhere_else(void **state)
{
    const struct material red = { .color = { 200, 40, 30 }, .tiling = 8 };
    struct view *view = with_layer(scenery_plain(SIDE, 1, 32768), "mine", &red, PAINT_COLOR);
    struct picture map = map_of(view, SIDE - 1, SIDE - 1);
    uint8_t *bare = studio_draw(*state, view, &map), *pixels;

    view = painted(view, "mine", (struct rect){ 40, 50, 41, 21 });
    pixels = studio_draw(*state, view, &map);
    for (int32_t y = 0; y < SIDE - 1; y++)
        for (int32_t x = 0; x < SIDE - 1; x++) {
            bool inside = x >= 42 && x < 78 && y >= 52 && y < 68;
            bool outside = x < 38 || x > 82 || y < 48 || y > 72;

            if (inside)
                assert_true(studio_alike(pixel(pixels, SIDE - 1, x, y), red.color, 2));
            if (outside)
                assert_true(
                    studio_alike(pixel(pixels, SIDE - 1, x, y), pixel(bare, SIDE - 1, x, y), 0));
        }
    free(bare);
    free(pixels);
    view_drop(view);
}

static void twelve_layers_show_each_its_colour(void **state)
{
    struct view *view = scenery_plain(SIDE, 1, 32768);
    struct picture map;
    uint8_t *pixels;
    char name[8];

    for (int i = 0; i < 12; i++) {
        struct material own = { .color = { (uint8_t)(20 * i), (uint8_t)(250 - 15 * i), 90 },
                                .tiling = 8 };

        snprintf(name, sizeof name, "l%d", i);
        view = with_layer(view, name, &own, PAINT_COLOR);
        view = painted(view, name, (struct rect){ 10 * i, 0, 10, SIDE });
    }
    map = map_of(view, SIDE - 1, SIDE - 1);
    pixels = studio_draw(*state, view, &map);
    for (int i = 0; i < 12; i++)
        assert_true(studio_alike(pixel(pixels, SIDE - 1, 10 * i + 4, 64),
                                 view->settings->stack->paints[i].material.color, 3));
    free(pixels);
    view_drop(view);
}

/* One raster, all of one colour, that may be gone. */
struct shop {
    uint8_t samples[4 * 4 * 3];
    uint64_t revision;
};

static uint64_t find(void *context, const char *name)
{
    return strcmp(name, "tile") == 0 ? ((struct shop *)context)->revision : 0;
}

static bool lend(void *context, const char *name, struct picture_raster *raster)
{
    struct shop *shop = context;

    (void)name;
    *raster = (struct picture_raster){
        .revision = shop->revision, .width = 4, .height = 4, .channels = 3, .samples = shop->samples
    };
    return true;
}

static void give_back(void *context, struct picture_raster *raster)
{
    (void)context;
    (void)raster;
}

static void an_uploaded_raster_is_laid_and_a_deleted_one_leaves_the_colour(void **state)
{
    struct shop shop = { .revision = 5 };
    const struct picture_rasters rasters = { &shop, find, lend, give_back };
    const struct material own = { .color = { 30, 60, 220 }, .tiling = 8, .albedo = "tile" };
    const uint8_t magenta[3] = { 230, 20, 200 }, green[3] = { 20, 180, 40 };
    struct view *view =
        with_layer(scenery_plain(SIDE, 1, 32768), "mine", &own, PAINT_COLOR | PAINT_ALBEDO);
    double scales[] = { SIDE - 1, 16 }; /* far and near */

    view = painted(view, "mine", view_rect(view));
    for (size_t i = 0; i < 2; i++) {
        struct picture map = map_of(view, 32, scales[i]);
        const uint8_t *expected[3] = { magenta, green, own.color };

        map.cover.rasters = &rasters;
        for (int step = 0; step < 3; step++) {
            uint8_t *pixels;

            for (int k = 0; step < 2 && k < 16; k++)
                memcpy(shop.samples + 3 * k, expected[step], 3);
            shop.revision = step == 2 ? 0 : 5 + (uint64_t)step; /* another content, then none */
            pixels = studio_draw(*state, view, &map);
            assert_true(studio_alike(pixel(pixels, 32, 16, 16), expected[step], 4));
            free(pixels);
        }
    }
    view_drop(view);
}

/* Seen from where the sun stands, what is smooth is the brighter; from elsewhere it is not. */
static void a_raster_of_roughness_decides_the_gloss(void **state)
{
    struct shop shop = { .revision = 50 };
    const struct picture_rasters rasters = { &shop, find, lend, give_back };
    const struct material own = { .color = { 90, 90, 90 }, .tiling = 8, .roughness = "tile" };
    struct view *view =
        with_layer(scenery_plain(SIDE, 1, 32768), "mine", &own, PAINT_COLOR | PAINT_ROUGHNESS);
    struct picture map;

    view = painted(view, "mine", view_rect(view));
    map = map_of(view, 32, 2);
    map.mode = RENDER_MODE_lit;
    map.cover.rasters = &rasters;
    for (int high = 0; high < 2; high++) {
        int green[3];

        map.light.sun_elevation = high ? 90 : 30;
        for (int i = 0; i < 3; i++) {
            uint8_t *pixels;

            memset(shop.samples, 255, sizeof shop.samples); /* the first channel is how open */
            for (int k = 0; k < 16; k++)
                shop.samples[3 * k + 1] = (uint8_t)(255 - 80 * i);
            shop.revision++;
            pixels = studio_draw(*state, view, &map);
            green[i] = pixel(pixels, 32, 16, 16)[1];
            free(pixels);
        }
        if (high)
            assert_true(green[1] > green[0] + 1 && green[2] > green[1] + 4);
        else
            assert_true(abs(green[1] - green[0]) <= 6 && abs(green[2] - green[0]) <= 6);
    }
    view_drop(view);
}

static double green_mean(const uint8_t *rgba, int32_t count)
{
    double sum = 0;

    for (int32_t i = 0; i < count; i++)
        sum += rgba[4 * i + 1];
    return sum / count;
}

/* Of the picture with itself so many pixels to the east, -1 to 1. */
static double alikeness(const uint8_t *rgba, int32_t side, int32_t shift)
{
    double mean = green_mean(rgba, side * side), both = 0, own = 0;

    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side - shift; x++) {
            double a = pixel(rgba, side, x, y)[1] - mean;
            double b = pixel(rgba, side, x + shift, y)[1] - mean;

            both += a * b;
            own += (a * a + b * b) / 2;
        }
    return both / own;
}

/* Plain tiling would be 1. */
static void ground_of_one_material_shows_no_tiles(void **state)
{
    static const char *const names[] = { "grass", "rock", "sand", "snow", "soil" };

    for (size_t i = 0; i < 5; i++) {
        const struct material none = { .tiling = 8 };
        struct view *view = with_layer(scenery_plain(SIDE, 1, 32768), names[i], &none, 0);
        struct picture near, far;
        uint8_t *close, *wide;

        assert_int_equal(view->settings->stack->paints[0].material.surface, i);
        view = painted(view, names[i], view_rect(view));
        near = map_of(view, 256, 64);
        far = map_of(view, 32, SIDE - 1);
        close = studio_draw(*state, view, &near);
        wide = studio_draw(*state, view, &far);
        assert_true(fabs(alikeness(close, 256, 32)) < 0.3);
        /* nothing jumps where textures begin */
        assert_float_equal(green_mean(close, 256 * 256), green_mean(wide, 32 * 32), 8);
        free(close);
        free(wide);
        view_drop(view);
    }
}

static int step_between(const uint8_t *looks, int32_t a, int32_t b)
{
    int sum = 0;

    for (int c = 0; c < 4; c++)
        sum += abs(looks[4 * a + c] - looks[4 * b + c]);
    return sum;
}

/* Across the border of the square, texels differ no more than within. */
static void surfaces_have_no_seam(void **state)
{
    (void)state;
    for (int surface = 0; surface <= SURFACES; surface++) {
        const struct surface_made *made = surface_own(surface);
        int64_t border = 0, within = 0;

        assert_non_null(made);
        for (int32_t i = 0; i < SURFACE_SIDE; i++) {
            border += step_between(made->looks, i * SURFACE_SIDE, (i + 1) * SURFACE_SIDE - 1);
            border += step_between(made->looks, i, SURFACE_AREA - SURFACE_SIDE + i);
            for (int32_t k = 0; k < 8; k++) {
                within += step_between(made->looks, i * SURFACE_SIDE + 60 * k,
                                       i * SURFACE_SIDE + 60 * k + 1);
                within += step_between(made->looks, i + 60 * k * SURFACE_SIDE,
                                       i + (60 * k + 1) * SURFACE_SIDE);
            }
        }
        assert_true(8 * border < within * 3 / 2);
    }
}

static int open_studio(void **state)
{
    *state = studio_open(1, NULL);
    return 0;
}

static int close_studio(void **state)
{
    renderer_stop(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paint_shows_where_it_is_and_nowhere_else),
        cmocka_unit_test(twelve_layers_show_each_its_colour),
        cmocka_unit_test(an_uploaded_raster_is_laid_and_a_deleted_one_leaves_the_colour),
        cmocka_unit_test(a_raster_of_roughness_decides_the_gloss),
        cmocka_unit_test(ground_of_one_material_shows_no_tiles),
        cmocka_unit_test(surfaces_have_no_seam),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}

/* Steep ground near by: what it is made of is not drawn out along the slope. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/render/scenery.h"
#include "tests/render/studio.h"
#include "terrain/edit/draft.h"
#include "terrain/edit/paints.h"
#include "terrain/lod/camera.h"

enum { SIDE = 64, PIXELS = 256 };

static const double degree = 3.14159265358979323846 / 180;

/* A plane that falls by so many degrees towards an azimuth (0 north, clockwise). */
struct fall {
    double slope, azimuth;
};

static struct view *plane(struct fall fall)
{
    const double scale[3] = { 1, 1, 3 };
    double steep = -tan(fall.slope * degree) * 128 / scale[2];
    double east = steep * sin(fall.azimuth * degree), south = -steep * cos(fall.azimuth * degree);
    uint16_t *codes = malloc(sizeof *codes * SIDE * SIDE);
    struct view *view;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            codes[y * SIDE + x] =
                (uint16_t)lround(32768 + east * (x - SIDE / 2) + south * (y - SIDE / 2));
    view = scenery_of(SIDE, SIDE, codes, scale);
    free(codes);
    return view;
}

/* All of it of one material. */
static struct view *covered(struct view *bare, const char *name, const struct material *material,
                            unsigned given)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(bare, &why);
    struct paints_change as = { .as.material = *material, .given = given };
    struct change change;
    struct view *layered, *painted;

    assert_true(paints_add(draft, name, &as, &why));
    layered = draft_finish(draft, &change, &why);
    draft_free(draft);
    painted = scenery_paint(layered, name, view_rect(layered), 255);
    view_drop(layered);
    view_drop(bare);
    return painted;
}

/* Two rasters of one size. */
enum { RASTER = 32 };

static uint8_t spots[3 * RASTER * RASTER], leaning[3 * RASTER * RASTER];
static uint64_t revision = 5;

static uint64_t find(void *context, const char *name)
{
    (void)context;
    return strcmp(name, "spots") == 0 ? 4 : strcmp(name, "leaning") == 0 ? revision : 0;
}

static bool lend(void *context, const char *name, struct picture_raster *raster)
{
    (void)context;
    *raster = (struct picture_raster){ .revision = find(NULL, name),
                                       .width = RASTER,
                                       .height = RASTER,
                                       .channels = 3,
                                       .samples = strcmp(name, "spots") == 0 ? spots : leaning };
    return true;
}

static void give_back(void *context, struct picture_raster *raster)
{
    (void)context;
    (void)raster;
}

static const struct picture_rasters rasters = { NULL, find, lend, give_back };
static const struct material spotted = { .tiling = 8, .albedo = "spots" };
static const struct material leant = { .color = { 128, 128, 128 },
                                       .tiling = 8,
                                       .normal = "leaning" };

/* Of no direction: each texel by itself. */
static void fill_spots(void)
{
    uint32_t random = 1;

    for (int i = 0; i < RASTER * RASTER; i++) {
        random = random * 1664525 + 1013904223;
        memset(spots + 3 * i, (int)(60 + (random >> 24) / 2), 3);
    }
}

/* From straight before the plane, so that a pixel is as long down the slope as across it. */
static struct picture facing(const struct view *view, struct fall fall, double metres)
{
    struct picture picture = studio_map(view, PIXELS, metres);

    picture.mode = RENDER_MODE_unlit;
    picture.cover.rasters = &rasters;
    picture.camera.azimuth = fall.azimuth;
    picture.camera.elevation = 90 - fall.slope;
    return picture;
}

static int green(const uint8_t *rgba, int x, int y)
{
    return rgba[4 * (y * PIXELS + x) + 1];
}

/* How much more it changes from pixel to pixel down the picture than across. */
static double drawn_across(struct renderer *renderer, const struct view *view, struct fall fall)
{
    struct picture picture = facing(view, fall, 16);
    uint8_t *rgba = studio_draw(renderer, view, &picture);
    double across = 0, down = 0;

    for (int y = 0; y < PIXELS - 1; y++)
        for (int x = 0; x < PIXELS - 1; x++) {
            across += pow(green(rgba, x + 1, y) - green(rgba, x, y), 2);
            down += pow(green(rgba, x, y + 1) - green(rgba, x, y), 2);
        }
    free(rgba);
    assert_true(across > 0 && down > 0);
    return sqrt(down / across);
}

static void textures_are_as_long_down_a_slope_as_across(void **state)
{
    for (int slope = 0; slope <= 80; slope += 10)
        for (int azimuth = 0; azimuth < 360; azimuth += 40) {
            const struct fall fall = { slope, azimuth };
            struct view *view = covered(plane(fall), "mine", &spotted, PAINT_ALBEDO);
            double ratio = drawn_across(*state, view, fall);

            if (ratio < 1 / 1.6 || ratio > 1.6)
                fail_msg("%d degrees towards %d: %.2f", slope, azimuth, ratio);
            view_drop(view);
        }
}

/* Rock has beds, which are level wherever it stands upright. */
static void a_cliff_by_itself_is_as_rock_that_lies(void **state)
{
    static const struct fall level = { 0, 180 };
    const struct material none = { .tiling = 8 };
    struct view *flat = covered(plane(level), "rock", &none, 0);
    double own = drawn_across(*state, flat, level);

    for (int azimuth = 0; azimuth < 360; azimuth += 40) {
        const struct fall fall = { 75, azimuth };
        struct view *view = plane(fall);
        double ratio = drawn_across(*state, view, fall) / own;

        if (ratio < 1 / 1.6 || ratio > 1.6)
            fail_msg("75 degrees towards %d: %.2f", azimuth, ratio);
        view_drop(view);
    }
    view_drop(flat);
}

/* Whether the ground shows from above what gentle ground shows there. */
static bool as_gentle(struct renderer *renderer, struct fall fall, const uint8_t *gentle)
{
    struct view *view = covered(plane(fall), "mine", &spotted, PAINT_ALBEDO);
    struct picture picture = facing(view, (struct fall){ 0, 180 }, 16);
    uint8_t *rgba = studio_draw(renderer, view, &picture);
    bool same = true;

    for (int i = 0; i < PIXELS * PIXELS; i++) /* but for how the machine rounds */
        same = same && studio_alike(rgba + 4 * i, gentle + 4 * i, 2);

    free(rgba);
    view_drop(view);
    return same;
}

static void ground_that_is_not_steep_is_looked_at_from_above(void **state)
{
    static const struct fall gentle = { 10, 0 }, level = { 0, 180 };
    struct view *flat = covered(plane(gentle), "mine", &spotted, PAINT_ALBEDO);
    struct picture picture = facing(flat, level, 16);
    uint8_t *rgba = studio_draw(*state, flat, &picture);

    for (int azimuth = 0; azimuth < 360; azimuth += 45) {
        assert_true(as_gentle(*state, (struct fall){ 20, azimuth }, rgba));
        assert_true(as_gentle(*state, (struct fall){ 39, azimuth }, rgba));
        assert_false(as_gentle(*state, (struct fall){ 60, azimuth }, rgba));
    }
    free(rgba);
    view_drop(flat);
}

/* Of ground whose material's normal leans so far east and south of its texture. */
static double brightness(struct renderer *renderer, struct fall fall, int east, int south)
{
    struct view *view = covered(plane(fall), "mine", &leant, PAINT_COLOR | PAINT_NORMAL);
    struct picture picture = facing(view, fall, 2);
    uint8_t *rgba;
    double mean;

    for (int i = 0; i < RASTER * RASTER; i++) {
        leaning[3 * i] = (uint8_t)(128 + east);
        leaning[3 * i + 1] = (uint8_t)(128 + south);
        leaning[3 * i + 2] = 240;
    }
    revision++;
    picture.mode = RENDER_MODE_lit;
    picture.light.sun_azimuth = fmod(fall.azimuth + 40, 360);
    picture.light.sun_elevation = 30;
    rgba = studio_draw(renderer, view, &picture);
    mean = studio_brightness(rgba, &picture, 64, 64, 128, 128);
    free(rgba);
    view_drop(view);
    return mean;
}

/* What leans towards the sun is brighter. */
static void relief_leans_as_its_texture_lies(void **state)
{
    static const int ways[4][2] = { { 50, 0 }, { -50, 0 }, { 0, 50 }, { 0, -50 } };

    for (int azimuth = 0; azimuth < 360; azimuth += 90)
        for (int slope = 0; slope <= 70; slope += 70) {
            const struct fall fall = { slope, azimuth };
            double plain = brightness(*state, fall, 0, 0), sun[3];

            camera_direction(fmod(fall.azimuth + 40, 360), 30, sun);
            for (int i = 0; i < 4; i++) {
                const int *way = ways[i];
                double leant_so = brightness(*state, fall, way[0], way[1]) - plain;
                double towards = slope == 0           ? way[0] * sun[0] + way[1] * sun[1]
                                 : azimuth % 180 == 0 ? way[0] * sun[0] - way[1] * sun[2]
                                                      : way[0] * sun[1] - way[1] * sun[2];

                assert_true(fabs(leant_so) > 2);
                assert_true((leant_so > 0) == (towards > 0));
            }
        }
}

static int open_studio(void **state)
{
    fill_spots();
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
        cmocka_unit_test(textures_are_as_long_down_a_slope_as_across),
        cmocka_unit_test(a_cliff_by_itself_is_as_rock_that_lies),
        cmocka_unit_test(ground_that_is_not_steep_is_looked_at_from_above),
        cmocka_unit_test(relief_leans_as_its_texture_lies),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}

/* Every mode of pictures, as GL draws it: what it says of a place is so there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/ramp.h"
#include "terrain/query/collision.h"
#include "terrain/query/shading.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum { SIDE = 128, QUADS = SIDE - 1 };

static const double metre[3] = { 1, 1, 1 };
static const uint8_t background[4] = { 240, 240, 240, 255 };
static const uint8_t bare[3] = { 128, 128, 128 };

/* 128 x 128 vertices a metre apart, of codes(x, y). */
static struct view *view_of(uint16_t (*codes)(int32_t x, int32_t y))
{
    static uint16_t heights[SIDE * SIDE];

    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            heights[y * SIDE + x] = codes(x, y);
    return scenery_of(SIDE, SIDE, heights, metre);
}

static void become(struct view **view, struct view *next)
{
    assert_non_null(next);
    view_drop(*view);
    *view = next;
}

/* Mountains with a hole, two paints, and ground that was raised since *before. */
static struct view *country(struct view **before)
{
    struct view *view = scenery_mountains(SIDE, 10);

    become(&view, scenery_holes(view, (struct rect){ 56, 40, 16, 24 }));
    become(&view, scenery_paint_layer(view, "grass"));
    become(&view, scenery_paint_layer(view, "rock"));
    become(&view, scenery_paint(view, "grass", view_rect(view), 255));
    become(&view, scenery_paint(view, "rock", (struct rect){ 20, 70, 40, 30 }, 160));
    *before = view_hold(view);
    become(&view, scenery_change(view, (struct rect){ 80, 80, 25, 25 }, 30000));
    return view;
}

/* From right above, a pixel for each metre (or so many of a quad), drawn by GL; pixel (x, y) is
 * around vertex (x, y) where it is one for each quad of 127. */
static struct picture map_of(const struct view *view, int mode, int32_t side, double metres)
{
    struct picture picture = studio_map(view, side, metres);

    picture.mode = mode;
    picture.by_gl = true;
    return picture;
}

static struct picture vertex_map(const struct view *view, int mode)
{
    return map_of(view, mode, SIDE, SIDE * view_grid(view)->scale[0]);
}

static const uint8_t *at(const uint8_t *pixels, const struct picture *picture, int32_t x, int32_t y)
{
    return pixels + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

static bool is(const uint8_t *pixel, const uint8_t *colour, int most)
{
    return studio_alike(pixel, colour, most);
}

static void each_mode_is_a_picture_and_holes_are_background(void **state)
{
    struct view *before, *view = country(&before);

    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture askew = studio_picture(96, 64), map = vertex_map(view, mode);
        uint8_t *pixels;
        int32_t other = 0;

        askew.mode = mode;
        askew.show.before = map.show.before = before;
        pixels = studio_draw(*state, view, &askew);
        for (int32_t i = 0; i < 96 * 64; i++)
            other += !is(pixels + 4 * i, pixels + 4 * (48 * 96 + 48), 3);
        assert_true(other > 96 * 64 / 8);
        free(pixels);
        pixels = studio_draw(*state, view, &map);
        if (!render_modes[mode]->lit)
            assert_true(is(at(pixels, &map, 64, 52), background, 1));
        assert_false(is(at(pixels, &map, 64, 36), at(pixels, &map, 64, 52), 2));
        assert_false(is(at(pixels, &map, 52, 52), at(pixels, &map, 64, 52), 2));
        free(pixels);
    }
    view_drop(before);
    view_drop(view);
}

/* With everything that makes a shader longer: holes, paints, vertices moved aside, a grid, water.
 */
static void each_mode_is_drawn_in_each_geometry(void **state)
{
    struct view *before, *view = country(&before);

    become(&view, scenery_moved(view, scenery_tremble));
    for (int mode = 0; mode < RENDER_MODES; mode++)
        for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
            struct picture picture = studio_picture(16, 12);

            picture.mode = mode;
            picture.geometry = geometry;
            picture.show.before = before;
            picture.overlays.grid = 10;
            picture.overlays.borders = true;
            picture.water.on = true;
            free(studio_draw(*state, view, &picture));
        }
    view_drop(before);
    view_drop(view);
}

/* Wireframes have lines on any ground. */
static void a_plane_is_of_one_colour_in_every_mode(void **state)
{
    struct view *view = scenery_plain(SIDE, 1, 40000);

    become(&view, scenery_paint_layer(view, "grass"));
    become(&view, scenery_paint(view, "grass", view_rect(view), 255));
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture map = map_of(view, mode, 64, 110);
        uint8_t *pixels;

        map.show.before = view;
        map.show.mip = 1;
        pixels = studio_draw(*state, view, &map);
        for (int32_t i = 0; mode != RENDER_MODE_wireframe && i < 64 * 64; i++)
            assert_true(is(pixels + 4 * i, pixels, 1));
        free(pixels);
    }
    view_drop(view);
}

static void a_painted_rectangle_is_where_it_was_painted(void **state)
{
    const struct rect painted = { 30, 20, 40, 60 };
    struct view *view = scenery_plain(SIDE, 1, 40000);
    struct picture layers, layer;
    uint8_t *colours, *weights, none[3], all[3];

    become(&view, scenery_paint_layer(view, "grass"));
    become(&view, scenery_paint(view, "grass", painted, 255));
    layers = vertex_map(view, RENDER_MODE_layers);
    layer = vertex_map(view, RENDER_MODE_layer);
    colours = studio_draw(*state, view, &layers);
    weights = studio_draw(*state, view, &layer);
    ramp_colour(&ramps[RAMP_perceptual], &(struct ramp_span){ 0, 0.5, 1 }, 0, none);
    ramp_colour(&ramps[RAMP_perceptual], &(struct ramp_span){ 0, 0.5, 1 }, 1, all);
    for (int32_t y = 1; y < QUADS - 1; y++)
        for (int32_t x = 1; x < QUADS - 1; x++) {
            bool in = x > 30 && x < 68 && y > 20 && y < 78;
            bool out = x < 29 || x > 70 || y < 19 || y > 80;

            if (in) {
                assert_true(is(at(colours, &layers, x, y),
                               view->settings->stack->paints[0].debug_color, 1));
                assert_true(is(at(weights, &layer, x, y), all, 1));
            } else if (out) {
                assert_true(is(at(colours, &layers, x, y), bare, 1));
                assert_true(is(at(weights, &layer, x, y), none, 1));
            }
        }
    free(colours);
    free(weights);
    view_drop(view);
}

/* Pixels to the nearest edge of quads so many pixels a side, split from north-west to south-east.
 */
static double to_edge(double x, double y, double side)
{
    double u = fabs(x / side - rint(x / side)), v = fabs(y / side - rint(y / side));
    double across = x / side - floor(x / side), down = y / side - floor(y / side);

    return fmin(fmin(u, v), fabs(across - down) / sqrt(2)) * side;
}

static void wires_lie_on_the_edges_of_triangles(void **state)
{
    struct view *view = scenery_plain(SIDE, 1, 40000);
    struct picture map = map_of(view, RENDER_MODE_wireframe, SIDE, 16);
    uint8_t *pixels;
    int32_t lines = 0;

    map.geometry = RENDER_GEOMETRY_full;
    pixels = studio_draw(*state, view, &map);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            /* The middle of the picture is the landscape's, 63.5 quads, 8 pixels each. */
            double off = to_edge(x + 0.5 - 64 + 63.5 * 8, y + 0.5 - 64 + 63.5 * 8, 8);
            bool line = at(pixels, &map, x, y)[0] < 180;

            assert_true(off > 0.55 || line);
            assert_true(off < 1.3 || !line);
            lines += line;
        }
    assert_in_range(lines, SIDE * SIDE / 4, SIDE * SIDE * 5 / 8);
    free(pixels);
    view_drop(view);
}

static double z_at(const struct view *view, double x, double y)
{
    double code;

    assert_true(view_code_at(view, x, y, &code));
    return grid_metres(view_grid(view), code);
}

/* The pixels that have ink, as another interval has none at all. */
static void contours_lie_at_their_heights(void **state)
{
    struct view *view = scenery_mountains(SIDE, 10);
    struct picture map = map_of(view, RENDER_MODE_contours, 192, 800);
    const double interval = 20, pixel = 800.0 / 192 / 10;
    uint8_t *with, *without;
    int32_t inked = 0, crossed = 0;

    map.show.interval = interval;
    with = studio_draw(*state, view, &map);
    map.show.interval = 1e5;
    without = studio_draw(*state, view, &map);
    for (int32_t y = 1; y < 191; y++)
        for (int32_t x = 1; x < 190; x++) {
            double east = 63.5 + (x + 0.5 - 96) * pixel, south = 63.5 + (y + 0.5 - 96) * pixel;
            double z = z_at(view, east, south), next = z_at(view, east + pixel, south);
            double rise = hypot(fmax(fabs(next - z), fabs(z_at(view, east - pixel, south) - z)),
                                fmax(fabs(z_at(view, east, south + pixel) - z),
                                     fabs(z_at(view, east, south - pixel) - z)));
            double off = fabs(z / interval - rint(z / interval)) * interval;
            bool ink = !is(at(with, &map, x, y), at(without, &map, x, y), 40);
            bool beside = !is(at(with, &map, x + 1, y), at(without, &map, x + 1, y), 12);
            bool here = !is(at(with, &map, x, y), at(without, &map, x, y), 12);

            /* Ink lies no farther off than the ground rises in two pixels. */
            if (ink)
                assert_true(off < 2 * rise + 1.5);
            inked += ink;
            /* And where the ground passes a height from one pixel to the next there is some. */
            if (floor(z / interval) != floor(next / interval) && rise < interval / 6 &&
                rise > interval / 40) {
                crossed++;
                inked -= !(here || beside) ? 1000 : 0;
            }
        }
    assert_true(crossed > 100);
    assert_true(inked > 500);
    free(with);
    free(without);
    view_drop(view);
}

static void what_rose_is_red_and_what_sank_is_blue(void **state)
{
    static const uint8_t same[3] = { 245, 245, 245 };
    struct view *before = scenery_plain(SIDE, 1, 40000);
    struct view *raised = scenery_change(before, (struct rect){ 20, 20, 30, 30 }, 41000);
    struct view *view = scenery_change(raised, (struct rect){ 70, 80, 30, 30 }, 39500);
    struct picture map = vertex_map(view, RENDER_MODE_diff);
    uint8_t *pixels, rose[3], sank[3];
    const struct ramp_span span = { -1000 / 128.0, 0, 1000 / 128.0 };

    map.show.before = before;
    pixels = studio_draw(*state, view, &map);
    ramp_colour(&ramps[RAMP_diverging], &span, 1000 / 128.0, rose);
    ramp_colour(&ramps[RAMP_diverging], &span, -500 / 128.0, sank);
    assert_true(rose[0] > rose[2] && sank[2] > sank[0]);
    for (int32_t y = 1; y < QUADS - 1; y++)
        for (int32_t x = 1; x < QUADS - 1; x++)
            if (x > 20 && x < 48 && y > 20 && y < 48)
                assert_true(is(at(pixels, &map, x, y), rose, 3));
            else if (x > 70 && x < 98 && y > 80 && y < 108)
                assert_true(is(at(pixels, &map, x, y), sank, 3));
            else if ((x < 19 || x > 51 || y < 19 || y > 51) &&
                     (x < 69 || x > 101 || y < 79 || y > 111))
                assert_true(is(at(pixels, &map, x, y), same, 1));
    free(pixels);
    view_drop(view);
    view_drop(raised);
    view_drop(before);
}

static void collision_errors_are_those_of_the_heightfield(void **state)
{
    struct view *view = scenery_mountains(SIDE, 10);
    struct picture map = vertex_map(view, RENDER_MODE_collision);
    struct collision collision;
    struct fault why;
    uint8_t *pixels, none[3];
    const struct ramp_span span = { 0, 20, 40 };

    ramp_colour(&ramps[RAMP_steepness], &span, 0, none);
    map.show.range[1] = 40;
    map.show.mip = 0;
    pixels = studio_draw(*state, view, &map);
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        assert_true(is(pixels + 4 * i, none, 1) || is(pixels + 4 * i, background, 1));
    free(pixels);
    map.show.mip = 1;
    pixels = studio_draw(*state, view, &map);
    assert_true(collision_init(&collision, view, 1, NULL, NULL, &why));
    for (int32_t y = 2; y < QUADS - 2; y += 3)
        for (int32_t x = 2; x < QUADS - 2; x += 3) {
            struct collision_point point;
            uint8_t colour[3];
            double error;
            bool alike = false;

            assert_true(collision_point(&collision, (const double[]){ x, y }, &point, &why));
            error = fabs(point.z - z_at(view, x, y));
            for (double more = -0.25; more <= 0.25; more += 0.05) {
                ramp_colour(&ramps[RAMP_steepness], &span, error + more, colour);
                alike = alike || is(at(pixels, &map, x, y), colour, 2);
            }
            assert_true(alike);
        }
    free(pixels);
    view_drop(view);
}

static uint16_t slanting(int32_t x, int32_t y)
{
    return (uint16_t)(30000 + 128 * x + 0 * y); /* a metre up for each metre east */
}

static void a_slant_has_its_heights_slope_aspect_and_light(void **state)
{
    static const struct {
        int mode, ramp;
        double low, high, value;
    } told[] = { { RENDER_MODE_slope, RAMP_steepness, 0, 60, 45 },
                 { RENDER_MODE_aspect, RAMP_compass, 0, 360, 270 },
                 { RENDER_MODE_curvature, RAMP_diverging, -0.01, 0.01, 0 } };
    const struct shading sun = shading_of(250, 40);
    const struct shading_many suns = shading_many_of(250, 40);
    struct view *view = view_of(slanting);
    struct picture map;
    uint8_t *pixels, colour[3];

    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const struct ramp *ramp = &ramps[told[i].ramp];
        const struct ramp_span span = ramp_span_of(ramp, told[i].low, told[i].high);

        map = vertex_map(view, told[i].mode);
        pixels = studio_draw(*state, view, &map);
        ramp_colour(ramp, &span, told[i].value, colour);
        assert_true(is(at(pixels, &map, 60, 70), colour, 2));
        free(pixels);
    }
    for (int many = 0; many < 2; many++) {
        double light = many ? shading_many_light(&suns, 1, 0) : shading_light(&sun, 1, 0);

        map = vertex_map(view, RENDER_MODE_hillshade);
        map.light.sun_azimuth = 250;
        map.light.sun_elevation = 40;
        map.show.many = many;
        pixels = studio_draw(*state, view, &map);
        assert_true(abs(at(pixels, &map, 60, 70)[0] - (int)(light * 255 + 0.5)) <= 1);
        free(pixels);
    }
    map = vertex_map(view, RENDER_MODE_height);
    map.show.ramp = 1 + RAMP_gray;
    map.show.range[0] = z_at(view, 0, 0);
    map.show.range[1] = map.show.range[0] + 255;
    pixels = studio_draw(*state, view, &map);
    for (int32_t x = 2; x < 120; x++)
        assert_true(abs(at(pixels, &map, x, 9)[0] - x) <= 1);
    free(pixels);
    view_drop(view);
}

/* Ground that is coloured by pages has the colours of tiles' own patches. */
static void every_geometry_has_the_same_colours(void **state)
{
    static const int modes[] = { RENDER_MODE_height,  RENDER_MODE_layers,    RENDER_MODE_layer,
                                 RENDER_MODE_diff,    RENDER_MODE_collision, RENDER_MODE_curvature,
                                 RENDER_MODE_contours };
    struct view *before, *view = country(&before);

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct picture map = vertex_map(view, modes[i]);
        uint8_t *first = NULL;

        map.show.before = before;
        for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
            uint8_t *pixels;
            int32_t other = 0;

            map.geometry = geometry;
            pixels = studio_draw(*state, view, &map);
            for (int32_t k = 0; first && k < SIDE * SIDE; k++)
                other += !is(pixels + 4 * k, first + 4 * k, 6);
            assert_true(other < SIDE * SIDE / 50);
            if (first)
                free(pixels);
            else
                first = pixels;
        }
        free(first);
    }
    view_drop(before);
    view_drop(view);
}

static void grids_and_borders_lie_at_their_metres(void **state)
{
    struct view *view = scenery_plain(SIDE, 1, 40000);
    struct picture map = vertex_map(view, RENDER_MODE_unlit);
    uint8_t *bare_ground = studio_draw(*state, view, &map), *grid, *borders;
    int32_t component = (view_grid(view)->columns - 1) / view->settings->layout.components[0];

    map.overlays.grid = 20;
    grid = studio_draw(*state, view, &map);
    map.overlays.grid = 0;
    map.overlays.borders = true;
    borders = studio_draw(*state, view, &map);
    for (int32_t y = 1; y < QUADS - 1; y++)
        for (int32_t x = 1; x < QUADS - 1; x++) {
            const uint8_t *ground = at(bare_ground, &map, x, y);

            assert_int_equal(!is(at(grid, &map, x, y), ground, 20), x % 20 == 0 || y % 20 == 0);
            if (x % component > 1 && x % component < component - 1 && y % component > 1 &&
                y % component < component - 1)
                assert_true(is(at(borders, &map, x, y), ground, 1));
            if (x % component == 0 || y % component == 0)
                assert_false(is(at(borders, &map, x, y), ground, 40));
        }
    free(bare_ground);
    free(grid);
    free(borders);
    view_drop(view);
}

static void a_mode_without_what_it_needs_says_so(void **state)
{
    struct view *view = scenery_plain(SIDE, 1, 40000), *large = scenery_plain(300, 1, 40000);
    struct picture picture = studio_picture(32, 32);
    struct bytes pixels = { 0 };
    struct fault why = { 0 };

    picture.mode = RENDER_MODE_diff;
    assert_false(renderer_draw(*state, view, &picture, &pixels, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_string_equal(why.place, "/against");
    picture.show.before = large;
    assert_false(renderer_draw(*state, view, &picture, &pixels, &why));
    assert_non_null(strstr(why.detail, "cannot be compared"));
    picture.mode = RENDER_MODE_layer;
    assert_false(renderer_draw(*state, view, &picture, &pixels, &why));
    assert_string_equal(why.place, "/layer");
    picture.mode = RENDER_MODE_collision;
    picture.show.mip = 12;
    assert_false(renderer_draw(*state, view, &picture, &pixels, &why));
    assert_string_equal(why.place, "/mip");
    assert_int_equal(pixels.length, 0);
    view_drop(view);
    view_drop(large);
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
        cmocka_unit_test(each_mode_is_a_picture_and_holes_are_background),
        cmocka_unit_test(each_mode_is_drawn_in_each_geometry),
        cmocka_unit_test(a_plane_is_of_one_colour_in_every_mode),
        cmocka_unit_test(a_painted_rectangle_is_where_it_was_painted),
        cmocka_unit_test(wires_lie_on_the_edges_of_triangles),
        cmocka_unit_test(contours_lie_at_their_heights),
        cmocka_unit_test(what_rose_is_red_and_what_sank_is_blue),
        cmocka_unit_test(collision_errors_are_those_of_the_heightfield),
        cmocka_unit_test(a_slant_has_its_heights_slope_aspect_and_light),
        cmocka_unit_test(every_geometry_has_the_same_colours),
        cmocka_unit_test(grids_and_borders_lie_at_their_metres),
        cmocka_unit_test(a_mode_without_what_it_needs_says_so),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}

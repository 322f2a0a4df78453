/* What each set of tiles shows: numbers of known slopes, lines of known ground, codes to the bit;
 * and that no pixel depends on where its tile ends. */
#include <math.h>
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
#include "terrain/query/collide.h"

typedef double metres_at(int x, int y);

/* 253 x 253 vertices, 1/64 m a unit, on its own grid or near 36.6 degrees north. */
static struct view *ground(metres_at *metres, bool placed)
{
    static const double bounds[4] = { -84.4, 36.5, -84.33, 36.57 };
    const struct layout layout = { { 2, 2 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *flat, *view;
    const int32_t side = settings->grid.columns;
    uint16_t *codes = malloc((size_t)side * (size_t)side * sizeof *codes);
    static uint64_t incarnation;
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;

    settings->grid.scale[0] = settings->grid.scale[1] = 10;
    settings->grid.scale[2] = 2;
    if (placed) {
        settings->placed = true;
        strcpy(settings->crs, "EPSG:4326");
        memcpy(settings->bounds, bounds, sizeof bounds);
        assert_true(georef_scale("EPSG:4326", bounds, side, side, settings->grid.scale, &why));
    }
    for (int32_t i = 0; i < side * side; i++)
        codes[i] = grid_round(grid_code(&settings->grid, metres(i % side, i / side)));
    flat = view_new(&settings, ++incarnation, 1, 32768);
    draft = draft_new(flat, &why);
    assert_true(draft_write_heights(draft, view_rect(flat), codes, side, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    view_drop(flat);
    free(codes);
    return view;
}

static double rough(int x, int y)
{
    return 60 * sin(x * 0.05) * cos(y * 0.04) + ((uint32_t)(x * 7919 + y) * 2654435761u >> 30);
}

static uint8_t *painted(const struct view *view, const struct tile_set *set,
                        const struct tile *tile, const struct tile_look *look)
{
    const struct tile sampled = tile_set_tile(set, tile);
    const size_t across = (size_t)tile_samples_across(&sampled);
    uint8_t *pixels = malloc(across * across * png_pixel_bytes(set->samples));
    struct fault why;

    if (!set->paint(view, &sampled, look, pixels, &why))
        fail_msg("%s %d/%d/%d: %s", set->name, tile->z, tile->x, tile->y, why.detail);
    return pixels;
}

/* The tile of a zoom under the middle of the landscape. */
static struct tile middle_tile(const struct view *view, int32_t z, int32_t side)
{
    struct rect ranges[2];
    struct fault why;
    int32_t count;

    assert_true(tile_grid_ranges(view, TILE_MERCATOR, z, ranges, &count, &why));
    return (struct tile)TILE_AT(z, ranges[0].x + (ranges[0].width - 1) / 2,
                                ranges[0].y + (ranges[0].height - 1) / 2, side);
}

static int32_t native_of(const struct view *view)
{
    int32_t native, finest;
    struct fault why;

    assert_true(tile_zooms(view, &native, &finest, &why));
    return native;
}

/* A part of a picture is the same as that part of another. */
static void same_part(const char *what, const uint8_t *a, int32_t a_across, const int32_t a_at[2],
                      const uint8_t *b, int32_t b_across, const int32_t b_at[2],
                      const int32_t size[2], size_t bytes)
{
    for (int32_t j = 0; j < size[1]; j++)
        if (memcmp(a + ((size_t)(a_at[1] + j) * (size_t)a_across + (size_t)a_at[0]) * bytes,
                   b + ((size_t)(b_at[1] + j) * (size_t)b_across + (size_t)b_at[0]) * bytes,
                   (size_t)size[0] * bytes) != 0)
            fail_msg("%s differs in row %d", what, j);
}

/* A margin is the neighbours' ground: what lies round a tile is the tiles round it, in every set
 * that can be asked so, at centres and at corners. */
static void a_buffer_is_the_neighbours_pixels(void **state)
{
    enum { SIDE = 256, BUFFER = 5, ACROSS = SIDE + 2 * BUFFER };

    (void)state;
    for (int placed = 0; placed < 2; placed++) {
        struct view *view = ground(rough, placed);

        for (int k = 0; k < 4; k++) {
            struct tile tile = middle_tile(view, native_of(view) + 1 + k / 2, SIDE);

            tile.samples = k & 1;
            for (int s = 0; tile_sets[s]; s++) {
                const size_t bytes = png_pixel_bytes(tile_sets[s]->samples);
                struct tile around = tile_around(&tile, BUFFER);
                uint8_t *whole;

                if (!tile_sets[s]->flexible)
                    continue;
                whole = painted(view, tile_sets[s], &around, &tile_look_usual);
                for (int n = 0; n < 9; n++) {
                    const int32_t dx = n % 3 - 1, dy = n / 3 - 1;
                    const int32_t at[2] = { dx < 0 ? 0
                                            : dx   ? BUFFER + SIDE
                                                   : BUFFER,
                                            dy < 0 ? 0
                                            : dy   ? BUFFER + SIDE
                                                   : BUFFER };
                    const int32_t from[2] = { dx < 0 ? SIDE - BUFFER : 0,
                                              dy < 0 ? SIDE - BUFFER : 0 };
                    const int32_t size[2] = { dx ? BUFFER : SIDE, dy ? BUFFER : SIDE };
                    struct tile next = tile;
                    struct rect reach;
                    struct fault why;
                    uint8_t *part;

                    next.x += dx;
                    next.y += dy;
                    if (!tile_reach(view, &next, &reach, &why))
                        continue;
                    part = painted(view, tile_sets[s], &next, &tile_look_usual);
                    same_part(tile_sets[s]->name, whole, ACROSS, at, part, SIDE, from, size, bytes);
                    free(part);
                }
                free(whole);
            }
        }
        view_drop(view);
    }
}

/* Neighbours of sets with borders share their edges to the bit, at every zoom. */
static void bordered_tiles_share_their_edges(void **state)
{
    (void)state;
    for (int placed = 0; placed < 2; placed++) {
        struct view *view = ground(rough, placed);
        const int32_t native = native_of(view);

        for (int32_t z = native > 2 ? native - 2 : 0; z <= native + 2; z++)
            for (int s = 0; tile_sets[s]; s++) {
                const struct tile tile = middle_tile(view, z, 256);
                struct tile east = tile, south = tile;
                struct rect reach;
                struct fault why;
                uint8_t *here;

                if (!tile_sets[s]->borders)
                    continue;
                here = painted(view, tile_sets[s], &tile, &tile_look_usual);
                east.x++;
                south.y++;
                if (tile_reach(view, &east, &reach, &why)) {
                    uint8_t *next = painted(view, tile_sets[s], &east, &tile_look_usual);

                    same_part("the east edge", here, 257, (int32_t[]){ 256, 0 }, next, 257,
                              (int32_t[]){ 0, 0 }, (int32_t[]){ 1, 257 }, 2);
                    free(next);
                }
                if (tile_reach(view, &south, &reach, &why)) {
                    uint8_t *next = painted(view, tile_sets[s], &south, &tile_look_usual);

                    same_part("the south edge", here, 257, (int32_t[]){ 0, 256 }, next, 257,
                              (int32_t[]){ 0, 0 }, (int32_t[]){ 257, 1 }, 2);
                    free(next);
                }
                free(here);
            }
        view_drop(view);
    }
}

static void native_tiles_hold_the_codes(void **state)
{
    struct view *view = ground(rough, false);
    const struct tile tile = TILE_AT(0, 0, 0, 256);
    uint16_t *codes = (uint16_t *)painted(view, &tile_set_native, &tile, &tile_look_usual);

    (void)state;
    assert_int_equal(native_of(view), 0);
    for (int32_t y = 0; y < 253; y++)
        for (int32_t x = 0; x < 253; x++)
            assert_int_equal(codes[y * 257 + x], view_height(view, x, y));
    assert_int_equal(codes[256], 32768); /* 0 m, beyond the landscape */
    free(codes);
    view_drop(view);
}

/* With the sample at the corner of a pixel, where an old client puts it. */
static void corners_are_where_pixels_begin(void **state)
{
    struct view *view = ground(rough, true);
    struct tile tile = middle_tile(view, native_of(view) + 1, 256);
    double *z = malloc(256 * 256 * sizeof *z);
    const double circumference = 2 * M_PI * 6378137;
    struct fault why;
    int seen = 0;

    (void)state;
    tile.samples = TILE_CORNERS;
    assert_true(tile_heights(view, &tile, NAN, z, &why));
    for (int j = 0; j < 256; j += 17)
        for (int i = 0; i < 256; i += 13) {
            double at[2] = { ((tile.x + i / 256.0) / ldexp(1, tile.z) - 0.5) * circumference,
                             (0.5 - (tile.y + j / 256.0) / ldexp(1, tile.z)) * circumference };
            double expected;

            assert_true(georef_to_grid(view->settings, GEOREF_MERCATOR, at, 1, &why));
            if (!collide_height(view, at[0], at[1], &expected, NULL))
                continue;
            assert_true(fabs(z[j * 256 + i] - expected) < 1e-3);
            seen++;
        }
    assert_true(seen > 100);
    free(z);
    view_drop(view);
}

/* Rises to the east and the north, in whole units of the codes; the grid's step is 10 m. */
static double plane(int x, int y)
{
    return 0.0625 * 10 * (x - 126) - 0.1 * 10 * (y - 126);
}

static double terrarium(const uint8_t *rgb)
{
    return rgb[0] * 256 + rgb[1] + rgb[2] / 256.0 - 32768;
}

static void slopes_of_a_plane_are_its_own(void **state)
{
    struct view *view = ground(plane, false);
    const struct tile tile = TILE_AT(0, 0, 0, 256);
    struct tile_look look = tile_look_usual;
    const double rise = hypot(0.0625, 0.1);
    const size_t at = 3 * (100 * 256 + 100);
    uint8_t *pixels;

    (void)state;
    look.style = TILE_EXACT;
    pixels = painted(view, &tile_set_slope, &tile, &look);
    assert_true(fabs(terrarium(pixels + at) - atan(rise) * 180 / M_PI) <= 1 / 512.0 + 1e-9);
    free(pixels);
    look.unit = TILE_PERCENT;
    pixels = painted(view, &tile_set_slope, &tile, &look);
    assert_true(fabs(terrarium(pixels + at) - 100 * rise) <= 1 / 512.0 + 1e-9);
    free(pixels);
    /* It falls to the west and south: between 180 and 270 degrees. */
    pixels = painted(view, &tile_set_aspect, &tile, &look);
    assert_true(fabs(terrarium(pixels + at) - (180 + atan2(0.0625, 0.1) * 180 / M_PI)) <=
                1 / 512.0 + 1e-9);
    free(pixels);
    /* The normal leans to where it falls. */
    pixels = painted(view, &tile_set_normal, &tile, &look);
    const double up = 1 / sqrt(1 + rise * rise);
    const double expected[3] = { -0.0625 * up, -0.1 * up, up };
    for (int c = 0; c < 3; c++)
        assert_int_equal(pixels[at + (size_t)c], (int)((expected[c] + 1) / 2 * 255 + 0.5));
    free(pixels);
    /* Grays and ramps end at the steepest. */
    look.style = TILE_GRAY;
    look.unit = TILE_PERCENT;
    look.steepest = 200 * rise;
    pixels = painted(view, &tile_set_slope, &tile, &look);
    assert_in_range(pixels[at], 127, 128);
    look.steepest = 50 * rise;
    free(pixels);
    pixels = painted(view, &tile_set_slope, &tile, &look);
    assert_int_equal(pixels[at], 0);
    free(pixels);
    view_drop(view);
}

static double level(int x, int y)
{
    (void)x, (void)y;
    return 5;
}

/* NUM-12 and TIL-14: level ground is level up to the last pixel, and beyond the landscape. */
static void level_ground_has_no_slope_and_no_line(void **state)
{
    struct view *view = ground(level, true);
    struct tile_look look = tile_look_usual;

    (void)state;
    look.style = TILE_EXACT;
    look.interval = 5; /* a level of which all the ground lies */
    for (int32_t z = native_of(view) - 2; z <= native_of(view) + 2; z += 2) {
        const struct tile tile = middle_tile(view, z, 256);
        uint8_t *slope = painted(view, &tile_set_slope, &tile, &look);
        uint8_t *aspect = painted(view, &tile_set_aspect, &tile, &look);
        uint8_t *normal = painted(view, &tile_set_normal, &tile, &look);
        uint8_t *contours = painted(view, &tile_set_contours, &tile, &look);
        static const uint8_t up[3] = { 128, 128, 255 };

        for (int i = 0; i < 256 * 256; i++) {
            assert_true(terrarium(slope + 3 * i) == 0);
            assert_true(terrarium(aspect + 3 * i) == -1);
            assert_memory_equal(normal + 3 * i, up, 3);
            assert_int_equal(contours[4 * i + 3], 0);
        }
        free(slope);
        free(aspect);
        free(normal);
        free(contours);
    }
    view_drop(view);
}

static double ramp_east(int x, int y)
{
    (void)y;
    return x - 100;
}

/* A metre a vertex: the lines of 10 m stand on every tenth column, and those of 50 m are dark. */
static void lines_lie_where_the_ground_has_their_height(void **state)
{
    struct view *view = ground(ramp_east, false);
    const struct tile tile = TILE_AT(0, 0, 0, 256);
    struct tile_look look = tile_look_usual;
    uint8_t *rgba;

    (void)state;
    look.interval = 10;
    rgba = painted(view, &tile_set_contours, &tile, &look);
    for (int x = 1; x < 250; x++) {
        const int alpha = rgba[4 * (128 * 256 + x) + 3];

        if (x % 50 == 0)
            assert_int_equal(alpha, 255);
        else if (x % 10 == 0)
            assert_in_range(alpha, 100, 200);
        else
            assert_int_equal(alpha, 0);
    }
    free(rgba);
    look.base = 2.5;
    rgba = painted(view, &tile_set_contours, &tile, &look);
    assert_int_equal(rgba[4 * (128 * 256 + 102) + 3], rgba[4 * (128 * 256 + 103) + 3]);
    assert_in_range(rgba[4 * (128 * 256 + 102) + 3], 120, 135);
    free(rgba);
    view_drop(view);
}

/* However small the interval, a tile is drawn in bounded time. */
static void an_interval_of_nothing_is_still_drawn(void **state)
{
    struct view *view = ground(rough, true);
    const struct tile tile = middle_tile(view, 0, 256);
    const struct tile near = middle_tile(view, native_of(view), 256);
    struct tile_look look = tile_look_usual;

    (void)state;
    look.interval = 1e-300;
    free(painted(view, &tile_set_contours, &tile, &look));
    free(painted(view, &tile_set_contours, &near, &look));
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_the_neighbours_pixels),
        cmocka_unit_test(bordered_tiles_share_their_edges),
        cmocka_unit_test(native_tiles_hold_the_codes),
        cmocka_unit_test(corners_are_where_pixels_begin),
        cmocka_unit_test(slopes_of_a_plane_are_its_own),
        cmocka_unit_test(level_ground_has_no_slope_and_no_line),
        cmocka_unit_test(lines_lie_where_the_ground_has_their_height),
        cmocka_unit_test(an_interval_of_nothing_is_still_drawn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

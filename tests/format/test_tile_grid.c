/* Tiles with samples on their borders, on both of the world's grids: against the surface point by
 * point, against their neighbours to the bit, and which there are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/edit/draft.h"
#include "terrain/format/georef.h"
#include "terrain/format/tile.h"

enum { SIDE = 64, ACROSS = SIDE + 1, QUADS = 63 };

struct place {
    const char *name, *crs;
    double bounds[4];
};

static const struct place places[] = {
    { "degrees", "EPSG:4326", { 7.01, 46.02, 7.09, 46.09 } },
    { "transverse Mercator", "EPSG:32633", { 481000, 5300000, 486000, 5304000 } },
    { "Mercator, northern", "EPSG:3857", { 2490000, 9500000, 2505000, 9512000 } },
    { "across 180 degrees", "EPSG:4326", { 179.97, -17.03, 180.04, -16.98 } },
    { "the south pole", "EPSG:3031", { -60000, -50000, 64000, 70000 } },
};
enum { PLACES = sizeof places / sizeof *places };

static struct view *view_at(const struct place *place, int across)
{
    const struct layout layout = { { across, across }, 1, QUADS };
    struct settings *settings = settings_new(&layout);
    struct grid *grid = &settings->grid;
    struct fault why = { 0 };
    static uint64_t incarnation;
    struct change change;
    struct view *flat, *view;
    struct draft *draft;
    uint16_t *codes = malloc((size_t)grid->columns * grid->rows * sizeof *codes);

    settings->placed = true;
    strcpy(settings->crs, place->crs);
    memcpy(settings->bounds, place->bounds, sizeof settings->bounds);
    assert_true(
        georef_scale(place->crs, place->bounds, grid->columns, grid->rows, grid->scale, &why));
    for (int y = 0; y < grid->rows; y++)
        for (int x = 0; x < grid->columns; x++) {
            const uint32_t noise = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 22;

            codes[y * grid->columns + x] =
                (uint16_t)(32768 + 6000 * sin(x * 0.05) * cos(y * 0.04) + noise);
        }
    flat = view_new(&settings, ++incarnation, 1, 32768);
    draft = draft_new(flat, &why);
    assert_true(draft_write_heights(draft, view_rect(flat), codes, view_rect(flat).width, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    view_drop(flat);
    free(codes);
    return view;
}

/* Degrees of a sample, or Mercator metres, from its numbers. */
static void sample_place(const struct tile *tile, int i, int j, double at[2])
{
    const double world = ldexp(tile->side, tile->z);
    const double x = (double)tile->x * tile->side + i, y = (double)tile->y * tile->side + j;

    if (tile->grid == TILE_GEODETIC) {
        at[0] = x / world * 180 - 180;
        at[1] = 90 - y / world * 180;
    } else {
        at[0] = (x / world - 0.5) * 2 * M_PI * 6378137;
        at[1] = (0.5 - y / world) * 2 * M_PI * 6378137;
    }
}

static bool sample_truth(const struct view *view, const struct tile *tile, int i, int j, double *z)
{
    double at[2], code;
    struct fault why;

    sample_place(tile, i, j, at);
    assert_true(georef_to_grid(view->settings,
                               tile->grid == TILE_GEODETIC ? GEOREF_LONLAT : GEOREF_MERCATOR, at, 1,
                               &why));
    if (!view_code_at(view, at[0], at[1], &code))
        return false;
    *z = grid_metres(view_grid(view), code);
    return true;
}

/* One of the tiles of a zoom, somewhere in the ranges. */
static struct tile some_tile(const struct view *view, int grid, int z, int nth, int margin)
{
    struct rect ranges[2];
    struct fault why = { 0 };
    int32_t count;

    assert_true(tile_grid_ranges(view, grid, z, ranges, &count, &why));
    assert_true(count > 0);
    const struct rect in = ranges[nth % count];

    return (struct tile){ .z = z,
                          .x = in.x + nth % in.width,
                          .y = in.y + nth / 2 % in.height,
                          .side = SIDE,
                          .margin = margin,
                          .samples = TILE_BORDERS,
                          .grid = grid };
}

static int32_t native_of(const struct view *view, int grid)
{
    struct fault why = { 0 };
    int32_t native;

    assert_true(tile_grid_native(view, grid, SIDE, &native, &why));
    return native;
}

/* At the data's own step and finer, samples are on the surface; so the native zoom's step is not
 * coarser than a grid step, and twice as coarse a one is. */
static void border_samples_lie_on_the_surface(void **state)
{
    (void)state;
    for (int p = 0; p < PLACES; p++)
        for (int grid = 0; grid < 2 && !(p == 4 && grid == TILE_MERCATOR); grid++) {
            struct view *view = view_at(&places[p], 3);
            const int32_t native = native_of(view, grid);
            int seen = 0;

            for (int nth = 0; nth < 12; nth++) {
                const struct tile tile = some_tile(view, grid, native + nth % 3, nth, nth % 4);
                const int stride = tile_samples_across(&tile);
                double *z = malloc((size_t)stride * stride * sizeof *z), truth;
                struct fault why = { 0 };

                assert_true(tile_heights(view, &tile, -1, z, &why));
                for (int j = 0; j < stride; j++)
                    for (int i = 0; i < stride; i++)
                        if (sample_truth(view, &tile, i - tile.margin, j - tile.margin, &truth)) {
                            if (fabs(z[j * stride + i] - truth) > 1e-3)
                                fail_msg("%s, grid %d, %d/%d/%d (%d, %d): %.6f, not %.6f",
                                         places[p].name, grid, tile.z, tile.x, tile.y,
                                         i - tile.margin, j - tile.margin, z[j * stride + i],
                                         truth);
                            seen++;
                        }
                free(z);
            }
            assert_true(seen > 500);
            view_drop(view);
        }
}

/* Tiles are put into a table by their samples' numbers in the world; whoever comes second has to
 * say what the first did, whichever part of which tile it was. */
static void tiles_agree_to_the_bit_where_they_meet(void **state)
{
    enum { SPAN = 4 * SIDE + 9 };

    (void)state;
    for (int p = 0; p < PLACES; p++)
        for (int grid = 0; grid < 2 && !(p == 4 && grid == TILE_MERCATOR); grid++) {
            struct view *view = view_at(&places[p], 3);
            const int32_t native = native_of(view, grid);
            double *table = malloc(SPAN * SPAN * sizeof *table);
            double z[(ACROSS + 6) * (ACROSS + 6)];
            int64_t met = 0;

            for (int32_t zoom = native > 8 ? native - 8 : 0; zoom < native + 2; zoom++) {
                const struct tile middle = some_tile(view, grid, zoom, 3, 0);

                for (int k = 0; k < SPAN * SPAN; k++)
                    table[k] = NAN;
                for (int k = 0; k < 18; k++) {
                    struct tile tile = middle;
                    struct fault why = { 0 };

                    tile.x += k % 3 - 1;
                    tile.y += k / 3 % 3 - 1;
                    tile.margin = k / 9 * 3;
                    if (!tile_heights(view, &tile, -1, z, &why))
                        continue;
                    const int stride = tile_samples_across(&tile);

                    for (int j = 0; j < stride; j++)
                        for (int i = 0; i < stride; i++) {
                            double *seen =
                                &table[((k / 3 % 3) * SIDE + j - tile.margin + 4) * SPAN +
                                       (k % 3) * SIDE + i - tile.margin + 4];

                            met += !isnan(*seen);
                            if (!isnan(*seen) && *seen != z[j * stride + i])
                                fail_msg("%s, grid %d, zoom %d, tile %d of 9, margin %d, (%d, %d): "
                                         "%.17g and %.17g",
                                         places[p].name, grid, zoom, k % 9, tile.margin,
                                         i - tile.margin, j - tile.margin, *seen,
                                         z[j * stride + i]);
                            *seen = z[j * stride + i];
                        }
                }
            }
            assert_true(met > 10000);
            free(table);
            view_drop(view);
        }
}

/* The seam of the world: the last column's east border is the first one's west border. */
static void tiles_agree_across_180_degrees(void **state)
{
    struct view *view = view_at(&places[3], 3);
    int compared = 0;

    (void)state;
    for (int32_t zoom = 1; zoom < native_of(view, TILE_GEODETIC) + 2; zoom++) {
        struct rect ranges[2];
        struct fault why = { 0 };
        double east[ACROSS * ACROSS], west[ACROSS * ACROSS];
        int32_t count;

        assert_true(tile_grid_ranges(view, TILE_GEODETIC, zoom, ranges, &count, &why));
        assert_int_equal(count, 2);
        assert_int_equal(ranges[0].x + ranges[0].width, 2 << zoom);
        assert_int_equal(ranges[1].x, 0);
        struct tile tile = some_tile(view, TILE_GEODETIC, zoom, 0, 0);

        tile.x = 0;
        assert_true(tile_heights(view, &tile, -1, east, &why));
        tile.x = (2 << zoom) - 1;
        assert_true(tile_heights(view, &tile, -1, west, &why));
        for (int j = 0; j <= SIDE; j++) {
            if (west[j * ACROSS + SIDE] != east[j * ACROSS])
                fail_msg("zoom %d, row %d: %.17g and %.17g", zoom, j, west[j * ACROSS + SIDE],
                         east[j * ACROSS]);
            compared += east[j * ACROSS] != -1;
        }
    }
    assert_true(compared > 100);
    view_drop(view);
}

/* Every square between four samples that the landscape reaches has no fill at its corners. */
static void squares_on_the_landscape_know_no_fill(void **state)
{
    (void)state;
    for (int p = 0; p < PLACES; p++) {
        struct view *view = view_at(&places[p], 2);
        const int32_t native = native_of(view, TILE_GEODETIC);

        for (int32_t zoom = native > 5 ? native - 5 : 0; zoom < native + 2; zoom++)
            for (int nth = 0; nth < 6; nth++) {
                const struct tile tile = some_tile(view, TILE_GEODETIC, zoom, nth, 0);
                double z[ACROSS * ACROSS];
                struct fault why = { 0 };
                int steps = 4;

                assert_true(tile_heights(view, &tile, -12345, z, &why));
                for (int k = 0; k < SIDE * SIDE * steps * steps; k++) {
                    const int i = k / (steps * steps) % SIDE, j = k / (steps * steps) / SIDE;
                    double at[2], far[2], code, s = (k % steps + 0.5) / steps;
                    double t = (k / steps % steps + 0.5) / steps;

                    sample_place(&tile, i, j, at);
                    sample_place(&tile, i + 1, j + 1, far);
                    at[0] += s * (far[0] - at[0]);
                    at[1] += t * (far[1] - at[1]);
                    assert_true(georef_to_grid(view->settings, GEOREF_LONLAT, at, 1, &why));
                    if (!view_code_at(view, at[0], at[1], &code))
                        continue;
                    for (int c = 0; c < 4; c++)
                        if (z[(j + c / 2) * ACROSS + i + c % 2] == -12345)
                            fail_msg("%s, %d/%d/%d, square (%d, %d)", places[p].name, tile.z,
                                     tile.x, tile.y, i, j);
                }
            }
        view_drop(view);
    }
}

/* Corner samples are those of the border without the last row and column, as far as the landscape
 * reaches; and each zoom's are every second of the next one's where nothing is averaged. */
static void corners_are_borders_without_the_last(void **state)
{
    struct view *view = view_at(&places[1], 3);
    const int32_t native = native_of(view, TILE_MERCATOR);
    int same = 0;

    (void)state;
    for (int nth = 0; nth < 8; nth++) {
        struct tile tile = some_tile(view, TILE_MERCATOR, native, nth, 0);
        double borders[ACROSS * ACROSS], corners[SIDE * SIDE], truth;
        struct fault why = { 0 };

        assert_true(tile_heights(view, &tile, 0, borders, &why));
        tile.samples = TILE_CORNERS;
        assert_int_equal(tile_samples_across(&tile), SIDE);
        assert_true(tile_heights(view, &tile, 0, corners, &why));
        for (int k = 0; k < SIDE * SIDE; k++)
            if (sample_truth(view, &tile, k % SIDE, k / SIDE, &truth)) {
                assert_true(corners[k] == borders[k / SIDE * ACROSS + k % SIDE]);
                same++;
            }
    }
    assert_true(same > 1000);
    view_drop(view);
}

static void a_landscape_without_a_place_says_what_to_set(void **state)
{
    const struct layout layout = { { 2, 2 }, 1, QUADS };
    struct settings *settings = settings_new(&layout);
    struct view *view = view_new(&settings, 4711, 1, 32768);
    struct fault why = { 0 };
    int32_t native;

    (void)state;
    assert_false(tile_grid_native(view, TILE_GEODETIC, SIDE, &native, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_non_null(strstr(why.detail, "bounds"));
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(border_samples_lie_on_the_surface),
        cmocka_unit_test(tiles_agree_to_the_bit_where_they_meet),
        cmocka_unit_test(tiles_agree_across_180_degrees),
        cmocka_unit_test(squares_on_the_landscape_know_no_fill),
        cmocka_unit_test(corners_are_borders_without_the_last),
        cmocka_unit_test(a_landscape_without_a_place_says_what_to_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a raster becomes: size, vertical scale, pad, holes, filled voids, resampled surfaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/import.h"

static const struct import_options usual = { .limits = { 16384, (int64_t)1 << 27 } };

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)seed * below) >> 32);
}

static struct raster metres_raster(int32_t width, int32_t height)
{
    struct raster raster = { 0 };
    struct raster_limits limits = { 16384, 1 << 27 };
    struct fault why = { 0 };

    assert_non_null(
        raster_take(&raster, &raster_heap, &limits, RASTER_DOUBLES, width, height, &why));
    return raster;
}

static double *metres_at(struct raster *raster, int32_t x, int32_t y)
{
    return (double *)(uintptr_t)raster->samples + (size_t)y * (size_t)raster->width + x;
}

static void finish(struct raster *raster)
{
    struct fault why = { 0 };

    raster->voids = 0;
    raster->least = INFINITY;
    raster->greatest = -INFINITY;
    for (int32_t y = 0; y < raster->height; y++)
        raster_note_doubles(raster, metres_at(raster, 0, y), raster->width);
    assert_true(raster_finish(raster, &why));
}

static struct raster codes_raster(int32_t width, int32_t height, int32_t (*code)(int32_t, int32_t))
{
    struct raster raster = { 0 };
    struct raster_limits limits = { 16384, 1 << 27 };
    struct fault why = { 0 };
    uint16_t *to = raster_take(&raster, &raster_heap, &limits, RASTER_U16, width, height, &why);

    assert_non_null(to);
    raster.codes = true;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            to[(size_t)y * (size_t)width + x] = (uint16_t)code(x, y);
    return raster;
}

static struct view *view_of(struct raster *raster, const struct import_options *options,
                            struct import_plan *plan)
{
    struct fault why = { 0 };
    struct settings *settings;
    struct view *view;

    if (!import_plan(raster, options, plan, &why))
        fail_msg("%s", why.detail);
    settings = import_settings(raster, plan, NULL, &why);
    assert_non_null(settings);
    view = import_view(raster, plan, &settings, NULL, &why);
    assert_non_null(view);
    return view;
}

static int32_t jumble(int32_t x, int32_t y)
{
    return (x * 7919 + y * 104729 + x * y) & 65535;
}

static void codes_stay_and_pad_repeats_under_holes(void **state)
{
    static const int32_t sizes[][2] = { { 127, 127 }, { 120, 60 }, { 8, 8 },
                                        { 1, 1 },     { 3, 200 },  { 130, 129 } };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct raster raster = codes_raster(sizes[i][0], sizes[i][1], jumble);
        struct import_plan plan;
        struct view *view = view_of(&raster, &usual, &plan);
        const struct grid *grid = view_grid(view);

        assert_int_equal(grid->columns, raster.width + view->settings->padded[0]);
        assert_int_equal(grid->rows, raster.height + view->settings->padded[1]);
        assert_int_equal(view->version, 1);
        for (int32_t y = 0; y < grid->rows; y++)
            for (int32_t x = 0; x < grid->columns; x++) {
                int32_t cx = x < raster.width ? x : raster.width - 1;
                int32_t cy = y < raster.height ? y : raster.height - 1;

                assert_int_equal(view_height(view, x, y), jumble(cx, cy));
                if (x < grid->columns - 1 && y < grid->rows - 1)
                    assert_int_equal(view_hole(view, x, y),
                                     x >= raster.width - 1 || y >= raster.height - 1);
            }
        view_drop(view);
        raster_free(&raster);
    }
}

static void exact_names_the_nearest_sizes(void **state)
{
    struct raster raster = codes_raster(1000, 1000, jumble);
    struct import_options options = usual;
    struct import_plan plan;
    struct fault why = { 0 };

    (void)state;
    options.fit = IMPORT_EXACT;
    assert_false(import_plan(&raster, &options, &plan, &why));
    assert_int_equal(why.code, FAULT_SIZE);
    assert_non_null(strstr(why.detail, "946"));
    assert_non_null(strstr(why.detail, "1009"));
    raster_free(&raster);
}

static void each_valid_size_is_exact(void **state)
{
    static const int32_t sizes[][2] = { { 8, 8 }, { 64, 64 }, { 1009, 1009 }, { 505, 253 } };
    struct import_options options = usual;

    (void)state;
    options.fit = IMPORT_EXACT;
    for (size_t i = 0; i < 4; i++) {
        struct raster raster = codes_raster(sizes[i][0], sizes[i][1], jumble);
        struct import_plan plan;
        struct fault why = { 0 };

        assert_true(import_plan(&raster, &options, &plan, &why));
        assert_int_equal(plan.padded[0] + plan.padded[1], 0);
        raster_free(&raster);
    }
}

static void a_size_beyond_the_limits_is_refused(void **state)
{
    struct raster raster = codes_raster(70, 70, jumble);
    struct import_options options = usual;
    struct import_plan plan;
    struct fault why = { 0 };

    (void)state;
    options.limits.side = 64;
    assert_false(import_plan(&raster, &options, &plan, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    raster_free(&raster);
}

static void whole_metres_come_back_exactly(void **state)
{
    struct raster raster = metres_raster(64, 64);

    (void)state;
    for (int turn = 0; turn < 60; turn++) {
        int32_t least = (int32_t)any(20000) - 10000;
        uint32_t range = any(1u << any(16)); /* beyond, a code is more than a metre */
        struct import_plan plan;
        struct view *view;
        double span;

        for (int32_t i = 0; i < 64 * 64; i++)
            *metres_at(&raster, i % 64, i / 64) = least + (int32_t)any(range + 1);
        finish(&raster);
        view = view_of(&raster, &usual, &plan);
        span = raster.greatest - raster.least;
        assert_true(512 * plan.z_scale >= 1.25 * span);
        assert_true(plan.z_scale == 1 || 256 * plan.z_scale < 1.25 * span);
        assert_true(plan.z_scale == exp2(round(log2(plan.z_scale))));
        assert_true(plan.z_origin == floor(plan.z_origin));
        assert_true(fabs(plan.z_origin - (raster.least + span / 2)) <= 0.5);
        for (int32_t i = 0; i < 64 * 64; i++)
            assert_true(grid_metres(view_grid(view), view_height(view, i % 64, i / 64)) ==
                        *metres_at(&raster, i % 64, i / 64));
        view_drop(view);
    }
    raster_free(&raster);
}

static struct raster mountain(void)
{
    struct raster raster = metres_raster(64, 64);

    for (int32_t i = 0; i < 64 * 64; i++)
        *metres_at(&raster, i % 64, i / 64) = 140.5 * (i % 64);
    finish(&raster);
    return raster;
}

static void a_scale_that_does_not_hold_the_heights_is_refused(void **state)
{
    struct raster raster = mountain();
    struct import_options options = usual;
    struct import_plan plan;
    struct fault why = { 0 };

    (void)state;
    options.has_scale = true;
    options.z_scale = 1;
    assert_false(import_plan(&raster, &options, &plan, &why));
    assert_int_equal(why.code, FAULT_HEIGHTS);
    assert_non_null(strstr(why.detail, "8851.5"));
    assert_non_null(strstr(why.detail, "34.58"));
    options.z_scale = 34.58;
    assert_true(import_plan(&raster, &options, &plan, &why));
    assert_true(plan.z_origin == 0);
    options.z_scale = 34.57;
    assert_false(import_plan(&raster, &options, &plan, &why));
    raster_free(&raster);
}

static void an_origin_alone_finds_its_scale(void **state)
{
    struct raster raster = mountain();
    struct import_options options = usual;
    struct import_plan plan;
    struct fault why = { 0 };

    (void)state;
    options.has_origin = true;
    assert_true(import_plan(&raster, &options, &plan, &why));
    assert_true(plan.z_origin == 0 && plan.z_scale == 64);
    raster_free(&raster);
}

static void a_range_in_metres_is_that_of_the_codes(void **state)
{
    struct raster raster = mountain();
    struct import_options options = usual;
    struct import_plan plan;
    struct fault why = { 0 };
    struct grid grid = { 0 };

    (void)state;
    options.has_range = true;
    options.z_min = -100;
    options.z_max = 9000;
    assert_true(import_plan(&raster, &options, &plan, &why));
    grid.scale[2] = plan.z_scale;
    grid.origin[2] = plan.z_origin;
    assert_float_equal(grid_metres(&grid, 0), -100, 1e-9);
    assert_float_equal(grid_metres(&grid, 65535), 9000, 1e-9);
    options.z_max = 8000;
    assert_false(import_plan(&raster, &options, &plan, &why));
    assert_int_equal(why.code, FAULT_HEIGHTS);
    options.z_max = -100;
    assert_false(import_plan(&raster, &options, &plan, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_string_equal(why.place, "z_max");
    raster_free(&raster);
}

static void sea_level_is_the_middle_code(void **state)
{
    struct raster raster = metres_raster(64, 64);
    struct import_options options = usual;
    struct import_plan plan;
    struct view *view;

    (void)state;
    for (int32_t i = 0; i < 64 * 64; i++)
        *metres_at(&raster, i % 64, i / 64) = i % 64 < 32 ? 0 : 100;
    finish(&raster);
    options.has_scale = true;
    options.z_scale = 1;
    view = view_of(&raster, &options, &plan);
    assert_int_equal(view_height(view, 31, 5), 32768);
    assert_int_equal(view_height(view, 32, 5), 45568);
    view_drop(view);
    raster_free(&raster);
}

/* Voids */

static struct raster speckled(int32_t width, int32_t height, uint32_t one_in)
{
    struct raster raster = metres_raster(width, height);

    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            *metres_at(&raster, x, y) = any(one_in) == 0 ? NAN : 100 + x - y;
    *metres_at(&raster, 0, 0) = 100;
    finish(&raster);
    return raster;
}

static void a_quad_is_a_hole_when_its_four_vertices_are_void(void **state)
{
    (void)state;
    for (uint32_t one_in = 1; one_in < 4; one_in++) {
        struct raster raster = speckled(127, 64, one_in);
        struct import_plan plan;
        struct view *view = view_of(&raster, &usual, &plan);

        for (int32_t y = 0; y < 63; y++)
            for (int32_t x = 0; x < 126; x++)
                assert_int_equal(view_hole(view, x, y),
                                 isnan(*metres_at(&raster, x, y)) &&
                                     isnan(*metres_at(&raster, x + 1, y)) &&
                                     isnan(*metres_at(&raster, x, y + 1)) &&
                                     isnan(*metres_at(&raster, x + 1, y + 1)));
        view_drop(view);
        raster_free(&raster);
    }
}

static void voids_are_filled_within_the_range_and_others_stay(void **state)
{
    (void)state;
    for (uint32_t one_in = 1; one_in < 5; one_in++) {
        struct raster raster = speckled(130, 70, one_in);
        struct import_plan plan;
        struct view *view = view_of(&raster, &usual, &plan);

        for (int32_t y = 0; y < 70; y++)
            for (int32_t x = 0; x < 130; x++) {
                double is = grid_metres(view_grid(view), view_height(view, x, y));
                double was = *metres_at(&raster, x, y);

                assert_true(isnan(was) ? is >= raster.least && is <= raster.greatest : is == was);
            }
        view_drop(view);
        raster_free(&raster);
    }
}

static void a_single_void_lies_between_its_neighbours(void **state)
{
    struct raster raster = metres_raster(64, 64);
    struct import_plan plan;
    struct view *view;
    double height;

    (void)state;
    for (int32_t i = 0; i < 64 * 64; i++)
        *metres_at(&raster, i % 64, i / 64) = i % 64;
    *metres_at(&raster, 30, 30) = NAN;
    finish(&raster);
    view = view_of(&raster, &usual, &plan);
    height = grid_metres(view_grid(view), view_height(view, 30, 30));
    assert_true(height >= 28 && height <= 32);
    view_drop(view);
    raster_free(&raster);
}

static void a_raster_without_data_is_refused(void **state)
{
    struct raster raster = metres_raster(8, 8);
    struct import_plan plan;
    struct fault why = { 0 };

    (void)state;
    for (int32_t i = 0; i < 64; i++)
        *metres_at(&raster, i % 8, i / 8) = NAN;
    finish(&raster);
    assert_false(import_plan(&raster, &usual, &plan, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    raster_free(&raster);
}

/* What shows of a void lies between the data that it touches. */
static void a_void_beside_data_is_the_mean_of_it(void **state)
{
    struct raster raster = speckled(64, 64, 3);
    struct import_plan plan;
    struct view *view = view_of(&raster, &usual, &plan);

    (void)state;
    for (int32_t y = 1; y < 63; y++)
        for (int32_t x = 1; x < 63; x++) {
            double least = INFINITY, greatest = -INFINITY;
            double is = grid_metres(view_grid(view), view_height(view, x, y));

            for (int i = 0; i < 9; i++) {
                double beside = *metres_at(&raster, x - 1 + i % 3, y - 1 + i / 3);

                least = fmin(least, beside);
                greatest = fmax(greatest, beside);
            }
            assert_true(least == INFINITY || (is >= least && is <= greatest));
        }
    view_drop(view);
    raster_free(&raster);
}

/* Resampling */

static struct import_options resampled_to(int32_t columns, int32_t rows)
{
    struct import_options options = usual;

    options.fit = IMPORT_RESAMPLE;
    options.columns = columns;
    options.rows = rows;
    return options;
}

static int32_t ramp(int32_t x, int32_t y)
{
    (void)y;
    return 512 * x;
}

static void a_ramp_is_resampled_exactly(void **state)
{
    struct raster raster = codes_raster(127, 127, ramp);
    struct import_options options = resampled_to(253, 253);
    struct import_plan plan;
    struct view *view = view_of(&raster, &options, &plan);

    (void)state;
    assert_true(plan.resampled);
    for (int32_t y = 0; y < 253; y += 7)
        for (int32_t x = 0; x < 253; x++)
            assert_int_equal(view_height(view, x, y), 256 * x);
    view_drop(view);
    raster_free(&raster);
}

static void borders_stay_on_the_border(void **state)
{
    static const int32_t sizes[][2] = { { 1000, 1000 }, { 1025, 1025 } };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct raster raster = codes_raster(sizes[i][0], sizes[i][1], jumble);
        const uint16_t *codes = raster.samples;
        struct import_options options = resampled_to(0, 0);
        struct import_plan plan;
        struct view *view = view_of(&raster, &options, &plan);
        int32_t last = raster.width - 1;

        assert_int_equal(plan.columns, 1009);
        assert_int_equal(view_height(view, 0, 0), codes[0]);
        assert_int_equal(view_height(view, 1008, 0), codes[last]);
        assert_int_equal(view_height(view, 0, 1008), codes[(size_t)last * (size_t)raster.width]);
        assert_int_equal(view_height(view, 1008, 1008),
                         codes[(size_t)raster.width * (size_t)raster.width - 1]);
        view_drop(view);
        raster_free(&raster);
    }
}

static int32_t slope(int32_t x, int32_t y)
{
    return 20 * x + 10 * y;
}

static void slopes_at_the_edge_are_those_inside(void **state)
{
    struct raster raster = codes_raster(1000, 1000, slope);
    struct import_options options = resampled_to(1009, 1009);
    struct import_plan plan;
    struct view *view = view_of(&raster, &options, &plan);

    (void)state;
    for (int32_t i = 0; i <= 1008; i++) {
        assert_in_range(view_height(view, 8, i) - view_height(view, 0, i), 157, 160);
        assert_in_range(view_height(view, 1008, i) - view_height(view, 1000, i), 157, 160);
        assert_in_range(view_height(view, i, 8) - view_height(view, i, 0), 78, 81);
        assert_in_range(view_height(view, i, 1008) - view_height(view, i, 1000), 78, 81);
    }
    view_drop(view);
    raster_free(&raster);
}

static int32_t chess(int32_t x, int32_t y)
{
    return (x + y) % 2 ? 65535 : 0;
}

static int32_t zero(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return 0;
}

static void nothing_leaves_the_range_of_its_neighbours(void **state)
{
    static int32_t (*const surfaces[])(int32_t, int32_t) = { chess, zero, jumble };
    struct import_options options = resampled_to(253, 190);

    (void)state;
    for (int s = 0; s < 3; s++) {
        struct raster raster = codes_raster(127, 64, surfaces[s]);
        const uint16_t *codes = raster.samples;
        struct import_plan plan;
        struct view *view = view_of(&raster, &options, &plan);

        for (int32_t y = 0; y < 190; y++)
            for (int32_t x = 0; x < 253; x++) {
                int32_t x0 = x * 126 / 252, x1 = (x * 126 + 251) / 252;
                int32_t y0 = y * 63 / 189, y1 = (y * 63 + 188) / 189;
                int32_t corners[4] = { codes[y0 * 127 + x0], codes[y0 * 127 + x1],
                                       codes[y1 * 127 + x0], codes[y1 * 127 + x1] };
                int32_t least = 65535, greatest = 0, is = view_height(view, x, y);

                for (int i = 0; i < 4; i++) {
                    least = corners[i] < least ? corners[i] : least;
                    greatest = corners[i] > greatest ? corners[i] : greatest;
                }
                assert_in_range(is, least, greatest);
            }
        view_drop(view);
        raster_free(&raster);
    }
}

/* A vertex between samples is void exactly when all samples of weight are. */
static void no_data_is_left_out_of_resampling(void **state)
{
    static const int32_t sizes[][2] = { { 253, 253 }, { 64, 64 }, { 190, 127 } };

    (void)state;
    for (int s = 0; s < 3; s++) {
        struct raster raster = metres_raster(127, 127);
        struct import_options options = resampled_to(sizes[s][0], sizes[s][1]);
        struct import_plan plan;
        struct view *view;

        for (int32_t y = 0; y < 127; y++)
            for (int32_t x = 0; x < 127; x++)
                *metres_at(&raster, x, y) =
                    (x >= 60 && x < 66 && y >= 60 && y < 64) || any(20) == 0 ? NAN : x - y;
        finish(&raster);
        view = view_of(&raster, &options, &plan);
        for (int32_t y = 0; y < sizes[s][1]; y++)
            for (int32_t x = 0; x < sizes[s][0]; x++) {
                double is = grid_metres(view_grid(view), view_height(view, x, y));

                assert_true(is >= -126 && is <= 126);
            }
        view_drop(view);
        raster_free(&raster);
    }
}

static void a_size_that_no_landscape_has_is_no_target(void **state)
{
    struct raster raster = codes_raster(127, 127, jumble);
    struct import_options options = resampled_to(250, 253);
    struct import_plan plan;
    struct fault why = { 0 };

    (void)state;
    assert_false(import_plan(&raster, &options, &plan, &why));
    assert_int_equal(why.code, FAULT_SIZE);
    assert_non_null(strstr(why.detail, "253"));
    raster_free(&raster);
}

/* Replacing */

static void replacing_gives_what_creating_gives(void **state)
{
    struct raster first = codes_raster(127, 127, jumble), second = speckled(120, 100, 2);
    struct import_plan plan, other;
    struct view *old = view_of(&first, &usual, &plan), *created, *replaced;
    struct import_options onto = usual, alone = usual;
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(old, &why);
    struct settings *settings;

    (void)state;
    onto.onto = old->settings;
    assert_true(import_plan(&second, &onto, &plan, &why));
    settings = import_settings(&second, &plan, old->settings, &why);
    assert_non_null(settings);
    assert_true(draft_settings(draft, &settings, &why));
    assert_true(import_write(&second, &plan, draft, &why));
    replaced = draft_finish(draft, &change, &why);
    draft_free(draft);
    assert_non_null(replaced);
    assert_int_equal(replaced->version, 2);

    alone.section_quads = 63;
    alone.sections = 2;
    created = view_of(&second, &alone, &other);
    assert_int_equal(other.padded[0], plan.padded[0]);
    for (int32_t y = 0; y < 127; y++)
        for (int32_t x = 0; x < 127; x++) {
            assert_int_equal(view_height(replaced, x, y), view_height(created, x, y));
            if (x < 126 && y < 126)
                assert_int_equal(view_hole(replaced, x, y), view_hole(created, x, y));
        }
    assert_memory_equal(view_grid(replaced), view_grid(created), sizeof(struct grid));

    onto.fit = IMPORT_EXACT;
    assert_false(import_plan(&second, &onto, &plan, &why));
    assert_int_equal(why.code, FAULT_SIZE);
    view_drop(old);
    view_drop(created);
    view_drop(replaced);
    raster_free(&first);
    raster_free(&second);
}

static void a_place_is_that_of_the_outermost_vertices(void **state)
{
    struct raster raster = codes_raster(120, 100, jumble);
    struct import_plan plan;
    struct view *view;
    double data[4];

    (void)state;
    raster.stepped = true;
    raster.west = 500015;
    raster.north = 3999985;
    raster.step_x = 30;
    raster.step_y = 20;
    strcpy(raster.crs, "EPSG:32611");
    view = view_of(&raster, &usual, &plan);
    assert_true(view->settings->placed);
    assert_string_equal(view->settings->crs, "EPSG:32611");
    assert_true(view->settings->bounds[0] == 500015 && view->settings->bounds[3] == 3999985);
    assert_true(view->settings->bounds[2] == 500015 + 30.0 * (view_grid(view)->columns - 1));
    settings_data_bounds(view->settings, data);
    assert_float_equal(data[2], 500015 + 30.0 * 119, 1e-6);
    assert_float_equal(data[1], 3999985 - 20.0 * 99, 1e-6);
    assert_float_equal(view_grid(view)->scale[0], 30, 1e-9);
    assert_float_equal(view_grid(view)->scale[1], 20, 1e-9);
    view_drop(view);

    strcpy(raster.crs, "nonsense");
    view = view_of(&raster, &usual, &plan);
    assert_false(view->settings->placed);
    assert_true(raster.warning_count > 0);
    view_drop(view);
    raster_free(&raster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_stay_and_pad_repeats_under_holes),
        cmocka_unit_test(exact_names_the_nearest_sizes),
        cmocka_unit_test(each_valid_size_is_exact),
        cmocka_unit_test(a_size_beyond_the_limits_is_refused),
        cmocka_unit_test(whole_metres_come_back_exactly),
        cmocka_unit_test(a_scale_that_does_not_hold_the_heights_is_refused),
        cmocka_unit_test(an_origin_alone_finds_its_scale),
        cmocka_unit_test(a_range_in_metres_is_that_of_the_codes),
        cmocka_unit_test(sea_level_is_the_middle_code),
        cmocka_unit_test(a_quad_is_a_hole_when_its_four_vertices_are_void),
        cmocka_unit_test(voids_are_filled_within_the_range_and_others_stay),
        cmocka_unit_test(a_single_void_lies_between_its_neighbours),
        cmocka_unit_test(a_void_beside_data_is_the_mean_of_it),
        cmocka_unit_test(a_raster_without_data_is_refused),
        cmocka_unit_test(a_ramp_is_resampled_exactly),
        cmocka_unit_test(borders_stay_on_the_border),
        cmocka_unit_test(slopes_at_the_edge_are_those_inside),
        cmocka_unit_test(nothing_leaves_the_range_of_its_neighbours),
        cmocka_unit_test(no_data_is_left_out_of_resampling),
        cmocka_unit_test(a_size_that_no_landscape_has_is_no_target),
        cmocka_unit_test(replacing_gives_what_creating_gives),
        cmocka_unit_test(a_place_is_that_of_the_outermost_vertices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

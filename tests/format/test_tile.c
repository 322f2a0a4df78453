/* Tiles of every zoom, CRS and size against the judge, and what each tile depends on. */
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
#include "terrain/edit/paint_write.h"
#include "terrain/format/georef.h"
#include "terrain/format/tile_set.h"
#include "tests/format/judge.h"

static const struct tile_look plain = {
    .fill = NAN, .sun_azimuth = 315, .sun_elevation = 45, .exaggeration = 1, .steepest = 60
};

/* A landscape and the same heights as a flat array. */
struct scene {
    struct view *view;
    uint16_t *codes;
    struct judge judge;
    int native, finest;
};

static uint64_t next_incarnation = 1;

static struct view *view_with(const struct view *base, struct rect to, const uint16_t *codes,
                              int64_t stride)
{
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(base, &why);
    struct view *view;

    assert_non_null(draft);
    assert_true(draft_write_heights(draft, to, codes, stride, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    return view;
}

typedef uint16_t code_at(int x, int y);

static uint16_t rough(int x, int y)
{
    const uint32_t noise = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 22;

    return (uint16_t)(32768 + 6000 * sin(x * 0.05) * cos(y * 0.04) + noise);
}

static struct scene scene_of(const char *crs, const double bounds[4], int across, int down,
                             int quads, code_at *code)
{
    const struct layout layout = { { across, down }, 1, quads };
    struct settings *settings = settings_new(&layout);
    struct scene scene = { 0 };
    struct fault why = { 0 };
    struct view *empty;
    struct grid *grid = &settings->grid;
    int32_t native, finest;

    grid->scale[2] = 2;
    grid->origin[2] = 350;
    if (crs) {
        settings->placed = true;
        strcpy(settings->crs, crs);
        memcpy(settings->bounds, bounds, sizeof settings->bounds);
        assert_true(georef_scale(crs, bounds, grid->columns, grid->rows, grid->scale, &why));
    }
    scene.judge = (struct judge){
        .columns = grid->columns, .rows = grid->rows, .z_scale = 2, .z_origin = 350, .crs = crs
    };
    if (crs)
        memcpy(scene.judge.bounds, bounds, sizeof scene.judge.bounds);
    scene.judge.turned = crs && bounds[2] > 180 && strcmp(crs, "EPSG:4326") == 0;
    scene.codes = malloc((size_t)grid->columns * grid->rows * sizeof *scene.codes);
    for (int y = 0; y < grid->rows; y++)
        for (int x = 0; x < grid->columns; x++)
            scene.codes[y * grid->columns + x] = code(x, y);
    empty = view_new(&settings, next_incarnation++, 1, 32768);
    scene.view = view_with(empty, view_rect(empty), scene.codes, view_rect(empty).width);
    view_drop(empty);
    scene.judge.codes = scene.codes;
    judge_open(&scene.judge);
    assert_true(tile_zooms(scene.view, &native, &finest, &why));
    scene.native = native;
    scene.finest = finest;
    return scene;
}

static void scene_close(struct scene *scene)
{
    judge_close(&scene->judge);
    view_drop(scene->view);
    free(scene->codes);
}

/* The tile of a zoom under a grid position. */
static struct tile tile_at(const struct scene *scene, int z, int side, double column, double row)
{
    const double n = ldexp(1, z);
    double at[2] = { column, row };
    struct fault why = { 0 };

    if (!scene->judge.crs) {
        const double vertices = 256 * ldexp(1, scene->native - z);

        return (struct tile)TILE_AT(z, (int)((column + 0.5) / vertices),
                                    (int)((row + 0.5) / vertices), side);
    }
    assert_true(georef_from_grid(scene->view->settings, GEOREF_MERCATOR, at, 1, &why));
    at[0] = at[0] / (2 * M_PI * 6378137) + 0.5;
    at[1] = 0.5 - at[1] / (2 * M_PI * 6378137);
    return (struct tile)TILE_AT(z, (int)floor((at[0] - floor(at[0])) * n), (int)floor(at[1] * n),
                                side);
}

static uint8_t *painted(const struct scene *scene, const struct tile_set *set,
                        const struct tile *tile, const struct tile_look *look)
{
    struct bytes png = { 0 };
    struct fault why = { 0 };
    int width, height, channels;
    uint8_t *samples;

    if (!tile_set_write(set, NULL, scene->view, tile, look, &png, &why))
        fail_msg("%s %d/%d/%d: %s", set->name, tile->z, tile->x, tile->y, why.detail);
    samples = judge_png(png.data, png.length, &width, &height, &channels);
    assert_non_null(samples);
    assert_int_equal(width, tile->side);
    assert_int_equal(height, tile->side);
    assert_int_equal(channels, png_pixel_bytes(set->samples));
    bytes_free(&png);
    return samples;
}

/* The greatest error of a tile in both encodings, beyond half a step of each. */
static double worst_error(const struct scene *scene, const struct tile *tile, int *seen)
{
    uint8_t *rgb = painted(scene, &tile_set_terrain_rgb, tile, &plain);
    uint8_t *terrarium = painted(scene, &tile_set_terrarium, tile, &plain);
    double worst = -1;

    for (int j = 0; j < tile->side; j++)
        for (int i = 0; i < tile->side; i++) {
            const size_t at = 3 * ((size_t)j * tile->side + i);
            bool doubtful;
            double expected = judge_pixel(&scene->judge, scene->native, tile->z, tile->x, tile->y,
                                          tile->side, i, j, &doubtful);

            if (doubtful)
                continue;
            *seen += !isnan(expected);
            expected = isnan(expected) ? 0 : expected;
            worst = fmax(worst, fabs(judge_terrain_rgb(rgb + at) - expected) - 0.05);
            worst = fmax(worst, fabs(judge_terrarium(terrarium + at) - expected) - 1 / 512.0);
        }
    free(rgb);
    free(terrarium);
    return worst;
}

static const struct place {
    const char *crs;
    double bounds[4];
    int across, down, quads;
} places[] = {
    { "EPSG:4326", { -84.41, 36.45, -84.08, 36.73 }, 2, 2, 127 },
    { "EPSG:3857", { -9396000, 4360000, -9360000, 4399000 }, 4, 3, 63 },
    { "EPSG:32616", { 700000, 4030000, 760000, 4080000 }, 4, 4, 31 },
    { "EPSG:27700", { 400000, 200000, 430000, 224000 }, 2, 2, 63 },
    { "EPSG:2274", { 2200000, 600000, 2300000, 680000 }, 2, 2, 63 },
    { "EPSG:4269", { -84.41, 36.45, -84.08, 36.73 }, 2, 2, 63 },
    { "EPSG:3413", { -300000, -1400000, 100000, -1080000 }, 2, 2, 63 }, /* turned by 45 degrees */
    { "EPSG:3031", { 900000, -200000, 1220000, 200000 }, 2, 2, 63 },    /* and by 90 */
    { "EPSG:4326", { 170, -60, 190, -40 }, 2, 2, 63 },                  /* across 180 degrees */
    { NULL, { 0 }, 5, 3, 127 },
};
enum { PLACES = sizeof places / sizeof places[0] };

static struct scene scene_at(size_t place)
{
    return scene_of(places[place].crs, places[place].bounds, places[place].across,
                    places[place].down, places[place].quads, rough);
}

/* Full precision of the surface from the native zoom on, of footprint means before it. */
static void check_zooms(size_t place, double *fine, double *coarse)
{
    struct scene scene = scene_at(place);

    assert_int_equal(scene.native, judge_native(&scene.judge));
    assert_int_equal(scene.finest, scene.native + 4);
    for (int z = 0; z <= scene.finest; z++) {
        const double share = 0.03 + 0.31 * (z % 4);
        const int side = z % 7 == 3 ? 512 : 256;
        struct tile tile = tile_at(&scene, z, side, share * (scene.judge.columns - 1),
                                   share * (scene.judge.rows - 1));
        int seen = 0;
        double worst;

        if (z == scene.native + 2 || z == scene.native + 3)
            continue; /* nothing that the zooms around them do not show */
        worst = worst_error(&scene, &tile, &seen);
        if (seen == 0)
            fail_msg("%s tile %d/%d/%d shows nothing", places[place].crs, z, tile.x, tile.y);
        if (z + (side == 512) >= scene.native)
            *fine = fmax(*fine, worst);
        else
            *coarse = fmax(*coarse, worst);
    }
    scene_close(&scene);
}

static void every_zoom_of_every_crs_agrees_with_the_judge(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        double fine = -1, coarse = -1;

        check_zooms(i, &fine, &coarse);
        print_message("%-10s beyond half a step: %.2g m at the native zoom and finer, %.2g m "
                      "coarser\n",
                      places[i].crs ? places[i].crs : "no CRS", fmax(fine, 0), fmax(coarse, 0));
        if (!(fine <= 1e-3 && coarse <= 1e-3))
            fail_msg("%s: %g m fine, %g m coarse", places[i].crs, fine, coarse);
    }
}

/* Every longitude is theirs, and their borders meet where the map's do, or lie off it. */
static void landscapes_round_the_world_agree_with_the_judge(void **state)
{
    static const struct place wide[] = {
        { "EPSG:4326", { -180, -90, 180, 90 }, 4, 2, 63 },
        { "EPSG:3031", { -3e6, -3e6, 3e6, 3e6 }, 2, 2, 63 },
        { "EPSG:3413", { -2e6, -2.5e6, 2.2e6, 2e6 }, 2, 2, 63 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        struct scene scene = scene_of(wide[i].crs, wide[i].bounds, wide[i].across, wide[i].down,
                                      wide[i].quads, rough);

        scene.judge.everywhere = true;
        for (int z = 0; z <= scene.native + 1; z++) {
            const int last = (1 << z) - 1;
            const int row = i == 0 ? (last + 1) / 2 : i == 1 ? last : 0;
            struct tile tile = TILE_AT(z, (z + i) % 2 ? last : 0, row, 256);
            int seen = 0;
            const double worst = worst_error(&scene, &tile, &seen);

            assert_true(seen > 0);
            if (!(worst <= 1e-3))
                fail_msg("%g m in %d/%d/%d of %s", worst, z, tile.x, tile.y, wide[i].crs);
        }
        scene_close(&scene);
    }
}

static void pixels_on_the_vertices_hold_their_exact_codes(void **state)
{
    /* 255 quads of a step that puts every vertex into the middle of a pixel of zoom 12. */
    const double pixel = 2 * M_PI * 6378137 / 4096 / 256, edge = M_PI * 6378137;
    const double west = -edge + (1000 * 256 + 0.5) * pixel;
    const double north = edge - (1500 * 256 + 0.5) * pixel;
    const double bounds[4] = { west, north - 255 * pixel, west + 255 * pixel, north };
    struct scene scene = scene_of("EPSG:3857", bounds, 1, 1, 255, rough);
    const struct tile tile = TILE_AT(12, 1000, 1500, 256);
    double *z = malloc(256 * 256 * sizeof *z);
    struct fault why = { 0 };

    (void)state;
    assert_int_equal(scene.native, 12);
    assert_true(tile_heights(scene.view, &tile, -1, z, &why));
    for (int i = 0; i < 256 * 256; i++)
        if (!(fabs(z[i] - grid_metres(view_grid(scene.view), scene.codes[i])) < 1e-5))
            fail_msg("pixel %d is %.9g m", i, z[i]);
    free(z);
    scene_close(&scene);
}

static void tiles_and_point_queries_agree_to_the_bit(void **state)
{
    struct scene scene = scene_of(NULL, NULL, 2, 2, 127, rough);
    const struct tile tile = TILE_AT(scene.native + 3, 2, 1, 256);
    double *z = malloc(256 * 256 * sizeof *z);
    struct fault why = { 0 };

    (void)state;
    assert_true(tile_heights(scene.view, &tile, 0, z, &why));
    for (int j = 0; j < 256; j++)
        for (int i = 0; i < 256; i++) {
            double code;

            assert_true(view_code_at(scene.view, (512 + i + 0.5) / 8 - 0.5,
                                     (256 + j + 0.5) / 8 - 0.5, &code));
            assert_true(z[j * 256 + i] == grid_metres(view_grid(scene.view), code));
        }
    free(z);
    scene_close(&scene);
}

/* A tile of 512 pixels is four of the next zoom: nothing depends on where tiles end. */
/* Every set has its turn at some place and zoom, and the long run gives it all of them. */
static bool takes_turn(size_t number)
{
    return number % 3 == 0 || getenv("LANDSCAPED_SOAK");
}

static void large_tiles_are_four_of_the_next_zoom(void **state)
{
    (void)state;
    for (size_t place = 0; place < PLACES; place++) {
        struct scene scene = scene_at(place);

        for (int z = scene.native - 2; z < scene.finest; z += 2) {
            struct tile large =
                tile_at(&scene, z, 512, scene.judge.columns / 2.0, scene.judge.rows / 2.0);

            for (int s = 0; tile_sets[s]; s++) {
                if (tile_sets[s]->borders || !takes_turn(place + (size_t)(s + z / 2)))
                    continue; /* borders: see tests/format/test_tile_sets.c */
                const int bytes = (int)png_pixel_bytes(tile_sets[s]->samples);
                uint8_t *whole = painted(&scene, tile_sets[s], &large, &plain);

                for (int q = 0; q < 4; q++) {
                    struct tile small =
                        TILE_AT(z + 1, 2 * large.x + (q & 1), 2 * large.y + (q >> 1), 256);
                    struct rect reach;
                    struct fault why;
                    uint8_t *part;

                    if (!tile_reach(scene.view, &small, &reach, &why))
                        continue;
                    part = painted(&scene, tile_sets[s], &small, &plain);
                    for (int j = 0; j < 256; j++)
                        assert_memory_equal(
                            part + (size_t)j * 256 * bytes,
                            whole + ((size_t)(j + 256 * (q >> 1)) * 512 + 256 * (q & 1)) * bytes,
                            256 * bytes);
                    free(part);
                }
                free(whole);
            }
        }
        scene_close(&scene);
    }
}

static uint16_t level_100(int x, int y)
{
    (void)x, (void)y;
    return 32768 + (100 - 350) * 64;
}

static void level_ground_has_no_frame(void **state)
{
    (void)state;
    for (size_t place = 0; place < PLACES; place++) {
        struct scene scene =
            scene_of(places[place].crs, places[place].bounds, 2, 2, 127, level_100);
        const int z = scene.native + 2;
        struct tile tile = tile_at(&scene, z, 256, 126, 126);
        uint8_t *rgb = painted(&scene, &tile_set_terrain_rgb, &tile, &plain);
        uint8_t *gray = painted(&scene, &tile_set_hillshade, &tile, &plain);

        for (int i = 0; i < 256 * 256; i++) {
            assert_true(fabs(judge_terrain_rgb(rgb + 3 * i) - 100) < 1e-9);
            assert_int_equal(gray[i], 180); /* 255 sin 45 */
        }
        free(rgb);
        free(gray);
        scene_close(&scene);
    }
}

static uint16_t nine_or_ten(int x, int y)
{
    return (uint16_t)(32768 + ((x + y) % 2 ? 10 - 350 : 9 - 350) * 64);
}

/* 9.9 m is 0x0186FF and 10 m 0x018700: bytes that were averaged would be metres off. */
static void pixels_are_made_before_they_are_encoded(void **state)
{
    struct scene scene = scene_of("EPSG:4326", places[0].bounds, 2, 2, 63, nine_or_ten);
    struct tile_look look = plain;

    (void)state;
    look.fill = 9.5;
    for (int z = 0; z <= scene.finest; z++) {
        struct tile tile = tile_at(&scene, z, 256, 60, 60);
        uint8_t *rgb = painted(&scene, &tile_set_terrain_rgb, &tile, &look);

        for (int i = 0; i < 256 * 256; i++) {
            const double metres = judge_terrain_rgb(rgb + 3 * i);

            if (!(metres >= 9 - 1e-9 && metres <= 10 + 1e-9))
                fail_msg("%g m at zoom %d", metres, z);
        }
        free(rgb);
    }
    scene_close(&scene);
}

static void pixels_beyond_the_landscape_hold_the_fill(void **state)
{
    struct scene scene = scene_at(0);
    struct tile tile = tile_at(&scene, scene.native, 256, 0, 0);
    struct tile_look look = plain;
    static const uint8_t zero[3] = { 1, 134, 160 };
    uint8_t *rgb = painted(&scene, &tile_set_terrain_rgb, &tile, &look);
    uint8_t *filled;

    (void)state;
    assert_memory_equal(rgb, zero, 3); /* the tile's north-west is beyond */
    look.fill = 1234.5;
    filled = painted(&scene, &tile_set_terrain_rgb, &tile, &look);
    for (int i = 0; i < 256 * 256; i++)
        if (memcmp(rgb + 3 * i, zero, 3) == 0)
            assert_true(fabs(judge_terrain_rgb(filled + 3 * i) - 1234.5) < 1e-6);
        else
            assert_memory_equal(rgb + 3 * i, filled + 3 * i, 3);
    free(rgb);
    free(filled);
    scene_close(&scene);
}

static void numbers_are_rounded_and_clamped(void **state)
{
    static const struct {
        double metres, base, steps;
        uint8_t rgb[3];
    } cases[] = {
        { -20000, 10000, 10, { 0, 0, 0 } },
        { -10000, 10000, 10, { 0, 0, 0 } },
        { 0, 10000, 10, { 1, 134, 160 } },
        { 0.049, 10000, 10, { 1, 134, 160 } },
        { 0.051, 10000, 10, { 1, 134, 161 } },
        { -0.051, 10000, 10, { 1, 134, 159 } },
        { 1667721.5, 10000, 10, { 255, 255, 255 } },
        { 1e9, 10000, 10, { 255, 255, 255 } },
        { INFINITY, 10000, 10, { 255, 255, 255 } },
        { -INFINITY, 10000, 10, { 0, 0, 0 } },
        { -32768, 32768, 256, { 0, 0, 0 } },
        { -40000, 32768, 256, { 0, 0, 0 } },
        { 0, 32768, 256, { 128, 0, 0 } },
        { 32767.999, 32768, 256, { 255, 255, 255 } },
        { 40000, 32768, 256, { 255, 255, 255 } },
        { 1 / 256.0, 32768, 256, { 128, 0, 1 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t rgb[3];

        tile_set_pack(&cases[i].metres, 1, cases[i].base, cases[i].steps, rgb);
        assert_memory_equal(rgb, cases[i].rgb, 3);
    }
}

static uint16_t highest(int x, int y)
{
    (void)x, (void)y;
    return 65535;
}

/* More vertices under a pixel than 32 bits of their sum hold. */
static void means_of_great_sums_are_exact(void **state)
{
    struct scene scene = scene_of("EPSG:4326", places[0].bounds, 4, 4, 255, highest);

    (void)state;
    for (int z = 0; z <= scene.native; z++) {
        struct tile tile = tile_at(&scene, z, 256, 511, 511);
        double *heights = malloc(256 * 256 * sizeof *heights);
        struct fault why;
        int seen = 0;

        assert_true(tile_heights(scene.view, &tile, NAN, heights, &why));
        for (int i = 0; i < 256 * 256; i++)
            if (!isnan(heights[i])) {
                seen++;
                assert_true(fabs(heights[i] - (350 + 32767 / 64.0)) < 1e-9);
            }
        assert_true(seen > 0);
        free(heights);
    }
    scene_close(&scene);
}

/* So many vertices under a few pixels that whole cells are summed. */
static void means_by_cells_agree_with_the_judge(void **state)
{
    const double bounds[2][4] = { { 10, 50, 11, 50.7 }, { 400000, 200000, 450000, 250000 } };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct scene scene = scene_of(i ? "EPSG:27700" : "EPSG:4326", bounds[i], 7, 7, 255, rough);

        for (int z = scene.native - 9; z <= scene.native - 6; z += 3) {
            struct tile tile = tile_at(&scene, z, 256, 1200, 700);
            int seen = 0;
            const double worst = worst_error(&scene, &tile, &seen);

            assert_true(seen > 0);
            if (!(worst <= 1e-3))
                fail_msg("%g m at zoom %d of %s", worst, z, scene.judge.crs);
        }
        scene_close(&scene);
    }
}

/* The height at a place of a zoom's pixel, through the encoded tile. */
static double height_at_zoom(const struct scene *scene, int z, double column, double row)
{
    struct tile tile = tile_at(scene, z, 256, column, row);
    double at[2] = { column, row }, height;
    struct fault why = { 0 };
    uint8_t *rgb = painted(scene, &tile_set_terrarium, &tile, &plain);
    int pixel[2];

    assert_true(georef_from_grid(scene->view->settings, GEOREF_MERCATOR, at, 1, &why));
    pixel[0] = (int)((at[0] / (2 * M_PI * 6378137) + 0.5) * ldexp(256, z) - tile.x * 256.0);
    pixel[1] = (int)((0.5 - at[1] / (2 * M_PI * 6378137)) * ldexp(256, z) - tile.y * 256.0);
    height = judge_terrarium(rgb + 3 * (pixel[1] * 256 + pixel[0]));
    free(rgb);
    return height;
}

static uint16_t slope(int x, int y)
{
    return (uint16_t)(20000 + 40 * x + 30 * y);
}

/* Zooms differ by no more than the relief inside a pixel of the coarser, and each shows an edit. */
static void every_zoom_shows_the_same_ground_before_and_after_an_edit(void **state)
{
    struct scene scene = scene_of("EPSG:32616", places[2].bounds, 4, 4, 31, slope);
    const double per_vertex = 70 / 64.0;

    (void)state;
    for (int edited = 0; edited < 2; edited++) {
        for (int k = 0; k < 10; k++) {
            const double column = 3 + 11 * k, row = 120 - 12 * k;
            double code, truth;

            assert_true(view_code_at(scene.view, column, row, &code));
            truth = grid_metres(view_grid(scene.view), code);
            for (int z = scene.native - 3; z <= scene.finest; z++) {
                const double relief =
                    per_vertex * 1.5 * fmax(1, ldexp(1, scene.native - z)) + 1 / 256.0;
                const double height = height_at_zoom(&scene, z, column, row);

                if (!(fabs(height - truth) <= relief))
                    fail_msg("%g m at zoom %d, where %g m is true", height, z, truth);
            }
        }
        for (int i = 0; i < scene.judge.columns * scene.judge.rows; i++)
            scene.codes[i] += 10000;
        struct view *before = scene.view;
        scene.view = view_with(before, view_rect(before), scene.codes, scene.judge.columns);
        view_drop(before);
    }
    scene_close(&scene);
}

/* Bytes of every tile of the zooms under a vertex and its neighbours, by set. */
static bool same_tile(const struct view *before, const struct view *after,
                      const struct tile_set *set, const struct tile *tile)
{
    struct bytes a = { 0 }, b = { 0 };
    struct fault why;
    bool same;

    assert_true(tile_set_write(set, NULL, before, tile, &plain, &a, &why));
    assert_true(tile_set_write(set, NULL, after, tile, &plain, &b, &why));
    same = a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
    bytes_free(&a);
    bytes_free(&b);
    return same;
}

static bool reach_holds(struct rect reach, int x, int y)
{
    return x >= reach.x && x < reach.x + reach.width && y >= reach.y && y < reach.y + reach.height;
}

/* One vertex at the corner of four tiles changes: every tile that comes out otherwise had it in
 * its reach, and tiles a little further off do not. */
static void a_tile_that_changes_has_the_vertex_in_its_reach(void **state)
{
    (void)state;
    for (size_t place = 0; place < PLACES; place += 2) {
        struct scene scene = scene_at(place);

        for (int z = 1; z <= scene.finest; z += 2) {
            const int vx = scene.judge.columns * 2 / 5, vy = scene.judge.rows * 3 / 5;
            const struct tile middle = tile_at(&scene, z, 256, vx, vy);
            const uint16_t peak = 65535;
            struct view *edited = view_with(scene.view, (struct rect){ vx, vy, 1, 1 }, &peak, 1);
            int changed = 0;

            for (int k = 0; k < 9; k++) {
                struct tile tile = TILE_AT(z, middle.x + k % 3 - 1, middle.y + k / 3 - 1, 256);
                struct rect reach;
                struct fault why = { 0 };

                if (!tile_reach(scene.view, &tile, &reach, &why))
                    continue;
                for (int s = 0; tile_sets[s]; s++) {
                    if (!takes_turn((size_t)(s + k)) ||
                        same_tile(scene.view, edited, tile_sets[s], &tile))
                        continue;
                    changed++;
                    if (!reach_holds(reach, vx, vy))
                        fail_msg("%s %d/%d/%d of %s", tile_sets[s]->name, z, tile.x, tile.y,
                                 places[place].crs);
                }
            }
            assert_true(changed > 0 || z < scene.native - 4);
            view_drop(edited);
        }
        scene_close(&scene);
    }
}

static void a_reach_is_little_more_than_the_tile(void **state)
{
    (void)state;
    for (size_t place = 0; place < 6; place++) {
        struct scene scene = scene_at(place);

        for (int z = scene.native; z <= scene.finest; z++) {
            const double n = 256 * ldexp(1, scene.native - z);
            struct tile tile =
                tile_at(&scene, z, 256, scene.judge.columns / 2.0, scene.judge.rows / 2.0);
            struct rect reach;
            struct fault why;

            assert_true(tile_reach(scene.view, &tile, &reach, &why));
            assert_true(reach.width <= 1.3 * n + 6 && reach.height <= 1.3 * n + 6);
        }
        scene_close(&scene);
    }
}

static void tiles_that_do_not_exist_are_missing(void **state)
{
    static const struct tile wrong[] = {
        TILE_AT(-1, 0, 0, 256),        TILE_AT(31, 0, 0, 256),        TILE_AT(32, 0, 0, 256),
        TILE_AT(63, 0, 0, 256),        TILE_AT(64, 0, 0, 256),        TILE_AT(INT32_MAX, 0, 0, 256),
        TILE_AT(INT32_MIN, 0, 0, 256), TILE_AT(0, 1, 0, 256),         TILE_AT(0, 0, 1, 256),
        TILE_AT(3, 8, 0, 256),         TILE_AT(3, 0, 8, 256),         TILE_AT(3, -1, 0, 256),
        TILE_AT(3, 0, -1, 256),        TILE_AT(3, INT32_MAX, 0, 256), TILE_AT(3, 0, INT32_MIN, 256),
        TILE_AT(30, 0, 0, 256),        TILE_AT(25, 0, 0, 512),
    };

    (void)state;
    for (size_t place = 0; place < PLACES; place++) {
        struct scene scene = scene_at(place);

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            struct fault why = { 0 };
            struct rect reach = { -7, 0, 0, 0 };

            assert_false(tile_reach(scene.view, &wrong[i], &reach, &why));
            assert_int_equal(why.code, FAULT_MISSING);
        }
        scene_close(&scene);
    }
}

/* A tile exists exactly when it and the announced bounds have an area in common. */
static void tiles_off_the_landscape_are_out_of_range(void **state)
{
    (void)state;
    for (size_t place = 0; place < 6; place++) {
        struct scene scene = scene_at(place);
        const int z = scene.native - 2;
        struct tile middle =
            tile_at(&scene, z, 256, scene.judge.columns / 2.0, scene.judge.rows / 2.0);
        double bounds[4];
        struct fault why = { 0 };

        assert_true(tile_bounds(scene.view, bounds, &why));
        for (int y = middle.y - 4; y <= middle.y + 4; y++)
            for (int x = middle.x - 4; x <= middle.x + 4; x++) {
                const double n = ldexp(1, z);
                const double west = x / n * 360 - 180, east = (x + 1) / n * 360 - 180;
                const double north = atan(sinh(M_PI * (1 - 2 * y / n))) * 180 / M_PI;
                const double south = atan(sinh(M_PI * (1 - 2 * (y + 1) / n))) * 180 / M_PI;
                const bool touches =
                    west < bounds[2] && east > bounds[0] && south < bounds[3] && north > bounds[1];
                struct rect reach;

                assert_int_equal(
                    tile_reach(scene.view, &(struct tile)TILE_AT(z, x, y, 256), &reach, &why),
                    touches);
                if (!touches)
                    assert_int_equal(why.code, FAULT_RANGE);
            }
        scene_close(&scene);
    }
}

static void its_own_grid_has_one_pixel_a_vertex(void **state)
{
    struct scene scene = scene_of(NULL, NULL, 5, 3, 127, rough); /* 636 x 382 */
    double *z = malloc(256 * 256 * sizeof *z);
    struct fault why = { 0 };
    struct rect reach;

    (void)state;
    assert_int_equal(scene.native, 2);
    assert_true(tile_heights(scene.view, &(struct tile)TILE_AT(2, 2, 1, 256), -1, z, &why));
    for (int j = 0; j < 256; j++)
        for (int i = 0; i < 256; i++) {
            const int x = 512 + i, y = 256 + j;

            if (x < 636 && y < 382)
                assert_true(z[j * 256 + i] ==
                            grid_metres(view_grid(scene.view), scene.codes[y * 636 + x]));
            else
                assert_true(z[j * 256 + i] == -1);
        }
    /* Half of that: plain means of four. */
    assert_true(tile_heights(scene.view, &(struct tile)TILE_AT(1, 0, 0, 256), -1, z, &why));
    for (int j = 0; j < 191; j++)
        for (int i = 0; i < 256; i++) {
            const uint16_t *at = scene.codes + (size_t)2 * j * 636 + 2 * i;

            assert_true(fabs(z[j * 256 + i] -
                             grid_metres(view_grid(scene.view),
                                         (at[0] + at[1] + at[636] + at[637]) / 4.0)) < 1e-9);
        }
    assert_true(tile_reach(scene.view, &(struct tile)TILE_AT(2, 2, 1, 256), &reach, &why));
    assert_false(tile_reach(scene.view, &(struct tile)TILE_AT(2, 3, 1, 256), &reach, &why));
    assert_int_equal(why.code, FAULT_RANGE);
    assert_false(tile_reach(scene.view, &(struct tile)TILE_AT(2, 0, 2, 256), &reach, &why));
    free(z);
    scene_close(&scene);
}

static void bounds_are_those_of_the_landscape(void **state)
{
    struct scene scene = scene_at(0), turned = scene_at(8);
    double bounds[4];
    struct fault why = { 0 };

    (void)state;
    assert_true(tile_bounds(scene.view, bounds, &why));
    for (int k = 0; k < 4; k++)
        assert_true(fabs(bounds[k] - places[0].bounds[k]) < 1e-12);
    assert_true(tile_bounds(turned.view, bounds, &why));
    assert_true(bounds[0] == -180 && bounds[2] == 180);
    scene_close(&scene);
    scene_close(&turned);
}

static uint16_t ridge_along_y(int x, int y)
{
    (void)y;
    return (uint16_t)(30000 - 50 * abs(x - 127));
}

static uint16_t ridge_along_x(int x, int y)
{
    (void)x;
    return (uint16_t)(30000 - 50 * abs(y - 127));
}

static double brightness(const struct scene *scene, double azimuth, double column, double row)
{
    struct tile tile = tile_at(scene, scene->native + 2, 256, column, row);
    struct tile_look look = plain;
    double sum = 0;
    uint8_t *gray;

    look.sun_azimuth = azimuth;
    look.exaggeration = 20;
    gray = painted(scene, &tile_set_hillshade, &tile, &look);
    for (int i = 0; i < 256 * 256; i++)
        sum += gray[i];
    free(gray);
    return sum / (256 * 256);
}

static void the_face_towards_the_sun_is_brighter(void **state)
{
    (void)state;
    for (size_t place = 0; place < 3; place++) {
        struct scene meridian =
            scene_of(places[place].crs, places[place].bounds, 2, 2, 127, ridge_along_y);
        struct scene parallel =
            scene_of(places[place].crs, places[place].bounds, 2, 2, 127, ridge_along_x);

        assert_true(brightness(&meridian, 270, 45, 127) > brightness(&meridian, 270, 210, 127) + 5);
        assert_true(brightness(&meridian, 90, 45, 127) < brightness(&meridian, 90, 210, 127) - 5);
        assert_true(brightness(&parallel, 0, 127, 45) > brightness(&parallel, 0, 127, 210) + 5);
        assert_true(brightness(&parallel, 180, 127, 45) < brightness(&parallel, 180, 127, 210) - 5);
        scene_close(&meridian);
        scene_close(&parallel);
    }
}

/* A plane that rises to the east: the shade of its true slope on the ground, whatever the latitude.
 */
static void slopes_are_in_metres_on_the_ground(void **state)
{
    const double bounds[4] = { 10, 65, 10.5, 65.2 };
    struct scene scene = scene_of("EPSG:4326", bounds, 2, 2, 127, slope);
    struct tile tile = tile_at(&scene, scene.native + 1, 256, 127, 127);
    const struct grid *grid = view_grid(scene.view);
    const double east = 20 * 40 / 64.0 / grid->scale[0], south = 20 * 30 / 64.0 / grid->scale[1];
    const double down = sqrt(0.5);
    const double light = (down - 0.5 * -east + 0.5 * south) / sqrt(1 + east * east + south * south);
    struct tile_look look = plain;
    uint8_t *gray;

    (void)state;
    look.exaggeration = 20;
    gray = painted(&scene, &tile_set_hillshade, &tile, &look);
    assert_true(light * 255 < 254 && east > 0.1);
    for (int i = 0; i < 256 * 256; i++)
        assert_true(fabs(gray[i] - light * 255) < 1.01);
    free(gray);
    scene_close(&scene);
}

/* Paint */

/* Two layers, red and blue: red's weight is the column, and none north of row 10. */
static void paint_scene(struct scene *scene)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(scene->view, &why);
    struct settings *settings = settings_copy(scene->view->settings);
    struct stack *stack = stack_copy(settings->stack);
    struct rect all = view_rect(scene->view);
    size_t count = (size_t)rect_area(all);
    uint8_t *planes = calloc(count, 2);
    struct paint_planes writing = { (const int[2]){ 0, 1 }, 2, all, planes };
    struct change change;
    struct view *view;

    for (int k = 0; k < 2; k++) {
        struct paint_layer *layer = stack_add_paint(stack, k ? "water" : "clay", &why);

        memcpy(layer->debug_color, k ? (const uint8_t[3]){ 0, 0, 255 } : (const uint8_t[3]){ 255 },
               3);
    }
    stack_drop(settings->stack);
    settings->stack = stack;
    assert_true(draft_settings(draft, &settings, &why));
    for (size_t i = 10 * (size_t)all.width; i < count; i++) {
        planes[i] = (uint8_t)(i % (size_t)all.width);
        planes[count + i] = (uint8_t)(255 - planes[i]);
    }
    assert_true(paint_write(draft, &writing, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    free(planes);
    view_drop(scene->view);
    scene->view = view;
}

static void paint_shows_in_its_colours(void **state)
{
    struct scene scene = scene_of(NULL, NULL, 2, 2, 63, rough); /* 127 x 127 vertices */
    const struct tile native = TILE_AT(scene.native, 0, 0, 256),
                      finer = TILE_AT(scene.native + 1, 0, 0, 256);
    uint8_t *rgb;

    (void)state;
    paint_scene(&scene);
    rgb = painted(&scene, &tile_set_paint, &native, &plain);
    for (int i = 0; i < 256 * 256; i++) {
        int x = i % 256, y = i / 256, bare = y < 10 ? 128 : 0;
        const uint8_t *pixel = rgb + 3 * i;

        if (x >= 127 || y >= 127) { /* beyond the landscape */
            assert_memory_equal(pixel, "\0\0\0", 3);
            continue;
        }
        assert_int_equal(pixel[0], y < 10 ? 128 : x);
        assert_int_equal(pixel[1], bare);
        assert_int_equal(pixel[2], y < 10 ? 128 : 255 - x);
    }
    free(rgb);
    /* pixels of half a vertex lie a quarter beside one */
    rgb = painted(&scene, &tile_set_paint, &finer, &plain);
    assert_int_equal(rgb[3 * (100 * 256 + 101)], 50); /* column 50.25 */
    assert_int_equal(rgb[3 * (100 * 256 + 102)], 51); /* column 50.75 */
    assert_int_equal(rgb[3 * (100 * 256 + 102) + 2], 204);
    free(rgb);
    scene_close(&scene);
}

/* Over the whole of a coarse tile, colours are about the mean of what lies there. */
static void coarse_paint_is_a_mean(void **state)
{
    struct scene scene = scene_of(NULL, NULL, 4, 4, 127, rough); /* 509 x 509 vertices, zoom 1 */
    const struct tile tile = TILE_AT(0, 0, 0, 256);
    uint8_t *rgb;

    (void)state;
    paint_scene(&scene);
    assert_int_equal(scene.native, 1);
    rgb = painted(&scene, &tile_set_paint, &tile, &plain);
    for (int x = 0; x < 127; x++) {
        const uint8_t *pixel =
            rgb + 3 * (60 * 256 + x); /* vertices 2 x and 2 x + 1, weights alike */

        assert_in_range(pixel[0], 2 * x, 2 * x + 1);
        assert_in_range(pixel[2], 255 - 2 * x - 1, 255 - 2 * x);
    }
    free(rgb);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_rounded_and_clamped),
        cmocka_unit_test(tiles_that_do_not_exist_are_missing),
        cmocka_unit_test(tiles_off_the_landscape_are_out_of_range),
        cmocka_unit_test(its_own_grid_has_one_pixel_a_vertex),
        cmocka_unit_test(pixels_on_the_vertices_hold_their_exact_codes),
        cmocka_unit_test(tiles_and_point_queries_agree_to_the_bit),
        cmocka_unit_test(paint_shows_in_its_colours),
        cmocka_unit_test(coarse_paint_is_a_mean),
        cmocka_unit_test(level_ground_has_no_frame),
        cmocka_unit_test(pixels_are_made_before_they_are_encoded),
        cmocka_unit_test(pixels_beyond_the_landscape_hold_the_fill),
        cmocka_unit_test(means_of_great_sums_are_exact),
        cmocka_unit_test(means_by_cells_agree_with_the_judge),
        cmocka_unit_test(every_zoom_of_every_crs_agrees_with_the_judge),
        cmocka_unit_test(landscapes_round_the_world_agree_with_the_judge),
        cmocka_unit_test(large_tiles_are_four_of_the_next_zoom),
        cmocka_unit_test(every_zoom_shows_the_same_ground_before_and_after_an_edit),
        cmocka_unit_test(a_tile_that_changes_has_the_vertex_in_its_reach),
        cmocka_unit_test(a_reach_is_little_more_than_the_tile),
        cmocka_unit_test(bounds_are_those_of_the_landscape),
        cmocka_unit_test(the_face_towards_the_sun_is_brighter),
        cmocka_unit_test(slopes_are_in_metres_on_the_ground),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Terrain tiles for globes, by a reader of their own: what they are made of, where they meet, how
 * true they are, and what an edit makes of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/globe_land.h"

#include "terrain/format/earth.h"
#include "terrain/format/georef.h"
#include "terrain/format/quantized_mesh.h"

static uint16_t rough(int x, int y)
{
    const uint32_t noise = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 22;

    return (uint16_t)(32768 + 6000 * sin(x * 0.05) * cos(y * 0.04) + noise);
}

static uint16_t level(int x, int y)
{
    (void)x;
    (void)y;
    return 32768;
}

static uint16_t step_in_the_middle(int x, int y)
{
    (void)y;
    return x < GLOBE_LAND_QUADS ? 20000 : 45000;
}

/* What the header says of the vertices is so. */
static void check_header(const struct globe_tile *at, const struct quantized *tile)
{
    for (uint32_t i = 0; i < tile->count; i++) {
        double degrees[2], fixed[3], out = 0;

        globe_land_degrees(at, tile->u[i], tile->v[i], degrees);
        earth_fixed(degrees[0], degrees[1], quantized_height(tile, i), fixed);
        for (int k = 0; k < 3; k++)
            out += (fixed[k] - tile->sphere[k]) * (fixed[k] - tile->sphere[k]);
        assert_true(sqrt(out) <= tile->sphere[3] * (1 + 1e-9) + 1e-6);
    }
}

/* Where the horizon hides the point that the header tells, it hides every vertex: seen from many
 * places (CesiumJS: the cone behind the ellipsoid, in scaled space). */
static bool hidden(const double eye[3], const double point[3])
{
    double to[3], squared = 0, ahead = 0, length = 0;

    for (int k = 0; k < 3; k++) {
        to[k] = point[k] - eye[k];
        squared += eye[k] * eye[k];
        ahead -= to[k] * eye[k];
        length += to[k] * to[k];
    }
    squared -= 1;
    return ahead > squared && ahead * ahead / length > squared;
}

static void check_occlusion(const struct globe_tile *at, const struct quantized *tile)
{
    static const double axes[3] = { 6378137, 6378137, 6356752.3142451793 };
    double(*scaled)[3] = malloc((tile->count + 1) * sizeof *scaled);
    int seen = 0, unseen = 0;

    for (uint32_t i = 0; i < tile->count; i++) {
        double degrees[2];

        globe_land_degrees(at, tile->u[i], tile->v[i], degrees);
        earth_fixed(degrees[0], degrees[1], quantized_height(tile, i), scaled[i]);
        for (int k = 0; k < 3; k++)
            scaled[i][k] /= axes[k];
    }
    for (int look = 0; look < 100; look++) {
        const double turn = look * 2.399963, up = 1 - (look + 0.5) / 50;
        const double far = 1.02 + 0.3 * (look % 7);
        const double eye[3] = { far * sqrt(1 - up * up) * cos(turn),
                                far * sqrt(1 - up * up) * sin(turn), far * up };

        if (!hidden(eye, tile->occlusion)) {
            seen++;
            continue;
        }
        unseen++;
        for (uint32_t i = 0; i < tile->count; i++)
            assert_true(hidden(eye, scaled[i]));
    }
    assert_true(seen > 0 && unseen > 0);
    free(scaled);
}

/* SEA-09: corners, edges, no hole, no T-junction, no triangle without an area. */
static void every_tile_is_whole(void **state)
{
    static const double bounds[] = { 0, 0.5, 20, 1e6, NAN };
    static globe_land_code *const grounds[] = { rough, level, step_in_the_middle };

    (void)state;
    for (int g = 0; g < 3; g++)
        for (int b = 0; b < 5; b++) {
            struct view *view = globe_land_at(&globe_lands[g], 2, grounds[g]);
            struct derived_cache *cache = derived_cache_new(64 << 20);
            const struct globe_look look = globe_land_look(bounds[b], QUANTIZED_NORMALS);

            for (int32_t z = 0; z <= globe_land_finest(view); z++) {
                struct globe_tile tiles[GLOBE_LAND_TILES];
                const int count = globe_land_tiles(view, z, tiles);

                for (int i = 0; i < count; i += b == 0 ? 5 : 2) {
                    struct globe_land_tile made = globe_land_make(view, cache, &tiles[i], &look);

                    quantized_check(&made.tile);
                    check_header(&tiles[i], &made.tile);
                    if (z >= 3 && b > 1)
                        check_occlusion(&tiles[i], &made.tile);
                    assert_non_null(made.tile.normals);
                    assert_true(made.error >= 0 && isfinite(made.error));
                    globe_land_free(&made);
                }
            }
            derived_cache_free(cache);
            view_drop(view);
        }
}

static void compare_edges(const struct quantized *a, int k, const struct quantized *b,
                          const struct globe_tile *at)
{
    const int other = (k + 2) % 4;

    if (a->edge_counts[k] != b->edge_counts[other])
        fail_msg("%d/%d/%d, side %d: %u vertices and %u", at->z, at->x, at->y, k, a->edge_counts[k],
                 b->edge_counts[other]);
    for (uint32_t i = 0; i < a->edge_counts[k]; i++) {
        const uint32_t mine = a->edges[k][i], theirs = b->edges[other][i];

        assert_int_equal(k % 2 ? a->u[mine] : a->v[mine], k % 2 ? b->u[theirs] : b->v[theirs]);
        /* To the bit of a float, which is what the header has. */
        assert_true((float)quantized_height(a, mine) == (float)quantized_height(b, theirs));
        assert_true(fabs(quantized_height(a, mine) - quantized_height(b, theirs)) < 1e-9);
        assert_memory_equal(a->normals + 2 * mine, b->normals + 2 * theirs, 2);
    }
}

/* Every pair of neighbours of every zoom: the same vertices, heights and normals. */
static void neighbours_meet_vertex_by_vertex(void **state)
{
    static const double bounds[] = { 0.7, 6, 60, NAN };
    int pairs = 0;

    (void)state;
    for (int p = 0; p < GLOBE_LANDS; p++)
        for (int b = 0; b < 4; b++) {
            struct view *view = globe_land_at(&globe_lands[p], b < 2 ? 2 : 3, rough);
            struct derived_cache *cache = derived_cache_new(64 << 20);
            struct globe_look look = globe_land_look(bounds[b], QUANTIZED_NORMALS);

            look.fill = b == 1 ? 650 : 0;
            for (int32_t z = b == 3 ? 0 : globe_land_finest(view) - 4; z <= globe_land_finest(view);
                 z++) {
                struct globe_tile tiles[GLOBE_LAND_TILES];
                const int count = globe_land_tiles(view, z, tiles);
                struct globe_land_tile *made = calloc((size_t)count, sizeof *made);

                for (int i = 0; i < count; i++)
                    made[i] = globe_land_make(view, cache, &tiles[i], &look);
                for (int i = 0; i < count; i++)
                    for (int j = 0; j < count; j++) {
                        const bool beside =
                            tiles[j].y == tiles[i].y && tiles[j].x == (tiles[i].x + 1) % (2 << z);
                        const bool below = tiles[j].x == tiles[i].x && tiles[j].y == tiles[i].y + 1;

                        if (beside)
                            compare_edges(&made[i].tile, 2, &made[j].tile, &tiles[i]);
                        if (below)
                            compare_edges(&made[i].tile, 1, &made[j].tile, &tiles[i]);
                        pairs += beside + below;
                    }
                for (int i = 0; i < count; i++)
                    globe_land_free(&made[i]);
                free(made);
            }
            derived_cache_free(cache);
            view_drop(view);
        }
    assert_true(pairs > 300);
}

/* Nowhere is the surface further from the tile than the tile says; nor does it say far too much
 * where its samples are as fine as the landscape's. */
static void the_stated_error_is_a_bound(void **state)
{
    static const double bounds[] = { 0, 3, 40 };

    (void)state;
    for (int p = 0; p < GLOBE_LANDS; p++)
        for (int b = 0; b < 3; b++) {
            struct view *view = globe_land_at(&globe_lands[p], 2, rough);
            struct derived_cache *cache = derived_cache_new(64 << 20);
            const struct globe_look look = globe_land_look(bounds[b], 0);
            const int32_t finest = globe_land_finest(view);

            for (int32_t z = finest > 7 ? finest - 7 : 0; z <= finest; z++) {
                struct globe_tile tiles[GLOBE_LAND_TILES];
                const int count = globe_land_tiles(view, z, tiles);
                const int middle = count / 2;
                struct globe_land_tile made = globe_land_make(view, cache, &tiles[middle], &look);
                double most = 0;
                int on = 0;

                for (int k = 0; k < 700; k++) {
                    const double u = fmod(k * 0.7548776662466927, 1) * 32767;
                    const double v = fmod(k * 0.5698402909980532, 1) * 32767;
                    double at[2], code;
                    struct fault why = { 0 };

                    globe_land_degrees(&tiles[middle], u, v, at);
                    assert_true(georef_to_grid(view->settings, GEOREF_LONLAT, at, 1, &why));
                    if (!view_code_at(view, at[0], at[1], &code))
                        continue;
                    most = fmax(most, fabs(quantized_height_at(&made.tile, u, v) -
                                           grid_metres(view_grid(view), code)));
                    on++;
                }
                if (most > made.error)
                    fail_msg("%s, within %g m, %d/%d/%d: %g m off, %g stated", globe_lands[p].name,
                             bounds[b], z, tiles[middle].x, tiles[middle].y, most, made.error);
                if (z == finest && (on < 150 || made.error > 3 * most + 1))
                    fail_msg("%s, within %g m: %d points, at most %g m off, %g stated",
                             globe_lands[p].name, bounds[b], on, most, made.error);
                globe_land_free(&made);
            }
            derived_cache_free(cache);
            view_drop(view);
        }
}

/* NUM-12: flat ground is two triangles, finite, and its normals point straight up. */
static void flat_ground_needs_two_triangles(void **state)
{
    static const struct globe_land whole = { "a tile", "EPSG:4326", { 10, 40, 14, 44 } };
    struct view *view = globe_land_at(&whole, 4, level);
    const int32_t z = globe_land_finest(view);
    struct globe_look look = globe_land_look(0, QUANTIZED_NORMALS);
    struct globe_tile tiles[GLOBE_LAND_TILES];
    const int count = globe_land_tiles(view, z, tiles);
    int inside = 0;

    (void)state;
    look.fill = 700; /* as high as the ground */
    for (int i = 0; i < count; i++) {
        struct globe_land_tile made = globe_land_make(view, NULL, &tiles[i], &look);

        assert_int_equal(made.tile.triangles, 2);
        for (uint32_t k = 0; k < 4; k++) {
            double at[2], up[3], low[3], normal[3], facing = 0;

            assert_true(fabs(quantized_height(&made.tile, k) - 700) < 1e-9);
            globe_land_degrees(&tiles[i], made.tile.u[k], made.tile.v[k], at);
            earth_fixed(at[0], at[1], 1, up);
            earth_fixed(at[0], at[1], 0, low);
            quantized_normal(&made.tile, k, normal);
            for (int c = 0; c < 3; c++)
                facing += normal[c] * (up[c] - low[c]);
            assert_true(facing > cos(0.012));
        }
        assert_true(made.error < 0.1);
        inside++;
        globe_land_free(&made);
    }
    assert_true(inside > 0);
    view_drop(view);
}

/* Normals of a slope lean away from where it rises, in the frame of the Earth. */
static uint16_t rising_east(int x, int y)
{
    (void)y;
    return (uint16_t)(20000 + 100 * x);
}

static void normals_are_those_of_the_ground(void **state)
{
    struct view *view = globe_land_at(&globe_lands[1], 3, rising_east);
    const struct grid *grid = view_grid(view);
    const double slope = 100.0 * grid->scale[2] / 128 / grid->scale[0];
    const struct globe_look look = globe_land_look(0.01, QUANTIZED_NORMALS);
    struct globe_tile tiles[GLOBE_LAND_TILES];
    const int count = globe_land_tiles(view, globe_land_finest(view), tiles);
    int compared = 0;

    (void)state;
    for (int i = 0; i < count; i++) {
        struct globe_land_tile made = globe_land_make(view, NULL, &tiles[i], &look);

        for (uint32_t k = 0; k < made.tile.count; k++) {
            double at[2], grid_at[2], base[3], east[3], up[3], normal[3], facing = 0, length = 0;
            struct fault why = { 0 };

            globe_land_degrees(&tiles[i], made.tile.u[k], made.tile.v[k], at);
            memcpy(grid_at, at, sizeof at);
            assert_true(georef_to_grid(view->settings, GEOREF_LONLAT, grid_at, 1, &why));
            if (!(grid_at[0] > 3 && grid_at[0] < grid->columns - 4 && grid_at[1] > 3 &&
                  grid_at[1] < grid->rows - 4))
                continue;
            earth_fixed(at[0], at[1], 0, base);
            earth_fixed(at[0] + 1e-6, at[1], 0, east);
            earth_fixed(at[0], at[1], 1, up);
            for (int c = 0; c < 3; c++) {
                east[c] -= base[c];
                up[c] -= base[c];
                length += east[c] * east[c];
            }
            quantized_normal(&made.tile, k, normal);
            for (int c = 0; c < 3; c++)
                facing += normal[c] * (up[c] - slope * east[c] / sqrt(length));
            assert_true(facing / sqrt(1 + slope * slope) > cos(0.02));
            compared++;
        }
        globe_land_free(&made);
    }
    assert_true(compared > 20);
    view_drop(view);
}

static uint16_t lifted(int x, int y)
{
    return (uint16_t)(rough(x, y) + 3000);
}

/* HTTP-15: after an edit each tile that shows it is new at once, and so are those whose border or
 * normals depend on it; no tile says that it is new when all it depends on is as before, and none
 * changes that says it has not. */
static void an_edit_changes_what_shows_it(void **state)
{
    struct view *before = globe_land_at(&globe_lands[1], 4, rough);
    const struct rect edited = { 127, 90, 3, 3 }; /* beside the middle */
    struct view *after = globe_land_write(before, edited, lifted);
    struct derived_cache *cache = derived_cache_new(64 << 20);
    const struct globe_look look = globe_land_look(2, QUANTIZED_NORMALS);
    int same = 0, changed = 0;

    (void)state;
    for (int32_t z = 0; z <= globe_land_finest(before); z++) {
        struct globe_tile tiles[GLOBE_LAND_TILES];
        const int count = globe_land_tiles(before, z, tiles);

        for (int i = 0; i < count; i++) {
            struct globe_land_tile old = globe_land_make(before, cache, &tiles[i], &look);
            struct globe_land_tile new = globe_land_make(after, cache, &tiles[i], &look);
            struct globe_land_tile alone = globe_land_make(after, NULL, &tiles[i], &look);
            const bool equal =
                old.bytes.length ==
                new.bytes.length &&memcmp(old.bytes.data, new.bytes.data, old.bytes.length) == 0;
            uint64_t stamps[2];
            struct fault why = { 0 };
            double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
            bool shows;

            /* What the cache knew before the edit does not tell. */
            assert_int_equal(new.bytes.length, alone.bytes.length);
            assert_memory_equal(new.bytes.data, alone.bytes.data, alone.bytes.length);
            assert_true(globe_stamp(before, &tiles[i], &look, &stamps[0], &why));
            assert_true(globe_stamp(after, &tiles[i], &look, &stamps[1], &why));
            assert_true(equal || stamps[0] != stamps[1]);
            for (int c = 0; c < 4; c++) {
                double at[2];

                globe_land_degrees(&tiles[i], c % 2 * 32767, c / 2 * 32767, at);
                assert_true(georef_to_grid(before->settings, GEOREF_LONLAT, at, 1, &why));
                for (int k = 0; k < 2; k++) {
                    low[k] = fmin(low[k], at[k]);
                    high[k] = fmax(high[k], at[k]);
                }
            }
            shows = z > 4 && low[0] < edited.x + 1 && high[0] > edited.x + 1 &&
                    low[1] < edited.y + 1 && high[1] > edited.y + 1;
            /* At the data's own zoom 3 x 3 lifted vertices reach some sample. */
            if (shows && z == globe_land_finest(before) && equal)
                fail_msg("%d/%d/%d shows the edit and is as before", z, tiles[i].x, tiles[i].y);
            changed += !equal;
            same += equal;
            globe_land_free(&old);
            globe_land_free(&new);
            globe_land_free(&alone);
        }
    }
    assert_true(changed >= 5);
    assert_true(same > 2 * changed);
    derived_cache_free(cache);
    view_drop(after);
    view_drop(before);
}

/* Water at a height, and where a tile is all of one kind a single byte. */
static void water_is_where_the_ground_is_low(void **state)
{
    struct view *view = globe_land_at(&globe_lands[0], 2, step_in_the_middle);
    struct globe_look look = globe_land_look(5, QUANTIZED_WATER);
    struct globe_tile tiles[GLOBE_LAND_TILES];
    const int32_t z = globe_land_finest(view);
    const int count = globe_land_tiles(view, z, tiles);
    int masks = 0;

    (void)state;
    look.fill = 1e4;
    look.water_height = 700;
    for (int i = 0; i < count; i++) {
        struct globe_land_tile made = globe_land_make(view, NULL, &tiles[i], &look);

        assert_non_null(made.tile.water);
        masks += made.tile.water_bytes > 1;
        for (int k = 0; k < 65536 && made.tile.water_bytes > 1; k += 97) {
            double at[2];
            struct fault why = { 0 };
            bool wet;

            globe_land_degrees(&tiles[i], (k % 256 + 0.5) / 256 * 32767,
                               (255.5 - k / 256) / 256 * 32767, at);
            assert_true(georef_to_grid(view->settings, GEOREF_LONLAT, at, 1, &why));
            if (fabs(at[0] - (GLOBE_LAND_QUADS - 1)) < 1 || fabs(at[0]) < 0.01 ||
                fabs(at[1]) < 0.01)
                continue;
            wet = at[0] > 0 && at[0] < GLOBE_LAND_QUADS - 1 && at[1] > 0 &&
                  at[1] < 2 * GLOBE_LAND_QUADS;
            assert_int_equal(made.tile.water[k], wet ? 255 : 0);
        }
        globe_land_free(&made);
    }
    assert_true(masks > 0);
    view_drop(view);
}

/* The same samples as the meshes', in steps of a fifth of a metre; and which children there are. */
static void heightmaps_have_the_same_samples(void **state)
{
    struct view *view = globe_land_at(&globe_lands[1], 2, rough);
    const struct globe_look look = globe_land_look(0, 0);
    const int32_t finest = globe_land_finest(view);

    (void)state;
    for (int32_t z = finest - 3; z <= finest; z++) {
        struct globe_tile tiles[GLOBE_LAND_TILES];
        const int count = globe_land_tiles(view, z, tiles);

        for (int i = 0; i < count; i++) {
            struct globe_land_tile made = globe_land_make(view, NULL, &tiles[i], &look);
            struct bytes map = { 0 };
            struct fault why = { 0 };

            assert_true(globe_heightmap(view, &tiles[i], &look, &map, &why));
            assert_int_equal(map.length, 65 * 65 * 2 + 1 + 1);
            for (uint32_t k = 0; k < made.tile.count; k++) {
                const int x = (int)floor(made.tile.u[k] * 64 / 32767.0 + 0.5);
                const int y = 64 - (int)floor(made.tile.v[k] * 64 / 32767.0 + 0.5);
                const uint8_t *at = map.data + 2 * (65 * y + x);

                assert_true(fabs((at[0] | at[1] << 8) / 5.0 - 1000 -
                                 quantized_height(&made.tile, k)) <= 0.1 + 0.08);
            }
            for (int c = 0; c < 4; c++) {
                const struct globe_tile child = { z + 1, 2 * tiles[i].x + c % 2,
                                                  2 * tiles[i].y + 1 - c / 2 };

                assert_int_equal(map.data[65 * 65 * 2] >> c & 1, globe_has(view, &child, &why));
            }
            bytes_free(&map);
            globe_land_free(&made);
        }
    }
    view_drop(view);
}

/* Offset and geoid raise the ground alone; the geoid as it lies over the landscape. */
static void the_datum_raises_the_ground(void **state)
{
    struct view *view = globe_land_at(&globe_lands[0], 2, level);
    static const uint16_t geoid[6] = { 0, 32768, 65535, 0, 32768, 65535 };
    struct settings *settings = settings_copy(view->settings);
    struct globe_look look = globe_land_look(0, 0);
    struct globe_tile tiles[GLOBE_LAND_TILES];
    const int32_t z = globe_land_finest(view);
    const int count = globe_land_tiles(view, z, tiles);
    struct datum datum;
    int compared = 0;

    (void)state;
    strcpy(settings->geoid, "undulation");
    settings->ellipsoid_offset = 3;
    settings->geoid_metres[0] = -20;
    settings->geoid_metres[1] = 60;
    datum = datum_of(settings, 2, geoid, 3, 2, 77);
    assert_true(datum.key != 0);
    assert_true(datum.key != datum_of(settings, 1, geoid, 3, 2, 77).key);
    assert_true(datum.key != datum_of(settings, 2, geoid, 3, 2, 78).key);
    look.datum = &datum;
    for (int i = 0; i < count; i++) {
        struct globe_land_tile made = globe_land_make(view, NULL, &tiles[i], &look);

        for (uint32_t k = 0; k < made.tile.count; k++) {
            double at[2], share;
            struct fault why = { 0 };

            globe_land_degrees(&tiles[i], made.tile.u[k], made.tile.v[k], at);
            assert_true(georef_to_grid(view->settings, GEOREF_LONLAT, at, 1, &why));
            if (!(at[0] >= 0 && at[1] >= 0 && at[0] <= 2 * GLOBE_LAND_QUADS &&
                  at[1] <= 2 * GLOBE_LAND_QUADS))
                continue;
            share = at[0] / (2 * GLOBE_LAND_QUADS);
            assert_true(fabs(quantized_height(&made.tile, k) - (700 + 5 - 20 + 80 * share)) < 0.2);
            compared++;
        }
        globe_land_free(&made);
    }
    assert_true(compared > 20);
    settings_drop(settings);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_is_whole),
        cmocka_unit_test(neighbours_meet_vertex_by_vertex),
        cmocka_unit_test(the_stated_error_is_a_bound),
        cmocka_unit_test(flat_ground_needs_two_triangles),
        cmocka_unit_test(normals_are_those_of_the_ground),
        cmocka_unit_test(an_edit_changes_what_shows_it),
        cmocka_unit_test(water_is_where_the_ground_is_low),
        cmocka_unit_test(heightmaps_have_the_same_samples),
        cmocka_unit_test(the_datum_raises_the_ground),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

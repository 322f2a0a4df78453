/* Tiles for globes against the ground itself: the error they state, at every vertex of landscapes
 * with spikes; their skirts; what changes when a neighbour does; and landscapes that are thin, tiny
 * or near a pole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/globe_land.h"

#include "terrain/format/georef.h"
#include "terrain/format/quantized_mesh.h"

enum { WIDE = 5, SIDE = WIDE * GLOBE_LAND_QUADS + 1, BUCKETS = 64 };

static const struct globe_land by_the_pole = { "a polar projection, 80 degrees north",
                                               "EPSG:3413",
                                               { 360000, -1040000, 372000, -1028000 } };

static uint16_t spiky(int x, int y)
{
    const uint32_t noise = (uint32_t)(x * 7919 + y * 104729) * 2654435761u;
    const int spike = noise % 2003 == 0 ? 9000 : noise % 2003 == 1 ? -9000 : 0;

    return (uint16_t)(32768 + 8000 * sin(x * 0.03) * cos(y * 0.022) + (noise >> 22) + spike);
}

static uint16_t level(int x, int y)
{
    (void)x;
    (void)y;
    return 32768;
}

/* Triangles of a tile by where they lie. */
struct finder {
    const struct quantized *tile;
    int32_t first[BUCKETS * BUCKETS], *next, count;
    uint32_t *triangles;
};

static int bucket_of(double at)
{
    return at <= 0 ? 0 : at >= 32767 ? BUCKETS - 1 : (int)(at * BUCKETS / 32767.0001);
}

static void finder_init(struct finder *finder, const struct quantized *tile)
{
    int32_t room = 0;

    memset(finder->first, 0xff, sizeof finder->first);
    finder->tile = tile;
    finder->count = 0;
    finder->next = NULL;
    finder->triangles = NULL;
    for (uint32_t i = 0; i < tile->triangles; i++) {
        const uint32_t *c = tile->indices + 3 * i;
        int low[2], high[2];

        for (int k = 0; k < 2; k++) {
            const int32_t *at = k ? tile->v : tile->u;

            low[k] = bucket_of(fmin(at[c[0]], fmin(at[c[1]], at[c[2]])) - 1);
            high[k] = bucket_of(fmax(at[c[0]], fmax(at[c[1]], at[c[2]])) + 1);
        }
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                if (finder->count == room) {
                    room = room ? 2 * room : 4096;
                    finder->next = realloc(finder->next, (size_t)room * sizeof *finder->next);
                    finder->triangles =
                        realloc(finder->triangles, (size_t)room * sizeof *finder->triangles);
                }
                finder->triangles[finder->count] = i;
                finder->next[finder->count] = finder->first[y * BUCKETS + x];
                finder->first[y * BUCKETS + x] = finder->count++;
            }
    }
}

static double finder_height(const struct finder *finder, double u, double v)
{
    for (int32_t k = finder->first[bucket_of(v) * BUCKETS + bucket_of(u)]; k >= 0;
         k = finder->next[k]) {
        double height;

        if (quantized_covers(finder->tile, finder->triangles[k], u, v, &height))
            return height;
    }
    fail_msg("nothing lies at (%g, %g)", u, v);
    return NAN;
}

static void finder_fini(struct finder *finder)
{
    free(finder->next);
    free(finder->triangles);
}

/* Places of the ground: all vertices, and as many inside of quads. */
struct ground {
    double (*degrees)[2], *metres;
    size_t count;
};

static struct ground ground_of(const struct view *view)
{
    const struct grid *grid = view_grid(view);
    const size_t vertices = (size_t)grid->columns * (size_t)grid->rows;
    struct ground ground = { malloc(2 * vertices * sizeof *ground.degrees),
                             malloc(2 * vertices * sizeof *ground.metres), 0 };
    struct fault why = { 0 };

    for (size_t k = 0; k < 2 * vertices; k++) {
        const double inside = k < vertices ? 0 : 1;
        const double x = (double)(k % (size_t)grid->columns) + inside * fmod(k * 0.7548776662, 1);
        const double y =
            (double)(k % vertices / (size_t)grid->columns) + inside * fmod(k * 0.5698402910, 1);
        double code;

        if (!view_code_at(view, x, y, &code))
            continue;
        ground.degrees[ground.count][0] = x;
        ground.degrees[ground.count][1] = y;
        ground.metres[ground.count++] = grid_metres(grid, code);
    }
    assert_true(ground.count >= vertices);
    assert_true(georef_from_grid(view->settings, GEOREF_LONLAT, ground.degrees[0],
                                 (int64_t)ground.count, &why));
    return ground;
}

static void ground_free(struct ground *ground)
{
    free(ground->degrees);
    free(ground->metres);
}

/* How far the ground is off a tile, and at how many places that was looked at. */
static double measure(const struct ground *ground, const struct globe_tile *at,
                      const struct quantized *tile, int *places)
{
    const double size = ldexp(180, -at->z);
    static struct finder finder;
    double most = 0;

    finder_init(&finder, tile);
    for (size_t k = 0; k < ground->count; k++) {
        const double east = ground->degrees[k][0] + 180 - at->x * size;
        const double u = (east >= 360 ? east - 360 : east < 0 ? east + 360 : east) / size * 32767;
        const double v = (ground->degrees[k][1] - 90 + (at->y + 1) * size) / size * 32767;

        if (u < 0 || v < 0 || u > 32767 || v > 32767)
            continue;
        most = fmax(most, fabs(finder_height(&finder, u, v) - ground->metres[k]));
        ++*places;
    }
    finder_fini(&finder);
    return most;
}

/* At all zooms: finer than the ground, as fine, coarser, and where all of it lies between two
 * samples. Where a tile has more vertices below it than are compared one by one, what it says is
 * not far from what is so either. */
static void no_vertex_is_further_off_than_stated(void **state)
{
    static const double bounds[] = { 0, 5, NAN };

    (void)state;
    for (int p = 0; p <= GLOBE_LANDS; p++) {
        const struct globe_land *place = p < GLOBE_LANDS ? &globe_lands[p] : &by_the_pole;
        struct view *view = globe_land_at(place, WIDE, spiky);
        struct derived_cache *cache = derived_cache_new(64 << 20);
        struct ground ground = ground_of(view);
        const int32_t finest = globe_land_finest(view);

        for (int32_t z = 0; z <= finest; z++)
            for (int b = getenv("LANDSCAPED_SOAK") ? 2 : (z + p) % 3; b >= 0;
                 b -= getenv("LANDSCAPED_SOAK") ? 1 : 3) {
                const struct globe_look look = globe_land_look(bounds[b], 0);
                struct globe_tile tiles[GLOBE_LAND_TILES];
                const int count = globe_land_tiles(view, z, tiles);
                const int stride = count > 12 ? count / 4 : 1;

                for (int i = b; i < count; i += stride) {
                    struct globe_land_tile made = globe_land_make(view, cache, &tiles[i], &look);
                    int places = 0;
                    const double most = measure(&ground, &tiles[i], &made.tile, &places);

                    if (most > made.error)
                        fail_msg("%s, within %g m, %d/%d/%d: %g m off, %g stated", place->name,
                                 bounds[b], z, tiles[i].x, tiles[i].y, most, made.error);
                    if (places > 2 * 65536 && made.error > 3 * most)
                        fail_msg("%s, within %g m, %d/%d/%d: only %g m off, %g stated", place->name,
                                 bounds[b], z, tiles[i].x, tiles[i].y, most, made.error);
                    globe_land_free(&made);
                }
            }
        ground_free(&ground);
        derived_cache_free(cache);
        view_drop(view);
    }
}

static uint16_t lifted(int x, int y)
{
    return (uint16_t)(level(x, y) + 20000);
}

static bool same(const struct globe_land_tile *a, const struct globe_land_tile *b)
{
    return a->bytes.length == b->bytes.length &&
           memcmp(a->bytes.data, b->bytes.data, a->bytes.length) == 0;
}

/* A spike on level ground divides triangles as far as the tiles around: these change though none of
 * their samples does, and say so. */
static void a_spike_next_door_changes_the_border(void **state)
{
    struct view *before = globe_land_at(&globe_lands[0], WIDE, level);
    struct globe_look look = globe_land_look(0.5, 0);
    const int32_t z = globe_land_finest(before);
    struct globe_tile tiles[GLOBE_LAND_TILES];
    const int count = globe_land_tiles(before, z, tiles);
    int others = 0;

    (void)state;
    look.fill = 700;
    for (int k = 0; k < 12; k++) {
        const struct rect edited = { 40 + 19 * k, 30 + 23 * k, 1, 1 };
        struct view *after = globe_land_write(before, edited, lifted);
        struct derived_cache *cache = derived_cache_new(64 << 20);

        for (int i = 0; i < count; i++) {
            struct globe_land_tile old = globe_land_make(before, cache, &tiles[i], &look);
            struct globe_land_tile new = globe_land_make(after, NULL, &tiles[i], &look);
            double highest = -INFINITY;
            uint64_t stamps[2];
            struct fault why = { 0 };

            assert_true(globe_stamp(before, &tiles[i], &look, &stamps[0], &why));
            assert_true(globe_stamp(after, &tiles[i], &look, &stamps[1], &why));
            if (!same(&old, &new) && stamps[0] == stamps[1])
                fail_msg("a spike at (%d, %d) changes %d/%d/%d, which keeps its name", edited.x,
                         edited.y, z, tiles[i].x, tiles[i].y);
            for (uint32_t v = 0; v < new.tile.count; v++)
                highest = fmax(highest, quantized_height(&new.tile, v));
            others += !same(&old, &new) && highest < 701;
            globe_land_free(&old);
            globe_land_free(&new);
        }
        derived_cache_free(cache);
        view_drop(after);
    }
    assert_true(others > 12);
    view_drop(before);
}

/* SEA-06. The surface, its edge lists and its neighbours are as without them. */
static void skirts_hang_on_request(void **state)
{
    static globe_land_code *const grounds[] = { spiky, level };
    static const double depths[] = { NAN, 1e-3, 4000 };
    static const double bounds[] = { 2, NAN };

    (void)state;
    for (int g = 0; g < 2; g++)
        for (int d = 0; d < 3; d++) {
            struct view *view = globe_land_at(&globe_lands[g], 2, grounds[g]);
            struct derived_cache *cache = derived_cache_new(64 << 20);
            struct globe_look look = globe_land_look(bounds[(g + d) % 2], QUANTIZED_NORMALS);

            for (int32_t z = 0; z <= globe_land_finest(view); z++) {
                struct globe_tile tiles[GLOBE_LAND_TILES];
                const int count = globe_land_tiles(view, z, tiles);

                for (int i = 0; i < count; i += 1 + count / 3) {
                    struct globe_land_tile made, plain;

                    look.skirts = 0;
                    plain = globe_land_make(view, cache, &tiles[i], &look);
                    quantized_check(&plain.tile);
                    look.skirts = depths[d];
                    made = globe_land_make(view, cache, &tiles[i], &look);
                    quantized_check_skirts(&made.tile, isnan(depths[d])
                                                           ? 2 * made.error
                                                           : fmax(depths[d], made.error));
                    for (int k = 0; k < 4; k++)
                        assert_int_equal(made.tile.edge_counts[k], plain.tile.edge_counts[k]);
                    assert_true(made.error > 0);
                    globe_land_free(&made);
                    globe_land_free(&plain);
                }
            }
            derived_cache_free(cache);
            view_drop(view);
        }
}

/* Every tile that there is, as a mesh and as a heightmap. */
static void walk(const struct globe_land *place, int across, int down, int quads)
{
    struct view *view = globe_land_of(place, across, down, quads, spiky);
    struct derived_cache *cache = derived_cache_new(64 << 20);
    struct ground ground = ground_of(view);
    struct globe_look look = globe_land_look(3, QUANTIZED_NORMALS | QUANTIZED_WATER);
    int places = 0, made_count = 0;

    look.water_height = 700;
    for (int32_t z = 0; z <= globe_land_finest(view); z++) {
        struct globe_tile tiles[GLOBE_LAND_TILES];
        const int count = globe_land_tiles(view, z, tiles);

        places = 0;
        for (int i = 0; i < count; i++) {
            struct globe_land_tile made = globe_land_make(view, cache, &tiles[i], &look);
            struct bytes map = { 0 };
            struct fault why = { 0 };

            quantized_check(&made.tile);
            if (measure(&ground, &tiles[i], &made.tile, &places) > made.error)
                fail_msg("%s: %d/%d/%d", place->name, z, tiles[i].x, tiles[i].y);
            assert_true(globe_heightmap(view, &tiles[i], &look, &map, &why));
            assert_true(map.length > 65 * 65 * 2);
            bytes_free(&map);
            globe_land_free(&made);
            made_count++;
        }
        /* Nothing of the landscape lies beside them. */
        assert_true(places >= (int)ground.count);
    }
    assert_true(made_count > globe_land_finest(view));
    ground_free(&ground);
    derived_cache_free(cache);
    view_drop(view);
}

static void thin_and_tiny_landscapes_have_all_their_tiles(void **state)
{
    static const struct globe_land tiny = { "tiny",
                                            "EPSG:32633",
                                            { 481000, 5300000, 481070, 5300070 } };
    static const struct globe_land thin = { "thin", "EPSG:4326", { 7, 45, 7.0007, 45.2016 } };
    static const struct globe_land over = { "thin across 180 degrees",
                                            "EPSG:4326",
                                            { 179.9, -17.0007, 180.1016, -17 } };

    (void)state;
    walk(&tiny, 1, 1, 7);
    walk(&thin, 1, 288, 7);
    walk(&over, 288, 1, 7);
    walk(&globe_lands[2], 1, 1, 63);
    walk(&by_the_pole, 2, 2, 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_vertex_is_further_off_than_stated),
        cmocka_unit_test(a_spike_next_door_changes_the_border),
        cmocka_unit_test(skirts_hang_on_request),
        cmocka_unit_test(thin_and_tiny_landscapes_have_all_their_tiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What ground hides from itself: walls with known shadows, rays as the judge, and tiles that fit
 * together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/plane_make.h"
#include "render/shade.h"
#include "terrain/base/derived.h"
#include "terrain/lod/camera.h"
#include "terrain/query/ray.h"
#include "tests/render/scenery.h"

enum { BYTES = 2 * TILE_SIDE * TILE_SIDE };

static struct picture under(double azimuth, double elevation)
{
    return (struct picture){ .light = { .sun_azimuth = azimuth,
                                        .sun_elevation = elevation,
                                        .shadows = 1,
                                        .occlusion = 1 } };
}

/* Both shares of a tile, and its key. */
static struct tile_key make(const struct view *view, const struct picture *picture, int32_t level,
                            int32_t x, int32_t y, uint8_t *shares)
{
    struct plane_source source = { .view = view, .picture = picture };
    struct tile_key key;
    struct fault why;

    assert_true(plane_maker_shade.key(&source, level, x, y, SLOT_shade, &key));
    assert_true(plane_maker_shade.make(&source, &key, shares, &why));
    return key;
}

/* The share of the sun (0) or of the sky (1) that a sample of the tile's own sees. */
static int seen(const uint8_t *shares, int32_t x, int32_t y, int which)
{
    return shares[2 * ((y + TILE_MARGIN) * TILE_SIDE + x + TILE_MARGIN) + which];
}

static void a_plane_sees_all_of_both(void **state)
{
    struct view *flat = scenery_plain(260, 3, 20000);
    uint16_t *codes = malloc(sizeof *codes * 260 * 260);
    struct view *tilted;
    uint8_t shares[BYTES];

    (void)state;
    for (int32_t i = 0; i < 260 * 260; i++)
        codes[i] =
            (uint16_t)(20000 + 60 * (i % 260) + 30 * (i / 260)); /* less steep than the sun */
    tilted = scenery_of(260, 260, codes, (const double[3]){ 3, 3, 1 });
    for (int i = 0; i < 24; i++) {
        struct picture picture = under(i * 15 + 1, i % 2 ? 12 : 50);

        for (int32_t level = 0; level < 2; level++) {
            make(flat, &picture, level, level == 0, 0, shares);
            for (int32_t at = 0; at < BYTES; at++)
                assert_int_equal(shares[at], 255);
        }
        make(tilted, &picture, 0, 0, 0, shares);
        for (int32_t at = 0; at < BYTES; at++)
            assert_int_equal(shares[at], 255);
    }
    view_drop(flat);
    view_drop(tilted);
    free(codes);
}

/* A wall of 12 m through the middle of 256 x 256 quads of 1 m, across the sun's way. */
static void a_wall_casts_its_shadow_as_far_as_it_must_and_to_the_right_side(void **state)
{
    struct view *plain = scenery_plain(260, 1, 20000);
    struct view *walls[2] = {
        scenery_change(plain, (struct rect){ 0, 63, 260, 3 }, 20000 + 12 * 128),
        scenery_change(plain, (struct rect){ 63, 0, 3, 260 }, 20000 + 12 * 128)
    };
    static const int aside[4][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } }; /* N, E, S, W */
    uint8_t shares[BYTES];

    (void)state;
    for (int i = 0; i < 12; i++) {
        double elevation = 20 + 10 * (i / 4), right = 12 / tan(elevation * M_PI / 180);
        struct picture picture = under(90 * (i % 4), elevation);
        const int *sun = aside[i % 4];
        double dark = 0;

        make(walls[i % 4 % 2], &picture, 0, 0, 0, shares);
        for (int32_t away = 2; away < 60; away++) {
            dark += 1 - seen(shares, 64 - sun[0] * away, 64 - sun[1] * away, 0) / 255.0;
            assert_int_equal(seen(shares, 64 + sun[0] * away, 64 + sun[1] * away, 0), 255);
        }
        /* from the wall's edge, a sample from its middle, whose own slope is a sample wide */
        assert_true(fabs(dark - right) <= 1);
    }
    view_drop(walls[0]);
    view_drop(walls[1]);
    view_drop(plain);
}

/* An oblique sun over a tower: its shadow's end is where the sun says. */
static void a_tower_s_shadow_points_away_from_the_sun(void **state)
{
    struct view *plain = scenery_plain(260, 1, 20000);
    struct view *tower = scenery_change(plain, (struct rect){ 62, 62, 5, 5 }, 20000 + 20 * 128);
    uint8_t shares[BYTES];

    (void)state;
    for (int i = 0; i < 16; i++) {
        double azimuth = 22.5 * i + 4, towards[3];
        struct picture picture = under(azimuth, 30);

        camera_direction(azimuth, 0, towards);
        make(tower, &picture, 0, 0, 0, shares);
        for (double away = 5; away < 31; away++) /* the shadow is 34.6 m long */
            assert_in_range(seen(shares, 64 - (int32_t)lround(towards[0] * away),
                                 64 - (int32_t)lround(towards[1] * away), 0),
                            0, 60);
        for (double away = -50; away < 50; away++)
            if (away < -5 || away > 39)
                assert_int_equal(seen(shares, 64 - (int32_t)lround(towards[0] * away),
                                      64 - (int32_t)lround(towards[1] * away), 0),
                                 255);
    }
    view_drop(plain);
    view_drop(tower);
}

/* Whether a ray from just above a vertex towards a place meets the ground. */
static bool met(const struct view *view, int32_t x, int32_t y, double azimuth, double elevation)
{
    const struct grid *grid = view_grid(view);
    const struct ray_ways ways = { .ignore_holes = true, .any = true };
    struct ray ray = { .from = { x, y, grid_metres(grid, view_height(view, x, y)) + 0.01 },
                       .reach = INFINITY };
    double along[3];
    struct ray_hit hit;
    struct fault why;

    camera_direction(azimuth, elevation, along);
    for (int i = 0; i < 3; i++)
        ray.along[i] = along[i] / (i < 2 ? grid->scale[i] : 1);
    assert_true(ray_cast(view, NULL, &ray, 1, &ways, &hit, NULL, &why));
    return hit.status == RAY_HIT;
}

/* Against rays to the sun's lower and upper edge. Where both are free all of the sun must be seen,
 * where both meet ground none, a sample's width around left out: the shade may be soft there. */
static void rays_say_the_same_beyond_the_penumbra(void **state)
{
    static const double suns[][2] = { { 315, 12 }, { 80, 8 }, { 200, 20 }, { 352, 5 } };
    struct view *view = scenery_mountains(381, 10);
    uint8_t shares[BYTES];
    int asked = 0, wrong = 0, dark = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct picture picture = under(suns[i][0], suns[i][1]);

        make(view, &picture, 0, 1, 1, shares);
        for (int32_t y = 1; y < 127; y += 3)
            for (int32_t x = 1; x < 127; x += 3) {
                bool low = met(view, 128 + x, 128 + y, suns[i][0], suns[i][1] - 0.265);
                bool high = met(view, 128 + x, 128 + y, suns[i][0], suns[i][1] + 0.265);
                int share = seen(shares, x, y, 0);

                if (low != high)
                    continue;
                asked++;
                dark += low;
                wrong += low ? share > 127 : share < 128;
            }
    }
    print_message("%d of %d samples (%d dark) are judged otherwise by rays\n", wrong, asked, dark);
    assert_true(dark > asked / 10 && asked - dark > asked / 10);
    assert_true(wrong * 100 <= asked * 2);
    view_drop(view);
}

static void neighbours_agree_where_they_overlap(void **state)
{
    static const double suns[][2] = { { 315, 30 }, { 100, 8 }, { 180, 3 }, { 270, 15 } };
    struct view *view = scenery_mountains(1009, 10);
    uint8_t here[BYTES], east[BYTES], south[BYTES];

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct picture picture = under(suns[i][0], suns[i][1]);
        int sum = 0, most = 0;

        make(view, &picture, 0, 3, 3, here);
        make(view, &picture, 0, 4, 3, east);
        make(view, &picture, 0, 3, 4, south);
        for (int32_t at = -2; at < 130; at++)
            for (int32_t across = -2; across < 2; across++)
                for (int which = 0; which < 2; which++) {
                    int a =
                        abs(seen(here, 128 + across, at, which) - seen(east, across, at, which));
                    int b =
                        abs(seen(here, at, 128 + across, which) - seen(south, at, across, which));

                    sum += a + b;
                    most = a > most ? a : most;
                    most = b > most ? b : most;
                }
        /* Far ground is taken as means, whose grid begins elsewhere for tiles along the sun's way.
         */
        assert_true(sum / (2.0 * 2 * 132 * 4) < 0.5);
        assert_true(most < 64);
    }
    view_drop(view);
}

/* A tile of level 1 against the four of level 0 that it covers. */
static void levels_agree_but_for_their_detail(void **state)
{
    struct view *view = scenery_mountains(1009, 10);
    uint8_t fine[BYTES], coarse[BYTES];

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct picture picture = under(60 * i + 10, 12);
        double off[2] = { 0 };

        make(view, &picture, 0, 2, 2, fine);
        make(view, &picture, 1, 1, 1, coarse);
        for (int32_t y = 0; y < 64; y++)
            for (int32_t x = 0; x < 64; x++)
                for (int which = 0; which < 2; which++) {
                    int mean =
                        (seen(fine, 2 * x, 2 * y, which) + seen(fine, 2 * x + 1, 2 * y, which) +
                         seen(fine, 2 * x, 2 * y + 1, which) +
                         seen(fine, 2 * x + 1, 2 * y + 1, which)) /
                        4;

                    off[which] += abs(mean - seen(coarse, x, y, which));
                }
        assert_true(off[0] / (64 * 64) < 16);
        assert_true(off[1] / (64 * 64) < 10);
    }
    view_drop(view);
}

static void a_pit_is_darker_than_a_peak(void **state)
{
    struct view *plain = scenery_plain(260, 1, 20000);
    struct view *pit = scenery_change(plain, (struct rect){ 60, 60, 9, 9 }, 20000 - 6 * 128);
    struct view *both = scenery_change(pit, (struct rect){ 20, 20, 9, 9 }, 20000 + 6 * 128);
    struct picture picture = under(315, 45);
    uint8_t shares[BYTES];

    (void)state;
    make(both, &picture, 0, 0, 0, shares);
    assert_int_equal(seen(shares, 24, 24, 1), 255);
    assert_true(seen(shares, 64, 64, 1) < 200);
    assert_true(seen(shares, 64, 61, 1) < seen(shares, 64, 64, 1)); /* by the wall it is darker */
    assert_int_equal(seen(shares, 115, 115, 1), 255);
    view_drop(plain);
    view_drop(pit);
    view_drop(both);
}

/* Whatever is changed, a tile whose key is the same is the same. */
static void a_key_names_all_that_matters(void **state)
{
    struct view *view = scenery_mountains(505, 10);
    uint8_t before[BYTES], after[BYTES];
    int same = 0, other = 0;

    (void)state;
    for (int i = 0; i < 10; i++) {
        struct rect where = { 37 * i % 400 + 20, 61 * i % 400 + 30, 25, 18 };
        struct view *edited = scenery_change(view, where, (uint16_t)(20000 + 3000 * i));
        struct picture picture = under(36 * i + 3, i % 2 ? 9 : 40);

        for (int32_t y = 0; y < 4; y++)
            for (int32_t x = 0; x < 4; x++) {
                struct tile_key a = make(view, &picture, 0, x, y, before);
                struct tile_key b = make(edited, &picture, 0, x, y, after);

                if (memcmp(&a, &b, sizeof a) != 0) {
                    other++;
                    continue;
                }
                same++;
                assert_memory_equal(before, after, BYTES);
            }
        view_drop(edited);
    }
    assert_true(same > 20 && other > 20);
    view_drop(view);
}

/* A small thing on a plain, far towards a low sun: whom its shadow reaches has another key. */
static void a_key_names_far_ground_too(void **state)
{
    struct view *view = scenery_plain(1009, 2, 20000);
    struct view *edited =
        scenery_change(view, (struct rect){ 60, 600, 9, 9 }, 20000 + 128 * 60); /* 60 m */
    struct picture picture = under(270, 3); /* 1256 m below its lower edge, to the east */
    uint8_t before[BYTES], after[BYTES];
    int same = 0, other = 0;

    (void)state;
    for (int32_t x = 0; x < 8; x++) {
        struct tile_key a = make(view, &picture, 0, x, 4, before);
        struct tile_key b = make(edited, &picture, 0, x, 4, after);

        same += memcmp(before, after, BYTES) == 0;
        if (memcmp(&a, &b, sizeof a) == 0)
            assert_memory_equal(before, after, BYTES);
        else
            other++;
    }
    assert_int_equal(same, 2); /* it ends in the sixth */
    assert_true(other >= 6 && other <= 7);
    view_drop(edited);
    view_drop(view);
}

enum { TILES_MOST = 2 * 16 * 3 };

/* A tile under a sun, as it is kept from version to version. */
struct followed {
    struct picture picture;
    int32_t level, x, y;
    struct tile_key key;
    uint8_t shares[BYTES];
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* All tiles of some levels under a high and a low sun. */
static int follow(struct followed *tiles)
{
    static const double suns[3][2] = { { 315, 45 }, { 100, 8 }, { 190, 22 } };
    int count = 0;

    for (int sun = 0; sun < 3; sun++)
        for (int32_t level = 0; level < 3; level++)
            for (int32_t i = 0; i < 16 >> 2 * level; i++)
                tiles[count++] = (struct followed){ .picture = under(suns[sun][0], suns[sun][1]),
                                                    .level = level,
                                                    .x = i % (4 >> level),
                                                    .y = i / (4 >> level) };
    return count;
}

/* What is made from an older tile is what is made from the ground; what keeps its name is as it
 * was. Returns how many did. */
static int expect_mended(struct derived_cache *cache, const struct view *view,
                         struct followed *tiles, int count)
{
    int kept = 0;

    for (int i = 0; i < count; i++) {
        struct followed *tile = &tiles[i];
        const struct plane_source source = { view, &tile->picture, cache };
        uint8_t shares[BYTES], afresh[BYTES];
        struct tile_key key;
        struct fault why;

        assert_true(
            plane_maker_shade.key(&source, tile->level, tile->x, tile->y, SLOT_shade, &key));
        assert_true(plane_maker_shade.make(&source, &key, shares, &why));
        make(view, &tile->picture, tile->level, tile->x, tile->y, afresh);
        assert_memory_equal(shares, afresh, BYTES);
        if (memcmp(&key, &tile->key, sizeof key) == 0) {
            assert_memory_equal(afresh, tile->shares, BYTES);
            kept++;
        }
        tile->key = key;
        memcpy(tile->shares, afresh, BYTES);
    }
    return kept;
}

static void what_an_edit_leaves_in_peace_is_kept(void **state)
{
    static struct followed tiles[TILES_MOST];
    struct derived_cache *cache = derived_cache_new(64 << 20);
    struct view *view = scenery_mountains(505, 10);
    int count = follow(tiles), kept = 0;
    uint32_t random = 4;

    (void)state;
    assert_int_equal(expect_mended(cache, view, tiles, count), 0);
    for (int i = 0; i < 12; i++) {
        struct view *next = NULL;

        for (int edit = 0; edit <= i % 3; edit++) {
            int32_t side = 1 + (int32_t)(next_random(&random) % (i % 2 ? 20 : 120));
            struct rect where = { (int32_t)(next_random(&random) % 384),
                                  (int32_t)(next_random(&random) % 384), side, side };

            next = scenery_change(view, where, (uint16_t)(18000 + next_random(&random) % 14000));
            view_drop(view);
            view = next;
        }
        kept += expect_mended(cache, view, tiles, count);
    }
    assert_true(kept > 12 * count / 4);
    view_drop(view);
    derived_cache_free(cache);
}

static void who_wants_no_shade_has_none(void **state)
{
    struct view *view = scenery_plain(128, 1, 20000);
    struct picture picture = under(0, -5), other = under(0, 45), same = under(0.001, 45);
    struct plane_source source = { .view = view, .picture = &picture };
    struct tile_key key, moved, still;

    (void)state;
    assert_true(plane_maker_shade.key(&source, 0, 0, 0, SLOT_shade, &key));
    picture.light.occlusion = 0; /* and the sun is down */
    assert_false(plane_maker_shade.key(&source, 0, 0, 0, SLOT_shade, &key));
    source.picture = &other;
    assert_true(plane_maker_shade.key(&source, 0, 0, 0, SLOT_shade, &moved));
    source.picture = &same;
    assert_true(plane_maker_shade.key(&source, 0, 0, 0, SLOT_shade, &still));
    assert_memory_equal(&moved, &still, sizeof still);
    other.light.sun_azimuth = 1;
    source.picture = &other;
    assert_true(plane_maker_shade.key(&source, 0, 0, 0, SLOT_shade, &moved));
    assert_memory_not_equal(&moved, &still, sizeof still);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_sees_all_of_both),
        cmocka_unit_test(a_wall_casts_its_shadow_as_far_as_it_must_and_to_the_right_side),
        cmocka_unit_test(a_tower_s_shadow_points_away_from_the_sun),
        cmocka_unit_test(rays_say_the_same_beyond_the_penumbra),
        cmocka_unit_test(neighbours_agree_where_they_overlap),
        cmocka_unit_test(levels_agree_but_for_their_detail),
        cmocka_unit_test(a_pit_is_darker_than_a_peak),
        cmocka_unit_test(a_key_names_all_that_matters),
        cmocka_unit_test(a_key_names_far_ground_too),
        cmocka_unit_test(what_an_edit_leaves_in_peace_is_kept),
        cmocka_unit_test(who_wants_no_shade_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* After edits anywhere, every tile that shows something else lies in the ranges that are told, and
 * no range is wider than it has to be. */
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
#include "terrain/format/tile_touched.h"

static const struct place {
    const char *crs; /* NULL has none */
    double bounds[4];
    bool along; /* lies along the grid, so that reaches are as narrow as tiles */
} places[] = {
    { NULL, { 0 }, true },
    { "EPSG:4326", { -84.41, 36.45, -84.08, 36.73 }, true },
    { "EPSG:3857", { -9396000, 4360000, -9360000, 4399000 }, true },
    { "EPSG:4326", { 179.9, -60.1, 180.1, -60 }, true },
    { "EPSG:32616", { 700000, 4030000, 760000, 4080000 }, false },
    { "EPSG:3413", { -300000, -1400000, 100000, -1080000 }, false },
};
enum { PLACES = sizeof places / sizeof places[0], EDITS = 6 };

static struct view *written(const struct view *base, struct rect to, uint16_t code)
{
    const size_t count = (size_t)to.width * (size_t)to.height;
    uint16_t *codes = malloc(count * sizeof *codes);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(base, &why);
    struct view *view;

    for (size_t i = 0; i < count; i++)
        codes[i] = (uint16_t)(code + (i * 2654435761u >> 20) % 5000);
    assert_true(draft_write_heights(draft, to, codes, to.width, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    free(codes);
    return view;
}

static struct view *view_of(const struct place *place)
{
    const struct layout layout = { { 3, 2 }, 1, 127 };
    struct settings *settings = settings_new(&layout);
    struct view *flat, *view;
    struct fault why;
    static uint64_t incarnation;

    if (place->crs) {
        settings->placed = true;
        strcpy(settings->crs, place->crs);
        memcpy(settings->bounds, place->bounds, sizeof settings->bounds);
        assert_true(georef_scale(place->crs, place->bounds, settings->grid.columns,
                                 settings->grid.rows, settings->grid.scale, &why));
    }
    flat = view_new(&settings, ++incarnation, 1, 32768);
    view = written(flat, view_rect(flat), 30000);
    view_drop(flat);
    return view;
}

static bool told(const struct tile_touched *touched, const struct tile *tile)
{
    for (int32_t i = 0; i < touched->at[tile->z].count; i++)
        if (rect_inside((struct rect){ tile->x, tile->y, 1, 1 }, touched->at[tile->z].ranges[i]))
            return true;
    return false;
}

/* Whether it is so near to a range that it might have belonged to it; every tile is where there is
 * no range. */
static bool doubtful(const struct tile_touched *touched, const struct tile *tile)
{
    bool near = touched->at[tile->z].count == 0;

    for (int32_t i = 0; i < touched->at[tile->z].count; i++) {
        const struct rect range = touched->at[tile->z].ranges[i];

        near |= rect_inside(
            (struct rect){ tile->x, tile->y, 1, 1 },
            (struct rect){ range.x - 1, range.y - 1, range.width + 2, range.height + 2 });
    }
    return near;
}

/* By any set that has to do with heights; small tiles, which depend on the most. */
static bool shows_another(const struct view *before, const struct view *after,
                          const struct tile *tile)
{
    static const struct tile_set *const sets[] = { &tile_set_terrarium, &tile_set_native,
                                                   &tile_set_normal, &tile_set_contours };
    static uint8_t a[257 * 257 * 4], b[sizeof a];
    struct tile_look look = tile_look_usual;
    struct fault why;

    look.interval = 1;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        const struct tile sampled = tile_set_tile(sets[s], tile);
        const size_t across = (size_t)tile_samples_across(&sampled);

        assert_true(sets[s]->paint(before, &sampled, &look, a, &why));
        assert_true(sets[s]->paint(after, &sampled, &look, b, &why));
        if (memcmp(a, b, across * across * png_pixel_bytes(sets[s]->samples)) != 0)
            return true;
    }
    return false;
}

static bool has_another_name(const struct view *before, const struct view *after,
                             const struct tile *tile)
{
    uint64_t a, b;
    struct fault why;

    assert_true(tile_stamp(before, tile, &a, &why));
    assert_true(tile_stamp(after, tile, &b, &why));
    return a != b;
}

/* Every tile of a zoom that lies in the landscape's ranges. */
static void zoom_check(const struct place *place, const struct view *before,
                       const struct view *after, const struct tile_touched *touched, int32_t z,
                       bool by_content)
{
    struct rect ranges[2];
    struct fault why;
    int32_t count;

    assert_true(tile_grid_ranges(before, TILE_MERCATOR, z, ranges, &count, &why));
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < ranges[i].width * ranges[i].height; k++) {
            const struct tile tile = TILE_AT(z, ranges[i].x + k % ranges[i].width,
                                             ranges[i].y + k / ranges[i].width, TILE_SIDE);

            if (told(touched, &tile) || !doubtful(touched, &tile))
                continue;
            if (by_content ? shows_another(before, after, &tile)
                           : has_another_name(before, after, &tile))
                fail_msg("%s: %d/%d/%d is not told", place->crs ? place->crs : "no CRS", z, tile.x,
                         tile.y);
        }
}

/* The first and last columns and rows of a range hold a tile that has to do with the change, or
 * would if it went two vertices and two pixels further. */
static bool near(const struct view *view, const struct tile *tile, struct rect dirty)
{
    const struct tile around = tile_around(tile, 2);
    const struct rect wide = { dirty.x - 2, dirty.y - 2, dirty.width + 4, dirty.height + 4 };
    struct rect reach;
    struct fault why;

    return tile_reach(view, &around, &reach, &why) && !rect_empty(rect_meet(reach, wide));
}

static void tight(const struct place *place, const struct view *view, struct rect dirty,
                  struct rect range, int32_t z)
{
    bool found[4] = { false, false, false, false };

    for (int32_t k = 0; k < range.width * range.height; k++) {
        const int32_t i = k % range.width, j = k / range.width;
        const struct tile tile = TILE_AT(z, range.x + i, range.y + j, TILE_SIDE);

        if (i && j && i < range.width - 1 && j < range.height - 1)
            continue;
        if (!near(view, &tile, dirty))
            continue;
        found[0] |= i == 0;
        found[1] |= j == 0;
        found[2] |= i == range.width - 1;
        found[3] |= j == range.height - 1;
    }
    if (!found[0] || !found[1] || !found[2] || !found[3])
        fail_msg("%s: zoom %d is told too widely", place->crs ? place->crs : "no CRS", z);
}

static uint32_t dice(uint32_t most)
{
    static uint64_t state = 7;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % (most + 1);
}

static void check_edits(const struct place *place)
{
    struct view *view = view_of(place);
    const struct rect all = view_rect(view);

    for (int edit = 0; edit < EDITS; edit++) {
        const int32_t most = edit % 3 ? 3 : 90;
        struct rect dirty = { (int32_t)dice((uint32_t)all.width - 1),
                              (int32_t)dice((uint32_t)all.height - 1),
                              1 + (int32_t)dice((uint32_t)most),
                              1 + (int32_t)dice((uint32_t)most) };
        struct tile_touched touched;
        struct view *after;
        struct fault why;

        dirty = rect_meet(dirty, all);
        after = written(view, dirty, 40000);
        assert_true(tile_touched_find(after, TILE_MERCATOR, TILE_SIDE, TILE_SETS_RIM, dirty,
                                      &touched, &why));
        for (int32_t z = 0; z < touched.zooms; z++) {
            /* Content is dear: of coarse zooms whole, of finer ones by their names. */
            if (place->along)
                zoom_check(place, view, after, &touched, z, false);
            if (z < touched.zooms - 3 && z % 3 == edit % 3 && edit < 3)
                zoom_check(place, view, after, &touched, z, true);
            for (int32_t i = 0; i < touched.at[z].count; i++)
                tight(place, after, dirty, touched.at[z].ranges[i], z);
        }
        view_drop(view);
        view = after;
    }
    view_drop(view);
}

static void every_tile_that_changes_is_told_and_hardly_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACES; i++)
        check_edits(&places[i]);
}

static void nothing_touches_nothing(void **state)
{
    struct view *view = view_of(&places[1]);
    struct tile_touched touched;
    struct fault why;

    (void)state;
    assert_true(tile_touched_find(view, TILE_MERCATOR, TILE_SIDE, TILE_SETS_RIM, (struct rect){ 0 },
                                  &touched, &why));
    for (int32_t z = 0; z < touched.zooms; z++)
        assert_int_equal(touched.at[z].count, 0);
    view_drop(view);
    view = view_of(&places[0]);
    assert_false(tile_touched_find(view, TILE_GEODETIC, 64, 1, view_rect(view), &touched, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_that_changes_is_told_and_hardly_another),
        cmocka_unit_test(nothing_touches_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

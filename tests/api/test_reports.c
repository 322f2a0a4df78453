/* What users of such software have met, as far as editing can meet it: layers, what is read and
 * written again, sizes, and what clients see. Each test names its report; those of importing, tiles
 * and weights alone stand with their endpoints. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"
#include "tests/format/judge.h"

/* Weights and layers */

static void assert_sums(struct caller *caller, bool everywhere)
{
    const uint8_t *planes;

    assert_int_equal(call(caller, "GET", LAND "/weights?layers=a,b", NULL), 200);
    planes = (const uint8_t *)caller->body;
    for (int i = 0; i < LAND_VERTICES; i++) {
        int sum = planes[i] + planes[LAND_VERTICES + i];

        assert_true(sum == 255 || (sum == 0 && !everywhere));
    }
}

/* WGT-01: by the tools, and by what takes them back. */
static void weights_add_up_after_each_step(void **state)
{
    struct caller *caller = land_begin(state);
    static uint8_t planes[2 * LAND_VERTICES];

    caller_paint(caller, "land", "a", true);
    caller_paint(caller, "land", "b", true);
    for (int i = 0; i < LAND_VERTICES; i++)
        planes[LAND_VERTICES + i] = (uint8_t)(255 - (planes[i] = (uint8_t)(2 * (i % LAND_SIDE))));
    planes[60 * LAND_SIDE + 60] = 51;
    planes[LAND_VERTICES + 60 * LAND_SIDE + 60] = 204;
    caller->type = "application/x-r8";
    assert_int_equal(
        call_bytes(caller, "PUT", LAND "/weights?layers=a,b&strict=true", planes, sizeof planes),
        200);
    land_edit(caller, "{\"tool\":\"paint\",\"layer\":\"a\",\"target\":255,\"path\":[[60,60]],"
                      "\"radius\":0.5,\"falloff\":0}");
    assert_int_equal(caller_number(caller, "changed"), 1);
    assert_int_equal(land_weight(caller, "a", 60, 60), 255);
    assert_int_equal(land_weight(caller, "b", 60, 60), 0);
    assert_sums(caller, true);
    land_edit(caller,
              "{\"tool\":\"noise\",\"layer\":\"b\",\"amplitude\":300,\"cell\":9," LAND_ALL "}");
    assert_sums(caller, true);
    land_edit(caller, "{\"tool\":\"smooth\",\"layer\":\"a\"," LAND_ALL "}");
    assert_sums(caller, true);
    land_edit(caller, "{\"tool\":\"unpaint\",\"layer\":\"a\",\"amount\":255," LAND_ALL "}");
    assert_sums(caller, true);
    for (int i = 0; i < 3; i++)
        land_post(caller, LAND "/undo", NULL);
    assert_int_equal(land_weight(caller, "a", 60, 60), 255);
    land_post(caller, LAND "/undo", NULL);
    assert_int_equal(land_weight(caller, "b", 60, 60), 204);
    assert_sums(caller, true);
}

/* WGT-03 */
static void layers_of_one_value_are_listed_with_it(void **state)
{
    struct caller *caller = land_begin(state);

    caller_paint(caller, "land", "full", true);
    caller_paint(caller, "land", "none", true);
    land_edit(caller, "{\"tool\":\"paint\",\"layer\":\"full\",\"target\":255," LAND_ALL "}");
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", LAND "/layers?statistics=true", NULL), 200);
    assert_string_equal(caller_text(caller, "layers.0.name"), "full");
    assert_float_equal(caller_number(caller, "layers.0.statistics.mean"), 255, 0);
    assert_float_equal(caller_number(caller, "layers.0.statistics.least"), 255, 0);
    assert_string_equal(caller_text(caller, "layers.1.name"), "none");
    assert_float_equal(caller_number(caller, "layers.1.statistics.greatest"), 0, 0);
}

/* WGT-07, HTTP-12: refused with the rule, wherever a name may stand, and nothing is there. */
static void names_are_kept_or_refused_by_their_rule(void **state)
{
    static const char *const lists[] = { LAND "/layers", LAND "/edit-layers", LAND "/snapshots" };
    static const char *const names[] = {
        "",          ".",    "..",     "../x",    "/x", "a b", "<svg onload=1>",
        "a\\u0000b", ".hid", "a\\\\b", "\xc3\xa4"
    };
    static const char *const paths[] = { "%2e%2e%2fx", "..%5cx", "a%00b", "%3Csvg%20onload=1%3E" };
    struct caller *caller = land_begin(state);
    char body[400], target[200];

    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(body, sizeof body, "{\"name\":\"%s\"}", names[i]);
            call(caller, "POST", lists[l], body);
            assert_refused(caller, 400, "/name");
        }
        snprintf(body, sizeof body, "{\"name\":\"%0300d\"}", 7);
        call(caller, "POST", lists[l], body);
        assert_refused(caller, 400, "/name");
        assert_true(strlen(caller_text(caller, "detail")) < 400);
        for (size_t i = 0; i < 2; i++) {
            size_t length;
            unsigned char *data =
                input_read(i ? "bodies/bad_utf8.json" : "bodies/layer_name.json", &length);

            assert_int_equal(call_bytes(caller, "POST", lists[l], data, length), 400);
            free(data);
        }
        land_post(caller, lists[l], "{\"name\":\"Wet-sand_1.0\"}");
        snprintf(target, sizeof target, "%s/Wet%%2Dsand_1.0", lists[l]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        call(caller, "POST", lists[l], "{\"name\":\"Wet-sand_1.0\"}");
        assert_refused(caller, 409, "/name");
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            snprintf(target, sizeof target, "%s/%s", lists[l], paths[i]);
            call(caller, "GET", target, NULL);
            assert_in_range(caller->status, 400, 404);
            assert_string_equal(caller_header(caller, "Content-Type"), "application/problem+json");
        }
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(target, sizeof target, "/v1/rasters/%s?width=1&height=1", paths[i]);
        caller->type = "application/x-r8";
        assert_int_equal(call_bytes(caller, "PUT", target, "x", 1), 400);
    }
    assert_float_equal(land_version(caller), 3, 0); /* a snapshot is no version */
}

/* Exports and what is read back */

static const struct {
    const char *get, *put, *type;
} ways[] = {
    { "/heights?format=png", "/heights?edit_layer=top", "image/png" },
    { "/heights?format=r16", "/heights?edit_layer=top&width=127&height=127", "application/x-r16" },
    { "/heights?format=f32", "/heights?edit_layer=top&width=127&height=127", "application/x-f32" },
    { "/heights?format=r16&x=3&y=60&width=99&height=5",
      "/heights?edit_layer=top&x=3&y=60&width=99&height=5", "application/x-r16" },
    { "/holes", "/holes?edit_layer=top", "image/png" },
    { "/holes?format=r8", "/holes?edit_layer=top&width=126&height=126", "application/x-r8" },
    { "/weights/a", "/weights/a?edit_layer=top", "image/png" },
    { "/weights/b?format=r8", "/weights/b?edit_layer=top&width=127&height=127",
      "application/x-r8" },
    { "/weights/free?format=r8&x=100&y=90&width=27&height=37",
      "/weights/free?edit_layer=top&x=100&y=90&width=27&height=37", "application/x-r8" },
    { "/weights?layers=b,free,a",
      "/weights?layers=b,free,a&strict=true&edit_layer=top&width=127&height=127",
      "application/x-r8" },
};

/* EXP-01, EXP-07, EXP-11 */
static void putting_what_was_got_changes_nothing(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    double before = land_version(caller);

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char target[200];
        size_t length;
        char *got;

        snprintf(target, sizeof target, LAND "%s", ways[i].get);
        got = land_take(caller, target, &length);
        snprintf(target, sizeof target, LAND "%s", ways[i].put);
        caller->type = ways[i].type;
        if (call_bytes(caller, "PUT", target, got, length) != 200)
            fail_msg("%s: %s", target, caller->body);
        if (!json_is_null(caller_member(caller, "dirty")) ||
            caller_number(caller, "version") != before)
            fail_msg("%s: %s", target, caller->body);
        free(got);
    }
}

/* EXP-01, EXP-03, WGT-05: another landscape of what was read is the same in every raster. */
static void what_is_read_makes_the_same_landscape_again(void **state)
{
    static const struct {
        const char *get, *put, *type;
    } rasters[] = {
        { "/heights", "/heights?", "image/png" },
        { "/holes", "/holes?", "image/png" },
        { "/weights?layers=a,b,free", "/weights?layers=a,b,free&width=127&height=127",
          "application/x-r8" },
    };
    static const char *const reads[] = { "heights?format=r16", "holes?format=r8",
                                         "weights?layers=a,b,free" };
    struct caller *caller = land_begin_with_all(state);
    char target[200];

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/twin",
                          "{\"layout\":{\"components\":[2,2],\"section_quads\":63}}"),
                     201);
    caller_paint(caller, "twin", "a", true);
    caller_paint(caller, "twin", "b", true);
    caller_paint(caller, "twin", "free", false);
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        char *got;

        snprintf(target, sizeof target, LAND "%s", rasters[i].get);
        got = land_take(caller, target, &length);
        snprintf(target, sizeof target, "/v1/landscapes/twin%s", rasters[i].put);
        caller->type = rasters[i].type;
        assert_int_equal(call_bytes(caller, "PUT", target, got, length), 200);
        free(got);
    }
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        char *got;

        snprintf(target, sizeof target, LAND "/%s", reads[i]);
        got = land_take(caller, target, &length);
        snprintf(target, sizeof target, "/v1/landscapes/twin/%s", reads[i]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(caller->length, length);
        assert_memory_equal(caller->body, got, length);
        free(got);
    }
}

static bool of_a_hole(const uint8_t *holes, int x, int y)
{
    for (int k = 0; k < 4; k++) {
        int qx = x - k % 2, qy = y - k / 2;

        if (qx >= 0 && qy >= 0 && qx < LAND_SIDE - 1 && qy < LAND_SIDE - 1 &&
            holes[qy * (LAND_SIDE - 1) + qx])
            return true;
    }
    return false;
}

/* EXP-05: holes that a tool made are back, and the ground around them to the bit. */
static void holes_and_heights_come_back_from_metres(void **state)
{
    static const char *const formats[] = { "asc", "tiff" };
    struct caller *caller = land_begin_with_all(state);
    size_t length;
    uint8_t *holes = (uint8_t *)land_take(caller, LAND "/holes?format=r8", &length);
    uint16_t *before = (uint16_t *)(void *)land_take(caller, LAND "/heights?format=r16", &length);

    for (int i = 0; i < 2; i++) {
        char target[200];
        char *file;
        const uint16_t *now;

        snprintf(target, sizeof target, LAND "/export?format=%s", formats[i]);
        file = land_take(caller, target, &length);
        call(caller, "DELETE", "/v1/landscapes/back", NULL);
        caller->type = "application/octet-stream";
        if (call_bytes(caller, "POST",
                       "/v1/landscapes/back/import?fit=exact&section_quads=63&"
                       "sections_per_component=1&z_scale=1&z_origin=0",
                       file, length) != 201)
            fail_msg("%s: %s", formats[i], caller->body);
        free(file);
        assert_int_equal(call(caller, "GET", "/v1/landscapes/back/holes?format=r8", NULL), 200);
        assert_int_equal(caller->length, (LAND_SIDE - 1) * (LAND_SIDE - 1));
        for (int q = 0; q < (LAND_SIDE - 1) * (LAND_SIDE - 1); q++) {
            int x = q % (LAND_SIDE - 1), y = q / (LAND_SIDE - 1);
            bool all = of_a_hole(holes, x, y) && of_a_hole(holes, x + 1, y) &&
                       of_a_hole(holes, x, y + 1) && of_a_hole(holes, x + 1, y + 1);

            assert_int_equal((uint8_t)caller->body[q], all ? 255 : 0);
            assert_true(all || !holes[q]);
        }
        assert_int_equal(call(caller, "GET", "/v1/landscapes/back/heights?format=r16", NULL), 200);
        now = (const uint16_t *)(const void *)caller->body;
        for (int v = 0; v < LAND_VERTICES; v++)
            assert_true(of_a_hole(holes, v % LAND_SIDE, v / LAND_SIDE) || now[v] == before[v]);
    }
    free(holes);
    free(before);
}

/* EXP-09, SIZ-13: of weights and holes too. */
static void pieces_of_any_raster_make_the_whole(void **state)
{
    static const struct {
        const char *raster;
        int side;
    } kinds[] = { { "weights/a", 127 }, { "weights/free", 127 }, { "holes", 126 } };
    enum { PIECE = 50, SHARED = 1 };
    struct caller *caller = land_begin_with_all(state);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int side = kinds[k].side;
        char target[200];
        size_t length;
        char *whole;

        snprintf(target, sizeof target, LAND "/%s?format=r8", kinds[k].raster);
        whole = land_take(caller, target, &length);
        assert_int_equal(length, side * side);
        for (int y = 0; y < side - 1; y += PIECE - SHARED) {
            for (int x = 0; x < side - 1; x += PIECE - SHARED) {
                int width = x + PIECE < side ? PIECE : side - x;
                int height = y + PIECE < side ? PIECE : side - y;

                snprintf(target, sizeof target, LAND "/%s?format=r8&x=%d&y=%d&width=%d&height=%d",
                         kinds[k].raster, x, y, width, height);
                assert_int_equal(call(caller, "GET", target, NULL), 200);
                assert_int_equal(caller->length, width * height);
                for (int row = 0; row < height; row++)
                    assert_memory_equal(caller->body + row * width, whole + (y + row) * side + x,
                                        width);
            }
        }
        free(whole);
    }
}

/* Sizes */

/* SIZ-05, SIZ-03 */
static void a_resampled_ramp_is_the_finer_ramp(void **state)
{
    struct caller *caller = land_begin_with(state, "surface/ramp_x.png");
    const uint16_t *now;

    land_post(caller, LAND "/resize", "{\"components\":[4,4],\"mode\":\"resample\"}");
    now = land_codes(caller);
    assert_int_equal(caller->length, 2 * 253 * 253);
    for (int i = 0; i < 253 * 253; i++)
        assert_int_equal(now[i], 256 * (i % 253));
    land_post(caller, LAND "/undo", NULL);
    now = land_codes(caller);
    assert_int_equal(caller->length, 2 * LAND_VERTICES);
    assert_int_equal(now[126], 64512);
}

/* HTTP-07, NUM-08 */
static void a_size_beyond_all_bounds_is_refused(void **state)
{
    static const char *const sizes[] = { "[0,2]",       "[2,-1]",  "[5000,2]", "[1000000,1000000]",
                                         "[4096,4096]", "[2,2.5]", "[2]",      "[1e999,1]" };
    struct caller *caller = land_begin(state);
    char body[200];

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(body, sizeof body, "{\"components\":%s,\"mode\":\"expand\"}", sizes[i]);
        call(caller, "POST", LAND "/resize", body);
        assert_in_range(caller->status, 400, 422);
        assert_true(strlen(caller_text(caller, "detail")) > 10);
    }
    assert_float_equal(land_version(caller), 1, 0);
}

/* Clients */

/* The bounds that rays and cameras go by. */
static void assert_range(struct caller *caller, double least, double greatest)
{
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_float_equal(caller_number(caller, "height_range.0"), least, 1e-9);
    assert_float_equal(caller_number(caller, "height_range.1"), greatest, 1e-9);
    assert_int_equal(call(caller, "GET", LAND "/components/0/1", NULL), 200);
    assert_float_equal(caller_number(caller, "bounds.max.2"), greatest, 1e-9);
}

/* COL-06 */
static void bounds_follow_brushes_and_undo(void **state)
{
    struct caller *caller = land_begin_with(state, "surface/spike_interior.png");
    double top = 32767 / 128.0;

    assert_range(caller, 0, top);
    land_edit(caller,
              "{\"tool\":\"set\",\"height\":0,\"path\":[[40,70]],\"radius\":0.5,\"falloff\":0}");
    assert_range(caller, 0, 0);
    land_edit(caller, "{\"tool\":\"set\",\"height\":90,\"path\":[[20,80]],\"radius\":0.5,"
                      "\"falloff\":0}");
    assert_range(caller, 0, 90);
    land_post(caller, LAND "/undo", NULL);
    assert_range(caller, 0, 0);
    land_post(caller, LAND "/undo", NULL);
    assert_range(caller, 0, top);
    land_post(caller, LAND "/redo", NULL);
    assert_range(caller, 0, 0);
}

/* A tile before and after, and that nobody who has the one is told that it is the other. */
static void tiles_are_new_after(struct caller *caller, const char *what, const char *target,
                                const char *body)
{
    static const char *const tiles[] = {
        "terrain-rgb/0/0/0.png", "terrain-rgb/0/0/0.webp", "terrarium/0/0/0.png?buffer=3",
        "hillshade/0/0/0.png",   "weights/0/0/0.png",      "terrarium/1/0/0.png",
        "weights/2/1/1.png",     "slope/0/0/0.png",        "aspect/1/0/0.png",
        "normal/0/0/0@2x.webp",  "native/1/0/0.zst",       "contours/0/0/0.png?interval=2",
    };
    enum { TILES = sizeof tiles / sizeof *tiles };
    char *before[TILES], etags[TILES][256], tile[160];
    size_t lengths[TILES];
    int renewed = 0;

    for (int i = 0; i < TILES; i++) {
        snprintf(tile, sizeof tile, LAND "/tiles/%s", tiles[i]);
        before[i] = land_take(caller, tile, &lengths[i]);
        snprintf(etags[i], sizeof etags[i], "%s", caller_header(caller, "ETag"));
    }
    land_post(caller, target, body);
    for (int i = 0; i < TILES; i++) {
        bool same;

        snprintf(tile, sizeof tile, LAND "/tiles/%s", tiles[i]);
        assert_int_equal(call(caller, "GET", tile, NULL), 200);
        same = caller->length == lengths[i] && memcmp(caller->body, before[i], lengths[i]) == 0;
        renewed += !same;
        if (!same && strcmp(etags[i], caller_header(caller, "ETag")) == 0)
            fail_msg("%s changed under its ETag after %s", tiles[i], what);
        assert_non_null(strstr(caller_header(caller, "Cache-Control"), "no-cache"));
        caller->if_none_match = etags[i];
        if (call(caller, "GET", tile, NULL) == 304)
            assert_true(same);
        free(before[i]);
    }
    if (!renewed)
        fail_msg("no tile is new after %s", what);
}

/* HTTP-15: whatever changes the landscape. */
static void no_tile_is_old_after_any_change(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    static const char raise[] =
        "{\"ops\":[{\"tool\":\"raise\",\"amount\":40,\"path\":[[60,60]],\"radius\":50}]}";
    static const char paint[] = "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"b\",\"target\":255,"
                                "\"path\":[[90,90]],\"radius\":60}]}";

    land_post(caller, LAND "/snapshots", "{\"name\":\"first\"}");
    tiles_are_new_after(caller, "raise", LAND "/edits", raise);
    tiles_are_new_after(caller, "undo", LAND "/undo", NULL);
    tiles_are_new_after(caller, "redo", LAND "/redo", NULL);
    tiles_are_new_after(caller, "paint", LAND "/edits", paint);
    tiles_are_new_after(caller, "undo of paint", LAND "/undo", NULL);
    tiles_are_new_after(caller, "clear", LAND "/edit-layers/top/clear", "{}");
    tiles_are_new_after(caller, "undo of clear", LAND "/undo", NULL);
    tiles_are_new_after(caller, "resize", LAND "/resize",
                        "{\"components\":[3,3],\"mode\":\"expand\"}");
    tiles_are_new_after(caller, "restore", LAND "/snapshots/first/restore", NULL);
}

/* HTTP-16 */
static void a_bad_point_is_null_alone(void **state)
{
    static const bool there[] = { true, false, true, false, false, true };
    struct caller *caller = land_begin(state);
    size_t length;
    unsigned char *data = input_read("bodies/points_mixed.json", &length);

    assert_int_equal(call_bytes(caller, "POST", LAND "/query/heights?frame=grid", data, length),
                     200);
    assert_int_equal(json_array_size(caller_member(caller, "heights")), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(json_is_number(json_array_get(caller_member(caller, "heights"), i)),
                         there[i]);
    free(data);
}

/* TIL-14: tiles inside an area that an edit made level, up to their last pixel. */
static void tiles_of_level_ground_have_no_frame(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[5,5],\"sections_per_component\":2,"
                          "\"section_quads\":63}}"),
                     201);
    land_edit(caller, "{\"tool\":\"set\",\"height\":100,\"region\":{\"x\":0,\"y\":0,\"width\":631,"
                      "\"height\":631}}");
    for (int set = 0; set < 2; set++) {
        for (int i = 0; i < 4; i++) {
            int width, height, channels;
            char target[160];
            uint8_t *pixels;

            snprintf(target, sizeof target, LAND "/tiles/%s/2/%d/%d.png",
                     set ? "terrarium" : "terrain-rgb", i % 2, i / 2);
            assert_int_equal(call(caller, "GET", target, NULL), 200);
            pixels = judge_png(caller->body, caller->length, &width, &height, &channels);
            assert_non_null(pixels);
            assert_int_equal(channels, 3);
            for (int k = 0; k < width * height; k++)
                assert_float_equal(set ? judge_terrarium(pixels + 3 * k)
                                       : judge_terrain_rgb(pixels + 3 * k),
                                   100, 1e-9);
            free(pixels);
        }
    }
}

/* What the tile's pixel at that place says, and of its ground the least and the greatest height,
 * a quad more on each side. 126 quads lie over 0.09 degrees, from 7 east and 46 north. */
static double tile_height(struct caller *caller, int z, double lon, double lat, double range[2])
{
    const double pi = 3.14159265358979323846, side = 256 * pow(2, z);
    double x = floor((lon + 180) / 360 * side);
    double y = floor((1 - asinh(tan(lat * pi / 180)) / pi) / 2 * side);
    double quad = 0.09 / 126, edges[4], height;
    int width, high, channels;
    const uint16_t *codes;
    char target[160];
    uint8_t *pixels;

    for (int i = 0; i < 2; i++) {
        edges[i] = ((x + i) / side * 360 - 180 - 7) / quad;
        edges[2 + i] = (46 - atan(sinh(pi * (1 - 2 * (y + i) / side))) * 180 / pi) / quad;
    }
    snprintf(target, sizeof target, LAND "/tiles/terrarium/%d/%d/%d.png", z, (int)x / 256,
             (int)y / 256);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    pixels = judge_png(caller->body, caller->length, &width, &high, &channels);
    assert_non_null(pixels);
    height = judge_terrarium(pixels + 3 * ((int)y % 256 * 256 + (int)x % 256));
    free(pixels);
    codes = land_codes(caller);
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int r = (int)fmax(0, edges[2] - 1); r <= fmin(LAND_SIDE - 1, edges[3] + 2); r++)
        for (int c = (int)fmax(0, edges[0] - 1); c <= fmin(LAND_SIDE - 1, edges[1] + 2); c++) {
            range[0] = fmin(range[0], (codes[r * LAND_SIDE + c] - 32768) / 128.0);
            range[1] = fmax(range[1], (codes[r * LAND_SIDE + c] - 32768) / 128.0);
        }
    return height;
}

/* TIL-18: no zoom says anything beyond the relief inside its pixel, nor after an edit. */
static void a_place_is_as_high_at_every_zoom(void **state)
{
    struct caller *caller = land_begin(state);
    double before[10][4], range[2];

    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[7,45.91,7.09,46]}"), 200);
    land_edit(caller, "{\"tool\":\"noise\"," LAND_ALL ",\"amplitude\":60,\"cell\":20,\"seed\":3}");
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 10; i++)
            for (int z = 8; z < 12; z++) {
                double lon = 7.02 + 0.005 * i, lat = 45.94 + 0.0041 * (i * 7 % 10);
                double height = tile_height(caller, z, lon, lat, range);

                assert_true(height >= range[0] - 1. / 256 && height <= range[1] + 1. / 256);
                if (round)
                    assert_float_equal(height - before[i][z - 8], 40, 1. / 128);
                before[i][z - 8] = height;
            }
        if (!round)
            land_edit(caller, "{\"tool\":\"raise\"," LAND_ALL ",\"amount\":40}");
    }
}

static void assert_column(struct caller *caller, int column, uint16_t code)
{
    const uint16_t *codes = land_codes(caller);

    for (int y = 0; y < LAND_SIDE; y++)
        assert_int_equal(codes[y * LAND_SIDE + column], code);
}

/* SEA-10: halves that share a column have it as it is stored, told by where they are put again. */
static void halves_are_not_stretched(void **state)
{
    enum { SHARED = 63, CODE = 63 * 512 };
    static const char *const formats[] = { "png16", "r16" };
    struct caller *caller = land_begin_with(state, "surface/ramp_x.png");
    char target[160], *files[4];
    size_t lengths[4];

    assert_column(caller, SHARED, CODE);
    for (int i = 0; i < 4; i++) {
        snprintf(target, sizeof target, LAND "/export?format=%s&x=%d&y=0&width=64&height=127",
                 formats[i / 2], i % 2 * SHARED);
        files[i] = land_take(caller, target, &lengths[i]);
    }
    for (int i = 0; i < 4; i++) {
        land_edit(caller, "{\"tool\":\"set\"," LAND_ALL ",\"height\":1}");
        assert_column(caller, SHARED, 32768 + 128);
        snprintf(target, sizeof target, LAND "/heights?x=%d&y=0&width=64&height=127",
                 i % 2 * SHARED);
        caller->type = i / 2 ? "application/x-r16" : "image/png";
        assert_int_equal(call_bytes(caller, "PUT", target, files[i], lengths[i]), 200);
        assert_column(caller, SHARED, CODE);
        free(files[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(weights_add_up_after_each_step),
        TEST(layers_of_one_value_are_listed_with_it),
        TEST(names_are_kept_or_refused_by_their_rule),
        TEST(putting_what_was_got_changes_nothing),
        TEST(what_is_read_makes_the_same_landscape_again),
        TEST(holes_and_heights_come_back_from_metres),
        TEST(pieces_of_any_raster_make_the_whole),
        TEST(a_resampled_ramp_is_the_finer_ramp),
        TEST(a_size_beyond_all_bounds_is_refused),
        TEST(bounds_follow_brushes_and_undo),
        TEST(no_tile_is_old_after_any_change),
        TEST(a_bad_point_is_null_alone),
        TEST(tiles_of_level_ground_have_no_frame),
        TEST(a_place_is_as_high_at_every_zoom),
        TEST(halves_are_not_stretched),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

/* What jobs make: against what the routes answer, tile by tile and vertex by vertex. */
#include "tests/api/shop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/jobs/package.h"
#include "api/jobs/pyramid.h"
#include "terrain/format/tile_set.h"

enum { BODY_ROOM = 400, ZOOM = 3 };

/* A landscape in the world, some of whose tiles lie beside it, and one on a grid of its own. */
static void begin_placed(struct caller *caller)
{
    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[2,2],\"section_quads\":63},"
                          "\"crs\":\"EPSG:4326\",\"bounds\":[10.1,46.2,10.9,46.7],\"height\":100}"),
                     201);
    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":60,\"cell\":20,\"seed\":5," LAND_ALL "}");
}

/* Every tile that a route answers below a zoom is there, the same to the byte, and no other. */
static void tiles_are_the_routes(struct caller *caller, const char *id, const char *below,
                                 const char *ending, const char *query, int32_t minzoom,
                                 int32_t maxzoom)
{
    const int32_t wide = !strcmp(below, "cesium") || !strcmp(below, "heightmap") ? 2 : 1;
    const size_t others = strcmp(below, "quadtree") ? 2 : 1; /* manifest.txt, and about them all */

    size_t length, count = 0, at = 0, bytes;
    char *tar = shop_result(caller, id, ".tar", &length), target[200], name[100];
    const char *data;

    while ((data = shop_tar_next(tar, length, &at, &data, &bytes)))
        count++;
    for (int32_t z = minzoom; z <= maxzoom; z++)
        for (int32_t x = 0; x < wide << z; x++)
            for (int32_t y = 0; y < 1 << z; y++) {
                snprintf(name, sizeof name, "%d/%d/%d%s", (int)z, (int)x, (int)y, ending);
                snprintf(target, sizeof target, LAND "/%s/%s%s", below, name, query);
                data = shop_tar_find(tar, length, name, &bytes);
                if (call(caller, "GET", target, NULL) != 200) {
                    assert_int_equal(caller->status, 404);
                    assert_null(data);
                    continue;
                }
                if (!data)
                    fail_msg("%s lacks %s", id, name);
                assert_int_equal(bytes, caller->length);
                assert_memory_equal(data, caller->body, bytes);
                count--;
            }
    assert_int_equal(count, others);
    free(tar);
}

static void every_tile_of_every_set_is_what_its_route_answers(void **state)
{
    struct caller *caller = *state;
    char body[BODY_ROOM], id[80], ending[20], below[80];

    begin_placed(caller);
    caller_paint(caller, "land", "grass", true);
    land_edit(caller, "{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":200," LAND_ALL "}");
    for (size_t i = 0; tile_sets[i]; i++)
        for (size_t k = 0; tile_sets[i]->kinds[k]; k++)
            for (int twice = 0; twice < 2; twice++) {
                const char *kind = tile_sets[i]->kinds[k]->extension;

                snprintf(id, sizeof id, "%s-%s-%d", tile_sets[i]->name, kind, twice);
                snprintf(ending, sizeof ending, "%s.%s", twice ? "@2x" : "", kind);
                snprintf(body, sizeof body,
                         "{\"kind\":\"tiles\",\"landscape\":\"land\",\"id\":\"%s\",\"set\":\"%s\","
                         "\"format\":\"%s\",\"tile_size\":\"%d\",\"maxzoom\":6}",
                         id, tile_sets[i]->name, kind, twice ? 512 : 256);
                shop_make(caller, body);
                snprintf(below, sizeof below, "tiles/%s", tile_sets[i]->name);
                tiles_are_the_routes(caller, id, below, ending, "", 0, 6);
            }
}

static void options_are_those_of_the_route(void **state)
{
    struct caller *caller = *state;

    begin_placed(caller);
    shop_make(caller,
              "{\"kind\":\"tiles\",\"id\":\"a\",\"landscape\":\"land\",\"set\":\"hillshade\","
              "\"minzoom\":5,\"maxzoom\":7,\"options\":\"sun_azimuth=100&exaggeration=3\"}");
    tiles_are_the_routes(caller, "a", "tiles/hillshade", ".png", "?sun_azimuth=100&exaggeration=3",
                         5, 7);
}

/* Meshes and heights for globes, and nodes of the quadtree. */
static void tiles_of_no_map_are_what_their_routes_answer(void **state)
{
    struct caller *caller = *state;
    size_t length, bytes;
    const char *text;
    char *tar, *layer;

    begin_placed(caller);
    shop_make(caller, "{\"kind\":\"tiles\",\"id\":\"a\",\"landscape\":\"land\",\"set\":\"cesium\","
                      "\"maxzoom\":6,\"options\":\"max_error=5&extensions=octvertexnormals\"}");
    tiles_are_the_routes(caller, "a", "cesium", ".terrain",
                         "?max_error=5&extensions=octvertexnormals", 0, 6);
    tar = shop_result(caller, "a", ".tar", &length);
    text = shop_tar_find(tar, length, "layer.json", &bytes);
    layer = land_take(caller, LAND "/cesium/layer.json?max_error=5", &length);
    assert_non_null(text);
    assert_int_equal(bytes, length);
    assert_memory_equal(text, layer, length);
    free(tar);
    free(layer);
    shop_make(caller, "{\"kind\":\"tiles\",\"id\":\"b\",\"landscape\":\"land\",\"set\":"
                      "\"heightmap\",\"maxzoom\":6}");
    tiles_are_the_routes(caller, "b", "heightmap", ".terrain", "", 0, 6);
    shop_make(caller,
              "{\"kind\":\"tiles\",\"id\":\"c\",\"landscape\":\"land\",\"set\":\"quadtree\","
              "\"options\":\"skirts=true&leaf=16\"}");
    tiles_are_the_routes(caller, "c", "quadtree", ".glb", "?skirts=true&leaf=16", 0, 3);
    assert_int_equal(shop_count(caller, "c", "made"), 1 + 4 + 16 + 64);
    call(
        caller, "POST", "/v1/jobs",
        "{\"kind\":\"tiles\",\"landscape\":\"land\",\"set\":\"quadtree\",\"package\":\"mbtiles\"}");
    assert_refused(caller, 422, "/package");
    land_begin_with(state, "png/gray16_asym_127.png");
    call(caller, "POST", "/v1/jobs",
         "{\"kind\":\"tiles\",\"landscape\":\"land\",\"set\":\"cesium\"}");
    assert_refused(caller, 422, "/set");
}

static void a_grid_of_its_own_has_all_its_tiles(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");

    shop_make(caller,
              "{\"kind\":\"tiles\",\"id\":\"a\",\"landscape\":\"land\",\"set\":\"terrarium\","
              "\"maxzoom\":4}");
    tiles_are_the_routes(caller, "a", "tiles/terrarium", ".png", "", 0, 4);
}

/* Tiles whose inside meets the bounds, and no others. */
static void bounds_choose_tiles(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");
    size_t length, bytes, count = 0, at = 0;
    const char *data;
    char *tar;

    /* The north-west eighth of the world's width: 1 tile at zooms 0 to 3, 4 at zoom 4. */
    shop_make(caller,
              "{\"kind\":\"tiles\",\"id\":\"a\",\"landscape\":\"land\",\"set\":\"terrarium\","
              "\"maxzoom\":4,\"bounds\":[-180,79.171334641,-135,85.05]}");
    tar = shop_result(caller, "a", ".tar", &length);
    while (shop_tar_next(tar, length, &at, &data, &bytes))
        count++;
    assert_int_equal(count, 1 + 1 + 1 + 1 + 4 + 2);
    assert_non_null(shop_tar_find(tar, length, "4/1/1.png", &bytes));
    assert_null(shop_tar_find(tar, length, "4/2/0.png", &bytes));
    free(tar);
}

static bool in_manifest(const char *manifest, const char *name)
{
    char line[120];

    snprintf(line, sizeof line, "\n%s ", name);
    return strstr(manifest, line) != NULL;
}

/* Out to edges of pixels, by less than one; what lies there stays. */
static void bounds_of_a_package_lie_on_edges_of_pixels(void **state)
{
    static const double bounds[][4] = { { 10.1, 46.2, 10.9, 46.7 },
                                        { -84.41333333, 36.4175, -84.04583333, 36.7325 },
                                        { -180, -85.0511287798066, 180, 85.0511287798066 },
                                        { 179.99, -33.000001, 180, -33 } };

    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int32_t level = 0; level <= 22; level += 11) {
            const double pixels = ldexp(512, level);
            double snapped[4], again[4];

            pyramid_snap(bounds[i], level, 512, snapped);
            pyramid_snap(snapped, level, 512, again);
            for (int k = 0; k < 4; k++) {
                double sign = k < 2 ? 1 : -1;
                double place = k % 2 ? asinh(tan(snapped[k] * M_PI / 180)) / M_PI / 2 * pixels
                                     : snapped[k] / 360 * pixels;

                assert_true(sign * (bounds[i][k] - snapped[k]) >= -1e-6 * 360 / pixels);
                assert_true(sign * (bounds[i][k] - snapped[k]) <= 360 / pixels);
                assert_true(fabs(place - round(place)) < 1e-5);
                assert_true(fabs(again[k] - snapped[k]) < 1e-11);
            }
        }
}

static void etag_take(struct caller *caller, const char *target, char etag[64])
{
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    snprintf(etag, 64, "%s", caller_header(caller, "ETag"));
}

/* Tiles since a version: not those whose ETag is what it was, and of the others those whose bytes
 * are not. */
static void since_a_version_there_are_those_tiles_that_changed(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");
    size_t length, bytes, changed = 0, same = 0;
    char *manifest, *tar, name[40], target[120];

    land_edit(caller, "{\"tool\":\"raise\",\"amount\":4,\"path\":[[20,30]],\"radius\":6}");
    shop_make(caller,
              "{\"kind\":\"tiles\",\"id\":\"a\",\"landscape\":\"land\",\"set\":\"terrain-rgb\","
              "\"maxzoom\":4,\"since\":1}");
    manifest = shop_result(caller, "a", "manifest.txt", &length);
    tar = shop_result(caller, "a", ".tar", &length);
    for (int z = 0; z <= 4; z++)
        for (int x = 0; x < 1 << z; x++)
            for (int y = 0; y < 1 << z; y++) {
                char before[64], after[64], *old;
                bool differs;

                snprintf(name, sizeof name, "%d/%d/%d.png", z, x, y);
                snprintf(target, sizeof target, LAND "/tiles/terrain-rgb/%s?version=1", name);
                if (call(caller, "GET", target, NULL) != 200)
                    continue;
                etag_take(caller, target, before);
                old = land_take(caller, target, &bytes);
                *strchr(target, '?') = '\0';
                etag_take(caller, target, after);
                differs = bytes != caller->length || memcmp(old, caller->body, bytes) != 0;
                assert_true(!differs || strcmp(before, after) != 0);
                assert_int_equal(in_manifest(manifest, name), differs);
                assert_int_equal(shop_tar_find(tar, length, name, &bytes) != NULL, differs);
                changed += differs;
                same += !differs;
                free(old);
            }
    assert_true(changed > 3 && same > 3);
    assert_int_equal(shop_count(caller, "a", "made"), changed);
    assert_int_equal(shop_count(caller, "a", "unchanged"), same);
    free(manifest);
    free(tar);
}

static void between_two_places_nothing_is_the_same(void **state)
{
    struct caller *caller = land_begin(state);

    land_post(caller, LAND "/resize",
              "{\"components\":[3,2],\"anchor\":\"north-west\",\"mode\":\"expand\"}");
    call(caller, "POST", "/v1/jobs",
         "{\"kind\":\"tiles\",\"landscape\":\"land\",\"set\":\"terrain-rgb\",\"since\":1}");
    assert_refused(caller, 422, "/since");
}

static void tilejson_in_a_package_is_of_the_package(void **state)
{
    struct caller *caller = *state;
    size_t length, bytes;
    const char *text;
    json_t *tree;
    char *tar;

    begin_placed(caller);
    shop_make(caller,
              "{\"kind\":\"tiles\",\"id\":\"a\",\"landscape\":\"land\",\"set\":\"terrain-rgb\","
              "\"minzoom\":4,\"maxzoom\":5,\"tile_size\":\"512\"}");
    tar = shop_result(caller, "a", ".tar", &length);
    text = shop_tar_find(tar, length, "tilejson.json", &bytes);
    tree = json_loadb(text, bytes, 0, NULL);
    assert_non_null(tree);
    assert_string_equal(json_string_value(json_array_get(json_object_get(tree, "tiles"), 0)),
                        "{z}/{x}/{y}@2x.png");
    assert_int_equal(json_integer_value(json_object_get(tree, "minzoom")), 4);
    assert_int_equal(json_integer_value(json_object_get(tree, "maxzoom")), 5);
    assert_int_equal(json_integer_value(json_object_get(tree, "tileSize")), 512);
    assert_string_equal(json_string_value(json_object_get(tree, "encoding")), "mapbox");
    json_decref(tree);
    free(tar);
}

/* The last of a batch first. */
static void backwards(const struct executor *self, size_t count,
                      void (*piece)(void *work, size_t i), void *work)
{
    (void)self;
    while (count--)
        piece(work, count);
}

/* The same version is the same bytes, in whichever order its tiles were made. */
static void the_same_version_is_the_same_bytes(void **state)
{
    static const struct executor executor = { backwards };
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");

    for (int i = 0; package_words[i]; i++) {
        char body[BODY_ROOM], ids[2][32];
        int64_t count;

        for (int k = 0; k < 2; k++) {
            snprintf(ids[k], sizeof ids[k], "%s%d", package_words[i], k);
            snprintf(body, sizeof body,
                     "{\"kind\":\"tiles\",\"id\":\"%s\",\"landscape\":\"land\",\"set\":\"slope\","
                     "\"maxzoom\":3,\"package\":\"%s\"}",
                     ids[k], package_words[i]);
            shop_post(caller, body);
            assert_true(jobs_work(caller->service.jobs, k ? &executor : NULL, false));
        }
        count = shop_count(caller, ids[0], "result_count");
        assert_int_equal(count, shop_count(caller, ids[1], "result_count"));
        for (int64_t n = 0; n < count; n++) {
            char target[2][100], etag[64];

            for (int k = 0; k < 2; k++)
                snprintf(target[k], sizeof target[k], "/v1/jobs/%s/results/%d", ids[k], (int)n);
            etag_take(caller, target[0], etag);
            caller->if_none_match = etag;
            assert_int_equal(call(caller, "GET", target[1], NULL), 304);
        }
    }
}

/* ---- exports ---- */

enum { GREAT = 1009 };

static void begin_great(struct caller *caller)
{
    assert_int_equal(
        call(caller, "PUT", LAND, "{\"layout\":{\"components\":[16,16],\"section_quads\":63}}"),
        201);
    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":100,\"cell\":9,\"seed\":3,\"region\":"
                      "{\"x\":0,\"y\":0,\"width\":1009,\"height\":1009}}");
}

/* The windows of pieces.txt, each file the one that the route answers. */
static int pieces_are_the_routes(struct caller *caller, const char *id, const char *format,
                                 struct rect *rects, int most)
{
    size_t length;
    char *list = shop_result(caller, id, "pieces.txt", &length), *line = list;
    int count = 0;

    list[length] = '\0';
    for (line = strchr(line, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        struct rect r;
        char name[100], target[200], *file;
        int x, y, width, height;
        size_t bytes;

        assert_int_equal(sscanf(line, "%99s %d %d %d %d", name, &x, &y, &width, &height), 5);
        r = (struct rect){ x, y, width, height };
        assert_true(count < most);
        rects[count++] = r;
        file = shop_result(caller, id, name, &bytes);
        snprintf(target, sizeof target, LAND "/export?format=%s&x=%d&y=%d&width=%d&height=%d",
                 format, x, y, width, height);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(bytes, caller->length);
        assert_memory_equal(file, caller->body, bytes);
        free(file);
    }
    free(list);
    return count;
}

/* Put together, they are the landscape: every vertex is there, and those of shared edges are
 * equal. */
static void assemble(struct caller *caller, const char *id, const struct rect *rects, int count)
{
    uint16_t *whole = calloc((size_t)GREAT * GREAT, sizeof *whole);
    uint8_t *there = calloc((size_t)GREAT * GREAT, 1);
    const uint16_t *true_codes;
    char target[100];

    for (int i = 0; i < count; i++) {
        const struct rect r = rects[i];
        const uint16_t *codes;

        snprintf(target, sizeof target, "/v1/jobs/%s/results/%d", id, i);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        codes = (const uint16_t *)(const void *)caller->body;
        for (int32_t y = 0; y < r.height; y++)
            for (int32_t x = 0; x < r.width; x++) {
                size_t at = (size_t)(r.y + y) * GREAT + (size_t)(r.x + x);

                assert_true(!there[at] || whole[at] == codes[y * r.width + x]);
                whole[at] = codes[y * r.width + x];
                there[at]++;
            }
    }
    true_codes = land_codes(caller);
    for (size_t at = 0; at < (size_t)GREAT * GREAT; at++)
        assert_true(there[at] && whole[at] == true_codes[at]);
    free(whole);
    free(there);
}

static void make_export(struct caller *caller, const char *id, const char *format,
                        const char *split)
{
    char body[BODY_ROOM];

    snprintf(body, sizeof body,
             "{\"kind\":\"export\",\"landscape\":\"land\",\"id\":\"%s\",\"format\":\"%s\",%s}", id,
             format, split);
    shop_make(caller, body);
}

/* Report EXP-09: pieces of 505 of a landscape of 1009. */
static void pieces_share_their_edges(void **state)
{
    static const char *const formats[] = { "png16", "f32", "asc", "tiff", "glb", "r16" };
    struct caller *caller = *state;
    struct rect rects[4];

    begin_great(caller);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        make_export(caller, formats[i], formats[i], "\"piece\":[505,505]");
        assert_int_equal(pieces_are_the_routes(caller, formats[i], formats[i], rects, 4), 4);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(rects[k].width, 505);
            assert_int_equal(rects[k].height, 505);
            assert_int_equal(rects[k].x, k % 2 * 504);
            assert_int_equal(rects[k].y, k / 2 * 504);
        }
    }
    assemble(caller, "r16", rects, 4);
}

/* Report SIZ-13: a split that does not come out even leaves nothing out. */
static void a_split_that_does_not_come_out_even_leaves_nothing_out(void **state)
{
    struct caller *caller = *state;
    struct rect rects[100];

    begin_great(caller);
    make_export(caller, "ten", "r16", "\"pieces\":[10,10]");
    assert_int_equal(pieces_are_the_routes(caller, "ten", "r16", rects, 100), 100);
    for (int i = 0; i < 100; i++) /* 1008 quads are 100 or 101 each */
        assert_true(rects[i].width >= 101 && rects[i].width <= 102);
    assemble(caller, "ten", rects, 100);
    make_export(caller, "size", "r16", "\"piece\":[256,256]");
    assert_int_equal(pieces_are_the_routes(caller, "size", "r16", rects, 100), 16);
    assert_int_equal(rects[15].width, 1009 - 3 * 255);
    assemble(caller, "size", rects, 16);
    make_export(caller, "uneven", "r16", "\"pieces\":[3,7]");
    assemble(caller, "uneven", rects, pieces_are_the_routes(caller, "uneven", "r16", rects, 100));
}

static void a_window_with_steps_is_split_in_steps(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");
    uint16_t whole[13 * 13];
    size_t length;
    char *text, *file;

    shop_make(caller, "{\"kind\":\"export\",\"id\":\"a\",\"landscape\":\"land\",\"format\":\"r16\","
                      "\"x\":5,\"y\":3,\"width\":50,\"height\":49,\"step\":4,\"pieces\":[2,3]}");
    file = land_take(caller, LAND "/export?format=r16&x=5&y=3&width=50&height=49&step=4", &length);
    assert_int_equal(length, sizeof whole);
    memcpy(whole, file, length);
    free(file);
    text = shop_result(caller, "a", "pieces.txt", &length);
    assert_non_null(strstr(text, "land_x0_y0.r16 5 3 25 17\n"));
    assert_non_null(strstr(text, "land_x1_y2.r16 29 35 25 17\n"));
    free(text);
    file = shop_result(caller, "a", "land_x1_y2.r16", &length);
    assert_int_equal(length, 7 * 5 * 2);
    for (int y = 0; y < 5; y++)
        assert_memory_equal(file + (size_t)y * 14, &whole[(8 + y) * 13 + 6], 14);
    free(file);
}

static void one_piece_is_the_whole_file(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");
    size_t length;
    char *file;

    shop_make(caller, "{\"kind\":\"export\",\"id\":\"a\",\"landscape\":\"land\"}");
    assert_int_equal(shop_count(caller, "a", "result_count"), 1);
    file = shop_result(caller, "a", "land.png", &length);
    assert_int_equal(call(caller, "GET", LAND "/export", NULL), 200);
    assert_int_equal(length, caller->length);
    assert_memory_equal(file, caller->body, length);
    free(file);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, caller_begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(every_tile_of_every_set_is_what_its_route_answers),
        EACH(options_are_those_of_the_route),
        EACH(tiles_of_no_map_are_what_their_routes_answer),
        EACH(a_grid_of_its_own_has_all_its_tiles),
        EACH(bounds_choose_tiles),
        EACH(bounds_of_a_package_lie_on_edges_of_pixels),
        EACH(since_a_version_there_are_those_tiles_that_changed),
        EACH(between_two_places_nothing_is_the_same),
        EACH(tilejson_in_a_package_is_of_the_package),
        EACH(the_same_version_is_the_same_bytes),
        EACH(pieces_share_their_edges),
        EACH(a_split_that_does_not_come_out_even_leaves_nothing_out),
        EACH(a_window_with_steps_is_split_in_steps),
        EACH(one_piece_is_the_whole_file),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

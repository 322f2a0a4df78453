/* 3D Tiles: subtrees by a decoder of their own, tiles where their bounds say, and errors that hold.
 */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/gltf.h"

#define TILES LAND "/3dtiles/"

/* A subtree as a client reads it. */
struct read_subtree {
    json_t *json;
    unsigned char *binary;
    size_t binary_length;
    int levels, numbers;
};

static uint64_t u64(const void *data)
{
    const unsigned char *at = data;
    uint64_t value = 0;

    for (int i = 7; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static int get_subtree(struct caller *caller, int level, int x, int y, struct read_subtree *subtree)
{
    char target[120];
    size_t json_length;

    snprintf(target, sizeof target, TILES "subtrees/%d/%d/%d.subtree", level, x, y);
    if (call(caller, "GET", target, NULL) != 200)
        return caller->status;
    assert_memory_equal(caller->body, "subt\1\0\0\0", 8);
    json_length = u64(caller->body + 8);
    subtree->binary_length = u64(caller->body + 16);
    assert_int_equal(json_length % 8, 0);
    assert_int_equal(subtree->binary_length % 8, 0);
    assert_int_equal(24 + json_length + subtree->binary_length, caller->length);
    subtree->json = json_loadb(caller->body + 24, json_length, 0, NULL);
    assert_non_null(subtree->json);
    assert_int_equal(
        json_integer_value(json_object_get(
            json_array_get(json_object_get(subtree->json, "buffers"), 0), "byteLength")),
        subtree->binary_length);
    subtree->binary = malloc(subtree->binary_length);
    memcpy(subtree->binary, caller->body + 24 + json_length, subtree->binary_length);
    return 200;
}

static void subtree_free(struct read_subtree *subtree)
{
    json_decref(subtree->json);
    free(subtree->binary);
}

static const unsigned char *view_bytes_of(const struct read_subtree *subtree, size_t number,
                                          size_t *length)
{
    json_t *view = json_array_get(json_object_get(subtree->json, "bufferViews"), number);
    size_t at = (size_t)json_integer_value(json_object_get(view, "byteOffset"));

    *length = (size_t)json_integer_value(json_object_get(view, "byteLength"));
    assert_int_equal(at % 8, 0);
    assert_true(at + *length <= subtree->binary_length);
    return subtree->binary + at;
}

/* Interleaved bit by bit, the slow way. */
static size_t morton(int level, int x, int y)
{
    size_t place = 0;

    for (int bit = 0; bit < level; bit++)
        place |= (size_t)(x >> bit & 1) << (2 * bit) | (size_t)(y >> bit & 1) << (2 * bit + 1);
    return place;
}

static bool available(const struct read_subtree *subtree, const json_t *availability, size_t bit)
{
    json_t *constant = json_object_get(availability, "constant");
    const unsigned char *bits;
    size_t length;

    if (constant)
        return json_integer_value(constant);
    bits = view_bytes_of(
        subtree, (size_t)json_integer_value(json_object_get(availability, "bitstream")), &length);
    assert_true(bit / 8 < length);
    return bits[bit / 8] >> bit % 8 & 1;
}

static size_t level_first(int level)
{
    size_t first = 0;

    for (int i = 0; i < level; i++)
        first += (size_t)1 << (2 * i);
    return first;
}

static bool tile_there(const struct read_subtree *subtree, int level, int x, int y)
{
    size_t bit = level_first(level) + morton(level, x, y);
    json_t *content = json_array_get(json_object_get(subtree->json, "contentAvailability"), 0);
    bool there = available(subtree, json_object_get(subtree->json, "tileAvailability"), bit);

    assert_int_equal(available(subtree, content, bit), there);
    return there;
}

/* The numbers of the property table's row of a tile that is there: rows follow the bits. */
static void tile_bounds(const struct read_subtree *subtree, int level, int x, int y, int numbers,
                        double *bounds)
{
    json_t *table = json_array_get(json_object_get(subtree->json, "propertyTables"), 0);
    json_t *values =
        json_object_get(json_object_get(json_object_get(table, "properties"), "bounds"), "values");
    size_t row = 0, last = level_first(level) + morton(level, x, y), length;
    json_t *tiles = json_object_get(subtree->json, "tileAvailability");
    const unsigned char *from = view_bytes_of(subtree, (size_t)json_integer_value(values), &length);

    for (size_t bit = 0; bit < last; bit++)
        row += available(subtree, tiles, bit);
    assert_int_equal(length, (size_t)json_integer_value(json_object_get(table, "count")) * 8 *
                                 (size_t)numbers);
    for (int i = 0; i < numbers; i++) {
        uint64_t bits = u64(from + (row * (size_t)numbers + (size_t)i) * 8);

        memcpy(&bounds[i], &bits, sizeof bits);
    }
}

static struct gltf get_tile(struct caller *caller, const char *path)
{
    char target[200];
    struct gltf gltf;

    snprintf(target, sizeof target, LAND "/%s", path);
    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    gltf_read(caller->body, caller->length, &gltf);
    return gltf;
}

static struct gltf get_content(struct caller *caller, int level, int x, int y)
{
    char path[100];

    snprintf(path, sizeof path, "3dtiles/content/%d/%d/%d.glb", level, x, y);
    return get_tile(caller, path);
}

/* 300 x 200 quads or so: a root of 512, rows that end half way, and a hole as large as tiles. */
static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[5,3],\"sections_per_component\":1,"
                          "\"section_quads\":63},\"scale\":[2,3,1],\"origin\":[100,-50,7]}"),
                     201);
    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":20,\"cell\":40,\"octaves\":4,\"region\":{"
                      "\"x\":0,\"y\":0,\"width\":316,\"height\":190}},"
                      "{\"tool\":\"hole\",\"region\":{\"x\":60,\"y\":60,\"width\":80,"
                      "\"height\":80}}");
    return caller;
}

static bool tile_has_ground(const char *holes, int level, int x, int y)
{
    int size = 512 >> level, row = (1 << level) - 1 - y;

    for (int j = row * size; j < (row + 1) * size && j < 189; j++)
        for (int i = x * size; i < (x + 1) * size && i < 315; i++)
            if (!holes[j * 315 + i])
                return true;
    return false;
}

static void tiles_are_there_where_there_is_ground(void **state)
{
    struct caller *caller = begin(state);
    size_t length, there = 0, counted;
    char *holes = land_take(caller, LAND "/holes?format=r8", &length);
    struct read_subtree subtree;

    assert_int_equal(length, 315 * 189);
    assert_int_equal(get_subtree(caller, 0, 0, 0, &subtree), 200);
    for (int level = 0; level < 5; level++) {
        for (int y = 0; y < 1 << level; y++) {
            for (int x = 0; x < 1 << level; x++) {
                bool expected = level < 4 && tile_has_ground(holes, level, x, y);

                assert_int_equal(tile_there(&subtree, level, x, y), expected);
                assert_true(!expected || !level || tile_there(&subtree, level - 1, x / 2, y / 2));
                there += expected;
            }
        }
    }
    /* One of 64 lies wholly within the hole: columns and rows 64 to 127 from the north-west. */
    assert_false(tile_there(&subtree, 3, 1, 6));
    assert_true(tile_there(&subtree, 3, 1, 7));
    counted = (size_t)json_integer_value(
        json_object_get(json_object_get(subtree.json, "tileAvailability"), "availableCount"));
    assert_int_equal(counted, there);
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(subtree.json, "childSubtreeAvailability"), "constant")),
                     0);
    subtree_free(&subtree);
    free(holes);
    assert_int_equal(call(caller, "GET", TILES "content/3/1/6.glb", NULL), 404);
    assert_int_equal(call(caller, "GET", TILES "content/4/0/15.glb", NULL), 404);
    assert_int_equal(call(caller, "GET", TILES "subtrees/1/0/1.subtree", NULL), 404);
    assert_int_equal(call(caller, "GET", TILES "subtrees/5/0/0.subtree", NULL), 404);
}

/* In the tile's own box, which lies in its parent's quarter; and the most northern tile is the one
 * with the greatest y. */
static void tiles_lie_in_their_boxes(void **state)
{
    struct caller *caller = begin(state);
    struct read_subtree subtree;
    double root[12];
    int tiles = 0;

    assert_int_equal(call(caller, "GET", TILES "tileset.json", NULL), 200);
    for (int i = 0; i < 12; i++) {
        char member[40];

        snprintf(member, sizeof member, "root.boundingVolume.box.%d", i);
        root[i] = caller_number(caller, member);
    }
    assert_true(root[0] - root[3] == 100 && root[3] == 512 && root[7] == 768);
    assert_true(root[1] + root[7] == 50); /* the northern border */
    assert_int_equal(get_subtree(caller, 0, 0, 0, &subtree), 200);
    for (int level = 0; level < 4; level++) {
        for (int y = 0; y < 1 << level; y++) {
            for (int x = 0; x < 1 << level; x++) {
                double box[12], across = 2 * root[3] / (1 << level);
                double down = 2 * root[7] / (1 << level);
                double west = root[0] - root[3] + x * across, south = root[1] - root[7] + y * down;
                struct gltf gltf;

                if (!tile_there(&subtree, level, x, y))
                    continue;
                tile_bounds(&subtree, level, x, y, 12, box);
                assert_true(box[0] - box[3] >= west - 1e-9);
                assert_true(box[0] + box[3] <= west + across + 1e-9);
                assert_true(box[1] - box[7] >= south - 1e-9);
                assert_true(box[1] + box[7] <= south + down + 1e-9);
                gltf = get_content(caller, level, x, y);
                assert_true(gltf.triangles > 0);
                for (size_t i = 0; i < gltf.vertices; i++) {
                    /* y-up to z-up, as clients turn it */
                    const double at[3] = { gltf.at[i][0], -gltf.at[i][2], gltf.at[i][1] };

                    for (int axis = 0; axis < 3; axis++)
                        assert_true(fabs(at[axis] - box[axis]) <= box[3 + axis * 4] + 1e-3);
                }
                gltf_free(&gltf);
                tiles++;
            }
        }
    }
    assert_true(tiles > 20);
    subtree_free(&subtree);
}

/* Each tile keeps within what implicit tiling makes of the root's error at its level. */
static void errors_halve_and_hold(void **state)
{
    struct caller *caller = begin(state);
    struct read_subtree subtree;
    double error;

    assert_int_equal(call(caller, "GET", TILES "tileset.json", NULL), 200);
    error = caller_number(caller, "root.geometricError");
    assert_true(error > 0 && error < caller_number(caller, "geometricError"));
    assert_int_equal(caller_number(caller, "root.implicitTiling.availableLevels"), 4);
    assert_int_equal(get_subtree(caller, 0, 0, 0, &subtree), 200);
    for (int level = 0; level < 4; level++) {
        for (int at = 0; at < 1 << (2 * level); at++) {
            int x = at & ((1 << level) - 1), y = at >> level;
            struct gltf gltf;

            if (!tile_there(&subtree, level, x, y))
                continue;
            gltf = get_content(caller, level, x, y);
            assert_true(gltf_extra(&gltf, "bound") <= ldexp(error, -level));
            /* The last level is as good as the landscape: quads are 3 m wide at most. */
            assert_true(level < 3 || gltf_extra(&gltf, "bound") <= 3.0 / 32);
            gltf_free(&gltf);
        }
    }
    subtree_free(&subtree);
}

/* The same node by both addresses: rows from the north there, y from the south here. */
static void a_tile_is_the_quadtrees_node(void **state)
{
    struct caller *caller = begin(state);
    double error, skirts;
    char path[140];
    struct gltf node, tile = get_content(caller, 3, 4, 7);

    assert_int_equal(call(caller, "GET", TILES "tileset.json", NULL), 200);
    error = caller_number(caller, "root.geometricError") / 8;
    skirts = error * 4;
    snprintf(path, sizeof path, "quadtree/3/4/0.glb?max_error=%.17g&skirts=%.17g", 3.0 / 32,
             skirts);
    node = get_tile(caller, path);
    assert_int_equal(node.vertices, tile.vertices);
    for (size_t i = 0; i < node.vertices; i++)
        for (int axis = 0; axis < 3; axis += 2) /* curtains may hang less deep */
            assert_true(node.at[i][axis] == tile.at[i][axis]);
    gltf_free(&node);
    gltf_free(&tile);
}

/* Bowring's: longitude, latitude (radians) and height of an Earth-fixed place. */
static void lonlat_of(const double fixed[3], double at[3])
{
    const double a = 6378137.0, f = 1 / 298.257223563, b = a * (1 - f);
    const double e2 = f * (2 - f), ep2 = e2 / (1 - e2), p = hypot(fixed[0], fixed[1]);
    double beta = atan2(fixed[2] * a, p * b);

    for (int i = 0; i < 5; i++) {
        at[1] = atan2(fixed[2] + ep2 * b * pow(sin(beta), 3), p - e2 * a * pow(cos(beta), 3));
        beta = atan2((1 - f) * sin(at[1]), cos(at[1]));
    }
    at[0] = atan2(fixed[1], fixed[0]);
    at[2] = p * cos(at[1]) + fixed[2] * sin(at[1]) - a * sqrt(1 - e2 * sin(at[1]) * sin(at[1]));
}

/* In a projection whose grid lies askew to the meridians, far from its middle. */
static void tiles_on_earth_lie_in_their_regions(void **state)
{
    static const char *const places[] = {
        "{\"crs\":\"EPSG:32633\",\"bounds\":[300000,5100000,303150,5101890]}",
        "{\"crs\":\"EPSG:4326\",\"bounds\":[11,46,11.315,46.189]}",
        "{\"crs\":\"EPSG:3857\",\"bounds\":[991700,5003000,1023200,5021900]}",
    };
    struct caller *caller = begin(state);

    for (size_t place = 0; place < 3; place++) {
        struct read_subtree subtree;

        assert_int_equal(call(caller, "PATCH", LAND, places[place]), 200);
        assert_int_equal(get_subtree(caller, 0, 0, 0, &subtree), 200);
        for (int at = 0; at < 64; at++) {
            int x = at & 7, y = at >> 3;
            double region[6];
            struct gltf gltf;

            if (!tile_there(&subtree, 3, x, y))
                continue;
            tile_bounds(&subtree, 3, x, y, 6, region);
            gltf = get_content(caller, 3, x, y);
            for (size_t i = 0; i < gltf.vertices; i++) {
                const double fixed[3] = { gltf.at[i][0], -gltf.at[i][2], gltf.at[i][1] };
                double lonlat[3];

                lonlat_of(fixed, lonlat);
                assert_true(lonlat[0] >= region[0] && lonlat[0] <= region[2]);
                assert_true(lonlat[1] >= region[1] && lonlat[1] <= region[3]);
                assert_true(lonlat[2] >= region[4] - 0.01 && lonlat[2] <= region[5] + 0.01);
            }
            gltf_free(&gltf);
        }
        subtree_free(&subtree);
    }
}

/* Level ground, 120 km of it: flat triangles lie off it, but no more than they say. */
static void tiles_on_earth_say_how_far_they_are_off_it(void **state)
{
    struct caller *caller = begin(state);
    double error, most = 0;

    land_edit(caller, "{\"tool\":\"set\",\"height\":100,\"region\":{\"x\":0,\"y\":0,\"width\":316,"
                      "\"height\":190}}");
    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[11,46,12.575,46.945]}"),
        200);
    assert_int_equal(call(caller, "GET", TILES "tileset.json", NULL), 200);
    error = caller_number(caller, "root.geometricError");
    for (int level = 0; level < 4; level++) {
        struct gltf gltf = get_content(caller, level, 0, (1 << level) - 1);
        double bound = gltf_extra(&gltf, "bound");

        assert_true(bound <= ldexp(error, -level));
        for (size_t i = 0; i < gltf.triangles; i++) {
            double middle[3] = { 0 }, lonlat[3];

            for (int k = 0; k < 3; k++) {
                const double *at = gltf.at[gltf.corners[3 * i + k]];
                const double fixed[3] = { at[0] / 3, -at[2] / 3, at[1] / 3 };

                lonlat_of((const double[3]){ at[0], -at[2], at[1] }, lonlat);
                if (lonlat[2] < 99)
                    break; /* a curtain's */
                for (int axis = 0; axis < 3; axis++)
                    middle[axis] += fixed[axis];
            }
            if (lonlat[2] < 99)
                continue;
            lonlat_of(middle, lonlat);
            assert_true(fabs(lonlat[2] - 100) <= bound + 1e-3);
            most = fmax(most, fabs(lonlat[2] - 100));
        }
        gltf_free(&gltf);
    }
    assert_true(most > 1); /* the Earth is round */
}

static double lowest(const struct gltf *gltf)
{
    double least = INFINITY;

    for (size_t i = 0; i < gltf->vertices; i++) {
        const double fixed[3] = { gltf->at[i][0], -gltf->at[i][2], gltf->at[i][1] };
        double lonlat[3];

        lonlat_of(fixed, lonlat);
        least = fmin(least, lonlat[2]);
    }
    return least;
}

/* What heights refer to raises tiles and their regions, and gives them other names. */
static void tiles_on_earth_stand_above_the_ellipsoid(void **state)
{
    static const char tile[] = TILES "content/2/0/3.glb?error=8&depth=64";
    struct caller *caller = begin(state);
    double heights[2], regions[2];
    char etag[80];

    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[11,46,11.315,46.189]}"),
        200);
    for (int i = 0; i < 2; i++) {
        struct read_subtree subtree;
        struct gltf gltf;
        double region[6];

        assert_int_equal(get_subtree(caller, 0, 0, 0, &subtree), 200);
        tile_bounds(&subtree, 2, 0, 3, 6, region);
        regions[i] = region[4];
        subtree_free(&subtree);
        assert_int_equal(call(caller, "GET", tile, NULL), 200);
        assert_int_equal(i && strcmp(etag, caller_header(caller, "ETag")) == 0, 0);
        snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
        gltf_read(caller->body, caller->length, &gltf);
        heights[i] = lowest(&gltf);
        gltf_free(&gltf);
        assert_int_equal(call(caller, "PATCH", LAND, "{\"ellipsoid_offset\":123.5}"), 200);
    }
    assert_true(fabs(heights[1] - heights[0] - 123.5) < 0.01);
    assert_true(fabs(regions[1] - regions[0] - 123.5) < 1e-6);
}

/* With what the tileset writes into its address, a tile depends on what lies around it alone; and
 * it is the tile that it is without. */
static void a_tiles_name_changes_with_its_bytes(void **state)
{
    struct caller *caller = begin(state);
    char query[120], targets[2][200], etags[2][80];
    const char *uri;

    assert_int_equal(call(caller, "GET", TILES "tileset.json", NULL), 200);
    uri = strchr(caller_text(caller, "root.content.uri"), '?');
    assert_non_null(uri);
    snprintf(query, sizeof query, "%s", uri);
    for (int i = 0; i < 2; i++) {
        size_t length;
        char *plain;

        snprintf(targets[i], sizeof targets[i], TILES "content/3/%d/7.glb", i ? 4 : 0);
        plain = land_take(caller, targets[i], &length);
        strcat(targets[i], query);
        assert_int_equal(call(caller, "GET", targets[i], NULL), 200);
        assert_int_equal(caller->length, length);
        assert_memory_equal(caller->body, plain, length);
        snprintf(etags[i], sizeof etags[i], "%s", caller_header(caller, "ETag"));
        free(plain);
    }
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3,\"path\":[[270,20]],\"radius\":2}");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(call(caller, "GET", targets[i], NULL), 200);
        assert_int_equal(strcmp(caller_header(caller, "ETag"), etags[i]) != 0, i);
    }
}

static void a_tileset_of_nothing_but_holes_has_its_root(void **state)
{
    struct caller *caller = begin(state);
    struct read_subtree subtree;
    struct gltf gltf;

    land_edit(caller, "{\"tool\":\"hole\",\"region\":{\"x\":0,\"y\":0,\"width\":316,"
                      "\"height\":190}}");
    assert_int_equal(get_subtree(caller, 0, 0, 0, &subtree), 200);
    assert_true(tile_there(&subtree, 0, 0, 0));
    assert_false(tile_there(&subtree, 1, 0, 1));
    gltf = get_content(caller, 0, 0, 0);
    assert_int_equal(gltf.triangles, 0);
    gltf_free(&gltf);
    subtree_free(&subtree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(tiles_are_there_where_there_is_ground),
        TEST(tiles_lie_in_their_boxes),
        TEST(errors_halve_and_hold),
        TEST(a_tile_is_the_quadtrees_node),
        TEST(tiles_on_earth_lie_in_their_regions),
        TEST(tiles_on_earth_say_how_far_they_are_off_it),
        TEST(tiles_on_earth_stand_above_the_ellipsoid),
        TEST(a_tiles_name_changes_with_its_bytes),
        TEST(a_tileset_of_nothing_but_holes_has_its_root),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

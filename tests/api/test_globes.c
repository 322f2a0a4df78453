/* Terrain for globes through the API: what layer.json promises is there and nothing else, what is
 * negotiated, and what an edit makes new. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/land.h"

#include "api/cache.h"
#include "terrain/format/earth.h"
#include "tests/format/quantized.h"

#define ALL_EXTENSIONS                                                                             \
    "application/vnd.quantized-mesh;extensions=octvertexnormals-watermask-metadata,"               \
    "application/octet-stream;q=0.9,*/*;q=0.01"

enum { WEST = 7, NORTH = 46 };

/* 126 quads over 0.09 degrees. */
static void place(struct caller *caller)
{
    assert_int_equal(
        call(caller, "PATCH", LAND, "{\"crs\":\"EPSG:4326\",\"bounds\":[7,45.91,7.09,46]}"), 200);
}

static int begin(void **state)
{
    struct caller *caller;

    if (caller_begin(state) != 0)
        return -1;
    caller = land_begin(state);
    place(caller);
    land_edit(caller, "{\"tool\":\"noise\"," LAND_ALL ",\"amplitude\":60,\"cell\":20,\"seed\":3}");
    return 0;
}

static int get(struct caller *caller, const char *format, int z, int x, int y, const char *rest)
{
    char target[300];

    snprintf(target, sizeof target, LAND "/%s/%d/%d/%d.terrain%s", format, z, x, y, rest);
    return call(caller, "GET", target, NULL);
}

static int maxzoom(struct caller *caller, const char *format, const char *query)
{
    char target[200];

    snprintf(target, sizeof target, LAND "/%s/layer.json%s", format, query);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return (int)caller_number(caller, "maxzoom");
}

/* Whether layer.json, kept as JSON, calls a tile available. */
static bool available(const json_t *layer, int z, int x, int y)
{
    const json_t *ranges = json_array_get(json_object_get(layer, "available"), (size_t)z);
    size_t i;
    json_t *range;

    json_array_foreach(ranges, i, range)
    {
        if (x >= json_integer_value(json_object_get(range, "startX")) &&
            x <= json_integer_value(json_object_get(range, "endX")) &&
            y >= json_integer_value(json_object_get(range, "startY")) &&
            y <= json_integer_value(json_object_get(range, "endY")))
            return true;
    }
    return false;
}

static void walk(struct caller *caller, const char *format)
{
    const int most = maxzoom(caller, format, "");
    json_t *layer = json_deep_copy(caller->json);
    int there = 0, missing = 0;

    assert_string_equal(json_string_value(json_object_get(layer, "scheme")), "tms");
    assert_true(available(layer, 0, 0, 0) && available(layer, 0, 1, 0));
    assert_int_equal(json_array_size(json_object_get(layer, "available")), most + 1);
    for (int k = 0; k < 4; k++)
        assert_true(
            fabs(json_number_value(json_array_get(json_object_get(layer, "bounds"), (size_t)k)) -
                 (const double[]){ 7, 45.91, 7.09, 46 }[k]) < 1e-9);
    for (int z = 0; z <= most; z++) {
        const json_t *ranges = json_array_get(json_object_get(layer, "available"), (size_t)z);
        size_t i;
        json_t *range;

        json_array_foreach(ranges, i, range)
        {
            const int first = (int)json_integer_value(json_object_get(range, "startX"));
            const int last = (int)json_integer_value(json_object_get(range, "endX"));
            const int south = (int)json_integer_value(json_object_get(range, "startY"));
            const int north = (int)json_integer_value(json_object_get(range, "endY"));

            /* And one all around. */
            for (int x = first - 1; x <= last + 1; x++)
                for (int y = south - 1; y <= north + 1; y++) {
                    const bool is = available(layer, z, x, y);

                    if (x < 0 || y < 0)
                        continue;
                    assert_int_equal(get(caller, format, z, x, y, ""), is ? 200 : 404);
                    assert_true(caller->length > 0);
                    there += is;
                    missing += !is;
                    for (int c = 0; is && c < 4; c++)
                        assert_int_equal(
                            get(caller, format, z + 1, 2 * x + c % 2, 2 * y + c / 2, ""),
                            available(layer, z + 1, 2 * x + c % 2, 2 * y + c / 2) ? 200 : 404);
                }
        }
    }
    assert_true(there > most && missing > 10);
    json_decref(layer);
}

/* TIL-08, TIL-16: each available tile is 200, no other has data, both roots exist. */
static void what_layer_json_promises_is_there_and_nothing_else(void **state)
{
    walk(*state, "cesium");
    walk(*state, "heightmap");
}

/* TIL-06: the mark stands in the tile under it, counted from the south. */
static void rows_are_counted_from_the_south(void **state)
{
    struct caller *caller = *state;
    const int z = maxzoom(caller, "cesium", "");
    const double size = 180 / ldexp(1, z), east = WEST + 0.09 * 20 / 126,
                 north = NORTH - 0.09 * 100 / 126;
    const int x = (int)floor((east + 180) / size), y = (int)floor((north + 90) / size);
    struct quantized tile;
    double most = -INFINITY;

    land_edit(caller, "{\"tool\":\"raise\",\"path\":[[20,100]],\"radius\":300,\"amount\":150}");
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=0"), 200);
    tile = quantized_read(caller->body, caller->length);
    for (uint32_t i = 0; i < tile.count; i++)
        most = fmax(most, quantized_height(&tile, i));
    assert_true(most > 100);
    quantized_free(&tile);
}

/* Only what was asked for and is announced, and Vary says that it depends. */
static void extensions_come_when_they_are_asked_for(void **state)
{
    struct caller *caller = *state;
    char plain[64];
    struct quantized tile;

    assert_int_equal(get(caller, "cesium", 0, 1, 0, ""), 200);
    tile = quantized_read(caller->body, caller->length);
    assert_null(tile.normals);
    assert_null(tile.water);
    assert_null(tile.metadata);
    quantized_free(&tile);
    assert_string_equal(caller_header(caller, "Vary"), "Accept, Accept-Encoding");
    assert_string_equal(caller_header(caller, "Content-Type"), "application/vnd.quantized-mesh");
    snprintf(plain, sizeof plain, "%s", caller_header(caller, "ETag"));

    caller->accept = ALL_EXTENSIONS;
    assert_int_equal(get(caller, "cesium", 0, 1, 0, ""), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), plain);
    tile = quantized_read(caller->body, caller->length);
    assert_non_null(tile.normals);
    assert_null(tile.water); /* nobody said what water is */
    assert_null(tile.metadata);
    quantized_free(&tile);

    caller->accept = ALL_EXTENSIONS;
    assert_int_equal(get(caller, "cesium", 0, 1, 0, "?water_height=-1000&metadata_levels=3"), 200);
    tile = quantized_read(caller->body, caller->length);
    assert_int_equal(tile.water_bytes, 1);
    assert_int_equal(tile.water[0], 0);
    assert_non_null(tile.metadata);
    assert_non_null(strstr(tile.metadata, "\"available\":[[{\"startX\":"));
    quantized_free(&tile);

    assert_int_equal(
        get(caller, "cesium", 0, 1, 0, "?water_height=5&metadata_levels=3&extensions=watermask"),
        200);
    tile = quantized_read(caller->body, caller->length);
    assert_null(tile.normals);
    assert_null(tile.metadata);
    assert_int_equal(tile.water_bytes == 1 || tile.water_bytes == 65536, 1);
    quantized_free(&tile);

    /* Not every third zoom: nothing to tell. */
    caller->accept = ALL_EXTENSIONS;
    assert_int_equal(get(caller, "cesium", 1, 2, 1, "?metadata_levels=3"), 200);
    tile = quantized_read(caller->body, caller->length);
    assert_null(tile.metadata);
    quantized_free(&tile);
    assert_int_equal(call(caller, "GET", LAND "/cesium/layer.json?water_height=5", NULL), 200);
    assert_string_equal(caller_text(caller, "extensions.1"), "watermask");
    assert_true(json_is_null(json_object_get(caller->json, "metadataAvailability")));
}

/* An ETag of the content, the error in a header, and no more precision than was asked for. */
static void errors_are_stated_and_answers_compared(void **state)
{
    struct caller *caller = *state;
    const int z = maxzoom(caller, "cesium", "");
    const int x = (int)floor(187 / (180 / ldexp(1, z))),
              y = (int)floor((45.99 + 90) / (180 / ldexp(1, z)));
    char etag[64];
    size_t fine;

    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=0.1"), 200);
    fine = caller->length;
    assert_true(atof(caller_header(caller, "Landscape-Mesh-Error")) > 0);
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=10"), 200);
    assert_true(caller->length < fine);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=10"), 304);
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=0.1"), 200);
    /* Far away from the tile: the same. */
    land_edit(caller, "{\"tool\":\"raise\",\"path\":[[124,124]],\"radius\":80,\"amount\":1}");
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=10"), 304);
    /* HTTP-15: under it: new at once. */
    land_edit(caller, "{\"tool\":\"raise\",\"path\":[[10,10]],\"radius\":300,\"amount\":40}");
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=10"), 200);
}

/* HTTP-15: an edit in the tile next door that divides triangles along the border is seen by who has
 * this one, and by who asks for it anew. */
static void an_edit_next_door_is_seen(void **state)
{
    struct caller *caller = *state;
    const int z = maxzoom(caller, "cesium", "");
    const double size = 180 / ldexp(1, z), quad = 0.09 / 126;
    const int x = (int)floor(187.045 / size), y = (int)floor((45.955 + 90) / size);
    /* The border east of the tile, and a vertex well beyond what its normals need. */
    const int column = (int)ceil(((x + 1) * size - 187) / quad) + 7;
    const int row = (int)((46 - ((y + 0.5) * size - 90)) / quad);
    char etag[64], edit[200];

    land_edit(caller, "{\"tool\":\"set\",\"height\":0," LAND_ALL "}");
    /* Level blocks are named by their height alone: this one is not level. */
    land_edit(caller, "{\"tool\":\"set\",\"height\":5,\"region\":{\"x\":125,\"y\":125,\"width\":1,"
                      "\"height\":1}}");
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=0.01"), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=0.01"), 304);
    snprintf(
        edit, sizeof edit,
        "{\"tool\":\"set\",\"height\":60,\"region\":{\"x\":%d,\"y\":%d,\"width\":1,\"height\":1}}",
        column, row);
    land_edit(caller, edit);
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", z, x, y, "?max_error=0.01"), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), etag);
}

/* SEA-06. */
static void skirts_come_when_they_are_asked_for(void **state)
{
    static const char *const asked[] = { "?skirts=true", "?skirts=1", "?skirts=900",
                                         "?skirts=true&max_error=0&extensions=octvertexnormals" };
    struct caller *caller = *state;
    const int z = maxzoom(caller, "cesium", "?skirts=true");
    struct quantized tile;

    for (int i = 0; i < 4; i++)
        for (int zoom = 0; zoom <= z; zoom++) {
            const double size = 180 / ldexp(1, zoom);
            double error;

            assert_int_equal(get(caller, "cesium", zoom, (int)floor(187.045 / size),
                                 (int)floor(135.955 / size), asked[i]),
                             200);
            error = atof(caller_header(caller, "Landscape-Mesh-Error"));
            tile = quantized_read(caller->body, caller->length);
            quantized_check_skirts(&tile, i == 2   ? fmax(error, 900)
                                          : i == 1 ? fmax(error, 1)
                                                   : error);
            quantized_free(&tile);
        }
    assert_int_equal(get(caller, "cesium", 0, 1, 0, "?skirts=0"), 200);
    tile = quantized_read(caller->body, caller->length);
    quantized_check(&tile);
    quantized_free(&tile);
    get(caller, "cesium", 0, 1, 0, "?skirts=-1");
    assert_refused(caller, 400, "skirts");
}

/* The zoom's error, and an eighth of it where nothing finer follows. */
static void the_last_zoom_is_better_than_clients_take_it_to_be(void **state)
{
    struct caller *caller = *state;
    const int z = maxzoom(caller, "cesium", "");
    const int x = (int)floor(187 / (180 / ldexp(1, z))),
              y = (int)floor((45.99 + 90) / (180 / ldexp(1, z)));
    const double zoom_error = 77067.339779959 / ldexp(1, z);
    char query[60];
    size_t plain;

    for (int i = 0; i <= z; i++) {
        snprintf(query, sizeof query, "mesh_errors.%d", i);
        assert_true(fabs(caller_number(caller, query) * ldexp(1, i) / 77067.339779959 -
                         (i < z ? 1 : 0.125)) < 1e-9);
    }
    assert_int_equal(get(caller, "cesium", z, x, y, ""), 200);
    plain = caller->length;
    snprintf(query, sizeof query, "?max_error=%.17g", zoom_error / 8);
    assert_int_equal(get(caller, "cesium", z, x, y, query), 200);
    assert_true(fabs((double)caller->length - (double)plain) < (double)plain / 50);
    snprintf(query, sizeof query, "?max_error=%.17g", zoom_error);
    assert_int_equal(get(caller, "cesium", z, x, y, query), 200);
    assert_true(caller->length < plain);
}

static void water_is_what_is_painted(void **state)
{
    struct caller *caller = *state;
    const int z = maxzoom(caller, "heightmap", "");
    const int x = (int)floor(187.03 / (180 / ldexp(1, z))),
              y = (int)floor((45.97 + 90) / (180 / ldexp(1, z)));

    caller_paint(caller, "land", "lake", false);
    assert_int_equal(get(caller, "heightmap", z, x, y, "?water_layer=lake"), 200);
    assert_int_equal(caller->length, 65 * 65 * 2 + 2);
    assert_int_equal(caller->body[65 * 65 * 2 + 1], 0);
    land_edit(caller, "{\"tool\":\"paint\",\"layer\":\"lake\",\"target\":255," LAND_ALL "}");
    assert_int_equal(get(caller, "heightmap", z, x, y, "?water_layer=lake"), 200);
    assert_true(caller->length == 65 * 65 * 2 + 2 || caller->length == 65 * 65 * 2 + 1 + 65536);
    assert_non_null(memchr(caller->body + 65 * 65 * 2 + 1, 255, caller->length - 65 * 65 * 2 - 1));
    get(caller, "heightmap", z, x, y, "?water_layer=sea");
    assert_refused(caller, 400, "water_layer");
    get(caller, "heightmap", z, x, y, "?water_layer=lake&water_height=1");
    assert_refused(caller, 400, "water_height");
}

/* Heights above the ellipsoid: by the settings, by a raster, and further as asked. */
static void the_datum_is_applied_and_stated(void **state)
{
    struct caller *caller = *state;
    static const uint16_t flat[4] = { 65535, 65535, 65535, 65535 };
    char etag[64];
    struct quantized tile;
    double before, after;

    assert_int_equal(get(caller, "cesium", 2, 0, 0, "?max_error=0"), 404);
    assert_int_equal(get(caller, "cesium", 0, 0, 0, "?fill=10"), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    tile = quantized_read(caller->body, caller->length);
    before = quantized_height(&tile, 0);
    quantized_free(&tile);
    caller->type = "application/x-r16";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/rasters/egm?width=2&height=2", flat, 8), 201);
    assert_int_equal(call(caller, "PATCH", LAND,
                          "{\"vertical_datum\":\"EPSG:5773\",\"ellipsoid_offset\":1.5,"
                          "\"geoid\":\"egm\",\"geoid_metres\":[-100,48]}"),
                     200);
    assert_string_equal(caller_text(caller, "vertical_datum"), "EPSG:5773");
    caller->if_none_match = etag;
    assert_int_equal(get(caller, "cesium", 0, 0, 0, "?fill=10&height_offset=2"), 200);
    tile = quantized_read(caller->body, caller->length);
    after = quantized_height(&tile, 0);
    quantized_free(&tile);
    assert_true(fabs(before - 10) < 0.02);
    assert_true(fabs(after - (10 + 1.5 + 48 + 2)) < 0.02);
    assert_int_equal(call(caller, "GET", LAND "/cesium/layer.json?height_offset=2", NULL), 200);
    assert_string_equal(caller_text(caller, "vertical_datum"), "EPSG:5773");
    assert_string_equal(caller_text(caller, "geoid"), "egm");
    assert_true(caller_number(caller, "height_offset") == 2);
    /* Maps stay as they are, and a geoid that is gone is said so. */
    assert_int_equal(call(caller, "DELETE", "/v1/rasters/egm", NULL), 204);
    get(caller, "cesium", 0, 0, 0, "");
    assert_refused(caller, 422, "");
    caller_restart(caller);
    assert_int_equal(call(caller, "PATCH", LAND, "{\"geoid\":null}"), 200);
    assert_true(json_is_null(json_object_get(caller->json, "geoid")));
    assert_string_equal(caller_text(caller, "vertical_datum"), "EPSG:5773");
    assert_int_equal(get(caller, "cesium", 0, 0, 0, ""), 200);
}

static void put_geoid(struct caller *caller, uint16_t sample)
{
    const uint16_t flat[4] = { sample, sample, sample, sample };

    caller->type = "application/x-r16";
    call_bytes(caller, "PUT", "/v1/rasters/egm?width=2&height=2", flat, 8);
    assert_true(caller->status == 201 || caller->status == 200);
}

/* One that is replaced between the naming of an answer and its making: what is made of the new one
 * is not kept under the old one's name. */
static void a_geoid_replaced_meanwhile_is_not_kept_under_the_old_name(void **state)
{
    struct caller *caller = *state;
    struct cache_numbers before, after;
    struct dispatch dispatch;
    struct quantized tile;

    put_geoid(caller, 0);
    assert_int_equal(call(caller, "PATCH", LAND, "{\"geoid\":\"egm\",\"geoid_metres\":[-100,48]}"),
                     200);
    dispatch_init(&dispatch, &caller->service);
    dispatch.head = (struct head){ .method = "GET",
                                   .target = LAND "/cesium/0/0/0.terrain?fill=10",
                                   .host = "localhost" };
    assert_int_equal(dispatch_begin(&dispatch), DISPATCH_READY);
    assert_int_equal(dispatch_ready(&dispatch, NULL, 0), DISPATCH_SLOW);
    put_geoid(caller, 65535);
    cache_numbers(caller->service.cache, &before);
    dispatch_run(&dispatch);
    cache_numbers(caller->service.cache, &after);
    assert_int_equal(dispatch.reply.status, 200);
    assert_null(dispatch.reply.kept);
    assert_int_equal(after.answers, before.answers);
    tile = quantized_read(dispatch.reply.body.data, dispatch.reply.body.length);
    assert_true(fabs(quantized_height(&tile, 0) - 58) < 0.02);
    /* Under its own name it is, and it is the same. */
    assert_int_equal(get(caller, "cesium", 0, 0, 0, "?fill=10"), 200);
    assert_int_equal(caller->length, dispatch.reply.body.length);
    assert_memory_equal(caller->body, dispatch.reply.body.data, caller->length);
    cache_numbers(caller->service.cache, &after);
    assert_int_equal(after.answers, before.answers + 1);
    quantized_free(&tile);
    dispatch_fini(&dispatch);
}

static void without_a_place_it_is_said_what_to_set(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PATCH", LAND, "{\"crs\":null,\"bounds\":null}"), 200);
    call(caller, "GET", LAND "/cesium/layer.json", NULL);
    assert_refused(caller, 422, "");
    assert_non_null(strstr(caller->body, "bounds"));
    get(caller, "cesium", 0, 0, 0, "");
    assert_refused(caller, 422, "");
    get(caller, "heightmap", 0, 0, 0, "");
    assert_refused(caller, 422, "");
}

/* Whoever joins them by something else gets what can be read of it, and soon. */
static void names_of_extensions_end_whatever_is_between_them(void **state)
{
    static const char *const joined[] = { "?extensions=octvertexnormals,watermask",
                                          "?extensions=,;octvertexnormals%20", "?extensions=;;,,--",
                                          "?extensions=%22octvertexnormals%22%09-" };
    struct caller *caller = *state;
    size_t plain, with_normals;

    get(caller, "cesium", 0, 1, 0, "");
    plain = caller->length;
    get(caller, "cesium", 0, 1, 0, "?extensions=octvertexnormals");
    with_normals = caller->length;
    assert_true(with_normals > plain);
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        assert_int_equal(get(caller, "cesium", 0, 1, 0, joined[i]), 200);
        assert_int_equal(caller->length, strstr(joined[i], "oct") ? with_normals : plain);
    }
}

/* HTTP-10. */
static void wrong_numbers_are_refused(void **state)
{
    static const char *const wrong[] = { "31/0/0",
                                         "-1/0/0",
                                         "30/0/0",
                                         "0/2/0",
                                         "0/0/1",
                                         "3/16/0",
                                         "3/0/8",
                                         "1.5/0/0",
                                         "0x1/0/0",
                                         "3//0",
                                         "64/0/0",
                                         "3/0/1e3",
                                         "3/99999999999999999999/0" };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char target[120];

        snprintf(target, sizeof target, LAND "/cesium/%s.terrain", wrong[i]);
        call(caller, "GET", target, NULL);
        assert_true(caller->status == 400 || caller->status == 404);
        snprintf(target, sizeof target, LAND "/heightmap/%s.terrain", wrong[i]);
        call(caller, "GET", target, NULL);
        assert_true(caller->status == 400 || caller->status == 404);
    }
}

int main(void)
{
#define ON_LAND(test) cmocka_unit_test_setup_teardown(test, begin, caller_end)
    const struct CMUnitTest tests[] = {
        ON_LAND(what_layer_json_promises_is_there_and_nothing_else),
        ON_LAND(rows_are_counted_from_the_south),
        ON_LAND(extensions_come_when_they_are_asked_for),
        ON_LAND(names_of_extensions_end_whatever_is_between_them),
        ON_LAND(errors_are_stated_and_answers_compared),
        ON_LAND(an_edit_next_door_is_seen),
        ON_LAND(skirts_come_when_they_are_asked_for),
        ON_LAND(the_last_zoom_is_better_than_clients_take_it_to_be),
        ON_LAND(water_is_what_is_painted),
        ON_LAND(the_datum_is_applied_and_stated),
        ON_LAND(a_geoid_replaced_meanwhile_is_not_kept_under_the_old_name),
        ON_LAND(without_a_place_it_is_said_what_to_set),
        ON_LAND(wrong_numbers_are_refused),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

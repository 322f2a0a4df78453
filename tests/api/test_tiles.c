/* Map tiles through the API: the demo against the judge, what an edit makes new, and what reports
 * say has gone wrong elsewhere. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/tile_set.h"
#include "tests/format/inputs.h"
#include "tests/format/judge.h"

static unsigned char *file_read(const char *path, size_t *length)
{
    const char *source = getenv("srcdir");
    char whole[512];
    unsigned char *data;
    FILE *from;

    snprintf(whole, sizeof whole, "%s/%s", source ? source : ".", path);
    from = fopen(whole, "rb");
    assert_non_null(from);
    fseek(from, 0, SEEK_END);
    *length = (size_t)ftell(from);
    rewind(from);
    data = malloc(*length);
    assert_int_equal(fread(data, 1, *length, from), *length);
    fclose(from);
    return data;
}

static void import_path(struct caller *caller, const char *path, const char *query)
{
    size_t length;
    unsigned char *data = file_read(path, &length);
    char target[200];

    snprintf(target, sizeof target, "/v1/landscapes/it/import?%s", query);
    caller->type = strstr(path, ".png") ? "image/png" : "image/tiff";
    if (call_bytes(caller, "POST", target, data, length) != 201)
        fail_msg("%s: %s", path, caller->body);
    free(data);
}

/* Lays 127 x 127 vertices over some ground, so that there are zooms coarser than their own and four
 * tiles of their own meet in the middle. */
static void place(struct caller *caller)
{
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/it",
                          "{\"crs\":\"EPSG:3857\",\"bounds\":[991700,5003000,1004300,5015600]}"),
                     200);
}

static int get_tile(struct caller *caller, const char *set, int z, int x, int y, const char *rest)
{
    char target[200];

    snprintf(target, sizeof target, "/v1/landscapes/it/tiles/%s/%d/%d/%d%s", set, z, x, y, rest);
    return call(caller, "GET", target, NULL);
}

static uint8_t *samples(struct caller *caller, int side, int channels)
{
    int width, height, found;
    uint8_t *read = judge_png(caller->body, caller->length, &width, &height, &found);

    assert_non_null(read);
    assert_int_equal(width, side);
    assert_int_equal(height, side);
    assert_int_equal(found, channels);
    return read;
}

static void tilejson(struct caller *caller, const char *set, double bounds[4], int *maxzoom)
{
    char target[120], member[16];

    snprintf(target, sizeof target, "/v1/landscapes/it/tiles/%s/tilejson.json", set);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    for (int k = 0; k < 4; k++) {
        snprintf(member, sizeof member, "bounds.%d", k);
        bounds[k] = caller_number(caller, member);
    }
    *maxzoom = (int)caller_number(caller, "maxzoom");
}

/* Columns and rows of the tiles that have an area in common with the bounds. */
struct range {
    int x0, x1, y0, y1;
};

static struct range range_of(const double bounds[4], int z)
{
    const double n = ldexp(1, z);
    const double north = (1 - asinh(tan(bounds[3] * M_PI / 180)) / M_PI) / 2 * n;
    const double south = (1 - asinh(tan(bounds[1] * M_PI / 180)) / M_PI) / 2 * n;

    return (struct range){ (int)floor((bounds[0] + 180) / 360 * n),
                           (int)ceil((bounds[2] + 180) / 360 * n) - 1, (int)floor(north),
                           (int)ceil(south) - 1 };
}

/* What the judge needs, from the document and the raw heights. */
static struct judge judge_of(struct caller *caller, uint16_t **codes)
{
    struct judge judge = { .crs = "EPSG:4326" };
    char member[16];

    assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 200);
    judge.columns = (int)caller_number(caller, "size.0");
    judge.rows = (int)caller_number(caller, "size.1");
    judge.z_scale = caller_number(caller, "scale.2");
    judge.z_origin = caller_number(caller, "origin.2");
    for (int k = 0; k < 4; k++) {
        snprintf(member, sizeof member, "bounds.%d", k);
        judge.bounds[k] = caller_number(caller, member);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/heights?format=r16", NULL), 200);
    *codes = malloc(caller->length);
    memcpy(*codes, caller->body, caller->length);
    judge.codes = *codes;
    judge_open(&judge);
    return judge;
}

/* Metres beyond half an encoding step, at most, of one tile. */
static double tile_error(struct caller *caller, const struct judge *judge, int native,
                         const char *set, int z, int x, int y, int side)
{
    const bool mapbox = strcmp(set, "terrain-rgb") == 0;
    const double half = mapbox ? 0.05 : 1 / 512.0;
    double worst = 0;
    uint8_t *rgb;

    assert_int_equal(get_tile(caller, set, z, x, y, side == 512 ? "@2x.png" : ".png"), 200);
    rgb = samples(caller, side, 3);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            const uint8_t *at = rgb + 3 * ((size_t)j * side + i);
            const double metres = mapbox ? judge_terrain_rgb(at) : judge_terrarium(at);
            bool doubtful;
            const double expected = judge_pixel(judge, native, z, x, y, side, i, j, &doubtful);

            if (!doubtful)
                worst = fmax(worst, fabs(metres - (isnan(expected) ? 0 : expected)) - half);
        }
    free(rgb);
    return worst;
}

static void every_zoom_of_the_demo_agrees_with_the_judge(void **state)
{
    struct caller *caller = *state;
    double bounds[4], fine = 0, coarse = 0;
    struct judge judge;
    uint16_t *codes;
    int native;

    import_path(caller, "deploy/demo/jacksboro.tif", "");
    judge = judge_of(caller, &codes);
    tilejson(caller, "terrain-rgb", bounds, &native);
    assert_int_equal(native, judge_native(&judge));
    for (int z = 0; z <= native + 4; z++) {
        const struct range all = range_of(bounds, z);
        const int side = z % 4 == 3 ? 512 : 256;
        const double error = tile_error(caller, &judge, native, z % 2 ? "terrain-rgb" : "terrarium",
                                        z, z % 3 ? all.x0 : all.x1, z % 3 ? all.y1 : all.y0, side);

        if (z + (side == 512) >= native)
            fine = fmax(fine, error);
        else
            coarse = fmax(coarse, error);
    }
    print_message("beyond half a step: %.2g m at the native zoom and finer, %.2g m coarser\n", fine,
                  coarse);
    assert_true(fine <= 1e-3 && coarse <= 1e-3);
    judge_close(&judge);
    free(codes);
}

static void tilejson_says_where_tiles_are(void **state)
{
    static const struct {
        const char *set, *encoding;
    } sets[] = { { "terrain-rgb", "mapbox" },
                 { "terrarium", "terrarium" },
                 { "hillshade", NULL },
                 { "weights", NULL } };
    struct caller *caller = *state;
    double bounds[4];
    int maxzoom;

    import_path(caller, "deploy/demo/jacksboro.tif", "");
    for (int i = 0; i < 4; i++) {
        char url[160];

        tilejson(caller, sets[i].set, bounds, &maxzoom);
        assert_string_equal(caller_text(caller, "tilejson"), "3.0.0");
        snprintf(url, sizeof url, "http://localhost/v1/landscapes/it/tiles/%s/{z}/{x}/{y}.png",
                 sets[i].set);
        assert_string_equal(caller_text(caller, "tiles.0"), url);
        assert_string_equal(caller_text(caller, "scheme"), "xyz");
        assert_true(caller_number(caller, "minzoom") == 0);
        assert_int_equal(maxzoom, 11);
        assert_true(caller_number(caller, "tileSize") == 256);
        if (sets[i].encoding)
            assert_string_equal(caller_text(caller, "encoding"), sets[i].encoding);
        else
            assert_null(json_object_get(caller->json, "encoding"));
        assert_true(fabs(bounds[0] + 84.4133333333) < 1e-6 && fabs(bounds[3] - 36.7325) < 1e-6);
    }
    assert_int_equal(
        call(caller, "GET", "/v1/landscapes/it/tiles/terrarium/tilejson.json?tile_size=512", NULL),
        200);
    assert_true(caller_number(caller, "tileSize") == 512);
    assert_non_null(strstr(caller_text(caller, "tiles.0"), "/{z}/{x}/{y}@2x.png"));
    call(caller, "GET", "/v1/landscapes/it/tiles/contour/tilejson.json", NULL);
    assert_refused(caller, 404, "");
}

/* Every tile with an area in common with the announced bounds is there, its neighbours are not. */
static void tiles_fill_the_announced_bounds_and_no_more(void **state)
{
    struct caller *caller = *state;
    double bounds[4];
    int maxzoom;

    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    tilejson(caller, "terrarium", bounds, &maxzoom);
    for (int z = 0; z <= maxzoom + 1; z++) {
        const struct range all = range_of(bounds, z);
        const int last = (1 << z) - 1;

        for (int y = all.y0 - 1; y <= all.y1 + 1; y++)
            for (int x = all.x0 - 1; x <= all.x1 + 1; x++) {
                const bool inside = x >= all.x0 && x <= all.x1 && y >= all.y0 && y <= all.y1;

                if (x < 0 || y < 0 || x > last || y > last)
                    continue;
                assert_int_equal(get_tile(caller, "terrarium", z, x, y, ".png"),
                                 inside ? 200 : 404);
                assert_true(caller->length > 0);
            }
    }
}

static void tiles_out_of_range_or_malformed_are_refused(void **state)
{
    static const char *const numbers[] = { "-1",
                                           "25",
                                           "30",
                                           "31",
                                           "32",
                                           "63",
                                           "64",
                                           "100000000000000000000",
                                           "1.5",
                                           "0x1",
                                           "",
                                           "a",
                                           "9223372036854775808",
                                           "%00",
                                           "%2F",
                                           "18446744073709551616",
                                           "+1",
                                           " 1",
                                           "1e99",
                                           "NaN" };
    struct caller *caller = *state;

    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (int place = 0; place < 3; place++) {
            char target[200];
            int status;

            snprintf(target, sizeof target, "/v1/landscapes/it/tiles/terrain-rgb/%s/%s/%s.png",
                     place == 0 ? numbers[i] : "3", place == 1 ? numbers[i] : "3",
                     place == 2 ? numbers[i] : "3");
            status = call(caller, "GET", target, NULL);
            if (status != 400 && status != 404)
                fail_msg("%s answers %d", target, status);
            assert_true(strlen(caller_text(caller, "detail")) > 10);
        }
    }
    /* Columns and rows that the zoom does not have. */
    assert_int_equal(get_tile(caller, "terrain-rgb", 3, 8, 0, ".png"), 404);
    assert_int_equal(get_tile(caller, "terrain-rgb", 3, 0, 8, ".png"), 404);
    assert_int_equal(get_tile(caller, "terrain-rgb", 0, 0, 0, ".jpg"), 404);
    assert_int_equal(get_tile(caller, "terrain-rgb", 0, 0, 0, ".png"), 200);
}

static void parameters_are_checked_and_unknown_ones_ignored(void **state)
{
    struct caller *caller = *state;

    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    assert_int_equal(get_tile(caller, "terrain-rgb", 0, 0, 0, ".png?v=7&access_token=x"), 200);
    assert_int_equal(get_tile(caller, "hillshade", 0, 0, 0, ".png?cachebust="), 200);
    get_tile(caller, "terrain-rgb", 0, 0, 0, ".png?fill=high");
    assert_refused(caller, 400, "fill");
    get_tile(caller, "terrain-rgb", 0, 0, 0, ".png?fill=nan");
    assert_refused(caller, 400, "fill");
    get_tile(caller, "hillshade", 0, 0, 0, ".png?sun_elevation=91");
    assert_refused(caller, 400, "sun_elevation");
}

/* TIL-02 */
static void pixels_off_the_landscape_are_zero_metres(void **state)
{
    static const uint8_t zero[3] = { 1, 134, 160 };
    struct caller *caller = *state;
    uint8_t *rgb;

    import_path(caller, "tests/inputs/surface/all_mid.png", "fit=exact");
    place(caller);
    for (int z = 0; z < 8; z += 7) {
        assert_int_equal(get_tile(caller, "terrain-rgb", z, z ? 67 : 0, z ? 47 : 0, ".png"), 200);
        rgb = samples(caller, 256, 3);
        for (int i = 0; i < 256 * 256; i++)
            assert_memory_equal(rgb + 3 * i, zero, 3); /* the ground is 0 m, too */
        free(rgb);
    }
    assert_int_equal(get_tile(caller, "terrain-rgb", 0, 0, 0, ".png?fill=-100"), 200);
    rgb = samples(caller, 256, 3);
    assert_true(fabs(judge_terrain_rgb(rgb) + 100) < 1e-9);
    free(rgb);
}

/* TIL-05 */
static void bytes_are_never_averaged(void **state)
{
    struct caller *caller = *state;
    double bounds[4];
    int native;

    import_path(caller, "tests/inputs/surface/rgb_wrap.png", "fit=exact");
    place(caller);
    tilejson(caller, "terrain-rgb", bounds, &native);
    for (int z = 0; z <= native + 4; z++) {
        const struct range all = range_of(bounds, z);
        uint8_t *rgb;

        assert_int_equal(get_tile(caller, "terrain-rgb", z, (all.x0 + all.x1) / 2,
                                  (all.y0 + all.y1) / 2, ".png?fill=9.5"),
                         200);
        rgb = samples(caller, 256, 3);
        for (int i = 0; i < 256 * 256; i++) {
            const double metres = judge_terrain_rgb(rgb + 3 * i);

            if (!(metres >= 9 - 1e-9 && metres <= 10 + 1e-9))
                fail_msg("%g m at zoom %d", metres, z);
        }
        free(rgb);
    }
}

/* TIL-01 */
static void depths_are_clamped_not_wrapped(void **state)
{
    struct caller *caller = *state;
    double bounds[4], lowest = 1e9, highest = -1e9;
    int native;
    struct range all;

    import_path(caller, "tests/inputs/geo/int16_deep_64.tif", "fit=exact");
    tilejson(caller, "terrain-rgb", bounds, &native);
    all = range_of(bounds, native);
    for (int y = all.y0; y <= all.y1; y++)
        for (int x = all.x0; x <= all.x1; x++) {
            uint8_t *rgb, *terrarium;

            assert_int_equal(get_tile(caller, "terrain-rgb", native, x, y, ".png"), 200);
            rgb = samples(caller, 256, 3);
            assert_int_equal(get_tile(caller, "terrarium", native, x, y, ".png"), 200);
            terrarium = samples(caller, 256, 3);
            for (int i = 0; i < 3 * 256 * 256; i += 3) {
                const double truth = judge_terrarium(terrarium + i);
                const double metres = judge_terrain_rgb(rgb + i);

                assert_true(fabs(metres - fmax(truth, -10000)) <= 0.05 + 1 / 512.0 + 1e-9);
                lowest = fmin(lowest, truth);
                highest = fmax(highest, truth);
            }
            free(rgb);
            free(terrarium);
        }
    assert_true(lowest < -10500 && highest > 10500);
}

/* Warm tiles, with what they were. */
struct warm {
    int set, z, x, y;
    char etag[80];
    char *body;
    size_t length;
};

static const char *const sets[] = { "terrain-rgb", "terrarium", "hillshade" };

static size_t warm_all(struct caller *caller, const double bounds[4], int finest, struct warm *warm)
{
    size_t count = 0;

    for (int z = 0; z <= finest; z++) {
        const struct range all = range_of(bounds, z);

        for (int y = all.y0; y <= all.y1; y++)
            for (int x = all.x0; x <= all.x1; x++)
                for (int set = 0; set < 3; set++) {
                    struct warm *one = &warm[count++];

                    assert_int_equal(get_tile(caller, sets[set], z, x, y, ".png"), 200);
                    *one = (struct warm){
                        .set = set, .z = z, .x = x, .y = y, .length = caller->length
                    };
                    snprintf(one->etag, sizeof one->etag, "%s", caller_header(caller, "ETag"));
                    one->body = malloc(one->length);
                    memcpy(one->body, caller->body, one->length);
                }
    }
    return count;
}

/* HTTP-15: A vertex is raised where four tiles of the native zoom meet: each tile is new exactly
 * when asked for again with what it was, or is what it was. */
static void after_an_edit_no_tile_is_old(void **state)
{
    struct caller *caller = *state;
    static struct warm warm[3000];
    const unsigned char peak[2] = { 255, 255 };
    double bounds[4];
    int native, renewed = 0, kept = 0;
    size_t count;
    struct range all;
    char target[160];

    import_path(caller, "tests/inputs/surface/ramp_diag.png", "fit=exact");
    place(caller);
    tilejson(caller, "terrain-rgb", bounds, &native);
    count = warm_all(caller, bounds, native + 2, warm);
    all = range_of(bounds, native);
    /* The grid position of the corner between the first two columns and rows of tiles. */
    const double circumference = 2 * M_PI * 6378137, tile = circumference / ldexp(1, native);
    const int column = (int)((-circumference / 2 + (all.x0 + 1) * tile - 991700) / 100);
    const int row = (int)((5015600 - (circumference / 2 - (all.y0 + 1) * tile)) / 100);
    snprintf(target, sizeof target, "/v1/landscapes/it/heights?x=%d&y=%d&width=1&height=1", column,
             row);
    assert_true(column >= 0 && column < 127 && row >= 0 && row < 127);
    caller->type = "application/x-r16";
    assert_int_equal(call_bytes(caller, "PUT", target, peak, 2), 200);
    for (size_t i = 0; i < count; i++) {
        struct warm *one = &warm[i];
        const bool same =
            (get_tile(caller, sets[one->set], one->z, one->x, one->y, ".png"),
             caller->length == one->length && memcmp(caller->body, one->body, one->length) == 0);

        assert_string_equal(caller_header(caller, "Landscape-Version"), "3");
        if (!same) {
            renewed++;
            if (strcmp(one->etag, caller_header(caller, "ETag")) == 0)
                fail_msg("%s %d/%d/%d changed under its ETag", sets[one->set], one->z, one->x,
                         one->y);
        }
        caller->if_none_match = one->etag;
        if (get_tile(caller, sets[one->set], one->z, one->x, one->y, ".png") == 304)
            kept += same;
        else
            assert_int_equal(caller->status, 200);
        free(one->body);
    }
    print_message("%zu tiles, %d changed, %d unchanged under their ETag\n", count, renewed, kept);
    assert_true(renewed >= 3 * 3 * 4);              /* four a set at the native zoom and beyond */
    assert_true(kept >= (int)count - renewed - 24); /* and hardly any is new without need */
}

/* TIL-16 of every set and kind of file: what there is has bytes, what there is not is 404, and
 * TileJSON names what there is. */
static void every_set_answers_in_the_same_ways(void **state)
{
    static const char *const beyond[] = { "0/0/1", "3/0/0", "16/0/0", "2/4/0" };
    struct caller *caller = *state;

    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    for (int s = 0; tile_sets[s]; s++)
        for (int k = 0; tile_sets[s]->kinds[k]; k++) {
            const char *name = tile_sets[s]->name, *kind = tile_sets[s]->kinds[k]->extension;
            char target[200], first[100];

            for (int large = 0; large < 2; large++) {
                snprintf(target, sizeof target, "/v1/landscapes/it/tiles/%s/0/0/0%s.%s", name,
                         large ? "@2x" : "", kind);
                assert_int_equal(call(caller, "GET", target, NULL), 200);
                assert_true(caller->length > 20);
                assert_string_equal(caller_header(caller, "Content-Type"),
                                    tile_sets[s]->kinds[k]->media[0]);
                assert_non_null(strstr(caller_header(caller, "Cache-Control"), "no-cache"));
                snprintf(first, sizeof first, "%s", caller_header(caller, "ETag"));
                caller->if_none_match = first;
                assert_int_equal(call(caller, "GET", target, NULL), 304);
            }
            for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
                snprintf(target, sizeof target, "/v1/landscapes/it/tiles/%s/%s.%s", name, beyond[i],
                         kind);
                call(caller, "GET", target, NULL);
                assert_refused(caller, 404, "");
            }
            snprintf(target, sizeof target, "/v1/landscapes/it/tiles/%s/0/0/0x.%s", name, kind);
            assert_int_equal(call(caller, "GET", target, NULL), 400);
            snprintf(target, sizeof target, "/v1/landscapes/it/tiles/%s/tilejson.json?format=%s",
                     name, kind);
            assert_int_equal(call(caller, "GET", target, NULL), 200);
            assert_string_equal(caller_text(caller, "format"), kind);
            snprintf(target, sizeof target,
                     "http://localhost/v1/landscapes/it/tiles/%s/{z}/{x}/{y}.%s", name, kind);
            assert_string_equal(caller_text(caller, "tiles.0"), target);
        }
    call(caller, "GET", "/v1/landscapes/it/tiles/slope/tilejson.json?format=zst", NULL);
    assert_refused(caller, 400, "format");
}

/* What tiles are asked with goes with their address. */
static void tilejson_carries_options(void **state)
{
    struct caller *caller = *state;
    static const char end[] = ".webp?registration=corner&buffer=1&fill=-5";

    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    assert_int_equal(call(caller, "GET",
                          "/v1/landscapes/it/tiles/terrarium/"
                          "tilejson.json?registration=corner&buffer=1&format=webp&fill=-5",
                          NULL),
                     200);
    assert_non_null(strstr(caller_text(caller, "tiles.0"), end));
    assert_string_equal(caller_text(caller, "encoding"), "terrarium");
    assert_int_equal(
        call(caller, "GET", "/v1/landscapes/it/tiles/slope/tilejson.json?style=exact", NULL), 200);
    assert_string_equal(caller_text(caller, "encoding"), "terrarium");
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png?buffer=7"), 200);
    free(samples(caller, 256 + 14, 3));
    get_tile(caller, "terrarium", 0, 0, 0, ".png?buffer=65");
    assert_refused(caller, 400, "buffer");
    get_tile(caller, "terrarium", 0, 0, 0, ".png?registration=edge");
    assert_refused(caller, 400, "registration");
}

static void a_tile_has_the_same_etag_until_it_changes(void **state)
{
    struct caller *caller = *state;
    char first[80];

    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 200);
    snprintf(first, sizeof first, "%s", caller_header(caller, "ETag"));
    assert_non_null(strstr(caller_header(caller, "Cache-Control"), "no-cache"));
    caller->if_none_match = first;
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 304);
    assert_int_equal(caller->length, 0);
    caller->if_none_match = first;
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png?fill=1"), 200);
    caller->if_none_match = first;
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, "@2x.png"), 200);
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/it", "{\"title\":\"Another name\"}"),
                     200);
    caller->if_none_match = first;
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 304);
    caller_restart(caller);
    caller->if_none_match = first;
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 304);
    /* Deleted and made again, it is another landscape. */
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/it", NULL), 204);
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 404);
    import_path(caller, "tests/inputs/geo/geographic_64.tif", "");
    caller->if_none_match = first;
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 200);
}

static void without_a_crs_the_own_grid_has_the_same_routes(void **state)
{
    struct caller *caller = *state;
    double bounds[4];
    int native;
    uint8_t *rgb;

    import_path(caller, "tests/inputs/surface/ramp_diag.png", "fit=exact");
    tilejson(caller, "terrarium", bounds, &native);
    assert_int_equal(native, 0);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/heights?format=f32", NULL), 200);
    float *metres = malloc(caller->length);
    memcpy(metres, caller->body, caller->length);
    assert_int_equal(get_tile(caller, "terrarium", 0, 0, 0, ".png"), 200);
    rgb = samples(caller, 256, 3);
    for (int y = 0; y < 127; y++)
        for (int x = 0; x < 127; x++)
            assert_true(fabs(judge_terrarium(rgb + 3 * (y * 256 + x)) - metres[y * 127 + x]) <=
                        1 / 512.0 + 1e-6);
    assert_true(judge_terrarium(rgb + 3 * 127) == 0);
    free(rgb);
    free(metres);
    assert_int_equal(get_tile(caller, "terrarium", 1, 0, 0, ".png"), 200);
    assert_int_equal(get_tile(caller, "terrarium", 1, 1, 0, ".png"), 404);
    assert_int_equal(get_tile(caller, "terrarium", 4, 7, 7, "@2x.png"), 200);
    assert_int_equal(get_tile(caller, "terrarium", 5, 0, 0, ".png"), 404);
}

static void the_face_towards_the_light_is_brighter(void **state)
{
    struct caller *caller = *state;

    /* A ridge from north to south with its crest at column 31. */
    import_path(caller, "tests/inputs/surface/ridge_x.png", "fit=exact");
    for (int azimuth = 90; azimuth <= 270; azimuth += 180) {
        char rest[60];
        uint8_t *gray;

        snprintf(rest, sizeof rest, ".png?sun_azimuth=%d", azimuth);
        assert_int_equal(get_tile(caller, "hillshade", 0, 0, 0, rest), 200);
        gray = samples(caller, 256, 1);
        if (azimuth == 270)
            assert_true(gray[60 * 256 + 15] > gray[60 * 256 + 47]);
        else
            assert_true(gray[60 * 256 + 15] < gray[60 * 256 + 47]);
        free(gray);
    }
}

int main(void)
{
#define TILES_TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TILES_TEST(tilejson_says_where_tiles_are),
        TILES_TEST(tiles_fill_the_announced_bounds_and_no_more),
        TILES_TEST(tiles_out_of_range_or_malformed_are_refused),
        TILES_TEST(parameters_are_checked_and_unknown_ones_ignored),
        TILES_TEST(pixels_off_the_landscape_are_zero_metres),
        TILES_TEST(bytes_are_never_averaged),
        TILES_TEST(depths_are_clamped_not_wrapped),
        TILES_TEST(after_an_edit_no_tile_is_old),
        TILES_TEST(every_set_answers_in_the_same_ways),
        TILES_TEST(tilejson_carries_options),
        TILES_TEST(a_tile_has_the_same_etag_until_it_changes),
        TILES_TEST(without_a_crs_the_own_grid_has_the_same_routes),
        TILES_TEST(the_face_towards_the_light_is_brighter),
        TILES_TEST(every_zoom_of_the_demo_agrees_with_the_judge),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

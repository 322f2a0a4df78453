/* What a GeoTIFF may say about its samples, each written by GDAL itself and read by ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/decode_job.h"
#include "terrain/format/gdal_warp.h"

enum { SIDE = 16 };
static const char path[] = "/vsimem/made.tif";

/* A file in the making: 16 x 16 samples of x + 100 y, unless the test says otherwise. */
struct made {
    GDALDataType type;
    int bands;
    double place[6];
    const char *crs, *unit;
    bool has_nodata, has_scale;
    double nodata, scale, offset;
    double first; /* instead of the first sample */
    bool palette;
};

static const struct made usual = {
    .type = GDT_Int16, .bands = 1, .place = { 1000, 10, 0, 5000, 0, -20 }, .crs = "EPSG:32616"
};

static void describe(GDALDatasetH set, const struct made *made)
{
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    double place[6];

    memcpy(place, made->place, sizeof place);
    GDALSetGeoTransform(set, place);
    if (made->crs) {
        OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);

        OSRSetFromUserInput(crs, made->crs);
        GDALSetSpatialRef(set, crs);
        OSRDestroySpatialReference(crs);
    }
    if (made->has_nodata)
        GDALSetRasterNoDataValue(band, made->nodata);
    if (made->has_scale) {
        GDALSetRasterScale(band, made->scale);
        GDALSetRasterOffset(band, made->offset);
    }
    if (made->unit)
        GDALSetRasterUnitType(band, made->unit);
    if (made->palette) {
        GDALColorTableH colours = GDALCreateColorTable(GPI_RGB);
        GDALColorEntry red = { 255, 0, 0, 255 };

        GDALSetColorEntry(colours, 1, &red);
        GDALSetRasterColorTable(band, colours);
        GDALDestroyColorTable(colours);
    }
}

/* The file's bytes, good until the next one is made. */
static const void *file_of(const struct made *made, size_t *length)
{
    static bool prepared;
    double samples[SIDE * SIDE];
    vsi_l_offset size;
    GDALDatasetH set;

    if (!prepared)
        decode_prepare();
    prepared = true;
    for (int n = 0; n < SIDE * SIDE; n++)
        samples[n] = n % SIDE + (made->type == GDT_Byte ? 15 : 100) * (n / SIDE);
    if (made->first != 0)
        samples[0] = made->first;
    set = GDALCreate(GDALGetDriverByName("GTiff"), path, SIDE, SIDE, made->bands, made->type, NULL);
    assert_non_null(set);
    describe(set, made);
    for (int band = 1; band <= made->bands; band++)
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(set, band), GF_Write, 0, 0, SIDE, SIDE,
                                      samples, SIDE, SIDE, GDT_Float64, 0, 0),
                         CE_None);
    GDALClose(set);
    void *data = VSIGetMemFileBuffer(path, &size, FALSE);

    assert_non_null(data);
    *length = (size_t)size;
    return data;
}

static struct decode_answer answer;

static bool read_made(const struct made *made, const struct decode_options *options)
{
    static struct decode_job job;
    size_t length;
    const void *data = file_of(made, &length);

    memset(&job, 0, sizeof job);
    job.length = length;
    job.options = *options;
    decode_perform(&job, data, &raster_heap, &answer);
    return answer.stage == DECODE_DONE;
}

static const struct decode_options plain = { .limits = { 1000, 1000000 }, .driver = -1 };

static double sample(int x, int y)
{
    double value;

    raster_read(&answer.raster, x, y, 1, &value);
    return value;
}

static void every_type_of_number_is_read_as_it_is(void **state)
{
    static const struct {
        GDALDataType type;
        const char *name;
        int depth;
        double first;
    } rows[] = {
        { GDT_Byte, "uint8", 8, 255 },
        { GDT_UInt16, "uint16", 16, 65535 },
        { GDT_Int16, "int16", 16, -32768 },
        { GDT_UInt32, "uint32", 32, 4294967295.0 },
        { GDT_Int32, "int32", 32, -2147483647.0 },
        { GDT_Float32, "float32", 32, -0.15625 },
        { GDT_Float64, "float64", 64, 1.0 / 3 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made made = usual;

        made.type = rows[i].type;
        made.first = rows[i].first;
        assert_true(read_made(&made, &plain));
        assert_string_equal(answer.raster.type, rows[i].name);
        assert_int_equal(answer.raster.depth, rows[i].depth);
        assert_true(sample(0, 0) == rows[i].first);
        assert_true(sample(3, 2) == (rows[i].type == GDT_Byte ? 33 : 203));
        assert_false(answer.raster.codes);
        raster_free(&answer.raster);
    }
}

static void void_values_are_compared_in_the_type_of_the_samples(void **state)
{
    static const struct {
        GDALDataType type;
        double nodata;
    } rows[] = {
        { GDT_Float32, -3.4028234663852886e38 },
        { GDT_Float32, -9999.1 },
        { GDT_Float64, -9999.1 },
        { GDT_Int16, -32768 },
        { GDT_Int32, -2147483647 },
        { GDT_Float32, NAN },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made made = usual;

        made.type = rows[i].type;
        made.has_nodata = true;
        made.nodata = made.first = rows[i].nodata;
        assert_true(read_made(&made, &plain));
        assert_int_equal(answer.raster.voids, 1);
        assert_true(isnan(sample(0, 0)));
        assert_true(answer.raster.least == 1 && answer.raster.greatest == 1515);
        raster_free(&answer.raster);
    }
}

static void infinities_are_refused_unless_they_stand_for_no_data(void **state)
{
    struct made made = usual;

    (void)state;
    made.type = GDT_Float32;
    made.first = INFINITY;
    assert_false(read_made(&made, &plain));
    assert_int_equal(answer.why.code, FAULT_NOT_FINITE);
    raster_free(&answer.raster);
    made.first = -INFINITY;
    assert_false(read_made(&made, &plain));
    raster_free(&answer.raster);
    made.has_nodata = true;
    made.nodata = -INFINITY;
    assert_true(read_made(&made, &plain));
    assert_int_equal(answer.raster.voids, 1);
    raster_free(&answer.raster);
}

static void scale_offset_and_feet_come_to_metres(void **state)
{
    struct made made = usual;

    (void)state;
    made.has_scale = true;
    made.scale = 0.5;
    made.offset = -7;
    assert_true(read_made(&made, &plain));
    assert_true(sample(3, 2) == 203 * 0.5 - 7);
    raster_free(&answer.raster);

    made.has_scale = false;
    made.unit = "ft";
    assert_true(read_made(&made, &plain));
    assert_float_equal(sample(3, 2), 203 * 0.3048, 1e-12);
    assert_int_equal(answer.raster.warning_count, 1);
    raster_free(&answer.raster);

    made.unit = "US survey foot";
    assert_true(read_made(&made, &plain));
    assert_float_equal(sample(3, 2), 203 * 1200.0 / 3937, 1e-12);
    raster_free(&answer.raster);

    made.unit = "metre";
    assert_true(read_made(&made, &plain));
    assert_true(sample(3, 2) == 203);
    assert_int_equal(answer.raster.warning_count, 0);
    raster_free(&answer.raster);
}

static void rows_from_the_south_are_turned(void **state)
{
    struct made made = usual;

    (void)state;
    made.place[5] = 20;
    assert_true(read_made(&made, &plain));
    assert_true(sample(3, 0) == 1503 && sample(3, 15) == 3);
    assert_true(answer.raster.stepped);
    assert_true(answer.raster.north == 5000 + 20 * 15.5 && answer.raster.step_y == 20);
    raster_free(&answer.raster);
}

static void a_rotated_or_mirrored_place_is_not_kept(void **state)
{
    struct made rotated = usual, mirrored = usual;

    (void)state;
    rotated.place[2] = 1;
    mirrored.place[1] = -10;
    for (int i = 0; i < 2; i++) {
        assert_true(read_made(i ? &mirrored : &rotated, &plain));
        assert_false(answer.raster.stepped);
        assert_string_equal(answer.raster.crs, "");
        assert_int_equal(answer.raster.warning_count, 1);
        assert_true(sample(3, 2) == 203);
        raster_free(&answer.raster);
    }
}

static void coordinate_systems_are_named_by_their_code(void **state)
{
    static const struct {
        const char *crs, *name;
    } rows[] = {
        { "EPSG:32616", "EPSG:32616" },
        { "EPSG:4326", "EPSG:4326" },
        { "EPSG:4979", "EPSG:4979" },
        { "EPSG:32616+5773", "EPSG:32616" },
        { "+proj=utm +zone=16 +datum=WGS84", "EPSG:32616" },
        { "LOCAL_CS[\"site\",UNIT[\"metre\",1]]", "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made made = usual;

        made.crs = rows[i].crs;
        made.place[0] = 10;
        made.place[3] = 20;
        made.place[1] = 0.001;
        made.place[5] = -0.001;
        assert_true(read_made(&made, &plain));
        if (strcmp(answer.raster.crs, rows[i].name) != 0)
            fail_msg("%s became %s", rows[i].crs, answer.raster.crs);
        assert_true(answer.raster.stepped);
        raster_free(&answer.raster);
    }
}

/* A plane in one CRS is a plane in another that is only moved and scaled. */
static void a_warp_keeps_a_plane_and_leaves_out_what_lies_beyond(void **state)
{
    struct decode_options to_degrees = plain, nowhere = plain;
    struct made made = usual;

    (void)state;
    made.type = GDT_Float32;
    made.place[0] = 500000;
    made.place[3] = 4000000;
    made.place[1] = 30;
    made.place[5] = -30;
    strcpy(to_degrees.warp_to, "EPSG:4326");
    assert_true(read_made(&made, &to_degrees));
    assert_true(answer.raster.warped);
    assert_string_equal(answer.raster.crs, "EPSG:4326");
    assert_string_equal(answer.raster.source_crs, "EPSG:32616");
    assert_int_equal(answer.raster.source_width, SIDE);
    assert_true(answer.raster.least >= -60 && answer.raster.greatest <= 1580);
    for (int y = 3; y < answer.raster.height - 3; y++) /* 100 m a row of 30 m */
        assert_float_equal(sample(8, y + 1) - sample(8, y),
                           100 * answer.raster.step_y * 110950 / 30, 5);
    raster_free(&answer.raster);

    strcpy(nowhere.warp_to, "EPSG:32616"); /* it is there already */
    assert_true(read_made(&made, &nowhere));
    assert_false(answer.raster.warped);
    raster_free(&answer.raster);
    strcpy(nowhere.warp_to, "EPSG:999999");
    assert_false(read_made(&made, &nowhere));
    assert_int_equal(answer.why.code, FAULT_IMPOSSIBLE);
    made.crs = NULL;
    assert_false(read_made(&made, &to_degrees));
    assert_int_equal(answer.why.code, FAULT_IMPOSSIBLE);
    made.crs = usual.crs;
    to_degrees.limits.side = 17;
    to_degrees.limits.samples = 257;
    assert_false(read_made(&made, &to_degrees));
    assert_int_equal(answer.why.code, FAULT_LIMIT);
}

static void what_are_no_heights_is_refused(void **state)
{
    struct made palette = usual, complex_numbers = usual;
    struct decode_options codes = plain;

    (void)state;
    palette.type = GDT_Byte;
    palette.palette = true;
    assert_false(read_made(&palette, &plain));
    assert_int_equal(answer.why.code, FAULT_COLOUR);
    complex_numbers.type = GDT_CFloat32;
    assert_false(read_made(&complex_numbers, &plain));
    assert_int_equal(answer.why.code, FAULT_COLOUR);
    codes.codes = true;
    assert_false(read_made(&usual, &codes));
    assert_int_equal(answer.why.code, FAULT_IMPOSSIBLE);
}

static void codes_of_unsigned_bands_are_widened(void **state)
{
    struct decode_options codes = plain;
    struct made made = usual;

    (void)state;
    codes.codes = true;
    made.type = GDT_Byte;
    assert_true(read_made(&made, &codes));
    assert_true(answer.raster.codes);
    assert_true(sample(3, 2) == 33 * 257);
    raster_free(&answer.raster);
    made.type = GDT_UInt16;
    made.has_nodata = true;
    made.nodata = 203;
    assert_true(read_made(&made, &codes));
    assert_true(sample(4, 2) == 204 && isnan(sample(3, 2)));
    raster_free(&answer.raster);
}

static void a_raster_beyond_the_limits_is_refused(void **state)
{
    struct decode_options small = plain;

    (void)state;
    small.limits.side = 15;
    assert_false(read_made(&usual, &small));
    assert_int_equal(answer.why.code, FAULT_LIMIT);
    small.limits.side = 16;
    small.limits.samples = 255;
    assert_false(read_made(&usual, &small));
    assert_int_equal(answer.why.code, FAULT_LIMIT);
}

/* A file cut anywhere is refused or the same, and never samples made up of nothing. */
static void a_file_cut_anywhere_makes_nothing_up(void **state)
{
    static struct decode_job job;
    size_t length;
    const void *data = file_of(&usual, &length);
    char *copy = memcpy(malloc(length), data, length);

    (void)state;
    for (size_t cut = 0; cut < length; cut++) {
        job = (struct decode_job){ .options = plain, .length = cut };
        decode_perform(&job, copy, &raster_heap, &answer);
        if (answer.stage == DECODE_DONE)
            for (int n = 0; n < SIDE * SIDE; n++)
                assert_true(sample(n % SIDE, n / SIDE) == n % SIDE + 100 * (n / SIDE));
        raster_free(&answer.raster);
    }
    free(copy);
}

/* Export */

struct kept_room {
    struct raster_room room;
    void *memory;
};

static void *keep(struct raster_room *room, size_t bytes, struct fault *why)
{
    struct kept_room *kept = (struct kept_room *)room;

    (void)why;
    return kept->memory = malloc(bytes);
}

static void what_is_written_as_geotiff_reads_back(void **state)
{
    static struct raster raster;
    static struct decode_job job;
    struct kept_room kept = { .room = { keep, RASTER_HEAP, NULL } };
    struct fault why = { 0 };
    float samples[6] = { 1.5f, -2.25f, NAN, 1000, 0, 7 };
    uint64_t length;

    (void)state;
    decode_prepare();
    raster = (struct raster){ .kind = RASTER_FLOATS,
                              .width = 3,
                              .height = 2,
                              .samples = samples,
                              .memory = RASTER_LENT,
                              .stepped = true,
                              .west = 100,
                              .north = 50,
                              .step_x = 2,
                              .step_y = 3,
                              .crs = "EPSG:3857" };
    assert_true(gdal_tiff(&raster, -9999, &kept.room, &length, &why));
    job = (struct decode_job){ .options = plain, .length = length };
    decode_perform(&job, kept.memory, &raster_heap, &answer);
    assert_int_equal(answer.stage, DECODE_DONE);
    assert_string_equal(answer.raster.crs, "EPSG:3857");
    assert_true(answer.raster.west == 100 && answer.raster.north == 50);
    assert_true(answer.raster.step_x == 2 && answer.raster.step_y == 3);
    for (int n = 0; n < 6; n++)
        assert_true(n == 2 ? isnan(sample(2, 0)) : sample(n % 3, n / 3) == samples[n]);
    raster_free(&answer.raster);
    free(kept.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_of_number_is_read_as_it_is),
        cmocka_unit_test(void_values_are_compared_in_the_type_of_the_samples),
        cmocka_unit_test(infinities_are_refused_unless_they_stand_for_no_data),
        cmocka_unit_test(scale_offset_and_feet_come_to_metres),
        cmocka_unit_test(rows_from_the_south_are_turned),
        cmocka_unit_test(a_rotated_or_mirrored_place_is_not_kept),
        cmocka_unit_test(coordinate_systems_are_named_by_their_code),
        cmocka_unit_test(a_warp_keeps_a_plane_and_leaves_out_what_lies_beyond),
        cmocka_unit_test(what_are_no_heights_is_refused),
        cmocka_unit_test(codes_of_unsigned_bands_are_widened),
        cmocka_unit_test(a_raster_beyond_the_limits_is_refused),
        cmocka_unit_test(a_file_cut_anywhere_makes_nothing_up),
        cmocka_unit_test(what_is_written_as_geotiff_reads_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

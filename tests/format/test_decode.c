/* Every input file becomes the samples that its manifest expects, or is refused with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "terrain/format/decode.h"
#include "terrain/format/decode_job.h"
#include "terrain/format/raw.h"
#include "terrain/worker/worker.h"
#include "tests/format/inputs.h"

static const struct raster_limits limits = { 16384, (int64_t)1 << 27 };

static const struct decode_options plain = { .limits = { 16384, (int64_t)1 << 27 }, .driver = -1 };

static int start_decoders(void **state)
{
    struct worker_options options = { .program = "./landscaped-decode",
                                      .count = 2,
                                      .deadline = 60,
                                      .memory_bytes = (int64_t)4 << 30,
                                      .waiting_most = 64 };
    struct fault why = { 0 };
    struct worker_pool *pool = NULL;

    if (!worker_pool_start(&options, &pool, &why))
        fail_msg("%s", why.detail);
    *state = pool;
    return 0;
}

static int stop_decoders(void **state)
{
    worker_pool_stop(*state);
    return 0;
}

static bool decode_file(struct worker_pool *decoders, const char *file,
                        const struct decode_options *options, struct raster *raster,
                        struct fault *why)
{
    size_t length;
    unsigned char *data = input_read(file, &length);
    bool done = decode_raster(decoders, options, data, length, raster, why);

    free(data);
    return done;
}

static double sample(const struct raster *raster, int x, int y)
{
    double value;

    raster_read(raster, x, y, 1, &value);
    return value;
}

static void expect_samples(const struct input *input, const struct raster *raster, double within)
{
    for (size_t i = 0; i < input_sample_count(input); i++) {
        struct input_sample at = input_sample(input, i);
        double value = sample(raster, at.x, at.y);

        if (at.has_value ? !(fabs(value - at.value) <= within) : !isnan(value))
            fail_msg("%s at (%d, %d): %.9g, not %.9g", input->file, at.x, at.y, value, at.value);
    }
}

static void expect_same(const struct raster *a, const struct raster *b, const char *name)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            double left = sample(a, x, y), right = sample(b, x, y);

            if (left != right && !(isnan(left) && isnan(right)))
                fail_msg("%s at (%d, %d): %.9g, not %.9g", name, x, y, left, right);
        }
}

/* The same decoding without a helper comes to the same. */
static void expect_alike(const char *file, const struct decode_options *options, bool done,
                         const struct raster *raster, const struct fault *why)
{
    static struct decode_job job;
    static struct decode_answer answer;
    static bool prepared;
    size_t length;
    unsigned char *data = input_read(file, &length);

    if (!prepared)
        decode_prepare();
    prepared = true;
    job = (struct decode_job){ .options = *options, .length = length };
    decode_perform(&job, data, &raster_heap, &answer);
    assert_int_equal(answer.stage == DECODE_DONE, done);
    if (done)
        expect_same(raster, &answer.raster, file);
    else
        assert_int_equal(answer.why.code, why->code);
    raster_free(&answer.raster);
    free(data);
}

static const char *slug_of(const char *reason)
{
    return strcmp(reason, "limit") == 0 ? "too-large" : reason;
}

/* Where the manifest leaves a choice: colours and palettes are refused, whole files wanted. */
static bool to_be_refused(const struct input *input)
{
    return input->reaction == REJECT || strcmp(input->file, "png/rgb8_grey_127.png") == 0;
}

static struct decode_options options_for(const struct input *input)
{
    struct decode_options options = plain;

    if (strcmp(input->file, "encoded/terrainrgb_64.png") == 0)
        options.encoding = DECODE_TERRAIN_RGB;
    if (strcmp(input->file, "encoded/terrarium_64.png") == 0)
        options.encoding = DECODE_TERRARIUM;
    if (strcmp(input->file, "geo/three_bands_64.tif") == 0)
        options.band = 2;
    options.codes = strcmp(input->file, "geo/uint16_127.tif") == 0;
    return options;
}

static void check_picture(const struct input *input, void *context)
{
    struct decode_options options = options_for(input);
    struct raster raster, other;
    struct fault why = { 0 };
    bool done;

    if (strcmp(input->format, "body") == 0 || strcmp(input->format, "raw") == 0 ||
        strncmp(input->file, "weights/", 8) == 0)
        return;
    done = decode_file(context, input->file, &options, &raster, &why);
    expect_alike(input->file, &options, done, &raster, &why);
    if (to_be_refused(input)) {
        if (done)
            fail_msg("%s was accepted", input->file);
        if (strcmp(fault_slug(why.code), slug_of(input->reason ? input->reason : "colour-type")))
            fail_msg("%s: %s (%s)", input->file, fault_slug(why.code), why.detail);
        return;
    }
    if (!done)
        fail_msg("%s: %s", input->file, why.detail);
    assert_int_equal(raster.width, input->width);
    assert_int_equal(raster.height, input->height);
    expect_samples(input, &raster, strcmp(input->units, "rgb") == 0 ? 1.0 / 512 : 1e-12);
    if (input->same_as) {
        if (!decode_file(context, input->same_as, &plain, &other, &why))
            fail_msg("%s: %s", input->same_as, why.detail);
        expect_same(&raster, &other, input->file);
        raster_free(&other);
    }
    raster_free(&raster);
}

static void each_picture_becomes_its_samples_or_is_refused(void **state)
{
    inputs_each(check_picture, *state);
}

static void what_an_option_decides_is_refused_without_it(void **state)
{
    static const struct {
        const char *file;
        enum fault_code code;
    } rows[] = {
        { "encoded/terrainrgb_64.png", FAULT_COLOUR },
        { "encoded/terrarium_64.png", FAULT_COLOUR },
        { "geo/three_bands_64.tif", FAULT_BANDS },
    };
    struct decode_options fourth = plain, gray = plain;
    struct raster raster;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fault why = { 0 };

        assert_false(decode_file(*state, rows[i].file, &plain, &raster, &why));
        assert_int_equal(why.code, rows[i].code);
    }
    fourth.band = 4;
    gray.encoding = DECODE_TERRARIUM;
    struct fault why = { 0 };

    assert_false(decode_file(*state, "geo/three_bands_64.tif", &fourth, &raster, &why));
    assert_int_equal(why.code, FAULT_BANDS);
    assert_string_equal(why.place, "band");
    assert_false(decode_file(*state, "png/gray16_asym_127.png", &gray, &raster, &why));
    assert_int_equal(why.code, FAULT_COLOUR);
}

static struct raw_options raw_options_for(const struct input *input)
{
    return (struct raw_options){ .type = input->bits == 8 ? RAW_R8 : RAW_R16,
                                 .width = input->width,
                                 .height = input->height,
                                 .big_endian = input->big_endian };
}

static void check_raw(const struct input *input, void *context)
{
    struct raw_options options = raw_options_for(input);
    struct raster raster;
    struct fault why = { 0 };
    size_t length;
    unsigned char *data;
    char both[2][24];

    (void)context;
    if (strcmp(input->format, "raw") != 0)
        return;
    data = input_read(input->file, &length);
    if (input->reaction == ACCEPT) {
        assert_true(raw_read(data, length, &options, &limits, &raster, &why));
        expect_samples(input, &raster, 0);
        raster_free(&raster);
    } else {
        assert_false(raw_read(data, length, &options, &limits, &raster, &why));
        assert_string_equal(fault_slug(why.code), slug_of(input->reason));
        snprintf(both[0], sizeof *both, "%zu", length);
        snprintf(both[1], sizeof *both, "%d", input->width * input->height * 2);
        assert_non_null(strstr(why.detail, both[0]));
        assert_non_null(strstr(why.detail, both[1]));
    }
    options.width = 0;
    assert_false(raw_read(data, length, &options, &limits, &raster, &why));
    assert_int_equal(why.code, FAULT_AMBIGUOUS);
    free(data);
}

static void each_headerless_file_becomes_its_samples_or_is_refused(void **state)
{
    inputs_each(check_raw, *state);
}

static void the_order_of_bytes_is_never_guessed(void **state)
{
    struct input big = input_named("raw/be_127.r16");
    struct raw_options options = raw_options_for(&big);
    struct raster raster;
    struct fault why = { 0 };
    size_t length;
    unsigned char *data = input_read(big.file, &length);

    (void)state;
    options.big_endian = false;
    assert_true(raw_read(data, length, &options, &limits, &raster, &why));
    assert_true(sample(&raster, 1, 0) == 1);
    raster_free(&raster);
    free(data);
}

static void headerless_samples_may_lie_anywhere(void **state)
{
    unsigned char data[41] = { 0 };
    const float values[] = { 1.5f, -2.25f, NAN, 1e6f };
    struct raw_options options = { RAW_F32, 2, 2, false, 0 };
    struct raster raster;
    struct fault why = { 0 };

    (void)state;
    for (int offset = 0; offset < 8; offset++) {
        memcpy(data + offset, values, sizeof values);
        options.offset = offset;
        assert_true(
            raw_read(data, (size_t)offset + sizeof values, &options, &limits, &raster, &why));
        assert_true(sample(&raster, 1, 0) == -2.25 && sample(&raster, 1, 1) == 1e6);
        assert_int_equal(raster.voids, 1);
        assert_true(raster.least == -2.25 && raster.greatest == 1e6);
        raster_free(&raster);
    }
    options.offset = 42;
    assert_false(raw_read(data, sizeof data, &options, &limits, &raster, &why));
    assert_int_equal(why.code, FAULT_LENGTH);
    options.offset = 0;
    ((float *)(void *)data)[3] = -INFINITY;
    assert_false(raw_read(data, sizeof values, &options, &limits, &raster, &why));
    assert_int_equal(why.code, FAULT_NOT_FINITE);
    raster_free(&raster);
}

static void places_are_those_of_sample_centres(void **state)
{
    static const char *const files[] = { "geo/area_64.tif", "geo/point_64.tif" };
    struct raster raster;
    struct fault why = { 0 };

    for (int i = 0; i < 2; i++) {
        assert_true(decode_file(*state, files[i], &plain, &raster, &why));
        assert_true(raster.stepped);
        assert_string_equal(raster.crs, "EPSG:32611");
        assert_float_equal(raster.west, 500015, 1e-9);
        assert_float_equal(raster.north, 3999985, 1e-9);
        assert_float_equal(raster.step_x, 30, 0);
        assert_float_equal(raster.step_y, 30, 0);
        raster_free(&raster);
    }
    assert_true(decode_file(*state, "geo/geographic_64.tif", &plain, &raster, &why));
    assert_string_equal(raster.crs, "EPSG:4326");
    assert_float_equal(raster.step_x, 1.0 / 1200, 1e-15);
    raster_free(&raster);
}

static void a_warp_is_within_the_source_s_range_and_says_so(void **state)
{
    struct decode_options options = plain;
    struct raster raster;
    struct fault why = { 0 };

    strcpy(options.warp_to, "EPSG:3857");
    if (!decode_file(*state, "geo/int16_nodata_127.tif", &options, &raster, &why))
        fail_msg("%s", why.detail);
    assert_true(raster.warped);
    assert_string_equal(raster.crs, "EPSG:3857");
    assert_true(raster.least >= -126.5 && raster.greatest <= 126.5 && raster.voids > 10);
    raster_free(&raster);

    assert_false(decode_file(*state, "geo/grid_nodata_8.asc", &options, &raster, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    strcpy(options.warp_to, "EPSG:999999");
    assert_false(decode_file(*state, "geo/area_64.tif", &options, &raster, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_string_equal(why.place, "crs");
}

/* Decoders that die of every file: of the first one two do, and it is not tried again; another one
 * is. */
static void a_file_that_kills_two_decoders_is_refused(void **state)
{
    static const char *const brittle[] = { "brittle", NULL };
    struct worker_options options = { .program = "tests/worker/helper",
                                      .arguments = brittle,
                                      .count = 1,
                                      .deadline = 60,
                                      .waiting_most = 64,
                                      .poison_seconds = 600 };
    struct worker_pool *pool = NULL;
    struct worker_numbers numbers;
    struct raster raster;
    struct fault why = { 0 };

    (void)state;
    assert_true(worker_pool_start(&options, &pool, &why));
    for (int i = 0; i < 3; i++) {
        assert_false(decode_raster(pool, &plain, "deadly", 6, &raster, &why));
        assert_int_equal(why.code, FAULT_POISON);
    }
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.jobs, 2);
    assert_false(decode_raster(pool, &plain, "another", 7, &raster, &why));
    worker_pool_numbers(pool, &numbers);
    assert_int_equal(numbers.jobs, 4);
    assert_int_equal(numbers.poisonous, 2);
    worker_pool_stop(pool);
}

/* A file that only names others: another raster, a service, a device. */
static void no_driver_opens_other_files(void **state)
{
    static const char vrt[] =
        "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><VRTRasterBand dataType=\"Int16\" "
        "band=\"1\"><SimpleSource><SourceFilename>/etc/passwd</SourceFilename>"
        "</SimpleSource></VRTRasterBand></VRTDataset>";
    struct decode_options options = plain;
    struct raster raster;
    struct fault why = { 0 };

    strcpy(options.filename, "innocent.tif");
    assert_false(decode_raster(*state, &options, vrt, sizeof vrt - 1, &raster, &why));
    assert_int_equal(why.code, FAULT_FORMAT);
    for (options.driver = 0; decode_drivers[options.driver]; options.driver++)
        assert_false(decode_raster(*state, &options, vrt, sizeof vrt - 1, &raster, &why));
    assert_int_equal(why.code == FAULT_FORMAT || why.code == FAULT_LENGTH, 1);
}

/* The same ground, 64 x 64 samples of x + 2y, as each driver of the list writes it. */
static void each_driver_of_the_list_reads_its_format(void **state)
{
    static const struct {
        const char *file, *driver;
    } rows[] = {
        { "../corpus/decode/area.bt", "BT" },
        { "../corpus/decode/area.img", "HFA" },
        { "../corpus/decode/area.dem", "USGSDEM" },
        { "geo/area_64.tif", "GTiff" },
        { "../corpus/decode/area.dt0", "DTED" },
        { "geo/grid_nodata_8.asc", "AAIGrid" },
        { "../corpus/decode/grass.asc", "GRASSASCIIGrid" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct raster raster;
        struct fault why = { 0 };

        if (!decode_file(*state, rows[i].file, &plain, &raster, &why))
            fail_msg("%s: %s", rows[i].file, why.detail);
        assert_string_equal(raster.driver, rows[i].driver);
        if (raster.width == 64)
            for (int n = 0; n < 64 * 64; n++)
                assert_true(sample(&raster, n % 64, n / 64) == n % 64 + 2 * (n / 64));
        raster_free(&raster);
    }
}

static void a_driver_that_is_chosen_is_the_only_one(void **state)
{
    struct decode_options options = plain;
    struct raster raster;
    struct fault why = { 0 };

    for (options.driver = 0; decode_drivers[options.driver]; options.driver++) {
        bool own = strcmp(decode_drivers[options.driver], "GTiff") == 0;

        assert_int_equal(decode_file(*state, "geo/area_64.tif", &options, &raster, &why), own);
        raster_free(&raster);
    }
}

static void masks_and_values_named_by_the_client_are_void(void **state)
{
    struct decode_options options = plain;
    struct raster raster;
    struct fault why = { 0 };

    options.has_nodata = true;
    options.nodata = 63;
    assert_true(decode_file(*state, "geo/area_64.tif", &options, &raster, &why));
    assert_true(isnan(sample(&raster, 63, 0)) && isnan(sample(&raster, 1, 31)));
    assert_true(sample(&raster, 62, 0) == 62);
    assert_int_equal(raster.voids, 32);
    raster_free(&raster);
    assert_true(decode_file(*state, "../corpus/decode/mask.tif", &plain, &raster, &why));
    assert_true(raster.voids > 0);
    raster_free(&raster);
}

static void hgt_needs_its_name_and_its_size(void **state)
{
    size_t whole = (size_t)1201 * 1201 * 2;
    unsigned char *data = calloc(1, whole);
    struct decode_options options = plain;
    struct raster raster;
    struct fault why = { 0 };

    data[3] = 7;
    data[0] = 0x80; /* the first sample is void */
    assert_false(decode_raster(*state, &options, data, whole, &raster, &why));
    assert_int_equal(why.code, FAULT_NAME);
    assert_string_equal(why.place, "filename");
    strcpy(options.filename, "N31E035.hgt");
    if (!decode_raster(*state, &options, data, whole, &raster, &why))
        fail_msg("%s", why.detail);
    assert_string_equal(raster.driver, "SRTMHGT");
    assert_true(sample(&raster, 1, 0) == 7);
    assert_int_equal(raster.voids, 1);
    assert_float_equal(raster.west, 35, 1e-9);
    assert_float_equal(raster.north, 32, 1e-9);
    raster_free(&raster);
    assert_false(decode_raster(*state, &options, data, 2801664, &raster, &why));
    assert_int_equal(why.code, FAULT_LENGTH);
    assert_non_null(strstr(why.detail, "3601"));
    assert_non_null(strstr(why.detail, "2801664"));
    free(data);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Decoded in this process, whose memory can be watched. */
static void what_a_header_claims_is_not_allocated(void **state)
{
    static const char *const bombs[] = { "png/bomb_header.png", "png/bad_2g_width.png",
                                         "geo/bomb_header.tif" };
    static struct decode_job job;
    static struct decode_answer answer;
    struct rusage before, after;

    (void)state;
    decode_prepare();
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < 3; i++) {
        double begun = seconds();
        size_t length;
        unsigned char *data = input_read(bombs[i], &length);

        job = (struct decode_job){ .options = plain, .length = length };
        decode_perform(&job, data, &raster_heap, &answer);
        assert_int_equal(answer.stage, DECODE_FAILED);
        assert_int_equal(answer.why.code, FAULT_LIMIT);
        assert_true(seconds() - begun < 1);
        free(data);
    }
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 50 * 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_picture_becomes_its_samples_or_is_refused),
        cmocka_unit_test(what_an_option_decides_is_refused_without_it),
        cmocka_unit_test(each_headerless_file_becomes_its_samples_or_is_refused),
        cmocka_unit_test(the_order_of_bytes_is_never_guessed),
        cmocka_unit_test(headerless_samples_may_lie_anywhere),
        cmocka_unit_test(places_are_those_of_sample_centres),
        cmocka_unit_test(a_warp_is_within_the_source_s_range_and_says_so),
        cmocka_unit_test(no_driver_opens_other_files),
        cmocka_unit_test(a_file_that_kills_two_decoders_is_refused),
        cmocka_unit_test(each_driver_of_the_list_reads_its_format),
        cmocka_unit_test(a_driver_that_is_chosen_is_the_only_one),
        cmocka_unit_test(masks_and_values_named_by_the_client_are_void),
        cmocka_unit_test(hgt_needs_its_name_and_its_size),
        cmocka_unit_test(what_a_header_claims_is_not_allocated),
    };

    return cmocka_run_group_tests(tests, start_decoders, stop_decoders);
}

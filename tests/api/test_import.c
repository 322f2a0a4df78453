/* Rasters in, heights out: every input file by the API, and what reports say has gone wrong
 * elsewhere. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terrain/format/png_write.h"
#include "tests/format/inputs.h"

static int import_bytes(struct caller *caller, const char *query, const char *type,
                        const void *data, size_t length)
{
    char target[300];

    snprintf(target, sizeof target, "/v1/landscapes/it/import?%s", query);
    caller->type = type;
    return call_bytes(caller, "POST", target, data, length);
}

static const char *type_of(const char *file)
{
    const char *ending = strrchr(file, '.');

    return strcmp(ending, ".png") == 0   ? "image/png"
           : strcmp(ending, ".tif") == 0 ? "image/tiff"
           : strcmp(ending, ".r16") == 0 ? "application/x-r16"
           : strcmp(ending, ".r8") == 0  ? "application/x-r8"
                                         : "application/octet-stream";
}

static int import_file(struct caller *caller, const char *query, const char *file)
{
    size_t length;
    unsigned char *data = input_read(file, &length);
    int status = import_bytes(caller, query, type_of(file), data, length);

    free(data);
    return status;
}

static void forget(struct caller *caller)
{
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/it", NULL), 204);
}

/* Heights of the whole as r16; the caller's body is then the codes. */
static const uint16_t *codes(struct caller *caller)
{
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/heights?format=r16", NULL), 200);
    return (const uint16_t *)(const void *)caller->body;
}

static const float *metres(struct caller *caller)
{
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/heights?format=f32", NULL), 200);
    return (const float *)(const void *)caller->body;
}

static const char *slug(struct caller *caller)
{
    return caller_text(caller, "type") + strlen("/problems/");
}

/* Every file of the manifest */

static void query_of(const struct input *input, char query[200])
{
    snprintf(query, 200, "fit=exact");
    if (strcmp(input->format, "raw") == 0)
        snprintf(query, 200, "fit=exact&width=%d&height=%d&byte_order=%s", input->width,
                 input->height, input->big_endian ? "big" : "little");
    if (strstr(input->file, "terrainrgb"))
        strcat(query, "&encoding=terrain-rgb");
    if (strstr(input->file, "terrarium"))
        strcat(query, "&encoding=terrarium");
    if (strstr(input->file, "three_bands"))
        strcat(query, "&band=1");
    if (strstr(input->file, "uint16_127"))
        strcat(query, "&units=codes");
}

static bool is_metric(const struct input *input)
{
    return strcmp(input->units, "metres") == 0 || strncmp(input->file, "encoded/", 8) == 0;
}

static void expect_samples(struct caller *caller, const struct input *input)
{
    double half = caller_number(caller, "import.step") / 2 + (is_metric(input) ? 1.0 / 512 : 0);
    const uint16_t *stored = is_metric(input) ? NULL : codes(caller);
    const float *heights = is_metric(input) ? metres(caller) : NULL;

    for (size_t i = 0; i < input_sample_count(input); i++) {
        struct input_sample at = input_sample(input, i);
        size_t n = (size_t)at.y * (size_t)input->width + (size_t)at.x;
        double is = stored ? stored[n] : (double)heights[n];

        if (at.has_value && !(fabs(is - at.value) <= (stored ? 0 : half)))
            fail_msg("%s at (%d, %d): %.9g, not %.9g", input->file, at.x, at.y, is, at.value);
    }
}

static void check_input(const struct input *input, void *context)
{
    struct caller *caller = context;
    bool refused = input->reaction == REJECT || strcmp(input->file, "png/rgb8_grey_127.png") == 0;
    const char *reason = input->reason ? input->reason : "colour-type";
    char query[200];

    if (strcmp(input->format, "body") == 0 || strncmp(input->file, "weights/", 8) == 0)
        return;
    query_of(input, query);
    import_file(caller, query, input->file);
    if (!refused) {
        if (caller->status != 201)
            fail_msg("%s: %s", input->file, caller->body);
        assert_int_equal(caller_number(caller, "import.padded.0"), 0);
        expect_samples(caller, input);
        forget(caller);
        return;
    }
    if (caller->status < 400 || caller->status > 499)
        fail_msg("%s: %d %s", input->file, caller->status, caller->body);
    assert_string_equal(slug(caller), strcmp(reason, "limit") == 0 ? "too-large" : reason);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 404);
}

static void each_input_becomes_a_landscape_or_is_refused(void **state)
{
    inputs_each(check_input, *state);
}

static void the_same_ground_in_other_files_is_the_same(void **state)
{
    static const char *const files[] = { "png/ga16_127.png",
                                         "png/gray16_interlaced_127.png",
                                         "png/gray16_filters_127.png",
                                         "png/gray16_split_idat_127.png",
                                         "png/gray16_gama_127.png",
                                         "png/gray16_gama1_127.png",
                                         "png/gray16_srgb_127.png",
                                         "png/ok_crc_text.png",
                                         "png/ok_trailing_garbage.png",
                                         "raw/le_127.r16" };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const uint16_t *stored;

        assert_int_equal(import_file(caller, "width=127&height=127", files[i]), 201);
        stored = codes(caller);
        for (int n = 0; n < 127 * 127; n++)
            assert_int_equal(stored[n], 256 * (n % 127) + 3 * (n / 127));
        forget(caller);
    }
}

/* Codes */

static void few_bits_are_widened_and_told(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "png/gray8_full_64.png"), 201);
    assert_int_equal(caller_number(caller, "import.source.depth"), 8);
    assert_string_equal(caller_text(caller, "import.source.type"), "uint8");
    assert_non_null(strstr(caller_text(caller, "import.warnings.0"), "8 bits"));
    assert_int_equal(caller_number(caller, "import.source.max"), 65535);
}

static void the_order_of_bytes_is_little_unless_said(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "width=127&height=127", "raw/le_127.r16"), 201);
    assert_int_equal(codes(caller)[1], 256);
    forget(caller);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(import_file(caller, "width=127&height=127", "raw/be_127.r16"), 201);
        assert_int_equal(codes(caller)[1], 1);
        forget(caller);
    }
}

static void a_size_that_is_not_given_is_not_guessed(void **state)
{
    struct caller *caller = *state;

    import_file(caller, "", "raw/le_505x253.r16");
    assert_refused(caller, 400, "width");
    assert_string_equal(slug(caller), "ambiguous-size");
    assert_non_null(strstr(caller_text(caller, "detail"), "255530"));
    import_file(caller, "width=505", "raw/le_505x253.r16");
    assert_refused(caller, 400, "height");
    import_file(caller, "width=127&height=127", "raw/odd_length_127.r16");
    assert_refused(caller, 422, "");
    assert_non_null(strstr(caller_text(caller, "detail"), "32258"));
    assert_non_null(strstr(caller_text(caller, "detail"), "32259"));
}

static void files_are_judged_by_content(void **state)
{
    struct caller *caller = *state;
    size_t length;
    unsigned char *png = input_read("png/gray16_asym_127.png", &length);

    assert_int_equal(import_bytes(caller, "", "image/tiff", png, length), 201);
    assert_string_equal(caller_text(caller, "import.source.driver"), "PNG");
    free(png);
    forget(caller);
    png = input_read("geo/area_64.tif", &length);
    assert_int_equal(import_bytes(caller, "", "image/png", png, length), 422);
    assert_string_equal(slug(caller), "format");
    free(png);
}

static void a_range_given_is_that_of_the_codes(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "z_min=-100&z_max=1000", "surface/corners_full.png"), 201);
    assert_float_equal(caller_number(caller, "height_range.0"), -100, 1e-6);
    assert_float_equal(caller_number(caller, "height_range.1"), 1000, 1e-6);
    forget(caller);
    assert_int_equal(import_file(caller, "z_scale=2&z_origin=50", "surface/all_mid.png"), 201);
    assert_float_equal(caller_number(caller, "height_range.0"), 50, 0);
    assert_float_equal(caller_number(caller, "scale.2"), 2, 0);
    forget(caller);
}

static void options_that_contradict_each_other_are_refused(void **state)
{
    static const struct {
        const char *query, *place;
    } rows[] = {
        { "z_min=0", "z_max" },
        { "z_max=0", "z_min" },
        { "z_min=5&z_max=5", "z_max" },
        { "z_min=0&z_max=1&z_scale=1", "z_min" },
        { "section_quads=64", "section_quads" },
        { "section_quads=8&fit=pad", "section_quads" },
        { "columns=127", "columns" },
        { "crs=4326", "crs" },
        { "crs=EPSG:", "crs" },
        { "crs=EPSG:43x6", "crs" },
        { "fit=stretch", "fit" },
        { "z_scale=0", "z_scale" },
        { "z_scale=nan", "z_scale" },
        { "width=-1", "width" },
        { "filename=..", "filename" },
        { "filename=a%2Fb.hgt", "filename" },
        { "driver=VRT", "driver" },
        { "band=0", "band" },
        { "unknown=1", "unknown" },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        import_file(caller, rows[i].query, "size/size_64x64.png");
        assert_refused(caller, 400, rows[i].place);
        assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 404);
    }
}

/* Metres */

static void whole_metres_of_a_file_come_back(void **state)
{
    struct caller *caller = *state;
    const float *heights;

    assert_int_equal(import_file(caller, "", "geo/int16_deep_64.tif"), 201);
    assert_true(caller_number(caller, "import.z_scale") == 64);
    heights = metres(caller);
    for (int n = 0; n < 64 * 64; n++)
        assert_true(heights[n] == -11000 + 350 * (n % 64));
}

static void heights_that_do_not_fit_are_refused_with_the_scale_that_does(void **state)
{
    struct caller *caller = *state;

    import_file(caller, "z_scale=1", "geo/float32_8851m_64.tif");
    assert_refused(caller, 422, "");
    assert_string_equal(slug(caller), "range");
    assert_non_null(strstr(caller_text(caller, "detail"), "8851.5"));
    assert_non_null(strstr(caller_text(caller, "detail"), "34.58"));
    assert_int_equal(import_file(caller, "z_scale=34.58", "geo/float32_8851m_64.tif"), 201);
    assert_float_equal(metres(caller)[63], 8851.5, 0.14);
}

static void sea_level_is_where_it_belongs(void **state)
{
    struct caller *caller = *state;
    const uint16_t *stored;

    assert_int_equal(import_file(caller, "z_scale=1", "geo/int16_sealevel_64.tif"), 201);
    stored = codes(caller);
    assert_int_equal(stored[0], 32768);
    assert_int_equal(stored[5 * 64 + 32], 45568);
    assert_true(metres(caller)[63] == 100);
}

static void a_band_s_scale_and_offset_count(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "geo/scale_offset_64.tif"), 201);
    assert_float_equal(metres(caller)[0], 100, 1.0 / 256);
    assert_float_equal(metres(caller)[64 * 64 - 1], 118.9, 1.0 / 256);
    forget(caller);
    assert_int_equal(import_file(caller, "units=codes", "geo/uint16_127.tif"), 201);
    assert_int_equal(codes(caller)[127 * 127 - 1], 63126);
    forget(caller);
    assert_int_equal(import_file(caller, "", "geo/uint16_127.tif"), 201);
    assert_float_equal(metres(caller)[127 * 127 - 1], 63126, 1);
}

static void points_and_areas_lie_at_the_same_place(void **state)
{
    static const char *const files[] = { "geo/area_64.tif", "geo/point_64.tif" };
    struct caller *caller = *state;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(import_file(caller, "", files[i]), 201);
        assert_string_equal(caller_text(caller, "crs"), "EPSG:32611");
        assert_float_equal(caller_number(caller, "bounds.0"), 500015, 1e-6);
        assert_float_equal(caller_number(caller, "bounds.3"), 3999985, 1e-6);
        assert_float_equal(caller_number(caller, "scale.0"), 30, 1e-6);
        forget(caller);
    }
    assert_int_equal(import_file(caller, "", "geo/geographic_64.tif"), 201);
    assert_float_equal(caller_number(caller, "scale.0"), 75, 1);
    assert_float_equal(caller_number(caller, "scale.1"), 92.5, 1);
}

/* A coordinate system that has no code is kept all the same. */
static void any_coordinate_system_is_kept(void **state)
{
    struct caller *caller = *state;
    size_t length;
    void *file;

    assert_int_equal(import_file(caller, "", "../corpus/decode/nameless_crs.tif"), 201);
    assert_non_null(strstr(caller_text(caller, "crs"), "PROJCRS["));
    assert_float_equal(caller_number(caller, "bounds.0"), 50, 1e-6);
    assert_float_equal(caller_number(caller, "bounds.3"), 6350, 1e-6);
    assert_float_equal(caller_number(caller, "scale.0"), 100, 1e-6);
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 200);
    assert_non_null(strstr(caller_text(caller, "crs"), "PROJCRS["));
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/export?format=tiff", NULL), 200);
    file = memcpy(malloc(length = caller->length), caller->body, caller->length);
    forget(caller);
    assert_int_equal(import_bytes(caller, "", "image/tiff", file, length), 201);
    assert_non_null(strstr(caller_text(caller, "crs"), "PROJCRS["));
    assert_int_equal(json_array_size(caller_member(caller, "import.warnings")), 0);
    free(file);
}

static void a_warp_is_told(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "crs=EPSG:3857", "geo/geographic_64.tif"), 201);
    assert_string_equal(caller_text(caller, "crs"), "EPSG:3857");
    assert_string_equal(caller_text(caller, "import.source.crs"), "EPSG:4326");
    assert_int_equal(caller_number(caller, "import.source.width"), 64);
    assert_true(json_is_true(caller_member(caller, "import.warped")));
    forget(caller);
    import_file(caller, "crs=EPSG:3857", "size/size_64x64.png");
    assert_refused(caller, 422, "crs");
}

/* Voids */

static void no_data_reaches_no_height(void **state)
{
    static const char *const files[] = { "geo/int16_nodata_127.tif", "geo/int16_be_127.tif",
                                         "geo/int16_deflate_127.tif" };
    static const struct {
        const char *query;
        int side;
    } rows[] = {
        { "fit=exact", 127 },
        { "fit=resample&columns=253&rows=253", 253 },
        { "fit=resample&columns=64&rows=64", 64 },
    };
    struct caller *caller = *state;

    for (int i = 0; i < 9; i++) {
        const float *heights;

        assert_int_equal(import_file(caller, rows[i % 3].query, files[i / 3]), 201);
        assert_int_equal(caller_number(caller, "import.source.nodata_count"), 24);
        heights = metres(caller);
        for (int n = 0; n < rows[i % 3].side * rows[i % 3].side; n++)
            assert_true(heights[n] >= -126 && heights[n] <= 126);
        forget(caller);
    }
}

/* PNG and headerless samples know no value for no data; a client may name one. */
static void a_value_named_as_no_data_is_void(void **state)
{
    static const struct {
        const char *query, *file;
        int voids;
    } rows[] = {
        { "nodata=65535", "surface/corners_full.png", 1 },
        { "nodata=255", "png/gray8_full_64.png", 16 },
        { "nodata=32634&width=127&height=127", "raw/le_127.r16", 1 },
        { "nodata=-10000&encoding=terrain-rgb", "encoded/terrainrgb_64.png", 1 },
        { "nodata=5", "png/gray16_asym_127.png", 0 },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(import_file(caller, rows[i].query, rows[i].file), 201);
        assert_int_equal(caller_number(caller, "import.source.nodata_count"), rows[i].voids);
        forget(caller);
    }
    assert_int_equal(import_file(caller, "nodata=32768", "surface/corners_full.png"), 201);
    assert_int_equal(caller_number(caller, "import.source.nodata_count"), 127 * 127 - 4);
    assert_int_equal(codes(caller)[0], 0);
    assert_int_equal(codes(caller)[126], 65535);
    forget(caller);
    import_file(caller, "nodata=32768", "surface/all_mid.png");
    assert_refused(caller, 422, "");
}

/* A tile of the shuttle mission: a slope with three patches of voids. */
static unsigned char *hgt_new(size_t *length)
{
    unsigned char *data = malloc(*length = (size_t)1201 * 1201 * 2);

    for (int y = 0; y < 1201; y++)
        for (int x = 0; x < 1201; x++) {
            bool isvoid = (y == 602 && x >= 599 && x < 605) || (x == 609 && y >= 600 && y < 615) ||
                          (x > 603 && x < 609 && y > 599 && y < 606);
            int height = isvoid ? -32768 : 470 + (x - 600) / 4 - (y - 600) / 8;

            data[2 * (y * 1201 + x)] = (unsigned char)(height >> 8);
            data[2 * (y * 1201 + x) + 1] = (unsigned char)height;
        }
    return data;
}

static void voids_of_hgt_stay_within_what_surrounds_them(void **state)
{
    struct caller *caller = *state;
    size_t length;
    unsigned char *data = hgt_new(&length);
    const float *heights;

    assert_int_equal(
        import_bytes(caller, "filename=N31E035.hgt", "application/octet-stream", data, length),
        201);
    assert_string_equal(caller_text(caller, "import.source.driver"), "SRTMHGT");
    assert_string_equal(caller_text(caller, "crs"), "EPSG:4326");
    assert_float_equal(caller_number(caller, "bounds.0"), 35, 1e-9);
    assert_int_equal(call(caller, "GET",
                          "/v1/landscapes/it/heights?format=f32&x=595&y=595&width=20&height=25",
                          NULL),
                     200);
    heights = (const float *)(const void *)caller->body;
    for (int n = 0; n < 20 * 25; n++)
        assert_true(heights[n] >= 466 && heights[n] <= 476);
    import_bytes(caller, "filename=N31E036.hgt&replace=true", "application/octet-stream", data,
                 2801664);
    assert_refused(caller, 422, "");
    assert_string_equal(slug(caller), "length");
    assert_non_null(strstr(caller_text(caller, "detail"), "1201"));
    assert_non_null(strstr(caller_text(caller, "detail"), "3601"));
    import_bytes(caller, "driver=SRTMHGT&replace=true", "application/octet-stream", data, length);
    assert_refused(caller, 422, "filename");
    free(data);
}

/* Sizes */

static int32_t hash(int32_t n)
{
    return (int32_t)((uint32_t)n * 2654435761u >> 16);
}

static struct bytes png_of(int32_t width, int32_t height, int32_t (*code)(int32_t x, int32_t y))
{
    uint16_t *pixels = malloc((size_t)width * (size_t)height * sizeof *pixels);
    struct bytes file = { 0 };
    struct fault why = { 0 };

    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            pixels[(size_t)y * (size_t)width + x] = (uint16_t)code(x, y);
    assert_true(png_write(PNG_GRAY16, width, height, pixels, PNG_FAST, &file, &why));
    free(pixels);
    return file;
}

static int32_t rough(int32_t x, int32_t y)
{
    return hash(y * 4096 + x);
}

static int32_t slope(int32_t x, int32_t y)
{
    return 20 * x + 10 * y;
}

/* SIZ-01 */
static void valid_sizes_are_accepted_and_the_nearest_named(void **state)
{
    struct caller *caller = *state;
    struct bytes file = png_of(1009, 1009, rough);

    assert_int_equal(import_bytes(caller, "fit=exact", "image/png", file.data, file.length), 201);
    assert_int_equal(caller_number(caller, "size.0"), 1009);
    forget(caller);
    bytes_free(&file);
    file = png_of(1000, 1000, rough);
    import_bytes(caller, "fit=exact", "image/png", file.data, file.length);
    assert_refused(caller, 422, "");
    assert_string_equal(slug(caller), "size");
    assert_non_null(strstr(caller_text(caller, "detail"), "946"));
    assert_non_null(strstr(caller_text(caller, "detail"), "1009"));
    assert_int_equal(import_bytes(caller, "", "image/png", file.data, file.length), 201);
    assert_int_equal(caller_number(caller, "import.padded.0"), 9);
    bytes_free(&file);
}

/* SIZ-03, SIZ-05 */
static void resampling_keeps_borders_and_slopes(void **state)
{
    static const int sides[] = { 1000, 1025 };
    struct caller *caller = *state;

    for (int i = 0; i < 2; i++) {
        int last = sides[i] - 1;
        struct bytes file = png_of(sides[i], sides[i], slope);
        const uint16_t *stored;

        assert_int_equal(import_bytes(caller, "fit=resample", "image/png", file.data, file.length),
                         201);
        assert_int_equal(caller_number(caller, "size.0"), 1009);
        assert_true(json_is_true(caller_member(caller, "import.resampled")));
        stored = codes(caller);
        assert_int_equal(stored[0], 0);
        assert_int_equal(stored[1008], 20 * last);
        assert_int_equal(stored[1008 * 1009], 10 * last);
        assert_int_equal(stored[1009 * 1009 - 1], 30 * last);
        forget(caller);
        bytes_free(&file);
    }
    assert_int_equal(import_file(caller, "fit=resample&columns=253&rows=253", "surface/ramp_x.png"),
                     201);
    for (int x = 0; x < 253; x++)
        assert_int_equal(codes(caller)[252 * 253 + x], 256 * x);
    forget(caller);
    assert_int_equal(
        import_file(caller, "fit=resample&columns=253&rows=253", "surface/all_zero.png"), 201);
    for (int n = 0; n < 253 * 253; n += 97)
        assert_int_equal(codes(caller)[n], 0);
}

/* Export */

/* EXP-01, EXP-07, EXP-11 */
static void what_is_exported_comes_back_bit_for_bit(void **state)
{
    static const char *const files[] = { "png/gray16_asym_127.png", "raw/le_127.r16",
                                         "surface/corners_full.png", "surface/ramp_diag.png",
                                         "size/size_505x253.png" };
    static const char *const types[] = { "image/png", "application/x-r16" };
    static const char *const formats[] = { "png16", "r16" };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof files / sizeof *files * 2; i++) {
        char query[60] = "width=127&height=127", target[100];
        size_t length, size;
        void *first, *file;

        assert_int_equal(import_file(caller, query, files[i / 2]), 201);
        if (strstr(files[i / 2], "505"))
            strcpy(query, "width=505&height=253");
        codes(caller);
        first = memcpy(malloc(size = caller->length), caller->body, caller->length);
        snprintf(target, sizeof target, "/v1/landscapes/it/export?format=%s", formats[i % 2]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        file = memcpy(malloc(length = caller->length), caller->body, caller->length);
        forget(caller);
        assert_int_equal(import_bytes(caller, query, types[i % 2], file, length), 201);
        codes(caller);
        assert_int_equal(caller->length, size);
        assert_memory_equal(caller->body, first, size);
        forget(caller);
        free(first);
        free(file);
    }
}

static void an_export_leaves_the_pad_out(void **state)
{
    struct caller *caller = *state;
    struct bytes file = png_of(100, 70, rough);
    const uint16_t *stored;

    assert_int_equal(import_bytes(caller, "", "image/png", file.data, file.length), 201);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/export?format=r16", NULL), 200);
    assert_int_equal(caller->length, 100 * 70 * 2);
    stored = (const uint16_t *)(const void *)caller->body;
    for (int n = 0; n < 100 * 70; n++)
        assert_int_equal(stored[n], rough(n % 100, n / 100));
    assert_string_equal(caller_header(caller, "Content-Disposition"),
                        "attachment; filename=\"it.r16\"");
    bytes_free(&file);
}

/* EXP-05: A hole, exported with a no-data value and imported again. */
static void holes_survive_metric_exports(void **state)
{
    static const char *const formats[] = { "asc", "tiff" };
    struct caller *caller = *state;

    for (int i = 0; i < 2; i++) {
        char target[100];
        size_t length;
        float *before;
        void *file;

        assert_int_equal(import_file(caller, "", "geo/int16_nodata_127.tif"), 201);
        metres(caller);
        before = memcpy(malloc(caller->length), caller->body, caller->length);
        snprintf(target, sizeof target, "/v1/landscapes/it/export?format=%s", formats[i]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        file = memcpy(malloc(length = caller->length), caller->body, caller->length);
        if (i == 0)
            assert_non_null(strstr(caller->body, "NODATA_value -9999.0\n"));
        if (i == 0)
            assert_null(strstr(caller->body, "nan"));
        forget(caller);
        assert_int_equal(import_bytes(caller, "", "application/octet-stream", file, length), 201);
        assert_int_equal(caller_number(caller, "import.source.nodata_count"), 24);
        assert_float_equal(caller_number(caller, "scale.0"), 30, 1e-6);
        metres(caller);
        for (int n = 0; n < 127 * 127; n++) {
            bool inside = n % 127 >= 60 && n % 127 < 66 && n / 127 >= 60 && n / 127 < 64;
            float is = ((const float *)(const void *)caller->body)[n];

            assert_true(inside || is == before[n]);
        }
        forget(caller);
        free(before);
        free(file);
    }
}

/* EXP-09 */
static void pieces_share_their_edges(void **state)
{
    struct caller *caller = *state;
    struct bytes file = png_of(1009, 1009, rough);
    uint16_t last[505];

    assert_int_equal(import_bytes(caller, "fit=exact", "image/png", file.data, file.length), 201);
    for (int piece = 0; piece < 2; piece++) {
        char target[120];
        const uint16_t *stored;

        snprintf(target, sizeof target,
                 "/v1/landscapes/it/export?format=r16&x=%d&y=0&width=505&height=505", piece * 504);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(caller->length, 505 * 505 * 2);
        stored = (const uint16_t *)(const void *)caller->body;
        for (int y = 0; y < 505; y++) {
            if (piece == 0)
                last[y] = stored[y * 505 + 504];
            else
                assert_int_equal(stored[y * 505], last[y]);
        }
    }
    bytes_free(&file);
}

/* SIZ-13: Pieces of 256, put together, are every vertex once. */
static void pieces_of_any_size_make_the_whole(void **state)
{
    struct caller *caller = *state;
    struct bytes file = png_of(1009, 1009, rough);

    assert_int_equal(import_bytes(caller, "fit=exact", "image/png", file.data, file.length), 201);
    for (int y = 0; y < 1009; y += 256)
        for (int x = 0; x < 1009; x += 256) {
            int width = 1009 - x < 256 ? 1009 - x : 256, height = 1009 - y < 256 ? 1009 - y : 256;
            const uint16_t *stored;
            char target[120];

            snprintf(target, sizeof target,
                     "/v1/landscapes/it/export?format=r16&x=%d&y=%d&width=%d&height=%d", x, y,
                     width, height);
            assert_int_equal(call(caller, "GET", target, NULL), 200);
            stored = (const uint16_t *)(const void *)caller->body;
            for (int n = 0; n < width * height; n++)
                assert_int_equal(stored[n], rough(x + n % width, y + n / width));
        }
    import_bytes(caller, "", "image/png", file.data, file.length);
    assert_refused(caller, 409, "");
    bytes_free(&file);
}

static void every_nth_vertex_can_be_had(void **state)
{
    struct caller *caller = *state;
    const uint16_t *stored;

    assert_int_equal(import_file(caller, "", "png/gray16_asym_127.png"), 201);
    assert_int_equal(call(caller, "GET",
                          "/v1/landscapes/it/heights?format=r16&x=3&y=5&width=20&height=9&step=4",
                          NULL),
                     200);
    assert_int_equal(caller->length, 5 * 3 * 2);
    stored = (const uint16_t *)(const void *)caller->body;
    for (int n = 0; n < 15; n++)
        assert_int_equal(stored[n], 256 * (3 + 4 * (n % 5)) + 3 * (5 + 4 * (n / 5)));
}

static void json_is_rows_of_metres(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "png/gray16_asym_127.png"), 201);
    caller->accept = "application/json";
    assert_int_equal(
        call(caller, "GET", "/v1/landscapes/it/heights?x=1&y=2&width=3&height=2", NULL), 200);
    assert_int_equal(caller_number(caller, "x"), 1);
    assert_int_equal(caller_number(caller, "height"), 2);
    assert_int_equal(json_array_size(caller_member(caller, "rows")), 2);
    assert_int_equal(json_array_size(caller_member(caller, "rows.1")), 3);
    assert_true(caller_number(caller, "rows.1.2") == (256 * 3 + 3 * 3 - 32768) / 128.0);
}

static void windows_outside_are_refused(void **state)
{
    static const struct {
        const char *query;
        int status;
        const char *place;
    } rows[] = {
        { "x=-1", 400, "x" },
        { "y=-1", 400, "y" },
        { "width=0", 400, "width" },
        { "height=-5", 400, "height" },
        { "step=0", 400, "step" },
        { "x=1e99", 400, "x" },
        { "x=127", 422, "x" },
        { "y=127", 422, "y" },
        { "width=128", 422, "width" },
        { "x=120&width=8", 422, "width" },
        { "y=120&height=8", 422, "height" },
        { "width=1.5", 400, "width" },
    };
    static const char *const paths[] = { "heights", "export" };
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "png/gray16_asym_127.png"), 201);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        char target[100];

        snprintf(target, sizeof target, "/v1/landscapes/it/%s?%s", paths[i % 2], rows[i / 2].query);
        call(caller, "GET", target, NULL);
        assert_refused(caller, rows[i / 2].status, rows[i / 2].place);
    }
}

/* Writing heights */

static void heights_are_written_in_each_format(void **state)
{
    struct caller *caller = *state;
    const uint16_t written[6] = { 1, 20000, 65535, 32768, 40000, 7 };
    const float in_metres[6] = { -255.9921875f, -99.75f, 255.9921875f, 0, 56.5f, -255.9453125f };
    struct fault why = { 0 };
    struct bytes png = { 0 };

    assert_true(png_write(PNG_GRAY16, 3, 2, written, PNG_FAST, &png, &why));
    for (int i = 0; i < 4; i++) {
        static const char *const types[] = { "image/png", "application/x-r16", "application/x-f32",
                                             "application/json" };
        static const char rows[] = "{\"x\":10,\"y\":20,\"rows\":[[-255.9921875,-99.75,255.9921875],"
                                   "[0,56.5,-255.9453125]]}";
        const void *bodies[] = { png.data, written, in_metres, rows };
        const size_t lengths[] = { png.length, sizeof written, sizeof in_metres, sizeof rows - 1 };
        const uint16_t *stored;

        assert_int_equal(import_file(caller, "", "surface/flip_probe.png"), 201);
        caller->type = types[i];
        assert_int_equal(call_bytes(caller, "PUT",
                                    i == 0 ? "/v1/landscapes/it/heights?x=10&y=20"
                                    : i == 3
                                        ? "/v1/landscapes/it/heights"
                                        : "/v1/landscapes/it/heights?x=10&y=20&width=3&height=2",
                                    bodies[i], lengths[i]),
                         200);
        assert_int_equal(caller_number(caller, "version"), 2);
        assert_int_equal(caller_number(caller, "changed"), 6);
        assert_int_equal(caller_number(caller, "dirty.x"), 10);
        assert_int_equal(caller_number(caller, "dirty.width"), 3);
        assert_int_equal(caller_number(caller, "dirty.height"), 2);
        assert_string_equal(caller_header(caller, "Landscape-Version"), "2");
        stored = codes(caller);
        for (int n = 0; n < 6; n++)
            assert_int_equal(stored[(20 + n / 3) * 127 + 10 + n % 3], written[n]);
        assert_int_equal(stored[19 * 127 + 10], 37768);
        assert_int_equal(stored[20 * 127 + 13], 37768);
        forget(caller);
    }
    bytes_free(&png);
}

static void writing_what_is_there_changes_nothing(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "surface/all_mid.png"), 201);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/it/heights",
                          "{\"rows\":[[0,0],[0,0]],\"width\":2,\"height\":2}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_true(json_is_null(caller_member(caller, "dirty")));
    assert_int_equal(
        call(caller, "PUT", "/v1/landscapes/it/heights?dry_run=true", "{\"rows\":[[5]]}"), 200);
    assert_int_equal(caller_number(caller, "changed"), 1);
    assert_int_equal(codes(caller)[0], 32768);
    caller->if_match = "\"7\"";
    call(caller, "PUT", "/v1/landscapes/it/heights", "{\"rows\":[[5]]}");
    assert_refused(caller, 412, "");
    assert_int_equal(codes(caller)[0], 32768);
}

static void wrong_bodies_change_nothing(void **state)
{
    static const struct {
        const char *query, *body;
        int status;
        const char *place;
    } rows[] = {
        { "", "", 400, "" },
        { "", "{}", 400, "/rows" },
        { "", "[]", 400, "" },
        { "", "{\"rows\":[]}", 400, "/rows" },
        { "", "{\"rows\":[[]]}", 400, "/rows" },
        { "", "{\"rows\":[[1,2],[3]]}", 400, "/rows/1" },
        { "", "{\"rows\":[[1,NaN]]}", 400, "/rows/0/1" },
        { "", "{\"rows\":[[1,null]]}", 400, "/rows/0/1" },
        { "", "{\"rows\":[[1,1e999]]}", 400, "/rows/0/1" },
        { "", "{\"rows\":[[1]],\"rows\":[[1]]}", 400, "/rows" },
        { "", "{\"rows\":[[1]],\"hight\":1}", 400, "" },
        { "", "{\"rows\":[[1]],\"width\":2}", 400, "/width" },
        { "", "{\"rows\":[[1]],\"x\":-1}", 400, "/x" },
        { "", "{\"rows\":[[1]],\"x\":1.5}", 400, "/x" },
        { "", "{\"rows\":[[1]],\"step\":2}", 400, "/step" },
        { "x=3", "{\"rows\":[[1]],\"x\":4}", 400, "x" },
        { "width=2", "{\"rows\":[[1]]}", 400, "width" },
        { "", "{\"rows\":[[256]]}", 422, "" },
        { "", "{\"rows\":[[-256.01]]}", 422, "" },
        { "x=127", "{\"rows\":[[1]]}", 422, "x" },
        { "x=126", "{\"rows\":[[1,2]]}", 422, "width" },
        { "edit_layer=other", "{\"rows\":[[1]]}", 404, "edit_layer" },
    };
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "surface/all_mid.png"), 201);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char target[100];

        snprintf(target, sizeof target, "/v1/landscapes/it/heights?%s", rows[i].query);
        call(caller, "PUT", target, rows[i].body);
        assert_refused(caller, rows[i].status, rows[i].place);
        assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 200);
        assert_int_equal(caller_number(caller, "version"), 1);
    }
}

static void wrong_rasters_change_nothing(void **state)
{
    const float nan_there[4] = { 1, 2, NAN, 3 }, infinite[1] = { INFINITY };
    struct caller *caller = *state;

    assert_int_equal(import_file(caller, "", "surface/all_mid.png"), 201);
    caller->type = "application/x-f32";
    call_bytes(caller, "PUT", "/v1/landscapes/it/heights?width=2&height=2", nan_there, 16);
    assert_refused(caller, 400, "");
    caller->type = "application/x-f32";
    call_bytes(caller, "PUT", "/v1/landscapes/it/heights?width=1&height=1", infinite, 4);
    assert_refused(caller, 400, "");
    caller->type = "application/x-r16";
    call_bytes(caller, "PUT", "/v1/landscapes/it/heights?width=3&height=2", nan_there, 16);
    assert_refused(caller, 422, "");
    assert_non_null(strstr(caller_text(caller, "detail"), "12"));
    assert_non_null(strstr(caller_text(caller, "detail"), "16"));
    caller->type = "application/x-r16";
    call_bytes(caller, "PUT", "/v1/landscapes/it/heights", nan_there, 16);
    assert_refused(caller, 400, "width");
    caller->type = "image/png";
    call_bytes(caller, "PUT", "/v1/landscapes/it/heights", nan_there, 16);
    assert_refused(caller, 422, "");
    caller->type = "text/plain";
    call_bytes(caller, "PUT", "/v1/landscapes/it/heights", nan_there, 16);
    assert_refused(caller, 415, "");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 1);
}

/* Large rasters become blocks while they are still being decoded. */
static void a_large_raster_is_whole_or_not_at_all(void **state)
{
    struct caller *caller = *state;
    struct bytes file = png_of(2111, 2017, rough);
    const uint16_t *stored;

    assert_int_equal(import_bytes(caller, "", "image/png", file.data, file.length), 201);
    assert_int_equal(caller_number(caller, "import.source.max"), 65535);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it/export?format=r16", NULL), 200);
    stored = (const uint16_t *)(const void *)caller->body;
    for (int n = 0; n < 2111 * 2017; n++)
        assert_int_equal(stored[n], rough(n % 2111, n / 2111));
    assert_int_equal(
        import_bytes(caller, "replace=true&fit=resample", "image/png", file.data, file.length),
        200);
    forget(caller);

    import_bytes(caller, "fit=exact", "image/png", file.data, file.length);
    assert_refused(caller, 422, ""); /* while the decoder is at it */
    import_bytes(caller, "", "image/png", file.data, file.length - 20);
    assert_refused(caller, 422, "");
    assert_string_equal(slug(caller), "truncated");
    file.data[file.length - 14] ^= 1; /* the last checksum */
    import_bytes(caller, "", "image/png", file.data, file.length);
    assert_refused(caller, 422, "");
    assert_string_equal(slug(caller), "checksum");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 404);
    assert_int_equal(import_file(caller, "", "size/size_8x8.png"), 201);
    bytes_free(&file);
}

/* Replacing */

static void an_import_replaces_heights_when_told(void **state)
{
    struct caller *caller = *state;

    import_file(caller, "replace=true", "surface/all_mid.png");
    assert_refused(caller, 404, "");
    caller->if_match = "*";
    import_file(caller, "", "surface/all_mid.png");
    assert_refused(caller, 412, "");
    assert_int_equal(import_file(caller, "title=Ground", "surface/all_mid.png"), 201);
    import_file(caller, "", "surface/ramp_x.png");
    assert_refused(caller, 409, "");
    assert_int_equal(import_file(caller, "replace=true", "surface/ramp_x.png"), 200);
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_string_equal(caller_text(caller, "title"), "Ground");
    assert_int_equal(codes(caller)[126], 64512);
    import_file(caller, "replace=true&fit=exact", "size/size_64x64.png");
    assert_refused(caller, 422, "");
    import_file(caller, "replace=true", "size/size_505x253.png");
    assert_refused(caller, 422, "");
    assert_int_equal(import_file(caller, "replace=true&fit=resample", "size/size_505x253.png"),
                     200);
    assert_int_equal(codes(caller)[126], 50400);
    caller->if_match = "\"1\"";
    import_file(caller, "replace=true", "surface/all_mid.png");
    assert_refused(caller, 412, "");
    assert_int_equal(import_file(caller, "replace=true", "size/size_64x64.png"), 200);
    assert_int_equal(caller_number(caller, "import.padded.0"), 63);
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/it", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 4);
}

/* The demo against GDAL itself */

static void heights_of_the_demo_are_gdal_s(void **state)
{
    struct caller *caller = *state;
    const char *source = getenv("srcdir");
    char path[4096], command[9000], folder[] = "/tmp/landscaped-gdal-XXXXXX";
    size_t length, count = 403 * 344;
    int16_t *truth = malloc(count * sizeof *truth);
    unsigned char *demo;
    FILE *file;

    if (system("gdal_translate --version >/dev/null 2>&1") != 0) {
        free(truth);
        skip();
    }
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/deploy/demo/jacksboro.tif", source ? source : ".");
    snprintf(command, sizeof command, "gdal_translate -q -of ENVI -ot Int16 '%s' %s/raw", path,
             folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/raw", folder);
    file = fopen(command, "rb");
    assert_int_equal(fread(truth, sizeof *truth, count, file), count);
    fclose(file);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);

    demo = input_read("../../deploy/demo/jacksboro.tif", &length);
    assert_int_equal(import_bytes(caller, "", "image/tiff", demo, length), 201);
    assert_int_equal(
        call(caller, "GET", "/v1/landscapes/it/heights?format=f32&width=403&height=344", NULL),
        200);
    for (size_t n = 0; n < count; n++)
        assert_true(((const float *)(const void *)caller->body)[n] == truth[n]);
    free(demo);
    free(truth);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_input_becomes_a_landscape_or_is_refused),
        TEST(the_same_ground_in_other_files_is_the_same),
        TEST(few_bits_are_widened_and_told),
        TEST(the_order_of_bytes_is_little_unless_said),
        TEST(a_size_that_is_not_given_is_not_guessed),
        TEST(files_are_judged_by_content),
        TEST(a_range_given_is_that_of_the_codes),
        TEST(options_that_contradict_each_other_are_refused),
        TEST(whole_metres_of_a_file_come_back),
        TEST(heights_that_do_not_fit_are_refused_with_the_scale_that_does),
        TEST(sea_level_is_where_it_belongs),
        TEST(a_band_s_scale_and_offset_count),
        TEST(points_and_areas_lie_at_the_same_place),
        TEST(any_coordinate_system_is_kept),
        TEST(a_warp_is_told),
        TEST(no_data_reaches_no_height),
        TEST(a_value_named_as_no_data_is_void),
        TEST(voids_of_hgt_stay_within_what_surrounds_them),
        TEST(valid_sizes_are_accepted_and_the_nearest_named),
        TEST(resampling_keeps_borders_and_slopes),
        TEST(what_is_exported_comes_back_bit_for_bit),
        TEST(an_export_leaves_the_pad_out),
        TEST(holes_survive_metric_exports),
        TEST(pieces_share_their_edges),
        TEST(pieces_of_any_size_make_the_whole),
        TEST(every_nth_vertex_can_be_had),
        TEST(json_is_rows_of_metres),
        TEST(windows_outside_are_refused),
        TEST(heights_are_written_in_each_format),
        TEST(writing_what_is_there_changes_nothing),
        TEST(wrong_bodies_change_nothing),
        TEST(wrong_rasters_change_nothing),
        TEST(a_large_raster_is_whole_or_not_at_all),
        TEST(an_import_replaces_heights_when_told),
        TEST(heights_of_the_demo_are_gdal_s),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}

/* Uploaded rasters through their endpoints, and what edits make of them. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/mask.h"
#include "terrain/format/png_write.h"
#include "tests/format/inputs.h"

static int put_bytes(struct caller *caller, const char *target, const char *type, const void *data,
                     size_t length)
{
    caller->type = type;
    return call_bytes(caller, "PUT", target, data, length);
}

static int put_file(struct caller *caller, const char *target, const char *file)
{
    size_t length;
    unsigned char *data = input_read(file, &length);
    int status = put_bytes(caller, target, "image/png", data, length);

    free(data);
    return status;
}

static int put_pixels(struct caller *caller, const char *target, enum png_samples kind,
                      int32_t width, int32_t height, const void *pixels)
{
    struct bytes file = { 0 };
    struct fault why;
    int status;

    assert_true(png_write(kind, width, height, pixels, PNG_FAST, &file, &why));
    status = put_bytes(caller, target, "image/png", file.data, file.length);
    bytes_free(&file);
    return status;
}

/* The samples that the gallery keeps, through an edit: a flat landscape of 64 x 64 set to as many
 * codes as the raster is bright. */
static const uint16_t *kept_codes(struct caller *caller, const char *name)
{
    static uint16_t codes[16];
    char edit[300];

    call(caller, "DELETE", "/v1/landscapes/flat", NULL);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/flat",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63},"
                          "\"height\":-256}"),
                     201);
    snprintf(edit, sizeof edit,
             "{\"ops\":[{\"tool\":\"raise\",\"amount\":511.9921875,\"region\":{\"x\":0,\"y\":0,"
             "\"width\":4,\"height\":4},\"mask\":\"%s\"}]}",
             name);
    if (call(caller, "POST", "/v1/landscapes/flat/edits", edit) != 200)
        fail_msg("%s", caller->body);
    assert_int_equal(call(caller, "GET",
                          "/v1/landscapes/flat/heights?x=0&y=0&width=4&height=4&format=r16", NULL),
                     200);
    assert_int_equal(caller->length, sizeof codes);
    memcpy(codes, caller->body, sizeof codes);
    return codes;
}

static void a_raster_comes_back_as_it_went(void **state)
{
    struct caller *caller = *state;
    uint16_t samples[3 * 2] = { 0, 1, 256, 32768, 65534, 65535 };
    struct bytes file = { 0 };
    struct fault why;

    assert_int_equal(put_bytes(caller, "/v1/rasters/one?width=3&height=2", "application/x-r16",
                               samples, sizeof samples),
                     201);
    assert_string_equal(caller_text(caller, "name"), "one");
    assert_int_equal(caller_number(caller, "width"), 3);
    assert_int_equal(caller_number(caller, "height"), 2);
    assert_int_equal(caller_number(caller, "channels"), 1);
    assert_int_equal(caller_number(caller, "depth"), 16);
    assert_int_equal(caller_number(caller, "bytes"), 12);
    assert_int_equal(strlen(caller_text(caller, "checksum")), 8);
    assert_string_equal(caller_header(caller, "Location"), "/v1/rasters/one");
    assert_non_null(caller_header(caller, "ETag"));
    for (int round = 0; round < 2; round++) {
        assert_int_equal(call(caller, "GET", "/v1/rasters/one", NULL), 200);
        assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
        assert_true(png_write(PNG_GRAY16, 3, 2, samples, PNG_SMALL, &file, &why));
        assert_int_equal(caller->length, file.length);
        assert_memory_equal(caller->body, file.data, file.length);
        bytes_free(&file);
        caller_restart(caller); /* the second time from the disk */
    }
    assert_int_equal(call(caller, "GET", "/v1/rasters/one?format=json", NULL), 200);
    assert_int_equal(caller_number(caller, "disk_bytes") > 12, true);
    caller->accept = "application/json";
    assert_int_equal(call(caller, "GET", "/v1/rasters/one", NULL), 200);
    assert_int_equal(caller_number(caller, "width"), 3);
}

static void every_kind_of_picture_keeps_what_came(void **state)
{
    static const struct {
        enum png_samples kind;
        int channels, depth;
        enum png_samples back;
    } kinds[] = {
        { PNG_GRAY8, 1, 16, PNG_GRAY16 },
        { PNG_GRAY16, 1, 16, PNG_GRAY16 },
        { PNG_GRAY_ALPHA16, 2, 16, PNG_GRAY_ALPHA16 },
        { PNG_RGB8, 3, 8, PNG_RGB8 },
        { PNG_RGBA8, 4, 8, PNG_RGBA8 },
    };
    struct caller *caller = *state;
    unsigned char pixels[64];

    for (int i = 0; i < 64; i++)
        pixels[i] = (unsigned char)(i * 37 + 5);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct bytes file = { 0 };
        uint16_t wide[16];
        struct fault why;

        for (int k = 0; k < 16; k++)
            wide[k] = (uint16_t)(pixels[k] * 257);
        assert_int_equal(put_pixels(caller, "/v1/rasters/kind", kinds[i].kind, 4, 4, pixels),
                         i ? 200 : 201);
        assert_int_equal(caller_number(caller, "channels"), kinds[i].channels);
        assert_int_equal(caller_number(caller, "depth"), kinds[i].depth);
        assert_int_equal(call(caller, "GET", "/v1/rasters/kind", NULL), 200);
        assert_true(png_write(kinds[i].back, 4, 4, i ? (const void *)pixels : wide, PNG_SMALL,
                              &file, &why));
        assert_int_equal(caller->length, file.length);
        assert_memory_equal(caller->body, file.data, file.length);
        bytes_free(&file);
    }
}

/* Bit depths are widened, interlacing and colour chunks change nothing, palettes become colours. */
static void files_that_reports_are_about_arrive_whole(void **state)
{
    static const char *const same[] = {
        "png/gray16_interlaced_127.png", "png/gray16_filters_127.png",
        "png/gray16_split_idat_127.png", "png/gray16_gama_127.png",
        "png/gray16_gama1_127.png",      "png/gray16_srgb_127.png",
        "png/ok_crc_text.png",           "png/ok_trailing_garbage.png",
    };
    struct caller *caller = *state;
    char checksum[16];

    assert_int_equal(put_file(caller, "/v1/rasters/a", "png/gray16_asym_127.png"), 201);
    snprintf(checksum, sizeof checksum, "%s", caller_text(caller, "checksum"));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(put_file(caller, "/v1/rasters/a", same[i]), 200);
        assert_string_equal(caller_text(caller, "checksum"), checksum);
    }
    assert_int_equal(put_file(caller, "/v1/rasters/a", "png/ga16_127.png"), 200);
    assert_int_equal(caller_number(caller, "channels"), 2);
    assert_int_equal(put_file(caller, "/v1/rasters/a", "png/rgb8_colour_127.png"), 200);
    assert_int_equal(caller_number(caller, "channels"), 3);
    assert_int_equal(put_file(caller, "/v1/rasters/a", "png/palette_64.png"), 200);
    assert_int_equal(caller_number(caller, "channels"), 3);
}

static void a_palette_is_looked_up_and_never_taken_for_brightness(void **state)
{
    struct caller *caller = *state;
    struct input input = input_named("png/palette_64.png");

    assert_int_equal(put_file(caller, "/v1/rasters/p", "png/palette_64.png"), 201);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/flat",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63},"
                          "\"height\":-256}"),
                     201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/flat/edits",
                          "{\"ops\":[{\"tool\":\"raise\",\"amount\":511.9921875,\"region\":{"
                          "\"x\":0,\"y\":0,\"width\":64,\"height\":64},\"mask\":\"p\"}]}"),
                     200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/flat/heights?format=r16", NULL), 200);
    assert_true(input_sample_count(&input) > 3);
    for (size_t i = 0; i < input_sample_count(&input); i++) {
        struct input_sample sample = input_sample(&input, i);

        assert_int_equal(((const uint16_t *)(const void *)caller->body)[sample.y * 64 + sample.x],
                         sample.value);
    }
}

static void bad_files_are_refused_and_nothing_is_there(void **state)
{
    static const struct {
        const char *file;
        int status;
    } bad[] = {
        { "png/bad_signature.png", 422 },    { "png/bad_truncated.png", 422 },
        { "png/bad_crc_idat.png", 422 },     { "png/bad_crc_ihdr.png", 422 },
        { "png/bad_adler.png", 422 },        { "png/bad_few_rows.png", 422 },
        { "png/bad_many_rows.png", 422 },    { "png/bad_no_iend.png", 422 },
        { "png/bad_depth3.png", 422 },       { "png/bad_zero_width.png", 422 },
        { "png/bad_short_header.png", 422 }, { "png/bomb_header.png", 413 },
        { "png/bad_2g_width.png", 413 },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int status = put_file(caller, "/v1/rasters/bad", bad[i].file);

        if (status != bad[i].status)
            fail_msg("%s: %d %s", bad[i].file, status, caller->body);
        assert_int_equal(call(caller, "GET", "/v1/rasters/bad", NULL), 404);
    }
}

static void raw_samples_are_read_as_they_are_told(void **state)
{
    struct caller *caller = *state;
    static const uint8_t bytes[4] = { 0, 1, 128, 255 };
    static const uint8_t big[8] = { 0, 0, 1, 2, 128, 0, 255, 255 };
    static const float floats[4] = { 0, 0.25f, 0.5f, 1 };
    float beyond[4] = { 0, 0.5f, 1.5f, 1 };

    assert_int_equal(put_bytes(caller, "/v1/rasters/r?width=2&height=2", "application/x-r8", bytes,
                               sizeof bytes),
                     201);
    call(caller, "GET", "/v1/rasters/r?format=json", NULL);
    assert_int_equal(caller_number(caller, "bytes"), 8);
    assert_int_equal(put_bytes(caller, "/v1/rasters/b?width=4&height=1&byte_order=big",
                               "application/x-r16", big, sizeof big),
                     201);
    assert_int_equal(kept_codes(caller, "b")[1], 258);
    assert_int_equal(kept_codes(caller, "b")[2], 32768);
    assert_int_equal(put_bytes(caller, "/v1/rasters/f?width=4&height=1", "application/x-f32",
                               floats, sizeof floats),
                     201);
    assert_int_equal(kept_codes(caller, "f")[1], 16384);
    assert_int_equal(kept_codes(caller, "f")[3], 65535);
    put_bytes(caller, "/v1/rasters/f?width=4&height=1", "application/x-f32", beyond, sizeof beyond);
    assert_refused(caller, 422, "");
    beyond[2] = NAN;
    put_bytes(caller, "/v1/rasters/f?width=4&height=1", "application/x-f32", beyond, sizeof beyond);
    assert_refused(caller, 400, "");
    put_bytes(caller, "/v1/rasters/f", "application/x-r8", bytes, sizeof bytes);
    assert_refused(caller, 400, "width");
    put_bytes(caller, "/v1/rasters/f?width=3&height=2", "application/x-r8", bytes, sizeof bytes);
    assert_refused(caller, 422, "");
    put_bytes(caller, "/v1/rasters/f?width=4&height=1", "text/plain", bytes, sizeof bytes);
    assert_refused(caller, 415, "");
    assert_int_equal(kept_codes(caller, "f")[1], 16384); /* still the first */
}

static void names_and_sizes_are_bounded(void **state)
{
    static const char *const names[] = {
        "..%2Fx", "%2e%2e%2fx", "..%5cx", ".x", "a%00b", "%3Csvg"
    };
    struct caller *caller = *state;
    static const uint8_t bytes[4] = { 0 };
    char target[100];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(target, sizeof target, "/v1/rasters/%s?width=2&height=2", names[i]);
        assert_int_equal(put_bytes(caller, target, "application/x-r8", bytes, 4), 400);
    }
    assert_int_equal(call(caller, "GET", "/v1/rasters", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "rasters")), 0);
    caller->service.limits.raster_side = 3;
    put_bytes(caller, "/v1/rasters/x?width=4&height=1", "application/x-r8", bytes, 4);
    assert_refused(caller, 413, "");
    caller->service.limits.raster_side = 300;
    caller->service.limits.raster_pixels = 3;
    put_bytes(caller, "/v1/rasters/x?width=2&height=2", "application/x-r8", bytes, 4);
    assert_refused(caller, 413, "");
    call(caller, "GET", "/v1/rasters/x", NULL);
    assert_refused(caller, 404, "");
}

static void etags_guard_changes_and_spare_answers(void **state)
{
    struct caller *caller = *state;
    static const uint8_t bytes[4] = { 0, 1, 2, 3 }, other[4] = { 4, 5, 6, 7 };
    static const char target[] = "/v1/rasters/e?width=2&height=2";
    char etag[64], document[64];

    caller->if_match = "*";
    put_bytes(caller, target, "application/x-r8", bytes, 4);
    assert_refused(caller, 412, "");
    caller->if_none_match = "*";
    assert_int_equal(put_bytes(caller, target, "application/x-r8", bytes, 4), 201);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    assert_true(etag[0] == '"');
    caller->if_none_match = "*";
    put_bytes(caller, target, "application/x-r8", other, 4);
    assert_refused(caller, 412, "");
    call(caller, "GET", "/v1/rasters/e", NULL);
    assert_string_equal(caller_header(caller, "ETag"), etag);
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/rasters/e", NULL), 304);
    assert_int_equal(caller->length, 0);
    call(caller, "GET", "/v1/rasters/e?format=json", NULL);
    snprintf(document, sizeof document, "%s", caller_header(caller, "ETag"));
    assert_string_not_equal(document, etag);
    caller->if_none_match = etag; /* of the picture: the document is another representation */
    assert_int_equal(call(caller, "GET", "/v1/rasters/e?format=json", NULL), 200);
    caller->if_match = "\"0123\"";
    put_bytes(caller, target, "application/x-r8", other, 4);
    assert_refused(caller, 412, "");
    caller->if_match = document; /* either will do */
    assert_int_equal(put_bytes(caller, target, "application/x-r8", other, 4), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), etag);
    caller->if_match = etag;
    call(caller, "DELETE", "/v1/rasters/e", NULL);
    assert_refused(caller, 412, "");
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/rasters/e", NULL), 200);
    assert_int_equal(call(caller, "DELETE", "/v1/rasters/e", NULL), 204);
    call(caller, "DELETE", "/v1/rasters/e", NULL);
    assert_refused(caller, 404, "");
}

static void rasters_are_listed_in_pages(void **state)
{
    struct caller *caller = *state;
    char target[80];

    for (int i = 0; i < 5; i++) {
        snprintf(target, sizeof target, "/v1/rasters/r%d?width=1&height=1", i);
        assert_int_equal(put_bytes(caller, target, "application/x-r8", "x", 1), 201);
    }
    assert_int_equal(call(caller, "GET", "/v1/rasters?limit=3", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "rasters")), 3);
    assert_string_equal(caller_text(caller, "rasters.2.name"), "r2");
    assert_string_equal(caller_text(caller, "rasters.2.href"), "/v1/rasters/r2");
    assert_string_equal(caller_text(caller, "next"), "r2");
    assert_int_equal(call(caller, "GET", "/v1/rasters?limit=3&after=r2", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "rasters")), 2);
    assert_true(json_is_null(caller_member(caller, "next")));
}

/* Edits */

static void begin_square(struct caller *caller)
{
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/square",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63}}"),
                     201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/square/edits",
                          "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":20,\"cell\":9,\"region\":{"
                          "\"x\":0,\"y\":0,\"width\":64,\"height\":64}}]}"),
                     200);
}

static void every_mask_does_its_example(void **state)
{
    struct caller *caller = *state;
    static uint16_t demo[64];

    for (int i = 0; i < 64; i++)
        demo[i] = (uint16_t)(i * 1000);
    assert_int_equal(put_bytes(caller, "/v1/rasters/demo?width=8&height=8", "application/x-r16",
                               demo, sizeof demo),
                     201);
    begin_square(caller);
    caller_paint(caller, "square", "grass", true);
    caller_paint(caller, "square", "rock", true);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/square/edits?frame=grid",
                          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64}},{\"tool\":"
                          "\"paint\",\"layer\":\"rock\",\"target\":200,\"path\":[[32,32]],"
                          "\"radius\":20}]}"),
                     200);
    for (int i = 0; i < mask_count; i++) {
        char body[600];

        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"raise\",\"amount\":3,\"region\":{\"x\":0,\"y\":0,"
                 "\"width\":64,\"height\":64},\"mask\":%s}]}",
                 masks[i]->example);
        if (call(caller, "POST", "/v1/landscapes/square/edits?frame=grid&dry_run=true", body) !=
            200)
            fail_msg("%s: %s", masks[i]->name, caller->body);
        if (caller_number(caller, "changed") < 50 || caller_number(caller, "changed") > 4095)
            fail_msg("%s: %s", masks[i]->name, caller->body);
    }
}

/* The three ways to say an image mask are one. */
static void a_text_or_an_object_without_type_is_an_image(void **state)
{
    static const char *const ways[] = { "\"m\"", "{\"image\":\"m\"}",
                                        "{\"type\":\"image\",\"image\":\"m\"}" };
    struct caller *caller = *state;
    static const uint8_t half[2] = { 0, 255 };

    begin_square(caller);
    assert_int_equal(
        put_bytes(caller, "/v1/rasters/m?width=2&height=1", "application/x-r8", half, 2), 201);
    for (int i = 0; i < 3; i++) {
        char body[300];

        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"raise\",\"amount\":100,\"region\":{\"x\":0,\"y\":0,"
                 "\"width\":64,\"height\":64},\"mask\":%s}]}",
                 ways[i]);
        assert_int_equal(call(caller, "POST", "/v1/landscapes/square/edits?dry_run=true", body),
                         200);
        assert_int_equal(caller_number(caller, "changed"), 63 * 64); /* all but the first column */
    }
}

static void brightness_is_luma_and_channels_can_be_named(void **state)
{
    static const uint8_t pixels[4 * 4] = { 255, 0, 0,   255, 0,  255, 0,  51,
                                           0,   0, 255, 0,   10, 20,  30, 255 };
    static const struct {
        const char *channel;
        double shares[4];
    } channels[] = {
        { "luma", { 0.2126, 0.7152, 0.0722, (2.126 + 14.304 + 2.166) / 255 } },
        { "red", { 1, 0, 0, 10 / 255.0 } },
        { "green", { 0, 1, 0, 20 / 255.0 } },
        { "blue", { 0, 0, 1, 30 / 255.0 } },
        { "alpha", { 1, 0.2, 0, 1 } },
    };
    struct caller *caller = *state;

    assert_int_equal(put_pixels(caller, "/v1/rasters/c", PNG_RGBA8, 4, 1, pixels), 201);
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        char body[300];

        call(caller, "DELETE", "/v1/landscapes/square", NULL);
        assert_int_equal(call(caller, "PUT", "/v1/landscapes/square",
                              "{\"layout\":{\"components\":[1,1],\"section_quads\":63}}"),
                         201);
        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"raise\",\"amount\":100,\"region\":{\"x\":8,\"y\":5,"
                 "\"width\":4,\"height\":1},\"mask\":{\"image\":\"c\",\"channel\":\"%s\"}}]}",
                 channels[i].channel);
        assert_int_equal(call(caller, "POST", "/v1/landscapes/square/edits", body), 200);
        assert_int_equal(call(caller, "GET",
                              "/v1/landscapes/square/heights?x=8&y=5&width=4&height=1&format=f32",
                              NULL),
                         200);
        for (int k = 0; k < 4; k++)
            assert_float_equal(((const float *)(const void *)caller->body)[k],
                               100 * channels[i].shares[k], 0.004);
    }
}

static void what_is_not_there_is_told_with_the_nearest(void **state)
{
    struct caller *caller = *state;

    begin_square(caller);
    assert_int_equal(
        put_bytes(caller, "/v1/rasters/meadow?width=1&height=1", "application/x-r8", "x", 1), 201);
    call(caller, "POST", "/v1/landscapes/square/edits",
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":9,"
         "\"height\":9}},{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":9,"
         "\"height\":9},\"mask\":{\"type\":\"any\",\"masks\":[\"meadows\"]}}]}");
    assert_refused(caller, 404, "/ops/1/mask/masks/0/image");
    assert_non_null(strstr(caller_text(caller, "detail"), "did you mean meadow?"));
    assert_int_equal(call(caller, "GET", "/v1/landscapes/square", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 2); /* the first op was not kept either */
    call(caller, "POST", "/v1/landscapes/square/edits",
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":9,"
         "\"height\":9},\"mask\":{\"type\":\"slop\"}}]}");
    assert_refused(caller, 400, "/ops/0/mask/type");
    assert_non_null(strstr(caller_text(caller, "detail"), "slope"));
}

static void the_rasters_of_one_edit_have_a_limit(void **state)
{
    struct caller *caller = *state;
    static uint8_t samples[100 * 100];

    begin_square(caller);
    assert_int_equal(put_bytes(caller, "/v1/rasters/a?width=100&height=100", "application/x-r8",
                               samples, sizeof samples),
                     201);
    caller->service.limits.request_memory_bytes = 39999;
    call(caller, "POST", "/v1/landscapes/square/edits",
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":9,"
         "\"height\":9},\"mask\":\"a\"}]}");
    assert_refused(caller, 413, "/ops/0/mask/image");
    caller->service.limits.request_memory_bytes = 1 << 20;
    assert_int_equal(
        call(caller, "POST", "/v1/landscapes/square/edits",
             "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":9,"
             "\"height\":9},\"mask\":\"a\"}]}"),
        200);
}

/* Masks nested as deep as JSON goes: refused, not followed. */
static void masks_within_masks_end_somewhere(void **state)
{
    struct caller *caller = *state;
    char body[2000] = "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,"
                      "\"width\":9,\"height\":9},\"mask\":";

    begin_square(caller);
    for (int i = 0; i < 20; i++)
        strcat(body, "{\"type\":\"not\",\"mask\":");
    strcat(body, "\"a\"");
    for (int i = 0; i < 20; i++)
        strcat(body, "}");
    strcat(body, "}]}");
    assert_int_equal(call(caller, "POST", "/v1/landscapes/square/edits", body), 413);
    assert_non_null(strstr(caller_text(caller, "detail"), "8 deep"));
}

static void points_of_masks_are_in_the_requests_frame(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/far",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63},"
                          "\"scale\":[2,2,1],\"origin\":[1000,500,0]}"),
                     201);
    /* columns 10 to 20, rows 5 to 15, in metres */
    assert_int_equal(
        call(caller, "POST", "/v1/landscapes/far/edits",
             "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":64,"
             "\"height\":64},\"mask\":{\"type\":\"any\",\"masks\":[{\"type\":\"polygon\","
             "\"points\":[[1019,509],[1041,509],[1041,531],[1019,531]]}]}}]}"),
        200);
    assert_int_equal(caller_number(caller, "dirty.x"), 10);
    assert_int_equal(caller_number(caller, "dirty.y"), 5);
    assert_int_equal(caller_number(caller, "dirty.width"), 11);
    assert_int_equal(caller_number(caller, "dirty.height"), 11);
    assert_int_equal(caller_number(caller, "changed"), 121);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_raster_comes_back_as_it_went),
        TEST(every_kind_of_picture_keeps_what_came),
        TEST(files_that_reports_are_about_arrive_whole),
        TEST(a_palette_is_looked_up_and_never_taken_for_brightness),
        TEST(bad_files_are_refused_and_nothing_is_there),
        TEST(raw_samples_are_read_as_they_are_told),
        TEST(names_and_sizes_are_bounded),
        TEST(etags_guard_changes_and_spare_answers),
        TEST(rasters_are_listed_in_pages),
        TEST(every_mask_does_its_example),
        TEST(a_text_or_an_object_without_type_is_an_image),
        TEST(brightness_is_luma_and_channels_can_be_named),
        TEST(what_is_not_there_is_told_with_the_nearest),
        TEST(the_rasters_of_one_edit_have_a_limit),
        TEST(masks_within_masks_end_somewhere),
        TEST(points_of_masks_are_in_the_requests_frame),
    };

    return cmocka_run_group_tests_name("rasters", tests, caller_decoders_start,
                                       caller_decoders_stop);
}

/* Pictures as clients take them: every format read by the library that others read it with, tiles
 * where they lie, and what cannot be told apart from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include "tests/server/harness.h"

/* RGBA8, to be freed. */
static uint8_t *read_png(const struct answer *answer, int *width, int *height)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    uint8_t *pixels;

    assert_true(png_image_begin_read_from_memory(&image, answer->body, answer->length));
    image.format = PNG_FORMAT_RGBA;
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    *width = (int)image.width;
    *height = (int)image.height;
    return pixels;
}

static uint8_t *read_jpeg(const struct answer *answer, int *width, int *height)
{
    tjhandle handle = tjInitDecompress();
    int sampling, space;
    uint8_t *pixels;

    assert_int_equal(
        tjDecompressHeader3(handle, answer->body, answer->length, width, height, &sampling, &space),
        0);
    pixels = malloc(4 * (size_t)*width * (size_t)*height);
    assert_int_equal(tjDecompress2(handle, answer->body, answer->length, pixels, *width, 0, *height,
                                   TJPF_RGBA, 0),
                     0);
    tjDestroy(handle);
    return pixels;
}

static uint8_t *read_webp(const struct answer *answer, int *width, int *height)
{
    uint8_t *read = WebPDecodeRGBA(answer->body, answer->length, width, height), *pixels;

    assert_non_null(read);
    pixels = malloc(4 * (size_t)*width * (size_t)*height);
    memcpy(pixels, read, 4 * (size_t)*width * (size_t)*height);
    WebPFree(read);
    return pixels;
}

static uint8_t *read_raw(const struct answer *answer, int *width, int *height)
{
    uint8_t *pixels = malloc(answer->length);

    memcpy(pixels, answer->body, answer->length);
    *width = 96;
    *height = (int)answer->length / 4 / *width;
    return pixels;
}

static const struct {
    const char *name, *media;
    uint8_t *(*read)(const struct answer *answer, int *width, int *height);
    double most; /* mean difference of what is lossy */
    bool alpha;
} formats[] = { { "raw", "application/octet-stream", read_raw, 0, true },
                { "png", "image/png", read_png, 0, true },
                { "jpeg", "image/jpeg", read_jpeg, 2.5, false },
                { "webp", "image/webp", read_webp, 2.5, true } };

/* Mean difference of colours where both are opaque; alpha must be the same. */
static double difference(const uint8_t *a, const uint8_t *b, int count, bool alpha)
{
    double sum = 0;
    int compared = 0;

    for (int i = 0; i < count; i++) {
        if (alpha)
            assert_int_equal(a[4 * i + 3], b[4 * i + 3]);
        for (int c = 0; c < 3 && a[4 * i + 3] == 255; c++, compared++)
            sum += abs(a[4 * i + c] - b[4 * i + c]);
    }
    return sum / compared;
}

static void every_format_is_the_same_picture(void **state)
{
    struct served *served = *state;
    struct answer answer;
    int width, height;

    for (int transparent = 0; transparent < 2; transparent++) {
        uint8_t *exact = NULL;

        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
            char body[200];
            uint8_t *pixels;

            snprintf(body, sizeof body,
                     "{\"width\":96,\"height\":64,\"format\":\"%s\",\"quality\":95,"
                     "\"transparent\":%s,\"camera\":{\"fit\":true}}",
                     formats[i].name, transparent ? "true" : "false");
            if (transparent && !formats[i].alpha) {
                served_demand(served, "POST", "/v1/landscapes/hill/render", body, 400, &answer);
                assert_non_null(strstr((char *)answer.body, "\"pointer\":\"/format\""));
                answer_free(&answer);
                continue;
            }
            served_demand(served, "POST", "/v1/landscapes/hill/render", body, 200, &answer);
            assert_string_equal(answer_header(&answer, "Content-Type"), formats[i].media);
            assert_non_null(answer_header(&answer, "Landscape-Renderer"));
            pixels = formats[i].read(&answer, &width, &height);
            assert_true(width == 96 && height == 64);
            if (exact)
                assert_true(difference(exact, pixels, width * height, formats[i].alpha) <=
                            formats[i].most);
            if (exact)
                free(pixels);
            else
                exact = pixels;
            answer_free(&answer);
        }
        free(exact);
    }
}

/* By address too, kept or not, and quality counts. */
static void an_address_names_its_format(void **state)
{
    static const char *const words[] = { "png", "jpg", "webp" };
    struct served *served = *state;
    size_t lengths[2];

    for (int i = 0; i < 3; i++)
        for (int again = 0; again < 2; again++) {
            struct answer answer;
            char target[100], by[32];

            snprintf(target, sizeof target, "/v1/landscapes/hill/render.%s?width=80&height=50",
                     words[i]);
            served_demand(served, "GET", target, NULL, 200, &answer);
            assert_non_null(
                strstr(answer_header(&answer, "Content-Type"), i == 1 ? "jpeg" : words[i]));
            snprintf(by, sizeof by, "%s", answer_header(&answer, "Landscape-Renderer"));
            assert_true(strlen(by) > 0);
            answer_free(&answer);
        }
    for (int i = 0; i < 2; i++) {
        struct answer answer;

        served_demand(served, "GET",
                      i ? "/v1/landscapes/hill/render.jpg?quality=95"
                        : "/v1/landscapes/hill/render.jpg?quality=20",
                      NULL, 200, &answer);
        lengths[i] = answer.length;
        answer_free(&answer);
    }
    assert_true(lengths[1] > 2 * lengths[0]);
    served_expect(served, "GET", "/v1/landscapes/hill/render.jpg?quality=0", NULL, 400);
    served_expect(served, "GET", "/v1/landscapes/hill/render.jpg?transparent=true", NULL, 400);
}

static void numbers_are_raw(void **state)
{
    static const char *const outputs[] = { "depth", "height", "normal", "id" };
    struct served *served = *state;

    for (int i = 0; i < 4; i++) {
        char body[200];
        struct answer answer;

        snprintf(body, sizeof body, "{\"width\":9,\"height\":7,\"output\":\"%s\"}", outputs[i]);
        served_demand(served, "POST", "/v1/landscapes/hill/render", body, 400, &answer);
        assert_non_null(strstr((char *)answer.body, "raw"));
        answer_free(&answer);
        snprintf(body, sizeof body,
                 "{\"width\":9,\"height\":7,\"output\":\"%s\",\"format\":\"raw\"}", outputs[i]);
        served_demand(served, "POST", "/v1/landscapes/hill/render", body, 200, &answer);
        assert_int_equal(answer.length, 9 * 7 * 4);
        answer_free(&answer);
    }
    served_expect(served, "POST", "/v1/landscapes/hill/render", "{\"output\":\"dept\"}", 400);
}

/* A landscape without CRS: a pixel a vertex at the native zoom, so that a hole is where it is. */
static void a_tile_shows_its_vertices(void **state)
{
    static const char *const sizes[] = { "0/0/0.png", "0/0/0@2x.png", "1/0/0.png" };
    struct served *served = *state;

    for (int i = 0; i < 3; i++) {
        const double per_pixel = i == 0 ? 1 : 0.5;
        struct answer answer;
        char target[120];
        int width, height;
        uint8_t *pixels;

        snprintf(target, sizeof target, "/v1/landscapes/hill/tiles/render/%s", sizes[i]);
        served_demand(served, "GET", target, NULL, 200, &answer);
        pixels = read_png(&answer, &width, &height);
        assert_true(width == (i == 1 ? 512 : 256) && height == width);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const double column = (x + 0.5) * per_pixel - 0.5,
                             row = (y + 0.5) * per_pixel - 0.5;
                /* Holes cover quads 40 to 59 and 20 to 39; the landscape 252 each way. */
                const double in = fmin(fmin(column - 40, 60 - column), fmin(row - 20, 40 - row));
                const double off = fmax(fmax(-column, column - 252), fmax(-row, row - 252));
                const int alpha = pixels[4 * (y * width + x) + 3];

                if (in > 1 || off > 1)
                    assert_int_equal(alpha, 0);
                else if (in < -1 && off < -1)
                    assert_int_equal(alpha, 255);
            }
        free(pixels);
        answer_free(&answer);
    }
    served_expect(served, "GET", "/v1/landscapes/hill/tiles/render/0/1/0.png", NULL, 404);
    served_expect(served, "GET", "/v1/landscapes/hill/tiles/render/31/0/0.png", NULL, 400);
    served_expect(served, "GET",
                  "/v1/landscapes/hill/tiles/render/0/0/0.png?mode=lit&sun_elevation=99", NULL,
                  400);
}

/* A tile is named by what it shows. */
static void a_tile_is_named_by_its_pixels(void **state)
{
    struct served *served = *state;
    struct answer answer;
    char before[128];

    served_demand(served, "GET", "/v1/landscapes/hill/tiles/render/1/0/0.png", NULL, 200, &answer);
    snprintf(before, sizeof before, "%s", answer_header(&answer, "ETag"));
    answer_free(&answer);
    served_expect(
        served, "POST", "/v1/landscapes/hill/edits",
        "{\"ops\":[{\"tool\":\"raise\",\"path\":[[220,220]],\"radius\":20,\"amount\":5}]}", 200);
    served_demand(served, "GET", "/v1/landscapes/hill/tiles/render/1/0/0.png", NULL, 200, &answer);
    assert_string_equal(answer_header(&answer, "ETag"), before);
    answer_free(&answer);
    served_demand(served, "GET", "/v1/landscapes/hill/tiles/render/1/1/1.png", NULL, 200, &answer);
    assert_string_not_equal(answer_header(&answer, "ETag"), before);
    answer_free(&answer);
}

/* A raster is no part of the landscape: putting another in its place changes no version. */
static void a_raster_s_change_is_seen(void **state)
{
    static const char *const targets[] = {
        "/v1/landscapes/hill/render.png?width=64&height=64&elevation=90&mode=unlit",
        "/v1/landscapes/hill/tiles/render/0/0/0.png?mode=unlit"
    };
    struct served *served = *state;
    char tags[2][2][128];

    for (int turn = 0; turn < 2; turn++) {
        struct answer answer, put;

        served_demand(served, "GET",
                      turn ? "/v1/landscapes/hill/heights?format=png&x=90&y=90&width=32&height=32"
                           : "/v1/landscapes/hill/render.png?width=32&height=32",
                      NULL, 200, &answer);
        served_ask(served, "PUT", "/v1/rasters/cloth", "Content-Type: image/png\r\n", answer.body,
                   answer.length, &put);
        assert_true(put.status == 200 || put.status == 201);
        answer_free(&answer);
        answer_free(&put);
        if (turn == 0) {
            served_expect(served, "POST", "/v1/landscapes/hill/layers",
                          "{\"name\":\"cloth\",\"material\":{\"albedo\":\"cloth\",\"tiling\":900}}",
                          201);
            served_expect(served, "POST", "/v1/landscapes/hill/edits",
                          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"cloth\",\"target\":255,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":253,\"height\":253}}]}",
                          200);
        }
        for (int i = 0; i < 2; i++) {
            served_demand(served, "GET", targets[i], NULL, 200, &answer);
            assert_null(answer_header(&answer, "Landscape-Warning"));
            snprintf(tags[turn][i], sizeof tags[turn][i], "%s", answer_header(&answer, "ETag"));
            answer_free(&answer);
        }
    }
    for (int i = 0; i < 2; i++)
        assert_string_not_equal(tags[0][i], tags[1][i]);

    /* And when it has gone, the picture says so, kept or not. */
    served_expect(served, "DELETE", "/v1/rasters/cloth", NULL, 204);
    for (int i = 0; i < 4; i++) {
        struct answer answer;

        served_demand(served, "GET", targets[i % 2], NULL, 200, &answer);
        assert_non_null(answer_header(&answer, "Landscape-Warning"));
        assert_non_null(strstr(answer_header(&answer, "Landscape-Warning"), "cloth"));
        answer_free(&answer);
    }
    served_expect(served, "DELETE", "/v1/landscapes/hill/layers/cloth", NULL, 200);
}

static void a_panorama_is_a_camera_of_pictures(void **state)
{
    struct served *served = *state;

    served_expect(served, "POST", "/v1/landscapes/hill/render",
                  "{\"width\":64,\"height\":32,\"camera\":{\"panorama\":[120,120,90]}}", 200);
    served_expect(served, "POST", "/v1/landscapes/hill/render",
                  "{\"camera\":{\"panorama\":[120,120,90],\"fit\":true}}", 400);
    served_expect(
        served, "POST", "/v1/landscapes/hill/render",
        "{\"width\":64,\"height\":32,\"camera\":{\"panorama\":[120,120,90]},\"legend\":true}", 200);
    served_expect(
        served, "POST", "/v1/landscapes/hill/render",
        "{\"width\":64,\"height\":32,\"camera\":{\"panorama\":[120,120,90]},\"scale_bar\":true}",
        400);
    served_expect(served, "POST", "/v1/landscapes/hill/lod",
                  "{\"mode\":\"quadtree\",\"camera\":{\"panorama\":[120,120,90]}}", 400);
}

/* What cannot be handed over is not drawn first: told of what no picture can be drawn of. */
static void what_a_format_cannot_hold_is_told_before(void **state)
{
    struct served *served = *state;
    struct answer answer;

    served_demand(
        served, "POST", "/v1/landscapes/hill/render",
        "{\"width\":16384,\"height\":1,\"format\":\"webp\",\"camera\":{\"position\":[1,1,1],"
        "\"target\":[1,1,1]}}",
        413, &answer);
    assert_non_null(strstr((const char *)answer.body, "16383"));
    answer_free(&answer);
    served_demand(served, "POST", "/v1/landscapes/hill/render",
                  "{\"format\":\"scene\",\"camera\":{\"panorama\":[120,120,90]}}", 400, &answer);
    assert_non_null(strstr((const char *)answer.body, "six scenes"));
    answer_free(&answer);
}

static int begin(void **state)
{
    struct served *served = served_start(NULL);

    assert_non_null(served);
    served_expect(
        served, "PUT", "/v1/landscapes/hill",
        "{\"layout\":{\"components\":[2,2],\"sections_per_component\":2,\"section_quads\":63}}",
        201);
    served_expect(served, "POST", "/v1/landscapes/hill/edits",
                  "{\"ops\":[{\"tool\":\"raise\",\"path\":[[120,120]],\"radius\":90,\"amount\":60},"
                  "{\"tool\":\"hole\",\"region\":{\"x\":40,\"y\":20,\"width\":20,\"height\":20}}]}",
                  200);
    *state = served;
    return 0;
}

static int end(void **state)
{
    assert_int_equal(served_stop(*state), 0);
    served_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_the_same_picture),
        cmocka_unit_test(an_address_names_its_format),
        cmocka_unit_test(numbers_are_raw),
        cmocka_unit_test(a_tile_shows_its_vertices),
        cmocka_unit_test(a_tile_is_named_by_its_pixels),
        cmocka_unit_test(a_raster_s_change_is_seen),
        cmocka_unit_test(a_panorama_is_a_camera_of_pictures),
        cmocka_unit_test(what_a_format_cannot_hold_is_told_before),
    };

    return cmocka_run_group_tests(tests, begin, end);
}

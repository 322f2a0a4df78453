/* Every file that png_write makes says to libpng what was written, and holds nothing else. */
#include <malloc.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "terrain/format/png_write.h"

static const struct {
    enum png_samples samples;
    int channels, depth, color;
} kinds[] = {
    { PNG_GRAY8, 1, 8, PNG_COLOR_TYPE_GRAY },
    { PNG_GRAY16, 1, 16, PNG_COLOR_TYPE_GRAY },
    { PNG_GRAY_ALPHA16, 2, 16, PNG_COLOR_TYPE_GRAY_ALPHA },
    { PNG_RGB8, 3, 8, PNG_COLOR_TYPE_RGB },
    { PNG_RGBA8, 4, 8, PNG_COLOR_TYPE_RGB_ALPHA },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const enum png_effort efforts[] = { PNG_FAST, PNG_SMALL, PNG_SMALLEST };

static size_t pixel_bytes(size_t kind)
{
    return (size_t)kinds[kind].channels * kinds[kind].depth / 8;
}

/* Ground with some noise: what compresses like a landscape, different in every byte. */
static unsigned char *made_up(size_t length, uint32_t seed)
{
    unsigned char *pixels = malloc(length + 1);

    assert_non_null(pixels);
    for (size_t i = 0; i < length; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = (unsigned char)((i / 7) ^ (seed >> 29));
    }
    return pixels;
}

struct source {
    const unsigned char *data;
    size_t left;
};

static void feed(png_structp png, png_bytep to, png_size_t length)
{
    struct source *source = png_get_io_ptr(png);

    if (length > source->left)
        png_error(png, "the file is too short");
    memcpy(to, source->data, length);
    source->data += length;
    source->left -= length;
}

/* Whether libpng, with warnings for errors, reads exactly these pixels and the file's last byte. */
static bool libpng_reads(const struct bytes *file, size_t kind, int32_t width, int32_t height,
                         const unsigned char *pixels)
{
    struct source source = { file->data, file->length };
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    const size_t row = (size_t)width * pixel_bytes(kind);
    unsigned char *read = malloc(row);
    volatile bool same = true;

    if (setjmp(png_jmpbuf(png))) {
        same = false;
        goto done;
    }
    png_set_benign_errors(png, 0);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_user_limits(png, 100000, 100000);
    png_set_read_fn(png, &source, feed);
    png_read_info(png, info);
    same = (int32_t)png_get_image_width(png, info) == width &&
           (int32_t)png_get_image_height(png, info) == height &&
           png_get_bit_depth(png, info) == kinds[kind].depth &&
           png_get_color_type(png, info) == kinds[kind].color &&
           png_get_interlace_type(png, info) == PNG_INTERLACE_NONE;
    if (kinds[kind].depth == 16)
        png_set_swap(png);
    for (int32_t y = 0; same && y < height; y++) {
        png_read_row(png, read, NULL);
        same = memcmp(read, pixels + (size_t)y * row, row) == 0;
    }
    png_read_end(png, info);
    same = same && source.left == 0;

done:
    png_destroy_read_struct(&png, &info, NULL);
    free(read);
    return same;
}

static void round_trip(size_t kind, int32_t width, int32_t height, enum png_effort effort)
{
    unsigned char *pixels = made_up((size_t)width * (size_t)height * pixel_bytes(kind),
                                    (uint32_t)(width * 31 + height));
    struct bytes file = { 0 };
    struct fault why = { 0 };

    assert_true(png_write(kinds[kind].samples, width, height, pixels, effort, &file, &why));
    if (!libpng_reads(&file, kind, width, height, pixels))
        fail_msg("kind %zu, %d x %d, effort %d", kind, width, height, effort);
    bytes_free(&file);
    free(pixels);
}

static void every_size_of_every_kind_is_read_back(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t effort = 0; effort < 3; effort++)
            for (int32_t width = 1; width <= 34; width++)
                for (int32_t height = 1; height <= 34; height += width % 3 + 1)
                    round_trip(kind, width, height, efforts[effort]);
}

static void tiles_and_long_strips_are_read_back(void **state)
{
    static const int32_t sizes[][2] = {
        { 256, 256 }, { 512, 512 }, { 1009, 505 }, { 9000, 1 }, { 1, 9000 }
    };

    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t effort = 0; effort < 3; effort++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                round_trip(kind, sizes[i][0], sizes[i][1], efforts[effort]);
}

/* Beyond 16 MiB the picture goes through in bands. */
static void a_big_picture_is_read_back(void **state)
{
    (void)state;
    round_trip(1, 4097, 2500, PNG_SMALLEST);
    round_trip(2, 2501, 2400, PNG_FAST);
}

static void bands_of_any_height_make_the_same_picture(void **state)
{
    enum { WIDTH = 301, HEIGHT = 97 };

    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const size_t row = WIDTH * pixel_bytes(kind);
        unsigned char *pixels = made_up(row * HEIGHT, 5);

        for (int32_t band = 1; band <= HEIGHT; band += 13) {
            struct bytes file = { 0 };
            struct fault why = { 0 };
            struct png_stream *stream = png_open(kinds[kind].samples, WIDTH, HEIGHT, &file, &why);

            assert_non_null(stream);
            for (int32_t y = 0; y < HEIGHT; y += band)
                assert_true(png_rows(stream, pixels + (size_t)y * row,
                                     band < HEIGHT - y ? band : HEIGHT - y, &why));
            assert_false(png_rows(stream, pixels, 1, &why));
            assert_int_equal(why.code, FAULT_INPUT);
            png_close(stream);
            assert_true(libpng_reads(&file, kind, WIDTH, HEIGHT, pixels));
            bytes_free(&file);
        }
        free(pixels);
    }
}

static uint32_t load_u32(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void a_file_holds_three_kinds_of_chunk_with_true_sums(void **state)
{
    static const char *const names[] = { "IHDR", "IDAT", "IEND" };
    unsigned char *pixels = made_up(64 * 64 * 3, 1);
    struct bytes file = { 0 };
    struct fault why = { 0 };
    size_t at = 8;

    (void)state;
    assert_true(png_write(PNG_RGB8, 64, 64, pixels, PNG_FAST, &file, &why));
    assert_memory_equal(file.data, "\x89PNG\r\n\x1a\n", 8);
    for (int i = 0; i < 3; i++) {
        const uint32_t length = load_u32(file.data + at);

        assert_memory_equal(file.data + at + 4, names[i], 4);
        assert_int_equal(load_u32(file.data + at + 8 + length),
                         crc32(0, file.data + at + 4, length + 4));
        at += 12 + length;
    }
    assert_int_equal(at, file.length);
    bytes_free(&file);
    free(pixels);
}

static void a_file_is_appended_to_what_was_there(void **state)
{
    const uint16_t sample = 258;
    struct bytes file = { 0 };
    struct fault why = { 0 };

    (void)state;
    assert_true(bytes_add(&file, "before", 6, &why));
    assert_true(png_write(PNG_GRAY16, 1, 1, &sample, PNG_FAST, &file, &why));
    assert_memory_equal(file.data, "before\x89PNG", 10);
    bytes_free(&file);
}

/* A strong ETag names bytes: whatever was in the memory that an encoder takes, they are the same.
 */
static void a_picture_has_one_encoding(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t effort = 0; effort < sizeof efforts / sizeof efforts[0]; effort++) {
            const int32_t width = 256, height = 256;
            unsigned char *pixels = made_up((size_t)width * height * pixel_bytes(kind), 5);
            struct bytes first = { 0 };
            struct fault why = { 0 };

            memset(pixels, 0, (size_t)width * 200 * pixel_bytes(kind));
            for (int round = 0; round < 8; round++) {
                struct bytes again = { 0 };

                mallopt(M_PERTURB, round * 37);
                assert_true(png_write(kinds[kind].samples, width, height, pixels, efforts[effort],
                                      round ? &again : &first, &why));
                mallopt(M_PERTURB, 0);
                if (round) {
                    assert_int_equal(again.length, first.length);
                    assert_memory_equal(again.data, first.data, first.length);
                }
                bytes_free(&again);
            }
            bytes_free(&first);
            free(pixels);
        }
}

static void an_empty_picture_is_refused_and_nothing_appended(void **state)
{
    static const int32_t sizes[][2] = { { 0, 1 }, { 1, 0 }, { -1, 5 }, { 5, INT32_MIN } };
    struct bytes file = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct fault why = { 0 };

        assert_false(png_write(PNG_GRAY8, sizes[i][0], sizes[i][1], "", PNG_FAST, &file, &why));
        assert_int_equal(why.code, FAULT_INPUT);
        assert_null(png_open(PNG_GRAY8, sizes[i][0], sizes[i][1], &file, &why));
        assert_int_equal(file.length, 0);
    }
    bytes_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_of_every_kind_is_read_back),
        cmocka_unit_test(tiles_and_long_strips_are_read_back),
        cmocka_unit_test(a_big_picture_is_read_back),
        cmocka_unit_test(bands_of_any_height_make_the_same_picture),
        cmocka_unit_test(a_file_holds_three_kinds_of_chunk_with_true_sums),
        cmocka_unit_test(a_file_is_appended_to_what_was_there),
        cmocka_unit_test(a_picture_has_one_encoding),
        cmocka_unit_test(an_empty_picture_is_refused_and_nothing_appended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

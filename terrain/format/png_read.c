#include "terrain/format/png_read.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading in progress. libpng leaves by longjmp, so what must survive lives here. */
struct reading {
    const unsigned char *data;
    size_t length, at;
    png_structp png;
    png_infop info;
    void *scratch; /* one row, or the whole picture when it is interlaced */
    png_bytep *rows;
    struct fault *why;
};

static void read_bytes(png_structp png, png_bytep to, size_t count)
{
    struct reading *reading = png_get_io_ptr(png);

    if (count > reading->length - reading->at) {
        fault_set(reading->why, FAULT_TRUNCATED,
                  "the PNG ends after %zu bytes, in the middle of its data", reading->length);
        png_longjmp(png, 1);
    }
    memcpy(to, reading->data + reading->at, count);
    reading->at += count;
}

/* libpng tells its failures apart by text alone. */
static const struct {
    const char *text;
    enum fault_code code;
} failures[] = {
    { "CRC error", FAULT_CHECKSUM },
    { "incorrect data check", FAULT_CHECKSUM },
    { "incorrect header check", FAULT_FORMAT },
    { "Not enough image data", FAULT_TRUNCATED },
    { "Too much image data", FAULT_LENGTH },
    { "Extra compressed data", FAULT_LENGTH },
    { "Out of memory", FAULT_MEMORY },
    { "nsufficient memory", FAULT_MEMORY },
};

static void failed(png_structp png, png_const_charp message)
{
    struct reading *reading = png_get_error_ptr(png);
    enum fault_code code = FAULT_FORMAT;

    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (strstr(message, failures[i].text))
            code = failures[i].code;
    fault_set(reading->why, code, "the PNG is damaged: %s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* What the header declares is looked at before libpng sees it: no allocation follows a lie. */
static bool header_fits(const unsigned char *data, size_t length,
                        const struct decode_options *options, struct fault *why)
{
    if (!decode_is_png(data, length))
        return fault_set(why, FAULT_FORMAT, "the %zu bytes do not begin as a PNG does", length);
    if (length < 33)
        return fault_set(why, FAULT_TRUNCATED,
                         "the PNG ends after %zu bytes; its header alone takes 33", length);
    if (big_endian(data + 8) != 13 || memcmp(data + 12, "IHDR", 4) != 0)
        return fault_set(why, FAULT_FORMAT, "the PNG does not begin with its header");
    return raster_fits(&options->limits, big_endian(data + 16), big_endian(data + 20), why);
}

static bool colour_known(int colour, int depth, const struct decode_options *options,
                         struct fault *why)
{
    bool gray = colour == PNG_COLOR_TYPE_GRAY || colour == PNG_COLOR_TYPE_GRAY_ALPHA;

    if (options->encoding == DECODE_PICTURE)
        return true;
    if (colour == PNG_COLOR_TYPE_PALETTE)
        return fault_set(why, FAULT_COLOUR,
                         "the PNG has a palette, and an index is no height; convert it to gray");
    if (gray && options->encoding != DECODE_PLAIN)
        return fault_set(why, FAULT_COLOUR,
                         "encoding names how colours stand for metres, but the "
                         "PNG is gray; leave it out");
    if (!gray && options->encoding == DECODE_PLAIN)
        return fault_set(why, FAULT_COLOUR,
                         "the PNG has colours: name what they stand for with "
                         "encoding=terrain-rgb or terrarium, or convert it to "
                         "gray");
    if (!gray && depth != 8)
        return fault_set(why, FAULT_COLOUR, "colours that stand for metres have 8 bits, not %d",
                         depth);
    return true;
}

static void harden(png_structp png, const struct decode_options *options)
{
    png_uint_32 side =
        (png_uint_32)(options->limits.side < 0x7fffffff ? options->limits.side : 0x7fffffff);

    png_set_user_limits(png, side, side);
    png_set_chunk_cache_max(png, 16);
    png_set_chunk_malloc_max(png, 65536);
    png_set_benign_errors(png, 0);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    /* All ancillary chunks, known ones too: none changes a height and some inflate text. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    if (options->encoding == DECODE_PICTURE)
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "tRNS", 1);
}

static void read_gray(struct reading *reading, struct raster_room *room, struct raster *raster,
                      uint16_t *codes, int passes)
{
    size_t width = (size_t)raster->width;

    if (passes > 1) {
        reading->rows = png_malloc(reading->png, (size_t)raster->height * sizeof(png_bytep));
        for (int32_t y = 0; y < raster->height; y++)
            reading->rows[y] = (png_bytep)(codes + (size_t)y * width);
        png_read_image(reading->png, reading->rows);
    }
    for (int32_t y = 0; y < raster->height; y++) {
        uint16_t *row = codes + (size_t)y * width;

        if (passes == 1)
            png_read_row(reading->png, (png_bytep)row, NULL);
        raster_note_codes(raster, row, raster->width);
        if (room->row_done)
            room->row_done(room, raster, y + 1);
    }
}

/* Tenths of a metre from -10000, and 256ths from -32768: both as near as the type can be. */
static void metres_of(const unsigned char *rgb, int32_t count, enum decode_encoding encoding,
                      void *row)
{
    float *floats = row;
    double *doubles = row;

    for (int32_t i = 0; i < count; i++, rgb += 3) {
        int32_t value = rgb[0] << 16 | rgb[1] << 8 | rgb[2];

        if (encoding == DECODE_TERRAIN_RGB)
            doubles[i] = (value - 100000) / 10.0;
        else
            floats[i] = (float)(value - (32768 << 8)) / 256;
    }
}

static void read_colours(struct reading *reading, struct raster *raster, void *metres, int passes,
                         enum decode_encoding encoding)
{
    size_t width = (size_t)raster->width, row_bytes = width * 3;
    size_t rows = passes > 1 ? (size_t)raster->height : 1;
    unsigned char *rgb;

    reading->scratch = rgb = png_malloc(reading->png, row_bytes * rows);
    for (int pass = 1; pass < passes; pass++)
        for (size_t y = 0; y < rows; y++)
            png_read_row(reading->png, rgb + y * row_bytes, NULL);
    for (int32_t y = 0; y < raster->height; y++) {
        unsigned char *from = passes > 1 ? rgb + (size_t)y * row_bytes : rgb;
        void *to = (char *)metres + (size_t)y * width * raster_sample_bytes(raster->kind);

        png_read_row(reading->png, from, NULL);
        metres_of(from, raster->width, encoding, to);
        if (encoding == DECODE_TERRAIN_RGB)
            raster_note_doubles(raster, to, raster->width);
        else
            raster_note_floats(raster, to, raster->width);
    }
}

/* What a picture's header makes of its pixels. */
static enum raster_kind picture_kind(png_structp png, png_infop info)
{
    int colour = png_get_color_type(png, info);
    bool alpha = (colour & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);

    if (colour & PNG_COLOR_MASK_COLOR) /* a palette has this bit, too */
        return alpha ? RASTER_RGBA : RASTER_RGB;
    return alpha ? RASTER_GRAY_ALPHA : RASTER_U16;
}

static void picture_rows(struct reading *reading, struct raster *raster, unsigned char *pixels,
                         int passes)
{
    size_t row = (size_t)raster->width * raster_sample_bytes(raster->kind);

    for (int pass = 0; pass < passes; pass++)
        for (int32_t y = 0; y < raster->height; y++)
            png_read_row(reading->png, pixels + (size_t)y * row, NULL);
}

/* A picture for its own sake: gray of 16 bits, or colours of 8, with alpha if there is any. */
static bool read_picture(struct reading *reading, const struct decode_options *options,
                         struct raster_room *room, struct raster *raster)
{
    png_structp png = reading->png;
    enum raster_kind kind = picture_kind(png, reading->info);
    unsigned char *pixels =
        raster_take(raster, room, &options->limits, kind, png_get_image_width(png, reading->info),
                    png_get_image_height(png, reading->info), reading->why);
    int passes;

    if (!pixels)
        return false;
    raster->codes = kind == RASTER_U16;
    raster->depth = png_get_bit_depth(png, reading->info);
    raster->least = raster->greatest = 0;
    snprintf(raster->driver, sizeof raster->driver, "PNG");
    if (kind == RASTER_U16 || kind == RASTER_GRAY_ALPHA) {
        png_set_expand_16(png);
        png_set_swap(png);
    } else {
        png_set_expand(png);
        png_set_scale_16(png);
    }
    passes = png_set_interlace_handling(png);
    png_read_update_info(png, reading->info);
    if (png_get_rowbytes(png, reading->info) !=
        (size_t)raster->width * raster_sample_bytes(raster->kind))
        return fault_set(reading->why, FAULT_COLOUR, "the PNG's colours are of no known kind");
    picture_rows(reading, raster, pixels, passes);
    png_read_end(png, NULL);
    return true;
}

static bool read_samples(struct reading *reading, const struct decode_options *options,
                         struct raster_room *room, struct raster *raster)
{
    png_structp png = reading->png;
    enum raster_kind kind = options->encoding == DECODE_PLAIN         ? RASTER_U16
                            : options->encoding == DECODE_TERRAIN_RGB ? RASTER_DOUBLES
                                                                      : RASTER_FLOATS;
    int depth, passes;
    void *samples;

    depth = png_get_bit_depth(png, reading->info);
    if (!colour_known(png_get_color_type(png, reading->info), depth, options, reading->why))
        return false;
    samples =
        raster_take(raster, room, &options->limits, kind, png_get_image_width(png, reading->info),
                    png_get_image_height(png, reading->info), reading->why);
    if (!samples)
        return false;
    raster->codes = kind == RASTER_U16;
    raster->depth = depth;
    snprintf(raster->type, sizeof raster->type, "uint%d", depth);
    snprintf(raster->driver, sizeof raster->driver, "PNG");
    png_set_strip_alpha(png);
    if (kind == RASTER_U16) {
        png_set_expand_16(png); /* widens by repetition: x 257, 4369, 21845, 65535 */
        png_set_swap(png);
    }
    passes = png_set_interlace_handling(png);
    png_read_update_info(png, reading->info);
    if (kind == RASTER_U16)
        read_gray(reading, room, raster, samples, passes);
    else
        read_colours(reading, raster, samples, passes, options->encoding);
    png_read_end(png, NULL);
    return raster_finish(raster, reading->why);
}

/* The frame that libpng's failures jump back to: nothing of it changes on the way. */
static bool read_guarded(struct reading *reading, const struct decode_options *options,
                         struct raster_room *room, struct raster *raster)
{
    if (setjmp(png_jmpbuf(reading->png)))
        return false;
    reading->info = png_create_info_struct(reading->png);
    if (!reading->info)
        return fault_set(reading->why, FAULT_MEMORY, "no memory to read a PNG");
    png_set_read_fn(reading->png, reading, read_bytes);
    harden(reading->png, options);
    png_read_info(reading->png, reading->info);
    return options->encoding == DECODE_PICTURE ? read_picture(reading, options, room, raster)
                                               : read_samples(reading, options, room, raster);
}

bool png_read(const void *data, size_t length, const struct decode_options *options,
              struct raster_room *room, struct raster *raster, struct fault *why)
{
    struct reading reading = { .data = data, .length = length, .why = why };
    bool done;

    memset(raster, 0, sizeof *raster);
    if (!header_fits(data, length, options, why))
        return false;
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, failed, ignore_warning);
    if (!reading.png)
        return fault_set(why, FAULT_MEMORY, "no memory to read a PNG");
    done = read_guarded(&reading, options, room, raster);
    png_free(reading.png, reading.scratch);
    png_free(reading.png, reading.rows);
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    return done;
}

#include "terrain/format/png_write.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/format/squeeze.h"

enum {
    FILTER_UP = 2,
    BAND_BYTES = 1 << 18,       /* filtered at once when a picture is streamed */
    WHOLE_BYTES_MOST = 1 << 24, /* filtered at once otherwise */
    SMALL_LEVEL = 2,
    SMALLEST_LEVEL = 9
};

static const struct kind {
    unsigned char depth, color;
    size_t bytes; /* a pixel */
} kinds[] = {
    [PNG_GRAY8] = { 8, 0, 1 }, [PNG_GRAY16] = { 16, 0, 2 }, [PNG_GRAY_ALPHA16] = { 16, 4, 4 },
    [PNG_RGB8] = { 8, 2, 3 },  [PNG_RGBA8] = { 8, 6, 4 },
};

size_t png_pixel_bytes(enum png_samples samples)
{
    return kinds[samples].bytes;
}

/* Filtering goes on from band to band: `above` is the row before the next one. */
struct png_stream {
    enum png_samples samples;
    size_t row; /* bytes */
    int32_t height, done;
    int32_t band; /* rows that `filtered` has room for */
    unsigned char *above, *swapped, *filtered;
    struct squeeze *squeeze;
    struct bytes *to;
};

static void store_u32(unsigned char *to, uint32_t value)
{
    to[0] = (unsigned char)(value >> 24);
    to[1] = (unsigned char)(value >> 16);
    to[2] = (unsigned char)(value >> 8);
    to[3] = (unsigned char)value;
}

/* A chunk is begun with its length still open, and ended when its content has been appended. */
static bool chunk_begin(struct bytes *to, const char *type, size_t *at, struct fault *why)
{
    const unsigned char head[8] = { 0,
                                    0,
                                    0,
                                    0,
                                    (unsigned char)type[0],
                                    (unsigned char)type[1],
                                    (unsigned char)type[2],
                                    (unsigned char)type[3] };

    *at = to->length;
    return bytes_add(to, head, sizeof head, why);
}

static bool chunk_end(struct bytes *to, size_t at, struct fault *why)
{
    const size_t length = to->length - at - 8;
    unsigned char crc[4];

    store_u32(to->data + at, (uint32_t)length);
    store_u32(crc, squeeze_crc(0, to->data + at + 4, length + 4));
    return bytes_add(to, crc, sizeof crc, why);
}

static bool chunk_add(struct bytes *to, const char *type, const void *data, size_t length,
                      struct fault *why)
{
    size_t at;

    return chunk_begin(to, type, &at, why) && bytes_add(to, data, length, why) &&
           chunk_end(to, at, why);
}

static bool head_add(struct bytes *to, enum png_samples samples, int32_t width, int32_t height,
                     struct fault *why)
{
    static const unsigned char signature[8] = { 137, 'P', 'N', 'G', '\r', '\n', 26, '\n' };
    unsigned char head[13] = { 0 };

    store_u32(head, (uint32_t)width);
    store_u32(head + 4, (uint32_t)height);
    head[8] = kinds[samples].depth;
    head[9] = kinds[samples].color;
    return bytes_add(to, signature, sizeof signature, why) &&
           chunk_add(to, "IHDR", head, sizeof head, why);
}

static void swap_row(const unsigned char *from, unsigned char *restrict to, size_t samples)
{
    for (size_t i = 0; i < samples; i++) {
        uint16_t value;

        memcpy(&value, from + 2 * i, 2);
        to[2 * i] = (unsigned char)(value >> 8);
        to[2 * i + 1] = (unsigned char)value;
    }
}

static void filter_up(const unsigned char *row, const unsigned char *above,
                      unsigned char *restrict to, size_t length)
{
    *to++ = FILTER_UP;
    for (size_t i = 0; i < length; i++)
        to[i] = (unsigned char)(row[i] - above[i]);
}

/* Filters the next count rows into `to`, in the byte order of the file. */
static void filter_rows(struct png_stream *stream, const unsigned char *rows, int32_t count,
                        unsigned char *to)
{
    const size_t row = stream->row;

    for (int32_t y = 0; y < count; y++, rows += row, to += row + 1) {
        if (kinds[stream->samples].depth == 16) {
            unsigned char *spare = stream->above;

            swap_row(rows, stream->swapped, row / 2);
            filter_up(stream->swapped, stream->above, to, row);
            stream->above = stream->swapped;
            stream->swapped = spare;
        } else {
            filter_up(rows, y ? rows - row : stream->above, to, row);
        }
    }
    if (count > 0 && kinds[stream->samples].depth != 16)
        memcpy(stream->above, rows - row, row);
}

static bool size_check(int32_t width, int32_t height, struct fault *why)
{
    if (width < 1 || height < 1)
        return fault_set(why, FAULT_INPUT, "a picture of %d x %d pixels is empty", width, height);
    return true;
}

/* Room for filtering `band` rows at a time; the row above the first is all zero. */
static bool stream_init(struct png_stream *stream, enum png_samples samples, int32_t width,
                        int32_t height, int32_t band, struct bytes *to, struct fault *why)
{
    const size_t row = (size_t)width * kinds[samples].bytes;

    *stream = (struct png_stream){
        .samples = samples, .row = row, .height = height, .band = band, .to = to
    };
    stream->above = calloc(1, row);
    stream->swapped = malloc(row);
    stream->filtered = malloc((size_t)band * (row + 1));
    if (!stream->above || !stream->swapped || !stream->filtered)
        return fault_set(why, FAULT_MEMORY, "no memory for a picture of %d x %d pixels", width,
                         height);
    return true;
}

static void stream_fini(struct png_stream *stream)
{
    squeeze_free(stream->squeeze);
    free(stream->above);
    free(stream->swapped);
    free(stream->filtered);
}

struct png_stream *png_open(enum png_samples samples, int32_t width, int32_t height,
                            struct bytes *to, struct fault *why)
{
    struct png_stream *stream = NULL;
    int32_t band;

    if (!size_check(width, height, why))
        return NULL;
    band = (int32_t)(BAND_BYTES / ((size_t)width * kinds[samples].bytes)) + 1;
    stream = calloc(1, sizeof *stream);
    if (!stream) {
        fault_set(why, FAULT_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
        return NULL;
    }
    if (!stream_init(stream, samples, width, height, band < height ? band : height, to, why))
        goto failed;
    stream->squeeze = squeeze_new();
    if (!stream->squeeze) {
        fault_set(why, FAULT_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
        goto failed;
    }
    if (!head_add(to, samples, width, height, why))
        goto failed;
    return stream;

failed:
    png_close(stream);
    return NULL;
}

/* One band becomes one IDAT chunk, unless nothing of it is ready yet. */
static bool band_add(struct png_stream *stream, const unsigned char *rows, int32_t count,
                     struct fault *why)
{
    struct bytes *to = stream->to;
    size_t at;

    filter_rows(stream, rows, count, stream->filtered);
    stream->done += count;
    if (!chunk_begin(to, "IDAT", &at, why) ||
        !squeeze_feed(stream->squeeze, stream->filtered, (size_t)count * (stream->row + 1),
                      stream->done == stream->height, to, why))
        return false;
    if (to->length == at + 8) {
        to->length = at;
        return true;
    }
    return chunk_end(to, at, why);
}

bool png_rows(struct png_stream *stream, const void *pixels, int32_t count, struct fault *why)
{
    const unsigned char *rows = pixels;

    if (count < 0 || count > stream->height - stream->done)
        return fault_set(why, FAULT_INPUT, "%d rows do not fit: %d of %d are left", count,
                         stream->height - stream->done, stream->height);
    while (count > 0) {
        const int32_t now = count < stream->band ? count : stream->band;

        if (!band_add(stream, rows, now, why))
            return false;
        rows += (size_t)now * stream->row;
        count -= now;
        if (stream->done == stream->height)
            return chunk_add(stream->to, "IEND", "", 0, why);
    }
    return true;
}

void png_close(struct png_stream *stream)
{
    if (!stream)
        return;
    stream_fini(stream);
    free(stream);
}

static bool write_streamed(enum png_samples samples, int32_t width, int32_t height,
                           const void *pixels, struct bytes *to, struct fault *why)
{
    struct png_stream *stream = png_open(samples, width, height, to, why);
    bool written = stream && png_rows(stream, pixels, height, why);

    png_close(stream);
    return written;
}

static bool write_whole(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
                        enum png_effort effort, struct bytes *to, struct fault *why)
{
    struct png_stream stream = { 0 };
    const size_t length = (size_t)height * ((size_t)width * kinds[samples].bytes + 1);
    bool written = false;
    size_t at;

    if (!stream_init(&stream, samples, width, height, height, to, why))
        goto done;
    filter_rows(&stream, pixels, height, stream.filtered);
    if (!head_add(to, samples, width, height, why) || !chunk_begin(to, "IDAT", &at, why))
        goto done;
    if (effort == PNG_FAST
            ? !squeeze_fast(stream.filtered, length, to, why)
            : !squeeze_small(stream.filtered, length,
                             effort == PNG_SMALL ? SMALL_LEVEL : SMALLEST_LEVEL, to, why))
        goto done;
    written = chunk_end(to, at, why) && chunk_add(to, "IEND", "", 0, why);

done:
    stream_fini(&stream);
    return written;
}

bool png_write(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
               enum png_effort effort, struct bytes *to, struct fault *why)
{
    const size_t before = to->length;
    bool written;

    if (!size_check(width, height, why))
        return false;
    if ((uint64_t)height * ((uint64_t)width * kinds[samples].bytes + 1) > WHOLE_BYTES_MOST)
        written = write_streamed(samples, width, height, pixels, to, why);
    else
        written = write_whole(samples, width, height, pixels, effort, to, why);
    if (!written)
        to->length = before;
    return written;
}

#include "api/rasters/eight_bit.h"

#include "api/service.h"
#include "terrain/format/decode.h"
#include "terrain/format/png_write.h"

const char *const eight_bit_media[] = { "image/png", "application/x-r8", NULL };
const char *const eight_bit_formats[] = { "png", "r8", NULL };

enum { BAND_ROWS = 64, WIDENED = 257 /* a code of an 8-bit sample, per unit of it */ };

static struct raster_limits limits_of(const struct request *rq)
{
    return (struct raster_limits){ rq->service->limits.landscape_side,
                                   rq->service->limits.landscape_vertices };
}

/* Bodies */

static bool read_raw(struct request *rq, const struct window_asked *asked, int planes,
                     struct eight_bit *raster)
{
    struct raster_limits limits = limits_of(rq);
    int64_t expected = (int64_t)asked->width * asked->height * planes;

    if (asked->width == 0 || asked->height == 0) {
        REFUSE(rq, FAULT_AMBIGUOUS,
               "the size of %zu bytes of uint8 cannot be told; give width and height",
               rq->body_length);
        return fault_at(&rq->fault, asked->width == 0 ? "width" : "height");
    }
    if (!raster_fits(&limits, asked->width, asked->height, &rq->fault))
        return false;
    if (expected != (int64_t)rq->body_length)
        return REFUSE(rq, FAULT_LENGTH, "%d x %d samples of %d planes are %lld bytes, but %zu came",
                      asked->width, asked->height, planes, (long long)expected, rq->body_length);
    *raster = (struct eight_bit){ asked->width, asked->height, planes, rq->body_data };
    return true;
}

/* How the channels of a decoded picture lie in memory, in order, and which of them is alpha. */
static const struct {
    int channels, bytes; /* of a sample */
    bool alpha;
} kinds[] = {
    [RASTER_U16] = { 1, 2, false },
    [RASTER_GRAY_ALPHA] = { 2, 2, true },
    [RASTER_RGB] = { 3, 1, false },
    [RASTER_RGBA] = { 4, 1, true },
};

/* A plane of one channel. Gray comes widened to 16 bits, so that any of up to 8 is a whole number
 * of 257ths. */
static void channel_read(const struct raster *from, int channel, uint8_t *samples)
{
    size_t count = (size_t)from->width * (size_t)from->height;
    size_t step = (size_t)kinds[from->kind].channels;
    const uint16_t *codes = (const uint16_t *)from->samples + channel;
    const uint8_t *bytes = (const uint8_t *)from->samples + channel;

    for (size_t i = 0; i < count; i++)
        samples[i] =
            kinds[from->kind].bytes == 2 ? (uint8_t)(codes[i * step] / WIDENED) : bytes[i * step];
}

/* A channel is a plane. Alpha is one only if there are as many planes as channels: programs that
 * save pictures put what they like there. */
static bool planes_take(struct request *rq, const struct raster *from, int planes,
                        struct eight_bit *raster)
{
    size_t count = (size_t)from->width * (size_t)from->height;
    int channels = kinds[from->kind].channels, without = channels - kinds[from->kind].alpha;
    uint8_t *samples;

    if (from->depth > 8)
        return REFUSE(rq, FAULT_COLOUR, "the PNG has %d bits a sample; 8 are taken here",
                      from->depth);
    if (planes != channels && planes != without)
        return REFUSE(rq, FAULT_COLOUR, "the PNG has %d channels, and %d %s wanted here", channels,
                      planes, planes == 1 ? "is" : "are");
    samples = arena_new(rq->arena, count * (size_t)planes);
    if (!samples)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %d x %d samples", from->width, from->height);
    for (int i = 0; i < planes; i++)
        channel_read(from, i, samples + (size_t)i * count);
    *raster = (struct eight_bit){ from->width, from->height, planes, samples };
    return true;
}

static bool read_png(struct request *rq, const struct window_asked *asked, int planes,
                     struct eight_bit *raster)
{
    struct decode_options options = { .limits = limits_of(rq),
                                      .encoding = DECODE_PICTURE,
                                      .driver = -1 };
    struct raster decoded;
    bool read;

    if (!decode_is_png(rq->body_data, rq->body_length))
        return REFUSE(rq, FAULT_FORMAT, "the %zu bytes do not begin as a PNG does",
                      rq->body_length);
    if (!decode_raster(rq->service->decoders, &options, rq->body_data, rq->body_length, &decoded,
                       &rq->fault))
        return false;
    read = planes_take(rq, &decoded, planes, raster);
    raster_free(&decoded);
    if (!read)
        return false;
    if ((asked->width && asked->width != raster->width) ||
        (asked->height && asked->height != raster->height))
        return REFUSE(rq, FAULT_SIZE, "the PNG has %d x %d samples, unlike width and height",
                      raster->width, raster->height);
    return true;
}

bool eight_bit_read(struct request *rq, enum eight_bit_form form, const struct window_asked *asked,
                    int planes, struct eight_bit *raster)
{
    return form == EIGHT_BIT_PNG ? read_png(rq, asked, planes, raster)
                                 : read_raw(rq, asked, planes, raster);
}

/* Answers */

static struct rect band_of(struct rect window, int32_t row)
{
    int32_t left = window.height - row;

    return (struct rect){ window.x, window.y + row, window.width,
                          left < BAND_ROWS ? left : BAND_ROWS };
}

static bool write_raw(struct request *rq, struct rect window, int planes, eight_bit_rows *read,
                      void *context)
{
    size_t plane = (size_t)rect_area(window);

    if (!bytes_reserve(&rq->bytes, plane * (size_t)planes + 1, &rq->fault))
        return false;
    for (int i = 0; i < planes; i++)
        read(context, i, window, rq->bytes.data + (size_t)i * plane);
    rq->bytes.length = plane * (size_t)planes;
    return true;
}

static bool write_png(struct request *rq, struct rect window, eight_bit_rows *read, void *context)
{
    uint8_t *band = arena_new(rq->arena, (size_t)window.width * BAND_ROWS);
    struct png_stream *stream;
    bool done = true;

    if (!band)
        return REFUSE(rq, FAULT_MEMORY, "no memory for rows of %d samples", window.width);
    stream = png_open(PNG_GRAY8, window.width, window.height, &rq->bytes, &rq->fault);
    for (int32_t row = 0; stream && done && row < window.height; row += BAND_ROWS) {
        struct rect rows = band_of(window, row);

        read(context, 0, rows, band);
        done = png_rows(stream, band, rows.height, &rq->fault);
    }
    png_close(stream);
    return stream && done;
}

bool eight_bit_write(struct request *rq, enum eight_bit_form form, struct rect window, int planes,
                     eight_bit_rows *read, void *context)
{
    int64_t samples = rect_area(window) * planes, most = rq->service->limits.window_vertices;

    if (samples > most)
        return REFUSE(rq, FAULT_LIMIT,
                      "the window has %lld samples; at most %lld go into one answer "
                      "(window_vertices)",
                      (long long)samples, (long long)most);
    return form == EIGHT_BIT_PNG ? write_png(rq, window, read, context)
                                 : write_raw(rq, window, planes, read, context);
}

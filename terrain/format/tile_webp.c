/* Lossless, every sample as it is, also under alpha 0 (container and coding: RFC 9649). Effort 1 of
 * the library's 0 to 9. Measured on tiles of heights of 256 pixels: our PNG 56 kB in 1.1 ms; effort
 * 0 51 kB in 3.6 ms, 1 37 kB in 11 ms, 2 34 kB in 17 ms, 4 32 kB in 29 ms. */
#include <webp/encode.h>

#include "terrain/format/tile_set.h"

enum { EFFORT = 1 };

struct sink {
    struct bytes *to;
    struct fault *why;
};

static int take(const uint8_t *data, size_t length, const WebPPicture *picture)
{
    struct sink *sink = picture->custom_ptr;

    return bytes_add(sink->to, data, length, sink->why);
}

/* The library's pixels: alpha, red, green and blue in one number. */
static void pixels_fill(WebPPicture *picture, enum png_samples samples, const uint8_t *from)
{
    const size_t bytes = png_pixel_bytes(samples);

    for (int y = 0; y < picture->height; y++) {
        uint32_t *row = picture->argb + (size_t)y * (size_t)picture->argb_stride;

        for (int x = 0; x < picture->width; x++, from += bytes) {
            const uint8_t green = from[bytes > 1 ? 1 : 0], blue = from[bytes > 1 ? 2 : 0];
            const uint8_t alpha = bytes > 3 ? from[3] : 255;

            row[x] = (uint32_t)alpha << 24 | (uint32_t)from[0] << 16 | (uint32_t)green << 8 | blue;
        }
    }
}

static bool tile_webp(const struct tile_picture *from, struct bytes *to, struct fault *why)
{
    const size_t before = to->length;
    struct sink sink = { to, why };
    WebPConfig config;
    WebPPicture picture;
    bool written = false;

    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture) ||
        !WebPConfigLosslessPreset(&config, EFFORT))
        return fault_set(why, FAULT_INTERNAL, "libwebp is of another version than its header");
    config.exact = 1;
    picture.use_argb = 1;
    picture.width = from->width;
    picture.height = from->height;
    picture.writer = take;
    picture.custom_ptr = &sink;
    if (WebPPictureAlloc(&picture)) {
        pixels_fill(&picture, from->samples, from->pixels);
        written = WebPEncode(&config, &picture);
    }
    WebPPictureFree(&picture);
    if (written)
        return true;
    to->length = before;
    return fault_set(why, FAULT_MEMORY, "no memory for a WebP picture of %d x %d pixels",
                     from->width, from->height);
}

const struct tile_kind tile_kind_webp = {
    .extension = "webp",
    .media = { "image/webp", NULL },
    .write = tile_webp,
};

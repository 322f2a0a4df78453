#include "terrain/format/webp_write.h"

#include <webp/encode.h>

/* Of the library's lossless 0 to 9. Measured on tiles of heights of 256 pixels: our PNG 56 kB in
 * 1.1 ms; effort 0 51 kB in 3.6 ms, 1 37 kB in 11 ms, 2 34 kB in 17 ms, 4 32 kB in 29 ms. */
enum { EXACT_EFFORT = 1 };

/* Of the library's lossy 0 to 6: 2 takes a third of the time of its default, 4, for a tenth more
 * bytes. */
enum { LOSSY_EFFORT = 2 };

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

static bool encode(const WebPConfig *config, enum png_samples samples, int32_t width,
                   int32_t height, const void *pixels, struct bytes *to, struct fault *why)
{
    const size_t before = to->length;
    struct sink sink = { to, why };
    WebPPicture picture;
    bool written = false;

    if (!WebPPictureInit(&picture))
        return fault_set(why, FAULT_INTERNAL, "libwebp is of another version than its header");
    picture.use_argb = 1;
    picture.width = width;
    picture.height = height;
    picture.writer = take;
    picture.custom_ptr = &sink;
    if (WebPPictureAlloc(&picture)) {
        pixels_fill(&picture, samples, pixels);
        written = WebPEncode(config, &picture);
    }
    WebPPictureFree(&picture);
    if (written)
        return true;
    to->length = before;
    return fault_set(why, FAULT_MEMORY, "no memory for a WebP picture of %d x %d pixels", width,
                     height);
}

bool webp_write_exact(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
                      struct bytes *to, struct fault *why)
{
    WebPConfig config;

    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, EXACT_EFFORT))
        return fault_set(why, FAULT_INTERNAL, "libwebp is of another version than its header");
    config.exact = 1;
    return encode(&config, samples, width, height, pixels, to, why);
}

bool webp_write(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
                int quality, struct bytes *to, struct fault *why)
{
    WebPConfig config;

    if (width > WEBP_SIDE_MOST || height > WEBP_SIDE_MOST)
        return fault_set(why, FAULT_LIMIT,
                         "A WebP picture has at most %d pixels a side, not %d x %d", WEBP_SIDE_MOST,
                         width, height);
    if (!WebPConfigPreset(&config, WEBP_PRESET_PHOTO, (float)quality))
        return fault_set(why, FAULT_INTERNAL, "libwebp is of another version than its header");
    config.method = LOSSY_EFFORT;
    return encode(&config, samples, width, height, pixels, to, why);
}

#include "api/pictures/formats.h"

#include <stdio.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/format/jpeg_write.h"
#include "terrain/format/png_write.h"
#include "terrain/format/webp_write.h"

/* RGBA to RGB in place. */
static void drop_alpha(uint8_t *pixels, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (int channel = 0; channel < 3; channel++)
            pixels[3 * i + (size_t)channel] = pixels[4 * i + (size_t)channel];
}

enum { RUN = 4096, BLOCK = 64 };

/* Whether three bytes of each pixel, those before alpha, are the same. */
WIDE static bool all_gray(const uint8_t *rgba, size_t count)
{
    const union {
        uint8_t bytes[4];
        uint32_t pixel;
    } mask = { { 255, 255, 0, 0 } };
    uint32_t differ = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t pixel, next;

        /* The next byte of the pixel in each one's place, whatever the machine's order. */
        memcpy(&pixel, rgba + 4 * i, sizeof pixel);
        next = mask.pixel == 0xffff ? pixel >> 8 : pixel << 8;
        differ |= (pixel ^ next) & mask.pixel;
    }
    return !differ;
}

/* Hillshades are: a third of the bytes to compress. */
static bool is_gray(const uint8_t *rgba, size_t count)
{
    for (size_t first = 0; first < count; first += RUN)
        if (!all_gray(rgba + 4 * first, count - first < RUN ? count - first : RUN))
            return false;
    return true;
}

/* RGBA to gray in place: by blocks, so that it can be read ahead of what is written. */
WIDE static void drop_colour(uint8_t *pixels, size_t count)
{
    size_t i = 0;

    for (; i + BLOCK <= count; i += BLOCK) {
        uint8_t block[BLOCK];

        for (size_t k = 0; k < BLOCK; k++)
            block[k] = pixels[4 * (i + k)];
        memcpy(pixels + i, block, sizeof block);
    }
    for (; i < count; i++)
        pixels[i] = pixels[4 * i];
}

static size_t pixel_count(const struct picture *picture)
{
    return (size_t)picture->width * (size_t)picture->height;
}

static bool write_png(const struct picture *picture, uint8_t *rgba, int quality, struct bytes *to,
                      struct fault *why)
{
    const bool gray = !picture->transparent && is_gray(rgba, pixel_count(picture));

    (void)quality;
    if (gray)
        drop_colour(rgba, pixel_count(picture));
    else if (!picture->transparent)
        drop_alpha(rgba, pixel_count(picture));
    return png_write(gray                   ? PNG_GRAY8
                     : picture->transparent ? PNG_RGBA8
                                            : PNG_RGB8,
                     picture->width, picture->height, rgba, PNG_FAST, to, why);
}

static bool write_jpeg(const struct picture *picture, uint8_t *rgba, int quality, struct bytes *to,
                       struct fault *why)
{
    return jpeg_write(picture->width, picture->height, rgba, quality, to, why);
}

static bool write_webp(const struct picture *picture, uint8_t *rgba, int quality, struct bytes *to,
                       struct fault *why)
{
    if (!picture->transparent)
        drop_alpha(rgba, pixel_count(picture));
    return webp_write(picture->transparent ? PNG_RGBA8 : PNG_RGB8, picture->width, picture->height,
                      rgba, quality, to, why);
}

static bool write_raw(const struct picture *picture, uint8_t *rgba, int quality, struct bytes *to,
                      struct fault *why)
{
    (void)quality;
    return bytes_add(to, rgba, 4 * pixel_count(picture), why);
}

const struct picture_format picture_formats[PICTURE_FORMATS] = {
    [PICTURE_png] = { "png", "image/png", .keeps_alpha = true, .write = write_png },
    [PICTURE_jpeg] = { "jpeg", "image/jpeg", .write = write_jpeg },
    [PICTURE_webp] = { "webp", "image/webp", .keeps_alpha = true, .side_most = WEBP_SIDE_MOST,
                       .write = write_webp },
    [PICTURE_raw] = { "raw", "application/octet-stream", .any_output = true, .keeps_alpha = true,
                      .write = write_raw },
    [PICTURE_scene] = { "scene", "application/x-landscaped-scene", .any_output = true,
                        .keeps_alpha = true },
};

const char *const picture_format_names[] = {
#define PICTURE_FORMAT(name) #name,
#include "api/pictures/formats.def"
#undef PICTURE_FORMAT
    NULL
};

const char *const picture_format_media[] = { "image/png",
                                             "image/jpeg",
                                             "image/webp",
                                             "application/octet-stream",
                                             "application/x-landscaped-scene",
                                             NULL };

bool picture_format_fits(const struct picture_format *format, const struct picture *picture,
                         struct fault *why)
{
    if (picture->output != RENDER_OUTPUT_colour && !format->any_output)
        return fault_set(why, FAULT_INPUT,
                         "A picture of the output \"%s\" is no %s: its format is \"raw\"",
                         render_outputs[picture->output], format->name);
    if (picture->transparent && !format->keeps_alpha)
        return fault_set(why, FAULT_INPUT, "A %s cannot be transparent; png, webp and raw can",
                         format->name);
    if (!format->write && picture->camera.kind == CAMERA_PANORAMA)
        return fault_set(why, FAULT_INPUT,
                         "A panorama is put together of six scenes; ask for one of a camera with a "
                         "position and a target");
    if (format->side_most &&
        (picture->width > format->side_most || picture->height > format->side_most))
        return fault_set(why, FAULT_LIMIT, "A %s has at most %d pixels a side, not %d x %d",
                         format->name, (int)format->side_most, (int)picture->width,
                         (int)picture->height);
    return true;
}

/* Made by hand, without alpha unless the set has it, and without palette or colour chunks. */
#include "terrain/format/tile_set.h"

static bool tile_png(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
                     struct bytes *to, struct fault *why)
{
    return png_write(samples, width, height, pixels, PNG_FAST, to, why);
}

const struct tile_kind tile_kind_png = {
    .extension = "png",
    .media = { "image/png", NULL },
    .write = tile_png,
};

/* Made by hand, without alpha unless the set has it, and without palette or colour chunks. */
#include "terrain/format/tile_set.h"

static bool tile_png(const struct tile_picture *picture, struct bytes *to, struct fault *why)
{
    return png_write(picture->samples, picture->width, picture->height, picture->pixels, PNG_FAST,
                     to, why);
}

const struct tile_kind tile_kind_png = {
    .extension = "png",
    .media = { "image/png", NULL },
    .write = tile_png,
};

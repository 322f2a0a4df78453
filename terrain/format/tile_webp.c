/* Lossless WebP. */
#include "terrain/format/tile_set.h"
#include "terrain/format/webp_write.h"

static bool tile_webp(const struct tile_picture *from, struct bytes *to, struct fault *why)
{
    return webp_write_exact(from->samples, from->width, from->height, from->pixels, to, why);
}

const struct tile_kind tile_kind_webp = {
    .extension = "webp",
    .media = { "image/webp", NULL },
    .write = tile_webp,
};

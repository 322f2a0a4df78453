/* WebP pictures (container and coding: RFC 9649), by libwebp. Any thread. */
#ifndef TERRAIN_FORMAT_WEBP_WRITE_H
#define TERRAIN_FORMAT_WEBP_WRITE_H

#include "terrain/format/png_write.h"

/* The most pixels a side that the format has. */
enum { WEBP_SIDE_MOST = 16383 };

/* Every sample as it is, also under alpha 0. Rows from the top without gaps, 8-bit samples. Fails
 * with MEMORY, and then nothing is appended. */
bool webp_write_exact(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
                      struct bytes *to, struct fault *why);

/* As small as the quality, 1 to 100, lets it be; of RGB8 or RGBA8, alpha kept exactly. Fails with
 * LIMIT beyond WEBP_SIDE_MOST, MEMORY. */
bool webp_write(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
                int quality, struct bytes *to, struct fault *why);

#endif

/* JPEG pictures, by libjpeg-turbo. Any thread. */
#ifndef TERRAIN_FORMAT_JPEG_WRITE_H
#define TERRAIN_FORMAT_JPEG_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

/* RGBA8 rows from the top without gaps, alpha left out; quality 1 to 100, colours at half the
 * resolution below 90. Fails with LIMIT (the format has 65,500 pixels a side), MEMORY; nothing is
 * then appended. */
bool jpeg_write(int32_t width, int32_t height, const uint8_t *rgba, int quality, struct bytes *to,
                struct fault *why);

#endif

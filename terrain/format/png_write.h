/* PNG made by hand for the hot path: Up (or Sub) filter, ISA-L or libdeflate, hardware CRC.
 * Any thread. */
#ifndef TERRAIN_FORMAT_PNG_WRITE_H
#define TERRAIN_FORMAT_PNG_WRITE_H

#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

enum png_samples { PNG_GRAY8, PNG_GRAY16, PNG_RGB8, PNG_RGBA8 };
enum png_effort {
    PNG_FAST,  /* ISA-L: a cold answer */
    PNG_SMALL, /* libdeflate 3: what will be sent often */
    PNG_SMALLEST /* libdeflate 9: exports */
};

/* Rows from the top without gaps; gray16 samples are uint16_t of this machine. Appends one whole
 * file: IHDR, IDAT, IEND, nothing else. Fails with MEMORY. */
bool png_write(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
               enum png_effort effort, struct bytes *to, struct fault *why);

#endif

/* Headerless rasters: 16-bit and 8-bit codes, 32-bit metres. Any thread. */
#ifndef TERRAIN_FORMAT_RAW_H
#define TERRAIN_FORMAT_RAW_H

#include "terrain/format/raster.h"

enum raw_type { RAW_R16, RAW_R8, RAW_F32 };

struct raw_options {
    enum raw_type type;
    int32_t width, height; /* 0 is unknown, and refused with AMBIGUOUS */
    bool big_endian;
    int64_t offset; /* bytes in front of the samples */
};

/* The bytes that such a raster takes. */
int64_t raw_bytes(enum raw_type type, int64_t width, int64_t height);

/* Codes (R16, R8) or metres (F32, NaN is void). Samples that need no change are lent by `data`.
 * Fails with AMBIGUOUS, LENGTH (naming both counts), LIMIT, NOT_FINITE (an infinity) or MEMORY. */
bool raw_read(const void *data, size_t length, const struct raw_options *options,
              const struct raster_limits *limits, struct raster *raster, struct fault *why);

#endif

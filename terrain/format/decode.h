/* Rasters out of files that nobody vouches for: decoded by a helper process without rights.
 *
 * The file goes over in sealed memory and the samples come back in such. A file that
 * kills its decoder costs this call a WORKER fault and nothing else. Any thread; blocks.
 */
#ifndef TERRAIN_FORMAT_DECODE_H
#define TERRAIN_FORMAT_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/format/raster.h"

struct worker_pool;

/* How the three channels of a colour PNG stand for metres; or not at all: a picture may have
 * colours of 8 bits (16 are rounded), a palette (it becomes colours) and alpha. */
enum decode_encoding { DECODE_PLAIN, DECODE_TERRAIN_RGB, DECODE_TERRARIUM, DECODE_PICTURE };

/* The drivers of the allow-list, in the order that they are tried; ends with NULL. */
extern const char *const decode_drivers[];

enum { DECODE_NAME_MOST = 100 };

struct decode_options {
    struct raster_limits limits;
    enum decode_encoding encoding; /* of a PNG */
    int driver;                    /* index into decode_drivers, -1 tries all */
    int32_t band;                  /* from 1 on; 0 takes the only one */
    bool codes;                    /* an unsigned band holds codes, not metres */
    bool has_nodata;
    double nodata;                   /* void as well, beside the file's own value and NaN */
    char filename[DECODE_NAME_MOST]; /* as the client calls it, without folders; or "" */
    char warp_to[64];                /* "EPSG:n", or "" to keep the CRS */
    bool early;                      /* hand over rows while others are still being decoded */
};

/* A PNG by its first bytes? Files are judged by content, not by what they were called. */
bool decode_is_png(const void *data, size_t length);

/* With `early` a large raster may come with a gate: its samples are there row by row, its voids and
 * bounds at the end, and it must stay where it is until raster_free.
 * Fails with FORMAT, TRUNCATED, CHECKSUM, COLOUR, LENGTH, BANDS, NAME, NOT_FINITE, IMPOSSIBLE,
 * LIMIT, WORKER, DEADLINE, BUSY or MEMORY. */
bool decode_raster(struct worker_pool *decoders, const struct decode_options *options,
                   const void *data, size_t length, struct raster *raster, struct fault *why);

/* The other way: a GeoTIFF of metric samples (FLOATS), `nodata` standing for NaN, at the
 * place that the raster tells. Appends one file. */
bool decode_tiff(struct worker_pool *decoders, const struct raster *raster, double nodata,
                 struct bytes *file, struct fault *why);

#endif

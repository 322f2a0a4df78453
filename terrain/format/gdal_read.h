/* Rasters through GDAL, out of memory, by drivers of the allow-list alone. Only the decoding
 * helper links this. One thread at a time. */
#ifndef TERRAIN_FORMAT_GDAL_READ_H
#define TERRAIN_FORMAT_GDAL_READ_H

#include "terrain/format/decode.h"

/* Registers the drivers and opens PROJ's database: afterwards no file is needed. */
void gdal_prepare(void);

/* Metres (or codes, when asked for), scale, offset and feet applied, rows from the north. Fails as
 * decode_raster; free the raster in any case. */
bool gdal_read(const void *data, size_t length, const struct decode_options *options,
               struct raster_room *room, struct raster *raster, struct fault *why);

#endif

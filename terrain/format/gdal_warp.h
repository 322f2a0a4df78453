/* Rasters from one CRS to another, and GeoTIFFs, through GDAL. Only the decoding helper links
 * this. One thread at a time. */
#ifndef TERRAIN_FORMAT_GDAL_WARP_H
#define TERRAIN_FORMAT_GDAL_WARP_H

#include "terrain/format/decode.h"

/* from becomes to, cubic, in the CRS that options name. Fails with IMPOSSIBLE (a raster without
 * CRS, a CRS that cannot be reached), LIMIT or MEMORY. */
bool gdal_warp(const struct raster *from, const struct decode_options *options,
               struct raster_room *room, struct raster *to, struct fault *why);

/* One file: float32, deflated, nodata for NaN. take gets the memory for it. Fails with MEMORY or
 * FORMAT. */
bool gdal_tiff(const struct raster *raster, double nodata, struct raster_room *room,
               uint64_t *length, struct fault *why);

#endif

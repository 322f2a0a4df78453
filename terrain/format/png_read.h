/* PNG files as heights, through libpng. Only the decoding helper links this.
 *
 * Gray of 1 to 16 bits is codes; RGB of 8 bits is metres when an encoding is named; a palette
 * never is. Alpha and every ancillary chunk, gamma among them, is ignored, but for what is read as
 * a picture: there alpha is kept, and transparency that a chunk tells is alpha. The stream is read
 * to its end, so that all checksums count. One thread at a time.
 */
#ifndef TERRAIN_FORMAT_PNG_READ_H
#define TERRAIN_FORMAT_PNG_READ_H

#include "terrain/format/decode.h"

/* Fails with FORMAT, TRUNCATED, CHECKSUM, LENGTH, COLOUR, LIMIT or MEMORY; free the raster
 * in any case. */
bool png_read(const void *data, size_t length, const struct decode_options *options,
              struct raster_room *room, struct raster *raster, struct fault *why);

#endif

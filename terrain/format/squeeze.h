/* zlib streams (RFC 1950) and the CRC of PNG and gzip, made with the fastest libraries at hand:
 * ISA-L when time counts, libdeflate when size does. Any thread; a stream, one at a time.
 */
#ifndef TERRAIN_FORMAT_SQUEEZE_H
#define TERRAIN_FORMAT_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

/* Appends one whole zlib stream. Fast is ISA-L's second level; small takes libdeflate's levels,
 * 1 to 12. Both fail with MEMORY, and then nothing was appended. */
bool squeeze_fast(const void *data, size_t length, struct bytes *to, struct fault *why);
bool squeeze_small(const void *data, size_t length, int level, struct bytes *to, struct fault *why);

/* One whole gzip stream (RFC 1952), by libdeflate. Fails with MEMORY. */
bool squeeze_gzip(const void *data, size_t length, int level, struct bytes *to, struct fault *why);

/* A zlib stream in pieces, by ISA-L: appends what is ready after each piece, all of it after the
 * last. squeeze_new answers NULL when memory is out. */
struct squeeze;
struct squeeze *squeeze_new(void);
bool squeeze_feed(struct squeeze *squeeze, const void *piece, size_t length, bool last,
                  struct bytes *to, struct fault *why);
void squeeze_free(struct squeeze *squeeze);

/* CRC-32 of PNG and gzip, continued from `crc` (0 begins). */
uint32_t squeeze_crc(uint32_t crc, const void *data, size_t length);

#endif

/* Making bytes and blocks small for the disk, and large again.
 *
 * A block's packed form begins with one byte that says how it is packed. 16-bit planes are
 * predicted from the west, north and north-west neighbour (v - w - n + nw modulo 2^16), the
 * residuals folded to unsigned and split into low and high bytes, which zstd then halves
 * again. Whatever is read back is checked: bytes that are no packed form fail with
 * STORAGE. A packer is for one thread at a time.
 */
#ifndef TERRAIN_STORE_PACK_H
#define TERRAIN_STORE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/core/tree.h"

struct packer;

struct packer *packer_new(struct fault *why);
void packer_free(struct packer *packer);

/* Buffers of the packer's, for whoever holds it; packer_tidy empties them and lets go of large
 * ones. */
enum packer_buffer { PACKER_RAW, PACKER_PACKED, PACKER_FIRST, PACKER_SPLIT, PACKER_BUFFERS };
struct bytes *packer_bytes(struct packer *packer, enum packer_buffer which);
void packer_tidy(struct packer *packer);

/* Appends the packed form; opening it gives exactly `length` bytes or fails. The bytes are taken
 * for 16-bit numbers, little-endian, that lie near the ones before them: each pair of bytes becomes
 * the difference from the pair before, folded and split as those of blocks are. Others are packed
 * no less truly, but larger. */
bool packer_shut(struct packer *packer, const void *data, size_t length, struct bytes *to,
                 struct fault *why);
bool packer_open(struct packer *packer, const void *packed, size_t packed_length, void *data,
                 size_t length, struct fault *why);

/* Appends a block, or the one value that stands for it. */
bool packer_shut_block(struct packer *packer, enum plane plane, struct child child,
                       struct bytes *to, struct fault *why);

/* *block is the caller's, or NULL for a block that is all *flat. `valid` is the part that lies on
 * the landscape, in block coordinates; the rest is made zero. */
bool packer_open_block(struct packer *packer, enum plane plane, struct rect valid,
                       const void *packed, size_t packed_length, struct block **block,
                       uint16_t *flat, struct fault *why);

#endif

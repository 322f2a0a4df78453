/* CRC-32C (Castagnoli), the checksum of every payload and block: the engine below does not
 * notice a flipped bit. Begin with 0, add in pieces. Any thread. */
#ifndef TERRAIN_STORE_CHECKSUM_H
#define TERRAIN_STORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t checksum_add(uint32_t so_far, const void *data, size_t length);

/* The same by a table, for machines that have no instruction for it. */
uint32_t checksum_add_plain(uint32_t so_far, const void *data, size_t length);

/* Numbers go in as eight bytes, little-endian, so that a row moved to another key is noticed. */
uint32_t checksum_number(uint32_t so_far, uint64_t number);

#endif

/* The reference's numbers (tests/vectors) for tests. */
#ifndef TESTS_TERRAIN_VECTORS_H
#define TESTS_TERRAIN_VECTORS_H

#include <jansson.h>
#include <stdint.h>

/* The whole file, e.g. "01_layout"; fails the test when it is not there. */
json_t *vectors_open(const char *part);

/* Members and items as numbers; each fails the test when there is none. */
int32_t vectors_int(const json_t *object, const char *member);
double vectors_real(const json_t *object, const char *member);
double vectors_at(const json_t *array, size_t i);

/* An array of 16-bit numbers, to be freed. */
uint16_t *vectors_codes(const json_t *array);

/* The common CRC-32 over the little-endian bytes of numbers. */
uint32_t vectors_crc16(const uint16_t *numbers, size_t count);
uint32_t vectors_crc32(const uint32_t *numbers, size_t count);

/* hash32 and the integer height generator of the reference, written for the tests. */
struct vectors_octave {
    int32_t k, amplitude, masked;
};
uint16_t vectors_dem(int32_t x, int32_t y, uint32_t seed, const struct vectors_octave *octaves,
                     size_t count);

/* The same by a description with or without a mask: {"seed", "octaves", "mask_k", "mask_pow"}; all
 * of side x side, to be freed. */
struct vectors_relief {
    uint32_t seed;
    struct vectors_octave octaves[8];
    size_t count;
    int32_t mask_k, mask_pow; /* pow 0: no mask */
};
struct vectors_relief vectors_relief(const json_t *dem);
uint16_t *vectors_heights(int32_t columns, int32_t rows, const struct vectors_relief *relief);

#endif

/* Weight tiles as an index map and three channels, for renderers that blend four layers a cell.
 *
 * A tile has side x side texels and an entry for each cell x cell of them: up to four layers,
 * heaviest first, unused places INDEX_MAP_UNUSED. A texel holds the weights of the first three; the
 * fourth is what they leave of 255. Weights come and go as planes, one layer after the other, row
 * by row. With at most four layers in a cell nothing is lost; otherwise the absolute errors at a
 * texel add up to exactly twice the weight of the layers that its entry dropped. A texel without
 * any weight goes to the entry's first layer. Reference, part 7.1. Any thread.
 */
#ifndef TERRAIN_CORE_INDEX_MAP_H
#define TERRAIN_CORE_INDEX_MAP_H

#include <stdint.h>

enum {
    INDEX_MAP_KEPT = 4,
    INDEX_MAP_CHANNELS = 3,
    INDEX_MAP_UNUSED = 255,
    INDEX_MAP_LAYERS = 255 /* numbers 0..254 */
};

/* Weights are 8 bits; layers at most INDEX_MAP_LAYERS. The cell divides the side. */
struct index_map_form {
    int32_t side, cell, layers;
};

/* `weights` has layers * side * side bytes, `entries` 4 for each cell, `channels` 3 for each texel.
 * `lost`, a byte a texel, gets the weight of the dropped layers there; it may be NULL. */
void index_map_encode(const struct index_map_form *form, const uint8_t *weights, uint8_t *entries,
                      uint8_t *channels, uint8_t *lost);

/* Places that are INDEX_MAP_UNUSED are nobody's: their weight is left out. */
void index_map_decode(const struct index_map_form *form, const uint8_t *entries,
                      const uint8_t *channels, uint8_t *weights);

/* The planes of the tile that covers four, each (north-west, north-east, south-west, south-east) of
 * the same form: every 2 x 2 texels become one. */
void index_map_parent(const struct index_map_form *form, const uint8_t *const children[4],
                      uint8_t *weights);

/* Bytes of side x side texels: as plain RGBA8 textures of four layers; and as an index map over
 * texels of so many bits, with `levels` levels of half the side each. */
int64_t index_map_plain_bytes(int64_t side, int32_t layers);
void index_map_bytes(int64_t side, int32_t levels, int32_t bits, int32_t cell,
                     int64_t *weight_bytes, int64_t *index_bytes);

#endif

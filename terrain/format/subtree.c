#include "terrain/format/subtree.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x74627573, VERSION = 1, HEAD_BYTES = 24, ALIGNED = 8 };

static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
}

uint32_t subtree_morton(uint32_t x, uint32_t y)
{
    return spread(x) | spread(y) << 1;
}

static uint32_t gather(uint32_t bits)
{
    bits &= 0x55555555;
    bits = (bits | bits >> 1) & 0x33333333;
    bits = (bits | bits >> 2) & 0x0f0f0f0f;
    bits = (bits | bits >> 4) & 0x00ff00ff;
    return (bits | bits >> 8) & 0x0000ffff;
}

/* All bits of a level begin behind those of the levels above. */
static size_t level_at(int32_t level)
{
    return (((size_t)1 << (2 * level)) - 1) / 3;
}

static size_t padded(size_t length)
{
    return (length + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static bool bit_at(const unsigned char *bits, size_t at)
{
    return bits[at >> 3] >> (at & 7) & 1;
}

/* Bits of all levels and, behind them, of the children's roots; how many of each there are. */
static void find_tiles(const struct subtree *subtree, unsigned char *bits, size_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (int32_t level = 0; level <= subtree->levels; level++) {
        size_t first = level_at(level), above = level ? level_at(level - 1) : 0;

        for (uint32_t place = 0; place < (uint32_t)1 << (2 * level); place++) {
            if (level && !bit_at(bits, above + (place >> 2)))
                continue;
            if (!subtree->there(subtree->context, level, (int32_t)gather(place),
                                (int32_t)gather(place >> 1)))
                continue;
            bits[(first + place) >> 3] |= (unsigned char)(1 << ((first + place) & 7));
            counts[level == subtree->levels]++;
        }
    }
}

static bool add_padding(struct bytes *to, size_t from, char with, struct fault *why)
{
    while ((to->length - from) % ALIGNED)
        if (!bytes_add(to, &with, 1, why))
            return false;
    return true;
}

static bool add_bits(const unsigned char *bits, size_t first, size_t count, struct bytes *to,
                     struct fault *why)
{
    size_t begin = to->length;

    for (size_t i = 0; i < count; i += 8) {
        unsigned char byte = 0;

        for (size_t k = 0; k < 8 && i + k < count; k++)
            byte |= (unsigned char)(bit_at(bits, first + i + k) << k);
        if (!bytes_add(to, &byte, 1, why))
            return false;
    }
    return add_padding(to, begin, 0, why);
}

static bool add_number(double number, struct bytes *to, struct fault *why)
{
    unsigned char bytes[8];
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
    return bytes_add(to, bytes, sizeof bytes, why);
}

static bool add_properties(const struct subtree *subtree, const unsigned char *bits,
                           struct bytes *to, struct fault *why)
{
    for (int32_t level = 0; level < subtree->levels; level++) {
        for (uint32_t place = 0; place < (uint32_t)1 << (2 * level); place++) {
            double numbers[SUBTREE_NUMBERS_MOST];

            if (!bit_at(bits, level_at(level) + place))
                continue;
            if (!subtree->describe(subtree->context, level, (int32_t)gather(place),
                                   (int32_t)gather(place >> 1), numbers, why))
                return false;
            for (int32_t i = 0; i < subtree->numbers; i++)
                if (!add_number(numbers[i], to, why))
                    return false;
        }
    }
    return true;
}

/* Bits that are all alike are a constant. */
static bool print_availability(const char *member, size_t there, size_t all, int view, bool listed,
                               struct bytes *to, struct fault *why)
{
    const char *open = listed ? "[{" : "{", *close = listed ? "}]" : "}";

    if (there == 0 || there == all)
        return bytes_print(to, why, "\"%s\":%s\"constant\":%d%s,", member, open, there != 0, close);
    return bytes_print(to, why, "\"%s\":%s\"bitstream\":%d,\"availableCount\":%zu%s,", member, open,
                       view, there, close);
}

static bool print_json(const struct subtree *subtree, const size_t counts[2], size_t length,
                       struct bytes *to, struct fault *why)
{
    size_t tiles = level_at(subtree->levels), children = (size_t)1 << (2 * subtree->levels);
    size_t tile_bytes = (tiles + 7) / 8, child_bytes = (children + 7) / 8;
    size_t first = padded(tile_bytes), second = first + padded(child_bytes);
    size_t begin = to->length;

    return bytes_print(to, why,
                       "{\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":["
                       "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu},"
                       "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},"
                       "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],",
                       length, tile_bytes, first, child_bytes, second, length - second) &&
           print_availability("tileAvailability", counts[0], tiles, 0, false, to, why) &&
           print_availability("contentAvailability", counts[0], tiles, 0, true, to, why) &&
           print_availability("childSubtreeAvailability", counts[1], children, 1, false, to, why) &&
           bytes_print(to, why,
                       "\"tileMetadata\":0,\"propertyTables\":[{\"class\":\"%s\",\"count\":%zu,"
                       "\"properties\":{\"%s\":{\"values\":2}}}]}",
                       subtree->class, counts[0], subtree->property) &&
           add_padding(to, begin, ' ', why);
}

static void store_u64(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

bool subtree_write(const struct subtree *subtree, struct bytes *to, struct fault *why)
{
    static const char head[HEAD_BYTES];
    unsigned char *bits = calloc(level_at(subtree->levels + 1) / 8 + 1, 1);
    struct bytes binary = { 0 };
    size_t begin = to->length, counts[2], tiles = level_at(subtree->levels);
    bool written = false;

    if (!bits) {
        fault_set(why, FAULT_MEMORY, "no memory for a subtree of %d levels", subtree->levels);
        goto done;
    }
    find_tiles(subtree, bits, counts);
    if (!add_bits(bits, 0, tiles, &binary, why) ||
        !add_bits(bits, tiles, (size_t)1 << (2 * subtree->levels), &binary, why) ||
        !add_properties(subtree, bits, &binary, why) || !add_padding(&binary, 0, 0, why) ||
        !bytes_add(to, head, sizeof head, why) ||
        !print_json(subtree, counts, binary.length, to, why))
        goto done;
    store_u64(to->data + begin, MAGIC | (uint64_t)VERSION << 32);
    store_u64(to->data + begin + 8, to->length - begin - HEAD_BYTES);
    store_u64(to->data + begin + 16, binary.length);
    written = bytes_add(to, binary.data, binary.length, why);

done:
    free(bits);
    bytes_free(&binary);
    return written;
}

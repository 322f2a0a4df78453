/* 16-bit samples as differences from a prediction, zstd behind them; to the byte in
 * api/tiles/native.md. The predictor is the median edge detector of LOCO-I (M. J. Weinberger,
 * G. Seroussi and G. Sapiro, IEEE Transactions on Image Processing 9, 2000). */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "terrain/format/tile_set.h"

enum { HEAD_BYTES = 32, LEVEL = 3 };

static const char magic[4] = { 'L', 'S', 'N', '1' };

static void store(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void store_double(unsigned char *to, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    store(to, bits, sizeof bits);
}

static int32_t predict(int32_t west, int32_t north, int32_t north_west)
{
    const int32_t low = west < north ? west : north, high = west < north ? north : west;

    return north_west >= high ? low : north_west <= low ? high : west + north - north_west;
}

/* All low bytes, then all high bytes, of differences folded so that small ones are small numbers
 * whatever their sign. */
static void residues(const uint16_t *codes, int32_t width, int32_t height, unsigned char *bytes)
{
    const size_t count = (size_t)width * (size_t)height;

    for (int32_t y = 0; y < height; y++) {
        const uint16_t *row = codes + (size_t)y * (size_t)width, *above = row - width;

        for (int32_t x = 0; x < width; x++) {
            const int32_t guess = x > 0 && y > 0 ? predict(row[x - 1], above[x], above[x - 1])
                                  : x > 0        ? row[x - 1]
                                  : y > 0        ? above[x]
                                                 : GRID_LEVEL_ZERO;
            const uint16_t apart = (uint16_t)(row[x] - guess);
            const uint16_t folded = (uint16_t)(apart << 1 ^ (apart & 0x8000 ? 0xffff : 0));
            unsigned char *to = bytes + (size_t)y * (size_t)width + x;

            to[0] = (unsigned char)folded;
            to[count] = (unsigned char)(folded >> 8);
        }
    }
}

static bool tile_zst(const struct tile_picture *picture, struct bytes *to, struct fault *why)
{
    const size_t raw = (size_t)picture->width * (size_t)picture->height * 2;
    const size_t room = HEAD_BYTES + ZSTD_compressBound(raw);
    unsigned char *bytes = malloc(raw), *head;
    size_t packed;
    bool written = false;

    if (!bytes) {
        fault_set(why, FAULT_MEMORY, "no memory for a tile of %d samples a side", picture->width);
        goto done;
    }
    if (!bytes_reserve(to, room, why))
        goto done;
    head = to->data + to->length;
    memcpy(head, magic, sizeof magic);
    store(head + 4, (uint64_t)picture->width, 2);
    store(head + 6, (uint64_t)picture->height, 2);
    store_double(head + 8, picture->step);
    store_double(head + 16, picture->base);
    store_double(head + 24, picture->first);
    residues(picture->pixels, picture->width, picture->height, bytes);
    packed = ZSTD_compress(head + HEAD_BYTES, room - HEAD_BYTES, bytes, raw, LEVEL);
    if (ZSTD_isError(packed)) {
        fault_set(why, FAULT_MEMORY, "zstd: %s", ZSTD_getErrorName(packed));
        goto done;
    }
    to->length += HEAD_BYTES + packed;
    written = true;

done:
    free(bytes);
    return written;
}

const struct tile_kind tile_kind_zst = {
    .extension = "zst",
    .media = { "application/x-landscape-native", NULL },
    .write = tile_zst,
};

#include "tests/terrain/vectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/terrain/ground.h"

json_t *vectors_open(const char *part)
{
    json_error_t error;
    char path[512];
    json_t *file;

    snprintf(path, sizeof path, "%s/tests/vectors/%s.json", SOURCE_FOLDER, part);
    file = json_load_file(path, 0, &error);
    if (!file)
        fail_msg("%s: %s", path, error.text);
    return file;
}

static double number(const json_t *value)
{
    assert_true(json_is_number(value));
    return json_number_value(value);
}

int32_t vectors_int(const json_t *object, const char *member)
{
    return (int32_t)number(json_object_get(object, member));
}

double vectors_real(const json_t *object, const char *member)
{
    return number(json_object_get(object, member));
}

double vectors_at(const json_t *array, size_t i)
{
    return number(json_array_get(array, i));
}

uint16_t *vectors_codes(const json_t *array)
{
    size_t count = json_array_size(array);
    uint16_t *codes = malloc(count * sizeof *codes);

    assert_true(count > 0);
    assert_non_null(codes);
    for (size_t i = 0; i < count; i++)
        codes[i] = (uint16_t)vectors_at(array, i);
    return codes;
}

static uint32_t crc_add(uint32_t crc, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        crc ^= number >> (8 * i) & 0xff;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return crc;
}

uint32_t vectors_crc16(const uint16_t *numbers, size_t count)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++)
        crc = crc_add(crc, numbers[i], 2);
    return ~crc;
}

uint32_t vectors_crc32(const uint32_t *numbers, size_t count)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++)
        crc = crc_add(crc, numbers[i], 4);
    return ~crc;
}

static uint32_t hash(int32_t x, int32_t y, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ seed * 0xcb1ab31fu;

    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ h >> 16;
}

static int64_t value_noise(int32_t x, int32_t y, int32_t k, uint32_t seed)
{
    int64_t side = (int64_t)1 << k, fx = x & (side - 1), fy = y & (side - 1);
    int64_t sx = ((fx * fx * (3 * side - 2 * fx)) << 16) >> 3 * k;
    int64_t sy = ((fy * fy * (3 * side - 2 * fy)) << 16) >> 3 * k;
    int64_t corner[4], top, bottom;

    for (int i = 0; i < 4; i++)
        corner[i] = hash((x >> k) + (i & 1), (y >> k) + (i >> 1), seed) >> 16;
    top = corner[0] + (((corner[1] - corner[0]) * sx) >> 16);
    bottom = corner[2] + (((corner[3] - corner[2]) * sx) >> 16);
    return top + (((bottom - top) * sy) >> 16);
}

static int64_t smooth_step(int64_t at, int32_t k)
{
    return ((at * at * (3 * ((int64_t)1 << k) - 2 * at)) << 16) >> 3 * k;
}

/* A row of value noise, cell by cell: each corner is drawn once. */
static void noise_row(int32_t y, int32_t columns, int32_t k, uint32_t seed, int64_t *row)
{
    const int32_t side = 1 << k;
    const int64_t down = smooth_step(y & (side - 1), k);
    int64_t *across = malloc((size_t)side * sizeof *across);

    assert_non_null(across);
    for (int32_t i = 0; i < side; i++)
        across[i] = smooth_step(i, k);
    for (int32_t x = 0; x < columns; x += side) {
        int64_t corner[4];

        for (int i = 0; i < 4; i++)
            corner[i] = hash((x >> k) + (i & 1), (y >> k) + (i >> 1), seed) >> 16;
        for (int32_t i = 0; i < side && x + i < columns; i++) {
            int64_t top = corner[0] + (((corner[1] - corner[0]) * across[i]) >> 16);
            int64_t bottom = corner[2] + (((corner[3] - corner[2]) * across[i]) >> 16);

            row[x + i] = top + (((bottom - top) * down) >> 16);
        }
    }
    free(across);
}

static void mask_row(int32_t y, int32_t columns, const struct vectors_relief *relief, int64_t *mask)
{
    noise_row(y, columns, relief->mask_k, relief->seed + 1000, mask);
    for (int32_t x = 0; x < columns; x++) {
        int64_t first = mask[x];

        for (int32_t i = 1; i < relief->mask_pow; i++)
            mask[x] = (mask[x] * first) >> 16;
    }
}

uint16_t vectors_dem(int32_t x, int32_t y, uint32_t seed, const struct vectors_octave *octaves,
                     size_t count)
{
    int64_t height = 32768;

    for (size_t i = 0; i < count; i++) {
        int64_t n = value_noise(x, y, octaves[i].k, seed + (uint32_t)i) - 32768;

        assert_int_equal(octaves[i].masked, 0);
        height += (n * octaves[i].amplitude) >> 16;
    }
    return (uint16_t)(height < 0 ? 0 : height > 65535 ? 65535 : height);
}

struct vectors_relief vectors_relief(const json_t *dem)
{
    struct vectors_relief relief = { .seed = (uint32_t)vectors_int(dem, "seed") };
    const json_t *octaves = json_object_get(dem, "octaves");

    relief.count = json_array_size(octaves);
    assert_in_range(relief.count, 1, sizeof relief.octaves / sizeof *relief.octaves);
    for (size_t i = 0; i < relief.count; i++) {
        const json_t *row = json_array_get(octaves, i);

        relief.octaves[i] =
            (struct vectors_octave){ (int32_t)vectors_at(row, 0), (int32_t)vectors_at(row, 1),
                                     (int32_t)vectors_at(row, 2) };
    }
    if (json_object_get(dem, "mask_k")) {
        relief.mask_k = vectors_int(dem, "mask_k");
        relief.mask_pow = vectors_int(dem, "mask_pow");
    }
    return relief;
}

static void height_row(int32_t y, int32_t columns, const struct vectors_relief *relief,
                       int64_t *mask, int64_t *noise, int64_t *sum)
{
    if (relief->mask_pow)
        mask_row(y, columns, relief, mask);
    for (int32_t x = 0; x < columns; x++)
        sum[x] = 32768;
    for (size_t i = 0; i < relief->count; i++) {
        const struct vectors_octave *octave = &relief->octaves[i];

        assert_true(!octave->masked || relief->mask_pow > 0);
        noise_row(y, columns, octave->k, relief->seed + (uint32_t)i, noise);
        for (int32_t x = 0; x < columns; x++) {
            int64_t amplitude =
                octave->masked ? (octave->amplitude * mask[x]) >> 16 : octave->amplitude;

            sum[x] += ((noise[x] - 32768) * amplitude) >> 16;
        }
    }
}

uint16_t *vectors_heights(int32_t columns, int32_t rows, const struct vectors_relief *relief)
{
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    int64_t *room = malloc(3 * (size_t)columns * sizeof *room);
    int64_t *sum = room + 2 * (size_t)columns;

    assert_non_null(heights);
    assert_non_null(room);
    for (int32_t y = 0; y < rows; y++) {
        height_row(y, columns, relief, room, room + columns, sum);
        for (int32_t x = 0; x < columns; x++)
            heights[(size_t)y * (size_t)columns + (size_t)x] =
                (uint16_t)(sum[x] < 0       ? 0
                           : sum[x] > 65535 ? 65535
                                            : sum[x]);
    }
    free(room);
    return heights;
}

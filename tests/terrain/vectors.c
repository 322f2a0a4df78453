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

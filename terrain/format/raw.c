#include "terrain/format/raw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int bytes, bits;
    const char *name;
} types[] = {
    [RAW_R16] = { 2, 16, "uint16" },
    [RAW_R8] = { 1, 8, "uint8" },
    [RAW_F32] = { 4, 32, "float32" },
};

int64_t raw_bytes(enum raw_type type, int64_t width, int64_t height)
{
    return width * height * types[type].bytes;
}

static bool size_fits(size_t length, const struct raw_options *options,
                      const struct raster_limits *limits, struct fault *why)
{
    int64_t expected;

    if (options->width == 0 || options->height == 0) {
        fault_set(why, FAULT_AMBIGUOUS,
                  "the size of %zu bytes of %s cannot be told; give width and height", length,
                  types[options->type].name);
        return fault_at(why, options->width == 0 ? "width" : "height");
    }
    if (!raster_fits(limits, options->width, options->height, why))
        return false;
    expected = raw_bytes(options->type, options->width, options->height);
    if (options->offset < 0 || (uint64_t)options->offset > length ||
        (uint64_t)expected != length - (uint64_t)options->offset)
        return fault_set(why, FAULT_LENGTH, "%d x %d samples of %s are %lld bytes%s, but %lld came",
                         options->width, options->height, types[options->type].name,
                         (long long)(expected + options->offset),
                         options->offset > 0 ? " with the offset" : "", (long long)length);
    return true;
}

/* Little-endian samples that lie where their type may lie are used as they are. */
static bool usable(const unsigned char *from, const struct raw_options *options)
{
    if (options->type == RAW_R16)
        return !options->big_endian && (uintptr_t)from % 2 == 0;
    return options->type == RAW_F32 && !options->big_endian && (uintptr_t)from % 4 == 0;
}

static void copy_row(const unsigned char *from, const struct raw_options *options, int32_t count,
                     void *to)
{
    bool big = options->big_endian;
    uint16_t *codes = to;
    uint32_t *floats = to; /* their bits */

    for (int32_t i = 0; i < count; i++)
        if (options->type == RAW_R8)
            codes[i] = (uint16_t)(from[i] * 257);
        else if (options->type == RAW_R16)
            codes[i] = (uint16_t)(from[2 * i + big] | from[2 * i + !big] << 8);
        else
            floats[i] = (uint32_t)from[4 * i + (big ? 3 : 0)] |
                        (uint32_t)from[4 * i + (big ? 2 : 1)] << 8 |
                        (uint32_t)from[4 * i + (big ? 1 : 2)] << 16 |
                        (uint32_t)from[4 * i + (big ? 0 : 3)] << 24;
}

/* What raster_take would have said of samples that are used where they lie. */
static void lend(const unsigned char *from, const struct raw_options *options,
                 struct raster *raster)
{
    raster->kind = options->type == RAW_F32 ? RASTER_FLOATS : RASTER_U16;
    raster->width = options->width;
    raster->height = options->height;
    raster->samples = from;
    raster->memory = RASTER_LENT;
    raster->least = INFINITY;
    raster->greatest = -INFINITY;
}

static bool copy(const unsigned char *from, const struct raw_options *options,
                 const struct raster_limits *limits, struct raster *raster, struct fault *why)
{
    enum raster_kind kind = options->type == RAW_F32 ? RASTER_FLOATS : RASTER_U16;
    size_t from_row = (size_t)options->width * (size_t)types[options->type].bytes;
    size_t to_row = (size_t)options->width * raster_sample_bytes(kind);
    char *to =
        raster_take(raster, &raster_heap, limits, kind, options->width, options->height, why);

    if (!to)
        return false;
    for (int32_t y = 0; y < options->height; y++)
        copy_row(from + (size_t)y * from_row, options, options->width, to + (size_t)y * to_row);
    return true;
}

static void note(struct raster *raster)
{
    for (int32_t y = 0; y < raster->height; y++) {
        size_t at = (size_t)y * (size_t)raster->width;

        if (raster->kind == RASTER_U16)
            raster_note_codes(raster, (const uint16_t *)raster->samples + at, raster->width);
        else
            raster_note_floats(raster, (const float *)raster->samples + at, raster->width);
    }
}

bool raw_read(const void *data, size_t length, const struct raw_options *options,
              const struct raster_limits *limits, struct raster *raster, struct fault *why)
{
    const unsigned char *from;

    memset(raster, 0, sizeof *raster);
    if (!size_fits(length, options, limits, why))
        return false;
    from = (const unsigned char *)data + options->offset;
    if (usable(from, options))
        lend(from, options, raster);
    else if (!copy(from, options, limits, raster, why))
        return false;
    raster->codes = options->type != RAW_F32;
    raster->depth = types[options->type].bits;
    snprintf(raster->type, sizeof raster->type, "%s", types[options->type].name);
    snprintf(raster->driver, sizeof raster->driver, "raw");
    note(raster);
    return raster_finish(raster, why);
}

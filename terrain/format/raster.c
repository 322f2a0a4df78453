#include "terrain/format/raster.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "terrain/worker/worker.h"

static void *heap_take(struct raster_room *room, size_t bytes, struct fault *why)
{
    void *memory = calloc(1, bytes);

    (void)room;
    if (!memory)
        fault_set(why, FAULT_MEMORY, "no memory for %zu bytes of samples", bytes);
    return memory;
}

struct raster_room raster_heap = { heap_take, RASTER_HEAP, NULL };

static size_t raster_bytes(const struct raster *raster)
{
    return (size_t)raster->width * (size_t)raster->height * raster_sample_bytes(raster->kind);
}

bool raster_wait(const struct raster *raster, int32_t rows, struct fault *why)
{
    return !raster->gate || raster->gate->wait(raster->gate, rows, why);
}

void raster_free(struct raster *raster)
{
    if (raster->gate)
        raster->gate->end(raster->gate);
    raster->gate = NULL;
    if (raster->memory == RASTER_HEAP)
        free((void *)(uintptr_t)raster->samples);
    else if (raster->memory == RASTER_SHARED)
        worker_memory_unmap(raster->samples, raster_bytes(raster));
    raster->samples = NULL;
}

size_t raster_sample_bytes(enum raster_kind kind)
{
    switch (kind) {
    case RASTER_U16:
        return sizeof(uint16_t);
    case RASTER_FLOATS:
        return sizeof(float);
    case RASTER_DOUBLES:
        return sizeof(double);
    case RASTER_GRAY_ALPHA:
        return 2 * sizeof(uint16_t);
    case RASTER_RGB:
        return 3;
    case RASTER_RGBA:
        return 4;
    }
    return 0;
}

void raster_read(const struct raster *raster, int32_t x, int32_t y, int32_t count, double *values)
{
    size_t from = (size_t)y * (size_t)raster->width + (size_t)x;
    const uint16_t *codes = raster->samples;
    const float *floats = raster->samples;
    const double *doubles = raster->samples;

    for (int32_t i = 0; i < count; i++)
        values[i] = raster->kind == RASTER_U16      ? codes[from + i]
                    : raster->kind == RASTER_FLOATS ? (double)floats[from + i]
                                                    : doubles[from + i];
}

void raster_warn(struct raster *raster, const char *sentence, ...)
{
    va_list values;

    if (raster->warning_count == RASTER_WARNINGS_MOST)
        return;
    va_start(values, sentence);
    vsnprintf(raster->warnings[raster->warning_count++], sizeof *raster->warnings, sentence,
              values);
    va_end(values);
}

bool raster_fits(const struct raster_limits *limits, int64_t width, int64_t height,
                 struct fault *why)
{
    if (width < 1 || height < 1)
        return fault_set(why, FAULT_FORMAT, "the raster is %lld x %lld samples; it needs some",
                         (long long)width, (long long)height);
    if (width > limits->side || height > limits->side || width > limits->samples / height)
        return fault_set(why, FAULT_LIMIT,
                         "the raster is %lld x %lld samples; at most %lld a side and %lld in all "
                         "are taken",
                         (long long)width, (long long)height, (long long)limits->side,
                         (long long)limits->samples);
    return true;
}

void *raster_take(struct raster *raster, struct raster_room *room,
                  const struct raster_limits *limits, enum raster_kind kind, int64_t width,
                  int64_t height, struct fault *why)
{
    void *samples;

    if (!raster_fits(limits, width, height, why))
        return NULL;
    samples = room->take(room, (size_t)width * (size_t)height * raster_sample_bytes(kind), why);
    if (!samples)
        return NULL;
    raster->kind = kind;
    raster->width = (int32_t)width;
    raster->height = (int32_t)height;
    raster->samples = samples;
    raster->memory = room->memory;
    raster->voids = 0;
    raster->least = INFINITY;
    raster->greatest = -INFINITY;
    return samples;
}

void raster_note_codes(struct raster *raster, const uint16_t *row, int32_t count)
{
    uint16_t least = 65535, greatest = 0;

    for (int32_t i = 0; i < count; i++) {
        least = row[i] < least ? row[i] : least;
        greatest = row[i] > greatest ? row[i] : greatest;
    }
    raster->least = fmin(raster->least, least);
    raster->greatest = fmax(raster->greatest, greatest);
}

bool raster_finish(struct raster *raster, struct fault *why)
{
    if (raster->greatest == INFINITY || raster->least == -INFINITY)
        return fault_set(why, FAULT_NOT_FINITE,
                         "a sample is infinite; name it with nodata if it "
                         "stands for no data");
    if (raster->voids == (int64_t)raster->width * raster->height)
        raster->least = raster->greatest = 0;
    return true;
}

/* Comparisons with NaN are false, so that voids neither count as least nor as greatest. */
#define NOTE(type)                                                                                 \
    type least = INFINITY, greatest = -INFINITY;                                                   \
    int64_t voids = 0;                                                                             \
                                                                                                   \
    for (int32_t i = 0; i < count; i++) {                                                          \
        least = row[i] < least ? row[i] : least;                                                   \
        greatest = row[i] > greatest ? row[i] : greatest;                                          \
        voids += row[i] != row[i];                                                                 \
    }                                                                                              \
    raster->voids += voids;                                                                        \
    raster->least = fmin(raster->least, (double)least);                                            \
    raster->greatest = fmax(raster->greatest, (double)greatest)

void raster_note_floats(struct raster *raster, const float *row, int32_t count)
{
    NOTE(float);
}

void raster_note_doubles(struct raster *raster, const double *row, int32_t count)
{
    NOTE(double);
}

/* A row of the copy, void where the value stood. */
static void exclude_row(const struct raster *from, double value, int32_t y, struct raster *to)
{
    size_t at = (size_t)y * (size_t)from->width;
    double *doubles = (double *)(uintptr_t)to->samples + at;
    float *floats = (float *)(uintptr_t)to->samples + at;

    for (int32_t x = 0; x < from->width; x++) {
        double sample;

        raster_read(from, x, y, 1, &sample);
        sample = sample == value ? NAN : sample;
        if (to->kind == RASTER_DOUBLES)
            doubles[x] = sample;
        else
            floats[x] = (float)sample;
    }
    if (to->kind == RASTER_DOUBLES)
        raster_note_doubles(to, doubles, from->width);
    else
        raster_note_floats(to, floats, from->width);
}

bool raster_exclude(struct raster *raster, double value, struct fault *why)
{
    enum raster_kind kind = raster->kind == RASTER_DOUBLES ? RASTER_DOUBLES : RASTER_FLOATS;
    const struct raster_limits none = { INT32_MAX, INT64_MAX };
    struct raster copy = *raster;

    if (raster->kind == RASTER_U16 && raster->depth < 16)
        value *= 65535 / ((1 << raster->depth) - 1);
    if (raster->kind == RASTER_FLOATS)
        value = (float)value;
    copy.gate = NULL;
    if (!raster_wait(raster, raster->height, why) ||
        !raster_take(&copy, &raster_heap, &none, kind, raster->width, raster->height, why))
        return false;
    for (int32_t y = 0; y < raster->height; y++)
        exclude_row(raster, value, y, &copy);
    raster_free(raster);
    *raster = copy;
    return raster_finish(raster, why);
}

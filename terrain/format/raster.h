/* A decoded raster: samples in rows from the north, before they become a landscape.
 *
 * Samples are 16-bit codes as a landscape stores them (fewer bits widened already), or metres.
 * They are floats where that loses nothing of the source, doubles else, and there one without
 * data is NaN. What is a picture and nothing else may also have several channels. One thread at a
 * time.
 */
#ifndef TERRAIN_FORMAT_RASTER_H
#define TERRAIN_FORMAT_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

enum raster_kind {
    RASTER_U16, /* always codes */
    RASTER_FLOATS,
    RASTER_DOUBLES,
    RASTER_GRAY_ALPHA, /* pictures: a pair of uint16_t, */
    RASTER_RGB,        /* three bytes, */
    RASTER_RGBA        /* four bytes */
};

/* Who ends the samples' memory: free, nobody, or munmap of shared memory. */
enum raster_memory { RASTER_HEAP, RASTER_LENT, RASTER_SHARED };

/* The rows of a raster that is still being decoded. wait returns when so many of them are there, or
 * all; once all are, the raster's voids, least and greatest are known. Fails as the decoding does.
 * end is raster_free's. */
struct raster_gate {
    bool (*wait)(struct raster_gate *gate, int32_t rows, struct fault *why);
    void (*end)(struct raster_gate *gate);
};

enum { RASTER_CRS_MOST = 8192, RASTER_WARNINGS_MOST = 4 };

struct raster {
    enum raster_kind kind;
    bool codes; /* not metres */
    int32_t width, height;
    const void *samples; /* row by row without gaps: uint16_t, float or double */
    enum raster_memory memory;
    struct raster_gate *gate;  /* NULL when all samples are there */
    int64_t voids;             /* samples without data */
    double least, greatest;    /* of the others; 0 when there are none */
    int32_t depth;             /* bits of a source sample */
    char type[16];             /* "uint16", "int16", "float32", … */
    char driver[16];           /* "PNG", "raw", "GTiff", … */
    bool stepped;              /* the place and step of the samples are known… */
    double west, north;        /* …: of the north-west sample's centre, CRS units */
    double step_x, step_y;     /* between samples, east and south, both positive */
    char crs[RASTER_CRS_MOST]; /* "EPSG:n" when it has a code, else WKT; "" when unknown */
    bool warped;               /* then what stands here is the source's: */
    int32_t source_width, source_height;
    char source_crs[RASTER_CRS_MOST];
    char warnings[RASTER_WARNINGS_MOST][160];
    int32_t warning_count;
};

void raster_free(struct raster *raster);

/* Waits for the first rows of a raster; at once true when they are there. */
bool raster_wait(const struct raster *raster, int32_t rows, struct fault *why);

size_t raster_sample_bytes(enum raster_kind kind);

/* `count` samples of row y from column x on, as doubles. Not of several channels. */
void raster_read(const struct raster *raster, int32_t x, int32_t y, int32_t count, double *values);

/* Adds a sentence for the caller; those beyond the room are dropped. */
void raster_warn(struct raster *raster, const char *sentence, ...)
    __attribute__((format(printf, 2, 3)));

/* Where a decoder puts its samples: memory on the heap, or shared with another process. room
 * gives zeroed memory, which the raster then refers to by `memory`. */
struct raster_room {
    void *(*take)(struct raster_room *room, size_t bytes, struct fault *why);
    enum raster_memory memory;
    /* Told after each row, in order, by decoders that go from north to south; or NULL. */
    void (*row_done)(struct raster_room *room, const struct raster *raster, int32_t rows);
};
extern struct raster_room raster_heap;

/* What a raster may measure; checked from a header before anything is allocated. */
struct raster_limits {
    int64_t side, samples;
};
/* Fails with LIMIT, naming the size and the limits, or with FORMAT for a side below 1. */
bool raster_fits(const struct raster_limits *limits, int64_t width, int64_t height,
                 struct fault *why);

/* Takes room for width x height samples of a kind. Fails with LIMIT, FORMAT or MEMORY. */
void *raster_take(struct raster *raster, struct raster_room *room,
                  const struct raster_limits *limits, enum raster_kind kind, int64_t width,
                  int64_t height, struct fault *why);

/* Once all rows are noted. Fails with NOT_FINITE when a sample is infinite. */
bool raster_finish(struct raster *raster, struct fault *why);

/* Makes voids of the samples that have a value, which is meant in the source's own bits: codes
 * become floats for it. Waits for all rows. Fails with MEMORY, or as the decoding does. */
bool raster_exclude(struct raster *raster, double value, struct fault *why);

/* Counts voids and finds the bounds of a row that has just been written, at its cheapest. */
void raster_note_codes(struct raster *raster, const uint16_t *row, int32_t count);
void raster_note_floats(struct raster *raster, const float *row, int32_t count);
void raster_note_doubles(struct raster *raster, const double *row, int32_t count);

#endif

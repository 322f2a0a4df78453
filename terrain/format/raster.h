/* A decoded raster: heights in rows from the north, before they become a landscape. */
#ifndef TERRAIN_FORMAT_RASTER_H
#define TERRAIN_FORMAT_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum raster_kind {
    RASTER_CODES, /* uint16 samples: 16-bit codes, widened already */
    RASTER_METRES /* float (32-bit) or double samples, metres */
};

/* Samples are row by row without gaps. A metric sample without data is NaN. */
struct raster {
    enum raster_kind kind;
    int32_t width, height;
    uint16_t *codes;   /* CODES */
    double *metres;    /* METRES */
    int64_t voids;     /* samples without data */
    double least, greatest; /* of the others */
    int32_t depth;     /* bits of a source sample */
    char type[16];     /* "uint16", "int16", "float32", … */
    char driver[16];   /* "PNG", "raw", "GTiff", … */
    bool placed;       /* crs and the corners are known */
    char crs[64];      /* "EPSG:n" when it has a code */
    double west, north;    /* of the north-west sample's centre, CRS units */
    double step_x, step_y; /* between samples, east and south, both positive */
    char *crs_text;    /* WKT when there is no code */
    char warnings[4][160];
    int32_t warning_count;
};

void raster_free(struct raster *raster);

#endif

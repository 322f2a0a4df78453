/* A second opinion on map tiles, written apart from the code that makes them: full-precision PROJ
 * for every pixel, naive triangles on a flat array, footprint means vertex by vertex. Slow and
 * plain. */
#ifndef TESTS_FORMAT_JUDGE_H
#define TESTS_FORMAT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct judge {
    int columns, rows;
    const uint16_t *codes;
    double z_scale, z_origin;
    const char *crs; /* NULL has none */
    double bounds[4];
    bool turned;         /* across 180 degrees */
    bool everywhere;     /* makes sense in all of the world, so no pixel is left out */
    double extent[4];    /* Mercator metres */
    void *context, *way; /* PROJ's */
};

void judge_open(struct judge *judge);
void judge_close(struct judge *judge);

/* The announced zoom, by trying one after another. */
int judge_native(const struct judge *judge);

/* Metres of pixel (i, j) of tile z/x/y with `side` pixels; NaN beyond the landscape. *doubtful
 * tells that the pixel is so near the border that rounding decides. */
double judge_pixel(const struct judge *judge, int native, int z, int x, int y, int side, int i,
                   int j, bool *doubtful);

/* The samples of a PNG as libpng reads them: gray, RGB or RGBA, 8 bits; free them. NULL when it is
 * none, or has anything but the three plain chunks. */
uint8_t *judge_png(const void *data, size_t length, int *width, int *height, int *channels);

double judge_terrain_rgb(const uint8_t rgb[3]);
double judge_terrarium(const uint8_t rgb[3]);

#endif

/* A cold 256 x 256 tile as a PNG: ours against libpng at level 6 with adaptive filters, CPU time
 * of this thread, the same pixels, in one run. Prints one line a kind of tile and effort. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/format/png_write.h"

enum { SIDE = 256, TILES = 24, ROUNDS = 5 };

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static double lattice(int32_t x, int32_t y, uint32_t octave)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ octave * 0xc2b2ae3du;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) / 4294967296.0;
}

static double noise(double x, double y, uint32_t octave)
{
    const double fx = floor(x), fy = floor(y);
    const double u = x - fx, v = y - fy;
    const double a = u * u * (3 - 2 * u), b = v * v * (3 - 2 * v);
    const int32_t i = (int32_t)fx, j = (int32_t)fy;

    return (lattice(i, j, octave) * (1 - a) + lattice(i + 1, j, octave) * a) * (1 - b) +
           (lattice(i, j + 1, octave) * (1 - a) + lattice(i + 1, j + 1, octave) * a) * b;
}

/* Metres: ridged fractal ground of 1 m a sample, an eighth of it level water. */
static double ground(double x, double y)
{
    double height = 0, amplitude = 320;
    const double warp = 60 * noise(x / 300, y / 300, 90);

    for (uint32_t octave = 0; octave < 10; octave++) {
        const double cell = 800.0 / (1 << octave);
        const double n = noise((x + warp) / cell, (y - warp) / cell, octave);

        height += amplitude * (octave < 3 ? 1 - fabs(2 * n - 1) : n);
        amplitude *= 0.46;
    }
    return height < 200 ? 200 : height;
}

struct kind {
    const char *name;
    enum png_samples samples;
    size_t bytes;
    unsigned char *pixels; /* TILES pictures */
};

static void make_pixels(struct kind *kind)
{
    unsigned char *to = malloc((size_t)TILES * SIDE * SIDE * kind->bytes);

    if (!to)
        exit(1);
    kind->pixels = to;
    for (int tile = 0; tile < TILES; tile++)
        for (int i = 0; i < SIDE * SIDE; i++, to += kind->bytes) {
            const double z = ground(tile % 6 * 700 + i % SIDE, tile / 6 * 700 + (double)(i / SIDE));

            if (kind->samples == PNG_GRAY16) {
                const uint16_t code = (uint16_t)floor(z * 128 - 20000 + 0.5);

                memcpy(to, &code, 2);
            } else {
                const bool mapbox = strcmp(kind->name, "terrain-rgb") == 0;
                const uint32_t v = (uint32_t)(mapbox ? floor((z + 10000) * 10 + 0.5)
                                                     : floor((z + 32768) * 256 + 0.5));

                to[0] = v >> 16;
                to[1] = v >> 8 & 255;
                to[2] = v & 255;
            }
        }
}

static void keep(png_structp png, png_bytep data, png_size_t length)
{
    struct fault why;

    if (!bytes_add(png_get_io_ptr(png), data, length, &why))
        png_error(png, "memory");
}

static void with_libpng(const struct kind *kind, const unsigned char *pixels, struct bytes *to)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    png_set_write_fn(png, to, keep, NULL);
    png_set_compression_level(png, 6);
    png_set_filter(png, 0, PNG_ALL_FILTERS);
    png_set_IHDR(png, info, SIDE, SIDE, kind->samples == PNG_GRAY16 ? 16 : 8,
                 kind->samples == PNG_GRAY16 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, 0, 0, 0);
    png_write_info(png, info);
    if (kind->samples == PNG_GRAY16)
        png_set_swap(png);
    for (int y = 0; y < SIDE; y++)
        png_write_row(png, pixels + (size_t)y * SIDE * kind->bytes);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* Milliseconds and bytes a tile; effort -1 is libpng. The best of some rounds. */
static void measure(const struct kind *kind, int effort, double *ms, double *bytes)
{
    struct bytes to = { 0 };
    struct fault why = { 0 };

    *ms = INFINITY;
    for (int round = 0; round < (effort < 0 ? 2 : ROUNDS); round++) {
        const double begun = cpu_seconds();
        double spent;

        *bytes = 0;
        for (int tile = 0; tile < TILES; tile++) {
            const unsigned char *pixels = kind->pixels + (size_t)tile * SIDE * SIDE * kind->bytes;

            to.length = 0;
            if (effort < 0)
                with_libpng(kind, pixels, &to);
            else if (!png_write(kind->samples, SIDE, SIDE, pixels, effort, &to, &why))
                exit(1);
            *bytes += to.length;
        }
        spent = (cpu_seconds() - begun) * 1e3 / TILES;
        if (spent < *ms)
            *ms = spent;
    }
    *bytes /= TILES;
    bytes_free(&to);
}

int main(void)
{
    static const char *const efforts[] = { "fast", "small", "smallest" };
    struct kind kinds[] = {
        { "gray16", PNG_GRAY16, 2, NULL },
        { "terrain-rgb", PNG_RGB8, 3, NULL },
        { "terrarium", PNG_RGB8, 3, NULL },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        double floor_ms, floor_bytes, ms, bytes;

        make_pixels(&kinds[i]);
        measure(&kinds[i], -1, &floor_ms, &floor_bytes);
        printf("png %-11s libpng-6   %7.3f ms %8.0f bytes\n", kinds[i].name, floor_ms, floor_bytes);
        for (int effort = PNG_FAST; effort <= PNG_SMALLEST; effort++) {
            measure(&kinds[i], effort, &ms, &bytes);
            printf("png %-11s %-10s %7.3f ms %8.0f bytes: %5.1f x faster, %.3f x the size\n",
                   kinds[i].name, efforts[effort], ms, bytes, floor_ms / ms, bytes / floor_bytes);
        }
        free(kinds[i].pixels);
    }
    return 0;
}

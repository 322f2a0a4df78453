/* Maps drawn without GL: a hillshade of 512 x 512 pixels and its PNG, beside the bare loop over as
 * many heights that lie ready and the PNG of what that gives; by the landscape's size, and the
 * other modes.
 *
 * usage: bench_flat [MODE SIDE]     one of them alone
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "render/flat.h"
#include "terrain/base/wide.h"
#include "terrain/format/png_write.h"
#include "tests/render/scenery.h"

enum { SIDE = 512, TIMES = 60 };

/* Milliseconds of this thread on a processor. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static uint8_t gray[SIDE * SIDE];

/* Returns the file's size. */
static size_t write_gray(void)
{
    struct bytes png = { 0 };
    struct fault why;
    size_t size;

    if (!png_write(PNG_GRAY8, SIDE, SIDE, gray, PNG_FAST, &png, &why)) {
        fprintf(stderr, "bench_flat: %s\n", why.detail);
        exit(1);
    }
    size = png.length;
    bytes_free(&png);
    return size;
}

static uint16_t heights[SIDE + 2][SIDE + 2];

WIDE static void shade_row(const uint16_t *n, const uint16_t *h, const uint16_t *s, uint8_t *to)
{
    for (int i = 0; i < SIDE; i++) {
        float east =
            (float)((n[i + 2] + 2 * h[i + 2] + s[i + 2]) - (n[i] + 2 * h[i] + s[i])) / 2e4f;
        float south =
            (float)((s[i] + 2 * s[i + 1] + s[i + 2]) - (n[i] + 2 * n[i + 1] + n[i + 2])) / 2e4f;
        float light = (0.7f + 0.5f * east + 0.5f * south) / sqrtf(1 + east * east + south * south);

        to[i] = (uint8_t)(int)((light > 0 ? light < 1 ? light : 1 : 0) * 255 + 0.5f);
    }
}

static double bare(void)
{
    double began = now();

    for (int y = 0; y < SIDE; y++)
        shade_row(heights[y], heights[y + 1], heights[y + 2], gray + y * SIDE);
    return now() - began;
}

static struct picture picture_of(int mode)
{
    return (struct picture){ .width = SIDE,
                             .height = SIDE,
                             .mode = mode,
                             .camera = { .kind = CAMERA_FIT, .elevation = 90, .fov = 30 },
                             .light = { .sun_azimuth = 315, .sun_elevation = 45 } };
}

/* The picture, and its red in `gray`. */
static double flat(const struct view *view, const struct picture *picture)
{
    struct bytes pixels = { 0 };
    struct fault why;
    double began = now(), spent;

    if (!flat_draw(view, picture, NULL, &pixels, &why)) {
        fprintf(stderr, "bench_flat: %s\n", why.detail);
        exit(1);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        gray[i] = pixels.data[4 * i];
    spent = now() - began;
    bytes_free(&pixels);
    return spent;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(double *times)
{
    qsort(times, TIMES, sizeof *times, by_size);
    return times[TIMES / 2];
}

static void measure(const struct view *view, int mode, const char *what)
{
    struct picture picture = picture_of(mode);
    double drawn[TIMES], written[TIMES], floor_drawn[TIMES], floor_written[TIMES], all, least;

    for (int i = 0; i < TIMES; i++) {
        double began;

        floor_drawn[i] = bare();
        began = now();
        write_gray();
        floor_written[i] = now() - began;
        drawn[i] = flat(view, &picture);
        began = now();
        write_gray();
        written[i] = now() - began;
    }
    all = median(drawn) + median(written);
    least = median(floor_drawn) + median(floor_written);
    printf("%-24s drawn %6.3f  PNG %6.3f  both %6.3f ms   bare %6.3f + %6.3f ms   ratio %.2f\n",
           what, drawn[TIMES / 2], written[TIMES / 2], all, floor_drawn[TIMES / 2],
           floor_written[TIMES / 2], all / least);
}

/* What the bare loop reads: as rough as what the landscape has. */
static void fill_heights(const struct view *view)
{
    struct rect from = { 100, 100, SIDE + 2, SIDE + 2 };

    view_read_around(view, from, heights[0], SIDE + 2);
}

static int measure_one(const char *name, int32_t side)
{
    struct view *view = scenery_mountains(side, 10);

    fill_heights(view);
    for (int mode = 0; mode < RENDER_MODES; mode++)
        if (strcmp(render_modes[mode]->name, name) == 0)
            measure(view, mode, name);
    view_drop(view);
    return 0;
}

int main(int count, char **words)
{
    static const int32_t sides[] = { 505, 1009, 2017, 4033, 8065 };
    struct view *view = scenery_mountains(1009, 10);
    char what[64];

    if (count == 3) {
        view_drop(view);
        return measure_one(words[1], atoi(words[2]));
    }
    fill_heights(view);
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture picture = picture_of(mode);

        if (!flat_draws(view, &picture) || render_modes[mode]->hears & MODE_HEARS_AGAINST ||
            render_modes[mode]->hears & MODE_HEARS_LAYER)
            continue;
        measure(view, mode, render_modes[mode]->name);
    }
    view_drop(view);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        view = scenery_mountains(sides[i], 10);
        snprintf(what, sizeof what, "hillshade of %d", sides[i]);
        measure(view, RENDER_MODE_hillshade, what);
        view_drop(view);
    }
    return 0;
}

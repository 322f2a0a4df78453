#include "render/surface.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "render/surface_canvas.h"
#include "terrain/base/wide.h"

/* Of the small relief of the soft noise, so that its slopes fill their bytes. */
static const float WORN_STEEP = SURFACE_SIDE / 24.0f;

const struct surface *const surfaces[SURFACES] = {
#define SURFACE(name) &surface_##name,
#include "terrain/core/surfaces.def"
#undef SURFACE
};

static uint8_t byte_of(float share)
{
    return (uint8_t)(fminf(fmaxf(share, 0), 1) * 255 + 0.5f);
}

/* The mean of four bytes, or of what they are roots of. */
static uint8_t mean_of(const uint8_t *a, const uint8_t *b, int channel, bool roots)
{
    uint32_t four[4] = { a[channel], a[channel + 4], b[channel], b[channel + 4] }, sum = 0;

    for (int i = 0; i < 4; i++)
        sum += roots ? four[i] * four[i] : four[i];
    return roots ? (uint8_t)(sqrtf((float)sum * 0.25f) + 0.5f) : (uint8_t)((sum + 2) / 4);
}

WIDE static void halve(const uint8_t *from, int side, int roots, uint8_t *to)
{
    for (int y = 0; y < side / 2; y++)
        for (int x = 0; x < side / 2; x++) {
            const uint8_t *a = from + 4 * (2 * y * side + 2 * x), *b = a + 4 * side;

            for (int channel = 0; channel < 4; channel++)
                to[4 * (y * (side / 2) + x) + channel] = mean_of(a, b, channel, channel < roots);
        }
}

static uint8_t *fill_levels(uint8_t *texels, int roots)
{
    for (int side = SURFACE_SIDE; side > 1; side /= 2) {
        halve(texels, side, roots, texels + 4 * side * side);
        texels += 4 * side * side;
    }
    return texels;
}

void surface_levels(uint8_t *looks, uint8_t *relief, float mean[3])
{
    const uint8_t *last = fill_levels(looks, 3);

    fill_levels(relief, 0);
    for (int c = 0; c < 3; c++)
        mean[c] = (float)(last[c] * last[c]) / (255 * 255.0f);
}

/* What stands higher than the texels some way off in four directions sees all the sky. */
static float open_sky(const uint8_t *looks, int x, int y)
{
    static const int reaches[2] = { 3, 9 };
    float here = looks[4 * canvas_at(x, y) + 3], hidden = 0;

    for (int i = 0; i < 2; i++) {
        int far = reaches[i];
        float around =
            (float)(looks[4 * canvas_at(x - far, y) + 3] + looks[4 * canvas_at(x + far, y) + 3] +
                    looks[4 * canvas_at(x, y - far) + 3] + looks[4 * canvas_at(x, y + far) + 3]) *
            0.25f;

        hidden += fmaxf(around - here, 0) / 255;
    }
    return 1 - fminf(1.6f * hidden, 0.75f);
}

void surface_normals(const uint8_t *looks, double steep, uint8_t *relief)
{
    float scale = (float)(steep * SURFACE_SIDE / 2 / 255);

    for (int y = 0; y < SURFACE_SIDE; y++)
        for (int x = 0; x < SURFACE_SIDE; x++) {
            float east = scale * (float)(looks[4 * canvas_at(x + 1, y) + 3] -
                                         looks[4 * canvas_at(x - 1, y) + 3]);
            float south = scale * (float)(looks[4 * canvas_at(x, y + 1) + 3] -
                                          looks[4 * canvas_at(x, y - 1) + 3]);
            float up = 1 / sqrtf(1 + east * east + south * south);
            uint8_t *texel = relief + 4 * canvas_at(x, y);

            texel[0] = (uint8_t)(128.5f - 127 * east * up);
            texel[1] = (uint8_t)(128.5f - 127 * south * up);
            texel[3] = byte_of(open_sky(looks, x, y));
        }
}

/* The canvas as bytes, its heights made 0 to 1. */
static void pack(const struct surface_canvas *canvas, const struct surface_made *made)
{
    float least = canvas->height[0], most = least;

    for (int at = 0; at < SURFACE_AREA; at++) {
        least = fminf(least, canvas->height[at]);
        most = fmaxf(most, canvas->height[at]);
    }
    for (int at = 0; at < SURFACE_AREA; at++) {
        for (int c = 0; c < 3; c++)
            made->looks[4 * at + c] = byte_of(sqrtf(fmaxf(canvas->colour[c][at], 0)));
        made->looks[4 * at + 3] = byte_of((canvas->height[at] - least) / (most - least));
        made->relief[4 * at + 2] = byte_of(canvas->roughness[at]);
    }
}

/* Two fields of soft noise about a half, not in step with one another, and how a third slopes, with
 * the sharp ridges of worn ground, east and south. */
static void vary(struct surface_canvas *canvas, const struct surface_made *made)
{
    float *worn = canvas->spare[0], *fold = canvas->spare[1];

    for (int c = 0; c < 2; c++) {
        memset(canvas->height, 0, sizeof canvas->height);
        canvas_octaves(canvas->height, 4 << c, 6, 900 + 10 * (uint32_t)c, 0.45f, 0.68f);
        for (int at = 0; at < SURFACE_AREA; at++)
            made->looks[4 * at + c] = byte_of(0.5f + 0.5f * canvas->height[at]);
    }
    for (int i = 0, cells = 8; i < 5; i++, cells *= 2) {
        memset(fold, 0, sizeof canvas->height);
        canvas_noise(fold, cells, cells, 930 + (uint32_t)i, 1);
        for (int at = 0; at < SURFACE_AREA; at++)
            worn[at] -= fabsf(fold[at]) / (float)cells;
    }
    for (int y = 0; y < SURFACE_SIDE; y++)
        for (int x = 0; x < SURFACE_SIDE; x++) {
            float east = worn[canvas_at(x + 1, y)] - worn[canvas_at(x - 1, y)];
            float south = worn[canvas_at(x, y + 1)] - worn[canvas_at(x, y - 1)];
            uint8_t *texel = made->looks + 4 * canvas_at(x, y);

            texel[2] = byte_of(0.5f + WORN_STEEP * east);
            texel[3] = byte_of(0.5f + WORN_STEEP * south);
        }
    memset(made->relief, 0, SURFACE_BYTES);
}

static void make(int which, struct surface_made *made)
{
    const struct surface *surface = which < SURFACES ? surfaces[which] : NULL;
    struct surface_canvas *canvas = calloc(1, sizeof *canvas);

    made->looks = malloc(SURFACE_BYTES);
    made->relief = malloc(SURFACE_BYTES);
    if (canvas && made->looks && made->relief && !surface) {
        vary(canvas, made);
        fill_levels(made->looks, 0);
    } else if (canvas && made->looks && made->relief) {
        surface->make(canvas);
        pack(canvas, made);
        surface_normals(made->looks, surface->relief / surface->tiling, made->relief);
        surface_levels(made->looks, made->relief, made->mean);
    } else {
        free(made->looks);
        free(made->relief);
        *made = (struct surface_made){ 0 };
    }
    free(canvas);
}

const struct surface_made *surface_own(int surface)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct surface_made all[SURFACES + 1];
    bool there;

    pthread_mutex_lock(&lock);
    if (!all[surface].looks)
        make(surface, &all[surface]);
    there = all[surface].looks != NULL;
    pthread_mutex_unlock(&lock);
    return there ? &all[surface] : NULL;
}

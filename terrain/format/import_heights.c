#include "terrain/format/import_heights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint16_t import_code(const struct raster *raster, const struct import_plan *plan, double value)
{
    if (raster->codes)
        return grid_round(value);
    return grid_round((value - plan->z_origin) / plan->z_scale * 128.0 + GRID_LEVEL_ZERO);
}

enum { STRIP = 256 }; /* samples converted at once */

/* Codes of samples that the raster holds. */
static void convert(const struct import_heights *heights, int32_t x, int32_t y, int32_t count,
                    uint16_t *codes)
{
    const struct raster *raster = heights->raster;
    double values[STRIP];

    if (raster->kind == RASTER_U16) {
        const uint16_t *from = raster->samples;

        memcpy(codes, from + (size_t)y * (size_t)raster->width + x, (size_t)count * sizeof *codes);
        return;
    }
    for (int32_t done = 0; done < count; done += STRIP) {
        int32_t some = count - done < STRIP ? count - done : STRIP;

        raster_read(raster, x + done, y, some, values);
        for (int32_t i = 0; i < some; i++)
            codes[done + i] = import_code(raster, heights->plan, values[i]);
    }
}

static void note_voids(const struct raster *raster, uint8_t *voids)
{
    double values[STRIP];

    for (int32_t y = 0; y < raster->height; y++)
        for (int32_t x = 0; x < raster->width; x += STRIP) {
            int32_t some = raster->width - x < STRIP ? raster->width - x : STRIP;
            uint8_t *to = voids + (size_t)y * (size_t)raster->width + x;

            raster_read(raster, x, y, some, values);
            for (int32_t i = 0; i < some; i++)
                to[i] = isnan(values[i]);
        }
}

static void copy_all(struct import_heights *heights)
{
    const struct raster *raster = heights->raster;

    note_voids(raster, heights->voids);
    for (int32_t y = 0; y < raster->height; y++)
        convert(heights, 0, y, raster->width, heights->codes + (size_t)y * (size_t)raster->width);
}

bool import_heights_make(struct import_heights *heights, const struct raster *raster,
                         const struct import_plan *plan, struct fault *why)
{
    size_t count = (size_t)plan->columns * (size_t)plan->rows;
    bool some_void;

    *heights = (struct import_heights){ .raster = raster, .plan = plan };
    if (!plan->resampled && raster->voids == 0)
        return true;
    if (!raster_wait(raster, raster->height, why))
        return false;
    heights->codes = malloc(count * sizeof *heights->codes);
    heights->voids = calloc(count, 1);
    if (!heights->codes || !heights->voids)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu heights", count);
    if (!plan->resampled)
        copy_all(heights);
    else if (!import_resample(raster, plan, heights->codes, heights->voids, why))
        return false;
    some_void = memchr(heights->voids, 1, count) != NULL;
    if (some_void)
        return import_fill(heights->codes, heights->voids, plan->columns, plan->rows, why);
    free(heights->voids);
    heights->voids = NULL;
    return true;
}

void import_heights_free(struct import_heights *heights)
{
    free(heights->codes);
    free(heights->voids);
    heights->codes = NULL;
    heights->voids = NULL;
}

void import_heights_row(const struct import_heights *heights, int32_t x, int32_t y, int32_t count,
                        uint16_t *codes)
{
    if (!heights->codes)
        convert(heights, x, y, count, codes);
    else
        memcpy(codes, heights->codes + (size_t)y * (size_t)heights->plan->columns + x,
               (size_t)count * sizeof *codes);
}

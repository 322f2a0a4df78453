/* Rows of samples: what fields are blended from. */
#include <math.h>

#include "render/flat_inside.h"
#include "terrain/base/wide.h"

/* A row of codes, from the sample west of the reach's first. */
static const uint16_t *codes_at(const struct flat_part *part, const uint16_t *codes, int32_t row)
{
    return codes + (int64_t)(row + 1) * (part->reach.width + 2);
}

WIDE static void heights(const uint16_t *here, int32_t count, float zero, float metres, float *to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = zero + (float)here[i + 1] * metres;
}

/* Horn's differences, as the shelf of a render worker makes them: weights of 1, 2 and 1. */
WIDE static void rises(const uint16_t *north, const uint16_t *here, const uint16_t *south,
                       int32_t count, float across, float down, float *east, float *southward)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t w = north[i] + 2 * here[i] + south[i];
        int32_t e = north[i + 2] + 2 * here[i + 2] + south[i + 2];
        int32_t n = north[i] + 2 * north[i + 1] + north[i + 2];
        int32_t s = south[i] + 2 * south[i + 1] + south[i + 2];

        east[i] = (float)(e - w) * across;
        southward[i] = (float)(s - n) * down;
    }
}

/* The mean curvature of the quadratic surface through a window; see landform.h, which gives it to
 * the bit and slower. */
WIDE static void bends(const uint16_t *n, const uint16_t *h, const uint16_t *s, int32_t count,
                       float metres, float across, float down, float *to)
{
    const float p_unit = metres / 6 / across, q_unit = metres / 6 / down;
    const float r_unit = metres / 3 / across / across, t_unit = metres / 3 / down / down;
    const float s_unit = metres / 4 / across / down;

    for (int32_t i = 0; i < count; i++) {
        const int32_t west = n[i] + h[i] + s[i], east = n[i + 2] + h[i + 2] + s[i + 2];
        const int32_t north = n[i] + n[i + 1] + n[i + 2], south = s[i] + s[i + 1] + s[i + 2];
        const int32_t all = north + south + h[i] + h[i + 1] + h[i + 2];
        const float p = (float)(east - west) * p_unit, q = (float)(south - north) * q_unit;
        const float rr = (float)(3 * (west + east) - 2 * all) * r_unit;
        const float tt = (float)(3 * (north + south) - 2 * all) * t_unit;
        const float ss = (float)(n[i] + s[i + 2] - n[i + 2] - s[i]) * s_unit;
        const float steep = 1 + p * p + q * q;

        to[i] = (2 * p * q * ss - (1 + q * q) * rr - (1 + p * p) * tt) / (2 * steep * sqrtf(steep));
    }
}

/* The two versions' levels may differ. */
static void differences(const struct flat_part *part, int32_t row, float *to)
{
    const struct grid *after = view_grid(part->view), *before = view_grid(part->before);
    const uint16_t *now = codes_at(part, part->codes, row) + 1;
    const uint16_t *then = codes_at(part, part->codes_before, row) + 1;

    for (int32_t i = 0; i < part->reach.width; i++)
        to[i] = (float)(grid_metres(after, now[i]) - grid_metres(before, then[i]));
}

void flat_samples(struct flat_part *part, enum flat_field field, int32_t row, float *to)
{
    const struct grid *grid = view_grid(part->view);
    const uint16_t *here = codes_at(part, part->codes, row);
    const int64_t stride = part->reach.width + 2;
    const double rise = grid->scale[2] / 128 / 8 / (1 << part->frame->level);

    if (field == FLAT_Z)
        heights(here, part->reach.width, (float)grid_metres(grid, 0), (float)(grid->scale[2] / 128),
                to);
    else if (field == FLAT_EAST)
        rises(here - stride, here, here + stride, part->reach.width, (float)(rise / grid->scale[0]),
              (float)(rise / grid->scale[1]), to, to + part->reach.width);
    else if (field == FLAT_BEND)
        bends(here - stride, here, here + stride, part->reach.width, (float)(grid->scale[2] / 128),
              (float)(grid->scale[0] * (1 << part->frame->level)),
              (float)(grid->scale[1] * (1 << part->frame->level)), to);
    else if (field == FLAT_RED)
        flat_paint_colours(part, row, to);
    else if (field == FLAT_WEIGHT)
        flat_paint_weight(part, row, to);
    else if (field == FLAT_ERROR)
        errors_row(&part->errors, row, to);
    else
        differences(part, row, to);
}

/* Contour lines on a transparent ground: level sets of the plane through the centres of three
 * neighbouring pixels, a quad of pixels being split as those of the landscape are. A line is as
 * wide as a pixel, and drawn by how much of a pixel it covers; every fifth is stronger. Where
 * lines would run into each other the lesser ones fade.
 *
 * All that a line does to a pixel is worked out in the coordinates of its own quad, so that tiles
 * which share the quad agree on it to the bit. */
#include <math.h>
#include <stdlib.h>

#include "terrain/format/tile_map.h"
#include "terrain/format/tile_set.h"

enum { MARGIN = 1, LEVELS_MOST = 16, STRONG_EVERY = 5 };

static const uint8_t ink[3] = { 122, 74, 24 };
static const double half_width = 0.5, lesser = 0.55, crowded = 1.5; /* pixels between lines */

struct drawing {
    int32_t side, stride;
    double interval, base;
    const double *metres; /* with its margin */
    float *cover;         /* 0..1 of each pixel */
};

/* From the line between a and b, squared. */
static double distance2(const double a[2], const double b[2], double x, double y)
{
    const double along[2] = { b[0] - a[0], b[1] - a[1] }, to[2] = { x - a[0], y - a[1] };
    const double length2 = along[0] * along[0] + along[1] * along[1];
    double share = length2 > 0 ? (to[0] * along[0] + to[1] * along[1]) / length2 : 0, off[2];

    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int k = 0; k < 2; k++)
        off[k] = to[k] - share * along[k];
    return off[0] * off[0] + off[1] * off[1];
}

/* Inks the pixels around the quad whose north-west pixel is (i, j). */
static void segment_draw(const struct drawing *drawing, int32_t i, int32_t j, const double a[2],
                         const double b[2], double strength)
{
    const double reach = half_width + 0.5;
    int32_t first[2], last[2];

    for (int k = 0; k < 2; k++) {
        const int32_t at = k ? j : i;

        first[k] = at + (int32_t)ceil(fmin(a[k], b[k]) - reach);
        last[k] = at + (int32_t)floor(fmax(a[k], b[k]) + reach);
        first[k] = first[k] > 0 ? first[k] : 0;
        last[k] = last[k] < drawing->side - 1 ? last[k] : drawing->side - 1;
    }
    for (int32_t y = first[1]; y <= last[1]; y++)
        for (int32_t x = first[0]; x <= last[0]; x++) {
            float *pixel = drawing->cover + (int64_t)y * drawing->side + x;
            const double apart2 = distance2(a, b, x - i, y - j);
            double cover = apart2 < reach * reach ? reach - sqrt(apart2) : 0;

            cover = (cover < 1 ? cover : 1) * strength;
            *pixel = cover > *pixel ? (float)cover : *pixel;
        }
}

struct corner {
    double at[2], z;
};

/* Where the level crosses the side from one that is below it to one that is not. */
static void crossing(const struct corner *low, const struct corner *high, double level,
                     double at[2])
{
    const double share = (level - low->z) / (high->z - low->z);

    for (int k = 0; k < 2; k++)
        at[k] = low->at[k] + share * (high->at[k] - low->at[k]);
}

static void level_draw(const struct drawing *drawing, int32_t i, int32_t j,
                       const struct corner corners[3], double level, double strength)
{
    double ends[2][2];
    int found = 0;

    for (int k = 0; k < 3; k++) {
        const struct corner *from = &corners[k], *to = &corners[(k + 1) % 3];

        if ((from->z >= level) == (to->z >= level))
            continue;
        crossing(from->z >= level ? to : from, from->z >= level ? from : to, level, ends[found++]);
    }
    if (found == 2)
        segment_draw(drawing, i, j, ends[0], ends[1], strength);
}

/* Of lines so far apart on the ground of this triangle. */
static double strength_of(double number, double apart)
{
    if (fmod(number, STRONG_EVERY) == 0)
        return 1;
    return apart >= 2 * crowded ? lesser : apart <= crowded ? 0 : lesser * (apart / crowded - 1);
}

static void triangle_draw(const struct drawing *drawing, int32_t i, int32_t j,
                          const struct corner corners[3])
{
    const double low = fmin(fmin(corners[0].z, corners[1].z), corners[2].z);
    const double high = fmax(fmax(corners[0].z, corners[1].z), corners[2].z);
    const double steepest = fmax(fabs(corners[0].z - corners[1].z),
                                 fmax(fabs(corners[1].z - corners[2].z),
                                      fabs(corners[2].z - corners[0].z) / 1.4142135623730951));
    double step = 1, first, last, n;

    if (!(low < high))
        return;
    first = floor((low - drawing->base) / drawing->interval);
    last = floor((high - drawing->base) / drawing->interval);
    /* Intervals so small that the levels have no numbers. */
    if (!isfinite(first) || !isfinite(last))
        return;
    while ((last - first) / step > LEVELS_MOST)
        step *= STRONG_EVERY;
    n = ceil(first / step) * step;
    /* Counted, as great numbers do not become greater by a small step. */
    for (int k = 0; k <= LEVELS_MOST && n <= last; k++, n += step) {
        const double level = drawing->base + n * drawing->interval;

        level_draw(drawing, i, j, corners, level, strength_of(n, drawing->interval / steepest));
    }
}

/* Means of level ground are level, whatever their last bits say. */
static void settle(double *metres, size_t count)
{
    for (size_t i = 0; i < count; i++)
        metres[i] = rint(metres[i] * (1 << 20)) / (1 << 20);
}

static void quad_draw(const struct drawing *drawing, int32_t i, int32_t j)
{
    const double *z = drawing->metres + (int64_t)(j + MARGIN) * drawing->stride + i + MARGIN;
    const struct corner nw = { { 0, 0 }, z[0] }, ne = { { 1, 0 }, z[1] };
    const struct corner sw = { { 0, 1 }, z[drawing->stride] };
    const struct corner se = { { 1, 1 }, z[drawing->stride + 1] };
    const double sum = nw.z + ne.z + sw.z + se.z;

    if (sum != sum) /* one of them lies beyond the landscape */
        return;
    triangle_draw(drawing, i, j, (const struct corner[]){ nw, ne, se });
    triangle_draw(drawing, i, j, (const struct corner[]){ nw, se, sw });
}

/* The least of 1, 2, 5, 10, … metres that is about a pixel: so lines on ground of one in four are
 * some four pixels apart. The same all over a zoom. */
static double interval_of(double pixel)
{
    const double least = 0.9 * pixel, decade = pow(10, floor(log10(least)));

    return least <= decade       ? decade
           : least <= 2 * decade ? 2 * decade
           : least <= 5 * decade ? 5 * decade
                                 : 10 * decade;
}

static double interval_by_zoom(const struct view *view, const struct tile *tile)
{
    double ground[2];

    if (view->settings->placed)
        return interval_of(2 * M_PI * 6378137 / ldexp(tile->side, tile->z));
    tile_ground(view, tile, 0, ground);
    return interval_of(fmin(ground[0], ground[1]));
}

static void ink_pixels(const struct drawing *drawing, uint8_t *rgba)
{
    const int64_t count = (int64_t)drawing->side * drawing->side;

    for (int64_t i = 0; i < count; i++, rgba += 4) {
        for (int c = 0; c < 3; c++)
            rgba[c] = ink[c];
        rgba[3] = (uint8_t)(drawing->cover[i] * 255 + 0.5f);
    }
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    struct drawing drawing = { .side = tile->side,
                               .stride = tile->side + 2 * MARGIN,
                               .base = look->base,
                               .interval = look->interval > 0 ? look->interval
                                                              : interval_by_zoom(view, tile) };
    const struct tile around = tile_around(tile, MARGIN);
    double *metres = malloc((size_t)drawing.stride * (size_t)drawing.stride * sizeof *metres);
    bool painted = false;

    drawing.cover = calloc((size_t)tile->side * (size_t)tile->side, sizeof *drawing.cover);
    if (!metres || !drawing.cover) {
        fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", tile->side);
        goto done;
    }
    drawing.metres = metres;
    if (!tile_heights(view, &around, look->fill, metres, why))
        goto done;
    settle(metres, (size_t)drawing.stride * (size_t)drawing.stride);
    for (int32_t j = -MARGIN; j < tile->side + MARGIN - 1; j++)
        for (int32_t i = -MARGIN; i < tile->side + MARGIN - 1; i++)
            quad_draw(&drawing, i, j);
    ink_pixels(&drawing, pixels);
    painted = true;

done:
    free(drawing.cover);
    free(metres);
    return painted;
}

const struct tile_set tile_set_contours = {
    .name = "contours",
    .samples = PNG_RGBA8,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "Contour lines, every fifth stronger, on a transparent ground",
    .paint = paint,
};

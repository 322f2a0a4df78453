/* Contours: a line where the ground has a height that is a multiple of the interval, as far as the
 * ground's own rise says how many pixels off that is. So lines are as wide on steep ground as on
 * gentle, and level ground has none. Where lines would run into each other the lesser ones fade. */
#include <math.h>

#include "render/flat_colours.h"
#include "render/flat_pixel.h"
#include "terrain/base/wide.h"

const struct contour_pen contour_pen = { .strong_every = 5,
                                         .ink = { 104, 62, 22 },
                                         .paper_share = 0.6213f,
                                         .half_width = 0.5f,
                                         .strong_half_width = 0.85f,
                                         .lesser = 0.6f,
                                         .crowded = 1.5f,
                                         .free_of_others = 3.5f };

static inline float within_one(float share)
{
    share = share > 0 ? share : 0;
    return share < 1 ? share : 1;
}

/* A family of lines. */
struct family {
    float often;     /* 1 / metres between them */
    float apart;     /* the same in pixels, on ground that rises a metre a pixel */
    float half, ink; /* pixels; share of it */
};

static struct family family_of(double interval, float half, float ink)
{
    return (struct family){ (float)(1 / interval), (float)interval, half, ink };
}

/* How much of a pixel it covers, at z, where the ground rises 1 / flat metres a pixel. */
static inline float cover(struct family lines, float z, float flat)
{
    /* Adding and taking away so much leaves a whole number. */
    const float whole = 12582912, clear = 1 / (contour_pen.free_of_others - contour_pen.crowded);
    const float from = z * lines.often, apart = lines.apart * flat;
    const float off = fabsf(from - ((from + whole) - whole)) * apart;

    return lines.ink * within_one(lines.half + 0.5f - off) *
           within_one((apart - contour_pen.crowded) * clear);
}

WIDE static void inks(const struct family families[2], const float *z, const float *east,
                      const float *south, float pixel, int32_t count, float *ink)
{
    const struct family lesser = families[0], strong = families[1];
    const float plain = 1e-3f * lesser.apart;

    for (int32_t i = 0; i < count; i++) {
        const float rise = sqrtf(east[i] * east[i] + south[i] * south[i]) * pixel;
        const float flat = 1 / (rise > plain ? rise : plain);
        const float thin = cover(lesser, z[i], flat), thick = cover(strong, z[i], flat);

        /* Lines more than a thousand pixels apart are no lines but plains. */
        ink[i] = rise > plain ? thick > thin ? thick : thin : 0;
    }
}

WIDE static void print(const float *ink, int32_t count, uint32_t *pixels)
{
    const float share = contour_pen.paper_share;

    for (int32_t i = 0; i < count; i++) {
        const float red = channel_of(pixels[i], RED), green = channel_of(pixels[i], GREEN);
        const float blue = channel_of(pixels[i], BLUE), line = ink[i];
        const float paper[3] = { red + (255 - red) * share, green + (255 - green) * share,
                                 blue + (255 - blue) * share };

        pixels[i] = pixel_of(paper[0] + (contour_pen.ink[0] - paper[0]) * line,
                             paper[1] + (contour_pen.ink[1] - paper[1]) * line,
                             paper[2] + (contour_pen.ink[2] - paper[2]) * line);
    }
}

void flat_contours(const struct flat_row *row, uint32_t *pixels)
{
    const struct family families[2] = {
        family_of(row->interval, contour_pen.half_width, contour_pen.lesser),
        family_of(row->interval * (double)contour_pen.strong_every, contour_pen.strong_half_width,
                  1),
    };

    flat_height(row, pixels);
    inks(families, row->fields[FLAT_Z], row->fields[FLAT_EAST], row->fields[FLAT_SOUTH],
         (float)row->pixel, row->count, row->values);
    print(row->values, row->count, pixels);
}

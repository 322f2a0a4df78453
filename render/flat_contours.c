/* Contours: a line where the ground has a height that is a multiple of the interval, as far as the
 * ground's own rise says how many pixels off that is. So lines are as wide on steep ground as on
 * gentle, and level ground has none. Where lines would run into each other the lesser ones fade. */
#include <math.h>

#include "render/flat_colours.h"

const struct contour_pen contour_pen = { .strong_every = 5,
                                         .ink = { 104, 62, 22 },
                                         .paper_share = 0.6213f,
                                         .half_width = 0.5f,
                                         .strong_half_width = 0.85f,
                                         .lesser = 0.6f,
                                         .crowded = 1.5f,
                                         .free_of_others = 3.5f };

/* How much of a pixel a family of lines `interval` metres apart covers, on ground that rises `rise`
 * metres a pixel. */
static float cover(float z, float interval, float rise, float half)
{
    float from = z / interval, apart = interval / rise; /* pixels from line to line */
    float off = fabsf(from - rintf(from)) * apart;
    float covered = half + 0.5f - off, clear = (apart - contour_pen.crowded) /
                                               (contour_pen.free_of_others - contour_pen.crowded);

    covered = covered < 0 ? 0 : covered > 1 ? 1 : covered;
    return covered * (clear < 0 ? 0 : clear > 1 ? 1 : clear);
}

void flat_contours(const struct flat_row *row, uint32_t *pixels)
{
    const struct contour_pen *pen = &contour_pen;
    const float interval = (float)row->interval;
    const float *z = row->fields[FLAT_Z];
    const float *east = row->fields[FLAT_EAST], *south = row->fields[FLAT_SOUTH];

    flat_height(row, pixels);
    for (int32_t i = 0; i < row->count; i++) {
        uint8_t *rgb = (uint8_t *)&pixels[i];
        float rise = sqrtf(east[i] * east[i] + south[i] * south[i]) * (float)row->pixel;
        float line = 0, strong = 0;

        /* Lines more than a thousand pixels apart are no lines but plains. */
        if (rise > 1e-3f * interval)
            line = pen->lesser * cover(z[i], interval, rise, pen->half_width);
        if (rise > 1e-3f * interval)
            strong = cover(z[i], interval * pen->strong_every, rise, pen->strong_half_width);
        line = strong > line ? strong : line;
        for (int c = 0; c < 3; c++) {
            float paper = rgb[c] + (255 - rgb[c]) * pen->paper_share;

            rgb[c] = (uint8_t)(int32_t)(paper + (pen->ink[c] - paper) * line + 0.5f);
        }
    }
}

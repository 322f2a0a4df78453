/* How much of the sky is seen, from how the ground curves.
 *
 * At each of several scales a sample is compared with eight places around it, a knight's move away,
 * two and two opposite: what stands above the middle of a pair's line is a wall of the hollow that
 * the sample lies in, whatever way the ground slopes, and hides the sky up to its angle e: the
 * light of a sky all alike is then 1 / (1 + tan(e)^2). The scale that hides most counts. */
#include <math.h>
#include <stdlib.h>

#include "render/samples.h"
#include "render/shade.h"
#include "terrain/base/wide.h"

enum {
    SCALES = 5,       /* of samples of 1, 2, … 16 of the level's */
    LEVEL_COARSE = 7, /* beyond it only the level itself is looked at */
    KNIGHT = 2,       /* samples around that a place is compared with */
    SIDE_MOST = TILE_SIDE + 4
};

struct sky {
    uint16_t codes[SIDE_MOST * SIDE_MOST];
    float heights[SIDE_MOST * SIDE_MOST];
    float hidden[SCALES][SIDE_MOST * SIDE_MOST]; /* by the scale or a coarser one, at its samples */
    float row[SIDE_MOST];
};

/* Most ground is so gentle that its true share of the sky would not be noticed. */
static const float deepened = 3;
static const float nothing = -1e9f; /* codes: beyond the landscape no wall stands */

/* The samples of the next scale between which those of a span lie: sample i at (i - 1 / 2) / 2. */
static void coarsen(int32_t *first, int32_t *count)
{
    int32_t last = ((*first + *count - 2) >> 1) + 1;

    *first = (*first - 1) >> 1;
    *count = last - *first + 1;
}

static struct rect coarser(struct rect samples)
{
    coarsen(&samples.x, &samples.width);
    coarsen(&samples.y, &samples.height);
    return samples;
}

/* tan(e)^2, the mean of the four pairs. `long_way` and `wide_way`: 1 / metres of a knight's move
 * that goes two samples along rows, and along columns. */
WIDE static void hide_row(const float *restrict at, int32_t stride, float long_way, float wide_way,
                          int32_t count, float *restrict hidden)
{
    for (int32_t i = 0; i < count; i++) {
        const float *here = at + i;
        float twice = 2 * here[0];
        float a = (here[2 + stride] + here[-2 - stride] - twice) * long_way;
        float b = (here[2 - stride] + here[-2 + stride] - twice) * long_way;
        float c = (here[1 + 2 * stride] + here[-1 - 2 * stride] - twice) * wide_way;
        float d = (here[1 - 2 * stride] + here[-1 + 2 * stride] - twice) * wide_way;

        a = a > 0 ? a : 0;
        b = b > 0 ? b : 0;
        c = c > 0 ? c : 0;
        d = d > 0 ? d : 0;
        hidden[i] = (a * a + b * b + (c * c + d * d)) * (0.25f * deepened);
    }
}

static bool rect_equal(struct rect a, struct rect b)
{
    return rect_inside(a, b) && rect_inside(b, a);
}

WIDE static void take_values(const uint16_t *restrict codes, int32_t count, float *restrict heights)
{
    for (int32_t i = 0; i < count; i++)
        heights[i] = codes[i];
}

/* Heights of a rectangle, as far as there are any. */
static bool take_heights(const struct view *view, int32_t level, struct rect samples,
                         struct rect there, struct sky *sky)
{
    struct rect inside = rect_meet(samples, there);

    if (!rect_equal(inside, samples))
        for (int32_t i = 0; i < samples.width * samples.height; i++)
            sky->heights[i] = nothing;
    if (!samples_heights(view, level, inside, sky->codes, inside.width))
        return false;
    for (int32_t y = 0; y < inside.height; y++)
        take_values(sky->codes + y * inside.width, inside.width,
                    sky->heights + (inside.y - samples.y + y) * samples.width + inside.x -
                        samples.x);
    return true;
}

/* Samples that there are not are as the nearest one is. */
static void repeat_border(struct rect samples, struct rect there, float *hidden)
{
    struct rect inside = rect_meet(samples, there);

    if (rect_equal(inside, samples))
        return;
    for (int32_t y = 0; y < samples.height; y++)
        for (int32_t x = 0; x < samples.width; x++) {
            int32_t from_x = shade_nearest(inside.x, inside.width, samples.x + x) - samples.x;
            int32_t from_y = shade_nearest(inside.y, inside.height, samples.y + y) - samples.y;

            hidden[y * samples.width + x] =
                rect_empty(inside) ? 0 : hidden[from_y * samples.width + from_x];
        }
}

/* The scale's own samples of a rectangle. */
static bool hide(const struct view *view, int32_t level, struct rect samples, struct sky *sky,
                 float *hidden)
{
    const struct grid *grid = view_grid(view);
    struct rect around = { samples.x - KNIGHT, samples.y - KNIGHT, samples.width + 2 * KNIGHT,
                           samples.height + 2 * KNIGHT };
    double east = grid->scale[0] * (1 << level), south = grid->scale[1] * (1 << level);
    /* half of it, as a pair's middle is half of its sum */
    double code = grid->scale[2] / 128 / 2;
    float long_way = (float)(code / sqrt(4 * east * east + south * south));
    float wide_way = (float)(code / sqrt(east * east + 4 * south * south));
    struct rect there = shade_samples(view, level);

    if (!take_heights(view, level, around, there, sky))
        return false;
    for (int32_t row = 0; row < samples.height; row++)
        hide_row(sky->heights + (row + KNIGHT) * around.width + KNIGHT, around.width, long_way,
                 wide_way, samples.width, hidden + row * samples.width);
    repeat_border(samples, there, hidden);
    return true;
}

WIDE static void mix_rows(const float *restrict a, const float *restrict b, float part,
                          int32_t count, float *restrict mixed)
{
    for (int32_t i = 0; i < count; i++)
        mixed[i] = a[i] + (b[i] - a[i]) * part;
}

/* Between every two of a coarse row stand two of a fine one, a quarter from each; `first` is 1 when
 * the fine row begins with the second of them. */
WIDE static void raise_row(const float *restrict coarse, int32_t first, int32_t count,
                           float *restrict hidden)
{
    if (first && count-- > 0) {
        float raised = coarse[0] + (coarse[1] - coarse[0]) * 0.75f;

        *hidden = *hidden > raised ? *hidden : raised;
        hidden++;
        coarse++;
    }
    for (int32_t i = 0; i < count / 2; i++) {
        float near = coarse[i] + (coarse[i + 1] - coarse[i]) * 0.25f;
        float far = coarse[i] + (coarse[i + 1] - coarse[i]) * 0.75f;

        hidden[2 * i] = hidden[2 * i] > near ? hidden[2 * i] : near;
        hidden[2 * i + 1] = hidden[2 * i + 1] > far ? hidden[2 * i + 1] : far;
    }
    if (count % 2) {
        float last = coarse[count / 2] + (coarse[count / 2 + 1] - coarse[count / 2]) * 0.25f;

        hidden[count - 1] = hidden[count - 1] > last ? hidden[count - 1] : last;
    }
}

/* What a coarser scale hides counts where it is more. */
static void raise(struct sky *sky, const float *from, struct rect coarse, struct rect fine,
                  float *hidden)
{
    for (int32_t y = 0; y < fine.height; y++) {
        int32_t above = ((fine.y + y - 1) >> 1) - coarse.y;
        const float *at = from + above * coarse.width;

        mix_rows(at, at + coarse.width, (fine.y + y) & 1 ? 0.25f : 0.75f, coarse.width, sky->row);
        raise_row(sky->row, (fine.x & 1) == 0, fine.width, hidden + y * fine.width);
    }
}

WIDE static void see_row(const float *restrict most, int32_t count, uint8_t *restrict shares)
{
    for (int32_t i = 0; i < count; i++)
        shares[2 * i] = (uint8_t)(255 / (1 + most[i]) + 0.5f);
}

/* Of a part of a tile's samples. */
static bool make_part(const struct view *view, int32_t level, struct rect tile, struct rect part,
                      uint8_t *shares)
{
    struct rect samples[SCALES] = { part };
    struct sky *sky = malloc(sizeof *sky);
    bool made = sky;
    int scales = 1;

    while (scales < SCALES && level + scales <= LEVEL_COARSE) {
        samples[scales] = coarser(samples[scales - 1]);
        scales++;
    }
    for (int scale = scales - 1; made && scale >= 0; scale--) {
        made = hide(view, level + scale, samples[scale], sky, sky->hidden[scale]);
        if (made && scale < scales - 1)
            raise(sky, sky->hidden[scale + 1], samples[scale + 1], samples[scale],
                  sky->hidden[scale]);
    }
    for (int32_t row = 0; made && row < part.height; row++)
        see_row(sky->hidden[0] + row * part.width, part.width,
                shares + 2 * ((part.y - tile.y + row) * TILE_SIDE + part.x - tile.x));
    free(sky);
    return made;
}

bool shade_sky_make(const struct view *view, int32_t level, int32_t x, int32_t y, uint8_t *shares)
{
    return make_part(view, level, tile_samples(x, y), tile_samples(x, y), shares);
}

/* Vertices to each side that a sample looks at, at most: it lies between two of the coarsest scale
 * that are no further than two of its samples away, and each of them looks a knight's move on. */
static int32_t reach_of(int32_t level)
{
    int coarse = level + SCALES - 1 < LEVEL_COARSE ? level + SCALES - 1 : LEVEL_COARSE;

    return (KNIGHT + 2) << (coarse > level ? coarse : level);
}

static struct rect looked_at(int32_t level, struct rect samples)
{
    int32_t around = reach_of(level);
    struct rect over = samples_reach(level, samples);

    return (struct rect){ over.x - around, over.y - around, over.width + 2 * around,
                          over.height + 2 * around };
}

uint64_t shade_sky_newest(const struct view *view, int32_t level, struct rect samples)
{
    return tree_newest(&view->planes[PLANE_HEIGHTS],
                       rect_meet(looked_at(level, samples), view_rect(view)));
}

bool shade_sky_touched(int32_t level, struct rect samples, const struct view_change *change)
{
    return !rect_empty(rect_meet(looked_at(level, samples), change->over));
}

/* The samples that look at any vertex of a rectangle. */
static struct rect looks_from(int32_t level, struct rect over)
{
    int32_t around = reach_of(level);
    int32_t left = (over.x - around) >> level, top = (over.y - around) >> level;

    return (struct rect){ left, top, ((over.x + over.width + around) >> level) + 1 - left,
                          ((over.y + over.height + around) >> level) + 1 - top };
}

bool shade_sky_mend(const struct view *view, int32_t level, int32_t x, int32_t y,
                    const struct view_change *changes, int count, uint8_t *shares)
{
    struct rect tile = tile_samples(x, y), part = { 0 };

    for (int i = 0; i < count; i++)
        if (!rect_empty(changes[i].over))
            part = rect_join(part, looks_from(level, changes[i].over));
    part = rect_meet(part, tile);
    return rect_empty(part) || make_part(view, level, tile, part, shares);
}

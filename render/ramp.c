#include "render/ramp.h"

#include <math.h>
#include <stddef.h>

#define RAMP(name, measure, lightness, summary, ...)                                               \
    static const struct ramp_stop stops_##name[] = { __VA_ARGS__ };
#include "render/ramps.def"
#undef RAMP

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
const struct ramp ramps[RAMPS] = {
#define RAMP(name, measure, lightness, summary, ...)                                               \
    { #name, summary, measure, lightness, stops_##name, COUNT(stops_##name) },
#include "render/ramps.def"
#undef RAMP
};

const char *const ramp_choices[] = { "auto",
#define RAMP(name, measure, lightness, summary, ...) #name,
#include "render/ramps.def"
#undef RAMP
                                     NULL };

const char *const ramp_names[] = {
#define RAMP(name, measure, lightness, summary, ...) #name,
#include "render/ramps.def"
#undef RAMP
    NULL
};

/* Each side of a break is so large a share of the other at least, also where no value lies. */
static const double least_side = 0.05;

/* What level ground is given on both sides, metres or whatever the values are. */
static const double level_side = 0.5;

struct ramp_span ramp_span_of(const struct ramp *ramp, double low, double high)
{
    double middle = 0;

    if (ramp->measure == RAMP_SIGNED) {
        high = fmax(fabs(low), fabs(high));
        low = -high;
    } else if (ramp->measure == RAMP_METRES) {
        double below = fmax(-low, 0), above = fmax(high, 0);

        low = -fmax(below, least_side * above);
        high = fmax(above, least_side * below);
    } else {
        middle = low + (high - low) / 2;
    }
    if (!(low < middle && middle < high)) {
        low = middle - level_side;
        high = middle + level_side;
    }
    return (struct ramp_span){ low, middle, high };
}

static int channel(uint32_t rgb, int c)
{
    return rgb >> (16 - 8 * c) & 255;
}

/* Of two stops at one place the second counts. */
static void colour_at(const struct ramp *ramp, double at, uint8_t rgb[3])
{
    const struct ramp_stop *stop = ramp->stops;
    double share;
    int i = 1;

    while (i < ramp->count - 1 && at >= stop[i].at)
        i++;
    share = (at - stop[i - 1].at) / (stop[i].at - stop[i - 1].at);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int c = 0; c < 3; c++) {
        int from = channel(stop[i - 1].rgb, c), to = channel(stop[i].rgb, c);

        rgb[c] = (uint8_t)(from + share * (to - from) + 0.5);
    }
}

/* Where a texel lies along the stops. */
static double place_of(const struct ramp *ramp, const struct ramp_span *span, int texel)
{
    double share = (double)texel / (RAMP_TEXELS - 1);

    if (ramp->measure != RAMP_METRES)
        return share;
    return share < 0.5 ? span->low + 2 * share * (span->middle - span->low)
                       : span->middle + (2 * share - 1) * (span->high - span->middle);
}

void ramp_table(const struct ramp *ramp, const struct ramp_span *span,
                uint8_t texels[RAMP_TEXELS][4])
{
    for (int i = 0; i < RAMP_TEXELS; i++) {
        colour_at(ramp, place_of(ramp, span, i), texels[i]);
        texels[i][3] = 255;
    }
}

void ramp_colour(const struct ramp *ramp, const struct ramp_span *span, double value,
                 uint8_t rgb[3])
{
    colour_at(ramp, place_of(ramp, span, ramp_texel(span, value)), rgb);
}

#include "terrain/lod/curve.h"

#include <math.h>

#include "terrain/lod/pick.h"

/* Nearer than a metre nothing gets larger. */
static const double nearest = 1;

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

void curve_make(struct curve *curve, double lod0_screen_size, double lod0_distribution,
                double lod_distribution, int32_t last)
{
    double first = lod0_screen_size / at_least(lod0_distribution, 1.01);
    double ratio = at_least(lod_distribution, 1.01);

    *curve = (struct curve){ .last = last, .step = log(ratio * ratio), .forced = -1 };
    curve->thresholds[0] = lod0_screen_size * lod0_screen_size;
    curve->thresholds[1] = first * first;
    for (int32_t lod = 2; lod < LAYOUT_LODS_MOST; lod++)
        curve->thresholds[lod] = curve->thresholds[lod - 1] / (ratio * ratio);
}

void curve_of(struct curve *curve, const struct settings *settings,
              const struct component_options *options)
{
    curve_make(
        curve,
        options->lod0_screen_size > 0 ? options->lod0_screen_size : settings->lod0_screen_size,
        options->lod0_distribution > 0 ? options->lod0_distribution : settings->lod0_distribution,
        options->lod_distribution > 0 ? options->lod_distribution : settings->lod_distribution,
        layout_lods(settings->layout.section_quads) - 1);
    curve->bias = options->bias;
    curve->forced = options->forced;
}

static double within(double lod, int32_t last)
{
    return lod > 0 ? lod < last ? lod : last : 0;
}

static double by_size(const struct curve *curve, double radius)
{
    const double *t = curve->thresholds;

    if (radius <= t[curve->last])
        return curve->last;
    if (radius > t[1])
        return (t[0] - (radius < t[0] ? radius : t[0])) / (t[0] - t[1]);
    return within(1 + log(t[1] / radius) / curve->step, curve->last);
}

double curve_lod(const struct curve *curve, double squared_radius)
{
    if (curve->forced >= 0)
        return within(curve->forced, curve->last);
    return within(by_size(curve, squared_radius) + curve->bias, curve->last);
}

double curve_radius(const struct look *look, const double low[3], const double high[3])
{
    double wide = 0.5 / look->half[0], tall = 0.5 / look->half[1];
    double multiple = wide > tall ? wide : tall, diagonal = 0, distance = 0;

    for (int i = 0; i < 3; i++) {
        double side = (high[i] - low[i]) / 2, away = (high[i] + low[i]) / 2 - look->eye[i];

        diagonal += side * side;
        distance += away * away;
    }
    if (look->ortho)
        return multiple * multiple * diagonal;
    return multiple * multiple * diagonal / at_least(distance, nearest);
}

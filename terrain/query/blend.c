#include "terrain/query/blend.h"

#include <math.h>

#include "terrain/base/hash.h"

#define NODE_LEAST   0.0001
#define VERTICES_FAR 1e9

static void share(double *shares, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += shares[i];
    for (int i = 0; i < count; i++)
        shares[i] = sum > 0 ? shares[i] / sum : 0;
}

void blend_weights(const double *weights, int count, double *shares)
{
    for (int i = 0; i < count; i++)
        shares[i] = weights[i];
    share(shares, count);
}

void blend_heights(const double *weights, const double *heights, double depth, int count,
                   double *shares)
{
    double highest = -HUGE_VAL;

    for (int i = 0; i < count; i++)
        if (weights[i] > 0)
            highest = fmax(highest, weights[i] + heights[i]);
    for (int i = 0; i < count; i++)
        shares[i] = weights[i] > 0 ? fmax(weights[i] + heights[i] - (highest - depth), 0) : 0;
    share(shares, count);
}

void blend_node(const double *weights, const double *heights, const bool *uses_height, int count,
                double *shares)
{
    for (int i = 0; i < count; i++)
        shares[i] = uses_height[i] ? fmin(fmax(2 * weights[i] - 1 + heights[i], NODE_LEAST), 1)
                                   : weights[i];
    share(shares, count);
}

struct blend_plan blend_plan(const uint8_t *weights, int count)
{
    struct blend_plan plan = { .layer = -1 };

    for (int i = 0; i < count; i++)
        if (weights[i] > 0) {
            plan.samples++;
            plan.layer = i;
        }
    plan.exclusive = plan.samples == 1;
    if (plan.exclusive)
        plan.samples = 3;
    else
        plan.layer = -1;
    return plan;
}

static double shift(const int32_t vertex[2], uint32_t seed)
{
    return hash32((uint32_t)vertex[0], (uint32_t)vertex[1], seed) / 4294967296.0;
}

/* Which vertices of the lattice, and how near each is. */
static void find_triangle(double u, double v, struct blend_sample samples[3])
{
    const double scale = 2 * sqrt(3), slant = 1 / sqrt(3);
    double x = fmin(fmax(scale * (u - v * slant), -VERTICES_FAR), VERTICES_FAR);
    double y = fmin(fmax(scale * v * 2 * slant, -VERTICES_FAR), VERTICES_FAR);
    int32_t column = (int32_t)floor(x), row = (int32_t)floor(y);
    double across = x - floor(x), down = y - floor(y), rest = 1 - across - down;

    if (rest > 0) {
        samples[0] = (struct blend_sample){ .vertex = { column, row }, .weight = rest };
        samples[1] = (struct blend_sample){ .vertex = { column, row + 1 }, .weight = down };
        samples[2] = (struct blend_sample){ .vertex = { column + 1, row }, .weight = across };
    } else {
        samples[0] = (struct blend_sample){ .vertex = { column + 1, row + 1 }, .weight = -rest };
        samples[1] = (struct blend_sample){ .vertex = { column + 1, row }, .weight = 1 - down };
        samples[2] = (struct blend_sample){ .vertex = { column, row + 1 }, .weight = 1 - across };
    }
}

void blend_by_example(double u, double v, uint32_t seed, double exponent,
                      struct blend_sample samples[3])
{
    double nearest, sum = 0;

    find_triangle(u, v, samples);
    nearest = fmax(fmax(samples[0].weight, samples[1].weight), samples[2].weight);
    for (int i = 0; i < 3; i++) {
        samples[i].at[0] = u + shift(samples[i].vertex, 2 * seed);
        samples[i].at[1] = v + shift(samples[i].vertex, 2 * seed + 1);
        samples[i].weight = pow(samples[i].weight / nearest, exponent);
        sum += samples[i].weight;
    }
    for (int i = 0; i < 3; i++)
        samples[i].weight /= sum;
}

double blend_samples(const struct blend_sample samples[3], const double values[3],
                     const double *mean)
{
    double sum = 0, squares = 0;

    for (int i = 0; i < 3; i++) {
        sum += samples[i].weight * values[i];
        squares += samples[i].weight * samples[i].weight;
    }
    return mean ? (sum - *mean) / sqrt(squares) + *mean : sum;
}

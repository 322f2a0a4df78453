/* How the materials of paint layers come together where several have weight.
 *
 * What pictures do in shaders/blend.glsl, in double arithmetic. Shares are 0 or more and add up to
 * 1, or are all 0 where nothing has weight. Weights count as 0 to 1 where heights are added to
 * them; `count` may be 0. Any thread.
 */
#ifndef TERRAIN_QUERY_BLEND_H
#define TERRAIN_QUERY_BLEND_H

#include <stdbool.h>
#include <stdint.h>

/* Each its part of the sum of weights, which may be of any scale. */
void blend_weights(const double *weights, int count, double *shares);

/* Higher material stands above lower: what reaches less than `depth` (above 0) below the highest
 * sum of weight and height has its part of the depth. Without weight, no part. */
void blend_heights(const double *weights, const double *heights, double depth, int count,
                   double *shares);

/* The rule of a node of layers: those that use their height count 2 * weight - 1 + height, kept
 * between 0.0001 and 1, the others their weight. A layer that uses its height is never quite out.
 */
void blend_node(const double *weights, const double *heights, const bool *uses_height, int count,
                double *shares);

/* What a texel of weights asks for: one layer alone is looked up three times against repetition
 * (exclusive), several once each. */
struct blend_plan {
    bool exclusive;
    int layer; /* the one, when exclusive; else -1 */
    int samples;
};
struct blend_plan blend_plan(const uint8_t *weights, int count);

/* Against repetition: the texture is cut into hexagons on a lattice of triangles, each shifted to
 * another place of it, and laid over each other. One of the three at a place: */
struct blend_sample {
    int32_t vertex[2];
    double at[2]; /* where to look it up */
    double weight;
};

/* The three that meet at (u, v) and add up to 1. A larger exponent makes narrower seams. Source of
 * the lattice: E. Heitz, F. Neyret, High-Performance By-Example Noise using a Histogram-Preserving
 * Blending Operator, 2018. Places are kept within what 32-bit vertices number. */
void blend_by_example(double u, double v, uint32_t seed, double exponent,
                      struct blend_sample samples[3]);

/* The sum of three looked-up values; with the texture's mean, as rich in contrast as the texture
 * (mean NULL: the plain sum, which is flatter). */
double blend_samples(const struct blend_sample samples[3], const double values[3],
                     const double *mean);

#endif

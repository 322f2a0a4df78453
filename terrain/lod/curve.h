/* From how large a component shows to its level of detail; reference, part 5.1.
 *
 * The size is the squared screen radius: half the diagonal of the component's box over the distance
 * to its middle, in units of the picture, squared. Level 0 ends at the LOD0 screen size over the
 * LOD0 distribution, and each level after it spans the same ratio, the distribution. Levels are
 * continuous; the index buffer is that of the whole part. Any thread.
 */
#ifndef TERRAIN_LOD_CURVE_H
#define TERRAIN_LOD_CURVE_H

#include <stdint.h>

#include "terrain/core/settings.h"
#include "terrain/lod/camera.h"

/* A part of pick_options, see pick.h. */
struct component_options;

struct curve {
    int32_t last;                        /* level */
    double thresholds[LAYOUT_LODS_MOST]; /* of the squared screen radius, by level */
    double step;                         /* logarithm of the ratio between two of them */
    double bias;                         /* levels added */
    int32_t forced;                      /* the level of all, or -1 */
};

/* Neither biased nor forced. Distributions below 1.01 count as that. */
void curve_make(struct curve *curve, double lod0_screen_size, double lod0_distribution,
                double lod_distribution, int32_t last);

/* A landscape's own, but for what the options say. */
void curve_of(struct curve *curve, const struct settings *settings,
              const struct component_options *options);

/* The continuous level, 0 to last. */
double curve_lod(const struct curve *curve, double squared_radius);

/* The squared screen radius of a box, in local metres. */
double curve_radius(const struct look *look, const double low[3], const double high[3]);

#endif

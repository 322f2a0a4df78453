/* What the makers of globe tiles share. */
#ifndef TERRAIN_FORMAT_GLOBE_GROUND_H
#define TERRAIN_FORMAT_GLOBE_GROUND_H

#include "terrain/format/globe.h"
#include "terrain/format/tile.h"

/* The tile as one of samples, with a margin. */
struct tile globe_samples(const struct globe_tile *tile, int32_t side, int32_t margin);

/* Metres above the ellipsoid of a tile's samples; those of a root that the landscape is not on are
 * all fill. Fails as tile_heights does. */
bool globe_heights(const struct view *view, const struct tile *tile, const struct globe_look *look,
                   double *z, struct fault *why);

/* The fill, above the ellipsoid: raised as the middle of the landscape is. */
double globe_fill(const struct view *view, const struct globe_look *look);

/* How far, at most, the landscape's surface lies above or below that between the samples (flat on
 * both sides of each square's diagonal from north-west to south-east). `z` are those of
 * globe_heights without a margin. Fails with MEMORY. */
bool globe_sample_error(const struct view *view, const struct tile *tile,
                        const struct globe_look *look, const double *z, double *metres,
                        struct fault *why);

/* 256 x 256 bytes, 255 where there is water; *bytes is 1 when all are the same. */
bool globe_water(const struct view *view, const struct globe_tile *tile,
                 const struct globe_look *look, uint8_t *water, size_t *bytes, struct fault *why);

#endif

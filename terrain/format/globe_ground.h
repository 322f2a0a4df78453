/* What the makers of globe tiles share. */
#ifndef TERRAIN_FORMAT_GLOBE_GROUND_H
#define TERRAIN_FORMAT_GLOBE_GROUND_H

#include "terrain/format/globe.h"
#include "terrain/format/tile.h"
#include "terrain/lod/mesh.h"

enum {
    GLOBE_ACROSS = GLOBE_SIDE + 1,
    GLOBE_MARGIN = 1, /* samples that normals need */
    GLOBE_WIDE = GLOBE_ACROSS + 2 * GLOBE_MARGIN
};

/* The tile as one of samples, with a margin. */
struct tile globe_samples(const struct globe_tile *tile, int32_t side, int32_t margin);

/* Metres above the ellipsoid of a tile's samples; those of a root that the landscape is not on are
 * all fill. Fails as tile_heights does. */
bool globe_heights(const struct view *view, const struct tile *tile, const struct globe_look *look,
                   double *z, struct fault *why);

/* Least and greatest that the datum adds. */
void globe_raise(const struct datum *datum, double *least, double *greatest);

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

/* Appends the tile's mesh (sample positions, metres), which gets its skirts, and says its *error.
 * `z` are its samples with the margin. Fails with MEMORY. */
bool globe_write(const struct view *view, const struct globe_tile *tile,
                 const struct globe_look *look, const double *z, double sample_error,
                 struct mesh *mesh, struct bytes *to, double *error, struct fault *why);

#endif

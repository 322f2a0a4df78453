/* Heights above the ellipsoid, as globes want them, from what a landscape calls a height.
 *
 * Maps show heights as they are (above a sea level, mostly); Earth-fixed outputs are raised by an
 * offset, and by a geoid: a grid of undulations over the landscape, its first sample on the
 * north-west vertex and its last on the south-east one, linear between. Beyond the landscape its
 * border goes on. Any thread.
 */
#ifndef TERRAIN_FORMAT_DATUM_H
#define TERRAIN_FORMAT_DATUM_H

#include <stdint.h>

#include "terrain/core/settings.h"

struct datum {
    double offset;         /* metres, everywhere */
    const uint16_t *geoid; /* width x height samples, row by row; NULL for none. Lent */
    int32_t width, height; /* at least 1 */
    double metres[2];      /* what 0 and 65535 stand for */
    uint64_t key;          /* names all of this; 0 when nothing is raised at all */
};

/* As the settings say, `further` metres higher still. `geoid` are the samples of the raster that
 * they name, and `revision` names its content; NULL when they name none, or for the key alone. */
struct datum datum_of(const struct settings *settings, double further, const uint16_t *geoid,
                      int32_t width, int32_t height, uint64_t revision);

/* Metres to be added at a grid position. */
double datum_raise(const struct datum *datum, const struct grid *grid, double column, double row);

#endif

/* Between coordinate reference systems and a landscape's grid, through PROJ.
 *
 * A georef belongs to the settings that it was made from and may be used from any thread;
 * PROJ's objects are kept a thread.
 */
#ifndef TERRAIN_FORMAT_GEOREF_H
#define TERRAIN_FORMAT_GEOREF_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/fault.h"
#include "terrain/core/settings.h"

/* Whether PROJ knows the CRS and it has two axes on the ground. Fails with IMPOSSIBLE. */
bool georef_check(const char *crs, struct fault *why);

/* Metres of a grid step east and south at the middle of bounds (west, south, east, north): CRS
 * units in metres for projected ones; on the WGS84 ellipsoid for EPSG:4326 and EPSG:3857. */
bool georef_scale(const char *crs, const double bounds[4], int32_t columns, int32_t rows,
                  double scale[2], struct fault *why);

/* Exact, point by point: count pairs in place from EPSG:4326 longitude and latitude (or EPSG:3857
 * metres) to grid coordinates and back. A point that has no image becomes NaN. Fails with IMPOSSIBLE for
 * a landscape without CRS. */
enum georef_frame { GEOREF_LONLAT, GEOREF_MERCATOR };
bool georef_to_grid(const struct settings *settings, enum georef_frame from, double *points,
                    size_t count, struct fault *why);
bool georef_from_grid(const struct settings *settings, enum georef_frame to, double *points,
                      size_t count, struct fault *why);

/* West, south, east, north in degrees around all of the landscape's border. */
bool georef_lonlat_bounds(const struct settings *settings, double bounds[4], struct fault *why);

#endif

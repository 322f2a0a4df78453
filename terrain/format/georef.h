/* Between coordinate reference systems and a landscape's grid, through PROJ.
 *
 * Coordinates are always x (east, longitude) before y (north, latitude), whatever the axis order
 * of the CRS. PROJ's objects are kept a thread and a CRS, and freed when the thread ends; PROJ's
 * database is enough, grids and network are never asked for. Any thread.
 */
#ifndef TERRAIN_FORMAT_GEOREF_H
#define TERRAIN_FORMAT_GEOREF_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/fault.h"
#include "terrain/core/settings.h"

/* Whether PROJ knows the CRS and it has two axes on the ground (of a compound CRS its horizontal
 * part counts). Fails with INPUT for a text that is not "EPSG:n", and with IMPOSSIBLE. */
bool georef_check(const char *crs, struct fault *why);

/* Metres of a grid step east and south at the middle of bounds (west, south, east, north): CRS
 * units in metres for projected ones; on the CRS's ellipsoid for geographic ones, on that of WGS84
 * for EPSG:3857. Fails as georef_check does, and with IMPOSSIBLE for bounds without an area or, in
 * a geographic CRS, beyond the poles. */
bool georef_scale(const char *crs, const double bounds[4], int32_t columns, int32_t rows,
                  double scale[2], struct fault *why);

/* Exact, point by point: count pairs in place from EPSG:4326 longitude and latitude (or EPSG:3857
 * metres) to grid coordinates and back. A longitude counts as the one, of those a turn apart, that
 * lies nearest to the landscape's middle; back from the grid, it goes on beyond 180 degrees when
 * the landscape does. A point that has no image becomes NaN. Fails with IMPOSSIBLE for a landscape
 * without CRS. */
enum georef_frame { GEOREF_LONLAT, GEOREF_MERCATOR };
bool georef_to_grid(const struct settings *settings, enum georef_frame from, double *points,
                    size_t count, struct fault *why);
bool georef_from_grid(const struct settings *settings, enum georef_frame to, double *points,
                      size_t count, struct fault *why);

/* After how many columns the same place comes again: where x is a longitude; otherwise 0. */
double georef_turn(const struct settings *settings);

/* West, south, east, north in degrees around all of the landscape. West lies in [-180, 180);
 * east goes beyond 180 when the landscape crosses that meridian, and the whole turn is covered when
 * a pole lies inside. */
bool georef_lonlat_bounds(const struct settings *settings, double bounds[4], struct fault *why);

/* Mercator metres, or degrees, of a grid step (the smaller of east and south) at the landscape's
 * middle. */
bool georef_step(const struct settings *settings, enum georef_frame frame, double *step,
                 struct fault *why);

#endif

/* The Earth as WGS84 has it: Earth-fixed metres (EPSG:4978) of places and of meshes. Any thread. */
#ifndef TERRAIN_FORMAT_EARTH_H
#define TERRAIN_FORMAT_EARTH_H

#include <stdbool.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/format/datum.h"
#include "terrain/lod/mesh.h"

/* Degrees, and metres above the ellipsoid. */
void earth_fixed(double longitude, double latitude, double height, double fixed[3]);

/* Every vertex of a mesh over a landscape with a CRS, heights raised as the datum says; unit
 * normals too unless NULL (the mesh then has them): of the surface as it lies on Earth, turned and
 * stretched as the CRS is there. Fails as georef_from_grid does, and with IMPOSSIBLE for a vertex
 * that has no place on Earth. */
bool earth_of_mesh(const struct view *view, const struct mesh *mesh, const struct datum *datum,
                   double (*places)[3], float (*normals)[3], struct fault *why);

#endif

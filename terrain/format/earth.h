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

/* The same for many places on few meridians and parallels: what each has to say, and a place where
 * two of them cross. */
void earth_meridian(double longitude, double meridian[2]);
void earth_parallel(double latitude, double parallel[4]);
static inline void earth_at(const double meridian[2], const double parallel[4], double height,
                            double fixed[3])
{
    fixed[0] = (parallel[2] + height) * parallel[0] * meridian[0];
    fixed[1] = (parallel[2] + height) * parallel[0] * meridian[1];
    fixed[2] = (parallel[3] + height) * parallel[1];
}

/* Metres that a flat triangle between places at one height lies off what is at that height all
 * between them, given its longest side: an eighth of its square over the least radius of curvature,
 * and as much again, as the lines of a CRS bend sideways and the ground there slopes. */
double earth_sag(double length);

/* That of a mesh's longest side, curtains aside. */
double earth_sag_of_mesh(const struct view *view, const struct mesh *mesh);

/* Every vertex of a mesh over a landscape with a CRS, heights raised as the datum says; unit
 * normals too unless NULL (the mesh then has them): of the surface as it lies on Earth, turned and
 * stretched as the CRS is there. Fails as georef_from_grid does, and with IMPOSSIBLE for a vertex
 * that has no place on Earth. */
bool earth_of_mesh(const struct view *view, const struct mesh *mesh, const struct datum *datum,
                   double (*places)[3], float (*normals)[3], struct fault *why);

#endif

/* How far a mesh lies off the surface that it stands for, exactly. Any thread. */
#ifndef TERRAIN_LOD_MESH_MEASURE_H
#define TERRAIN_LOD_MESH_MEASURE_H

#include <stddef.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/lod/mesh.h"

/* The greatest distance, metres, by which the surface lies above or below the mesh's triangles from
 * index `first` on; of those that stand upright only the edges count. Both are flat between the
 * corners of all pieces that their edges cut each other into, so these corners are all that is
 * looked at. Costs a pass over the vertices below. Fails with MEMORY. */
bool mesh_measure(const struct view *view, const struct mesh *mesh, size_t first, double *metres,
                  struct fault *why);

#endif

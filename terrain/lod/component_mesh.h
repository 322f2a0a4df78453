/* The mesh of a component as a component renderer draws it. Any thread. */
#ifndef TERRAIN_LOD_COMPONENT_MESH_H
#define TERRAIN_LOD_COMPONENT_MESH_H

#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/lod/mesh.h"
#include "terrain/lod/pick.h"

/* Appends component (cx, cy), which there is, at a level that its sections have, without morph:
 * the vertices of that level's heights, with XY offsets where the landscape has any, and normals
 * if the mesh is to have them. A quad of the level is left out as a hole by the rule; at level 0 it
 * is a quad of the landscape. Vertices on the borders of sections and components are equal to
 * the bit at equal levels. Says nothing of a bound. Fails with MEMORY. */
bool component_mesh(const struct view *view, int32_t cx, int32_t cy, int32_t lod,
                    enum hole_rule holes, struct mesh *mesh, struct fault *why);

#endif

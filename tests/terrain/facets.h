/* How far a mesh lies from a landscape's surface, measured without any of the core's ways to bound
 * it: every triangle is cut by every triangle of the surface, and looked at where the pieces have
 * corners, which is where two planes differ most. And whether a mesh covers what it should. */
#ifndef TESTS_TERRAIN_FACETS_H
#define TESTS_TERRAIN_FACETS_H

#include "terrain/core/view.h"
#include "terrain/lod/mesh.h"

/* Codes; holes do not count. Triangles from index `first` on. */
double facets_farthest(const struct view *view, const struct mesh *mesh, size_t first);

/* Fails the test unless triangles turn as meshes do and have an area. Their area together. */
double facets_area(const struct mesh *mesh, size_t first);

#endif

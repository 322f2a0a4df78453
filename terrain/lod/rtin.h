/* Meshes of right triangles that keep within a stated distance of the surface.
 *
 * A patch is a square of quads, a power of two a side, halved again and again along the longest
 * side of its triangles (Evans, Kirkpatrick, Townsend, "Right-triangulated irregular networks",
 * 2001). Of each vertex an error map says how far, at most, the surface lies above or below the
 * mesh when the vertex and all that follow from it are left out: the exact maximum over all
 * vertices below and over the crossings of both triangulations' edges, never a sample of it. So a
 * mesh for a threshold is a walk down the map, and its bound holds. Patches of one size share the
 * errors of their common borders (and of whatever forces a vertex of these), so that equal
 * thresholds meet without a crack. Maps are kept in the cache and brought up to date only where
 * heights changed. Any thread.
 */
#ifndef TERRAIN_LOD_RTIN_H
#define TERRAIN_LOD_RTIN_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/lod/mesh.h"
#include "terrain/lod/pick.h"

enum { RTIN_LOG2_LEAST = 3, RTIN_LOG2_MOST = 8 };

/* A node of a quadtree: quads [x, x + size) and [y, y + size), x and y multiples of size; its mesh
 * has grid quads a side, size / grid quads of the landscape each. Quads beyond the landscape are
 * left out as holes are; where its border runs between vertices of the grid, the last quads are
 * narrower. */
struct rtin_node {
    int32_t x, y, size, grid;
};

/* Appends a mesh of the node within max_error metres, or as near as its grid comes: mesh->bound
 * becomes what it really keeps to (of a mesh that has one already, the greater). Holes are left out
 * to the quad of the grid, by the rule. Fails with MEMORY. */
bool rtin_node_mesh(const struct view *view, struct derived_cache *cache,
                    const struct rtin_node *node, enum hole_rule holes, double max_error,
                    struct mesh *mesh, struct fault *why);

/* The greatest error of the node's coarsest and finest mesh, metres: what a client may take for the
 * geometric error of a level. */
bool rtin_node_errors(const struct view *view, struct derived_cache *cache,
                      const struct rtin_node *node, enum hole_rule holes, double *coarsest,
                      double *finest, struct fault *why);

/* The same over any square grid of samples, for tiles that do not lie along the landscape: (2^log2
 * + 1)^2 heights in metres, row by row, borders shared with the neighbours'. A map is made of one
 * tile's own; closing shares borders between it and the eight around it (row by row, itself the
 * fifth; NULL where there is none). */
struct rtin_map; /* counted as a derived thing: the first member is one */
struct rtin_map *rtin_map_new(int32_t log2, const double *metres, struct fault *why);
struct rtin_map *rtin_map_close(const struct rtin_map *const around[9], struct fault *why);

/* Appends the mesh of a closed map within max_error, to within 2^-17 of the tile's own range:
 * vertices are (i, j, metres), i and j from 0 to 2^log2; mesh->bound likewise. */
bool rtin_map_mesh(const struct rtin_map *map, double max_error, struct mesh *mesh,
                   struct fault *why);

#endif

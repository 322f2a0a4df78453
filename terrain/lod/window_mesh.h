/* A mesh of a window of the landscape on a regular grid: every step-th vertex, and the last column
 * and row in any case, so that the mesh ends where the window does. Any thread. */
#ifndef TERRAIN_LOD_WINDOW_MESH_H
#define TERRAIN_LOD_WINDOW_MESH_H

#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/lod/mesh.h"
#include "terrain/lod/pick.h"

struct window_grid {
    struct rect window; /* vertices on the landscape, two a side at least */
    int32_t step;       /* quads of the landscape a quad of the mesh */
    enum hole_rule holes;
};

/* Vertices of the grid across and down, and triangles when nothing is a hole. */
int32_t window_grid_columns(const struct window_grid *grid);
int32_t window_grid_rows(const struct window_grid *grid);
int64_t window_grid_triangles(const struct window_grid *grid);

/* Appends the mesh; vertices row by row, only those that a triangle has. mesh->bound becomes the
 * greatest distance of the surface above or below, exactly (of a mesh that has one already, the
 * greater); NaN where vertices have XY offsets, which move them. Fails with MEMORY, and with LIMIT
 * as mesh_reserve does. */
bool window_mesh(const struct view *view, const struct window_grid *grid, struct mesh *mesh,
                 struct fault *why);

#endif

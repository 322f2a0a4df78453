/* A triangle mesh over a landscape, as every maker of meshes leaves it and every format of meshes
 * takes it.
 *
 * Vertices are in grid coordinates and codes as doubles, so that two parts which share a vertex
 * have it equal to the bit and a mesh can be welded by its coordinates. Triangles are
 * counter-clockwise seen from above: they turn as (00, 11, 10) of a quad does. One thread.
 */
#ifndef TERRAIN_LOD_MESH_H
#define TERRAIN_LOD_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/base/rect.h"
#include "terrain/core/view.h"

struct mesh {
    size_t vertex_count, vertex_room;
    double (*at)[3];     /* column, row, unrounded code */
    float (*normals)[3]; /* unit, local axes (x east, y south, z up); for each vertex or NULL */
    bool with_normals;   /* said before the first vertex */
    size_t index_count, index_room;
    uint32_t *indices; /* three a triangle */
    double bound;      /* metres: no point of the surface lies further above or below it; NaN when
                          nobody says */
};

void mesh_init(struct mesh *mesh, bool with_normals);
void mesh_free(struct mesh *mesh);

/* Room for so many more. Fails with MEMORY; with LIMIT beyond 2^32 - 1 vertices. */
bool mesh_reserve(struct mesh *mesh, size_t vertices, size_t indices, struct fault *why);

/* Within the room that was reserved. */
static inline uint32_t mesh_vertex(struct mesh *mesh, double column, double row, double code)
{
    double *at = mesh->at[mesh->vertex_count];

    at[0] = column;
    at[1] = row;
    at[2] = code;
    return (uint32_t)mesh->vertex_count++;
}

static inline void mesh_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = mesh->indices + mesh->index_count;

    to[0] = a;
    to[1] = b;
    to[2] = c;
    mesh->index_count += 3;
}

/* The unit normal of a whole vertex of the landscape: all quads around it count, at LOD 0, so that
 * it is the same in whatever mesh the vertex stands (codec_vertex_normal). */
void mesh_vertex_normal(const struct view *view, int32_t column, int32_t row, float normal[3]);

/* Fills in the normals of vertices from `first` on that lie on whole vertices of the landscape. */
void mesh_fill_normals(const struct view *view, struct mesh *mesh, size_t first);

/* Makes vertices that are equal in all three coordinates one (normals of the first), and drops
 * triangles with two equal corners. Fails with MEMORY. */
bool mesh_weld(struct mesh *mesh, struct fault *why);

/* Curtains: of every edge that belongs to one triangle and lies on one of the rectangle's four
 * sides (grid coordinates), a strip hangs down by so many codes, facing outwards. Fails with
 * MEMORY. */
bool mesh_add_skirts(struct mesh *mesh, const double low[2], const double high[2], double codes,
                     struct fault *why);

#endif

/* The grids that patches are instances of: 1, 2, … 32 quads a side, each with a skirt around it.
 * Render worker, the context's thread. */
#ifndef RENDER_MESH_H
#define RENDER_MESH_H

#include "render/gl.h"
#include "render/wire.h"
#include "terrain/base/bytes.h"

/* The grids as they are built: see meshes_open. Indices are counted over all of them. */
struct mesh_grids {
    struct bytes vertices, indices; /* 4 bytes each, uint16_t each */
    uint32_t first_vertex[WIRE_MESHES], vertex_count[WIRE_MESHES];
    size_t offset[WIRE_MESHES]; /* bytes into indices */
    int32_t count[WIRE_MESHES]; /* indices */
};

bool mesh_grids_build(struct mesh_grids *grids, struct fault *why);
void mesh_grids_fini(struct mesh_grids *grids);

struct meshes {
    GLuint vertices, indices;
    size_t offset[WIRE_MESHES]; /* bytes into indices */
    int32_t count[WIRE_MESHES]; /* indices */
};

/* Vertices are 4 bytes: column, row, edge (0 none, 1 north, 2 east, 3 south, 4 west), hem.
 * Quads are split from their north-west to their south-east corner. */
bool meshes_open(struct meshes *meshes, const struct gl *gl, struct fault *why);
void meshes_close(struct meshes *meshes, const struct gl *gl);

#endif

/* The meshes that patches are instances of: index lists over small whole numbers, which the vertex
 * shaders make places of. Each is made when first asked for and kept. Render worker, the context's
 * thread. */
#ifndef RENDER_MESH_H
#define RENDER_MESH_H

#include "render/gl.h"
#include "render/wire.h"
#include "terrain/base/bytes.h"
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

enum { MESHES_MOST = 128 };

struct mesh_kept {
    uint32_t key; /* WIRE_MESH */
    GLuint vertices, indices;
    GLenum type;   /* of indices */
    int32_t count; /* indices; 0: nothing kept here */
    uint64_t used;
};

struct meshes {
    struct mesh_kept kept[MESHES_MOST];
    uint64_t asked;
};

/* A mesh's vertices, 4 x 16 bits as enum wire_mesh says, and indices of 32 bits; to be freed. Fails
 * with MEMORY. */
bool mesh_build(uint32_t key, struct bytes *vertices, struct bytes *indices, struct fault *why);

/* Lent until the next is asked for. NULL with
 * MEMORY or WORKER. */
const struct mesh_kept *meshes_get(struct meshes *meshes, const struct gl *gl, uint32_t key,
                                   struct fault *why);
void meshes_close(struct meshes *meshes, const struct gl *gl);

#endif

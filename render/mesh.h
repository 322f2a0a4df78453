/* The meshes that patches are instances of: index lists over small whole numbers, which the vertex
 * shaders make places of. Each is made when first asked for and kept. Render worker, the context's
 * thread. */
#ifndef RENDER_MESH_H
#define RENDER_MESH_H

#include "render/gl.h"
#include "render/wire.h"
#include "terrain/base/bytes.h"

enum { MESHES_MOST = 128 };

struct mesh_kept {
    uint32_t key; /* WIRE_MESH */
    bool apart;
    GLuint vertices, indices;
    GLenum type;   /* of indices */
    int32_t count; /* indices, or vertices; 0: nothing kept here */
    uint64_t used;
};

struct meshes {
    struct mesh_kept kept[MESHES_MOST];
    uint64_t asked;
};

/* A mesh's vertices, 4 x 16 bits as enum wire_mesh says, and indices of 32 bits; to be freed. Fails
 * with MEMORY. */
bool mesh_build(uint32_t key, struct bytes *vertices, struct bytes *indices, struct fault *why);

/* Vertices of so many bytes in the order of their indices of 32 bits, appended: triangles apart, so
 * that each vertex knows which corner it is. */
bool mesh_apart(const void *vertices, size_t bytes, const uint32_t *indices, size_t count,
                struct bytes *to, struct fault *why);

/* With triangles apart it has no indices. Lent until the next is asked for. NULL with MEMORY or
 * WORKER. */
const struct mesh_kept *meshes_get(struct meshes *meshes, const struct gl *gl, uint32_t key,
                                   bool apart, struct fault *why);
void meshes_close(struct meshes *meshes, const struct gl *gl);

#endif

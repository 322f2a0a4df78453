/* What a scene brings along besides tiles and instances: pages and the nodes that they name, as
 * textures, and shapes of its own, as buffers. Render worker, the context's thread. */
#ifndef RENDER_PAGING_H
#define RENDER_PAGING_H

#include "render/gl.h"
#include "render/scene_read.h"

struct paging {
    GLuint pages, records;
    GLuint vertices, indices;
    const struct wire_shape *shapes; /* of the scene that is drawn */
    bool apart;                      /* their triangles are; see mesh_apart */
};

/* Where a mesh begins in the buffers that are bound. */
struct drawn_mesh {
    size_t vertices, indices; /* bytes */
    int32_t stride;           /* bytes of a vertex */
    int32_t count;            /* indices, or vertices of triangles apart */
    GLenum type;
};

void paging_open(struct paging *paging, const struct gl *gl);
void paging_close(struct paging *paging, const struct gl *gl);

/* Binds both textures to their units. `pages` are those of the scene or a pass. Fails with MEMORY
 * or WORKER. */
bool paging_load(struct paging *paging, const struct gl *gl, const struct scene_parts *parts,
                 const uint32_t *pages, const int32_t *layers, bool apart, struct fault *why);

/* Binds the buffers of the scene's own shapes. */
struct drawn_mesh paging_shape(const struct paging *paging, const struct gl *gl, uint32_t shape);

#endif

#include "api/meshes/meshes.h"

#include <inttypes.h>
#include <math.h>

#include "api/service.h"

const char *const hole_words[] = { "all", "any", NULL };
const char *const meshes_glb_media[] = { "model/gltf-binary", NULL };

bool meshes_within_limit(struct request *rq, int64_t triangles)
{
    int64_t most = rq->service->limits.mesh_triangles;

    return triangles <= most || REFUSE(rq, FAULT_LIMIT,
                                       "the mesh would have %" PRId64 " triangles; at most %" PRId64
                                       " go into one (mesh_triangles)",
                                       triangles, most);
}

struct mesh_note meshes_note(const struct request *rq, double bound)
{
    return (struct mesh_note){ rq->landscape_name, 0, bound };
}

void meshes_say_error(struct request *rq, double bound)
{
    rq->has_mesh_error = isfinite(bound);
    rq->mesh_error = bound;
}

bool meshes_answer(struct request *rq, const struct mesh *mesh, int format)
{
    struct mesh_note note = meshes_note(rq, mesh->bound);

    meshes_say_error(rq, mesh->bound);
    return mesh_formats[format]->write(rq->view, mesh, &note, &rq->bytes, &rq->fault);
}

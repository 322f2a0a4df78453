#include "api/meshes/meshes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/datum.h"
#include "api/service.h"
#include "terrain/format/earth.h"
#include "terrain/lod/mesh_measure.h"

const char *const hole_words[] = { "all", "any", NULL };
const char *const mesh_frame_words[] = { "local", "ecef", NULL };
const char *const meshes_glb_media[] = { "model/gltf-binary", NULL };

static const struct field frame_rows[] = {
    FIELD_AS(FIELD_CHOICE, struct mesh_frame_asked, frame_out,
             "The mesh's axes: (x, z, y) of the landscape, or Earth-fixed (x, z, -y) as clients of "
             "3D Tiles turn back, of a landscape with a CRS",
             .words = mesh_frame_words, .has_value = true, .value = MESH_LOCAL),
    FIELD(struct mesh_frame_asked, height_offset, "m", -1e4, 1e4,
          "Of ecef: heights are so much higher still than the landscape's datum says"),
    { .kind = FIELD_END }
};

const struct shape mesh_frame_shape = {
    .name = "mesh_frame", .size = sizeof(struct mesh_frame_asked), .fields = frame_rows, .given = -1
};

bool meshes_within_limit(struct request *rq, int64_t triangles)
{
    int64_t most = rq->service->limits.mesh_triangles;

    return triangles <= most || REFUSE(rq, FAULT_LIMIT,
                                       "the mesh would have %" PRId64 " triangles; at most %" PRId64
                                       " go into one (mesh_triangles)",
                                       triangles, most);
}

uint64_t meshes_newest(const struct view *view, struct rect over)
{
    uint64_t surface = view_newest(view, over), offsets = view_newest_offsets(view, over);

    /* What is known of a mesh's error, and how it is written, hangs on whether there are any. */
    return (surface > offsets ? surface : offsets) << 1 | view_has_offsets(view);
}

bool meshes_measure(struct request *rq, struct mesh *mesh)
{
    mesh->bound = NAN;
    return view_has_offsets(rq->view) || mesh_measure(rq->view, mesh, 0, &mesh->bound, &rq->fault);
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

bool meshes_answer_glb(struct request *rq, const struct mesh *mesh,
                       const struct mesh_frame_asked *frame, const struct mesh_note *note)
{
    bool reads = strcmp(rq->endpoint->method, "GET") == 0, written;
    struct mesh_note fixed = *note;
    struct datum_held held;

    meshes_say_error(rq, mesh->bound);
    if (frame->frame_out == MESH_LOCAL)
        return glb_write(rq->view, mesh, note, &rq->bytes, &rq->fault);
    if (!rq->view->settings->placed) {
        REFUSE(rq, FAULT_IMPOSSIBLE,
               "this landscape has no CRS, so that only frame_out local is possible");
        return fault_at(&rq->fault, reads ? "frame_out" : "/frame_out");
    }
    if (!datum_hold(rq, frame->height_offset, true, &held))
        return false;
    fixed.bound += earth_sag_of_mesh(rq->view, mesh);
    meshes_say_error(rq, fixed.bound);
    written = glb_write_earth(rq->view, mesh, &held.datum, &fixed, &rq->bytes, &rq->fault);
    datum_drop(&held);
    return written;
}

bool meshes_datum_key(struct request *rq, uint64_t *version)
{
    struct datum_held held;

    if (!datum_hold(rq, 0, false, &held))
        return false;
    *version ^= held.datum.key;
    datum_drop(&held);
    return true;
}

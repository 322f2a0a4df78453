/* One component as a mesh, at one level of detail. */
#include "api/meshes/meshes.h"
#include "api/rasters/component.h"
#include "terrain/core/component.h"
#include "terrain/lod/component_mesh.h"

struct component_mesh_asked {
    struct component_asked at;
    int32_t lod;
    int holes;
    bool normals;
};

static const struct field asks[] = {
    FIELD(struct component_mesh_asked, lod, NULL, 0, LAYOUT_LODS_MOST - 1,
          "Coarser by so many halvings", .has_value = true),
    FIELD_AS(FIELD_CHOICE, struct component_mesh_asked, holes,
             "A quad is left out when all quads below it are holes, or when any is",
             .words = hole_words, .has_value = true, .value = HOLES_ALL),
    FIELD(struct component_mesh_asked, normals, NULL, 0, 0, "A normal for each vertex",
          .has_value = true, .value = true),
    { .kind = FIELD_END }
};

static const struct shape asks_shape = { .name = "component_mesh",
                                         .size = sizeof(struct component_mesh_asked),
                                         .fields = asks,
                                         .base = &component_asked_shape,
                                         .given = -1 };

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct component_mesh_asked *mesh = asked;
    int32_t last = layout_lods(rq->view->settings->layout.section_quads) - 1;

    if (!component_there(rq, &mesh->at))
        return false;
    if (mesh->lod > last) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "this landscape's components have LODs 0 to %d, not %d", last,
               mesh->lod);
        return fault_at(&rq->fault, "lod");
    }
    *version = meshes_newest(rq->view, component_reach(rq->view, mesh->at.cx, mesh->at.cy));
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct component_mesh_asked *what = asked;
    struct mesh mesh;
    bool made;

    (void)answer;
    mesh_init(&mesh, what->normals);
    made = component_mesh(rq->view, what->at.cx, what->at.cy, what->lod,
                          (enum hole_rule)what->holes, &mesh, &rq->fault) &&
           meshes_measure(rq, &mesh) && meshes_answer(rq, &mesh, MESH_FORMAT_glb);
    mesh_free(&mesh);
    return made;
}

const struct endpoint endpoint_get_component_mesh = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/components/{cx}/{cy}/mesh.glb",
    .summary = "A component's mesh at one level of detail",
    .example = "lod=1",
    .example_path = "/v1/landscapes/demo/components/0/0/mesh.glb",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &asks_shape,
    .media_out = meshes_glb_media,
    .content_etag = true,
    .kept = true,
    .newest = newest,
    .run = run,
};

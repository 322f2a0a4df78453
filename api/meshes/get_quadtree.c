/* A node of the landscape's own quadtree as a mesh. */
#include "api/meshes/node.h"

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    return node_newest(rq, asked, version);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)answer;
    return node_answer(rq, asked);
}

const struct endpoint endpoint_get_quadtree = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/quadtree/{level}/{x}/{y}.glb",
    .summary = "A node of the landscape's quadtree as a mesh",
    .example = "skirts=true&max_error=0.5",
    .example_path = "/v1/landscapes/demo/quadtree/0/0/0.glb",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &node_shape,
    .media_out = meshes_glb_media,
    .loose_query = true,
    .content_etag = true,
    .kept = true,
    .newest = newest,
    .run = run,
};

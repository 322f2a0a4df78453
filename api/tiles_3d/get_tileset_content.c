/* A tile's mesh: the node of the quadtree that it is, within its level's error, with curtains. */
#include "api/meshes/node.h"
#include "api/tiles_3d/tiles_3d.h"

static struct node_asked node_of(const struct tileset *tileset, const struct tiles_3d_asked *asked)
{
    return (struct node_asked){ .frame = { .frame_out = tileset->earth ? MESH_ECEF : MESH_LOCAL },
                                .given = NODE_MAX_ERROR,
                                .level = asked->level,
                                .x = asked->x,
                                .y = tileset_row(asked->level, asked->y),
                                .leaf = TILESET_LEAF,
                                .max_error = tileset_error(tileset, asked->level),
                                .skirts = tileset_skirts(tileset, asked->level),
                                .holes = HOLES_ALL,
                                .normals = true };
}

/* A level's error is that of its worst tile, wherever that is; answers are named by their bytes, so
 * that those which stay the same keep their names. */
static bool run(struct request *rq, const void *asked, void *answer)
{
    struct node_asked node;
    struct tileset tileset;

    (void)answer;
    if (!tiles_3d_of(rq, &tileset) || !tiles_3d_there(rq, &tileset, asked))
        return false;
    node = node_of(&tileset, asked);
    return node_answer(rq, &node);
}

const struct endpoint endpoint_get_tileset_content = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/3dtiles/content/{level}/{x}/{y}.glb",
    .summary = "A tile of the tileset",
    .example_path = "/v1/landscapes/demo/3dtiles/content/0/0/0.glb",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &tiles_3d_shape,
    .media_out = meshes_glb_media,
    .loose_query = true,
    .content_etag = true,
    .kept = true,
    .newest = tiles_3d_newest,
    .run = run,
};

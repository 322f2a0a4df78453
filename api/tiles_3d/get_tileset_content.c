/* A tile's mesh: the node of the quadtree that it is, with curtains.
 *
 * How far levels may be off, and so how deep curtains hang, depends on all of the landscape. The
 * tileset writes both into the tiles' addresses, so that a tile depends on nothing but what lies
 * around it.
 */
#include "api/meshes/node.h"
#include "api/service.h"
#include "api/tiles_3d/tiles_3d.h"

struct content_asked {
    struct tiles_3d_asked tile;
    uint64_t given;
    double error, depth;
};
enum { ERROR = 1 << 0, DEPTH = 1 << 1 };

static const struct field asks[] = {
    FIELD(struct content_asked, error, "m", 0, 1e9,
          "The root's geometric error, as the tileset has it; its own by default"),
    FIELD(struct content_asked, depth, "m", 0, 1e9,
          "Curtains hang no deeper; as the tileset has it by default"),
    { .kind = FIELD_END }
};

static const struct shape asks_shape = { .name = "tileset_content",
                                         .size = sizeof(struct content_asked),
                                         .fields = asks,
                                         .base = &tiles_3d_shape,
                                         .given = offsetof(struct content_asked, given) };

static bool is_whole(const struct content_asked *asked)
{
    return asked->given & ERROR && asked->given & DEPTH;
}

/* Fails with MISSING for a tile that is not there. */
static bool node_of(struct request *rq, const struct tileset *tileset,
                    const struct tiles_3d_asked *at, struct node_asked *node)
{
    if (!tiles_3d_there(rq, tileset, at))
        return false;
    *node = (struct node_asked){ .frame = { .frame_out = tileset->earth ? MESH_ECEF : MESH_LOCAL },
                                 .given = NODE_MAX_ERROR,
                                 .level = at->level,
                                 .x = at->x,
                                 .y = tileset_row(at->level, at->y),
                                 .leaf = TILESET_LEAF,
                                 .max_error = tileset_max_error(tileset, at->level),
                                 .skirts = tileset_skirts(tileset, at->level),
                                 .holes = HOLES_ALL,
                                 .normals = true };
    return true;
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct content_asked *content = asked;
    struct tiles_3d tiles;
    struct node_asked node;
    bool there;

    if (!tiles_3d_begin(rq, &tiles))
        return false;
    there = node_of(rq, &tiles.tileset, &content->tile, &node);
    tiles_3d_end(&tiles);
    if (!there)
        return false;
    return is_whole(content) ? node_newest(rq, &node, version)
                             : tiles_3d_newest(rq, asked, version);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct content_asked *content = asked;
    struct tiles_3d tiles;
    struct node_asked node;
    bool there;

    (void)answer;
    if (!(is_whole(content) ? tiles_3d_begin : tiles_3d_hold)(rq, &tiles))
        return false;
    if (content->given & ERROR)
        tiles.tileset.error = content->error;
    if (content->given & DEPTH)
        tiles.tileset.depth = content->depth;
    there = node_of(rq, &tiles.tileset, &content->tile, &node);
    tiles_3d_end(&tiles);
    return there && node_answer(rq, &node);
}

const struct endpoint endpoint_get_tileset_content = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/3dtiles/content/{level}/{x}/{y}.glb",
    .summary = "A tile of the tileset",
    .example = "error=8&depth=64",
    .example_path = "/v1/landscapes/demo/3dtiles/content/0/0/0.glb",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &asks_shape,
    .media_out = meshes_glb_media,
    .loose_query = true,
    .content_etag = true,
    .kept = true,
    .newest = newest,
    .run = run,
};

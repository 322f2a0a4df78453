/* Which tiles there are, level by level below one, and where each lies. */
#include "api/tiles_3d/tiles_3d.h"
#include "terrain/format/subtree.h"

struct part {
    const struct tileset *tileset;
    const struct tiles_3d_asked *root;
};

static bool there(void *context, int32_t level, int32_t x, int32_t y)
{
    const struct part *part = context;

    return tileset_there(part->tileset, part->root->level + level, (part->root->x << level) + x,
                         (part->root->y << level) + y);
}

static bool describe(void *context, int32_t level, int32_t x, int32_t y, double *numbers,
                     struct fault *why)
{
    const struct part *part = context;

    return tileset_bounds(part->tileset, part->root->level + level, (part->root->x << level) + x,
                          (part->root->y << level) + y, numbers, why);
}

static bool write(struct request *rq, const struct tileset *tileset,
                  const struct tiles_3d_asked *root)
{
    struct part part = { tileset, root };
    struct subtree subtree = { .levels = TILESET_SUBTREE_LEVELS,
                               .numbers = tileset->earth ? TILESET_REGION : TILESET_BOX,
                               .class = TILES_3D_CLASS,
                               .property = TILES_3D_PROPERTY,
                               .there = there,
                               .describe = describe,
                               .context = &part };

    if (!tiles_3d_there(rq, tileset, root))
        return false;
    if (root->level % TILESET_SUBTREE_LEVELS)
        return REFUSE(rq, FAULT_MISSING, "subtrees begin at levels that %d divides, not at %d",
                      TILESET_SUBTREE_LEVELS, root->level);
    return subtree_write(&subtree, &rq->bytes, &rq->fault);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct tiles_3d tiles;
    bool written;

    (void)answer;
    if (!tiles_3d_hold(rq, &tiles))
        return false;
    written = write(rq, &tiles.tileset, asked);
    tiles_3d_end(&tiles);
    return written;
}

static const char *const media_out[] = { "application/octet-stream", NULL };

const struct endpoint endpoint_get_subtree = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/3dtiles/subtrees/{level}/{x}/{y}.subtree",
    .summary = "A subtree of the tileset: the tiles that there are, and their bounds",
    .example_path = "/v1/landscapes/demo/3dtiles/subtrees/0/0/0.subtree",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &tiles_3d_shape,
    .media_out = media_out,
    .loose_query = true,
    .content_etag = true,
    .kept = true,
    .newest = tiles_3d_newest,
    .run = run,
};

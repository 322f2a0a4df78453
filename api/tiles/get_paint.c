/* The paint layers in their debug colours, as tiles. */
#include "api/tiles/tiles.h"
#include "terrain/query/cover.h"

/* Layers' names and colours are settings. */
static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct tiles_asked *at = asked;
    const struct tile tile = TILE_AT(at->z, at->x, at->y, TILE_SIDE);
    struct rect reach;

    if (!tile_reach(rq->view, &tile, &reach, &rq->fault))
        return false;
    *version = cover_stamp_all(rq->view, reach) ^ rq->view->settings_version << 20;
    return true;
}

TILE_ROUTES(paint, png, "weights", "A tile of the paint layers in their debug colours",
            &tiles_shape, NULL, NULL, newest);
TILE_ROUTES(paint, webp, "weights", "A tile of the paint layers in their debug colours",
            &tiles_shape, NULL, NULL, newest);

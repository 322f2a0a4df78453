/* Heightmaps for globes, heightmap-1.0: the layer's description and its tiles. */
#include <math.h>

#include "api/globes/globes.h"
#include "terrain/format/tile_map.h"

struct tile_asked {
    struct globes_asked globe;
    int32_t z, x, y;
};

static const struct field tile_rows[] = { GLOBES_TILE_ROWS(struct tile_asked),
                                          { .kind = FIELD_END } };

static const struct shape tile_shape = { "heightmap_tile", sizeof(struct tile_asked), tile_rows,
                                         &globes_shape, -1 };

static bool layer_run(struct request *rq, const void *asked, void *answer)
{
    static const struct globes_layer layer = { "heightmap-1.0", "heightmap", false };

    return globes_layer_run(rq, asked, NAN, 0, &layer, answer);
}

static bool tile_newest(struct request *rq, const void *data, uint64_t *version)
{
    const struct tile_asked *asked = data;
    struct globe_tile tile;
    struct globes_look look;
    bool done;

    if (!globes_tile(rq, asked->z, asked->x, asked->y, &tile) ||
        !globes_look_init(rq, &asked->globe, false, &look))
        return false;
    done = globe_stamp(rq->view, &tile, &look.look, version, &rq->fault);
    *version = tile_map_mix(*version, asked->globe.given);
    globes_look_fini(&look);
    return done;
}

static bool tile_run(struct request *rq, const void *data, void *answer)
{
    const struct tile_asked *asked = data;
    struct globe_tile tile;
    struct globes_look look;
    bool done;

    (void)answer;
    if (!globes_tile(rq, asked->z, asked->x, asked->y, &tile) ||
        !globes_look_init(rq, &asked->globe, true, &look))
        return false;
    done = globe_heightmap(rq->view, &tile, &look.look, &rq->bytes, &rq->fault);
    globes_look_fini(&look);
    return done;
}

static const char *const media[] = { "application/octet-stream", NULL };

const struct endpoint endpoint_get_heightmap_layer = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/heightmap/layer.json",
    .summary = "Where the heightmaps for globes are, as CesiumJS reads it",
    .example = "fill=0",
    .example_path = "/v1/landscapes/demo/heightmap/layer.json",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .asks = &globes_shape,
    .answers = &globes_layer_shape,
    .loose_query = true,
    .run = layer_run,
};

const struct endpoint endpoint_get_heightmap_tile = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/heightmap/{z}/{x}/{y}.terrain",
    .summary = "A heightmap for globes, heightmap-1.0",
    .example = "water_height=0",
    .example_path = "/v1/landscapes/demo/heightmap/0/0/0.terrain",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &tile_shape,
    .media_out = media,
    .loose_query = true,
    .kept = true,
    .content_etag = true,
    .newest = tile_newest,
    .run = tile_run,
};

/* Heights as colours, in 256ths of a metre: what MapLibre and others call terrarium. */
#include "api/tiles/tiles.h"

struct asked {
    struct tiles_asked tile;
    double fill;
};

static const struct field asks[] = { FIELD(struct asked, fill, "m", -1e6, 1e7,
                                           "Height of pixels beyond the landscape"),
                                     { .kind = FIELD_END } };

static const struct shape shape = { "terrarium", sizeof(struct asked), asks, &tiles_shape, -1 };

static bool paint(struct request *rq, const struct asked *asked, int32_t side)
{
    return tiles_paint(rq, &asked->tile, side, &tile_set_terrarium,
                       &(struct tile_look){ .fill = asked->fill });
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)answer;
    return paint(rq, asked, TILE_SIDE);
}

static bool run_2x(struct request *rq, const void *asked, void *answer)
{
    (void)answer;
    return paint(rq, asked, TILE_SIDE_2X);
}

const struct endpoint endpoint_get_terrarium = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/tiles/terrarium/{z}/{x}/{y}.png",
    .summary = "A tile of heights in steps of 1/256 m, 256 pixels a side",
    .example = "fill=0",
    .example_path = "/v1/landscapes/demo/tiles/terrarium/0/0/0.png",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &shape,
    .media_out = tiles_media,
    .loose_query = true,
    .kept = true,
    .newest = tiles_newest,
    .run = run,
};

const struct endpoint endpoint_get_terrarium_2x = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/tiles/terrarium/{z}/{x}/{y}@2x.png",
    .summary = "A tile of heights in steps of 1/256 m, 512 pixels a side",
    .example = "fill=0",
    .example_path = "/v1/landscapes/demo/tiles/terrarium/0/0/0@2x.png",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &shape,
    .media_out = tiles_media,
    .loose_query = true,
    .kept = true,
    .newest = tiles_newest,
    .run = run_2x,
};

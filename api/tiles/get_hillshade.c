/* The ground in sunlight from above, as gray tiles. */
#include "api/tiles/tiles.h"

struct asked {
    struct tiles_asked tile;
    double sun_azimuth, sun_elevation, exaggeration;
};

static const struct field asks[] = {
    FIELD(struct asked, sun_azimuth, "degrees", -360, 360,
          "Where the light comes from, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct asked, sun_elevation, "degrees", 0, 90, "How high it stands above the horizon",
          .has_value = true, .value = 45),
    FIELD(struct asked, exaggeration, NULL, 0, 1000, "Heights count this many times",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

static const struct shape shape = { "hillshade", sizeof(struct asked), asks, &tiles_shape, -1 };

static bool paint(struct request *rq, const struct asked *asked, int32_t side)
{
    return tiles_paint(rq, &asked->tile, side, &tile_set_hillshade,
                       &(struct tile_look){ .sun_azimuth = asked->sun_azimuth,
                                            .sun_elevation = asked->sun_elevation,
                                            .exaggeration = asked->exaggeration });
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

const struct endpoint endpoint_get_hillshade = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/tiles/hillshade/{z}/{x}/{y}.png",
    .summary = "A tile of the ground in sunlight, 256 pixels a side",
    .example = "sun_azimuth=315&sun_elevation=45",
    .example_path = "/v1/landscapes/demo/tiles/hillshade/0/0/0.png",
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

const struct endpoint endpoint_get_hillshade_2x = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/tiles/hillshade/{z}/{x}/{y}@2x.png",
    .summary = "A tile of the ground in sunlight, 512 pixels a side",
    .example = "sun_azimuth=315&sun_elevation=45",
    .example_path = "/v1/landscapes/demo/tiles/hillshade/0/0/0@2x.png",
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

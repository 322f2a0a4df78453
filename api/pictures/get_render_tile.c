/* Pictures as tiles of a map. */
#include <stdio.h>

#include "api/pictures/drawing.h"
#include "api/pictures/drawing_rasters.h"
#include "api/pictures/map_tile.h"
#include "api/pictures/showing.h"
#include "api/service.h"
#include "api/tiles/tiles.h"
#include "terrain/format/tile_set.h"

struct asked {
    struct tiles_asked tile;
    int mode;
    double sun_azimuth, sun_elevation;
    int ramp;
    double range[2], interval;
    const char *layer;
    int64_t against;
    int32_t mip;
    bool multidirectional;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_CHOICE, struct asked, mode, "What the picture shows", .words = render_mode_names,
             .has_value = true, .value = RENDER_MODE_lit),
    FIELD(struct asked, sun_azimuth, "degrees", -360, 360,
          "Where the sun stands, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct asked, sun_elevation, "degrees", -90, 90, "How high it stands", .has_value = true,
          .value = 45),
    SHOWING_ROWS(struct asked),
    { .kind = FIELD_END }
};

static const struct shape shape = { "render_tile", sizeof(struct asked), asks, &tiles_shape, -1 };

struct route {
    const struct picture_format *format;
    int32_t side;
};

/* The picture with what its mode is told; *before is to be dropped. */
static bool show(struct request *rq, const struct asked *asked, struct picture *picture,
                 struct view **before)
{
    const struct drawing drawing = { .mode = asked->mode,
                                     .ramp = asked->ramp,
                                     .range = { asked->range[0], asked->range[1] },
                                     .interval = asked->interval,
                                     .layer = asked->layer,
                                     .against = asked->against,
                                     .mip = asked->mip,
                                     .multidirectional = asked->multidirectional };

    return showing_take(rq, rq->view, &drawing, picture) && showing_open(rq, picture, before);
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct asked *asked = data;
    const struct route *route = rq->endpoint->of;
    const struct tile tile = TILE_AT(asked->tile.z, asked->tile.x, asked->tile.y, route->side);
    const struct picture_rasters rasters = drawing_rasters(rq->service->gallery);
    struct picture picture = { .width = route->side,
                               .height = route->side,
                               .mode = asked->mode,
                               .transparent = true,
                               .light = { .sun_azimuth = asked->sun_azimuth,
                                          .sun_elevation = asked->sun_elevation,
                                          .shadows = 1,
                                          .occlusion = 1 },
                               .cover = { .depth = DRAWING_HEIGHT_BLEND, .rasters = &rasters } };
    struct bytes pixels = { 0 };
    struct view *before = NULL;
    struct drawn how;
    bool made;

    (void)answer;
    if (!rq->service->renderer)
        return REFUSE(rq, FAULT_WORKER, "This server was started without a renderer");
    made = show(rq, asked, &picture, &before) &&
           map_tile_paint(rq->service->renderer, rq->view, &picture, &tile, &pixels, &how,
                          &rq->fault) &&
           route->format->write(&picture, pixels.data, PICTURE_QUALITY, &rq->bytes, &rq->fault);
    if (made) {
        snprintf(rq->drawn_by, sizeof rq->drawn_by, "%s", how.by);
        drawing_warn(rq, &picture);
    }
    view_drop(before);
    bytes_free(&pixels);
    return made;
}

#define RENDER_TILE(format_, at, side_)                                                            \
    {                                                                                              \
        .method = "GET",                                                                           \
        .path = "/v1/landscapes/{landscape}/tiles/render/{z}/{x}/{y}" at "." #format_,             \
        .summary = "A tile of a picture from right above, " #side_ " pixels a side, as " #format_, \
        .example = "mode=lit&sun_azimuth=300",                                                     \
        .example_path = "/v1/landscapes/demo/tiles/render/0/0/0" at "." #format_,                  \
        .scope = SCOPE_READ, .pace = SLOW, .holds = HOLDS_VIEW, .asks = &shape,                    \
        .media_out = (const char *const[]){ "image/" #format_, NULL }, .loose_query = true,        \
        .content_etag = true, .kept = true, .newest = drawing_newest, .run = run,                  \
        .of = &(const struct route)                                                                \
        {                                                                                          \
            &picture_formats[PICTURE_##format_], side_                                             \
        }                                                                                          \
    }

const struct endpoint endpoint_get_render_tile_png = RENDER_TILE(png, "", 256);
const struct endpoint endpoint_get_render_tile_2x_png = RENDER_TILE(png, "@2x", 512);
const struct endpoint endpoint_get_render_tile_webp = RENDER_TILE(webp, "", 256);
const struct endpoint endpoint_get_render_tile_2x_webp = RENDER_TILE(webp, "@2x", 512);

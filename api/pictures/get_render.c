/* A picture by its address alone. */
#include <math.h>

#include "api/pictures/drawing.h"
#include "api/pictures/drawing_rasters.h"
#include "api/pictures/showing.h"

struct looking {
    struct drawing common;
    uint64_t given;
    double azimuth, elevation, distance, fov, sun_azimuth, sun_elevation;
};

enum { DISTANCE = 1 << 2 };

static const struct field asks_rows[] = {
    FIELD(struct looking, azimuth, "degrees", -360, 360,
          "The side from which to look, from north clockwise; straight above, what points up; "
          "null: 202.5, and straight above 0",
          .nullable = true, .has_value = true, .value = NAN),
    FIELD(struct looking, elevation, "degrees", -90, 90, "How high above the horizon to stand",
          .has_value = true, .value = CAMERA_ELEVATION),
    FIELD(struct looking, distance, "m", 0, 1e8,
          "From the middle of the landscape; without it the landscape fits the picture",
          .above_least = true),
    FIELD(struct looking, fov, "degrees", 1, 150, "The vertical field of view", .has_value = true,
          .value = CAMERA_FOV),
    FIELD(struct looking, sun_azimuth, "degrees", -360, 360,
          "Where the sun stands, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct looking, sun_elevation, "degrees", -90, 90, "How high it stands",
          .has_value = true, .value = 45),
    { .kind = FIELD_END }
};

static const struct shape asks = {
    .name = "struct looking",
    .size = sizeof(struct looking),
    .fields = asks_rows,
    .base = &drawing_shape,
    .given = offsetof(struct looking, given),
};

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct looking *looking = asked;
    const struct picture_format *format = rq->endpoint->of;
    struct picture picture = {
        .camera = { .kind = looking->given & DISTANCE ? CAMERA_ORBIT : CAMERA_FIT,
                    .azimuth = isnan(looking->azimuth) ? camera_azimuth(looking->elevation)
                                                       : looking->azimuth,
                    .elevation = looking->elevation,
                    .distance = looking->distance,
                    .fov = looking->fov },
        .light = { .sun_azimuth = looking->sun_azimuth, .sun_elevation = looking->sun_elevation }
    };

    (void)answer;
    if (!drawing_options(&looking->common, &picture, "", &rq->fault) ||
        !showing_take(rq, rq->view, &looking->common, &picture))
        return false;
    viewing_middle(rq->view, picture.camera.target);
    return drawing_settle(rq->view, &looking->common, &picture, "", &rq->fault) &&
           drawing_answer(rq, &picture, format, looking->common.quality);
}

#define RENDERED(format_, extension_)                                                              \
    {                                                                                              \
        .method = "GET", .path = "/v1/landscapes/{landscape}/render." extension_,                  \
        .summary = "A picture of the landscape",                                                   \
        .example = "width=320&height=200&azimuth=200&elevation=35",                                \
        .example_path = "/v1/landscapes/demo/render." extension_, .scope = SCOPE_READ,             \
        .pace = SLOW, .holds = HOLDS_VIEW, .asks = &asks,                                          \
        .media_out = (const char *const[]){ "image/" #format_, NULL }, .kept = true,               \
        .newest = drawing_newest, .of = &picture_formats[PICTURE_##format_], .run = run            \
    }

const struct endpoint endpoint_get_render = RENDERED(png, "png");
const struct endpoint endpoint_get_render_jpg = RENDERED(jpeg, "jpg");
const struct endpoint endpoint_get_render_webp = RENDERED(webp, "webp");

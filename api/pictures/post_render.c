/* A picture by any camera. */
#include "api/pictures/drawing.h"
#include "api/viewing.h"

struct sunshine {
    double azimuth, elevation;
};

struct drawing {
    struct sizing sizing;
    struct viewing camera;
    struct sunshine sun;
    int format;
};

enum { FORMAT_PNG, FORMAT_RAW };

static const struct field sunshine_rows[] = {
    FIELD(struct sunshine, azimuth, "degrees", -360, 360,
          "Where the sun stands, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct sunshine, elevation, "degrees", -90, 90, "How high it stands", .has_value = true,
          .value = 45),
    { .kind = FIELD_END }
};

static const char *const formats[] = { "png", "raw", NULL };

static const struct field takes_rows[] = {
    FIELD_AS(FIELD_OBJECT, struct drawing, camera, VIEWING_HELP, .shape = &viewing_shape),
    FIELD_AS(FIELD_OBJECT, struct drawing, sun, "Where the light comes from",
             .shape = SHAPE(struct sunshine, sunshine_rows)),
    FIELD_AS(FIELD_CHOICE, struct drawing, format, "A PNG, or RGBA rows from the top",
             .words = formats, .has_value = true, .value = FORMAT_PNG),
    { .kind = FIELD_END }
};

static const struct shape takes = { .name = "struct drawing",
                                    .size = sizeof(struct drawing),
                                    .fields = takes_rows,
                                    .base = &sizing_shape,
                                    .given = -1 };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct drawing *drawing = rq->body;
    struct picture picture = { .width = drawing->sizing.width,
                               .height = drawing->sizing.height,
                               .mode = drawing->sizing.mode,
                               .sun_azimuth = drawing->sun.azimuth,
                               .sun_elevation = drawing->sun.elevation };

    (void)asked;
    (void)answer;
    if (!viewing_check(rq, &drawing->camera))
        return false;
    viewing_camera(rq->view, &drawing->camera, &picture.camera);
    rq->media_out = drawing->format;
    if (drawing_answer(rq, &picture, drawing->format == FORMAT_PNG))
        return true;
    return rq->fault.code == FAULT_INPUT ? fault_at(&rq->fault, "/camera") : false;
}

static const char *const media_out[] = { "image/png", "application/octet-stream", NULL };

const struct endpoint endpoint_post_render = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/render",
    .summary = "A picture of the landscape by any camera",
    .example_path = "/v1/landscapes/demo/render",
    .example_body = "{\"width\":320,\"height\":200,\"camera\":{\"fit\":true},"
                    "\"sun\":{\"azimuth\":315,\"elevation\":45}}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .takes = &takes,
    .media_out = media_out,
    .framed = true,
    .run = run,
};

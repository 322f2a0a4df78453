/* A picture by any camera. */
#include "api/pictures/drawing.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct drawing_body *body = rq->body;
    struct picture picture;

    (void)asked;
    (void)answer;
    if (!drawing_picture(rq, rq->view, body, &picture))
        return false;
    rq->media_out = body->format;
    if (drawing_answer(rq, &picture, &picture_formats[body->format], body->common.quality))
        return true;
    return rq->fault.code == FAULT_INPUT && !rq->fault.place[0] ? fault_at(&rq->fault, "/camera")
                                                                : false;
}

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
    .takes = &drawing_body_shape,
    .media_out = picture_format_media,
    .framed = true,
    .run = run,
};

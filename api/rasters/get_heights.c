/* Heights of a rectangle of vertices, exactly as stored or in metres; holes do not matter. */
#include "api/endpoint.h"
#include "api/rasters/rows_json.h"
#include "api/rasters/window.h"

static const char *const media_out[] = { "image/png",         "application/x-r16",
                                         "application/x-f32", "application/json",
                                         "image/png",         NULL };
static const char *const formats[] = { "png16", "r16", "f32", "json", "png", NULL };
enum { AS_JSON = 3 };

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct export_window window;

    if (!window_steps(rq, asked, view_rect(rq->view), &window, &rq->fault))
        return false;
    *version = view_newest(rq->view, window.rect);
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    static const enum export_format of_media[] = { EXPORT_PNG16, EXPORT_R16, EXPORT_F32, EXPORT_F32,
                                                   EXPORT_PNG16 };
    struct export_window window;

    (void)answer;
    if (!window_steps(rq, asked, view_rect(rq->view), &window, &rq->fault))
        return false;
    if (rq->media_out == AS_JSON)
        return rows_json_write(rq->view, &window, &rq->bytes, &rq->fault);
    return export_write(rq->view, &window, of_media[rq->media_out], NULL, &rq->bytes, &rq->fault);
}

const struct endpoint endpoint_get_heights = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/heights",
    .summary = "Heights of a rectangle of vertices",
    .example = "x=0&y=0&width=4&height=2&format=json",
    .example_path = "/v1/landscapes/demo/heights",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &window_steps_shape,
    .media_out = media_out,
    .formats = formats,
    .newest = newest,
    .run = run,
};

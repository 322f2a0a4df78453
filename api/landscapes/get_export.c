/* A raster of the heights, as a file to keep: what an import of it makes the same landscape of. */
#include "api/endpoint.h"
#include "api/rasters/window.h"
#include "api/service.h"

static const char *const media_out[] = { "image/png",  "application/x-r16", "image/tiff",
                                         "text/plain", "application/x-f32", NULL };
static const char *const formats[] = { "png16", "r16", "tiff", "asc", "f32", NULL };

static const struct {
    enum export_format format;
    const char *ending;
} kinds[] = {
    { EXPORT_PNG16, "png" }, { EXPORT_R16, "r16" }, { EXPORT_TIFF, "tif" },
    { EXPORT_ASC, "asc" },   { EXPORT_F32, "f32" },
};

/* The pad is no data: it stays out unless a window asks for it. */
static bool window_of(struct request *rq, const void *asked, struct export_window *window)
{
    return window_steps(rq, asked, export_data_rect(rq->view->settings), window, &rq->fault);
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct export_window window;

    if (!window_of(rq, asked, &window))
        return false;
    *version = view_newest(rq->view, window.rect);
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct export_window window;

    (void)answer;
    if (!window_of(rq, asked, &window))
        return false;
    rq->filename = arena_print(rq->arena, "%s.%s", rq->landscape_name, kinds[rq->media_out].ending);
    return export_write(rq->view, &window, kinds[rq->media_out].format, rq->service->decoders,
                        &rq->bytes, &rq->fault);
}

const struct endpoint endpoint_get_export = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/export",
    .summary = "A raster file of the heights; without a window all but the pad",
    .example = "format=png16",
    .example_path = "/v1/landscapes/demo/export",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &window_steps_shape,
    .media_out = media_out,
    .formats = formats,
    .newest = newest,
    .run = run,
};

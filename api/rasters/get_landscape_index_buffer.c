/* The same under a landscape, which has one layout. */
#include "api/rasters/index_buffer.h"

/* It depends on nothing but the key. */
static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    (void)rq;
    (void)asked;
    *version = 0;
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)answer;
    return index_buffer_answer(rq, asked, &rq->view->settings->layout);
}

static const char *const media_out[] = { "application/octet-stream", NULL };

const struct endpoint endpoint_get_landscape_index_buffer = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/index-buffers/{key}/{lod}",
    .summary = "The index buffer of a level of detail, as /v1/index-buffers has it; the key is one "
               "of the landscape's (see its components)",
    .example_path = "/v1/landscapes/demo/index-buffers/0x40000016/2",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &index_buffer_asked_shape,
    .media_out = media_out,
    .newest = newest,
    .run = run,
};

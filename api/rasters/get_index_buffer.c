/* The index buffer of a level of detail, shared by all components of one layout. */
#include "api/rasters/index_buffer.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)answer;
    return index_buffer_answer(rq, asked, NULL);
}

static const char *const media_out[] = { "application/octet-stream", NULL };

const struct endpoint endpoint_get_index_buffer = {
    .method = "GET",
    .path = "/v1/index-buffers/{key}/{lod}",
    .summary = "The index buffer of a level of detail, for every landscape with that key: 16 bits "
               "a number, little-endian, or 32 where a component has more than 65535 vertices",
    .example_path = "/v1/index-buffers/1073741862/5",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_NOTHING,
    .asks = &index_buffer_asked_shape,
    .media_out = media_out,
    .run = run,
};

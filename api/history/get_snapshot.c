/* One snapshot. */
#include "api/history/history.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    return snapshot_document_of(rq, ((const struct snapshot_asked *)asked)->name, answer);
}

const struct endpoint endpoint_get_snapshot = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/snapshots/{name}",
    .summary = "One snapshot",
    .example_path = "/v1/landscapes/demo/snapshots/demo",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &snapshot_asked_shape,
    .answers = &snapshot_document_shape,
    .run = run,
};

/* Removes a snapshot: its version is kept as long as any other. */
#include "api/history/history.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)answer;
    rq->status = 204;
    return landscape_snapshot_drop(rq->landscape, ((const struct snapshot_asked *)asked)->name,
                                   &rq->fault);
}

static const int statuses[] = { 204, 0 };

const struct endpoint endpoint_delete_snapshot = {
    .method = "DELETE",
    .path = "/v1/landscapes/{landscape}/snapshots/{name}",
    .summary = "Remove a snapshot",
    .example_path = "/v1/landscapes/demo/snapshots/demo",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &snapshot_asked_shape,
    .statuses = statuses,
    .run = run,
};

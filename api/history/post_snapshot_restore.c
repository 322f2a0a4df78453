/* Makes the landscape what it was at a snapshot: a change like any other, which can be undone. */
#include "api/changed.h"
#include "api/history/history.h"

struct restoring {
    struct snapshot_asked snapshot;
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct restoring, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct restoring *restoring = asked;
    struct landscape_change change;
    struct snapshot_document document;
    struct landscape_changed made;

    if (!snapshot_document_of(rq, restoring->snapshot.name, &document))
        return false;
    change = changed_change(rq, restoring->dry_run,
                            arena_print(rq->arena, "POST snapshots/%s/restore", document.name));
    if (!landscape_restore(rq->landscape, &change, (uint64_t)document.version, &made, &rq->fault))
        return false;
    changed_fill(rq, &made, answer);
    return true;
}

const struct endpoint endpoint_post_snapshot_restore = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/snapshots/{name}/restore",
    .summary = "Make the landscape what it was at a snapshot",
    .example_path = "/v1/landscapes/demo/snapshots/demo/restore",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &(const struct shape){ .name = "restoring",
                                   .size = sizeof(struct restoring),
                                   .fields = asks,
                                   .base = &snapshot_asked_shape,
                                   .given = -1 },
    .conditional = true,
    .answers = &changed_shape,
    .run = run,
};

/* Makes again what was undone last, or what was of an author's. */
#include "api/changed.h"
#include "terrain/landscape_history.h"

struct redo_asked {
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct redo_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const char *request =
        rq->whose ? arena_print(rq->arena, "POST redo author=%s", rq->whose) : "POST redo";
    struct landscape_change change =
        changed_change(rq, ((const struct redo_asked *)asked)->dry_run, request);
    struct landscape_changed made;

    if (!request)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the request's text");
    if (!landscape_redo(rq->landscape, &change, rq->whose, &made, &rq->fault))
        return false;
    changed_fill(rq, &made, answer);
    return true;
}

const struct endpoint endpoint_post_redo = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/redo",
    .summary = "Redo what was undone last, or with author that author's last",
    .example_path = "/v1/landscapes/demo/redo",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct redo_asked, asks),
    .conditional = true,
    .answers = &changed_shape,
    .run = run,
};

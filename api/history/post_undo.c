/* Takes back the last change, or the last one of an author's. */
#include "api/changed.h"
#include "terrain/landscape_history.h"

struct undo_asked {
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct undo_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const char *request =
        rq->whose ? arena_print(rq->arena, "POST undo author=%s", rq->whose) : "POST undo";
    struct landscape_change change =
        changed_change(rq, ((const struct undo_asked *)asked)->dry_run, request);
    struct landscape_changed made;

    if (!request)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the request's text");
    if (!landscape_undo(rq->landscape, &change, rq->whose, &made, &rq->fault))
        return false;
    changed_fill(rq, &made, answer);
    return true;
}

const struct endpoint endpoint_post_undo = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/undo",
    .summary = "Undo the last change, or with author that author's last",
    .example_path = "/v1/landscapes/demo/undo",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct undo_asked, asks),
    .conditional = true,
    .answers = &changed_shape,
    .run = run,
};

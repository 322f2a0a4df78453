/* An edit: ops of brushes, all or none, one version and one undo step. */
#include <string.h>

#include "api/changed.h"
#include "api/edits/lending.h"
#include "api/landscapes/document.h"
#include "api/service.h"
#include "terrain/edit/brush.h"

struct edits {
    const char *edit_layer;
    struct list ops; /* struct variant */
};

static const struct field takes[] = {
    FIELD_AS(FIELD_NAME, struct edits, edit_layer, "The edit layer that takes the change",
             .has_value = true, .text = "base"),
    FIELD_AS(FIELD_VARIANTS, struct edits, ops, "What is done, in order", .unit = "ops", .least = 1,
             .greatest = 1000000, .variants = &brush_variants, .required = true),
    { .kind = FIELD_END }
};

struct edits_asked {
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct edits_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

/* What a draft's maker needs; it may run on another thread. */
struct making {
    const struct edits *edits;
    int64_t vertices; /* that all dabs may touch */
    struct lending lending;
};

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct making *making = context;
    const struct list *ops = &making->edits->ops;

    draft_limit(draft, making->vertices);
    draft_lend(draft, &making->lending.sources);
    return changed_layer(draft, making->edits->edit_layer, "/edit_layer", why) &&
           (brush_apply_all(draft, ops->items, ops->count, why) || fault_within(why, "/ops"));
}

/* What is kept in the log, and what a repeat with the same idempotency key must equal. */
static const char *request_text(struct request *rq)
{
    const char *body = document_request(rq);

    if (!body || rq->frame == FRAME_LOCAL)
        return body;
    return arena_print(rq->arena, "frame=%s %s", frame_words[rq->frame], body);
}

static bool check(struct request *rq, const struct edits *edits)
{
    if ((int64_t)edits->ops.count > rq->service->limits.edit_ops) {
        REFUSE(rq, FAULT_LIMIT, "the edit has %zu ops; at most %lld are taken (edit_ops)",
               edits->ops.count, (long long)rq->service->limits.edit_ops);
        return fault_at(&rq->fault, "/ops");
    }
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct making making = { .edits = rq->body, .vertices = rq->service->limits.edit_vertices };
    const char *request;
    bool done;

    if (!check(rq, rq->body))
        return false;
    request = request_text(rq);
    if (!request)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the edit's text");
    lending_init(&making.lending, rq->service);
    done = changed_make(rq, make, &making, ((const struct edits_asked *)asked)->dry_run, request,
                        answer);
    lending_fini(&making.lending);
    return done;
}

const struct endpoint endpoint_post_edits = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/edits",
    .summary = "Edit with brushes: all ops are one version and one undo step",
    .example_path = "/v1/landscapes/demo/edits",
    .example_body = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[20,20]],\"radius\":8,\"amount\":2}]}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct edits_asked, asks),
    .takes =
        &(const struct shape){
            .name = "edits", .size = sizeof(struct edits), .fields = takes, .given = -1 },
    .framed = true,
    .conditional = true,
    .answers = &changed_shape,
    .run = run,
};

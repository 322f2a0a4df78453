/* A copy of an edit layer, right above it. */
#include "api/edit_layers/edit_layer.h"

struct duplicate {
    const char *name;
};

static const struct field takes[] = { FIELD_AS(FIELD_NAME, struct duplicate, name,
                                               "The copy's name", .required = true),
                                      { .kind = FIELD_END } };

static bool apply(const struct edit_layer_work *work, struct draft *draft, struct fault *why)
{
    return layers_duplicate(draft, work->name, work->told, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct edit_layer_change_asked *which = asked;
    const struct duplicate *body = rq->body;
    struct edit_layer_work work = { .apply = apply, .name = which->name, .told = body->name };

    if (!edit_layer_make(rq, &work, which->dry_run,
                         arena_print(rq->arena, "POST edit-layers/%s/duplicate", which->name),
                         answer))
        return false;
    rq->status = 201;
    rq->location = edit_layer_path(rq, body->name);
    return true;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_post_duplicate = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/edit-layers/{name}/duplicate",
    .summary = "Copy an edit layer; the copy is unlocked and right above",
    .example_path = "/v1/landscapes/demo/edit-layers/roads/duplicate",
    .example_body = "{\"name\":\"roads-again\"}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &edit_layer_change_asked_shape,
    .takes = SHAPE(struct duplicate, takes),
    .conditional = true,
    .answers = &edit_layer_changed_shape,
    .statuses = statuses,
    .run = run,
};

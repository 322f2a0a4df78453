/* A new edit layer. */
#include "api/edit_layers/edit_layer.h"

struct add_asked {
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct add_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static const struct field takes[] = { EDIT_LAYER_ROWS(true), { .kind = FIELD_END } };

static bool apply(const struct edit_layer_work *work, struct draft *draft, struct fault *why)
{
    return layers_add(draft, work->name, work->change, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct edit_layer_body *body = rq->body;
    struct edit_layer_work work = { .apply = apply,
                                    .name = body->name,
                                    .told = body->name,
                                    .change = edit_layer_wanted(rq, body) };

    if (!work.change || !edit_layer_make(rq, &work, ((const struct add_asked *)asked)->dry_run,
                                         "POST edit-layers", answer))
        return false;
    rq->status = 201;
    rq->location = edit_layer_path(rq, body->name);
    return true;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_post_edit_layers = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/edit-layers",
    .summary = "Add an edit layer, on top unless it says where",
    .example_path = "/v1/landscapes/demo/edit-layers",
    .example_body = "{\"name\":\"roads\",\"blend\":\"alpha\",\"alpha\":0.8}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct add_asked, asks),
    .takes = &(const struct shape){ .name = "new_edit_layer",
                                    .size = sizeof(struct edit_layer_body),
                                    .fields = takes,
                                    .given = offsetof(struct edit_layer_body, given) },
    .conditional = true,
    .answers = &edit_layer_changed_shape,
    .statuses = statuses,
    .run = run,
};

/* A new paint layer. */
#include "api/layers/paint_layer.h"

struct add_asked {
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct add_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static const struct field takes[] = { PAINT_LAYER_ROWS(true), { .kind = FIELD_END } };

static bool apply(const struct paint_layer_work *work, struct draft *draft, struct fault *why)
{
    return paints_add(draft, work->name, &work->change, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct paint_layer_body *body = rq->body;
    struct paint_layer_work work = { .apply = apply, .name = body->name, .told = body->name };

    if (!paint_layer_wanted(body, &work.change, &rq->fault) ||
        !paint_layer_make(rq, &work, ((const struct add_asked *)asked)->dry_run, "POST layers",
                          answer))
        return false;
    rq->status = 201;
    rq->location =
        arena_print(rq->arena, "/v1/landscapes/%s/layers/%s", rq->landscape_name, body->name);
    return true;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_post_layers = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/layers",
    .summary = "Add a paint layer, behind the others",
    .example_path = "/v1/landscapes/demo/layers",
    .example_body = "{\"name\":\"snow\",\"debug_color\":\"#eef4ff\"}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct add_asked, asks),
    .takes = &(const struct shape){ .name = "new_paint_layer",
                                    .size = sizeof(struct paint_layer_body),
                                    .fields = takes,
                                    .given = offsetof(struct paint_layer_body, given) },
    .conditional = true,
    .answers = &paint_layer_changed_shape,
    .statuses = statuses,
    .run = run,
};

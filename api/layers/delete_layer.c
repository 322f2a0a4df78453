/* A paint layer goes, and another comes into what it had. */
#include "api/layers/paint_layer.h"

struct delete_asked {
    const char *name, *heir;
    bool dry_run;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_NAME, struct delete_asked, name, "The paint layer", .in_path = true,
             .required = true),
    FIELD_AS(FIELD_NAME, struct delete_asked, heir,
             "The paint layer that takes its weight; without one the others share it"),
    FIELD(struct delete_asked, dry_run, NULL, 0, 0, "Answer the same and change nothing"),
    { .kind = FIELD_END }
};

static bool apply(const struct paint_layer_work *work, struct draft *draft, struct fault *why)
{
    return paints_delete(draft, work->name, work->heir, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct delete_asked *which = asked;
    struct paint_layer_work work = {
        .apply = apply, .name = which->name, .heir = which->heir, .told = which->heir
    };

    return paint_layer_make(rq, &work, which->dry_run,
                            arena_print(rq->arena, "DELETE layers/%s?heir=%s", which->name,
                                        which->heir ? which->heir : ""),
                            answer);
}

const struct endpoint endpoint_delete_layer = {
    .method = "DELETE",
    .path = "/v1/landscapes/{landscape}/layers/{name}",
    .summary = "Delete a paint layer; its weight goes to an heir, or to the others by their shares",
    .example = "heir=rock",
    .example_path = "/v1/landscapes/demo/layers/grass",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct delete_asked, asks),
    .conditional = true,
    .answers = &paint_layer_changed_shape,
    .run = run,
};

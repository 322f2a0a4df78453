/* Another name, look or way of sharing of a paint layer (JSON Merge Patch). */
#include "api/layers/paint_layer.h"

struct patch_asked {
    const char *name;
    bool dry_run;
};

static const struct field asks[] = { FIELD_AS(FIELD_NAME, struct patch_asked, name,
                                              "The paint layer", .in_path = true, .required = true),
                                     FIELD(struct patch_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static const struct field takes[] = { PAINT_LAYER_ROWS(false), { .kind = FIELD_END } };

static bool apply(const struct paint_layer_work *work, struct draft *draft, struct fault *why)
{
    return paints_change(draft, work->name, &work->change, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct patch_asked *which = asked;
    const struct paint_layer_body *body = rq->body;
    struct paint_layer_work work = { .apply = apply,
                                     .name = which->name,
                                     .told = body->name ? body->name : which->name };

    return paint_layer_wanted(body, &work.change, &rq->fault) &&
           paint_layer_make(rq, &work, which->dry_run,
                            arena_print(rq->arena, "PATCH layers/%s", which->name), answer);
}

static const char *const media_in[] = { "application/merge-patch+json", "application/json", NULL };

const struct endpoint endpoint_patch_layer = {
    .method = "PATCH",
    .path = "/v1/landscapes/{landscape}/layers/{name}",
    .summary = "Change a paint layer: name, blended, physical_material, debug_color, material",
    .example_path = "/v1/landscapes/demo/layers/grass",
    .example_body = "{\"physical_material\":\"turf\",\"material\":{\"tiling\":4}}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct patch_asked, asks),
    .takes = &(const struct shape){ .name = "paint_layer_patch",
                                    .size = sizeof(struct paint_layer_body),
                                    .fields = takes,
                                    .given = offsetof(struct paint_layer_body, given) },
    .media_in = media_in,
    .conditional = true,
    .answers = &paint_layer_changed_shape,
    .run = run,
};

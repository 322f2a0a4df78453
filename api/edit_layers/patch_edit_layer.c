/* Another name, place, blend or strength of an edit layer (JSON Merge Patch). */
#include "api/edit_layers/edit_layer.h"

static const struct field takes[] = { EDIT_LAYER_ROWS(false), { .kind = FIELD_END } };

static bool apply(const struct edit_layer_work *work, struct draft *draft, struct fault *why)
{
    return layers_change(draft, work->name, work->change, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct edit_layer_change_asked *which = asked;
    const struct edit_layer_body *body = rq->body;
    struct edit_layer_work work = { .apply = apply,
                                    .name = which->name,
                                    .told = body->name ? body->name : which->name,
                                    .change = edit_layer_wanted(rq, body) };

    return work.change &&
           edit_layer_make(rq, &work, which->dry_run,
                           arena_print(rq->arena, "PATCH edit-layers/%s", which->name), answer);
}

static const char *const media_in[] = { "application/merge-patch+json", "application/json", NULL };

const struct endpoint endpoint_patch_edit_layer = {
    .method = "PATCH",
    .path = "/v1/landscapes/{landscape}/edit-layers/{name}",
    .summary = "Change an edit layer: name, place, blend, alphas, visible, locked, subtract",
    .example_path = "/v1/landscapes/demo/edit-layers/base",
    .example_body = "{\"alpha\":1,\"visible\":true}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &edit_layer_change_asked_shape,
    .takes = &(const struct shape){ .name = "edit_layer_patch",
                                    .size = sizeof(struct edit_layer_body),
                                    .fields = takes,
                                    .given = offsetof(struct edit_layer_body, given) },
    .media_in = media_in,
    .conditional = true,
    .answers = &edit_layer_changed_shape,
    .run = run,
};

/* An edit layer goes, with all that it holds. */
#include "api/edit_layers/edit_layer.h"

static bool apply(const struct edit_layer_work *work, struct draft *draft, struct fault *why)
{
    return layers_delete(draft, work->name, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct edit_layer_change_asked *which = asked;
    struct edit_layer_work work = { .apply = apply, .name = which->name };

    return edit_layer_make(rq, &work, which->dry_run,
                           arena_print(rq->arena, "DELETE edit-layers/%s", which->name), answer);
}

const struct endpoint endpoint_delete_edit_layer = {
    .method = "DELETE",
    .path = "/v1/landscapes/{landscape}/edit-layers/{name}",
    .summary = "Delete an edit layer",
    .example_path = "/v1/landscapes/demo/edit-layers/roads",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &edit_layer_change_asked_shape,
    .conditional = true,
    .answers = &edit_layer_changed_shape,
    .run = run,
};

/* One edit layer. */
#include "api/edit_layers/edit_layer.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct edit_layer_asked *which = asked;
    int at;

    return stack_find_edit(rq->view->settings->stack, which->name, &at, &rq->fault) &&
           edit_layer_tell(rq->arena, rq->view, at, answer, &rq->fault);
}

const struct endpoint endpoint_get_edit_layer = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/edit-layers/{name}",
    .summary = "One edit layer",
    .example_path = "/v1/landscapes/demo/edit-layers/base",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .asks = &edit_layer_asked_shape,
    .answers = &edit_layer_shape,
    .run = run,
};

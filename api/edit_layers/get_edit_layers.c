/* The stack of edit layers. */
#include "api/edit_layers/edit_layer.h"

struct stack_told {
    struct list edit_layers;
};

static const struct field answers[] = { FIELD_AS(FIELD_LIST, struct stack_told, edit_layers,
                                                 "The edit layers, the lowest first",
                                                 .shape = &edit_layer_shape),
                                        { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct stack_told *told = answer;

    (void)asked;
    return edit_layers_tell(rq->arena, rq->view, &told->edit_layers, &rq->fault);
}

const struct endpoint endpoint_get_edit_layers = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/edit-layers",
    .summary = "The stack of edit layers",
    .example_path = "/v1/landscapes/demo/edit-layers",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .answers = SHAPE(struct stack_told, answers),
    .run = run,
};

/* An edit layer goes into the one below it, and the surface stays as it is, bit by bit. */
#include "api/edit_layers/edit_layer.h"

static bool apply(const struct edit_layer_work *work, struct draft *draft, struct fault *why)
{
    return layers_collapse(draft, work->name, why);
}

/* The layer right below is told; it may be another by the time that the change has its turn. */
static const char *below(struct request *rq, const char *name)
{
    struct view *view = landscape_view(rq->landscape);
    const struct stack *stack = view->settings->stack;
    int at = stack_edit(stack, name);
    const char *lower = at > 0 ? arena_text(rq->arena, stack->edits[at - 1].name) : NULL;

    view_drop(view);
    return lower;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct edit_layer_change_asked *which = asked;
    struct edit_layer_work work = { .apply = apply,
                                    .name = which->name,
                                    .told = below(rq, which->name) };

    return edit_layer_make(rq, &work, which->dry_run,
                           arena_print(rq->arena, "POST edit-layers/%s/collapse", which->name),
                           answer);
}

const struct endpoint endpoint_post_collapse = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/edit-layers/{name}/collapse",
    .summary = "Collapse an edit layer into the one below; the surface stays exactly as it is",
    .example_path = "/v1/landscapes/demo/edit-layers/roads-again/collapse",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &edit_layer_change_asked_shape,
    .conditional = true,
    .answers = &edit_layer_changed_shape,
    .run = run,
};

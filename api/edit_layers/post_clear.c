/* What an edit layer holds is taken from it, everywhere or in a region. */
#include "api/edit_layers/edit_layer.h"

struct clear {
    bool heights, weights, holes;
    struct rect region;
    uint64_t given;
};

enum { GIVEN_REGION = 8 }; /* bit 3 of given */

static const struct field takes[] = {
    FIELD(struct clear, heights, NULL, 0, 0, "Its heights", .has_value = true, .value = true),
    FIELD(struct clear, weights, NULL, 0, 0, "Its weights", .has_value = true, .value = true),
    FIELD(struct clear, holes, NULL, 0, 0, "Its holes, and its filling of others'",
          .has_value = true, .value = true),
    FIELD(struct clear, region, "vertices", 0, 1 << 24, "Only there; everywhere without one"),
    { .kind = FIELD_END }
};

static bool apply(const struct edit_layer_work *work, struct draft *draft, struct fault *why)
{
    const struct clear *clear = work->body;
    unsigned kinds = (clear->heights ? CLEAR_HEIGHTS : 0) | (clear->weights ? CLEAR_WEIGHTS : 0) |
                     (clear->holes ? CLEAR_HOLES : 0);

    if (!(clear->given & GIVEN_REGION))
        return layers_clear(draft, work->name, kinds, NULL, why);
    if (rect_empty(clear->region) || !rect_inside(clear->region, view_rect(draft_view(draft)))) {
        struct rect all = view_rect(draft_view(draft));

        fault_set(why, FAULT_IMPOSSIBLE,
                  "the region is empty, or reaches beyond the %d x %d vertices that there are",
                  all.width, all.height);
        return fault_at(why, "/region");
    }
    return layers_clear(draft, work->name, kinds, &clear->region, why);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    static const struct clear all = { .heights = true, .weights = true, .holes = true };
    const struct edit_layer_change_asked *which = asked;
    struct edit_layer_work work = {
        .apply = apply, .name = which->name, .told = which->name, .body = rq->body ? rq->body : &all
    };

    return edit_layer_make(rq, &work, which->dry_run,
                           arena_print(rq->arena, "POST edit-layers/%s/clear", which->name),
                           answer);
}

const struct endpoint endpoint_post_clear = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/edit-layers/{name}/clear",
    .summary = "Clear an edit layer of heights, weights and holes, everywhere or in a region",
    .example_path = "/v1/landscapes/demo/edit-layers/roads/clear",
    .example_body = "{\"holes\":false,\"region\":{\"x\":0,\"y\":0,\"width\":9,\"height\":9}}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = &edit_layer_change_asked_shape,
    .takes = &(const struct shape){ .name = "clear",
                                    .size = sizeof(struct clear),
                                    .fields = takes,
                                    .given = offsetof(struct clear, given) },
    .body_optional = true,
    .conditional = true,
    .answers = &edit_layer_changed_shape,
    .run = run,
};

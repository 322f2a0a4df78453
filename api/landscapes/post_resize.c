/* The landscape with another number of components: an edit, answered like one. */
#include <string.h>

#include "api/changed.h"
#include "api/landscapes/document.h"
#include "api/service.h"
#include "terrain/edit/resize.h"

struct resizing {
    int32_t components[2];
    int anchor, mode;
};

static const char *const anchors[] = { "north-west", "north", "north-east", "west",
                                       "center",     "east",  "south-west", "south",
                                       "south-east", NULL };
static const char *const modes[] = { "expand", "clip", "resample", NULL };

static const struct field takes[] = {
    FIELD_AS(FIELD_INTS, struct resizing, components, "Components across and down", .count = 2,
             .least = 1, .greatest = 4096, .required = true),
    FIELD_AS(FIELD_CHOICE, struct resizing, anchor,
             "Where the ground that stays lies on the new one", .words = anchors, .has_value = true,
             .value = RESIZE_NORTH_WEST),
    FIELD_AS(FIELD_CHOICE, struct resizing, mode,
             "Expand repeats the border outwards, clip cuts off; resample keeps the borders where "
             "they are and changes the step",
             .words = modes, .required = true),
    { .kind = FIELD_END }
};

struct resize_asked {
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct resize_asked, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

static bool make(void *context, struct draft *draft, struct fault *why)
{
    return resize_apply(draft, context, why);
}

/* Limits first: nothing of that size is made to be thrown away. */
static bool allowed(struct request *rq, const struct resize *resize)
{
    struct settings *settings = resize_settings(rq->view->settings, resize, &rq->fault);
    bool fits = settings && (document_size(rq, settings) || fault_at(&rq->fault, "/components"));

    settings_drop(settings);
    return fits;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct resizing *body = rq->body;
    struct resize resize = { { body->components[0], body->components[1] },
                             (enum resize_mode)body->mode,
                             (enum resize_anchor)body->anchor };

    if (!allowed(rq, &resize))
        return false;
    return changed_make(rq, make, &resize, ((const struct resize_asked *)asked)->dry_run,
                        document_request(rq), answer);
}

const struct endpoint endpoint_post_resize = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/resize",
    .summary = "More, fewer or other components, with everything that the layers hold",
    .example_path = "/v1/landscapes/demo/resize",
    .example_body = "{\"components\":[8,6],\"mode\":\"expand\",\"anchor\":\"north-west\"}",
    .scope = SCOPE_ADMIN,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct resize_asked, asks),
    .takes = SHAPE(struct resizing, takes),
    .conditional = true,
    .answers = &changed_shape,
    .run = run,
};

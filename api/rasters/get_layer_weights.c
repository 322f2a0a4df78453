/* The weights of one paint layer over a rectangle of vertices. */
#include "api/rasters/weights.h"
#include "terrain/query/cover.h"

struct layer_weights {
    struct window_asked window;
    const char *layer;
};

static const struct field asks[] = { FIELD_AS(FIELD_NAME, struct layer_weights, layer,
                                              "The paint layer", .required = true, .in_path = true),
                                     { .kind = FIELD_END } };

/* The layer, and the window within the landscape. */
static bool find(struct request *rq, const struct layer_weights *asked,
                 struct weights_layers *layers, struct rect *window)
{
    const char *names[1] = { asked->layer };
    const struct list list = { 1, names };

    return weights_find(rq->view->settings->stack, &list, "", layers, &rq->fault) &&
           window_rect(&asked->window, view_rect(rq->view), rq->view, window, &rq->fault);
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct weights_layers layers;
    struct rect window;

    if (!find(rq, asked, &layers, &window))
        return false;
    *version = cover_stamp(rq->view, layers.paints, layers.count, window);
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct weights_layers layers;
    struct rect window;

    (void)answer;
    return find(rq, asked, &layers, &window) &&
           weights_answer(rq, (enum eight_bit_form)rq->media_out, &layers, window);
}

const struct endpoint endpoint_get_layer_weights = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/weights/{layer}",
    .summary = "The weights of a paint layer over a rectangle of vertices, 0 to 255",
    .example = "x=0&y=0&width=4&height=2&format=r8",
    .example_path = "/v1/landscapes/demo/weights/grass",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "layer_weights",
                                   .size = sizeof(struct layer_weights),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_out = eight_bit_media,
    .formats = eight_bit_formats,
    .newest = newest,
    .run = run,
};

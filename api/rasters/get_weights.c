/* The weights of several paint layers over a rectangle of vertices, plane after plane. */
#include "api/rasters/weights.h"
#include "terrain/query/cover.h"

struct weights_asked {
    struct window_asked window;
    struct list layers; /* const char * */
};

static const struct field asks[] = { FIELD_AS(FIELD_TEXTS, struct weights_asked, layers,
                                              "The paint layers, in the order of their planes; all "
                                              "when left out",
                                              .greatest = PAINT_LAYERS_MOST),
                                     { .kind = FIELD_END } };

static bool find(struct request *rq, const struct weights_asked *asked,
                 struct weights_layers *layers, struct rect *window)
{
    const struct stack *stack = rq->view->settings->stack;

    layers->count = stack->paint_count;
    for (int paint = 0; paint < stack->paint_count; paint++)
        layers->paints[paint] = paint;
    if (asked->layers.count > 0 &&
        !weights_find(stack, &asked->layers, "layers", layers, &rq->fault))
        return false;
    return window_rect(&asked->window, view_rect(rq->view), rq->view, window, &rq->fault);
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
    return find(rq, asked, &layers, &window) && weights_answer(rq, EIGHT_BIT_R8, &layers, window);
}

static const char *const media_out[] = { "application/x-r8", NULL };

const struct endpoint endpoint_get_weights = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/weights",
    .summary = "The weights of several paint layers over a rectangle of vertices: a plane each",
    .example = "layers=grass,rock&x=0&y=0&width=4&height=2",
    .example_path = "/v1/landscapes/demo/weights",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "weights",
                                   .size = sizeof(struct weights_asked),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_out = media_out,
    .newest = newest,
    .run = run,
};

/* One paint layer. */
#include "api/layers/paint_layer.h"
#include "api/pictures/drawing_rasters.h"
#include "api/service.h"

struct layer_asked {
    const char *name;
    bool statistics;
};

static const struct field asks[] = { FIELD_AS(FIELD_NAME, struct layer_asked, name,
                                              "The paint layer", .in_path = true, .required = true),
                                     FIELD(struct layer_asked, statistics, NULL, 0, 0,
                                           "Tell how much of it there is"),
                                     { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct layer_asked *which = asked;
    int at;

    return stack_find_paint(rq->view->settings->stack, which->name, &at, &rq->fault) &&
           paint_layer_tell(rq->arena, rq->service->gallery, rq->view, at, which->statistics,
                            answer, &rq->fault);
}

const struct endpoint endpoint_get_layer = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/layers/{name}",
    .summary = "One paint layer, with statistics if asked for",
    .example = "statistics=true",
    .example_path = "/v1/landscapes/demo/layers/grass",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct layer_asked, asks),
    .answers = &paint_layer_shape,
    .newest = drawing_newest,
    .run = run,
};

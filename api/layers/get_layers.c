/* The paint layers. */
#include "api/layers/paint_layer.h"
#include "api/pictures/drawing_rasters.h"
#include "api/service.h"

struct layers_asked {
    bool statistics;
};

static const struct field asks[] = { FIELD(struct layers_asked, statistics, NULL, 0, 0,
                                           "Tell how much of each there is"),
                                     { .kind = FIELD_END } };

struct layers_told {
    struct list layers;
};

static const struct field answers[] = { FIELD_AS(FIELD_LIST, struct layers_told, layers,
                                                 "The paint layers, in the order that breaks ties",
                                                 .shape = &paint_layer_shape),
                                        { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct layers_told *told = answer;

    return paint_layers_tell(rq->arena, rq->service->gallery, rq->view,
                             ((const struct layers_asked *)asked)->statistics, &told->layers,
                             &rq->fault);
}

const struct endpoint endpoint_get_layers = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/layers",
    .summary = "The paint layers, with statistics if asked for",
    .example = "statistics=true",
    .example_path = "/v1/landscapes/demo/layers",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct layers_asked, asks),
    .answers = SHAPE(struct layers_told, answers),
    .newest = drawing_newest,
    .run = run,
};

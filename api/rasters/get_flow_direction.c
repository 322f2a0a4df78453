/* Which way water runs from each vertex. */
#include "api/rasters/flow.h"

static bool read_row(void *context, int32_t j, double *values, struct fault *why)
{
    const struct flow *flow = context;

    (void)why;
    for (int32_t i = 0; i < flow->over.width; i++)
        values[i] = flow->directions[(int64_t)j * flow->over.width + i];
    return true;
}

static bool run(struct request *rq, const void *data, void *answer)
{
    static const enum plain_form forms[] = { PLAIN_PNG, PLAIN_R8, PLAIN_JSON };
    const struct flow_asked *asked = data;
    struct plain_raster raster = { .row = read_row };
    struct flow flow;
    bool done;

    (void)answer;
    if (!flow_ask(rq, asked, asked->fill, &flow))
        return false;
    raster.window = (struct export_window){ flow.over, 1 };
    raster.context = &flow;
    done = plain_raster_write(rq, forms[rq->media_out], &raster);
    flow_free(&flow);
    return done;
}

static const char *const media[] = { "image/png", "application/x-r8", "application/json", NULL };
static const char *const formats[] = { "png", "r8", "json", NULL };

const struct endpoint endpoint_get_flow_direction = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/flow-direction",
    .summary = "Which way water runs from each vertex of a rectangle, to the neighbour to which it "
               "falls most steeply (D8): 1 east, 2 south-east, 4 south, 8 south-west, 16 west, 32 "
               "north-west, 64 north, 128 north-east; 0 nowhere, or out of the window; 255 no "
               "ground. What comes from outside the window is not known",
    .example = "width=4&height=2&format=json",
    .example_path = "/v1/landscapes/demo/flow-direction",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &flow_shape,
    .media_out = media,
    .formats = formats,
    .newest = flow_newest,
    .run = run,
};

/* How deep water stands in the ground's depressions once they are full. */
#include <math.h>
#include <stdlib.h>

#include "api/rasters/flow.h"

struct depths {
    const struct view *view;
    const struct flow *flow;
    uint16_t *codes; /* a row of the ground */
    double greatest;
};

static bool read_row(void *context, int32_t j, double *values, struct fault *why)
{
    const struct depths *depths = context;
    const struct rect over = depths->flow->over;
    const int64_t first = (int64_t)j * over.width;
    const double unit = view_grid(depths->view)->scale[2] / 128;

    (void)why;
    view_read_heights(depths->view, (struct rect){ over.x, over.y + j, over.width, 1 },
                      depths->codes, over.width);
    for (int32_t i = 0; i < over.width; i++)
        values[i] = depths->flow->directions[first + i] == FLOW_NO_GROUND
                        ? NAN
                        : (depths->flow->codes[first + i] - depths->codes[i]) * unit;
    return true;
}

static double shade(void *context, double value)
{
    const struct depths *depths = context;

    return depths->greatest > 0 ? 255 * value / depths->greatest : 0;
}

/* For pictures: white is the deepest. */
static void find_greatest(struct depths *depths, double *values)
{
    const struct rect over = depths->flow->over;

    for (int32_t j = 0; j < over.height; j++) {
        read_row(depths, j, values, NULL);
        for (int32_t i = 0; i < over.width; i++)
            depths->greatest = fmax(depths->greatest, values[i]);
    }
}

static bool write(struct request *rq, const struct flow *flow)
{
    static const enum plain_form forms[] = { PLAIN_PNG, PLAIN_F32, PLAIN_JSON };
    struct depths depths = { rq->view, flow,
                             arena_new(rq->arena, (size_t)flow->over.width * sizeof(uint16_t)), 0 };
    const struct plain_raster raster = {
        { flow->over, 1 }, .row = read_row, .shade = shade, .context = &depths
    };
    double *values = arena_new(rq->arena, (size_t)flow->over.width * sizeof *values);

    if (!depths.codes || !values)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a row of %d depths", flow->over.width);
    if (forms[rq->media_out] == PLAIN_PNG)
        find_greatest(&depths, values);
    return plain_raster_write(rq, forms[rq->media_out], &raster);
}

static bool run(struct request *rq, const void *data, void *answer)
{
    struct flow flow;
    bool done;

    (void)answer;
    if (!flow_ask(rq, data, true, &flow))
        return false;
    done = write(rq, &flow);
    flow_free(&flow);
    return done;
}

static const char *const media[] = { "image/png", "application/x-f32", "application/json", NULL };
static const char *const formats[] = { "png", "f32", "json", NULL };

const struct endpoint endpoint_get_depression_depths = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/depression-depths",
    .summary =
        "How many metres the ground of a rectangle must rise so that all water runs off to "
        "its border or to a hole; no number where there is no ground. As a picture, white is "
        "the deepest of the window",
    .example = "width=4&height=2&format=json",
    .example_path = "/v1/landscapes/demo/depression-depths",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &flow_filled_shape,
    .media_out = media,
    .formats = formats,
    .newest = flow_newest,
    .run = run,
};

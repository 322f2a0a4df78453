/* How much water comes together at each vertex. */
#include <math.h>
#include <stdlib.h>

#include "api/rasters/flow.h"

static const char *const unit_words[] = { "vertices", "area", NULL };
enum { UNIT_VERTICES, UNIT_AREA };

struct asked {
    struct flow_asked flow;
    int unit;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_CHOICE, struct asked, unit,
             "The number of vertices that drain through one, itself included, or their square "
             "metres",
             .words = unit_words, .has_value = true, .value = UNIT_VERTICES),
    { .kind = FIELD_END }
};
static const struct shape shape = { .name = "flow_accumulation",
                                    .size = sizeof(struct asked),
                                    .fields = rows,
                                    .base = &flow_shape,
                                    .given = -1 };

struct sums {
    int32_t columns;
    const uint32_t *counts;
    double each; /* what a vertex adds */
    double greatest;
};

static bool read_row(void *context, int32_t j, double *values, struct fault *why)
{
    const struct sums *sums = context;
    const uint32_t *counts = sums->counts + (int64_t)j * sums->columns;

    (void)why;
    for (int32_t i = 0; i < sums->columns; i++)
        values[i] = counts[i] ? counts[i] * sums->each : NAN;
    return true;
}

static double shade(void *context, double value)
{
    const struct sums *sums = context;

    return sums->greatest > sums->each
               ? 255 * log(value / sums->each) / log(sums->greatest / sums->each)
               : 0;
}

static bool write(struct request *rq, const struct asked *asked, const struct flow *flow,
                  const uint32_t *counts)
{
    static const enum plain_form forms[] = { PLAIN_PNG, PLAIN_F32, PLAIN_F64, PLAIN_JSON };
    const double *scale = view_grid(rq->view)->scale;
    struct sums sums = { flow->over.width, counts,
                         asked->unit == UNIT_AREA ? scale[0] * scale[1] : 1, 0 };
    const struct plain_raster raster = { { flow->over, 1 },
                                         .row = read_row,
                                         .shade = shade,
                                         .context = &sums,
                                         .members = asked->unit == UNIT_AREA
                                                        ? "\"unit\":\"area\","
                                                        : "\"unit\":\"vertices\"," };

    for (int64_t at = 0; at < rect_area(flow->over); at++)
        sums.greatest = fmax(sums.greatest, counts[at] * sums.each);
    return plain_raster_write(rq, forms[rq->media_out], &raster);
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct asked *asked = data;
    uint32_t *counts;
    struct flow flow;
    bool done;

    (void)answer;
    if (!flow_ask(rq, &asked->flow, asked->flow.fill, &flow))
        return false;
    counts = malloc((size_t)rect_area(flow.over) * sizeof *counts);
    done = counts ? flow_accumulate(&flow, counts, &rq->fault) && write(rq, asked, &flow, counts)
                  : REFUSE(rq, FAULT_MEMORY, "no memory for the flow of %lld vertices",
                           (long long)rect_area(flow.over));
    free(counts);
    flow_free(&flow);
    return done;
}

static const char *const media[] = { "image/png", "application/x-f32", "application/x-f64",
                                     "application/json", NULL };
static const char *const formats[] = { "png", "f32", "f64", "json", NULL };

const struct endpoint endpoint_get_flow_accumulation = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/flow-accumulation",
    .summary =
        "How much of a rectangle's water comes together at each vertex; no number where "
        "there is no ground. As a picture, black is one vertex and white the greatest of the "
        "window, by its logarithm",
    .example = "width=4&height=2&format=json",
    .example_path = "/v1/landscapes/demo/flow-accumulation",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &shape,
    .media_out = media,
    .formats = formats,
    .newest = flow_newest,
    .run = run,
};

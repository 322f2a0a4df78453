/* Statistics of the surface over a rectangle of vertices. */
#include "api/queries/statistics.h"
#include "api/rasters/window.h"

struct statistics_window {
    struct window_asked window;
    struct measures measures;
    uint64_t given;
};

static const struct field asks[] = { MEASURES(struct statistics_window), { .kind = FIELD_END } };

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct rect over;

    if (!window_rect(asked, view_rect(rq->view), rq->view, &over, &rq->fault))
        return false;
    *version = rq->view->version; /* which the answer tells */
    return true;
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct statistics_window *asked = data;
    const double plane[3] = { asked->measures.plane, 0, 0 };
    struct region region;
    struct rect over;

    if (!window_rect(&asked->window, view_rect(rq->view), rq->view, &over, &rq->fault))
        return false;
    region = region_rect(over);
    return measures_take(rq, &asked->measures, asked->given & MEASURES_PLANE ? plane : NULL,
                         &region, answer);
}

const struct endpoint endpoint_get_statistics = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/statistics",
    .summary = "Heights, areas and volumes of the surface over a rectangle of vertices",
    .example = "x=0&y=0&width=64&height=64&percentiles=5,50,95&bins=4&plane=10",
    .example_path = "/v1/landscapes/demo/statistics",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .framed = true,
    .asks = &(const struct shape){ .name = "statistics_window",
                                   .size = sizeof(struct statistics_window),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = offsetof(struct statistics_window, given) },
    .newest = newest,
    .answers = &measured_shape,
    .run = run,
};

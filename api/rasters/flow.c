#include "api/rasters/flow.h"

#include "api/service.h"

#define HOLES_FIELD                                                                                \
    FIELD(struct flow_asked, ignore_holes, NULL, 0, 0,                                             \
          "Water runs over the ground beneath holes, instead of into them")

static const struct field filled_rows[] = { HOLES_FIELD, { .kind = FIELD_END } };
static const struct field rows[] = {
    FIELD(struct flow_asked, fill, NULL, 0, 0,
          "The ground is raised where water would stand, so that all of it gets to the window's "
          "border or to a hole; otherwise pits and level ground keep it",
          .has_value = true, .value = true),
    HOLES_FIELD,
    { .kind = FIELD_END }
};

const struct shape flow_shape = { .name = "flow",
                                  .size = sizeof(struct flow_asked),
                                  .fields = rows,
                                  .base = &window_shape,
                                  .given = -1 };
const struct shape flow_filled_shape = { .name = "flow_filled",
                                         .size = sizeof(struct flow_asked),
                                         .fields = filled_rows,
                                         .base = &window_shape,
                                         .given = -1 };

/* Quads beside the window tell whether its border is ground. */
bool flow_newest(struct request *rq, const void *data, uint64_t *version)
{
    const struct flow_asked *asked = data;
    struct rect over, around;

    if (!window_rect(&asked->window, view_rect(rq->view), rq->view, &over, &rq->fault))
        return false;
    around = (struct rect){ over.x - 1, over.y - 1, over.width + 2, over.height + 2 };
    *version = view_newest(rq->view, rect_meet(around, view_rect(rq->view)));
    return true;
}

bool flow_ask(struct request *rq, const struct flow_asked *asked, bool fill, struct flow *flow)
{
    const struct flow_options options = { fill, asked->ignore_holes };
    const int64_t most = rq->service->limits.flow_vertices;
    struct rect over;

    if (!window_rect(&asked->window, view_rect(rq->view), rq->view, &over, &rq->fault))
        return false;
    if (rect_area(over) > most)
        return REFUSE(rq, FAULT_LIMIT,
                      "the window has %lld vertices; water is followed over at most %lld "
                      "(flow_vertices)",
                      (long long)rect_area(over), (long long)most);
    return flow_trace(rq->view, over, &options, rq->service->executor, flow, &rq->fault);
}

/* Earth moved between two versions over a rectangle of vertices. */
#include "api/queries/cut_fill.h"
#include "api/rasters/window.h"

struct cut_fill_window {
    struct window_asked window;
    int64_t from, to;
    bool ignore_holes;
};

static const struct field asks[] = { FIELD(struct cut_fill_window, from, NULL, 1,
                                           9007199254740992.0, "The earlier version",
                                           .required = true),
                                     FIELD(struct cut_fill_window, to, NULL, 1, 9007199254740992.0,
                                           "The later version; without it the newest"),
                                     CUT_FILL_IGNORE_HOLES(struct cut_fill_window),
                                     { .kind = FIELD_END } };

/* What lies between two versions never changes. */
static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct cut_fill_window *window = asked;

    *version = window->to ? (uint64_t)window->to : rq->view->version;
    return true;
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct cut_fill_window *asked = data;
    struct cut_fill_views views;
    struct region region;
    struct rect over;
    bool done = false;

    if (cut_fill_open(rq, asked->from, asked->to, &views) &&
        window_rect(&asked->window, view_rect(views.to), views.to, &over, &rq->fault)) {
        region = region_rect(over);
        done = cut_fill_take(rq, &views, &region, asked->ignore_holes, answer);
    }
    cut_fill_close(&views);
    return done;
}

const struct endpoint endpoint_get_cut_fill = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/cut-fill",
    .summary = "Earth moved between two versions over a rectangle of vertices",
    .example = "from=2&to=3",
    .example_path = "/v1/landscapes/demo/cut-fill",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .framed = true,
    .asks = &(const struct shape){ .name = "cut_fill_window",
                                   .size = sizeof(struct cut_fill_window),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .newest = newest,
    .answers = &cut_fill_shape,
    .run = run,
};

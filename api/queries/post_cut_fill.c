/* Earth moved between two versions within a polygon. */
#include "api/queries/cut_fill.h"
#include "api/queries/statistics.h"

struct cut_fill_polygon {
    int64_t from, to;
    bool ignore_holes;
    struct list polygon; /* of double[2] */
};

static const struct field takes_rows[] = {
    FIELD(struct cut_fill_polygon, from, NULL, 1, 9007199254740992.0, "The earlier version",
          .required = true),
    FIELD(struct cut_fill_polygon, to, NULL, 1, 9007199254740992.0,
          "The later version; without it the newest"),
    CUT_FILL_IGNORE_HOLES(struct cut_fill_polygon),
    FIELD_AS(FIELD_POINTS, struct cut_fill_polygon, polygon,
             "Its corners, in the request's frame; inside is what is so by the even-odd rule",
             .unit = "points", .least = 3, .greatest = 1000000, .required = true),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct cut_fill_polygon *body = rq->body;
    struct cut_fill_views views;
    struct region region;
    bool done;

    (void)data;
    done = cut_fill_open(rq, body->from, body->to, &views) &&
           measures_polygon(rq, views.to, &body->polygon, &region) &&
           cut_fill_take(rq, &views, &region, body->ignore_holes, answer);
    cut_fill_close(&views);
    return done;
}

const struct endpoint endpoint_post_cut_fill = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/cut-fill",
    .summary = "Earth moved between two versions within a polygon, cut along its sides",
    .example_path = "/v1/landscapes/demo/query/cut-fill",
    .example_body = "{\"from\":2,\"to\":3,\"polygon\":[[10,10],[60,12],[40,50]]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .framed = true,
    .takes = SHAPE(struct cut_fill_polygon, takes_rows),
    .body_limit = "points_body_bytes",
    .answers = &cut_fill_shape,
    .run = run,
};

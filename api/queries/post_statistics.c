/* Statistics of the surface within a polygon. */
#include <math.h>

#include "api/queries/statistics.h"

struct statistics_polygon {
    struct measures measures;
    struct list polygon; /* of double[2] */
    struct list through; /* of double[3] */
    uint64_t given;
};

static const struct field takes_rows[] = {
    MEASURES(struct statistics_polygon),
    FIELD_AS(FIELD_POINTS, struct statistics_polygon, polygon,
             "Its corners, in the request's frame; inside is what is so by the even-odd rule",
             .unit = "points", .least = 3, .greatest = 1000000, .required = true),
    FIELD_AS(FIELD_POINTS, struct statistics_polygon, through,
             "Instead of plane: three points on it, so that it may be tilted", .unit = "points",
             .least = 3, .greatest = 3, .count = 3),
    { .kind = FIELD_END }
};

/* z = plane[0] + plane[1] x + plane[2] y. */
static bool plane_through(struct request *rq, const double (*p)[3], double plane[3])
{
    const double ax = p[1][0] - p[0][0], ay = p[1][1] - p[0][1], az = p[1][2] - p[0][2];
    const double bx = p[2][0] - p[0][0], by = p[2][1] - p[0][1], bz = p[2][2] - p[0][2];
    const double turn = ax * by - ay * bx;

    if (!(fabs(turn) > 1e-9 * (hypot(ax, ay) * hypot(bx, by)))) {
        REFUSE(rq, FAULT_INPUT,
               "seen from above, the three points lie on one line: no plane but "
               "an upright one runs through them");
        return fault_at(&rq->fault, "/through");
    }
    plane[1] = (az * by - bz * ay) / turn;
    plane[2] = (ax * bz - bx * az) / turn;
    plane[0] = p[0][2] - plane[1] * p[0][0] - plane[2] * p[0][1];
    return true;
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct statistics_polygon *body = rq->body;
    const bool tilted = body->through.count > 0, level = body->given & MEASURES_PLANE;
    double plane[3] = { body->measures.plane, 0, 0 };
    struct region region;

    (void)data;
    if (tilted && level) {
        REFUSE(rq, FAULT_INPUT, "the plane is given twice: by plane and by through");
        return fault_at(&rq->fault, "/through");
    }
    if (tilted && !plane_through(rq, body->through.items, plane))
        return false;
    return measures_polygon(rq, rq->view, &body->polygon, &region) &&
           measures_take(rq, &body->measures, tilted || level ? plane : NULL, &region, answer);
}

const struct endpoint endpoint_post_statistics = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/statistics",
    .summary = "Heights, areas and volumes of the surface within a polygon, cut along its sides",
    .example_path = "/v1/landscapes/demo/query/statistics",
    .example_body = "{\"polygon\":[[10,10],[60,12],[40,50]],\"plane\":10,\"percentiles\":[50]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .framed = true,
    .takes = &(const struct shape){ .name = "statistics_polygon",
                                    .size = sizeof(struct statistics_polygon),
                                    .fields = takes_rows,
                                    .given = offsetof(struct statistics_polygon, given) },
    .body_limit = "points_body_bytes",
    .answers = &measured_shape,
    .run = run,
};

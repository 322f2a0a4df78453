#include "api/queries/cut_fill.h"

#include <math.h>

#include "api/queries/statistics.h"
#include "api/service.h"
#include "terrain/query/earthwork.h"

struct cut_fill {
    int64_t from, to;
    double cut, fill, net, cut_area, fill_area;
    int64_t changed;
    double fall, fall_at[2], rise, rise_at[2];
};

static const struct field rows[] = {
    FIELD(struct cut_fill, from, NULL, 0, 0, "The earlier version"),
    FIELD(struct cut_fill, to, NULL, 0, 0, "The later version"),
    FIELD(struct cut_fill, cut, "m3", 0, 0, "Earth that has gone"),
    FIELD(struct cut_fill, fill, "m3", 0, 0, "Earth that has come"),
    FIELD(struct cut_fill, net, "m3", 0, 0, "fill less cut"),
    FIELD(struct cut_fill, cut_area, "m2", 0, 0, "Where the ground is lower, seen from above"),
    FIELD(struct cut_fill, fill_area, "m2", 0, 0, "Where it is higher"),
    FIELD(struct cut_fill, changed, "vertices", 0, 0, "How many are lower or higher"),
    FIELD(struct cut_fill, fall, "m", 0, 0, "How much lower the vertex that fell most is"),
    FIELD_AS(FIELD_POINT, struct cut_fill, fall_at, "Where, in the request's frame",
             .nullable = true),
    FIELD(struct cut_fill, rise, "m", 0, 0, "How much higher the vertex that rose most is"),
    FIELD_AS(FIELD_POINT, struct cut_fill, rise_at, "Where, in the request's frame",
             .nullable = true),
    { .kind = FIELD_END }
};

const struct shape cut_fill_shape = {
    .name = "cut_fill", .size = sizeof(struct cut_fill), .fields = rows, .given = -1
};

static struct view *version_of(struct request *rq, int64_t version, const char *member)
{
    struct view *view = version ? landscape_view_at(rq->landscape, (uint64_t)version, &rq->fault)
                                : view_hold(rq->view);

    if (!view)
        fault_at(&rq->fault, "%s%s", rq->body ? "/" : "", member);
    return view;
}

bool cut_fill_open(struct request *rq, int64_t from, int64_t to, struct cut_fill_views *views)
{
    views->from = version_of(rq, from, "from");
    views->to = views->from ? version_of(rq, to, "to") : NULL;
    if (!views->to)
        return false;
    rq->version = views->to->version;
    return true;
}

void cut_fill_close(struct cut_fill_views *views)
{
    view_drop(views->from);
    view_drop(views->to);
}

static void fill(const struct cut_fill_views *views, const struct earthwork *from,
                 struct cut_fill *to)
{
    *to = (struct cut_fill){ .from = (int64_t)views->from->version,
                             .to = (int64_t)views->to->version,
                             .cut = from->cut,
                             .fill = from->fill,
                             .net = from->fill - from->cut,
                             .cut_area = from->cut_area,
                             .fill_area = from->fill_area,
                             .changed = from->changed,
                             .fall = from->fall,
                             .rise = from->rise };
    for (int k = 0; k < 2; k++) {
        to->fall_at[k] = from->fall > 0 ? from->fall_at[k] : NAN;
        to->rise_at[k] = from->rise > 0 ? from->rise_at[k] : NAN;
    }
}

bool cut_fill_take(struct request *rq, const struct cut_fill_views *views, struct region *region,
                   bool ignore_holes, struct cut_fill *answer)
{
    struct earthwork earthwork;
    const bool done =
        measures_fit(rq, region) && earthwork_of(views->from, views->to, region, ignore_holes,
                                                 rq->service->executor, &earthwork, &rq->fault);

    region_fini(region);
    if (done)
        fill(views, &earthwork, answer);
    return done;
}

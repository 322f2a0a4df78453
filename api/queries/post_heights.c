/* Heights at many points: JSON, or pairs of floats in and floats out. */
#include <inttypes.h>
#include <math.h>

#include "api/endpoint.h"
#include "api/frame.h"
#include "api/json_write.h"
#include "api/queries/about.h"
#include "api/queries/floats.h"
#include "api/queries/items.h"
#include "api/service.h"
#include "terrain/query/collide.h"

struct points {
    struct list points;
};

/* Positions without a place on the grid are outside like any other. */
static const struct field points_rows[] = {
    FIELD_AS(FIELD_POINTS, struct points, points, "The positions, in the request's frame",
             .unit = "points", .least = 0, .greatest = 16777216, .required = true, .anywhere = true,
             .limit = "query_points"),
    { .kind = FIELD_END }
};

static const struct shape points_shape = {
    .name = "points", .size = sizeof(struct points), .fields = points_rows, .given = -1
};

struct heights_asked {
    struct list fields; /* const char * */
    int interpolation;
    bool ignore_holes, statuses;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_TEXTS, struct heights_asked, fields,
             "More about each point, JSON only: " ABOUT_WORDS),
    ABOUT_INTERPOLATION(struct heights_asked),
    FIELD(struct heights_asked, ignore_holes, NULL, 0, 0,
          "Whether holes have the height of the ground beneath"),
    FIELD(struct heights_asked, statuses, NULL, 0, 0,
          "Tell what became of each point: hit, hole or outside; in binary a byte each behind all "
          "the heights, 0, 2 or 3"),
    { .kind = FIELD_END }
};

/* A point of which more was asked than its height. */
struct point {
    struct about about;
    double z;
};

static const struct field point_rows[] = { FIELD(struct point, z, "m", 0, 0, "The height"),
                                           { .kind = FIELD_END } };

/* As it is told in OpenAPI; those that were asked for are printed. */
static const struct shape point_shape = { .name = "point",
                                          .size = sizeof(struct point),
                                          .fields = point_rows,
                                          .base = &about_shape,
                                          .given = -1 };

struct heights {
    uint64_t version;
    struct list heights;  /* double, NaN without a surface */
    struct list points;   /* instead, with fields */
    struct list statuses; /* const char * */
};

static const struct field answers[] = {
    FIELD(struct heights, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(FIELD_NUMBERS, struct heights, heights,
             "In the points' order; null outside the landscape and in holes", .unit = "m",
             .left_out = true),
    FIELD_AS(FIELD_LIST, struct heights, points,
             "Instead of heights, where fields were asked for: the height and those",
             .shape = &point_shape, .nullable = true, .left_out = true),
    FIELD_AS(FIELD_TEXTS, struct heights, statuses, "Where asked for: hit, hole or outside",
             .left_out = true),
    { .kind = FIELD_END }
};

static struct collide_ways ways_of(const struct heights_asked *asked)
{
    return (struct collide_ways){ (enum interpolation)asked->interpolation, asked->ignore_holes };
}

/* More about each point */

struct telling {
    const struct request *rq;
    struct about_choice choice;
    const double (*at)[2];
    const double *z;
};

static bool points_print(void *work, size_t first, size_t count, struct bytes *to,
                         struct fault *why)
{
    const struct telling *telling = work;

    for (size_t i = first; i < first + count; i++) {
        struct point point = { .z = telling->z[i] };
        const bool met = !isnan(point.z);

        if ((i > 0 && !bytes_add(to, ",", 1, why)) ||
            (met && !about_fill(telling->rq, -1, telling->at[i], telling->choice.words,
                                &point.about, why)) ||
            !(met ? json_write(&telling->choice.shape, &point, to, why)
                  : bytes_add(to, "null", 4, why)))
            return false;
    }
    return true;
}

/* statuses may be NULL. */
static bool points_answer(struct request *rq, const struct heights_asked *asked,
                          const struct list *points, const double *z, const uint8_t *statuses)
{
    struct shape own = point_shape;
    struct telling telling = { .rq = rq, .at = points->items, .z = z };

    own.base = NULL;
    return about_choose(rq, &asked->fields, &own, offsetof(struct point, about), &telling.choice) &&
           about_count(rq, &telling.choice, points->count) &&
           bytes_print(&rq->bytes, &rq->fault,
                       "{\"version\":%" PRIu64 ",\"points\":", rq->view->version) &&
           items_write(rq, points->count, points_print, &telling) &&
           (!statuses || items_statuses(rq, statuses, points->count)) &&
           bytes_add(&rq->bytes, "}", 1, &rq->fault);
}

/* JSON */

static bool json_run(struct request *rq, const struct heights_asked *asked, struct heights *answer)
{
    const struct list *points = &((const struct points *)rq->body)->points;
    const struct collide_ways ways = ways_of(asked);
    double *z = NULL;
    uint8_t *statuses = NULL;

    if (!floats_count(rq, "points", "query_points", points->count))
        return fault_at(&rq->fault, "/points");
    z = arena_new(rq->arena, points->count * sizeof *z + 1);
    if (asked->statuses)
        statuses = arena_new(rq->arena, points->count + 1);
    if (!z || (asked->statuses && !statuses))
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu heights", points->count);
    collide_heights(rq->view, points->items, points->count, &ways, z, statuses,
                    rq->service->executor);
    if (asked->fields.count > 0)
        return points_answer(rq, asked, points, z, statuses);
    *answer = (struct heights){ .version = rq->view->version, .heights = { points->count, z } };
    if (statuses)
        answer->statuses = status_list(rq->arena, statuses, points->count);
    if (statuses && !answer->statuses.items)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu statuses", points->count);
    return true;
}

/* Binary */

struct work {
    const struct request *rq;
    struct collide_ways ways;
};

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    const struct work *work = context;
    const struct request *rq = work->rq;
    struct points points = { { piece->count, piece->in } };

    if (!frame_to_grid(&points_shape, &points, rq->frame, rq->view->settings, why))
        return false;
    collide_heights(rq->view, piece->in, piece->count, &work->ways, piece->out, piece->statuses,
                    NULL);
    return true;
}

static const struct floats layout = {
    .items = "points", .limit = "query_points", .in = 2, .out = 1, .piece = piece_run
};

static bool binary_run(struct request *rq, const struct heights_asked *asked)
{
    struct work work = { rq, ways_of(asked) };

    return floats_alone(rq, &asked->fields) && floats_run(rq, &layout, asked->statuses, &work);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    return rq->media_in == FLOATS_JSON ? json_run(rq, asked, answer) : binary_run(rq, asked);
}

const struct endpoint endpoint_post_heights = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/heights",
    .summary = "Heights at many points; application/x-f32 and x-f64 are pairs in, heights out, and "
               "with statuses a byte each behind them",
    .example_path = "/v1/landscapes/demo/query/heights",
    .example_body = "{\"points\":[[12.5,40],[-1,0]]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct heights_asked, asks),
    .takes = &points_shape,
    .media_in = floats_media,
    .media_out = floats_media,
    .in_kind = true,
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct heights, answers),
    .run = run,
};

/* The surface's places nearest to points: JSON, or 3 floats a point in and 9 out. */
#include <math.h>

#include "api/queries/floats.h"
#include "api/queries/shapes.h"
#include "api/service.h"
#include "terrain/query/nearest.h"

struct nearest_points {
    struct list points;
    double max_distance;
};
static const struct field points_rows[] = {
    FIELD_AS(FIELD_POINTS, struct nearest_points, points, "The points, with heights",
             .unit = "points", .least = 0, .greatest = 16777216, .required = true, .anywhere = true,
             .count = 3, .limit = "query_shapes"),
    FIELD(struct nearest_points, max_distance, "m", 0, 1e300,
          "How far away a place may be; without it as far as it is", .nullable = true,
          .has_value = true, .value = NAN),
    { .kind = FIELD_END }
};

struct nearest_asked {
    struct hits_asked hits;
    double max_distance;
};
static const struct field asks[] = {
    FIELD(struct nearest_asked, max_distance, "m", 0, 1e300,
          "As in the body, for binary ones: how far away a place may be", .has_value = true,
          .value = NAN),
    { .kind = FIELD_END }
};
static const struct shape asks_shape = { .name = "nearest_asked",
                                         .size = sizeof(struct nearest_asked),
                                         .fields = asks,
                                         .base = &hits_asks_shape,
                                         .given = -1 };

static const struct field place_rows[] = {
    FIELD_AS(FIELD_POINT3, struct shape_told, position, "The nearest place", .nullable = true),
    FIELD(struct shape_told, distance, "m", 0, 0, "From the point to it"),
    FIELD_AS(FIELD_REALS, struct shape_told, normal, "Unit normal of the triangle: east, south, up",
             .count = 3),
    SHAPE_TOLD_LAYER,
    FIELD(struct shape_told, above, NULL, 0, 0,
          "Whether the point is no lower than the ground at its place, or, beyond the landscape, "
          "at the border next to it"),
    { .kind = FIELD_END }
};
static const struct shape place_shape = { .name = "nearest_place",
                                          .size = sizeof(struct shape_told),
                                          .fields = place_rows,
                                          .base = &shape_told_shape,
                                          .given = -1 };

struct answer {
    uint64_t version;
    struct list nearest, statuses;
};
static const struct field answers[] = {
    FIELD(struct answer, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(
        FIELD_LIST, struct answer, nearest,
        "In the points' order; null where nothing is near enough, and for a point without a place",
        .shape = &place_shape, .nullable = true),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses, "Where asked for: what became of each",
             .left_out = true),
    { .kind = FIELD_END }
};

/* JSON */

struct work {
    const struct request *rq;
    const struct nearest *places;
    double distance;
    struct shape_ways ways;
};

static bool tell(const void *context, size_t i, struct shape_told *told)
{
    const struct nearest *place = &((const struct work *)context)->places[i];

    if (place->status != RAY_HIT)
        return false;
    memcpy(told->position, place->at, sizeof told->position);
    memcpy(told->normal, place->normal, sizeof told->normal);
    told->distance = place->distance;
    told->above = place->above;
    told->about.triangle = place->triangle;
    return true;
}

static bool json_run(struct request *rq, const struct hits_asked *asked, struct work *work)
{
    const struct nearest_points *body = rq->body;
    const struct list *list = &body->points;
    struct nearest *places;
    uint8_t *statuses;

    if (!floats_count(rq, "points", "query_shapes", list->count))
        return fault_at(&rq->fault, "/points");
    places = arena_new(rq->arena, list->count * sizeof *places + 1);
    statuses = arena_new(rq->arena, list->count + 1);
    if (!places || !statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu places", list->count);
    work->places = places;
    if (!nearest_places(rq->view, list->items, list->count,
                        fmin(body->max_distance, work->distance), &work->ways, places,
                        rq->service->executor, &rq->fault))
        return shapes_refused(rq);
    for (size_t i = 0; i < list->count; i++)
        statuses[i] = (uint8_t)places[i].status;
    return shapes_answer(rq, asked, "nearest", &place_shape, list->count, statuses, tell, work);
}

/* Binary */

enum { IN = 3, OUT = 9, PIECE = 1024 };

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    const struct work *work = context;
    struct nearest places[PIECE];

    if (!hits_to_grid(work->rq, piece->in, IN, piece->count, why) ||
        !nearest_places(work->rq->view, (const double(*)[3])piece->in, piece->count, work->distance,
                        &work->ways, places, NULL, why))
        return false;
    for (size_t i = 0; i < piece->count; i++) {
        const struct nearest *place = &places[i];
        double *out = piece->out + i * OUT;

        piece->statuses[i] = (uint8_t)place->status;
        if (place->status != RAY_HIT)
            continue;
        out[0] = place->distance;
        memcpy(out + 1, place->at, sizeof place->at);
        memcpy(out + 4, place->normal, sizeof place->normal);
        out[7] = (double)place->triangle;
        out[8] = place->above;
    }
    return hits_from_grid(work->rq, piece->out + 1, OUT, piece->count, why);
}

static const struct floats layout = {
    .items = "points", .limit = "query_shapes", .in = IN, .out = OUT, .piece = piece_run
};

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct nearest_asked *asked = data;
    _Atomic int64_t left;
    struct work work = { .rq = rq,
                         .distance = fmin(asked->max_distance, INFINITY),
                         .ways = shapes_ways(rq, &asked->hits, &left) };

    (void)answer;
    if (rq->media_in == FLOATS_JSON)
        return json_run(rq, &asked->hits, &work);
    return floats_alone(rq, &asked->hits.fields) &&
           (floats_run(rq, &layout, asked->hits.statuses, &work) || shapes_refused(rq));
}

const struct endpoint endpoint_post_nearest = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/nearest",
    .summary = "The surface's places nearest to points. application/x-f32 and x-f64 are 3 floats a "
               "point in and 9 out (distance, position, normal, triangle, above: 1 or 0; NaN where "
               "nothing is near enough)",
    .example_path = "/v1/landscapes/demo/query/nearest",
    .example_body = "{\"points\":[[12.5,40,100],[-1,0,0]],\"max_distance\":500}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &asks_shape,
    .takes = SHAPE(struct nearest_points, points_rows),
    .media_in = floats_media,
    .media_out = floats_media,
    .in_kind = true,
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

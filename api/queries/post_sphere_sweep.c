/* Where moving spheres first touch the surface: JSON, or 7 floats a sweep in and 12 out. */
#include <math.h>

#include "api/queries/floats.h"
#include "api/queries/shapes.h"
#include "api/service.h"
#include "terrain/query/sweep.h"

static const struct field sweep_rows[] = {
    FIELD_AS(FIELD_POINT3, struct sweep, from, "Where the sphere's centre begins", .required = true,
             .anywhere = true),
    FIELD_AS(FIELD_POINT3, struct sweep, to, "Where it would end", .required = true,
             .anywhere = true),
    FIELD(struct sweep, radius, "m", 0, 0, "The sphere's; 0 is a point, below 0 the sweep is wrong",
          .required = true),
    { .kind = FIELD_END }
};

struct sweeps {
    struct list sweeps;
};
static const struct field sweeps_rows[] = {
    FIELD_AS(FIELD_LIST, struct sweeps, sweeps, "The sweeps", .unit = "sweeps", .least = 0,
             .greatest = 16777216, .required = true, .shape = SHAPE(struct sweep, sweep_rows),
             .limit = "query_shapes"),
    { .kind = FIELD_END }
};

static const struct field touch_rows[] = {
    FIELD_AS(FIELD_POINT3, struct shape_told, position,
             "Where it touches; when it begins inside, the surface's place nearest to its centre",
             .nullable = true),
    FIELD(struct shape_told, distance, "m", 0, 0, "How far the centre has come"),
    FIELD_AS(FIELD_POINT3, struct shape_told, center, "Where the centre is then"),
    FIELD_AS(FIELD_REALS, struct shape_told, normal,
             "Unit vector from the position towards the centre, east, south, up; the triangle's "
             "where they are one place",
             .count = 3),
    SHAPE_TOLD_LAYER,
    FIELD(struct shape_told, inside, NULL, 0, 0,
          "Whether the surface is nearer than the radius where the sphere begins"),
    FIELD(struct shape_told, penetration, "m", 0, 0,
          "How far it would have to move along the normal to be inside no more"),
    { .kind = FIELD_END }
};
static const struct shape touch_shape = { .name = "touch",
                                          .size = sizeof(struct shape_told),
                                          .fields = touch_rows,
                                          .base = &shape_told_shape,
                                          .given = -1 };

struct answer {
    uint64_t version;
    struct list hits, statuses;
};
static const struct field answers[] = {
    FIELD(struct answer, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(
        FIELD_LIST, struct answer, hits,
        "Where each sphere first touches, in their order; null where it does not, and for a sweep "
        "that is wrong",
        .shape = &touch_shape, .nullable = true),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses, "Where asked for: what became of each",
             .left_out = true),
    { .kind = FIELD_END }
};

/* JSON */

struct work {
    const struct request *rq;
    const struct sweep *sweeps;
    const struct touch *touches;
    struct shape_ways ways;
};

static bool tell(const void *context, size_t i, struct shape_told *told)
{
    const struct work *work = context;
    const struct touch *touch = &work->touches[i];

    if (touch->status != RAY_HIT)
        return false;
    memcpy(told->position, touch->at, sizeof told->position);
    memcpy(told->center, touch->center, sizeof told->center);
    memcpy(told->normal, touch->normal, sizeof told->normal);
    told->distance = touch->t * sweep_metres(work->rq->view, &work->sweeps[i]);
    told->inside = touch->inside;
    told->penetration = touch->penetration;
    told->about.triangle = touch->triangle;
    return true;
}

static bool json_run(struct request *rq, const struct hits_asked *asked, struct work *work)
{
    const struct list *list = &((const struct sweeps *)rq->body)->sweeps;
    struct touch *touches;
    uint8_t *statuses;

    if (!floats_count(rq, "sweeps", "query_shapes", list->count))
        return fault_at(&rq->fault, "/sweeps");
    touches = arena_new(rq->arena, list->count * sizeof *touches + 1);
    statuses = arena_new(rq->arena, list->count + 1);
    if (!touches || !statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu sweeps", list->count);
    work->sweeps = list->items;
    work->touches = touches;
    if (!sweep_spheres(rq->view, work->sweeps, list->count, &work->ways, touches,
                       rq->service->executor, &rq->fault))
        return shapes_refused(rq);
    for (size_t i = 0; i < list->count; i++)
        statuses[i] = (uint8_t)touches[i].status;
    return shapes_answer(rq, asked, "hits", &touch_shape, list->count, statuses, tell, work);
}

/* Binary */

enum { IN = 7, OUT = 12, PIECE = 1024 };

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    const struct work *work = context;
    const struct view *view = work->rq->view;
    struct sweep sweeps[PIECE];
    struct touch touches[PIECE];

    if (!hits_to_grid(work->rq, piece->in, IN, piece->count, why) ||
        !hits_to_grid(work->rq, piece->in + 3, IN, piece->count, why))
        return false;
    for (size_t i = 0; i < piece->count; i++) {
        memcpy(sweeps[i].from, piece->in + i * IN, sizeof sweeps[i].from);
        memcpy(sweeps[i].to, piece->in + i * IN + 3, sizeof sweeps[i].to);
        sweeps[i].radius = piece->in[i * IN + 6];
    }
    if (!sweep_spheres(view, sweeps, piece->count, &work->ways, touches, NULL, why))
        return false;
    for (size_t i = 0; i < piece->count; i++) {
        const struct touch *touch = &touches[i];
        double *out = piece->out + i * OUT;

        piece->statuses[i] = (uint8_t)touch->status;
        if (touch->status != RAY_HIT)
            continue;
        out[0] = touch->t * sweep_metres(view, &sweeps[i]);
        memcpy(out + 1, touch->at, sizeof touch->at);
        memcpy(out + 4, touch->normal, sizeof touch->normal);
        out[7] = (double)touch->triangle;
        memcpy(out + 8, touch->center, sizeof touch->center);
        out[11] = touch->penetration;
    }
    return hits_from_grid(work->rq, piece->out + 1, OUT, piece->count, why) &&
           hits_from_grid(work->rq, piece->out + 8, OUT, piece->count, why);
}

static const struct floats layout = {
    .items = "sweeps", .limit = "query_shapes", .in = IN, .out = OUT, .piece = piece_run
};

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct hits_asked *asked = data;
    _Atomic int64_t left;
    struct work work = { .rq = rq, .ways = shapes_ways(rq, asked, &left) };

    (void)answer;
    if (rq->media_in == FLOATS_JSON)
        return json_run(rq, asked, &work);
    return floats_alone(rq, &asked->fields) &&
           (floats_run(rq, &layout, asked->statuses, &work) || shapes_refused(rq));
}

const struct endpoint endpoint_post_sphere_sweep = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/sphere-sweep",
    .summary = "Where moving spheres first touch the surface. application/x-f32 and x-f64 are 7 "
               "floats a sweep in (from, to, radius) and 12 out (distance, position, normal, "
               "triangle, center, penetration; NaN where nothing is touched)",
    .example_path = "/v1/landscapes/demo/query/sphere-sweep",
    .example_body = "{\"sweeps\":[{\"from\":[12.5,40,5000],\"to\":[12.5,40,-5000],\"radius\":2}]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &hits_asks_shape,
    .takes = SHAPE(struct sweeps, sweeps_rows),
    .media_in = floats_media,
    .media_out = floats_media,
    .in_kind = true,
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

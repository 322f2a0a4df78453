/* What rays meet: JSON, or seven floats a ray in and eight out. */
#include <math.h>

#include "api/queries/floats.h"
#include "api/queries/hits.h"
#include "api/service.h"

/* Of direction and target, the one that is not given is NaN, up to its last number. */
struct ray_asked {
    double origin[3], direction[3], target[3];
    double max_distance; /* NaN: not said */
};

static const struct field ray_rows[] = {
    FIELD_AS(FIELD_POINT3, struct ray_asked, origin, "Where the ray begins", .required = true,
             .anywhere = true),
    FIELD_AS(
        FIELD_REALS, struct ray_asked, direction,
        "Where it goes, of any length above 0 (of 0, the ray is wrong): metres east, south and "
        "up; with frame=grid quads and metres",
        .count = 3, .has_value = true, .value = NAN),
    FIELD_AS(FIELD_POINT3, struct ray_asked, target,
             "A place that it goes to, instead of a direction", .anywhere = true),
    FIELD(
        struct ray_asked, max_distance, "m", 0, 0,
        "How far it goes (below 0, the ray is wrong); without it as far as the target, or without "
        "end",
        .nullable = true, .has_value = true, .value = NAN),
    { .kind = FIELD_END }
};

struct rays {
    struct list rays;
};
static const struct field rays_rows[] = {
    FIELD_AS(FIELD_LIST, struct rays, rays, "The rays", .unit = "rays", .least = 0,
             .greatest = 16777216, .required = true, .shape = SHAPE(struct ray_asked, ray_rows),
             .limit = "query_rays"),
    { .kind = FIELD_END }
};

struct answer {
    uint64_t version;
    struct list hits, statuses;
};
static const struct field answers[] = {
    FIELD(struct answer, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(FIELD_LIST, struct answer, hits,
             "What each ray meets first, in their order; null for nothing, and for a ray that is "
             "wrong: that leads nowhere, or begins too far away",
             .shape = &hit_shape, .nullable = true),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses, "Where asked for: what became of each ray",
             .left_out = true),
    { .kind = FIELD_END }
};

static bool finite3(const double at[3])
{
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
}

/* reach is what it is when the distance is not said. */
static void reach_set(const struct view *view, double max_distance, double reach, struct ray *ray)
{
    ray->reach = isnan(max_distance) ? reach : max_distance / ray_metres(view, ray);
}

/* JSON. What is asked for and cannot be is wrong alone; what is no ray is refused. */

static void ray_to_target(const struct request *rq, const struct ray_asked *asked, struct ray *ray)
{
    for (int axis = 0; axis < 3; axis++)
        ray->along[axis] = asked->target[axis] - asked->origin[axis];
    if (!finite3(ray->along)) {
        *ray = (struct ray){ .reach = 0 }; /* wrong */
        return;
    }
    reach_set(rq->view, asked->max_distance, ldexp(1, hits_scale(ray->along)), ray);
}

static bool ray_make(const struct request *rq, const struct ray_asked *asked, struct ray *ray,
                     struct fault *why)
{
    const bool direction = !isnan(asked->direction[2]), target = !isnan(asked->target[2]);

    if (direction == target) {
        fault_set(why, FAULT_INPUT,
                  target ? "a ray has a direction or a target, not both"
                         : "the ray has no direction; give one, or a target");
        return fault_at(why, target ? "/target" : "/direction");
    }
    memcpy(ray->from, asked->origin, sizeof ray->from);
    if (target) {
        ray_to_target(rq, asked, ray);
        return true;
    }
    hits_along(rq, asked->direction, ray->along);
    reach_set(rq->view, asked->max_distance, INFINITY, ray);
    return true;
}

static bool json_run(struct request *rq, const struct hits_asked *asked)
{
    const struct list *list = &((const struct rays *)rq->body)->rays;
    const struct ray_asked *from = list->items;
    const struct ray_ways ways = { .ignore_holes = asked->ignore_holes };
    struct ray *rays;
    struct ray_hit *hits;

    if (!floats_count(rq, "rays", "query_rays", list->count))
        return fault_at(&rq->fault, "/rays");
    rays = arena_new(rq->arena, list->count * sizeof *rays + 1);
    hits = arena_new(rq->arena, list->count * sizeof *hits + 1);
    if (!rays || !hits)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu rays", list->count);
    for (size_t i = 0; i < list->count; i++)
        if (!ray_make(rq, &from[i], &rays[i], &rq->fault))
            return fault_within(&rq->fault, "/rays/%zu", i);
    return ray_cast(rq->view, rq->service->derived, rays, list->count, &ways, hits,
                    rq->service->executor, &rq->fault) &&
           hits_answer(rq, asked, rays, hits, list->count);
}

/* Binary */

enum { IN = 7, OUT = 8, PIECE = 1024 };

struct work {
    const struct request *rq;
    const struct hits_asked *asked;
};

static void ray_read(const struct request *rq, const double in[IN], struct ray *ray)
{
    const double without_end = in[6] == INFINITY ? NAN : in[6];

    memcpy(ray->from, in, sizeof ray->from);
    if (!finite3(in + 3)) {
        *ray = (struct ray){ .reach = 0 }; /* wrong */
        return;
    }
    hits_along(rq, in + 3, ray->along);
    reach_set(rq->view, without_end, INFINITY, ray);
}

static void hit_write(const struct view *view, const struct ray *ray, const struct ray_hit *hit,
                      double out[OUT])
{
    if (hit->status != RAY_HIT)
        return;
    out[0] = hit->t * ray_metres(view, ray);
    memcpy(out + 1, hit->at, sizeof hit->at);
    memcpy(out + 4, hit->normal, sizeof hit->normal);
    out[7] = (double)hit->triangle;
}

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    const struct work *work = context;
    const struct request *rq = work->rq;
    const struct ray_ways ways = { .ignore_holes = work->asked->ignore_holes };
    struct ray rays[PIECE];
    struct ray_hit hits[PIECE];

    if (!hits_to_grid(rq, piece->in, IN, piece->count, why))
        return false;
    for (size_t i = 0; i < piece->count; i++)
        ray_read(rq, piece->in + i * IN, &rays[i]);
    if (!ray_cast(rq->view, rq->service->derived, rays, piece->count, &ways, hits, NULL, why))
        return false;
    for (size_t i = 0; i < piece->count; i++) {
        hit_write(rq->view, &rays[i], &hits[i], piece->out + i * OUT);
        piece->statuses[i] = (uint8_t)hits[i].status;
    }
    return hits_from_grid(rq, piece->out + 1, OUT, piece->count, why);
}

static const struct floats layout = {
    .items = "rays", .limit = "query_rays", .in = IN, .out = OUT, .piece = piece_run
};

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct hits_asked *asked = data;
    struct work work = { rq, asked };

    (void)answer;
    if (rq->media_in == FLOATS_JSON)
        return json_run(rq, asked);
    return floats_alone(rq, &asked->fields) && floats_run(rq, &layout, asked->statuses, &work);
}

const struct endpoint endpoint_post_raycast = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/raycast",
    .summary = "What rays meet first. application/x-f32 and x-f64 are 7 floats a ray in (origin, "
               "direction, max_distance: NaN or Infinity is without end) and 8 out (distance, "
               "position, normal, triangle, which x-f32 tells exactly up to 16777216; NaN where "
               "nothing is met)",
    .example_path = "/v1/landscapes/demo/query/raycast",
    .example_body = "{\"rays\":[{\"origin\":[12.5,40,5000],\"direction\":[0,0,-1]},"
                    "{\"origin\":[0,0,3000],\"target\":[400,300,0],\"max_distance\":10000}]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &hits_asks_shape,
    .takes = SHAPE(struct rays, rays_rows),
    .media_in = floats_media,
    .media_out = floats_media,
    .in_kind = true,
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

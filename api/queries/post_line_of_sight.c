/* Whether one place can be seen from another: JSON, or six floats a pair in and four out.
 *
 * The line between both is a ray without its ends: what lies within `touching` of an end, along the
 * line, does not block. The ground is closed, so a line that only touches it on its way is blocked.
 */
#include <inttypes.h>
#include <math.h>

#include "api/json_write.h"
#include "api/queries/floats.h"
#include "api/queries/hits.h"
#include "api/queries/items.h"
#include "api/service.h"
#include "terrain/query/collide.h"

static const char *const above_words[] = { "none", "from", "to", "both", NULL };
enum { ABOVE_FROM = 1, ABOVE_TO = 2 }; /* bits of the word's index */

struct sight_asked {
    bool ignore_holes, statuses;
    int above_ground;
    double touching;
};
static const struct field asks[] = {
    FIELD_AS(FIELD_CHOICE, struct sight_asked, above_ground,
             "The ends whose z is metres above the ground there, instead of a height",
             .words = above_words, .has_value = true),
    FIELD(struct sight_asked, touching, "m", 0, 1e6,
          "Ground as near as that to an end, along the line, does not block", .has_value = true,
          .value = 0.001),
    FIELD(struct sight_asked, ignore_holes, NULL, 0, 0,
          "Whether the ground beneath holes is there"),
    FIELD(struct sight_asked, statuses, NULL, 0, 0,
          "Also tell what became of each line: hit (blocked), miss, hole, outside or wrong; in "
          "JSON as the list \"statuses\", in binary as a byte each, 0 to 4, behind all floats"),
    { .kind = FIELD_END }
};

/* Two ends, as JSON and binary have them. */
struct sight {
    double from[3], to[3];
};
#define ENDS(...)                                                                                  \
    FIELD_AS(FIELD_POINT3, struct sight, from, "Where the eye is", __VA_ARGS__),                   \
        FIELD_AS(FIELD_POINT3, struct sight, to, "What it looks at", __VA_ARGS__),                 \
    {                                                                                              \
        .kind = FIELD_END                                                                          \
    }
static const struct field pair_rows[] = { ENDS(.required = true) };
static const struct field single_rows[] = { ENDS(.required = false) };
static const struct shape single_shape = {
    .name = "sight", .size = sizeof(struct sight), .fields = single_rows, .given = -1
};

struct sights {
    struct sight single;
    struct list pairs;
    uint64_t given;
};
static const struct field sights_rows[] = {
    FIELD_AS(FIELD_LIST, struct sights, pairs,
             "Many at once, instead of from and to; the answer then has a list \"results\"",
             .unit = "pairs", .least = 0, .greatest = 16777216,
             .shape = SHAPE(struct sight, pair_rows), .limit = "query_rays"),
    { .kind = FIELD_END }
};

/* Looking: each sight becomes a ray, each ray a hit, each hit four numbers. */

struct looking {
    struct request *rq;
    const struct sight_asked *asked;
    struct sight *sights;
    size_t count;
    struct ray *rays; /* room for count of each */
    struct ray_hit *hits;
    double (*seen)[4]; /* 1 or 0, NaN where there is no answer; where it is blocked, or NaN */
    uint8_t *statuses;
};

/* Lifts an end from the ground on which it stands; else tells why there is none. */
static enum ray_status end_lift(const struct looking *looking, double at[3])
{
    bool hole = false;
    double z;

    if (!collide_height(looking->rq->view, at[0], at[1], &z, &hole))
        return RAY_OUTSIDE;
    at[2] += z;
    return hole && !looking->asked->ignore_holes ? RAY_HOLE : RAY_HIT;
}

static enum ray_status ends_lift(const struct looking *looking, struct sight *sight)
{
    const int above = looking->asked->above_ground;
    enum ray_status status = RAY_HIT;

    if (above & ABOVE_FROM)
        status = end_lift(looking, sight->from);
    return status == RAY_HIT && above & ABOVE_TO ? end_lift(looking, sight->to) : status;
}

/* The line without its ends. Where nothing is left of it, reach is not 0 or above. */
static void sight_ray(const struct looking *looking, const struct sight *sight, struct ray *ray)
{
    double skipped;

    for (int axis = 0; axis < 3; axis++)
        ray->along[axis] = sight->to[axis] - sight->from[axis];
    skipped = looking->asked->touching / ray_metres(looking->rq->view, ray);
    for (int axis = 0; axis < 3; axis++)
        ray->from[axis] = sight->from[axis] + skipped * ray->along[axis];
    ray->reach = 1 - 2 * skipped;
}

static bool is_finite(const struct sight *sight)
{
    double sum = 0;

    for (int axis = 0; axis < 3; axis++)
        sum += 0 * sight->from[axis] + 0 * sight->to[axis];
    return sum == 0;
}

static enum ray_status sight_settle(const struct looking *looking, size_t i)
{
    const struct ray_hit *hit = &looking->hits[i];
    enum ray_status status = looking->statuses[i];

    if (status != RAY_HIT)
        return status;
    if (!is_finite(&looking->sights[i]))
        return RAY_WRONG;
    status = looking->rays[i].reach >= 0 ? hit->status : RAY_MISS;
    if (status == RAY_WRONG)
        return status;
    looking->seen[i][0] = status != RAY_HIT;
    if (status == RAY_HIT)
        memcpy(looking->seen[i] + 1, hit->at, sizeof hit->at);
    return status;
}

static bool look(const struct looking *looking, const struct executor *executor, struct fault *why)
{
    const struct service *service = looking->rq->service;
    const struct ray_ways ways = { .ignore_holes = looking->asked->ignore_holes };

    for (size_t i = 0; i < looking->count; i++) {
        looking->statuses[i] = (uint8_t)ends_lift(looking, &looking->sights[i]);
        sight_ray(looking, &looking->sights[i], &looking->rays[i]);
        for (int k = 0; k < 4; k++)
            looking->seen[i][k] = NAN;
    }
    if (!ray_cast(looking->rq->view, service->derived, looking->rays, looking->count, &ways,
                  looking->hits, executor, why))
        return false;
    for (size_t i = 0; i < looking->count; i++)
        looking->statuses[i] = (uint8_t)sight_settle(looking, i);
    return hits_from_grid(looking->rq, looking->seen[0] + 1, 4, looking->count, why);
}

/* JSON */

struct result {
    bool visible;
    double blocked_at[3];
};
static const struct field result_rows[] = { FIELD(struct result, visible, NULL, 0, 0,
                                                  "Whether nothing blocks the line"),
                                            FIELD_AS(FIELD_POINT3, struct result, blocked_at,
                                                     "Where it is blocked first", .nullable = true),
                                            { .kind = FIELD_END } };
static const struct shape result_shape = {
    .name = "result", .size = sizeof(struct result), .fields = result_rows, .given = -1
};

/* As OpenAPI tells it: of one line its result, of pairs the results. */
struct answer {
    uint64_t version;
    bool visible;
    double blocked_at[3];
    struct list results, statuses;
};
static const struct field answers[] = {
    FIELD(struct answer, version, NULL, 0, 0, "The version that was asked"),
    FIELD(struct answer, visible, NULL, 0, 0, "Of one line: whether nothing blocks it",
          .left_out = true),
    FIELD_AS(FIELD_POINT3, struct answer, blocked_at, "Of one line: where it is blocked first",
             .nullable = true, .left_out = true),
    FIELD_AS(FIELD_LIST, struct answer, results,
             "Of pairs: the same of each; null where an end stands on no ground",
             .shape = &result_shape, .nullable = true, .left_out = true),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses, "Where asked for: what became of each line",
             .left_out = true),
    { .kind = FIELD_END }
};

static bool result_print(const struct looking *looking, size_t i, struct bytes *to,
                         struct fault *why)
{
    const double *seen = looking->seen[i];
    struct result result = { seen[0] != 0, { seen[1], seen[2], seen[3] } };

    return isnan(seen[0]) ? bytes_add(to, "null", 4, why)
                          : json_write(&result_shape, &result, to, why);
}

static bool results_print(void *work, size_t first, size_t count, struct bytes *to,
                          struct fault *why)
{
    for (size_t i = first; i < first + count; i++)
        if ((i > 0 && !bytes_add(to, ",", 1, why)) || !result_print(work, i, to, why))
            return false;
    return true;
}

/* The members of one result stand in the answer itself. */
static bool single_write(struct looking *looking)
{
    struct request *rq = looking->rq;
    struct bytes text = { 0 };
    bool done = result_print(looking, 0, &text, &rq->fault) &&
                bytes_add(&rq->bytes, text.data + 1, text.length - 2, &rq->fault);

    bytes_free(&text);
    return done;
}

static bool json_answer(struct looking *looking, bool single)
{
    struct request *rq = looking->rq;

    return bytes_print(&rq->bytes, &rq->fault, "{\"version\":%" PRIu64 ",%s", rq->view->version,
                       single ? "" : "\"results\":") &&
           (single ? single_write(looking)
                   : items_write(rq, looking->count, results_print, looking)) &&
           (!looking->asked->statuses || items_statuses(rq, looking->statuses, looking->count)) &&
           bytes_add(&rq->bytes, "}", 1, &rq->fault);
}

/* What cannot be answered: of many, only what is wrong in itself. */
static bool refuse_unanswered(const struct looking *looking, bool single)
{
    struct request *rq = looking->rq;

    for (size_t i = 0; i < looking->count; i++) {
        if (looking->statuses[i] != RAY_WRONG)
            continue;
        REFUSE(rq, FAULT_INPUT,
               "the ends are too far away, or too far from each other, for a line");
        return single ? fault_at(&rq->fault, "/to") : fault_at(&rq->fault, "/pairs/%zu/to", i);
    }
    if (!single || !isnan(looking->seen[0][0]))
        return true;
    return looking->statuses[0] == RAY_HOLE
               ? REFUSE(rq, FAULT_NO_SURFACE,
                        "an end that is to stand above the ground is over a hole; "
                        "ignore_holes=true would put it above what lies beneath")
               : REFUSE(rq, FAULT_RANGE,
                        "an end that is to stand above the ground is outside the landscape");
}

/* Either one from and to, or pairs of them; copied, since ends are lifted in place. */
static bool sights_read(struct looking *looking, bool *single)
{
    struct request *rq = looking->rq;
    const struct sights *body = rq->body;
    const struct list *from = &body->pairs;
    const bool has_from = !isnan(body->single.from[0]), has_to = !isnan(body->single.to[0]);

    *single = !body->given;
    if (!*single && (has_from || has_to)) {
        REFUSE(rq, FAULT_INPUT, "give from and to, or pairs of them, not both");
        return fault_at(&rq->fault, has_from ? "/from" : "/to");
    }
    if (*single && !(has_from && has_to)) {
        REFUSE(rq, FAULT_INPUT, "The member \"%s\" is missing: give from and to, or pairs of them",
               has_from ? "to" : "from");
        return fault_at(&rq->fault, has_from ? "/to" : "/from");
    }
    if (!floats_count(rq, "pairs", "query_rays", from->count))
        return fault_at(&rq->fault, "/pairs");
    looking->count = *single ? 1 : from->count;
    looking->sights = arena_copy(rq->arena, *single ? &body->single : from->items,
                                 looking->count * sizeof *looking->sights);
    return looking->sights || REFUSE(rq, FAULT_MEMORY, "no memory for %zu lines", looking->count);
}

static bool json_run(struct request *rq, const struct sight_asked *asked)
{
    struct looking looking = { .rq = rq, .asked = asked };
    bool single;
    size_t count;

    if (!sights_read(&looking, &single))
        return false;
    count = looking.count + 1; /* never of no bytes */
    looking.rays = arena_new(rq->arena, count * sizeof *looking.rays);
    looking.hits = arena_new(rq->arena, count * sizeof *looking.hits);
    looking.seen = arena_new(rq->arena, count * sizeof *looking.seen);
    looking.statuses = arena_new(rq->arena, count);
    if (!looking.rays || !looking.hits || !looking.seen || !looking.statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu lines", looking.count);
    return look(&looking, rq->service->executor, &rq->fault) &&
           refuse_unanswered(&looking, single) && json_answer(&looking, single);
}

/* Binary */

enum { IN = 6, OUT = 4, SOME = 512 };

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    struct looking looking = *(const struct looking *)context;
    struct ray rays[SOME];
    struct ray_hit hits[SOME];

    if (!hits_to_grid(looking.rq, piece->in, IN / 2, 2 * piece->count, why))
        return false;
    looking.rays = rays;
    looking.hits = hits;
    for (size_t first = 0; first < piece->count; first += SOME) {
        looking.count = piece->count - first < SOME ? piece->count - first : SOME;
        looking.sights = (struct sight *)(void *)(piece->in + first * IN);
        looking.seen = (double(*)[4])(void *)(piece->out + first * OUT);
        looking.statuses = piece->statuses + first;
        if (!look(&looking, NULL, why))
            return false;
    }
    return true;
}

static const struct floats layout = {
    .items = "pairs", .limit = "query_rays", .in = IN, .out = OUT, .piece = piece_run
};

static bool run(struct request *rq, const void *data, void *answer)
{
    struct looking looking = { .rq = rq, .asked = data };

    (void)answer;
    return rq->media_in == FLOATS_JSON ? json_run(rq, looking.asked)
                                       : floats_run(rq, &layout, looking.asked->statuses, &looking);
}

const struct endpoint endpoint_post_line_of_sight = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/line-of-sight",
    .summary = "Whether places can be seen from others. application/x-f32 and x-f64 are 6 floats a "
               "pair in (from, to) and 4 out (1 visible or 0 blocked, and where; NaN where nothing "
               "blocks)",
    .example_path = "/v1/landscapes/demo/query/line-of-sight",
    .example_body = "{\"from\":[12.5,40,1000],\"to\":[400,300,600]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct sight_asked, asks),
    .takes = &(const struct shape){ .name = "sights",
                                    .size = sizeof(struct sights),
                                    .fields = sights_rows,
                                    .base = &single_shape,
                                    .given = offsetof(struct sights, given) },
    .media_in = floats_media,
    .media_out = floats_media,
    .in_kind = true,
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

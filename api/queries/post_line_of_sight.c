/* Whether one place can be seen from another: JSON, or six floats a pair in and four out. */
#include <inttypes.h>
#include <math.h>

#include "api/json_write.h"
#include "api/queries/floats.h"
#include "api/queries/hits.h"
#include "api/queries/items.h"
#include "api/service.h"
#include "terrain/query/line_of_sight.h"

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
          "What goes less than that through the ground, from above, only touches it and is not "
          "blocked: the line is lifted so far, and then whatever it meets blocks it",
          .has_value = true, .value = LINE_OF_SIGHT_TOUCHING),
    FIELD(struct sight_asked, ignore_holes, NULL, 0, 0,
          "Whether the ground beneath holes is there"),
    FIELD(struct sight_asked, statuses, NULL, 0, 0,
          "Also tell what became of each line: hit (blocked), miss, hole, outside or wrong; in "
          "JSON as the list \"statuses\", in binary as a byte each, 0 to 4, behind all floats"),
    { .kind = FIELD_END }
};

#define ENDS(...)                                                                                  \
    FIELD_AS(FIELD_POINT3, struct line_of_sight, from, "Where the eye is", __VA_ARGS__),           \
        FIELD_AS(FIELD_POINT3, struct line_of_sight, to, "What it looks at", __VA_ARGS__),         \
    {                                                                                              \
        .kind = FIELD_END                                                                          \
    }
static const struct field pair_rows[] = { ENDS(.required = true, .anywhere = true) };
static const struct field single_rows[] = { ENDS(.required = false) };
static const struct shape single_shape = {
    .name = "sight", .size = sizeof(struct line_of_sight), .fields = single_rows, .given = -1
};

struct sights {
    struct line_of_sight single;
    struct list pairs;
    uint64_t given;
};
static const struct field sights_rows[] = {
    FIELD_AS(FIELD_LIST, struct sights, pairs,
             "Many at once, instead of from and to; the answer then has a list \"results\"",
             .unit = "pairs", .least = 0, .greatest = 16777216,
             .shape = SHAPE(struct line_of_sight, pair_rows), .limit = "query_rays"),
    { .kind = FIELD_END }
};

static struct line_of_sight_ways ways_of(const struct sight_asked *asked)
{
    return (struct line_of_sight_ways){ asked->touching, (asked->above_ground & ABOVE_FROM) != 0,
                                        (asked->above_ground & ABOVE_TO) != 0,
                                        asked->ignore_holes };
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
    FIELD_AS(
        FIELD_LIST, struct answer, results,
        "Of pairs: the same of each; null where an end stands on no ground, and for a pair that is "
        "wrong: too far away, or apart, for a line",
        .shape = &result_shape, .nullable = true, .left_out = true),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses, "Where asked for: what became of each line",
             .left_out = true),
    { .kind = FIELD_END }
};

struct looking {
    struct request *rq;
    const struct sight_asked *asked;
    const struct line_of_sight *sights;
    size_t count;
    struct line_of_sight_seen *seen;
    uint8_t *statuses;
};

static bool result_print(const struct looking *looking, size_t i, struct bytes *to,
                         struct fault *why)
{
    const struct line_of_sight_seen *seen = &looking->seen[i];
    struct result result = { .visible = seen->visible };

    memcpy(result.blocked_at, seen->blocked_at, sizeof result.blocked_at);
    return seen->answered ? json_write(&result_shape, &result, to, why)
                          : bytes_add(to, "null", 4, why);
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

/* Of many, what cannot be answered is null; of one, it is refused. */
static bool refuse_unanswered(const struct looking *looking)
{
    struct request *rq = looking->rq;

    if (looking->seen[0].answered)
        return true;
    if (looking->statuses[0] == RAY_WRONG) {
        REFUSE(rq, FAULT_INPUT,
               "the ends are too far away, or too far from each other, for a line");
        return fault_at(&rq->fault, "/to");
    }
    return looking->statuses[0] == RAY_HOLE
               ? REFUSE(rq, FAULT_NO_SURFACE,
                        "an end that is to stand above the ground is over a hole; "
                        "ignore_holes=true would put it above what lies beneath")
               : REFUSE(rq, FAULT_RANGE,
                        "an end that is to stand above the ground is outside the landscape");
}

/* Either one from and to, or pairs of them. */
static bool sights_read(struct looking *looking, bool *single)
{
    struct request *rq = looking->rq;
    const struct sights *body = rq->body;
    const struct list *from = &body->pairs;
    const bool has_from = !isnan(body->single.from[2]), has_to = !isnan(body->single.to[2]);

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
    looking->sights = *single ? &body->single : from->items;
    return true;
}

static bool json_run(struct request *rq, const struct sight_asked *asked)
{
    const struct line_of_sight_ways ways = ways_of(asked);
    struct looking looking = { .rq = rq, .asked = asked };
    bool single;

    if (!sights_read(&looking, &single))
        return false;
    looking.seen = arena_new(rq->arena, looking.count * sizeof *looking.seen + 1);
    looking.statuses = arena_new(rq->arena, looking.count + 1);
    if (!looking.seen || !looking.statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu lines", looking.count);
    if (!line_of_sight_look(rq->view, rq->service->derived, looking.sights, looking.count, &ways,
                            looking.seen, rq->service->executor, &rq->fault))
        return false;
    for (size_t i = 0; i < looking.count; i++)
        looking.statuses[i] = (uint8_t)looking.seen[i].status;
    return (!single || refuse_unanswered(&looking)) &&
           (looking.count == 0 ||
            hits_from_grid(rq, looking.seen->blocked_at, sizeof *looking.seen / sizeof(double),
                           looking.count, &rq->fault)) &&
           json_answer(&looking, single);
}

/* Binary */

enum { IN = 6, OUT = 4, SOME = 512 };
_Static_assert(sizeof(struct line_of_sight) == IN * sizeof(double), "sights are read as they lie");
_Static_assert(sizeof(struct line_of_sight_seen) % sizeof(double) == 0,
               "a whole stride of doubles");

static void seen_write(const struct line_of_sight_seen *seen, double out[OUT])
{
    if (seen->answered)
        out[0] = seen->visible;
    memcpy(out + 1, seen->blocked_at, sizeof seen->blocked_at);
}

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    const struct looking *looking = context;
    const struct request *rq = looking->rq;
    const struct line_of_sight_ways ways = ways_of(looking->asked);
    struct line_of_sight_seen seen[SOME];

    if (!hits_to_grid(rq, piece->in, IN / 2, 2 * piece->count, why))
        return false;
    for (size_t first = 0; first < piece->count; first += SOME) {
        const size_t left = piece->count - first, count = left < SOME ? left : SOME;

        if (!line_of_sight_look(rq->view, rq->service->derived,
                                (const struct line_of_sight *)(void *)(piece->in + first * IN),
                                count, &ways, seen, NULL, why))
            return false;
        for (size_t i = 0; i < count; i++) {
            piece->statuses[first + i] = (uint8_t)seen[i].status;
            seen_write(&seen[i], piece->out + (first + i) * OUT);
        }
    }
    return hits_from_grid(rq, piece->out + 1, OUT, piece->count, why);
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

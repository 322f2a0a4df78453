/* Heights at many points: JSON, or pairs of floats in and floats out. */
#include <math.h>
#include <string.h>

#include "api/endpoint.h"
#include "api/frame.h"
#include "api/json_write.h"
#include "api/queries/floats.h"
#include "api/service.h"
#include "terrain/query/collide.h"
#include "terrain/query/cover.h"

struct points {
    struct list points;
};

/* Positions without a place on the grid are outside like any other. */
static const struct field points_rows[] = {
    FIELD_AS(FIELD_POINTS, struct points, points, "The positions, in the request's frame",
             .unit = "points", .least = 0, .greatest = 16777216, .required = true,
             .nullable = true),
    { .kind = FIELD_END }
};

static const struct shape points_shape = {
    .name = "points", .size = sizeof(struct points), .fields = points_rows, .given = -1
};

struct heights_asked {
    struct list fields; /* const char * */
    bool ignore_holes;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_TEXTS, struct heights_asked, fields,
             "More about each point, JSON only: normal, layer, triangle"),
    FIELD(struct heights_asked, ignore_holes, NULL, 0, 0,
          "Whether holes have the height of the ground beneath"),
    { .kind = FIELD_END }
};

struct heights {
    uint64_t version;
    struct list heights; /* double, NaN without a surface */
};

static const struct field answers[] = {
    FIELD(struct heights, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(FIELD_NUMBERS, struct heights, heights,
             "In the points' order; null outside the landscape and in holes", .unit = "m"),
    { .kind = FIELD_END }
};

/* More about each point */

struct about {
    double z;
    double normal[3];
    const char *layer;
    int64_t triangle;
};

/* The first row is always there; the others are those that can be asked for. */
static const struct field about_rows[] = {
    FIELD(struct about, z, "m", 0, 0, "The height"),
    FIELD_AS(FIELD_REALS, struct about, normal, "Unit normal of the triangle", .count = 3),
    FIELD(struct about, layer, NULL, 0, 0, "The dominant paint layer", .nullable = true),
    FIELD(struct about, triangle, NULL, 0, 0,
          "2 (row (columns - 1) + column), 1 more for the south-western one"),
};
enum { ABOUTS = sizeof about_rows / sizeof *about_rows };

/* The rows that were asked for, ended, in rows[ABOUTS + 1]. */
static bool abouts_choose(struct request *rq, const struct list *fields, struct field *rows)
{
    const char *const *wanted = fields->items;
    size_t count = 1;

    rows[0] = about_rows[0];
    for (size_t row = 1; row < ABOUTS; row++) {
        for (size_t i = 0; i < fields->count; i++) {
            if (strcmp(wanted[i], about_rows[row].name) == 0) {
                rows[count++] = about_rows[row];
                break;
            }
        }
    }
    rows[count] = (struct field){ .kind = FIELD_END };
    for (size_t i = 0; i < fields->count; i++) {
        size_t row = 1;

        while (row < ABOUTS && strcmp(wanted[i], about_rows[row].name) != 0)
            row++;
        if (row == ABOUTS) {
            REFUSE(rq, FAULT_INPUT, "fields may name normal, layer and triangle, not %.40s",
                   wanted[i]);
            return fault_at(&rq->fault, "fields");
        }
    }
    return true;
}

struct abouts {
    uint64_t version;
    struct list points;
};

/* The dominant paint layer, or NULL. */
static const char *layer_at(const struct view *view, const double at[2])
{
    struct cover cover;

    return cover_at(view, at, 0, &cover) && cover.first >= 0
               ? view->settings->stack->paints[cover.first].name
               : NULL;
}

static bool abouts_run(struct request *rq, const struct heights_asked *asked,
                       const struct list *points)
{
    struct field chosen[ABOUTS + 1];
    const struct shape one = {
        .name = "about", .size = sizeof(struct about), .fields = chosen, .given = -1
    };
    const struct field rows[] = { FIELD(struct abouts, version, NULL, 0, 0, ""),
                                  FIELD_AS(FIELD_LIST, struct abouts, points, "", .shape = &one,
                                           .nullable = true),
                                  { .kind = FIELD_END } };
    const double(*at)[2] = points->items;
    struct abouts abouts = { rq->view->version, { points->count, NULL } };
    struct about *about;

    if (!abouts_choose(rq, &asked->fields, chosen))
        return false;
    about = abouts.points.items = arena_new(rq->arena, points->count * sizeof *about + 1);
    if (!about)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu answers", points->count);
    for (size_t i = 0; i < points->count; i++) {
        struct surface surface;
        struct fault outside;

        about[i].z = NAN;
        if (!collide_surface(rq->view, at[i], &surface, &outside) ||
            (surface.hole && !asked->ignore_holes))
            continue;
        about[i].z = surface.z;
        memcpy(about[i].normal, surface.normal, sizeof surface.normal);
        about[i].triangle = surface.triangle;
        about[i].layer = layer_at(rq->view, at[i]);
    }
    return json_write(
        &(const struct shape){
            .name = "abouts", .size = sizeof abouts, .fields = rows, .given = -1 },
        &abouts, &rq->bytes, &rq->fault);
}

/* JSON */

static bool json_run(struct request *rq, const struct heights_asked *asked, struct heights *answer)
{
    const struct list *points = &((const struct points *)rq->body)->points;
    double *z;

    if (!floats_count(rq, "points", "query_points", points->count))
        return fault_at(&rq->fault, "/points");
    if (asked->fields.count > 0)
        return abouts_run(rq, asked, points);
    z = arena_new(rq->arena, points->count * sizeof *z + 1);
    if (!z)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu heights", points->count);
    collide_heights(rq->view, points->items, points->count,
                    &(const struct collide_ways){ .ignore_holes = asked->ignore_holes }, z, NULL,
                    rq->service->executor);
    *answer = (struct heights){ rq->view->version, { points->count, z } };
    return true;
}

/* Binary */

struct work {
    const struct request *rq;
    bool ignore_holes;
};

static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    const struct work *work = context;
    const struct request *rq = work->rq;
    struct points points = { { piece->count, piece->in } };

    if (!frame_to_grid(&points_shape, &points, rq->frame, rq->view->settings, why))
        return false;
    collide_heights(rq->view, piece->in, piece->count,
                    &(const struct collide_ways){ .ignore_holes = work->ignore_holes }, piece->out,
                    piece->statuses, NULL);
    return true;
}

static const struct floats layout = {
    .items = "points", .limit = "query_points", .in = 2, .out = 1, .piece = piece_run
};

static bool binary_run(struct request *rq, const struct heights_asked *asked)
{
    struct work work = { rq, asked->ignore_holes };

    if (asked->fields.count > 0) {
        REFUSE(rq, FAULT_INPUT, "fields are answered in JSON only; send JSON or leave them out");
        return fault_at(&rq->fault, "fields");
    }
    return floats_run(rq, &layout, false, &work);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    return rq->media_in == FLOATS_JSON ? json_run(rq, asked, answer) : binary_run(rq, asked);
}

const struct endpoint endpoint_post_heights = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/heights",
    .summary = "Heights at many points; application/x-f32 and x-f64 are pairs in, heights out",
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

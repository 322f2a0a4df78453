#include "api/queries/hits.h"

#include <inttypes.h>
#include <math.h>

#include "api/frame.h"
#include "api/json_write.h"
#include "api/queries/about.h"
#include "api/queries/items.h"
#include "api/service.h"

static const struct field asks[] = {
    FIELD_AS(FIELD_TEXTS, struct hits_asked, fields,
             "More about each hit, JSON only: " ABOUT_WORDS),
    FIELD(struct hits_asked, ignore_holes, NULL, 0, 0, "Whether the ground beneath holes is there"),
    FIELD(struct hits_asked, statuses, NULL, 0, 0,
          "Also tell what became of each: hit, miss, hole, outside or wrong; in JSON as the list "
          "\"statuses\", in binary as a byte each, 0 to 4, behind all floats"),
    { .kind = FIELD_END }
};
const struct shape hits_asks_shape = {
    .name = "hits_asked", .size = sizeof(struct hits_asked), .fields = asks, .given = -1
};

/* A hit as JSON has it; position NaN: nothing was met. */
struct hit {
    struct about about;
    double position[3];
    double distance;
    bool back;
};
static const struct field hit_rows[] = {
    FIELD_AS(FIELD_POINT3, struct hit, position, "Where, in the request's frame", .nullable = true),
    FIELD(struct hit, distance, "m", 0, 0, "From where the ray begins"),
    FIELD(struct hit, back, NULL, 0, 0, "Whether it was met from beneath"),
    { .kind = FIELD_END }
};
static const struct shape own_shape = {
    .name = "hit", .size = sizeof(struct hit), .fields = hit_rows, .given = -1
};
const struct shape hit_shape = {
    .name = "hit", .size = sizeof(struct hit), .fields = hit_rows, .base = &about_shape, .given = -1
};

/* Directions and positions */

int hits_scale(double along[3])
{
    int exponent;

    frexp(fmax(fmax(fabs(along[0]), fabs(along[1])), fabs(along[2])), &exponent);
    for (int axis = 0; axis < 3; axis++)
        along[axis] = ldexp(along[axis], -exponent);
    return exponent;
}

void hits_along(const struct request *rq, const double direction[3], double along[3])
{
    const struct grid *grid = view_grid(rq->view);

    memcpy(along, direction, 3 * sizeof *along);
    hits_scale(along);
    for (int axis = 0; axis < 2 && rq->frame != FRAME_GRID; axis++)
        along[axis] /= grid->scale[axis];
}

struct pairs {
    struct list pairs;
};
static const struct field pairs_rows[] = { FIELD_AS(FIELD_POINTS, struct pairs, pairs, "Positions",
                                                    .anywhere = true),
                                           { .kind = FIELD_END } };
static const struct shape pairs_shape = {
    .name = "pairs", .size = sizeof(struct pairs), .fields = pairs_rows, .given = -1
};

typedef bool convert(const struct shape *shape, void *value, enum frame frame,
                     const struct settings *settings, struct fault *why);

/* By many at once, which costs least. */
static bool positions_convert(const struct request *rq, convert *convert, double *positions,
                              size_t stride, size_t count, struct fault *why)
{
    enum { SOME = 512 };
    double room[SOME][2];

    for (size_t first = 0; rq->frame != FRAME_GRID && first < count; first += SOME) {
        size_t some = count - first < SOME ? count - first : SOME;
        double *from = positions + first * stride;
        struct pairs pairs = { { some, room } };

        for (size_t i = 0; i < some; i++)
            memcpy(room[i], from + i * stride, sizeof *room);
        if (!convert(&pairs_shape, &pairs, rq->frame, rq->view->settings, why))
            return false;
        for (size_t i = 0; i < some; i++)
            memcpy(from + i * stride, room[i], sizeof *room);
    }
    return true;
}

bool hits_to_grid(const struct request *rq, double *positions, size_t stride, size_t count,
                  struct fault *why)
{
    return positions_convert(rq, frame_to_grid, positions, stride, count, why);
}

bool hits_from_grid(const struct request *rq, double *positions, size_t stride, size_t count,
                    struct fault *why)
{
    return positions_convert(rq, frame_from_grid, positions, stride, count, why);
}

/* The answer */

/* What is told of every hit's place, the last of it by the ray itself. */
static const char *const always[] = { "layer", "normal", "triangle" };
enum { ALWAYS = sizeof always / sizeof *always };

static bool words_choose(struct request *rq, const struct list *asked, size_t more,
                         struct about_choice *choice)
{
    const size_t count = asked->count + more;
    const char **words = arena_new(rq->arena, count * sizeof *words);

    if (!words)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu fields", count);
    for (size_t i = 0; i < count; i++)
        words[i] = i < asked->count ? ((const char **)asked->items)[i] : always[i - asked->count];
    return about_choose(rq, &(const struct list){ count, words }, &own_shape,
                        offsetof(struct hit, about), choice);
}

struct telling {
    const struct request *rq;
    const struct ray *rays;
    const struct ray_hit *from;
    struct about_choice fill, print;
};

static bool hit_tell(const struct telling *telling, size_t i, struct hit *hit, struct fault *why)
{
    const struct ray_hit *from = &telling->from[i];

    *hit = (struct hit){ .position = { NAN, NAN } };
    if (from->status != RAY_HIT)
        return true;
    memcpy(hit->position, from->at, sizeof hit->position);
    hit->distance = from->t * ray_metres(telling->rq->view, &telling->rays[i]);
    hit->back = from->back;
    if (!about_fill(telling->rq, from->triangle, from->at, telling->fill.words, &hit->about, why))
        return false;
    memcpy(hit->about.normal, from->normal, sizeof from->normal);
    hit->about.triangle = from->triangle;
    return true;
}

static bool hits_print(void *work, size_t first, size_t count, struct bytes *to, struct fault *why)
{
    const struct telling *telling = work;
    struct hit hits[ITEMS_PIECE];

    for (size_t i = 0; i < count; i++)
        if (!hit_tell(telling, first + i, &hits[i], why))
            return false;
    if (!hits_from_grid(telling->rq, hits[0].position, sizeof *hits / sizeof(double), count, why))
        return false;
    for (size_t i = 0; i < count; i++) {
        const bool met = telling->from[first + i].status == RAY_HIT;

        if ((first + i > 0 && !bytes_add(to, ",", 1, why)) ||
            !(met ? json_write(&telling->print.shape, &hits[i], to, why)
                  : bytes_add(to, "null", 4, why)))
            return false;
    }
    return true;
}

bool hits_answer(struct request *rq, const struct hits_asked *asked, const struct ray *rays,
                 const struct ray_hit *from, size_t count)
{
    struct telling telling = { .rq = rq, .rays = rays, .from = from };
    uint8_t *statuses = arena_new(rq->arena, count + 1);

    if (!statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu hits", count);
    for (size_t i = 0; i < count; i++)
        statuses[i] = (uint8_t)from[i].status;
    return words_choose(rq, &asked->fields, 1, &telling.fill) &&
           words_choose(rq, &asked->fields, ALWAYS, &telling.print) &&
           about_count(rq, &telling.fill, count) &&
           bytes_print(&rq->bytes, &rq->fault,
                       "{\"version\":%" PRIu64 ",\"hits\":", rq->view->version) &&
           items_write(rq, count, hits_print, &telling) &&
           (!asked->statuses || items_statuses(rq, statuses, count)) &&
           bytes_add(&rq->bytes, "}", 1, &rq->fault);
}

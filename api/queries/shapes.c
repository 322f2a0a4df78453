#include "api/queries/shapes.h"

#include <inttypes.h>
#include <math.h>

#include "api/json_write.h"
#include "api/queries/items.h"
#include "api/service.h"

#define TOLD(name_, kind_, member, help_)                                                          \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .at = offsetof(struct shape_told, about.member),         \
        .nullable = true, .left_out = true, .help = (help_)                                        \
    }

/* about_rest_shape does without these; they are read by OpenAPI alone. */
static const struct field told_rows[] = {
    TOLD("physical_material", FIELD_TEXT, physical_material, "That of the dominant paint layer"),
    TOLD("weight", FIELD_REAL, weight, "The dominant layer's weight"),
    TOLD("hole", FIELD_BOOL, hole, "Whether the quad is a hole"),
    { .kind = FIELD_END }
};
const struct shape shape_told_shape = { .name = "shape_told",
                                        .size = sizeof(struct shape_told),
                                        .fields = told_rows,
                                        .base = &about_rest_shape,
                                        .given = -1 };

struct telling {
    const struct request *rq;
    struct about_choice choice;
    shape_tell *tell;
    const void *work;
};

static bool told_fill(const struct telling *telling, struct shape_told *told, struct fault *why)
{
    const int64_t triangle = told->about.triangle;

    if (!about_fill(telling->rq, triangle, told->position, telling->choice.words, &told->about,
                    why))
        return false;
    told->about.triangle = triangle;
    return true;
}

static bool items_tell(void *work, size_t first, size_t count, struct bytes *to, struct fault *why)
{
    const struct telling *telling = work;
    struct shape_told told[ITEMS_PIECE];
    bool there[ITEMS_PIECE];
    const size_t stride = sizeof *told / sizeof(double);

    for (size_t i = 0; i < count; i++) {
        told[i] = (struct shape_told){ .position = { NAN, NAN }, .center = { NAN, NAN } };
        there[i] = telling->tell(telling->work, first + i, &told[i]);
        if (there[i] && !told_fill(telling, &told[i], why))
            return false;
    }
    if (!hits_from_grid(telling->rq, told[0].position, stride, count, why) ||
        !hits_from_grid(telling->rq, told[0].center, stride, count, why))
        return false;
    for (size_t i = 0; i < count; i++)
        if ((first + i > 0 && !bytes_add(to, ",", 1, why)) ||
            !(there[i] ? json_write(&telling->choice.shape, &told[i], to, why)
                       : bytes_add(to, "null", 4, why)))
            return false;
    return true;
}

/* The words that were asked for, and those that are always told. */
static bool words_choose(struct request *rq, const struct list *asked, const struct shape *own,
                         struct about_choice *choice)
{
    static const char *const always[] = { "layer", "triangle" };
    const size_t count = asked->count + sizeof always / sizeof *always;
    const char **words = arena_new(rq->arena, count * sizeof *words);

    if (!words)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu fields", count);
    for (size_t i = 0; i < count; i++)
        words[i] = i < asked->count ? ((const char **)asked->items)[i] : always[i - asked->count];
    return about_choose(rq, &(const struct list){ count, words }, own,
                        offsetof(struct shape_told, about), choice);
}

bool shapes_answer(struct request *rq, const struct hits_asked *asked, const char *list,
                   const struct shape *own, size_t count, const uint8_t *statuses, shape_tell *tell,
                   const void *work)
{
    struct telling telling = { .rq = rq, .tell = tell, .work = work };
    struct shape alone = *own;

    alone.base = NULL;
    return words_choose(rq, &asked->fields, &alone, &telling.choice) &&
           about_count(rq, &telling.choice, count) &&
           bytes_print(&rq->bytes, &rq->fault,
                       "{\"version\":%" PRIu64 ",\"%s\":", rq->view->version, list) &&
           items_write(rq, count, items_tell, &telling) &&
           (!asked->statuses || items_statuses(rq, statuses, count)) &&
           bytes_add(&rq->bytes, "}", 1, &rq->fault);
}

struct shape_ways shapes_ways(const struct request *rq, const struct hits_asked *asked,
                              _Atomic int64_t *left)
{
    const int64_t most = rq->service->limits.query_shape_quads;

    atomic_init(left, most);
    return (
        struct shape_ways){ .ignore_holes = asked->ignore_holes, .quads_most = most, .left = left };
}

bool shapes_refused(struct request *rq)
{
    if (rq->fault.code == FAULT_LIMIT)
        return REFUSE(rq, FAULT_LIMIT,
                      "these shapes come near more than %lld quads (query_shape_quads); send fewer "
                      "or smaller ones",
                      (long long)rq->service->limits.query_shape_quads);
    return false;
}

/* The uploaded rasters, in byte order of their names. */
#include "api/gallery/raster_document.h"
#include "api/service.h"

struct asked {
    int32_t limit;
    const char *after;
};

static const struct field asks[] = {
    FIELD(struct asked, limit, NULL, 1, 1000, "At most so many", .has_value = true, .value = 100),
    FIELD_AS(FIELD_NAME, struct asked, after, "Only names behind this one: the last answer's next"),
    { .kind = FIELD_END }
};

struct answer {
    struct list rasters;
    const char *next;
};

static const struct field answers[] = {
    FIELD_AS(FIELD_LIST, struct answer, rasters, "The rasters", .shape = &raster_document_shape),
    FIELD_AS(FIELD_NAME, struct answer, next,
             "What to send as after= for those that follow, or null"),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *asked_, void *answer_)
{
    const struct asked *asked = asked_;
    struct answer *answer = answer_;
    size_t most = (size_t)asked->limit, count;
    struct picture_about *abouts = arena_new(rq->arena, (most + 1) * sizeof *abouts);
    struct raster_document *items = arena_new(rq->arena, most * sizeof *items);

    if (!abouts || !items)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of %zu rasters", most);
    count = gallery_list(rq->service->gallery, asked->after ? asked->after : "", most + 1, abouts);
    if (count > most) {
        count = most;
        answer->next = abouts[count - 1].name;
    }
    for (size_t i = 0; i < count; i++)
        if (!raster_document_fill(rq, &abouts[i], &items[i]))
            return false;
    answer->rasters = (struct list){ count, items };
    return true;
}

const struct endpoint endpoint_get_rasters = {
    .method = "GET",
    .path = "/v1/rasters",
    .summary = "The uploaded rasters",
    .example_path = "/v1/rasters",
    .example = "limit=10",
    .scope = SCOPE_READ,
    .asks = SHAPE(struct asked, asks),
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

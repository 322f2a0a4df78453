/* The landscapes of this server, in byte order of their ids. */
#include "api/landscapes/document.h"

#include "api/service.h"

struct asked {
    int32_t limit;
    const char *after;
};

static const struct field asks[] = {
    FIELD(struct asked, limit, NULL, 1, 1000, "At most so many", .has_value = true, .value = 100),
    FIELD_AS(FIELD_NAME, struct asked, after, "Only ids behind this one: the last answer's next"),
    { .kind = FIELD_END }
};

struct item {
    const char *id;
    uint64_t version;
    const char *title;
    int32_t size[2];
    const char *crs, *unavailable, *href;
};

static const struct field item_rows[] = {
    FIELD_AS(FIELD_NAME, struct item, id, "The landscape's id"),
    FIELD(struct item, version, NULL, 0, 0, "Raised by one by each change"),
    FIELD(struct item, title, NULL, 0, 0, "A name for people"),
    FIELD_AS(FIELD_INTS, struct item, size, "Columns and rows of vertices", .count = 2,
             .unit = "vertices"),
    FIELD(struct item, crs, NULL, 0, 0, "EPSG:n, or null"),
    FIELD(struct item, unavailable, NULL, 0, 0, "Why its contents cannot be had just now, or null"),
    FIELD(struct item, href, NULL, 0, 0, "Its document"),
    { .kind = FIELD_END }
};

struct answer {
    struct list landscapes;
    const char *next;
};

static const struct field answers[] = {
    FIELD_AS(FIELD_LIST, struct answer, landscapes, "The landscapes",
             .shape = SHAPE(struct item, item_rows)),
    FIELD_AS(FIELD_NAME, struct answer, next,
             "What to send as after= for those that follow, or null"),
    { .kind = FIELD_END }
};

/* One that cannot be read is listed all the same: it is there, and can be deleted. */
static void describe(struct request *rq, const char *name, struct item *item)
{
    struct fault why = { 0 };
    struct landscape *landscape = landscapes_find(rq->service->landscapes, name, &why);
    struct view *view;

    item->id = arena_text(rq->arena, name);
    item->href = document_path(rq, name);
    if (!landscape) {
        item->unavailable = arena_text(rq->arena, why.detail);
        return;
    }
    view = landscape_view(landscape);
    item->version = view->version;
    item->title = arena_text(rq->arena, view->settings->title);
    item->size[0] = view->settings->grid.columns;
    item->size[1] = view->settings->grid.rows;
    item->crs = view->settings->crs[0] ? arena_text(rq->arena, view->settings->crs) : NULL;
    view_drop(view);
    landscape_drop(landscape);
}

static bool run(struct request *rq, const void *asked_, void *answer_)
{
    const struct asked *asked = asked_;
    struct answer *answer = answer_;
    size_t most = (size_t)asked->limit, count;
    char(*names)[65] = arena_new(rq->arena, (most + 1) * sizeof *names);
    struct item *items = arena_new(rq->arena, most * sizeof *items);

    if (!names || !items)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of %zu landscapes", most);
    count =
        landscapes_list(rq->service->landscapes, asked->after ? asked->after : "", most + 1, names);
    if (count > most) {
        count = most;
        answer->next = names[count - 1];
    }
    for (size_t i = 0; i < count; i++)
        describe(rq, names[i], &items[i]);
    answer->landscapes = (struct list){ count, items };
    return true;
}

const struct endpoint endpoint_get_landscapes = {
    .method = "GET",
    .path = "/v1/landscapes",
    .summary = "The landscapes of this server",
    .example_path = "/v1/landscapes",
    .example = "limit=10",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .asks = SHAPE(struct asked, asks),
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

/* Links to everything: what the rows say, as a list. */
#include "api/endpoint.h"

struct link {
    const char *method, *href, *summary;
};

struct links {
    const char *description;
    struct list links;
};

static const struct field link_rows[] = { FIELD(struct link, method, NULL, 0, 0, "The HTTP method"),
                                          FIELD(struct link, href, NULL, 0, 0,
                                                "The path, with its members in braces"),
                                          FIELD(struct link, summary, NULL, 0, 0, "What it does"),
                                          { .kind = FIELD_END } };

static const struct field answers[] = { FIELD(struct links, description, NULL, 0, 0,
                                              "The machine-readable form of this API"),
                                        FIELD_AS(FIELD_LIST, struct links, links, "Every route",
                                                 .shape = SHAPE(struct link, link_rows)),
                                        { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct links *links = answer;
    struct link *items = arena_new(rq->arena, endpoint_count * sizeof *items);

    (void)asked;
    if (!items)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the links");
    for (size_t i = 0; i < endpoint_count; i++)
        items[i] = (struct link){ endpoints[i]->method, endpoints[i]->path, endpoints[i]->summary };
    links->description = "/v1/openapi.json";
    links->links = (struct list){ endpoint_count, items };
    return true;
}

const struct endpoint endpoint_get_v1 = {
    .method = "GET",
    .path = "/v1",
    .summary = "Links to everything",
    .example_path = "/v1",
    .scope = SCOPE_READ,
    .answers = SHAPE(struct links, answers),
    .run = run,
};

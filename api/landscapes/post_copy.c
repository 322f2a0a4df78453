/* Another landscape with the same content, at version 1. */
#include "api/landscapes/document.h"
#include "api/service.h"

struct copying {
    const char *to;
};

static const struct field takes[] = { FIELD_AS(FIELD_NAME, struct copying, to, "Id of the copy",
                                               .required = true),
                                      { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct copying *copying = rq->body;
    const char *request =
        arena_print(rq->arena, "{\"copy_of\":\"%s\"}", landscape_id(rq->landscape));
    struct landscape *copy;
    bool told;

    (void)asked;
    if (!request)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the copy");
    if (!document_limits(rq, rq->view->settings))
        return false;
    copy = landscapes_create(rq->service->landscapes, copying->to, rq->view, request, &rq->fault);
    if (!copy)
        return rq->fault.code == FAULT_CONFLICT && fault_at(&rq->fault, "/to");
    told = document_of(rq, copy, answer);
    landscape_drop(copy);
    rq->status = 201;
    rq->location = document_path(rq, copying->to);
    return told;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_post_copy = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/copy",
    .summary = "Copy a landscape",
    .example_path = "/v1/landscapes/demo/copy",
    .example_body = "{\"to\":\"demo-copy\"}",
    .scope = SCOPE_ADMIN,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .takes = SHAPE(struct copying, takes),
    .answers = &document_shape,
    .statuses = statuses,
    .run = run,
};

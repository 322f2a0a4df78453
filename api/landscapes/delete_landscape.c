/* Removes a landscape with all that belongs to it. */
#include "api/endpoint.h"
#include "api/service.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)asked;
    (void)answer;
    rq->status = 204;
    return landscapes_delete(rq->service->landscapes, rq->landscape_name, rq->if_match, &rq->fault);
}

static const int statuses[] = { 204, 0 };

const struct endpoint endpoint_delete_landscape = {
    .method = "DELETE",
    .path = "/v1/landscapes/{landscape}",
    .summary = "Remove a landscape",
    .example_path = "/v1/landscapes/demo",
    .scope = SCOPE_ADMIN,
    .pace = SLOW,
    .holds = HOLDS_NAME,
    .conditional = true,
    .statuses = statuses,
    .run = run,
};

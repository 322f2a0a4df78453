/* Can it serve? 503 while landscapes load and while it shuts down. */
#include "api/endpoint.h"
#include "api/service.h"

struct readiness {
    const char *status;
    int32_t loaded, landscapes;
};

static const struct field answers[] = {
    FIELD(struct readiness, status, NULL, 0, 0, "\"ok\", \"loading\" or \"stopping\""),
    FIELD(struct readiness, loaded, NULL, 0, 0, "Landscapes in memory"),
    FIELD(struct readiness, landscapes, NULL, 0, 0, "Landscapes in the store"),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct readiness *ready = answer;

    (void)asked;
    landscapes_progress(rq->service->landscapes, &ready->loaded, &ready->landscapes);
    ready->status = atomic_load(&rq->service->stopping) ? "stopping"
                    : ready->loaded < ready->landscapes ? "loading"
                                                        : "ok";
    rq->status = ready->status[0] == 'o' ? 200 : 503;
    return true;
}

const struct endpoint endpoint_get_readyz = {
    .method = "GET",
    .path = "/readyz",
    .summary = "Can it serve?",
    .example_path = "/readyz",
    .scope = SCOPE_OPEN,
    .unversioned = true,
    .answers = SHAPE(struct readiness, answers),
    .run = run,
};

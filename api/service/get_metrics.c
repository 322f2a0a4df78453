/* Numbers for Prometheus. */
#include "api/endpoint.h"
#include "api/service.h"

static const char *const media_out[] = { "text/plain; version=0.0.4", NULL };

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)asked, (void)answer;
    if (!rq->service->print_metrics)
        return REFUSE(rq, FAULT_MISSING, "This server keeps no metrics");
    return rq->service->print_metrics(rq->service, &rq->bytes, &rq->fault);
}

const struct endpoint endpoint_get_metrics = {
    .method = "GET",
    .path = "/metrics",
    .summary = "Numbers for Prometheus",
    .example_path = "/metrics",
    .scope = SCOPE_READ,
    .unversioned = true,
    .media_out = media_out,
    .run = run,
};

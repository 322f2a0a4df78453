/* The rows as an OpenAPI document. */
#include "api/openapi.h"
#include "api/service.h"

static const char *const media_out[] = { "application/json", "application/vnd.oai.openapi+json",
                                         NULL };

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)asked, (void)answer;
    return openapi_write(endpoints, endpoint_count, rq->service->version, &rq->bytes, &rq->fault);
}

const struct endpoint endpoint_get_openapi = {
    .method = "GET",
    .path = "/v1/openapi.json",
    .summary = "The machine-readable form of this API (OpenAPI 3.1)",
    .example_path = "/v1/openapi.json",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .media_out = media_out,
    .run = run,
};

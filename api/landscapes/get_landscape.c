/* The landscape document. */
#include "api/landscapes/document.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)asked;
    return document_fill(rq, landscape_id(rq->landscape), rq->view, answer);
}

const struct endpoint endpoint_get_landscape = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}",
    .summary = "The landscape document",
    .example_path = "/v1/landscapes/demo",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .version_etag = true,
    .answers = &document_shape,
    .run = run,
};

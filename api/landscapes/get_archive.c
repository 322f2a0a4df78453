/* Everything of a landscape as one file. */
#include "api/endpoint.h"
#include "terrain/store/archive.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    (void)asked;
    (void)answer;
    rq->filename = arena_print(rq->arena, "%s.landscape", landscape_id(rq->landscape));
    return archive_write(rq->view, &rq->bytes, &rq->fault);
}

static const char *const media_out[] = { "application/vnd.landscaped.archive", NULL };

const struct endpoint endpoint_get_archive = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/archive",
    .summary = "Everything as one versioned, checksummed file",
    .example_path = "/v1/landscapes/demo/archive",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .stamped = true,
    .media_out = media_out,
    .run = run,
};

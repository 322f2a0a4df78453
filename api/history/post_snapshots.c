/* Gives a version a name, under which it is kept. */
#include <string.h>

#include "api/history/history.h"
#include "api/service.h"

enum { TITLE_MOST = 256 };

struct taking {
    const char *name, *title;
    int64_t version;
};

static const struct field takes[] = {
    FIELD_AS(FIELD_NAME, struct taking, name, "The snapshot's name", .required = true),
    FIELD(struct taking, title, NULL, 0, TITLE_MOST, "A name for people"),
    FIELD(struct taking, version, NULL, 1, 9007199254740992.0,
          "An older version that the log still reaches; without it the newest"),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct taking *taking = rq->body;
    struct ledger_snapshot snapshot = { .name = taking->name,
                                        .version = (uint64_t)taking->version,
                                        .author = rq->author,
                                        .title = taking->title };

    (void)asked;
    if (!landscape_snapshot_put(rq->landscape, &snapshot, rq->if_match, &rq->fault))
        return rq->fault.code == FAULT_CONFLICT && fault_at(&rq->fault, "/name");
    rq->status = 201;
    rq->version = snapshot.version;
    if (!snapshot_document_fill(rq, &snapshot, answer))
        return false;
    rq->location = ((struct snapshot_document *)answer)->href;
    return true;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_post_snapshots = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/snapshots",
    .summary = "Keep a version under a name",
    .example_path = "/v1/landscapes/demo/snapshots",
    .example_body = "{\"name\":\"demo\",\"title\":\"Before the river\"}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .takes = SHAPE(struct taking, takes),
    .conditional = true,
    .answers = &snapshot_document_shape,
    .statuses = statuses,
    .run = run,
};

/* The snapshots of a landscape, in byte order of their names. */
#include "api/history/history.h"
#include "api/service.h"

struct answer {
    struct list snapshots;
};

static const struct field answers[] = { FIELD_AS(FIELD_LIST, struct answer, snapshots,
                                                 "The snapshots",
                                                 .shape = &snapshot_document_shape),
                                        { .kind = FIELD_END } };

struct listing {
    struct request *rq;
    struct snapshot_document *documents;
    size_t count, room;
};

static bool list(void *context, const struct ledger_snapshot *snapshot)
{
    struct listing *listing = context;

    return listing->count < listing->room &&
           snapshot_document_fill(listing->rq, snapshot, &listing->documents[listing->count++]);
}

static bool run(struct request *rq, const void *asked, void *answer_)
{
    struct answer *answer = answer_;
    size_t room = (size_t)rq->service->limits.snapshots;
    struct listing listing = { rq, NULL, 0, room };

    (void)asked;
    listing.documents = arena_new(rq->arena, room * sizeof *listing.documents);
    if (!listing.documents)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of snapshots");
    if (!landscape_snapshots(rq->landscape, list, &listing, &rq->fault) || rq->fault.code)
        return false;
    answer->snapshots = (struct list){ listing.count, listing.documents };
    return true;
}

const struct endpoint endpoint_get_snapshots = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/snapshots",
    .summary = "The snapshots of a landscape",
    .example_path = "/v1/landscapes/demo/snapshots",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .answers = SHAPE(struct answer, answers),
    .run = run,
};

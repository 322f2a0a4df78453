/* What the endpoints of this folder share: moments, and snapshots as documents. Any thread. */
#ifndef API_HISTORY_HISTORY_H
#define API_HISTORY_HISTORY_H

#include "api/endpoint.h"
#include "terrain/landscape_history.h"

/* "2024-05-01T12:30:00.250Z" of milliseconds since 1970, in the request's arena; NULL when that is
 * exhausted. */
const char *history_moment(struct request *rq, int64_t milliseconds);

/* A number of a version as an answer has it: null for 0. */
double history_version(uint64_t version);

struct snapshot_document {
    const char *name, *title, *author, *at;
    int64_t version;
    const char *href;
};
extern const struct shape snapshot_document_shape;

/* In the request's arena; fails with MEMORY. */
bool snapshot_document_fill(struct request *rq, const struct ledger_snapshot *snapshot,
                            struct snapshot_document *document);

/* The path's {name}, as the first member of what endpoints of one snapshot ask. */
struct snapshot_asked {
    const char *name;
};
extern const struct shape snapshot_asked_shape;

/* The snapshot of that name of the request's landscape. Fails as landscape_snapshot_find does. */
bool snapshot_document_of(struct request *rq, const char *name, struct snapshot_document *document);

#endif

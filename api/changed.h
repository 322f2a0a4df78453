/* How a change of the surface is answered, whatever caused it:
 * {"version":N,"dirty":{"x":,"y":,"width":,"height":}|null,"changed":vertices}. Any thread. */
#ifndef API_CHANGED_H
#define API_CHANGED_H

#include "api/endpoint.h"

struct changed {
    int64_t version;
    struct rect dirty;
    int64_t changed;
};
extern const struct shape changed_shape;

/* Whatever is written to the draft from now on goes to that edit layer, the one that the request
 * named at `place`. Fails with MISSING and LOCKED. */
bool changed_layer(struct draft *draft, const char *name, const char *place, struct fault *why);

/* Makes the change on the request's landscape, under its If-Match and idempotency key, and fills
 * the answer and the request's version. Fails as landscape_change does. */
bool changed_make(struct request *rq,
                  bool (*make)(void *context, struct draft *draft, struct fault *why),
                  void *context, bool dry_run, const char *request, struct changed *answer);

#endif

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

/* The checksum of the body, for requests' texts: a repeat with the same idempotency key is told by
 * its text. */
uint32_t changed_body(const struct request *rq);

/* Makes the change on the request's landscape, under its If-Match and idempotency key, and fills
 * the answer and the request's version. Fails as landscape_change does. */
bool changed_make(struct request *rq,
                  bool (*make)(void *context, struct draft *draft, struct fault *why),
                  void *context, bool dry_run, const char *request, struct changed *answer);

/* The change without what makes it, and its answer, for changes that are made otherwise. */
struct landscape_change changed_change(struct request *rq, bool dry_run, const char *request);
void changed_fill(struct request *rq, const struct landscape_changed *made, struct changed *answer);

/* What has changed, of CHANGE_ (terrain/edit/draft.h), as words. The list lends the array. */
enum { CHANGED_WORDS = 6 };
extern const char *const changed_words[CHANGED_WORDS];
struct list changed_what(unsigned what, const char *words[CHANGED_WORDS]);

#endif

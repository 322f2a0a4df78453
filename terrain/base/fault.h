/* Why a call failed: a code, and one sentence that tells the caller what to mend.
 *
 * A call that can fail returns false (or NULL) and fills the caller's fault;
 * on success the fault is left alone. Nothing is kept elsewhere. Any thread.
 */
#ifndef TERRAIN_BASE_FAULT_H
#define TERRAIN_BASE_FAULT_H

#include <stdbool.h>

enum fault_code {
    FAULT_NONE,
#define FAULT(code, status, slug, title) FAULT_##code,
#include "terrain/base/faults.def"
#undef FAULT
    FAULT_COUNT
};

struct fault {
    enum fault_code code;
    char detail[320]; /* one sentence, with the value and the nearest right one */
    char place[120];  /* a JSON pointer ("/ops/0/radius") or a parameter's name; "" is none */
};

/* Each sets the reason and returns false, so that a failing path is one line.
 * The place of an earlier fault is forgotten. */
bool fault_set(struct fault *why, enum fault_code code, const char *sentence, ...)
    __attribute__((format(printf, 3, 4)));

/* As fault_set, with strerror(errno) added to the sentence. ENOSPC and EDQUOT
 * become FAULT_FULL and ENOMEM becomes FAULT_MEMORY, whatever the code given. */
bool fault_errno(struct fault *why, enum fault_code code, const char *doing, ...)
    __attribute__((format(printf, 3, 4)));

/* Name where the fault lies. fault_within puts "/step" (or "step" alone when it
 * begins with '/') in front of a place, as a decoder climbs out of nested bodies. */
bool fault_at(struct fault *why, const char *place, ...) __attribute__((format(printf, 2, 3)));
bool fault_within(struct fault *why, const char *step, ...) __attribute__((format(printf, 2, 3)));

/* The row of a code: slug, title and HTTP status ("none" for FAULT_NONE). */
const char *fault_slug(enum fault_code code);
const char *fault_title(enum fault_code code);

#endif

/* From reasons to HTTP statuses. Any thread. */
#ifndef API_STATUS_H
#define API_STATUS_H

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

int status_of(enum fault_code code);

/* The problem document (RFC 9457) of a fault, appended. Fails with MEMORY. */
bool problem_write(const struct fault *fault, struct bytes *to, struct fault *why);

#endif

/* What the ops of one edit may read beside their landscape: uploaded rasters and other landscapes,
 * found by name when an op asks for them and held until the edit has ended. One thread at a time.
 */
#ifndef API_EDITS_LENDING_H
#define API_EDITS_LENDING_H

#include "api/service.h"
#include "terrain/edit/sources.h"

struct lending {
    struct sources sources; /* for draft_lend */
    struct service *service;
    struct lent *first; /* what has been found so far */
    int64_t bytes;      /* of all rasters, against request_memory_bytes */
};

void lending_init(struct lending *lending, struct service *service);
/* The draft that was lent these is freed first. */
void lending_fini(struct lending *lending);

#endif

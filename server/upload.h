/* A body while it arrives: one run of bytes, without copies of copies. Large ones are mapped, so
 * that growing moves pages and not bytes. One thread at a time. */
#ifndef SERVER_UPLOAD_H
#define SERVER_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct upload {
    unsigned char *data;
    size_t length, room;
    int64_t most; /* the row's limit on the body */
    bool mapped;
};

/* Sets the bound on all bodies together. Before any thread. */
void upload_setup(int64_t bytes_most);
int64_t upload_bytes(void);

/* expected: the Content-Length, or 0 when it is not known. Fails with BUSY when all bodies together
 * are too large, and MEMORY. */
bool upload_begin(struct upload *upload, uint64_t expected, int64_t most, struct fault *why);
/* Fails with LIMIT beyond most, BUSY and MEMORY. */
bool upload_add(struct upload *upload, const void *data, size_t length, struct fault *why);
void upload_fini(struct upload *upload);

#endif

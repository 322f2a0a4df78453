/* Strong ETags, and the key of a kept answer. Any thread. */
#ifndef API_ETAG_H
#define API_ETAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/cache.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

/* Bytes that name a content: equal when, and only when, all that was added is equal. */
enum { ETAG_KEY_ROOM = 1024 };
struct etag_key {
    unsigned char bytes[ETAG_KEY_ROOM];
    size_t length;
    bool overflow; /* too long to be kept; the hash goes on */
    uint64_t hash;
};

void etag_key_begin(struct etag_key *key);
void etag_key_add(struct etag_key *key, const void *data, size_t length);
void etag_key_text(struct etag_key *key, const char *text); /* NULL too */
/* Every member of a struct that a query filled. */
void etag_key_shape(struct etag_key *key, const struct shape *shape, const void *value);

/* "incarnation-version-options", with -gz for the gzip coding. */
void etag_print(uint64_t incarnation, uint64_t version, uint64_t options, bool gzip,
                char etag[KEPT_ETAG_ROOM]);
/* A random number of this process: for answers that another one would give otherwise. */
uint64_t etag_process(void);

/* Of answers that no version stands behind: from the bytes themselves. */
void etag_of_bytes(const void *data, size_t length, bool gzip, char etag[KEPT_ETAG_ROOM]);

#endif

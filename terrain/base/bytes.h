/* A growing run of bytes on the heap. A zeroed struct is an empty one.
 * One thread at a time. */
#ifndef TERRAIN_BASE_BYTES_H
#define TERRAIN_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/fault.h"

struct bytes {
    unsigned char *data;
    size_t length, room;
};

void bytes_free(struct bytes *bytes);

/* Room for at least `more` further bytes. Fails with MEMORY. */
bool bytes_reserve(struct bytes *bytes, size_t more, struct fault *why);

/* Append. Fails with MEMORY, and then nothing was appended. */
bool bytes_add(struct bytes *bytes, const void *data, size_t length, struct fault *why);
bool bytes_print(struct bytes *bytes, struct fault *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

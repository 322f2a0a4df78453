/* Events as they go out in HTTP/1.1: each is a chunk. Any thread. */
#ifndef SERVER_CHUNKS_H
#define SERVER_CHUNKS_H

#include <stdbool.h>

#include "api/stream.h"

/* The events of a plain batch, over what the other held. Fails with MEMORY. */
bool chunks_make(const struct stream_batch *plain, struct stream_batch *chunks, struct fault *why);

#endif

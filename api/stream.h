/* A stream of server-sent events, without a socket: what an endpoint with `.stream` leaves in its
 * request, for the server to read from whenever it is woken.
 *
 * A place says up to where a reader has been told. Places grow with each event; what else they mean
 * the thing that is followed knows (a landscape's are versions). Any thread.
 */
#ifndef API_STREAM_H
#define API_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/base/watch.h"

enum { STREAM_BATCH_MOST = 64 };

/* Events in their order, as text. */
struct stream_batch {
    struct bytes text;
    struct {
        uint64_t place; /* behind it */
        size_t end;     /* of its text */
    } events[STREAM_BATCH_MOST];
    size_t count;
    bool more;  /* there are more to be read at once */
    bool ended; /* there will never be any more */
};

struct stream_kind {
    /* The events behind the place, over what the batch held before. Fails with MEMORY. */
    bool (*read)(void *of, uint64_t place, struct stream_batch *batch, struct fault *why);
    /* The watch is woken when there is something to read; holds the thing, until unwatch. */
    void (*watch)(void *of, struct watch *watch);
    void (*unwatch)(void *of, struct watch *watch);
    void (*drop)(void *of);
};

struct stream {
    const struct stream_kind *kind;
    void *of; /* held; NULL is no stream */
    uint64_t place;
};

static inline void stream_drop(struct stream *stream)
{
    if (stream->of)
        stream->kind->drop(stream->of);
    stream->of = NULL;
}

#endif

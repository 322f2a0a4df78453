/* Event streams: sockets that the HTTP library has let go of, all told by one thread.
 *
 * A listener that has nothing to be told costs a socket and about 200 bytes. Who changes a
 * landscape only leaves a mark; the thread reads what is new, once for all who follow the same
 * thing, and writes without waiting: a listener whose socket is full goes on when it can take more,
 * and is dropped when too much waits for it. After a round it rests for some times as long as that
 * took, so that many listeners to many changes cost a share of one processor and get them together;
 * and before a long one it waits as long, so that whoever made the news is answered first. Any
 * thread.
 */
#ifndef SERVER_EVENTS_H
#define SERVER_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/stream.h"
#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

struct events;
struct sockaddr;

struct events_limits {
    int64_t streams, streams_per_address, backlog, beat_seconds; /* 0 per address is no limit */
};

bool events_start(const struct events_limits *limits, struct events **events, struct fault *why);
/* Ends all streams, and takes no more. */
void events_quiet(struct events *events);
void events_stop(struct events *events);

/* Room for one stream more, of that address, before its socket is taken; fails with BUSY when there
 * are too many. events_cancel gives it back. */
struct events_seat {
    struct peer *peer;
};
bool events_reserve(struct events *events, const struct sockaddr *address, struct events_seat *seat,
                    struct fault *why);
void events_cancel(struct events *events, const struct events_seat *seat);

/* A stream that has its seat: takes that, the stream, the socket, and what is to be sent first.
 * chunked: what comes then goes out in chunks of HTTP/1.1. False when memory is out; then nothing
 * was taken. */
bool events_add(struct events *events, const struct events_seat *seat, struct stream *stream,
                int socket, struct bytes *first, bool chunked);

struct events_numbers {
    int64_t streams;                /* open now */
    int64_t sent, dropped, refused; /* events told, streams ended as too slow, not taken */
};
void events_numbers(struct events *events, struct events_numbers *numbers);

#endif

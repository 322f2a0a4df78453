/* Absolute deadlines for connections: the HTTP library only knows inactivity, which a client that
 * drips a byte a second never shows. Any thread. */
#ifndef SERVER_REAPER_H
#define SERVER_REAPER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct reaper;

/* One connection. */
struct line {
    struct line *next, **at; /* of the reaper's list */
    int socket;
    _Atomic int64_t deadline; /* clock_now() beyond which it is cut */
    _Atomic bool linger;      /* see reaper_leave */
};

#define LINE_FOREVER INT64_MAX

bool reaper_start(struct reaper **reaper, struct fault *why);
void reaper_stop(struct reaper *reaper);

/* NULL when memory is out. */
struct line *reaper_enter(struct reaper *reaper, int socket, int64_t deadline);
/* Before the socket is closed. A line that lingers was answered before its body was read: the
 * socket is kept open and read empty for a moment, or the client would lose the answer to a reset.
 */
void reaper_leave(struct reaper *reaper, struct line *line);

/* Gives a line's socket away, as a descriptor of its own that nobody cuts any more; the line's own
 * becomes one of a socket that nothing comes from. -1 when descriptors are out. */
int reaper_take(struct reaper *reaper, struct line *line);

int64_t reaper_cut(struct reaper *reaper); /* connections cut so far */
int64_t reaper_lines(struct reaper *reaper);

#endif

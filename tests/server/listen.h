/* An event stream from outside: its chunks and its events, as a client sees them. */
#ifndef TESTS_SERVER_LISTEN_H
#define TESTS_SERVER_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/server/harness.h"

struct listen {
    int socket;
    struct answer head; /* of a refusal, with its body */
    char raw[8192];     /* as it came, from `taken` on */
    size_t used, taken;
    size_t chunk; /* bytes of the chunk that are still to come */
    bool ended;   /* by the last chunk */
    char text[8192];
    size_t length;
};

/* One block of the stream. A comment has the event ":", an id alone has "". */
struct told {
    char event[16], data[1024];
    char id[32];
    bool has_id;
};

enum told_as { TOLD, TOLD_END, TOLD_CUT, TOLD_NOTHING };

/* Asks for the events of a landscape on that socket, which it takes; headers are lines that end in
 * \r\n, or NULL; since is a query, such as "?since=1", or "". False when it was refused: see head.
 */
bool listen_ask(struct listen *listen, int socket, const char *landscape, const char *since,
                const char *headers);
bool listen_begin(struct listen *listen, const struct served *served, const char *landscape,
                  const char *since, const char *headers);
void listen_end(struct listen *listen);

/* The next block, comments too: TOLD; or how it ended; or nothing within so many seconds. */
enum told_as listen_next(struct listen *listen, double seconds, struct told *told);
/* The next event. */
enum told_as listen_event(struct listen *listen, double seconds, struct told *told);

#endif

/* Answers that go on: from libmicrohttpd's hands into those of events.h. */
#ifndef SERVER_HTTP_STREAM_H
#define SERVER_HTTP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "api/reply.h"
#include "server/http.h"

struct MHD_Connection;
struct MHD_Response;

/* Takes the connection's socket out of the library's hands and gives it to the event streams with
 * the reply's stream and head. The handler then returns MHD_YES, and MHD_NO when it is called
 * again. modern: HTTP/1.1. Fails with BUSY, and then the connection takes another answer. Event
 * threads. */
bool http_stream(const struct http_parts *parts, struct MHD_Connection *connection,
                 struct line *line, struct reply *reply, bool modern, uint64_t *sent,
                 struct fault *why);

/* What HEAD is told of a body without an end; without headers yet. NULL when memory is out. */
struct MHD_Response *http_stream_head(void);

#endif

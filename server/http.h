/* The HTTP server: libmicrohttpd's event loop on a few threads, dispatch behind it.
 *
 * Quick requests are answered on the event thread; slow ones suspend their connection, run on a
 * worker and resume it. Connections that are idle cost no thread.
 */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include <stdbool.h>

#include "api/service.h"
#include "server/events.h"
#include "server/listen.h"
#include "server/reaper.h"
#include "server/workers.h"
#include "terrain/base/fault.h"

struct http;

struct http_parts {
    struct service *service;
    struct workers *workers;
    struct reaper *reaper;
    struct events *events;
};

/* The listening socket is closed by http_stop. Fails with INTERNAL. */
bool http_start(const struct http_parts *parts, const struct listening *listening,
                struct http **http, struct fault *why);

/* Event streams end. The service is stopping: what comes from now on is told so, connections that
 * are new as well as those that are open, for as long as what was under way is waited for. */
void http_quiet(struct http *http);

/* Waits until no request is under way that began before the service was stopping, at most so many
 * seconds; false when some still are. */
bool http_drain(struct http *http, double seconds);

/* All requests must have ended: none may be suspended. */
void http_stop(struct http *http);

#endif

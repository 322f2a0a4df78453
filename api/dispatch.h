/* The way of a request from its head to its reply, without a socket.
 *
 * The server fills the head, then calls begin, for a body ready, and run:
 *   begin   route, who, media, query; refuses before any body is read
 *   ready   holds the landscape; answers If-None-Match and kept answers at once
 *   run     decodes the body, runs the handler, encodes: at once, or on a worker
 * Each says what comes next. One thread at a time for one dispatch; many side by side.
 */
#ifndef API_DISPATCH_H
#define API_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/endpoint.h"
#include "api/etag.h"
#include "api/reply.h"
#include "api/route.h"
#include "api/service.h"

/* A request's head; texts are lent for as long as the dispatch lasts, NULL when absent. */
struct head {
    const char *method;
    const char *target; /* as it was sent: escaped, with the query */
    const char *host, *accept, *accept_encoding, *content_type, *content_encoding, *authorization;
    const char *if_match, *if_none_match, *idempotency_key, *last_event_id;
    const char *origin;        /* the page's, when a browser asks */
    const char *wanted_method; /* Access-Control-Request-Method */
    bool has_length, chunked;
    uint64_t length; /* Content-Length */
};

enum dispatch_next {
    DISPATCH_BODY,   /* read the body, at most dispatch_body_limit bytes, then ready */
    DISPATCH_READY,  /* there is none: go on with ready */
    DISPATCH_ANSWER, /* the reply is there */
    DISPATCH_QUICK,  /* run here */
    DISPATCH_SLOW    /* run on a worker */
};

struct dispatch {
    struct head head;
    struct request rq;
    struct arena arena;
    struct reply reply;
    struct route route;
    const char *query; /* raw, or NULL */
    void *asked;
    int64_t wanted_version; /* ?version=, 0 is none */
    bool gzip;              /* the client takes it and the media type shrinks */
    bool prepared;          /* the landscape is held, and neither etag nor cache settled it */
    bool tagged;            /* etag and key are set */
    struct etag_key key;
    uint64_t options; /* a hash of what was asked for, without how old it is */
    char etag[KEPT_ETAG_ROOM];
};

void dispatch_init(struct dispatch *dispatch, struct service *service);
void dispatch_fini(struct dispatch *dispatch);

enum dispatch_next dispatch_begin(struct dispatch *dispatch);
int64_t dispatch_body_limit(const struct dispatch *dispatch);
/* The body is lent until dispatch_fini. */
enum dispatch_next dispatch_ready(struct dispatch *dispatch, const void *body, size_t length);
void dispatch_run(struct dispatch *dispatch);

/* A read that this process makes itself, of a view that it holds: the answer of a GET row that
 * reads a view, byte for byte, with nobody to ask and nothing kept. Its query is read strictly, or
 * as the row does. In rq.bytes, when `make`; without, only whether there is such an answer, and its
 * stamp, which is the same as long as the answer is. Fails as the row does, with the fault in
 * rq.fault. */
bool dispatch_read(struct dispatch *dispatch, const char *target, bool strict,
                   struct landscape *landscape, const struct view *view, bool make,
                   uint64_t *stamp);

/* A reply out of the fault, wherever the request stands; the server's own refusals too. */
void dispatch_refuse(struct dispatch *dispatch, const struct fault *fault);

/* Adds the headers of a kept answer, for the server's first (or first since another version of the
 * landscape) response made of it; other replies have theirs. */
void dispatch_describe(struct dispatch *dispatch);

/* The row, or NULL before there is one; for logs and metrics. */
const struct endpoint *dispatch_row(const struct dispatch *dispatch);

#endif

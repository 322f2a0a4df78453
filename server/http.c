#include "server/http.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/dispatch.h"
#include "server/clock.h"
#include "server/http_answer.h"
#include "server/http_head.h"
#include "server/http_stream.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/upload.h"

enum {
    /* Of one event thread: with 128 events at once libmicrohttpd 0.9.75 waits for more before it
     * serves any. The listening socket and the thread's own wake-up are events too. */
    THREAD_CONNECTIONS_MOST = 125,
    POOL_BYTES = 32 << 10, /* a connection's memory in the library; heads must fit */
    BODY_RATE = 64 << 10,  /* bytes a second that a body must come with, */
    ANSWER_RATE = 16 << 10 /* and an answer be taken with, beside the seconds of the limit */
};

struct http {
    struct http_parts parts;
    struct MHD_Daemon *daemon;
    int socket;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    _Atomic int64_t under_way;
};

enum stage { STAGE_HEAD, STAGE_BODY, STAGE_WORK, STAGE_REPLY, STAGE_GONE };

/* One request, from its first line to the last byte of its answer. */
struct exchange {
    struct job job; /* first: the workers give it back */
    struct http *http;
    struct MHD_Connection *connection;
    struct line *line;
    enum stage stage;
    bool counted; /* under way */
    bool modern;  /* HTTP/1.1 */
    int64_t began, body_began;
    uint64_t sent;
    char *target;
    struct upload upload;
    struct dispatch dispatch;
};

static const struct limits *limits_of(const struct exchange *exchange)
{
    return &exchange->http->parts.service->limits;
}

static void deadline(struct exchange *exchange, int64_t seconds, int64_t bytes, int64_t rate)
{
    if (exchange->line)
        atomic_store(&exchange->line->deadline,
                     clock_now() + seconds * CLOCK_SECOND + bytes * (CLOCK_SECOND / rate));
}

/* ---- the answer ---- */

static enum MHD_Result answer(struct exchange *exchange)
{
    struct fault why;
    enum MHD_Result sent;

    if (exchange->dispatch.reply.stream.of) {
        const struct http_parts *parts = &exchange->http->parts;

        if (http_stream(parts, exchange->connection, exchange->line, &exchange->dispatch.reply,
                        exchange->modern, &exchange->sent, &why)) {
            exchange->stage = STAGE_GONE;
            return MHD_YES;
        }
        dispatch_refuse(&exchange->dispatch, &why);
    }
    exchange->stage = STAGE_REPLY;
    sent =
        http_answer(exchange->connection, &exchange->dispatch, &exchange->sent) ? MHD_YES : MHD_NO;
    deadline(exchange, limits_of(exchange)->body_seconds, (int64_t)exchange->sent, ANSWER_RATE);
    return sent;
}

/* An answer before the body was read ends the connection, for what comes next is that body. Without
 * a body the library's next call is soon enough, and the connection lives on. */
static enum MHD_Result answer_early(struct exchange *exchange)
{
    const struct head *head = &exchange->dispatch.head;

    if (!head->chunked && !head->length && !exchange->dispatch.reply.close) {
        exchange->stage = STAGE_REPLY;
        return MHD_YES;
    }
    exchange->dispatch.reply.close = true;
    if (exchange->line)
        atomic_store(&exchange->line->linger, true);
    return answer(exchange);
}

/* ---- the work ---- */

static void worked(struct job *job, bool late)
{
    struct exchange *exchange = (struct exchange *)job;
    struct fault why;

    if (late) {
        fault_set(&why, FAULT_BUSY, "The request waited too long for a thread; try again later");
        dispatch_refuse(&exchange->dispatch, &why);
    } else {
        dispatch_run(&exchange->dispatch);
    }
    exchange->stage = STAGE_REPLY;
    MHD_resume_connection(exchange->connection);
}

static enum MHD_Result work(struct exchange *exchange)
{
    struct fault why;
    bool taken;

    exchange->stage = STAGE_WORK;
    exchange->job.run = worked;
    if (exchange->line)
        atomic_store(&exchange->line->deadline, LINE_FOREVER);
    /* Suspend first: the worker may be done before workers_add returns. */
    MHD_suspend_connection(exchange->connection);
    taken = workers_add(exchange->http->parts.workers, &exchange->job);
    if (taken)
        return MHD_YES;
    fault_set(&why, FAULT_BUSY, "Too many requests are in work; try again later");
    dispatch_refuse(&exchange->dispatch, &why);
    exchange->stage = STAGE_REPLY;
    MHD_resume_connection(exchange->connection);
    return MHD_YES;
}

static enum MHD_Result go_on(struct exchange *exchange)
{
    switch (dispatch_ready(&exchange->dispatch, exchange->upload.data, exchange->upload.length)) {
    case DISPATCH_QUICK:
        dispatch_run(&exchange->dispatch);
        return answer(exchange);
    case DISPATCH_SLOW:
        return work(exchange);
    default:
        return answer(exchange);
    }
}

/* ---- libmicrohttpd's calls ---- */

static void ended(struct exchange *exchange)
{
    struct http *http = exchange->http;

    exchange->counted = false;
    if (atomic_fetch_sub(&http->under_way, 1) != 1)
        return;
    pthread_mutex_lock(&http->lock);
    pthread_cond_broadcast(&http->ended);
    pthread_mutex_unlock(&http->lock);
}

/* A stop waits for what was there before it; what comes later is told so at once, and does not keep
 * it waiting. Counted first, so that one of the two sees the other; what is not counted is never
 * suspended, since all that is not refused then is quick. */
static void begun(struct exchange *exchange)
{
    exchange->counted = true;
    atomic_fetch_add(&exchange->http->under_way, 1);
    if (atomic_load(&exchange->http->parts.service->stopping))
        ended(exchange);
}

static enum MHD_Result begin(struct exchange *exchange, const char *method, const char *version)
{
    struct head *head = &exchange->dispatch.head;
    enum dispatch_next next;
    struct fault why;

    exchange->stage = STAGE_BODY;
    exchange->modern = strcmp(version, "HTTP/1.0") != 0;
    begun(exchange);
    head->method = method;
    head->target = exchange->target;
    if (!http_head_read(exchange->connection, version, head, &why)) {
        exchange->dispatch.reply.close = true;
        dispatch_refuse(&exchange->dispatch, &why);
        return answer_early(exchange);
    }
    next = dispatch_begin(&exchange->dispatch);
    if (next == DISPATCH_ANSWER)
        return answer_early(exchange);
    if (next == DISPATCH_BODY && !upload_begin(&exchange->upload, head->length,
                                               dispatch_body_limit(&exchange->dispatch), &why)) {
        dispatch_refuse(&exchange->dispatch, &why);
        return answer_early(exchange);
    }
    exchange->body_began = clock_now();
    deadline(exchange, limits_of(exchange)->body_seconds, (int64_t)head->length, BODY_RATE);
    return MHD_YES;
}

/* The library takes no answer while a body arrives; this one is written past it, and the connection
 * ends. Small enough for the socket's buffer, which nothing else has been put into. */
static enum MHD_Result answer_past(struct exchange *exchange)
{
    const struct reply *reply = &exchange->dispatch.reply;
    struct bytes text = { 0 };
    struct fault why;
    bool made = http_head_write(reply, &text, &why) &&
                bytes_print(&text, &why, "Connection: close\r\nContent-Length: %zu\r\n\r\n",
                            reply->body.length) &&
                bytes_add(&text, reply->body.data, reply->body.length, &why);
    if (made && exchange->line &&
        send(exchange->line->socket, text.data, text.length, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
        exchange->sent = reply->body.length;
        atomic_store(&exchange->line->linger, true);
    }
    bytes_free(&text);
    return MHD_NO;
}

/* A chunked body is known to be too large only on the way. */
static enum MHD_Result piece(struct exchange *exchange, const char *data, size_t *length)
{
    struct fault why;
    size_t come = *length;

    *length = 0;
    if (!upload_add(&exchange->upload, data, come, &why)) {
        dispatch_refuse(&exchange->dispatch, &why);
        return answer_past(exchange);
    }
    if (exchange->dispatch.head.chunked && exchange->line)
        atomic_store(&exchange->line->deadline,
                     exchange->body_began + limits_of(exchange)->body_seconds * CLOCK_SECOND +
                         (int64_t)exchange->upload.length * (CLOCK_SECOND / BODY_RATE));
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *length, void **request)
{
    struct exchange *exchange = *request;

    (void)context, (void)url;
    if (!exchange)
        return MHD_NO; /* there was no memory for it */
    if (exchange->stage == STAGE_GONE)
        return MHD_NO;
    exchange->connection = connection;
    if (exchange->stage == STAGE_HEAD)
        return begin(exchange, method, version);
    if (*length)
        return piece(exchange, data, length);
    if (exchange->stage == STAGE_REPLY)
        return answer(exchange);
    return go_on(exchange);
}

static struct line *line_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

/* The request line is there, unparsed. The library would unescape the path, and copy each parameter
 * of the query into its pool; the target is ours from here, so its query is cut away. */
static void *opened(void *context, const char *uri, struct MHD_Connection *connection)
{
    struct http *http = context;
    struct exchange *exchange = malloc(sizeof *exchange);
    char *query;

    if (!exchange)
        return NULL;
    memset(exchange, 0, offsetof(struct exchange, dispatch));
    dispatch_init(&exchange->dispatch, http->parts.service);
    exchange->http = http;
    exchange->line = line_of(connection);
    exchange->began = clock_now();
    exchange->target = strdup(uri);
    if (!exchange->target) {
        dispatch_fini(&exchange->dispatch);
        free(exchange);
        return NULL;
    }
    query = strchr(uri, '?');
    if (query && query[1])
        query[1] = '\0';
    deadline(exchange, limits_of(exchange)->head_seconds, 0, 1);
    return exchange;
}

static void log_request(const struct exchange *exchange, int64_t nanoseconds)
{
    const struct dispatch *dispatch = &exchange->dispatch;
    const struct request *rq = &dispatch->rq;
    int status = dispatch->reply.status;

    log_line(status >= 500 ? LOG_WARNING : LOG_INFO, "request", "s:method", dispatch->head.method,
             "s:route", rq->endpoint ? rq->endpoint->path : NULL, "s:target", exchange->target,
             "i:status", (int64_t)status, "f:ms", (double)nanoseconds * 1e-6, "i:bytes",
             (int64_t)exchange->sent, "s:who", rq->token_name, "s:reason",
             status >= 400 && rq->fault.code ? rq->fault.detail : NULL,
             rq->version ? "i:version" : NULL, (int64_t)rq->version, NULL);
}

static void completed(void *context, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *request;

    (void)context, (void)connection, (void)code;
    if (!exchange)
        return;
    if (exchange->dispatch.reply.status) {
        int64_t nanoseconds = clock_now() - exchange->began;
        metrics_request(dispatch_row(&exchange->dispatch), exchange->dispatch.reply.status,
                        nanoseconds, exchange->sent);
        log_request(exchange, nanoseconds);
    }
    deadline(exchange, limits_of(exchange)->idle_seconds, 0, 1);
    if (exchange->counted)
        ended(exchange);
    dispatch_fini(&exchange->dispatch);
    upload_fini(&exchange->upload);
    free(exchange->target);
    free(exchange);
    *request = NULL;
}

static void connected(void *context, struct MHD_Connection *connection, void **line,
                      enum MHD_ConnectionNotificationCode code)
{
    struct http *http = context;
    const union MHD_ConnectionInfo *info;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        reaper_leave(http->parts.reaper, *line);
        *line = NULL;
        return;
    }
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *line = reaper_enter(http->parts.reaper, info->connect_fd,
                         clock_now() + http->parts.service->limits.head_seconds * CLOCK_SECOND);
}

/* Paths are unescaped by segment, later and by us: the library would cut them at %00. */
static size_t left_escaped(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context, (void)connection;
    return strlen(text);
}

static void complain(void *context, const char *format, va_list values)
{
    char text[256];
    size_t length;

    (void)context;
    vsnprintf(text, sizeof text, format, values);
    length = strlen(text);
    while (length && text[length - 1] == '\n')
        text[--length] = '\0';
    log_line(LOG_DEBUG, "microhttpd", "s:says", text, NULL);
}

static void panic(void *context, const char *file, unsigned line, const char *reason)
{
    (void)context, (void)file;
    log_line(LOG_ERROR, "microhttpd-panic", "s:reason", reason ? reason : "unknown", "i:line",
             (int64_t)line, NULL);
    _exit(70); /* what was acknowledged is on disk; a supervisor starts us again */
}

static unsigned thread_count(const struct limits *limits)
{
    return (unsigned)((limits->connections + THREAD_CONNECTIONS_MOST - 1) /
                      THREAD_CONNECTIONS_MOST);
}

static struct MHD_Daemon *daemon_start(struct http *http, const struct limits *limits)
{
    unsigned threads = thread_count(limits);
    struct MHD_OptionItem options[] = {
        { MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)threads, NULL },
        { MHD_OPTION_CONNECTION_LIMIT, (intptr_t)(threads * THREAD_CONNECTIONS_MOST), NULL },
        { MHD_OPTION_CONNECTION_MEMORY_LIMIT, POOL_BYTES, NULL },
        { MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)limits->connections_per_address, NULL },
        { MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
        { MHD_OPTION_END, 0, NULL }
    };

    if (threads == 1)
        options[0].option = MHD_OPTION_CONNECTION_TIMEOUT, options[0].value = 0;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        handle, http, MHD_OPTION_EXTERNAL_LOGGER, complain, http, MHD_OPTION_LISTEN_SOCKET,
        http->socket, MHD_OPTION_UNESCAPE_CALLBACK, left_escaped, http, MHD_OPTION_URI_LOG_CALLBACK,
        opened, http, MHD_OPTION_NOTIFY_COMPLETED, completed, http, MHD_OPTION_NOTIFY_CONNECTION,
        connected, http, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

bool http_start(const struct http_parts *parts, const struct listening *listening,
                struct http **made, struct fault *why)
{
    struct http *http = calloc(1, sizeof *http);
    pthread_condattr_t attributes;

    if (!http)
        return fault_set(why, FAULT_MEMORY, "No memory for the HTTP server");
    http->parts = *parts;
    http->socket = listening->socket;
    pthread_mutex_init(&http->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&http->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    upload_setup(parts->service->limits.bodies_bytes);
    MHD_set_panic_func(panic, NULL);
    http->daemon = daemon_start(http, &parts->service->limits);
    if (!http->daemon) {
        free(http);
        return fault_set(why, FAULT_INTERNAL, "The HTTP server did not start");
    }
    *made = http;
    return true;
}

/* Not MHD_quiesce_daemon: in 0.9.75 it and an event thread that is just awake both take
 * the listening socket out of the thread's epoll set, and whoever comes second panics. */
void http_quiet(struct http *http)
{
    events_quiet(http->parts.events);
}

bool http_drain(struct http *http, double seconds)
{
    int64_t end = clock_now() + (int64_t)(seconds * (double)CLOCK_SECOND);
    struct timespec until = { end / CLOCK_SECOND, end % CLOCK_SECOND };
    bool drained;

    pthread_mutex_lock(&http->lock);
    while (atomic_load(&http->under_way) && clock_now() < end)
        pthread_cond_timedwait(&http->ended, &http->lock, &until);
    drained = !atomic_load(&http->under_way);
    pthread_mutex_unlock(&http->lock);
    return drained;
}

void http_stop(struct http *http)
{
    if (!http)
        return;
    MHD_stop_daemon(http->daemon); /* closes the listening socket */
    pthread_cond_destroy(&http->ended);
    pthread_mutex_destroy(&http->lock);
    free(http);
}

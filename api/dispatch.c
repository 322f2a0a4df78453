#include "api/dispatch_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/echo.h"
#include "api/media.h"
#include "api/status.h"
#include "api/tokens.h"

enum { KEY_MOST = 200 };

/* What every row may have beside its own parameters. */
struct common {
    int frame;
    int format;
    int64_t version;
    const char *author;
};

void dispatch_init(struct dispatch *dispatch, struct service *service)
{
    memset(dispatch, 0, offsetof(struct dispatch, key));
    dispatch->rq.service = service;
    dispatch->rq.arena = &dispatch->arena;
    dispatch->rq.media_in = -1;
    dispatch->arena.limit = (size_t)service->limits.request_memory_bytes;
}

void dispatch_fini(struct dispatch *dispatch)
{
    reply_fini(&dispatch->reply);
    bytes_free(&dispatch->rq.bytes);
    reply_file_close(&dispatch->rq.file);
    stream_drop(&dispatch->rq.stream);
    view_drop((struct view *)dispatch->rq.view);
    landscape_drop(dispatch->rq.landscape);
    arena_free(&dispatch->arena);
}

const struct endpoint *dispatch_row(const struct dispatch *dispatch)
{
    return dispatch->rq.endpoint;
}

bool dispatch_reads(const struct dispatch *dispatch)
{
    return dispatch->rq.endpoint && !strcmp(dispatch->rq.endpoint->method, "GET");
}

void dispatch_headers(struct dispatch *dispatch)
{
    const struct service *service = dispatch->rq.service;
    struct reply *reply = &dispatch->reply;

    reply_header(reply, "X-Content-Type-Options", "nosniff");
    if (!service->cors_origin)
        return;
    reply_header(reply, "Access-Control-Allow-Origin", service->cors_origin);
    reply_header(reply, "Access-Control-Expose-Headers",
                 "ETag, Landscape-Version, Landscape-Mesh-Error, Location, Retry-After, "
                 "Content-Disposition");
}

void dispatch_refuse(struct dispatch *dispatch, const struct fault *fault)
{
    struct reply *reply = &dispatch->reply;
    struct fault why;

    if (fault != &dispatch->rq.fault)
        dispatch->rq.fault = *fault;
    reply_fini(reply);
    *reply = (struct reply){ .status = status_of(fault->code), .close = reply->close };
    dispatch_headers(dispatch);
    reply_header(reply, "Content-Type", MEDIA_PROBLEM);
    reply_header(reply, "Cache-Control", "no-store");
    if (reply->status == 401)
        reply_header(reply, "WWW-Authenticate", "Bearer realm=\"landscaped\"");
    if (reply->status == 503 || reply->status == 429)
        reply_header(reply, "Retry-After", "1");
    if (reply->status == 405) {
        char *allow = arena_new(&dispatch->arena, ALLOW_ROOM);
        reply_header(reply, "Allow", allow ? route_allow(&dispatch->route, allow) : "OPTIONS");
    }
    if (!problem_write(fault, &reply->body, &why))
        bytes_free(&reply->body); /* the status alone has to do */
}

static enum dispatch_next refuse(struct dispatch *dispatch)
{
    dispatch_refuse(dispatch, &dispatch->rq.fault);
    return DISPATCH_ANSWER;
}

static enum dispatch_next answer_options(struct dispatch *dispatch)
{
    struct reply *reply = &dispatch->reply;
    char *allow = arena_new(&dispatch->arena, ALLOW_ROOM);

    if (!allow) {
        fault_set(&dispatch->rq.fault, FAULT_MEMORY, "No memory for the answer");
        return refuse(dispatch);
    }
    route_allow(&dispatch->route, allow);
    reply->status = 204;
    dispatch_headers(dispatch);
    reply_header(reply, "Allow", allow);
    if (dispatch->rq.service->cors_origin && dispatch->head.wanted_method) {
        reply_header(reply, "Access-Control-Allow-Methods", allow);
        reply_header(reply, "Access-Control-Allow-Headers",
                     "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, "
                     "If-None-Match, Last-Event-ID");
        reply_header(reply, "Access-Control-Max-Age", "86400");
    }
    return DISPATCH_ANSWER;
}

/* Path and query of the target; absolute-form targets too. Fragments never come this far. */
static bool target_split(struct dispatch *dispatch, const char **path, size_t *length)
{
    const char *target = dispatch->head.target, *query;

    if (!strncasecmp(target, "http://", 7) || !strncasecmp(target, "https://", 8)) {
        target = strchr(target, ':') + 3;
        target += strcspn(target, "/?");
    }
    query = strchr(target, '?');
    dispatch->query = query ? query + 1 : NULL;
    *path = target;
    *length = query ? (size_t)(query - target) : strlen(target);
    if (!*length) {
        *path = "/";
        *length = 1;
    }
    return true;
}

/* What may stand in a host and port. */
static bool host_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= ':') || c == '.' ||
           c == '-' || c == '_' || c == '[' || c == ']';
}

static bool host_check(struct dispatch *dispatch)
{
    const char *host = dispatch->head.host;
    char room[ECHO_ROOM], *url;
    size_t length = 0;

    if (dispatch->rq.service->public_url) {
        dispatch->rq.base_url = dispatch->rq.service->public_url;
        return true;
    }
    if (!host || !*host)
        host = "localhost";
    while (host_letter(host[length]))
        length++;
    if (host[length] || length > 255)
        return REFUSE(&dispatch->rq, FAULT_INPUT, "The Host header %s is not a host and port",
                      echo_text(host, strlen(host), room));
    url = arena_new(&dispatch->arena, sizeof "http://" + length);
    if (!url)
        return REFUSE(&dispatch->rq, FAULT_MEMORY, "No memory for a link");
    memcpy(url, "http://", 7);
    memcpy(url + 7, host, length);
    dispatch->rq.base_url = url;
    return true;
}

static bool route_choose(struct dispatch *dispatch)
{
    const char *path;
    char room[ECHO_ROOM], allow[ALLOW_ROOM];
    size_t length;

    target_split(dispatch, &path, &length);
    if (!route_find(dispatch->rq.service->routes, path, length, &dispatch->arena, &dispatch->route,
                    &dispatch->rq.fault))
        return false;
    dispatch->rq.endpoint = route_row(&dispatch->route, dispatch->head.method);
    if (dispatch->rq.endpoint || !strcmp(dispatch->head.method, "OPTIONS"))
        return true;
    return REFUSE(&dispatch->rq, FAULT_METHOD, "There is no %s here, only %s",
                  echo_text(dispatch->head.method, strlen(dispatch->head.method), room),
                  route_allow(&dispatch->route, allow));
}

static bool takes_body(const struct endpoint *row)
{
    return row->takes || row->media_in;
}

const char *const *dispatch_media_in(const struct endpoint *row)
{
    static const char *const json[] = { MEDIA_JSON, NULL };

    return row->media_in ? row->media_in : json;
}

int64_t dispatch_body_limit(const struct dispatch *dispatch)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    const struct limits *limits = &dispatch->rq.service->limits;
    const int64_t *limit;

    if (!row || !takes_body(row))
        return 0;
    limit = limits_at(limits, row->body_limit ? row->body_limit : "json_body_bytes");
    return limit ? *limit : 0;
}

static bool media_type_check(struct dispatch *dispatch)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    const char *const *types = dispatch_media_in(row), *type = dispatch->head.content_type;
    char room[ECHO_ROOM], all[160] = "";
    size_t used = 0;

    dispatch->rq.media_in = type ? media_find(types, type) : 0;
    if (dispatch->rq.media_in >= 0)
        return true;
    for (int i = 0; types[i] && used < sizeof all - 1; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", types[i]);
    return REFUSE(&dispatch->rq, FAULT_MEDIA,
                  "A body of Content-Type %s is not understood; send %s",
                  echo_text(type, strlen(type), room), all);
}

/* What the head says about the body, against the row. */
static bool body_check(struct dispatch *dispatch)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    const struct head *head = &dispatch->head;
    bool comes = head->chunked || (head->has_length && head->length > 0);
    const char *coding = head->content_encoding;
    char room[ECHO_ROOM];

    if (coding && *coding && strcasecmp(coding, "identity"))
        return REFUSE(&dispatch->rq, FAULT_MEDIA,
                      "A body of Content-Encoding %s is not understood; send it as it is",
                      echo_text(coding, strlen(coding), room));
    if (!takes_body(row))
        return !comes ||
               REFUSE(&dispatch->rq, FAULT_INPUT, "%s %s takes no body", row->method, row->path);
    if (!comes && !head->has_length && !row->body_optional)
        return REFUSE(&dispatch->rq, FAULT_NO_LENGTH,
                      "Send the body with a Content-Length, or chunked");
    if (!comes)
        return row->body_optional || media_type_check(dispatch);
    if (head->length > (uint64_t)dispatch_body_limit(dispatch))
        return REFUSE(&dispatch->rq, FAULT_LIMIT,
                      "The body has %" PRIu64 " bytes; at most %" PRId64 " are taken (%s)",
                      head->length, dispatch_body_limit(dispatch),
                      row->body_limit ? row->body_limit : "json_body_bytes");
    return media_type_check(dispatch);
}

/* The row's own parameters, and those that many rows share. */
static bool query_decode(struct dispatch *dispatch, bool loose, struct common *common)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    struct field rows[5] = { { .kind = FIELD_END } };
    struct shape shape = { .name = "common", .size = sizeof *common, .fields = rows, .given = -1 };
    struct query_target targets[2] = { { row->asks, NULL }, { &shape, common } };
    struct path_value own[ROUTE_VALUES_MOST];
    size_t count = 0, fields = 0;

    if (row->framed)
        rows[fields++] =
            (struct field)FIELD_AS(FIELD_CHOICE, struct common, frame, "", .words = frame_words,
                                   .has_value = true, .value = row->frame_of_place ? -1 : 0);
    if (row->formats)
        rows[fields++] =
            (struct field)FIELD_AS(FIELD_CHOICE, struct common, format, "", .words = row->formats,
                                   .has_value = true, .value = -1);
    if (endpoint_takes_version(row))
        rows[fields++] =
            (struct field)FIELD(struct common, version, NULL, 1, 9007199254740992.0, "");
    if (endpoint_takes_author(row))
        rows[fields++] = (struct field)FIELD_AS(FIELD_NAME, struct common, author, "");
    rows[fields].kind = FIELD_END;
    for (size_t i = 0; i < dispatch->route.value_count; i++)
        if (strcmp(dispatch->route.values[i].name, "landscape"))
            own[count++] = dispatch->route.values[i];
    if (row->asks)
        targets[0].value = dispatch->asked = arena_new(&dispatch->arena, row->asks->size);
    if (row->asks && !dispatch->asked)
        return REFUSE(&dispatch->rq, FAULT_MEMORY, "No memory for the query");
    return query_read(targets, 2, own, count, dispatch->query, loose, &dispatch->arena,
                      &dispatch->rq.fault);
}

/* By Accept; of the body's own kind, if that is accepted, where the row says so. */
static bool media_out_choose(struct dispatch *dispatch, const char *const *types)
{
    struct request *rq = &dispatch->rq;
    const char *only[2] = { NULL, NULL };
    int first;

    if (!rq->endpoint->in_kind || rq->media_in < 0)
        return media_choose(types, dispatch->head.accept, &rq->media_out, &rq->fault);
    only[0] = types[rq->media_in];
    rq->media_out = rq->media_in;
    return media_choose(only, dispatch->head.accept, &first, &rq->fault);
}

static bool options_choose(struct dispatch *dispatch, const struct common *common)
{
    static const char *const json[] = { MEDIA_JSON, NULL };
    const struct endpoint *row = dispatch->rq.endpoint;
    const char *const *types = row->media_out ? row->media_out : json;

    dispatch->rq.frame = (enum frame)common->frame;
    dispatch->wanted_version = common->version;
    if (row->formats && common->format >= 0)
        dispatch->rq.media_out = common->format;
    else if (!media_out_choose(dispatch, types))
        return false;
    /* A quoted version alone could not tell two codings apart. */
    dispatch->gzip = !row->version_etag && media_gzip(dispatch->head.accept_encoding) &&
                     media_shrinks(types[dispatch->rq.media_out]);
    return true;
}

/* With tokens everybody is who the token says, but for an admin, who may be anybody. */
static bool author_choose(struct dispatch *dispatch, const struct common *common)
{
    struct request *rq = &dispatch->rq;
    const char *name;
    struct fault why;

    rq->whose = common->author;
    rq->author = common->author ? common->author : rq->token_name;
    if (!common->author || !rq->service->tokens ||
        (rq->token_name && !strcmp(common->author, rq->token_name)) ||
        authorize(rq->service->tokens, SCOPE_ADMIN, dispatch->head.authorization, &name, &why))
        return true;
    REFUSE(rq, FAULT_SCOPE, "The token is %s's, who cannot make changes as %s", rq->token_name,
           common->author);
    return fault_at(&rq->fault, "author");
}

static bool landscape_name_check(struct dispatch *dispatch)
{
    char room[ECHO_ROOM];

    for (size_t i = 0; i < dispatch->route.value_count; i++) {
        const struct path_value *value = &dispatch->route.values[i];
        if (strcmp(value->name, "landscape"))
            continue;
        if (!name_valid(value->text)) {
            REFUSE(&dispatch->rq, FAULT_INPUT,
                   "A landscape's id is 1 to 64 of A-Z a-z 0-9 . _ - and does not begin with a "
                   "dot, unlike %s",
                   echo_text(value->text, strlen(value->text), room));
            return fault_at(&dispatch->rq.fault, "landscape");
        }
        dispatch->rq.landscape_name = value->text;
    }
    return true;
}

/* It is kept in the landscape's log for as long as the log lasts. */
static bool key_check(struct dispatch *dispatch)
{
    const char *key = dispatch->head.idempotency_key;

    dispatch->rq.idempotency_key = key;
    return !key || (*key && strlen(key) <= KEY_MOST) ||
           REFUSE(&dispatch->rq, FAULT_INPUT, "An Idempotency-Key has 1 to %d bytes", KEY_MOST);
}

/* A page of another site can make a browser send a simple request here, and where no tokens are
 * asked for that would be enough to change things. Its Origin tells on it. */
static bool origin_check(struct dispatch *dispatch)
{
    const struct service *service = dispatch->rq.service;
    const char *origin = dispatch->head.origin, *host;
    char room[ECHO_ROOM];

    if (!origin || service->tokens || dispatch_reads(dispatch))
        return true;
    if (service->cors_origin &&
        (!strcmp(service->cors_origin, "*") || !strcmp(service->cors_origin, origin)))
        return true;
    host = strstr(origin, "://");
    if (host && !strcasecmp(host + 3, strstr(dispatch->rq.base_url, "://") + 3))
        return true;
    return REFUSE(&dispatch->rq, FAULT_SCOPE,
                  "Pages of %s may not change things here; --cors-origin would allow them",
                  echo_text(origin, strlen(origin), room));
}

static bool stopping_check(struct dispatch *dispatch)
{
    if (dispatch->rq.endpoint->scope == SCOPE_OPEN || !atomic_load(&dispatch->rq.service->stopping))
        return true;
    dispatch->reply.close = true;
    return REFUSE(&dispatch->rq, FAULT_BUSY, "The server is shutting down");
}

enum dispatch_next dispatch_begin(struct dispatch *dispatch)
{
    struct common common = { 0 };

    if (!host_check(dispatch) || !route_choose(dispatch))
        return refuse(dispatch);
    if (!strcmp(dispatch->head.method, "OPTIONS"))
        return answer_options(dispatch);
    dispatch->rq.authorization = dispatch->head.authorization;
    dispatch->rq.if_match = dispatch->head.if_match;
    dispatch->rq.accept = dispatch->head.accept;
    dispatch->rq.if_none_match = dispatch->head.if_none_match;
    dispatch->rq.last_event_id = dispatch->head.last_event_id;
    if (!authorize(dispatch->rq.service->tokens, dispatch->rq.endpoint->scope,
                   dispatch->head.authorization, &dispatch->rq.token_name, &dispatch->rq.fault) ||
        !origin_check(dispatch) || !stopping_check(dispatch) || !key_check(dispatch) ||
        !landscape_name_check(dispatch) || !body_check(dispatch) ||
        !query_decode(dispatch, dispatch->rq.endpoint->loose_query, &common) ||
        !author_choose(dispatch, &common) || !options_choose(dispatch, &common))
        return refuse(dispatch);
    return takes_body(dispatch->rq.endpoint) && (dispatch->head.chunked || dispatch->head.length)
               ? DISPATCH_BODY
               : DISPATCH_READY;
}

bool dispatch_begin_inside(struct dispatch *dispatch, bool strict)
{
    struct common common = { 0 };
    struct request *rq = &dispatch->rq;

    dispatch->head.method = "GET";
    if (!host_check(dispatch) || !route_choose(dispatch) || !landscape_name_check(dispatch) ||
        !query_decode(dispatch, !strict && rq->endpoint->loose_query, &common))
        return false;
    if (common.version) {
        REFUSE(rq, FAULT_INPUT, "The version is chosen for all at once, not among the options");
        return fault_at(&rq->fault, "version");
    }
    return options_choose(dispatch, &common);
}

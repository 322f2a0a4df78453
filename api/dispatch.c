#include "api/dispatch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/echo.h"
#include "api/frame.h"
#include "api/json_read.h"
#include "api/json_write.h"
#include "api/media.h"
#include "api/member.h"
#include "api/status.h"
#include "api/tokens.h"
#include "terrain/format/squeeze.h"

enum { GZIP_LEAST = 1024, GZIP_LEVEL = 4 };

/* What every row may have beside its own parameters. */
struct common {
    int frame;
    int format;
    int64_t version;
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
    view_drop((struct view *)dispatch->rq.view);
    landscape_drop(dispatch->rq.landscape);
    arena_free(&dispatch->arena);
}

const struct endpoint *dispatch_row(const struct dispatch *dispatch)
{
    return dispatch->rq.endpoint;
}

static bool reads(const struct dispatch *dispatch)
{
    return dispatch->rq.endpoint && !strcmp(dispatch->rq.endpoint->method, "GET");
}

/* Headers of every answer whatsoever. */
static void common_headers(struct dispatch *dispatch)
{
    const struct service *service = dispatch->rq.service;
    struct reply *reply = &dispatch->reply;

    reply_header(reply, "X-Content-Type-Options", "nosniff");
    if (!service->cors_origin)
        return;
    reply_header(reply, "Access-Control-Allow-Origin", service->cors_origin);
    reply_header(reply, "Access-Control-Expose-Headers",
                 "ETag, Landscape-Version, Location, Retry-After, Content-Disposition");
}

static const char *vary_of(const struct dispatch *dispatch, bool shrinks)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    bool several = row && row->media_out && row->media_out[0] && row->media_out[1];

    return shrinks && several ? "Accept, Accept-Encoding"
           : several          ? "Accept"
           : shrinks          ? "Accept-Encoding"
                              : NULL;
}

void dispatch_refuse(struct dispatch *dispatch, const struct fault *fault)
{
    struct reply *reply = &dispatch->reply;
    struct fault why;

    if (fault != &dispatch->rq.fault)
        dispatch->rq.fault = *fault;
    reply_fini(reply);
    *reply = (struct reply){ .status = status_of(fault->code), .close = reply->close };
    common_headers(dispatch);
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
    common_headers(dispatch);
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

static bool host_check(struct dispatch *dispatch)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789.-_:[]";
    const char *host = dispatch->head.host;
    char room[ECHO_ROOM];

    if (dispatch->rq.service->public_url) {
        dispatch->rq.base_url = dispatch->rq.service->public_url;
        return true;
    }
    if (!host || !*host)
        host = "localhost";
    if (host[strspn(host, letters)] || strlen(host) > 255)
        return REFUSE(&dispatch->rq, FAULT_INPUT, "The Host header %s is not a host and port",
                      echo_text(host, strlen(host), room));
    dispatch->rq.base_url = arena_print(&dispatch->arena, "http://%s", host);
    return dispatch->rq.base_url || REFUSE(&dispatch->rq, FAULT_MEMORY, "No memory for a link");
}

static bool route_choose(struct dispatch *dispatch)
{
    const char *path;
    char room[ECHO_ROOM], allow[ALLOW_ROOM];
    size_t length;

    target_split(dispatch, &path, &length);
    if (!route_find(dispatch->rq.service->routes, path, length, &dispatch->arena,
                    &dispatch->route, &dispatch->rq.fault))
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

static const char *const *media_in(const struct endpoint *row)
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
    const char *const *types = media_in(row), *type = dispatch->head.content_type;
    char room[ECHO_ROOM], all[160] = "";
    size_t used = 0;

    dispatch->rq.media_in = type ? media_find(types, type) : 0;
    if (dispatch->rq.media_in >= 0)
        return true;
    for (int i = 0; types[i] && used < sizeof all - 1; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", types[i]);
    return REFUSE(&dispatch->rq, FAULT_MEDIA, "A body of Content-Type %s is not understood; send %s",
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
        return !comes || REFUSE(&dispatch->rq, FAULT_INPUT, "%s %s takes no body", row->method,
                                row->path);
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
static bool query_decode(struct dispatch *dispatch, struct common *common)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    struct field rows[4] = { { .kind = FIELD_END } };
    struct shape shape = { "common", sizeof *common, rows, NULL, -1 };
    struct query_target targets[2] = { { row->asks, NULL }, { &shape, common } };
    struct path_value own[ROUTE_VALUES_MOST];
    size_t count = 0, fields = 0;

    if (row->framed)
        rows[fields++] = (struct field)FIELD_AS(FIELD_CHOICE, struct common, frame, "",
                                                .words = frame_words);
    if (row->formats)
        rows[fields++] = (struct field)FIELD_AS(FIELD_CHOICE, struct common, format, "",
                                                .words = row->formats, .has_value = true,
                                                .value = -1);
    if (row->holds == HOLDS_VIEW && reads(dispatch))
        rows[fields++] =
            (struct field)FIELD(struct common, version, NULL, 1, 9007199254740992.0, "");
    rows[fields].kind = FIELD_END;
    for (size_t i = 0; i < dispatch->route.value_count; i++)
        if (strcmp(dispatch->route.values[i].name, "landscape"))
            own[count++] = dispatch->route.values[i];
    if (row->asks)
        targets[0].value = dispatch->asked = arena_new(&dispatch->arena, row->asks->size);
    if (row->asks && !dispatch->asked)
        return REFUSE(&dispatch->rq, FAULT_MEMORY, "No memory for the query");
    return query_read(targets, 2, own, count, dispatch->query, row->loose_query,
                      &dispatch->arena, &dispatch->rq.fault);
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
    else if (!media_choose(types, dispatch->head.accept, &dispatch->rq.media_out,
                           &dispatch->rq.fault))
        return false;
    /* A quoted version alone could not tell two codings apart. */
    dispatch->gzip = !row->version_etag && media_gzip(dispatch->head.accept_encoding) &&
                     media_shrinks(types[dispatch->rq.media_out]);
    return true;
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

static bool stopping_check(struct dispatch *dispatch)
{
    if (dispatch->rq.endpoint->scope == SCOPE_OPEN ||
        !atomic_load(&dispatch->rq.service->stopping))
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
    dispatch->rq.if_match = dispatch->head.if_match;
    dispatch->rq.if_none_match = dispatch->head.if_none_match;
    dispatch->rq.idempotency_key = dispatch->head.idempotency_key;
    if (!authorize(dispatch->rq.service->tokens, dispatch->rq.endpoint->scope,
                   dispatch->head.authorization, &dispatch->rq.token_name,
                   &dispatch->rq.fault) ||
        !stopping_check(dispatch) || !landscape_name_check(dispatch) || !body_check(dispatch) ||
        !query_decode(dispatch, &common) || !options_choose(dispatch, &common))
        return refuse(dispatch);
    return takes_body(dispatch->rq.endpoint) &&
                   (dispatch->head.chunked || dispatch->head.length)
               ? DISPATCH_BODY
               : DISPATCH_READY;
}

/* The older view that ?version= names takes the newest one's place. */
static bool version_take(struct dispatch *dispatch)
{
    struct request *rq = &dispatch->rq;
    uint64_t wanted = (uint64_t)dispatch->wanted_version;
    struct view *older;

    if (!wanted || wanted == rq->view->version)
        return true;
    older = landscape_view_at(rq->landscape, wanted, &rq->fault);
    if (!older)
        return fault_at(&rq->fault, "version");
    view_drop((struct view *)(uintptr_t)rq->view);
    rq->view = older;
    rq->version = older->version;
    return true;
}

/* A fault of a position in a query stands at the parameter, not at a pointer. */
static bool asked_to_grid(struct dispatch *dispatch, const struct settings *settings)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    struct fault *why = &dispatch->rq.fault;
    char place[sizeof why->place];
    size_t length;

    if (!row->framed || !row->asks ||
        frame_to_grid(row->asks, dispatch->asked, dispatch->rq.frame, settings, why))
        return true;
    memcpy(place, why->place, sizeof place);
    length = strcspn(place + (place[0] == '/'), ",/");
    return fault_at(why, "%.*s", (int)length, place + (place[0] == '/'));
}

static bool landscape_take(struct dispatch *dispatch)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    struct request *rq = &dispatch->rq;

    if (row->holds != HOLDS_LANDSCAPE && row->holds != HOLDS_VIEW)
        return true;
    rq->landscape = landscapes_find(rq->service->landscapes, rq->landscape_name, &rq->fault);
    if (!rq->landscape)
        return false;
    if (row->holds == HOLDS_VIEW || row->framed) {
        rq->view = landscape_view(rq->landscape);
        rq->version = rq->view->version;
    }
    return row->holds != HOLDS_VIEW || version_take(dispatch);
}

/* Names what the answer will be, before it is made. */
static bool tag_make(struct dispatch *dispatch)
{
    const struct request *rq = &dispatch->rq;
    uint64_t newest = rq->view->version;
    unsigned char options[3] = { (unsigned char)rq->media_out, (unsigned char)rq->frame,
                                 dispatch->gzip };

    if (rq->endpoint->newest &&
        !rq->endpoint->newest(&dispatch->rq, dispatch->asked, &newest))
        return false;
    etag_key_begin(&dispatch->key);
    etag_key_text(&dispatch->key, rq->endpoint->path);
    etag_key_add(&dispatch->key, options, 2);
    etag_key_text(&dispatch->key, rq->landscape_name);
    etag_key_shape(&dispatch->key, rq->endpoint->asks, dispatch->asked);
    if (rq->endpoint->version_etag)
        snprintf(dispatch->etag, sizeof dispatch->etag, "\"%" PRIu64 "\"", newest);
    else
        etag_print(rq->view->incarnation, newest, dispatch->key.hash, false, dispatch->etag);
    etag_key_add(&dispatch->key, options + 2, 1);
    etag_key_add(&dispatch->key, &rq->view->incarnation, sizeof rq->view->incarnation);
    etag_key_add(&dispatch->key, &newest, sizeof newest);
    dispatch->tagged = true;
    return true;
}

/* The same content in the gzip coding is another representation. */
static void etag_coded(const char *etag, char coded[KEPT_ETAG_ROOM])
{
    snprintf(coded, KEPT_ETAG_ROOM, "%.*s-gz\"", (int)strlen(etag) - 1, etag);
}

static void version_header(struct dispatch *dispatch)
{
    if (dispatch->rq.version)
        reply_header(&dispatch->reply, "Landscape-Version",
                     arena_print(&dispatch->arena, "%" PRIu64, dispatch->rq.version));
}

static void caching_headers(struct dispatch *dispatch, const char *etag, bool shrinks)
{
    struct reply *reply = &dispatch->reply;
    const char *control = dispatch->rq.cache_control;

    reply_header(reply, "ETag", etag);
    version_header(dispatch);
    reply_header(reply, "Vary", vary_of(dispatch, shrinks));
    reply_header(reply, "Cache-Control",
                 control                         ? control
                 : !etag                         ? "no-store"
                 : dispatch->rq.service->tokens ? "private, no-cache"
                                                 : "no-cache");
}

static const char *media_out(const struct dispatch *dispatch)
{
    const struct endpoint *row = dispatch->rq.endpoint;

    return row->media_out ? row->media_out[dispatch->rq.media_out] : MEDIA_JSON;
}

/* If-None-Match and If-Match of a read. True when that settles it, with the reply made. */
static bool conditions_settle(struct dispatch *dispatch, const char *etag)
{
    const char *none = dispatch->head.if_none_match, *match = dispatch->head.if_match;
    char coded[KEPT_ETAG_ROOM];
    const char *met = NULL;

    if (!none && !match)
        return false;
    etag_coded(etag, coded);
    if (match && !etag_matches(match, etag, false) && !etag_matches(match, coded, false)) {
        REFUSE(&dispatch->rq, FAULT_STALE, "What is there has the ETag %s", etag);
        refuse(dispatch);
        return true;
    }
    if (none && etag_matches(none, etag, true))
        met = etag;
    else if (none && dispatch->gzip && etag_matches(none, coded, true))
        met = arena_text(&dispatch->arena, coded);
    if (!met)
        return false;
    dispatch->reply.status = 304;
    common_headers(dispatch);
    caching_headers(dispatch, met, media_shrinks(media_out(dispatch)));
    return true;
}

static void reply_kept(struct dispatch *dispatch, struct kept *kept)
{
    dispatch->reply.status = 200;
    dispatch->reply.kept = kept;
}

void dispatch_describe(struct dispatch *dispatch)
{
    const struct kept *kept = dispatch->reply.kept;

    common_headers(dispatch);
    reply_header(&dispatch->reply, "Content-Type", kept->media);
    if (kept->gzip)
        reply_header(&dispatch->reply, "Content-Encoding", "gzip");
    dispatch->rq.cache_control = kept->cache_control;
    caching_headers(dispatch, kept->etag, media_shrinks(kept->media));
}

static bool is_kept(const struct dispatch *dispatch)
{
    return dispatch->rq.endpoint->kept && dispatch->rq.service->cache && dispatch->tagged &&
           !dispatch->key.overflow;
}

enum dispatch_next dispatch_ready(struct dispatch *dispatch, const void *body, size_t length)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    struct kept *kept;

    dispatch->rq.body_data = body;
    dispatch->rq.body_length = length;
    if (!landscape_take(dispatch) ||
        (dispatch->rq.view && !asked_to_grid(dispatch, dispatch->rq.view->settings)))
        return refuse(dispatch);
    if (reads(dispatch) && dispatch->rq.view && !row->unversioned) {
        if (!tag_make(dispatch))
            return refuse(dispatch);
        if (conditions_settle(dispatch, dispatch->etag))
            return DISPATCH_ANSWER;
    }
    if (is_kept(dispatch)) {
        kept = cache_find(dispatch->rq.service->cache, dispatch->key.bytes, dispatch->key.length);
        if (kept) {
            reply_kept(dispatch, kept);
            return DISPATCH_ANSWER;
        }
    }
    return row->pace == SLOW ? DISPATCH_SLOW : DISPATCH_QUICK;
}

static bool body_decode(struct dispatch *dispatch)
{
    struct request *rq = &dispatch->rq;
    const struct endpoint *row = rq->endpoint;
    void *body;

    if (rq->media_in < 0 || !row->takes || !media_is_json(media_in(row)[rq->media_in]))
        return true;
    if (!rq->body_length && row->body_optional)
        return true;
    body = arena_new(&dispatch->arena, row->takes->size);
    if (!body)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the body");
    if (!json_read(row->takes, rq->body_data, rq->body_length, &dispatch->arena, body, &rq->fault))
        return false;
    rq->body = body;
    return !row->framed || !rq->view ||
           frame_to_grid(row->takes, body, rq->frame, rq->view->settings, &rq->fault);
}

/* The handler, and its answer as bytes in rq.bytes. */
static bool handler_run(struct dispatch *dispatch)
{
    struct request *rq = &dispatch->rq;
    const struct endpoint *row = rq->endpoint;
    void *answer = NULL;

    if (!body_decode(dispatch))
        return false;
    if (row->answers) {
        answer = arena_new(&dispatch->arena, row->answers->size);
        if (!answer)
            return REFUSE(rq, FAULT_MEMORY, "No memory for the answer");
    }
    if (!row->run(rq, dispatch->asked, answer))
        return false;
    if (!answer || rq->bytes.length || rq->status == 204)
        return true;
    if (row->framed && rq->view &&
        !frame_from_grid(row->answers, answer, rq->frame, rq->view->settings, &rq->fault))
        return false;
    return json_write(row->answers, answer, &rq->bytes, &rq->fault);
}

/* Replaces the bytes by their gzip coding if that is shorter. */
static bool bytes_shrink(struct dispatch *dispatch)
{
    struct bytes *bytes = &dispatch->rq.bytes, coded = { 0 };
    struct fault why;

    if (!dispatch->gzip || bytes->length < GZIP_LEAST)
        return false;
    if (!squeeze_gzip(bytes->data, bytes->length, GZIP_LEVEL, &coded, &why) ||
        coded.length >= bytes->length) {
        bytes_free(&coded);
        return false;
    }
    bytes_free(bytes);
    *bytes = coded;
    return true;
}

static void answer_kept_or_refuse(struct dispatch *dispatch)
{
    struct cache *cache = dispatch->rq.service->cache;
    struct kept *kept, like = { 0 };
    char coded[KEPT_ETAG_ROOM];

    if (!cache_claim(cache, dispatch->key.bytes, dispatch->key.length, &kept)) {
        if (kept) {
            reply_kept(dispatch, kept);
            return;
        }
        REFUSE(&dispatch->rq, FAULT_BUSY, "The same answer could not be made just now");
        refuse(dispatch);
        return;
    }
    if (!handler_run(dispatch)) {
        cache_settle(cache, dispatch->key.bytes, dispatch->key.length, NULL, NULL);
        refuse(dispatch);
        return;
    }
    like.gzip = bytes_shrink(dispatch);
    like.media = media_out(dispatch);
    like.cache_control = dispatch->rq.cache_control;
    like.version = dispatch->rq.version;
    etag_coded(dispatch->etag, coded);
    snprintf(like.etag, sizeof like.etag, "%s", like.gzip ? coded : dispatch->etag);
    kept = cache_settle(cache, dispatch->key.bytes, dispatch->key.length, &dispatch->rq.bytes,
                        &like);
    if (kept) {
        reply_kept(dispatch, kept);
        return;
    }
    REFUSE(&dispatch->rq, FAULT_MEMORY, "No memory to keep the answer");
    refuse(dispatch);
}

/* The ETag of an answer, NULL for what has none. Answers without a version are named by their bytes. */
static const char *etag_choose(struct dispatch *dispatch, bool shrunk)
{
    char coded[KEPT_ETAG_ROOM];

    if (!reads(dispatch) || dispatch->rq.endpoint->unversioned || dispatch->rq.status != 200)
        return NULL;
    if (!shrunk)
        return dispatch->etag;
    etag_coded(dispatch->etag, coded);
    return arena_text(&dispatch->arena, coded);
}

static void answer(struct dispatch *dispatch)
{
    struct request *rq = &dispatch->rq;
    struct reply *reply = &dispatch->reply;
    bool shrinks = media_shrinks(media_out(dispatch)), shrunk;

    if (!rq->status)
        rq->status = 200;
    if (reads(dispatch) && !rq->endpoint->unversioned && !dispatch->tagged && rq->status == 200) {
        etag_of_bytes(rq->bytes.data, rq->bytes.length, false, dispatch->etag);
        if (conditions_settle(dispatch, dispatch->etag))
            return;
        dispatch->tagged = true;
    }
    shrunk = bytes_shrink(dispatch);
    reply->status = rq->status;
    common_headers(dispatch);
    if (rq->status != 204)
        reply_header(reply, "Content-Type", media_out(dispatch));
    if (shrunk)
        reply_header(reply, "Content-Encoding", "gzip");
    reply_header(reply, "Location", rq->location);
    if (rq->filename)
        reply_header(reply, "Content-Disposition",
                     arena_print(&dispatch->arena, "attachment; filename=\"%s\"", rq->filename));
    if (rq->status == 503)
        reply_header(reply, "Retry-After", "1");
    caching_headers(dispatch, etag_choose(dispatch, shrunk), shrinks);
    reply->body = rq->bytes;
    rq->bytes = (struct bytes){ 0 };
}

void dispatch_run(struct dispatch *dispatch)
{
    if (is_kept(dispatch))
        answer_kept_or_refuse(dispatch);
    else if (handler_run(dispatch))
        answer(dispatch);
    else
        refuse(dispatch);
}

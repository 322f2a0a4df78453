#include "api/dispatch_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/frame.h"
#include "api/json_read.h"
#include "api/json_write.h"
#include "api/media.h"
#include "terrain/format/squeeze.h"

enum { GZIP_LEAST = 1024, GZIP_LEVEL = 4 };

static enum dispatch_next settle(struct dispatch *dispatch)
{
    dispatch_refuse(dispatch, &dispatch->rq.fault);
    return DISPATCH_ANSWER;
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

    if ((int)dispatch->rq.frame < 0)
        dispatch->rq.frame = settings->placed ? FRAME_LONLAT : FRAME_LOCAL;
    if (!row->framed || !row->asks ||
        frame_to_grid(row->asks, dispatch->asked, dispatch->rq.frame, settings, why))
        return true;
    memcpy(place, why->place, sizeof place);
    length = strcspn(place + (place[0] == '/'), ",/");
    return fault_at(why, "%.*s", (int)length, place + (place[0] == '/'));
}

/* How far a landscape could be taken hold of. */
enum hold { HOLD_FAILED, HOLD_LATER, HOLD_DONE };

/* at_once never waits for a disk: what is not in memory, or no longer the newest, is for a worker.
 */
static enum hold landscape_take(struct dispatch *dispatch, bool at_once)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    struct request *rq = &dispatch->rq;

    if (row->holds != HOLDS_LANDSCAPE && row->holds != HOLDS_VIEW)
        return HOLD_DONE;
    rq->landscape = (at_once ? landscapes_find_at_once : landscapes_find)(
        rq->service->landscapes, rq->landscape_name, &rq->fault);
    if (!rq->landscape)
        return rq->fault.code ? HOLD_FAILED : HOLD_LATER;
    if (at_once && dispatch->wanted_version) {
        landscape_drop(rq->landscape);
        rq->landscape = NULL;
        return HOLD_LATER;
    }
    if (row->holds == HOLDS_VIEW || row->framed)
        rq->view = landscape_view(rq->landscape);
    if (row->holds != HOLDS_VIEW)
        return HOLD_DONE;
    rq->version = rq->view->version;
    return version_take(dispatch) ? HOLD_DONE : HOLD_FAILED;
}

/* What a read by POST asks is its body. */
static void body_key_add(struct dispatch *dispatch)
{
    const struct request *rq = &dispatch->rq;
    uint64_t sum = cache_hash(rq->body_data, rq->body_length);

    etag_key_add(&dispatch->key, &sum, sizeof sum);
    etag_key_add(&dispatch->key, &rq->body_length, sizeof rq->body_length);
}

/* Stamps of a view are what they are as long as it is in memory. */
static void stamp_key_add(struct dispatch *dispatch)
{
    uint64_t process = etag_process(), again = dispatch->rq.view->again;

    etag_key_add(&dispatch->key, &process, sizeof process);
    etag_key_add(&dispatch->key, &again, sizeof again);
}

/* Names what the answer will be, before it is made. */
static bool tag_make(struct dispatch *dispatch)
{
    const struct request *rq = &dispatch->rq;
    uint64_t newest = rq->view->version;
    unsigned char options[3] = { (unsigned char)rq->media_out, (unsigned char)rq->frame,
                                 dispatch->gzip };

    if (rq->endpoint->newest && !rq->endpoint->newest(&dispatch->rq, dispatch->asked, &newest))
        return false;
    etag_key_begin(&dispatch->key);
    etag_key_text(&dispatch->key, rq->endpoint->path);
    etag_key_add(&dispatch->key, options, 2);
    etag_key_text(&dispatch->key, rq->landscape_name);
    etag_key_shape(&dispatch->key, rq->endpoint->asks, dispatch->asked);
    if (!dispatch_reads(dispatch))
        body_key_add(dispatch);
    if (rq->endpoint->stamped)
        stamp_key_add(dispatch);
    dispatch->options = dispatch->key.hash;
    if (rq->endpoint->version_etag)
        snprintf(dispatch->etag, sizeof dispatch->etag, "\"%" PRIu64 "\"", newest);
    else
        etag_print(rq->view->incarnation, newest, dispatch->options, false, dispatch->etag);
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

static void mesh_error_header(struct dispatch *dispatch)
{
    const struct request *rq = &dispatch->rq;

    if (rq->has_mesh_error)
        reply_header(&dispatch->reply, "Landscape-Mesh-Error",
                     arena_print(&dispatch->arena, "%.9g", rq->mesh_error));
}

static void caching_headers(struct dispatch *dispatch, const char *etag, bool shrinks)
{
    struct reply *reply = &dispatch->reply;
    const char *control = dispatch->rq.cache_control;

    reply_header(reply, "ETag", etag);
    version_header(dispatch);
    mesh_error_header(dispatch);
    if (dispatch->rq.drawn_by[0])
        reply_header(&dispatch->reply, "Landscape-Renderer",
                     arena_text(&dispatch->arena, dispatch->rq.drawn_by));
    if (dispatch->rq.warning[0])
        reply_header(&dispatch->reply, "Landscape-Warning",
                     arena_text(&dispatch->arena, dispatch->rq.warning));
    reply_header(reply, "Vary", vary_of(dispatch, shrinks));
    reply_header(reply, "Cache-Control",
                 control                        ? control
                 : !etag                        ? "no-store"
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
        dispatch_refuse(dispatch, &dispatch->rq.fault);
        return true;
    }
    if (none && etag_matches(none, etag, true))
        met = etag;
    else if (none && dispatch->gzip && etag_matches(none, coded, true))
        met = arena_text(&dispatch->arena, coded);
    if (!met)
        return false;
    dispatch->reply.status = 304;
    dispatch_headers(dispatch);
    caching_headers(dispatch, met, media_shrinks(media_out(dispatch)));
    return true;
}

/* Names an answer by what it is, where what it depends on says too much. */
static void tag_by_content(struct dispatch *dispatch)
{
    const struct bytes *bytes = &dispatch->rq.bytes;

    etag_print(dispatch->rq.view->incarnation, cache_hash(bytes->data, bytes->length),
               dispatch->options, false, dispatch->etag);
}

/* Takes the answer over. One that is named by its content can be compared with what the client has
 * only now. */
static void reply_kept(struct dispatch *dispatch, struct kept *kept)
{
    if (dispatch->rq.endpoint->content_etag && dispatch_reads(dispatch)) {
        size_t length = strlen(kept->etag);

        if (kept->gzip)
            snprintf(dispatch->etag, sizeof dispatch->etag, "%.*s\"",
                     (int)(length - strlen("-gz\"")), kept->etag);
        else
            snprintf(dispatch->etag, sizeof dispatch->etag, "%s", kept->etag);
        if (conditions_settle(dispatch, dispatch->etag)) {
            kept_drop(kept);
            return;
        }
    }
    dispatch->reply.status = 200;
    dispatch->reply.kept = kept;
}

void dispatch_describe(struct dispatch *dispatch)
{
    const struct kept *kept = dispatch->reply.kept;

    dispatch_headers(dispatch);
    reply_header(&dispatch->reply, "Content-Type", kept->media);
    if (kept->gzip)
        reply_header(&dispatch->reply, "Content-Encoding", "gzip");
    dispatch->rq.cache_control = kept->cache_control;
    dispatch->rq.mesh_error = kept->mesh_error;
    dispatch->rq.has_mesh_error = kept->has_mesh_error;
    memcpy(dispatch->rq.drawn_by, kept->drawn_by, sizeof kept->drawn_by);
    memcpy(dispatch->rq.warning, kept->warning, sizeof kept->warning);
    caching_headers(dispatch, kept->etag, media_shrinks(kept->media));
}

static bool is_kept(const struct dispatch *dispatch)
{
    return dispatch->rq.endpoint->kept && dispatch->rq.service->cache && dispatch->tagged &&
           !dispatch->key.overflow;
}

/* Everything that may settle a request before its handler runs. */
static enum dispatch_next prepare(struct dispatch *dispatch, bool at_once)
{
    const struct endpoint *row = dispatch->rq.endpoint;
    enum hold hold = landscape_take(dispatch, at_once);

    if (hold == HOLD_LATER)
        return DISPATCH_SLOW;
    dispatch->prepared = true;
    if (hold == HOLD_FAILED ||
        (dispatch->rq.view && !asked_to_grid(dispatch, dispatch->rq.view->settings)))
        return settle(dispatch);
    if ((dispatch_reads(dispatch) || endpoint_takes_version(row)) && dispatch->rq.view &&
        !row->unversioned) {
        if (!tag_make(dispatch))
            return settle(dispatch);
        if (dispatch_reads(dispatch) && !row->content_etag &&
            conditions_settle(dispatch, dispatch->etag))
            return DISPATCH_ANSWER;
    }
    if (is_kept(dispatch)) {
        struct kept *kept =
            cache_find(dispatch->rq.service->cache, dispatch->key.bytes, dispatch->key.length);
        if (kept) {
            reply_kept(dispatch, kept);
            return DISPATCH_ANSWER;
        }
    }
    return row->pace == SLOW || (row->waits && row->waits(&dispatch->rq, dispatch->asked))
               ? DISPATCH_SLOW
               : DISPATCH_QUICK;
}

enum dispatch_next dispatch_ready(struct dispatch *dispatch, const void *body, size_t length)
{
    dispatch->rq.body_data = body;
    dispatch->rq.body_length = length;
    return prepare(dispatch, true);
}

static bool body_decode(struct dispatch *dispatch)
{
    struct request *rq = &dispatch->rq;
    const struct endpoint *row = rq->endpoint;
    void *body;

    if (rq->media_in < 0 || !row->takes || !media_is_json(dispatch_media_in(row)[rq->media_in]))
        return true;
    if (!rq->body_length && row->body_optional)
        return true;
    body = arena_new(&dispatch->arena, row->takes->size);
    if (!body)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the body");
    if (!json_read_large(row->takes, rq->body_data, rq->body_length, rq->service->executor,
                         &rq->service->limits, &dispatch->arena, body, &rq->fault))
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
    if (!answer || rq->bytes.data || rq->status == 204)
        return true;
    if (row->framed && rq->view &&
        !frame_from_grid(row->answers, answer, rq->frame, rq->view->settings, &rq->fault))
        return false;
    return json_write_large(row->answers, answer, rq->service->executor, &rq->bytes, &rq->fault);
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

static void answer(struct dispatch *dispatch);

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
        dispatch_refuse(dispatch, &dispatch->rq.fault);
        return;
    }
    if (!handler_run(dispatch)) {
        cache_settle(cache, dispatch->key.bytes, dispatch->key.length, NULL, NULL);
        dispatch_refuse(dispatch, &dispatch->rq.fault);
        return;
    }
    if (dispatch->rq.misnamed) {
        cache_settle(cache, dispatch->key.bytes, dispatch->key.length, NULL, NULL);
        answer(dispatch);
        return;
    }
    if (dispatch->rq.endpoint->content_etag)
        tag_by_content(dispatch);
    like.gzip = bytes_shrink(dispatch);
    like.media = media_out(dispatch);
    like.cache_control = dispatch->rq.cache_control;
    like.mesh_error = dispatch->rq.mesh_error;
    like.has_mesh_error = dispatch->rq.has_mesh_error;
    memcpy(like.drawn_by, dispatch->rq.drawn_by, sizeof like.drawn_by);
    memcpy(like.warning, dispatch->rq.warning, sizeof like.warning);
    like.version = dispatch->rq.version;
    etag_coded(dispatch->etag, coded);
    snprintf(like.etag, sizeof like.etag, "%s", like.gzip ? coded : dispatch->etag);
    kept =
        cache_settle(cache, dispatch->key.bytes, dispatch->key.length, &dispatch->rq.bytes, &like);
    if (kept) {
        reply_kept(dispatch, kept);
        return;
    }
    REFUSE(&dispatch->rq, FAULT_MEMORY, "No memory to keep the answer");
    dispatch_refuse(dispatch, &dispatch->rq.fault);
}

/* The ETag of an answer, NULL for what has none. Answers without a version are named by their
 * bytes. */
static const char *etag_choose(struct dispatch *dispatch, bool shrunk)
{
    char coded[KEPT_ETAG_ROOM];

    if (!dispatch_reads(dispatch) && dispatch->rq.etag)
        return dispatch->rq.etag;
    if (!dispatch->tagged || dispatch->rq.endpoint->unversioned || dispatch->rq.status != 200)
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
    if (dispatch_reads(dispatch) && !rq->endpoint->unversioned && !dispatch->tagged &&
        rq->status == 200) {
        if (rq->etag)
            snprintf(dispatch->etag, sizeof dispatch->etag, "%s", rq->etag);
        else
            etag_of_bytes(rq->bytes.data, rq->bytes.length, false, dispatch->etag);
        if (conditions_settle(dispatch, dispatch->etag))
            return;
        dispatch->tagged = true;
    } else if ((rq->endpoint->content_etag || rq->misnamed) && dispatch->tagged &&
               rq->status == 200) {
        tag_by_content(dispatch);
        if (dispatch_reads(dispatch) && conditions_settle(dispatch, dispatch->etag))
            return;
    }
    shrunk = bytes_shrink(dispatch);
    reply->status = rq->status;
    dispatch_headers(dispatch);
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
    if (rq->endpoint->stream)
        reply_header(reply, "X-Accel-Buffering", "no"); /* a proxy is not to save them up */
    caching_headers(dispatch, etag_choose(dispatch, shrunk), shrinks);
    reply->body = rq->bytes;
    rq->bytes = (struct bytes){ 0 };
    reply->file = rq->file;
    rq->file.open = false;
    reply->endless = rq->endpoint->stream;
    if (strcmp(dispatch->head.method, "HEAD")) {
        reply->stream = rq->stream;
        rq->stream.of = NULL;
    }
}

void dispatch_run(struct dispatch *dispatch)
{
    if (!dispatch->prepared && prepare(dispatch, false) == DISPATCH_ANSWER)
        return;
    if (is_kept(dispatch))
        answer_kept_or_refuse(dispatch);
    else if (handler_run(dispatch))
        answer(dispatch);
    else
        dispatch_refuse(dispatch, &dispatch->rq.fault);
}

bool dispatch_read(struct dispatch *dispatch, const char *target, bool strict,
                   struct landscape *landscape, const struct view *view, bool make, uint64_t *stamp)
{
    struct request *rq = &dispatch->rq;

    dispatch->head.target = target;
    if (!dispatch_begin_inside(dispatch, strict))
        return false;
    if (rq->endpoint->holds != HOLDS_VIEW || rq->endpoint->stream)
        return REFUSE(rq, FAULT_INPUT, "%s is no reading of a version", rq->endpoint->path);
    rq->landscape = landscape_hold(landscape);
    rq->view = view_hold(view);
    rq->version = *stamp = view->version;
    if (!asked_to_grid(dispatch, view->settings) ||
        (rq->endpoint->newest && !rq->endpoint->newest(rq, dispatch->asked, stamp)))
        return false;
    return !make || handler_run(dispatch);
}

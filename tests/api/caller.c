#include "tests/api/caller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "api/jobs/jobs.h"
#include "terrain/base/derived.h"
#include "terrain/store/gallery.h"
#include "terrain/worker/worker.h"
#include "tests/store/scratch.h"

static struct worker_pool *decoders;

int caller_decoders_start(void **group)
{
    struct worker_options options = { .program = "./landscaped-decode",
                                      .count = 1,
                                      .deadline = 60,
                                      .memory_bytes = (int64_t)4 << 30,
                                      .waiting_most = 8 };
    struct fault why = { 0 };

    (void)group;
    if (!worker_pool_start(&options, &decoders, &why))
        fail_msg("%s", why.detail);
    return 0;
}

int caller_decoders_stop(void **group)
{
    (void)group;
    worker_pool_stop(decoders);
    decoders = NULL;
    return 0;
}

static void forget_answer(struct caller *caller)
{
    json_decref(caller->json);
    free(caller->body);
    caller->json = NULL;
    caller->body = NULL;
    caller->header_count = 0;
}

static void open_landscapes(struct caller *caller)
{
    struct fault why = { 0 };

    if (!landscapes_open(caller->folder, &caller->limits, &caller->service.landscapes, &why) ||
        !gallery_open(caller->folder, &caller->rasters, &caller->service.gallery, &why) ||
        !jobs_open(&caller->service, caller->folder, false, &why))
        fail_msg("%s", why.detail);
}

static void close_landscapes(struct caller *caller)
{
    jobs_close(caller->service.jobs);
    gallery_close(caller->service.gallery);
    landscapes_close(caller->service.landscapes);
}

int caller_begin(void **state)
{
    struct caller *caller = calloc(1, sizeof *caller);
    struct fault why = { 0 };

    caller->folder = scratch_new();
    caller->limits = (struct landscapes_limits){ .vertices = 1 << 24,
                                                 .memory_bytes = 1 << 28,
                                                 .waiting_changes = 512,
                                                 .history_bytes = 1 << 26 };
    caller->rasters = (struct gallery_limits){ 100, 1 << 26, 1 << 20 };
    limits_init(&caller->service.limits);
    caller->service.version = "test";
    caller->service.decoders = decoders;
    caller->service.cache = cache_new(1 << 24, NULL);
    caller->service.derived = derived_cache_new(1 << 26);
    caller->service.routes = routes_new(endpoints, endpoint_count, &why);
    if (!caller->service.routes)
        fail_msg("%s", why.detail);
    open_landscapes(caller);
    *state = caller;
    return 0;
}

int caller_end(void **state)
{
    struct caller *caller = *state;

    forget_answer(caller);
    close_landscapes(caller);
    derived_cache_free(caller->service.derived);
    cache_free(caller->service.cache);
    routes_free((struct routes *)(uintptr_t)caller->service.routes);
    scratch_remove(caller->folder);
    free(caller);
    return 0;
}

void caller_restart(struct caller *caller)
{
    close_landscapes(caller);
    open_landscapes(caller);
}

static void note_header(struct caller *caller, const char *name, const char *value)
{
    snprintf(caller->headers[caller->header_count][0], 256, "%s", name);
    snprintf(caller->headers[caller->header_count++][1], 256, "%s", value);
}

static void note_answer(struct caller *caller, struct dispatch *dispatch)
{
    const struct reply *reply = &dispatch->reply;
    const struct bytes *body = reply->kept ? &reply->kept->body : &reply->body;
    const char *type;

    if (reply->kept)
        dispatch_describe(dispatch);
    forget_answer(caller);
    caller->status = reply->status;
    caller->length = reply->file.open ? reply->file.length : body->length;
    caller->body = calloc(1, caller->length + 1);
    if (reply->file.open)
        assert_int_equal(pread(reply->file.descriptor, caller->body, caller->length, 0),
                         (ssize_t)caller->length);
    else
        memcpy(caller->body, body->length ? body->data : (unsigned char *)"", body->length);
    for (size_t i = 0; i < reply->header_count; i++)
        if (reply->headers[i].value)
            note_header(caller, reply->headers[i].name, reply->headers[i].value);
    type = caller_header(caller, "Content-Type");
    if (type && strstr(type, "json"))
        caller->json = json_loadb(caller->body, caller->length, JSON_REJECT_DUPLICATES, NULL);
}

int call_bytes(struct caller *caller, const char *method, const char *target, const void *body,
               size_t length)
{
    struct dispatch dispatch;
    enum dispatch_next next;

    dispatch_init(&dispatch, &caller->service);
    dispatch.head = (struct head){ .method = method,
                                   .target = target,
                                   .host = "localhost",
                                   .accept = caller->accept,
                                   .if_match = caller->if_match,
                                   .if_none_match = caller->if_none_match,
                                   .idempotency_key = caller->key,
                                   .authorization = caller->authorization,
                                   .content_type = !body          ? NULL
                                                   : caller->type ? caller->type
                                                                  : "application/json",
                                   .has_length = body != NULL,
                                   .length = length };
    next = dispatch_begin(&dispatch);
    if (next == DISPATCH_BODY || next == DISPATCH_READY)
        next = dispatch_ready(&dispatch, body, length);
    if (next == DISPATCH_QUICK || next == DISPATCH_SLOW)
        dispatch_run(&dispatch);
    note_answer(caller, &dispatch);
    dispatch_fini(&dispatch);
    caller->if_match = caller->if_none_match = caller->key = caller->accept = caller->type = NULL;
    caller->authorization = NULL;
    return caller->status;
}

int call(struct caller *caller, const char *method, const char *target, const char *body)
{
    return call_bytes(caller, method, target, body, body ? strlen(body) : 0);
}

const char *caller_header(const struct caller *caller, const char *name)
{
    for (size_t i = 0; i < caller->header_count; i++)
        if (strcasecmp(caller->headers[i][0], name) == 0)
            return caller->headers[i][1];
    return NULL;
}

json_t *caller_member(const struct caller *caller, const char *path)
{
    json_t *at = caller->json;
    char step[64];

    while (at && *path) {
        size_t length = strcspn(path, ".");

        snprintf(step, sizeof step, "%.*s", (int)length, path);
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(step)) : json_object_get(at, step);
        path += length + (path[length] == '.');
    }
    if (!at)
        fail_msg("no %s in: %s", path, caller->body);
    return at;
}

double caller_number(const struct caller *caller, const char *path)
{
    json_t *at = caller_member(caller, path);

    assert_true(json_is_number(at));
    return json_number_value(at);
}

const char *caller_text(const struct caller *caller, const char *path)
{
    json_t *at = caller_member(caller, path);

    assert_true(json_is_string(at));
    return json_string_value(at);
}

void assert_refused(struct caller *caller, int status, const char *place)
{
    const json_t *at = json_object_get(caller->json, "pointer");

    if (!at)
        at = json_object_get(caller->json, "parameter");
    if (caller->status != status || strcmp(at ? json_string_value(at) : "", place) != 0)
        fail_msg("%d where %d at \"%s\" was expected: %s", caller->status, status, place,
                 caller->body);
    assert_true(strlen(caller_text(caller, "detail")) > 10);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/problem+json");
}

void caller_paint(struct caller *caller, const char *id, const char *layer, bool blended)
{
    char target[100], body[100];

    snprintf(target, sizeof target, "/v1/landscapes/%s/layers", id);
    snprintf(body, sizeof body, "{\"name\":\"%s\",\"blended\":%s}", layer,
             blended ? "true" : "false");
    assert_int_equal(call(caller, "POST", target, body), 201);
}

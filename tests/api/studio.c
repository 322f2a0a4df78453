#include "tests/api/studio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/renderer.h"

static struct renderer *renderer;

int studio_start(void **group)
{
    struct renderer_options options = { .workers = 2,
                                        .deadline = 60,
                                        .waiting_most = 64,
                                        .pixels_most = 1 << 24,
                                        .texture_bytes = 64 << 20,
                                        .program = "./landscaped-render" };
    struct fault why = { 0 };

    if (!renderer_start(&options, &renderer, &why))
        fail_msg("%s", why.detail);
    return caller_decoders_start(group);
}

int studio_stop(void **group)
{
    renderer_stop(renderer);
    return caller_decoders_stop(group);
}

struct caller *studio_begin(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");

    caller->service.renderer = renderer;
    return caller;
}

char *studio_draw(struct caller *caller, const char *view, const char *query, size_t *length)
{
    char target[100], *bytes;

    snprintf(target, sizeof target, LAND "/render%s", query);
    if (call(caller, "POST", target, view) != 200)
        fail_msg("%s: %s", view, caller->body);
    bytes = malloc(caller->length + 1);
    memcpy(bytes, caller->body, caller->length);
    *length = caller->length;
    return bytes;
}

void assert_studio_result(struct caller *caller, const char *id, int n, const char *view,
                          const char *query)
{
    char target[100], *bytes;
    size_t length;

    bytes = studio_draw(caller, view, query, &length);
    snprintf(target, sizeof target, "/v1/jobs/%s/results/%d", id, n);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    if (caller->length != length || memcmp(caller->body, bytes, length))
        fail_msg("result %d of %s is not %s%s", n, id, view, query);
    free(bytes);
}

/* Heads of requests: method, target and headers, a line each, put to dispatch up to where a body
 * would be read. A refusal is a problem document that jansson reads. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/dispatch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static struct service service;

static void begin(void)
{
    struct fault why;

    if (service.routes)
        return;
    limits_init(&service.limits);
    service.version = "fuzz";
    service.cors_origin = "*";
    service.routes = routes_new(endpoints, endpoint_count, &why);
    if (!service.routes)
        abort();
}

/* A line as the HTTP library would hand it over: without NUL and line ends; NULL when it is empty.
 */
static const char *line_take(char **rest)
{
    char *line = *rest;

    if (!line)
        return NULL;
    *rest = strchr(line, '\n');
    if (*rest)
        *(*rest)++ = '\0';
    return *line ? line : NULL;
}

static void refusal_check(const struct dispatch *dispatch)
{
    json_t *tree;

    if (dispatch->reply.status < 400)
        return;
    tree = json_loadb((char *)dispatch->reply.body.data, dispatch->reply.body.length,
                      JSON_REJECT_DUPLICATES, NULL);
    if (!tree || json_integer_value(json_object_get(tree, "status")) != dispatch->reply.status)
        abort();
    json_decref(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    char *text = malloc(length + 1), *rest = text;
    struct dispatch dispatch;
    const char *target;

    begin();
    memcpy(text, data, length);
    text[length] = '\0';
    dispatch_init(&dispatch, &service);
    dispatch.head.method = line_take(&rest);
    target = line_take(&rest);
    dispatch.head.target = target ? target : "";
    dispatch.head.host = line_take(&rest);
    dispatch.head.accept = line_take(&rest);
    dispatch.head.accept_encoding = line_take(&rest);
    dispatch.head.content_type = line_take(&rest);
    dispatch.head.content_encoding = line_take(&rest);
    dispatch.head.authorization = line_take(&rest);
    dispatch.head.if_none_match = line_take(&rest);
    dispatch.head.has_length = dispatch.head.content_type != NULL;
    dispatch.head.length = dispatch.head.has_length ? 10 : 0;
    if (dispatch.head.method && dispatch_begin(&dispatch) == DISPATCH_ANSWER)
        refusal_check(&dispatch);
    dispatch_fini(&dispatch);
    free(text);
    return 0;
}

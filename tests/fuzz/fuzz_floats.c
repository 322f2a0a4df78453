/* Binary bodies through the endpoints that take them: the first byte picks the endpoint and its
 * parameters, the rest is the body. A whole number of items is answered, by as many answers of the
 * right length, each the same as when it is asked alone; anything else is refused with 400. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/caller.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static const struct row {
    const char *name;
    size_t in, out;
} rows[] = { { "heights", 2, 1 }, { "raycast", 7, 8 }, { "line-of-sight", 6, 4 } };

enum { ROWS = sizeof rows / sizeof *rows, ITEMS_ALONE = 12 };

static struct caller *caller;

static void end(void)
{
    void *state = caller;

    caller_end(&state);
}

/* 125 vertices a side, hilly, with a hole. */
static void begin(void)
{
    static const char *const bodies[][2] = {
        { "PUT", "{\"layout\":{\"section_quads\":31,\"components\":[4,4]}}" },
        { "POST", "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":40,\"cell\":12,\"region\":"
                  "{\"x\":0,\"y\":0,\"width\":125,\"height\":125}},"
                  "{\"tool\":\"hole\",\"path\":[[60,60]],\"radius\":7}]}" },
    };
    static const char *const paths[] = { "/v1/landscapes/land",
                                         "/v1/landscapes/land/edits?frame=grid" };
    void *state = NULL;

    if (caller)
        return;
    caller_begin(&state);
    caller = state;
    atexit(end);
    for (int i = 0; i < 2; i++)
        if (call(caller, bodies[i][0], paths[i], bodies[i][1]) / 100 != 2) {
            fprintf(stderr, "%s\n", caller->body);
            abort();
        }
}

static int ask(const char *path, bool wide, const void *body, size_t length)
{
    caller->type = wide ? "application/x-f64" : "application/x-f32";
    return call_bytes(caller, "POST", path, body, length);
}

/* The answer of item i alone is that of the batch. */
static void alone_is_same(const char *path, const struct row *row, bool wide, bool statuses,
                          const uint8_t *body, size_t i, size_t count, const char *batch)
{
    size_t size = wide ? 8 : 4, out = row->out * size;

    if (ask(path, wide, body + i * row->in * size, row->in * size) != 200 ||
        caller->length != out + statuses || memcmp(caller->body, batch + i * out, out) != 0 ||
        (statuses && caller->body[out] != batch[count * out + i])) {
        fprintf(stderr, "%s: item %zu\n", path, i);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static const char *const frames[] = { "local", "grid" };
    const struct row *row;
    char path[160], *batch;
    bool wide, statuses;
    size_t item, count;
    int status;

    if (length == 0 || length > 4096)
        return 0;
    begin();
    row = &rows[(data[0] >> 4) % ROWS];
    wide = data[0] & 1;
    statuses = data[0] & 2;
    snprintf(path, sizeof path, "/v1/landscapes/land/query/%s?frame=%s&statuses=%s&ignore_holes=%s",
             row->name, frames[data[0] >> 2 & 1], statuses ? "true" : "false",
             data[0] & 8 ? "true" : "false");
    item = row->in * (wide ? 8 : 4);
    count = (length - 1) / item;
    status = ask(path, wide, data + 1, length - 1);
    if ((length - 1) % item != 0) {
        if (status != 400)
            abort();
        return 0;
    }
    if (status != 200 ||
        caller->length != count * row->out * (wide ? 8 : 4) + (statuses ? count : 0)) {
        fprintf(stderr, "%s: %d, %zu bytes of %zu items\n%s\n", path, status, caller->length, count,
                status == 200 ? "" : caller->body);
        abort();
    }
    batch = malloc(caller->length + 1);
    memcpy(batch, caller->body, caller->length);
    for (size_t i = 0; i < count && i < ITEMS_ALONE; i++)
        alone_is_same(path, row, wide, statuses, data + 1, i, count, batch);
    free(batch);
    return 0;
}

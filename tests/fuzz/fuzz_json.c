/* Bodies by rows: the first byte picks the endpoint, the rest is its body. What is accepted can be
 * written again, and both are JSON by jansson's judgement. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/endpoint.h"
#include "api/json_read.h"
#include "api/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static const struct shape *pick(uint8_t which)
{
    size_t count = 0;

    for (size_t i = 0; i < endpoint_count; i++)
        count += endpoints[i]->takes != NULL;
    if (!count)
        return NULL;
    which = (uint8_t)(which % count);
    for (size_t i = 0; i < endpoint_count; i++)
        if (endpoints[i]->takes && !which--)
            return endpoints[i]->takes;
    return NULL;
}

static void must_be_json(const void *data, size_t length)
{
    json_t *tree = json_loadb(data, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);

    if (!tree)
        abort();
    json_decref(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    const struct shape *shape = length ? pick(data[0]) : NULL;
    struct arena arena = { .limit = 1 << 24 };
    struct bytes text = { 0 };
    struct fault why = { 0 };
    void *value;

    if (!shape)
        return 0;
    value = arena_new(&arena, shape->size);
    if (!value)
        abort();
    if (json_read(shape, (const char *)data + 1, length - 1, &arena, value, &why)) {
        must_be_json(data + 1, length - 1);
        if (!json_write(shape, value, &text, &why))
            abort();
        must_be_json(text.data, text.length);
    } else if (!why.code || !why.detail[0]) {
        abort();
    }
    bytes_free(&text);
    arena_free(&arena);
    return 0;
}

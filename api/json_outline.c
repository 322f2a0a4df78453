#include "api/json_outline.h"

#include <jansson.h>
#include <math.h>

/* Puts a value (taken) where the next one goes; NULL and trouble become the outline's failure. */
static bool put(struct outline *outline, const char *key, json_t *value)
{
    json_t *owner = outline->depth ? outline->open[outline->depth - 1] : NULL;
    int refused;

    if (!value || !owner || outline->failed || (key && json_object_get(owner, key))) {
        json_decref(value);
        outline->failed = true;
        return false;
    }
    refused = key ? json_object_set_new(owner, key, value) : json_array_append_new(owner, value);
    outline->failed = refused != 0;
    return !outline->failed;
}

void outline_open(struct outline *outline, const char *key, char bracket)
{
    json_t *opened = bracket == '{' ? json_object() : json_array();

    /* Even after a failure what is closed has to have been opened: the last owner stands in. */
    if (outline->depth == 0)
        outline->failed = !opened;
    else if (!put(outline, key, opened))
        opened = outline->open[outline->depth - 1];
    outline->open[outline->depth++] = opened;
}

void outline_close(struct outline *outline)
{
    if (outline->depth > 1)
        outline->depth--;
}

void outline_text(struct outline *outline, const char *key, const char *text)
{
    put(outline, key, json_string(text));
}

void outline_number(struct outline *outline, const char *key, double number)
{
    bool whole = fabs(number) <= 9007199254740992.0 && number == floor(number);

    put(outline, key, whole ? json_integer((json_int_t)number) : json_real(number));
}

void outline_bool(struct outline *outline, const char *key, bool value)
{
    put(outline, key, json_boolean(value));
}

void outline_json(struct outline *outline, const char *key, const char *json)
{
    put(outline, key, json_loads(json, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL));
}

struct printing {
    struct bytes *to;
    struct fault *why;
};

static int add(const char *text, size_t length, void *context)
{
    struct printing *printing = context;

    return bytes_add(printing->to, text, length, printing->why) ? 0 : -1;
}

bool outline_end(struct outline *outline, struct bytes *to, struct fault *why)
{
    struct printing printing = { to, why };
    bool printed = false;

    if (outline->failed)
        fault_set(why, FAULT_MEMORY, "No memory for the document");
    else
        printed = json_dump_callback(outline->open[0], add, &printing,
                                     JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0 &&
                  bytes_add(to, "\n", 1, why);
    json_decref(outline->open[0]);
    *outline = (struct outline){ 0 };
    return printed;
}

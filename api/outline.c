#include "api/outline.h"

#include <string.h>

#include "api/json_write.h"

static void add(struct outline *outline, const char *text, size_t length)
{
    if (!outline->failed && !bytes_add(outline->to, text, length, outline->why))
        outline->failed = true;
}

static void quote(struct outline *outline, const char *text)
{
    if (!outline->failed && !json_write_text(text, outline->to, outline->why))
        outline->failed = true;
}

static void line(struct outline *outline)
{
    add(outline, "\n", 1);
    for (int i = 0; i < outline->depth; i++)
        add(outline, "  ", 2);
}

static void begin(struct outline *outline, const char *key)
{
    if (outline->inside)
        add(outline, ",", 1);
    if (outline->depth)
        line(outline);
    outline->inside = true;
    if (!key)
        return;
    quote(outline, key);
    add(outline, ": ", 2);
}

void outline_open(struct outline *outline, const char *key, char bracket)
{
    begin(outline, key);
    add(outline, &bracket, 1);
    outline->depth++;
    outline->inside = false;
}

void outline_close(struct outline *outline, char bracket)
{
    outline->depth--;
    if (outline->inside)
        line(outline);
    add(outline, &bracket, 1);
    outline->inside = true;
}

void outline_text(struct outline *outline, const char *key, const char *text)
{
    begin(outline, key);
    quote(outline, text);
}

void outline_number(struct outline *outline, const char *key, double number)
{
    char text[NUMBER_ROOM];

    begin(outline, key);
    add(outline, text, number_print(number, text));
}

void outline_bool(struct outline *outline, const char *key, bool value)
{
    begin(outline, key);
    add(outline, value ? "true" : "false", value ? 4 : 5);
}

void outline_json(struct outline *outline, const char *key, const char *json)
{
    begin(outline, key);
    add(outline, json, strlen(json));
}

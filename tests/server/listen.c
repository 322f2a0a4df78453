#include "tests/server/listen.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool listen_ask(struct listen *listen, int socket, const char *landscape, const char *since,
                const char *headers)
{
    char request[1024];
    int length = snprintf(request, sizeof request,
                          "GET /v1/landscapes/%s/events%s HTTP/1.1\r\nHost: a\r\n%s\r\n", landscape,
                          since, headers ? headers : "");

    memset(listen, 0, sizeof *listen);
    listen->socket = socket;
    if (socket < 0 || !served_send(socket, request, (size_t)length))
        return false;
    served_receive(socket, 60, &listen->head);
    return listen->head.status == 200;
}

bool listen_begin(struct listen *listen, const struct served *served, const char *landscape,
                  const char *since, const char *headers)
{
    return listen_ask(listen, served_connect(served), landscape, since, headers);
}

void listen_end(struct listen *listen)
{
    if (listen->socket >= 0)
        close(listen->socket);
    listen->socket = -1;
    answer_free(&listen->head);
}

/* Bytes of chunks become text, as far as they have come. False when they are no chunks. */
static bool unchunk(struct listen *listen)
{
    while (listen->taken < listen->used && !listen->ended) {
        const char *at = listen->raw + listen->taken, *end;
        size_t left = listen->used - listen->taken, take;

        if (!listen->chunk) {
            end = memchr(at, '\n', left);
            if (!end)
                return true;
            if (*at != '\r') { /* else the end of the chunk before */
                listen->chunk = strtoul(at, NULL, 16);
                listen->ended = listen->chunk == 0;
                if (listen->ended && *at != '0')
                    return false;
            }
            listen->taken += (size_t)(end - at) + 1;
            continue;
        }
        take = left < listen->chunk ? left : listen->chunk;
        if (take >= sizeof listen->text - listen->length)
            return false;
        memcpy(listen->text + listen->length, at, take);
        listen->length += take;
        listen->chunk -= take;
        listen->taken += take;
    }
    listen->text[listen->length] = '\0';
    return true;
}

static void line_take(struct told *told, const char *line, size_t length)
{
    static const struct {
        const char *name;
        size_t at, room;
    } fields[] = {
        { "event", offsetof(struct told, event), sizeof told->event },
        { "id", offsetof(struct told, id), sizeof told->id },
        { "data", offsetof(struct told, data), sizeof told->data },
    };

    if (*line == ':')
        strcpy(told->event, ":");
    for (size_t i = 0; i < 3; i++) {
        size_t name = strlen(fields[i].name), skip;

        if (length < name || memcmp(line, fields[i].name, name) ||
            (length > name && line[name] != ':'))
            continue;
        skip = length > name ? name + 1 + (length > name + 1 && line[name + 1] == ' ') : name;
        snprintf((char *)told + fields[i].at, fields[i].room, "%.*s", (int)(length - skip),
                 line + skip);
        told->has_id = told->has_id || i == 1;
    }
}

static bool block_take(struct listen *listen, struct told *told)
{
    char *end, *line = listen->text;

    listen->text[listen->length] = '\0';
    end = strstr(listen->text, "\n\n");
    if (!end)
        return false;
    memset(told, 0, sizeof *told);
    while (line <= end) {
        size_t length = strcspn(line, "\n");

        line_take(told, line, length);
        line += length + 1;
    }
    listen->length -= (size_t)(end + 2 - listen->text);
    memmove(listen->text, end + 2, listen->length);
    return true;
}

enum told_as listen_next(struct listen *listen, double seconds, struct told *told)
{
    double until = served_seconds() + seconds;

    while (!block_take(listen, told)) {
        struct pollfd wait = { .fd = listen->socket, .events = POLLIN };
        double left = until - served_seconds();
        ssize_t got;

        if (listen->ended)
            return TOLD_END;
        if (poll(&wait, 1, left > 0 ? (int)(left * 1000) + 1 : 0) < 1)
            return TOLD_NOTHING;
        memmove(listen->raw, listen->raw + listen->taken, listen->used - listen->taken);
        listen->used -= listen->taken;
        listen->taken = 0;
        /* Never more than the text has room for, whatever the chunks are. */
        got = recv(listen->socket, listen->raw + listen->used, 2048 - listen->used, 0);
        if (got <= 0)
            return TOLD_CUT;
        listen->used += (size_t)got;
        if (!unchunk(listen))
            return TOLD_CUT;
    }
    return TOLD;
}

enum told_as listen_event(struct listen *listen, double seconds, struct told *told)
{
    double until = served_seconds() + seconds;
    enum told_as as;

    do
        as = listen_next(listen, until - served_seconds(), told);
    while (as == TOLD && (!*told->event || *told->event == ':'));
    return as;
}

#include "server/http_stream.h"

#include <microhttpd.h>
#include <unistd.h>

#include "server/http_head.h"

/* The head, and the beginning of the body. */
static bool first_write(const struct reply *reply, bool modern, struct bytes *to, struct fault *why)
{
    if (!http_head_write(reply, to, why))
        return false;
    if (!modern)
        return bytes_print(to, why, "Connection: close\r\n\r\n") &&
               bytes_add(to, reply->body.data, reply->body.length, why);
    return bytes_print(to, why, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n", reply->body.length) &&
           bytes_add(to, reply->body.data, reply->body.length, why) &&
           bytes_add(to, "\r\n", 2, why);
}

/* While a connection is suspended the library does not look at its socket. Then it ends it, as if
 * its client had gone: so streams take no room from requests, and stay clear of what happens to
 * many connections of one thread. */
static int socket_take(const struct http_parts *parts, struct MHD_Connection *connection,
                       struct line *line)
{
    int taken;

    MHD_suspend_connection(connection);
    taken = reaper_take(parts->reaper, line);
    MHD_resume_connection(connection);
    return taken;
}

bool http_stream(const struct http_parts *parts, struct MHD_Connection *connection,
                 struct line *line, struct reply *reply, bool modern, uint64_t *sent,
                 struct fault *why)
{
    const union MHD_ConnectionInfo *client =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct bytes first = { 0 };
    struct events_seat seat;
    int socket = -1;

    if (!events_reserve(parts->events, client ? client->client_addr : NULL, &seat, why))
        return false;
    if (line && first_write(reply, modern, &first, why))
        socket = socket_take(parts, connection, line);
    if (socket < 0) {
        bytes_free(&first);
        events_cancel(parts->events, &seat);
        return fault_set(why, FAULT_BUSY, "There is no room for one stream more; try again later");
    }
    *sent = first.length;
    if (!events_add(parts->events, &seat, &reply->stream, socket, &first, modern)) {
        bytes_free(&first);
        events_cancel(parts->events, &seat);
        close(socket);
    }
    return true;
}

static ssize_t nothing_read(void *context, uint64_t at, char *to, size_t room)
{
    (void)context, (void)at, (void)to, (void)room;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

struct MHD_Response *http_stream_head(void)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 256, nothing_read, NULL, NULL);
}

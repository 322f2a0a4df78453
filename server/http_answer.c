#include "server/http_answer.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "server/http_stream.h"

/* What a kept answer carries: a response to queue again and again. It says Landscape-Version, so it
 * is made anew when the landscape has moved on without touching the content. */
struct standing {
    pthread_mutex_t lock;
    struct MHD_Response *response;
    uint64_t version;
};

void http_answer_release(void *attached)
{
    struct standing *standing = attached;

    if (standing->response)
        MHD_destroy_response(standing->response);
    pthread_mutex_destroy(&standing->lock);
    free(standing);
}

static struct standing *standing_of(struct kept *kept)
{
    struct standing *standing = atomic_load(&kept->attached);

    if (standing)
        return standing;
    standing = calloc(1, sizeof *standing);
    if (!standing)
        return NULL;
    pthread_mutex_init(&standing->lock, NULL);
    if (kept_attach(kept, standing))
        return standing;
    http_answer_release(standing);
    return atomic_load(&kept->attached);
}

static void headers_add(struct MHD_Response *response, const struct reply *reply)
{
    for (size_t i = 0; i < reply->header_count; i++)
        MHD_add_response_header(response, reply->headers[i].name, reply->headers[i].value);
    if (reply->close)
        MHD_add_response_header(response, "Connection", "close");
}

/* The body is the kept answer's, which this request holds until it has ended. */
static enum MHD_Result send_kept(struct MHD_Connection *connection, struct dispatch *dispatch,
                                 uint64_t *length)
{
    struct reply *reply = &dispatch->reply;
    struct kept *kept = reply->kept;
    struct standing *standing = standing_of(kept);
    uint64_t version = dispatch->rq.version;
    enum MHD_Result sent = MHD_NO;

    if (!standing)
        return MHD_NO;
    *length = kept->body.length;
    pthread_mutex_lock(&standing->lock);
    if (!standing->response || standing->version != version) {
        if (standing->response)
            MHD_destroy_response(standing->response);
        standing->response = MHD_create_response_from_buffer(kept->body.length, kept->body.data,
                                                             MHD_RESPMEM_PERSISTENT);
        standing->version = version;
        dispatch_describe(dispatch);
        if (standing->response)
            headers_add(standing->response, reply);
    }
    if (standing->response)
        sent = MHD_queue_response(connection, (unsigned)reply->status, standing->response);
    pthread_mutex_unlock(&standing->lock);
    return sent;
}

static enum MHD_Result send_own(struct MHD_Connection *connection, struct dispatch *dispatch,
                                uint64_t *length)
{
    struct reply *reply = &dispatch->reply;
    struct MHD_Response *response;
    enum MHD_Result sent;

    *length = reply->file.open ? reply->file.length : reply->body.length;
    response = reply->endless ? http_stream_head()
               : reply->file.open
                   ? MHD_create_response_from_fd64(reply->file.length, reply->file.descriptor)
               : reply->body.length
                   ? MHD_create_response_from_buffer_with_free_callback(reply->body.length,
                                                                        reply->body.data, free)
                   : MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    reply->file.open = false; /* the response's now */
    if (reply->body.length)
        reply->body = (struct bytes){ 0 };
    headers_add(response, reply);
    sent = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return sent;
}

bool http_answer(struct MHD_Connection *connection, struct dispatch *dispatch, uint64_t *length)
{
    return (dispatch->reply.kept ? send_kept : send_own)(connection, dispatch, length) == MHD_YES;
}

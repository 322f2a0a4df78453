#include "api/reply.h"

#include <assert.h>

void reply_header(struct reply *reply, const char *name, const char *value)
{
    if (!value)
        return;
    assert(reply->header_count < REPLY_HEADERS_MOST);
    reply->headers[reply->header_count].name = name;
    reply->headers[reply->header_count].value = value;
    reply->header_count++;
}

void reply_fini(struct reply *reply)
{
    bytes_free(&reply->body);
    kept_drop(reply->kept);
    reply->kept = NULL;
    stream_drop(&reply->stream);
}

#include "api/reply.h"

#include <assert.h>
#include <unistd.h>

void reply_header(struct reply *reply, const char *name, const char *value)
{
    if (!value)
        return;
    assert(reply->header_count < REPLY_HEADERS_MOST);
    reply->headers[reply->header_count].name = name;
    reply->headers[reply->header_count].value = value;
    reply->header_count++;
}

void reply_file_close(struct reply_file *file)
{
    if (file->open)
        close(file->descriptor);
    file->open = false;
}

void reply_fini(struct reply *reply)
{
    reply_file_close(&reply->file);
    bytes_free(&reply->body);
    kept_drop(reply->kept);
    reply->kept = NULL;
    stream_drop(&reply->stream);
}

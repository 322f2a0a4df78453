#include "server/chunks.h"

bool chunks_make(const struct stream_batch *plain, struct stream_batch *chunks, struct fault *why)
{
    size_t begin = 0;
    bool made = true;

    chunks->text.length = 0;
    chunks->count = plain->count;
    for (size_t i = 0; made && i < plain->count; begin = plain->events[i++].end) {
        size_t length = plain->events[i].end - begin;

        made = bytes_print(&chunks->text, why, "%zx\r\n", length) &&
               bytes_add(&chunks->text, plain->text.data + begin, length, why) &&
               bytes_add(&chunks->text, "\r\n", 2, why);
        chunks->events[i].place = plain->events[i].place;
        chunks->events[i].end = chunks->text.length;
    }
    return made;
}

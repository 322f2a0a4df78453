#include "server/http_head.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the checks of a head count, while its headers are walked. */
struct walk {
    struct head *head;
    int hosts, lengths, codings, unsound;
    const char *length, *coding;
};

struct wanted_header {
    const char *name;
    size_t length, at;
};

#define WANTED(name, member)                                                                       \
    {                                                                                              \
        name, sizeof name - 1, offsetof(struct head, member)                                       \
    }
static const struct wanted_header wanted_headers[] = {
    WANTED("Accept", accept),
    WANTED("Accept-Encoding", accept_encoding),
    WANTED("Access-Control-Request-Method", wanted_method),
    WANTED("Authorization", authorization),
    WANTED("Content-Encoding", content_encoding),
    WANTED("Content-Type", content_type),
    WANTED("Idempotency-Key", idempotency_key),
    WANTED("If-Match", if_match),
    WANTED("If-None-Match", if_none_match),
    WANTED("Last-Event-ID", last_event_id),
    WANTED("Origin", origin),
};
#undef WANTED

static enum MHD_Result header_walk(void *context, enum MHD_ValueKind kind, const char *key,
                                   size_t key_length, const char *value, size_t length)
{
    struct walk *walk = context;

    (void)kind;
    if (!value)
        value = "";
    if (!key_length || strlen(value) != length)
        walk->unsound++;
    if (key_length == 4 && !strcasecmp(key, "Host")) {
        walk->hosts++;
        walk->head->host = value;
    } else if (key_length == 14 && !strcasecmp(key, "Content-Length")) {
        walk->lengths++;
        walk->length = value;
    } else if (key_length == 17 && !strcasecmp(key, "Transfer-Encoding")) {
        walk->codings++;
        walk->coding = value;
    }
    for (size_t i = 0; i < sizeof wanted_headers / sizeof *wanted_headers; i++)
        if (wanted_headers[i].length == key_length && !strcasecmp(wanted_headers[i].name, key))
            *(const char **)((char *)walk->head + wanted_headers[i].at) = value;
    return MHD_YES;
}

/* Anything by which two programs could disagree where a request ends is refused. */
static bool framing_check(const struct walk *walk, const char *version, struct fault *why)
{
    bool modern = !strcmp(version, "HTTP/1.1");

    if (!modern && strcmp(version, "HTTP/1.0"))
        return fault_set(why, FAULT_INPUT, "This server speaks HTTP/1.1");
    if (walk->unsound)
        return fault_set(why, FAULT_INPUT, "A header has no name, or NUL in its value");
    if (walk->hosts > 1 || (modern && !walk->hosts))
        return fault_set(why, FAULT_INPUT, "A request has exactly one Host header, not %d",
                         walk->hosts);
    if (walk->lengths > 1 || walk->codings > 1)
        return fault_set(why, FAULT_INPUT,
                         "A request has at most one Content-Length and one Transfer-Encoding");
    if (walk->lengths && walk->codings)
        return fault_set(why, FAULT_INPUT,
                         "A request has a Content-Length or a Transfer-Encoding, not both");
    if (walk->codings && (!modern || strcasecmp(walk->coding, "chunked")))
        return fault_set(why, FAULT_INPUT, "The only Transfer-Encoding is chunked");
    if (walk->lengths && (!*walk->length || strlen(walk->length) > 18 ||
                          walk->length[strspn(walk->length, "0123456789")]))
        return fault_set(why, FAULT_INPUT, "Content-Length must be a number of bytes");
    return true;
}

bool http_head_read(struct MHD_Connection *connection, const char *version, struct head *head,
                    struct fault *why)
{
    struct walk walk = { .head = head };

    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, header_walk, &walk);
    if (!framing_check(&walk, version, why))
        return false;
    head->chunked = walk.codings > 0;
    head->has_length = walk.lengths > 0;
    head->length = walk.lengths ? strtoull(walk.length, NULL, 10) : 0;
    return true;
}

bool http_head_write(const struct reply *reply, struct bytes *to, struct fault *why)
{
    bool made = bytes_print(to, why, "HTTP/1.1 %d %s\r\n", reply->status,
                            MHD_get_reason_phrase_for((unsigned)reply->status));

    for (size_t i = 0; made && i < reply->header_count; i++)
        made = bytes_print(to, why, "%s: %s\r\n", reply->headers[i].name, reply->headers[i].value);
    return made;
}

/* What goes back to the client: status, headers, body. Whoever has the socket sends it. */
#ifndef API_REPLY_H
#define API_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/cache.h"
#include "api/stream.h"
#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

enum { REPLY_HEADERS_MOST = 24 };

/* An answer that lies in a file: all of it. */
struct reply_file {
    bool open;
    int descriptor;
    uint64_t length;
};

struct reply {
    int status;
    struct {
        const char *name, *value; /* constant, or in the request's arena */
    } headers[REPLY_HEADERS_MOST];
    size_t header_count;
    struct bytes body;      /* the sender's to take */
    struct kept *kept;      /* instead of the body, held; see dispatch_describe */
    struct reply_file file; /* instead of the body; the sender's to take */
    bool close;             /* the connection is of no use any more */
    bool endless;           /* the body is only a beginning, */
    struct stream stream;   /* and this goes on; the sender's to take. None for HEAD */
};

void reply_header(struct reply *reply, const char *name, const char *value);
void reply_fini(struct reply *reply);
void reply_file_close(struct reply_file *file);

#endif

/* The head of a request: its headers, and whether all programs would agree where it ends. */
#ifndef SERVER_HTTP_HEAD_H
#define SERVER_HTTP_HEAD_H

#include <stdbool.h>

#include "api/dispatch.h"
#include "terrain/base/fault.h"

struct MHD_Connection;

/* Fills the head's headers, its body's length or coding; method and target are the caller's. Fails
 * with INPUT for what must end the connection: two lengths, a length and a coding, no host, and so
 * on. Event threads. */
bool http_head_read(struct MHD_Connection *connection, const char *version, struct head *head,
                    struct fault *why);

/* The status line and the headers of a reply, for what is written past the library; the empty line
 * behind them is the caller's. */
bool http_head_write(const struct reply *reply, struct bytes *to, struct fault *why);

#endif

/* A reply as libmicrohttpd's response. */
#ifndef SERVER_HTTP_ANSWER_H
#define SERVER_HTTP_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/dispatch.h"

struct MHD_Connection;

/* Queues the reply of a request that has been dispatched, whose file or body is the library's from
 * then on; a kept one's body stays where it is, which the request holds until it has ended.
 * `length` becomes the bytes of it. False when there is no memory. The connection's event thread.
 */
bool http_answer(struct MHD_Connection *connection, struct dispatch *dispatch, uint64_t *length);

/* For cache_new: frees what was made of a kept answer. Any thread. */
void http_answer_release(void *attached);

#endif

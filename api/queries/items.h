/* Long lists of an answer, printed by pieces, a few at once, so that what is told of the items
 * never lies in memory as a whole. Any thread. */
#ifndef API_QUERIES_ITEMS_H
#define API_QUERIES_ITEMS_H

#include "api/endpoint.h"

/* Appends the items first … first + count - 1, a comma before each but the list's first. */
typedef bool items_print(void *work, size_t first, size_t count, struct bytes *to,
                         struct fault *why);
enum { ITEMS_PIECE = 512 }; /* at most so many at once */

/* Appends "[…]" to rq->bytes: count items. The printer runs on any thread of the executor. */
bool items_write(struct request *rq, size_t count, items_print *print, void *work);

/* Appends ,"statuses":[…], the words of enum ray_status. */
bool items_statuses(struct request *rq, const uint8_t *statuses, size_t count);

#endif

/* What the two halves of dispatch share: before the body (dispatch.c) and after it
 * (dispatch_answer.c). */
#ifndef API_DISPATCH_INSIDE_H
#define API_DISPATCH_INSIDE_H

#include "api/dispatch.h"

bool dispatch_reads(const struct dispatch *dispatch);

/* What stands before the landscape in a read by this process itself. */
bool dispatch_begin_inside(struct dispatch *dispatch, bool strict);

/* Adds the headers of every answer whatsoever. */
void dispatch_headers(struct dispatch *dispatch);

/* The media types of a row's bodies; JSON when it lists none. */
const char *const *dispatch_media_in(const struct endpoint *row);

#endif

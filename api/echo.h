/* What a client sent, made safe to say back to it in a sentence. Any thread. */
#ifndef API_ECHO_H
#define API_ECHO_H

#include <stddef.h>

/* At most 40 bytes of the text in quotes, control characters and what is not UTF-8 as '?', with
 * "..." where it was cut. Returns room. */
enum { ECHO_ROOM = 56 };
const char *echo_text(const char *text, size_t length, char room[ECHO_ROOM]);

#endif

/* Indented JSON, written member by member. A failure is kept and ends all further writing. One
 * thread at a time. */
#ifndef API_OUTLINE_H
#define API_OUTLINE_H

#include <stdbool.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

struct outline {
    struct bytes *to;
    struct fault *why;
    int depth;
    bool inside; /* something stands before in this object or list */
    bool failed;
};

/* In a list and at the top, key is NULL. */
void outline_open(struct outline *outline, const char *key, char bracket);
void outline_close(struct outline *outline, char bracket);
void outline_text(struct outline *outline, const char *key, const char *text);
void outline_number(struct outline *outline, const char *key, double number);
void outline_bool(struct outline *outline, const char *key, bool value);
/* A value that is JSON already. */
void outline_json(struct outline *outline, const char *key, const char *json);

#endif

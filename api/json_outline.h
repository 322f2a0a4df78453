/* A JSON document of any shape, made member by member as a tree of jansson's and printed once: for
 * the few documents that no row describes. A failure is kept and ends all further writing. One
 * thread at a time. */
#ifndef API_JSON_OUTLINE_H
#define API_JSON_OUTLINE_H

#include <stdbool.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

enum { OUTLINE_DEPTH = 48 };

struct json_t;

struct outline {
    struct json_t *open[OUTLINE_DEPTH]; /* the objects and lists that are not closed yet */
    int depth;
    bool failed; /* out of memory, or a key that stands there already */
};

/* In a list and at the top, key is NULL; outline_close ends what was opened last. */
void outline_open(struct outline *outline, const char *key, char bracket);
void outline_close(struct outline *outline);
void outline_text(struct outline *outline, const char *key, const char *text);
void outline_number(struct outline *outline, const char *key, double number);
void outline_bool(struct outline *outline, const char *key, bool value);
/* A value that is JSON already. */
void outline_json(struct outline *outline, const char *key, const char *json);

/* Appends the document, indented, and frees the tree, also after a failure. Fails with MEMORY. */
bool outline_end(struct outline *outline, struct bytes *to, struct fault *why);

#endif

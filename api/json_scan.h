/* Reading JSON piece by piece, strictly (RFC 8259), without building a tree.
 *
 * Texts without escapes are lent from the source; others are made in the arena. Numbers are finite
 * doubles. Refused, with INPUT and the byte where it is: a byte order mark, bytes that are not
 * UTF-8, NUL in a text, lone surrogates, NaN, Infinity, numbers beyond double, trailing text,
 * nesting deeper than SCAN_DEPTH_MOST. One thread at a time.
 */
#ifndef API_JSON_SCAN_H
#define API_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/arena.h"
#include "terrain/base/fault.h"

enum { SCAN_DEPTH_MOST = 64 };

struct executor;
struct limits;

struct scan {
    const char *begin, *at, *end;
    struct arena *arena;
    const struct executor *executor; /* NULL is none: of long lists */
    const struct limits *limits;     /* of lists that name theirs; or NULL */
    int depth;
};

struct slice {
    const char *text; /* not terminated */
    size_t length;
};

/* Checks the encoding of the whole text. */
bool scan_begin(struct scan *scan, const char *text, size_t length, struct arena *arena,
                struct fault *why);
/* Nothing but white space is left. */
bool scan_end(struct scan *scan, struct fault *why);

/* The next character that is not white space; NUL at the end. */
char scan_peek(struct scan *scan);
/* Steps over that character if it is the next one. */
bool scan_take(struct scan *scan, char wanted);
/* The same, and a fault if it is another. */
bool scan_expect(struct scan *scan, char wanted, struct fault *why);
/* Steps over null, true or false if it is the next. */
bool scan_word(struct scan *scan, const char *word);

bool scan_text(struct scan *scan, struct slice *text, struct fault *why);
bool scan_number(struct scan *scan, double *value, struct fault *why);
/* Any value, thrown away. */
bool scan_skip(struct scan *scan, struct fault *why);

/* Around an object or a list: counts the depth. scan_more steps to the next member: *more is false,
 * and the closing bracket read, at the end. *first begins as true. */
bool scan_open(struct scan *scan, char bracket, struct fault *why);
bool scan_more(struct scan *scan, char closing, bool *first, bool *more, struct fault *why);

/* Whether the bytes are UTF-8; *bad is the first that is not. */
bool utf8_valid(const char *text, size_t length, size_t *bad);

#endif

/* Media types and codings: what came, what may go. Any thread. */
#ifndef API_MEDIA_H
#define API_MEDIA_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/fault.h"

extern const char MEDIA_JSON[], MEDIA_PROBLEM[];

/* The index of the type (parameters and case ignored) in a list that ends with NULL; -1. */
int media_find(const char *const *types, const char *type);

/* The index of the type that an Accept header likes best, the earlier at a tie; NULL accepts
 * everything. Fails with ACCEPT, naming what can be made. */
bool media_choose(const char *const *types, const char *accept, int *chosen, struct fault *why);

/* Whether bodies of the type are JSON: application/json, or any type that ends in +json. */
bool media_is_json(const char *type);

/* Whether bodies of the type shrink when they are compressed. */
bool media_shrinks(const char *type);

/* Whether an Accept-Encoding header takes gzip. */
bool media_gzip(const char *accept_encoding);

#endif

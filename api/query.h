/* Structs from the query and the path of a request, by the same rows as bodies. Any thread. */
#ifndef API_QUERY_H
#define API_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/arena.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

enum { QUERY_MOST = 100 }; /* parameters of one request */

/* Where parameters may go: the first target that has the name takes it. */
struct query_target {
    const struct shape *shape; /* NULL takes none */
    void *value;               /* zeroed, of the shape's size; filled with defaults first */
};

struct path_value {
    const char *name;
    const char *text; /* decoded */
};

/* Decodes path members (rows with in_path) and the query as it was sent (NULL is an empty one).
 * Loose queries skip what no target knows. Fails with INPUT, placed at the parameter. */
bool query_read(const struct query_target *targets, size_t count, const struct path_value *path,
                size_t path_count, const char *query, bool loose, struct arena *arena,
                struct fault *why);

/* Undoes %XX (and, in a query, '+' for a space) in place of a copy. Fails with INPUT for an escape
 * that is none, for NUL, and for what is not UTF-8. */
char *percent_decode(const char *text, size_t length, bool plus, struct arena *arena,
                     struct fault *why);

#endif

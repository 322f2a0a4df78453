/* Structs from JSON, by their rows: one pass over the text, no tree. Any thread. */
#ifndef API_JSON_READ_H
#define API_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/arena.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

struct executor;
struct limits;

/* Fills the zeroed struct of the shape from a text that is one JSON object. Unknown, duplicate and
 * missing members, wrong kinds and numbers out of range fail with INPUT and a JSON pointer as their
 * place; positions are left in the request's frame. Texts and lists live in the arena. Fails with
 * MEMORY when the arena is exhausted. */
bool json_read(const struct shape *shape, const char *text, size_t length, struct arena *arena,
               void *value, struct fault *why);

/* The same, with what the server lends to large bodies: threads, and its limits on the lists that
 * name one. Fails with LIMIT, at the first item too many. */
bool json_read_large(const struct shape *shape, const char *text, size_t length,
                     const struct executor *executor, const struct limits *limits,
                     struct arena *arena, void *value, struct fault *why);

#endif

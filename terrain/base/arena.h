/* Memory that ends all at once: what a request needs for its reply comes from
 * one arena and is freed by its completion. A zeroed struct is an empty arena.
 * One thread at a time. */
#ifndef TERRAIN_BASE_ARENA_H
#define TERRAIN_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks;
    size_t used;  /* bytes handed out */
    size_t limit; /* refuse beyond this many bytes; 0 is no limit */
};

void arena_free(struct arena *arena);

/* Zeroed, aligned for any type; NULL when memory or the limit is exhausted. */
void *arena_new(struct arena *arena, size_t size);
/* A longer place with the same beginning; what comes behind `length` is not set. place is one of
 * this arena's of `length` bytes (or NULL), and ends. A long one moves without being copied. NULL
 * as above, and then the place stays. */
void *arena_grow(struct arena *arena, void *place, size_t length, size_t size);
void *arena_copy(struct arena *arena, const void *data, size_t length);
char *arena_text(struct arena *arena, const char *text);
char *arena_print(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

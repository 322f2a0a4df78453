#include "terrain/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 4096 - 64, GRAIN = alignof(max_align_t) };

struct arena_chunk {
    struct arena_chunk *next;
    size_t room, used;
    alignas(max_align_t) unsigned char content[];
};

void arena_free(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunks;

    while (chunk) {
        struct arena_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    arena->chunks = NULL;
    arena->used = 0;
}

/* A big piece gets a chunk of its own behind the current one, which stays in use. */
static struct arena_chunk *chunk_for(struct arena *arena, size_t size)
{
    struct arena_chunk *first = arena->chunks, *chunk;
    bool apart = size > CHUNK_BYTES / 4;
    size_t room = apart ? size : CHUNK_BYTES;

    if (first && first->room - first->used >= size)
        return first;
    chunk = malloc(sizeof *chunk + room);
    if (!chunk)
        return NULL;
    chunk->room = room;
    chunk->used = 0;
    if (apart && first) {
        chunk->next = first->next;
        first->next = chunk;
    } else {
        chunk->next = first;
        arena->chunks = chunk;
    }
    return chunk;
}

static void *piece(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk;
    void *place;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + GRAIN - 1) / GRAIN * GRAIN;
    if (arena->limit && (arena->used > arena->limit || size > arena->limit - arena->used))
        return NULL;
    chunk = chunk_for(arena, size);
    if (!chunk)
        return NULL;
    place = chunk->content + chunk->used;
    chunk->used += size;
    arena->used += size;
    return place;
}

void *arena_new(struct arena *arena, size_t size)
{
    void *place = piece(arena, size);

    return place ? memset(place, 0, size) : NULL;
}

/* What is longer than a chunk has one of its own, which can be moved: pages rather than bytes. */
static void *grow_alone(struct arena *arena, void *place, size_t length, size_t size)
{
    size_t had = (length + GRAIN - 1) / GRAIN * GRAIN, wanted = (size + GRAIN - 1) / GRAIN * GRAIN;
    struct arena_chunk **link = &arena->chunks, *moved;

    if (arena->limit && (arena->used > arena->limit || wanted - had > arena->limit - arena->used))
        return NULL;
    while ((*link)->content != (unsigned char *)place)
        link = &(*link)->next;
    moved = realloc(*link, sizeof *moved + wanted);
    if (!moved)
        return NULL;
    *link = moved;
    moved->room = moved->used = wanted;
    arena->used += wanted - had;
    return moved->content;
}

void *arena_grow(struct arena *arena, void *place, size_t length, size_t size)
{
    void *longer;

    if (size > SIZE_MAX / 2 || size < length)
        return NULL;
    if (length > CHUNK_BYTES)
        return grow_alone(arena, place, length, size);
    longer = piece(arena, size);
    if (longer && length)
        memcpy(longer, place, length);
    return longer;
}

void *arena_copy(struct arena *arena, const void *data, size_t length)
{
    void *place = piece(arena, length);

    if (place && length)
        memcpy(place, data, length);
    return place;
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_copy(arena, text, strlen(text) + 1);
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text = length < 0 ? NULL : piece(arena, (size_t)length + 1);
    if (!text)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

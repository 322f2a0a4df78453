/* Answers that are kept: whole bodies by a key that names their content, so nothing in
 * here can be stale. Bounded in bytes, least recently used out. Any thread.
 *
 * An answer that is being made is made once: who else asks for its key waits for it.
 */
#ifndef API_CACHE_H
#define API_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"

struct cache;

enum { KEPT_ETAG_ROOM = 64 };

/* One kept answer, counted, never changed. */
struct kept {
    _Atomic uint32_t holders;
    struct bytes body;
    const char *media;         /* constant text */
    const char *cache_control; /* constant text, or NULL */
    double mesh_error;         /* as the request says it */
    bool has_mesh_error;
    char drawn_by[32], warning[192];
    bool gzip;
    uint64_t version;
    char etag[KEPT_ETAG_ROOM];
    void *_Atomic attached; /* the server's; see kept_attach */
    void (*release)(void *attached);
    /* the cache's own */
    struct kept *next, *newer, *older; /* of the same hash; by use */
    uint64_t hash;
    size_t key_length;
    unsigned char key[];
};

/* 64 bits of any bytes, eight at a time: for keys and names, not against forgers. */
uint64_t cache_hash(const void *data, size_t length);

/* release frees what the server has attached, with the answer; may be NULL. */
struct cache *cache_new(int64_t bytes_most, void (*release)(void *attached));
/* Nobody may use it any more; answers that are still held live on. */
void cache_free(struct cache *cache);

/* The answer, held; NULL when it is not there. */
struct kept *cache_find(struct cache *cache, const void *key, size_t length);

/* Before making an answer: true when the caller is to make it and call cache_settle, false when
 * another one just did (*kept is it, held) or failed (*kept is NULL: make it without the cache). */
bool cache_claim(struct cache *cache, const void *key, size_t length, struct kept **kept);

/* Ends a claim. With an answer: kept if it fits, and held for the caller; takes the bytes of *body.
 * NULL body: it could not be made. NULL is returned then, and when memory is out. */
struct kept *cache_settle(struct cache *cache, const void *key, size_t length, struct bytes *body,
                          const struct kept *like);

void kept_drop(struct kept *kept);

/* Gives the answer something of the server's that ends with it. False when it has one. */
bool kept_attach(struct kept *kept, void *attached);

struct cache_numbers {
    int64_t answers, bytes, hits, misses, evictions;
};
void cache_numbers(struct cache *cache, struct cache_numbers *numbers);

#endif

#include "api/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_BUCKETS = 16384, KEPT_OVERHEAD = 512 };

/* A key whose answer is being made. */
struct making {
    struct making *next;
    const void *key;
    size_t length;
    struct kept *made; /* one count for each that waits */
    int waiting;
    bool done;
};

struct cache {
    pthread_mutex_t lock;
    pthread_cond_t settled;
    struct kept *buckets[CACHE_BUCKETS];
    struct kept *newest, *oldest;
    struct making *making;
    void (*release)(void *attached);
    int64_t bytes_most;
    struct cache_numbers numbers;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32; /* brings what differs at the top back down */
}

/* Eight bytes at a time; of long ones four such chains side by side, for a step of one waits for
 * the step before. */
uint64_t cache_hash(const void *data, size_t length)
{
    const unsigned char *key = data;
    uint64_t hash = 0xcbf29ce484222325u ^ length, words[4], lanes[4] = { 1, 2, 3, 4 };
    size_t i = 0;

    if (length >= 1024) {
        for (; length - i >= sizeof words; i += sizeof words) {
            memcpy(words, key + i, sizeof words);
            for (int lane = 0; lane < 4; lane++)
                lanes[lane] = mix(lanes[lane], words[lane]);
        }
        for (int lane = 0; lane < 4; lane++)
            hash = mix(hash, lanes[lane]);
    }
    for (; i < length; i += sizeof hash) {
        uint64_t word = 0;

        memcpy(&word, key + i, length - i < sizeof word ? length - i : sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

struct cache *cache_new(int64_t bytes_most, void (*release)(void *attached))
{
    struct cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->settled, NULL);
    cache->bytes_most = bytes_most;
    cache->release = release;
    return cache;
}

void kept_drop(struct kept *kept)
{
    void *attached;

    if (!kept || atomic_fetch_sub(&kept->holders, 1) != 1)
        return;
    attached = atomic_load(&kept->attached);
    if (attached && kept->release)
        kept->release(attached);
    bytes_free(&kept->body);
    free(kept);
}

bool kept_attach(struct kept *kept, void *attached)
{
    void *none = NULL;

    return atomic_compare_exchange_strong(&kept->attached, &none, attached);
}

static int64_t kept_bytes(const struct kept *kept)
{
    return (int64_t)(kept->body.room + kept->key_length + KEPT_OVERHEAD);
}

static struct kept **bucket_of(struct cache *cache, uint64_t hash)
{
    return &cache->buckets[hash % CACHE_BUCKETS];
}

static void use_unlink(struct cache *cache, struct kept *kept)
{
    *(kept->newer ? &kept->newer->older : &cache->newest) = kept->older;
    *(kept->older ? &kept->older->newer : &cache->oldest) = kept->newer;
}

static void use_first(struct cache *cache, struct kept *kept)
{
    kept->newer = NULL;
    kept->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = kept;
    cache->newest = kept;
}

/* With the lock; the answer is the caller's to drop, without it. */
static struct kept *cache_evict(struct cache *cache)
{
    struct kept *kept = cache->oldest, **at = bucket_of(cache, kept->hash);

    while (*at != kept)
        at = &(*at)->next;
    *at = kept->next;
    kept->next = NULL;
    use_unlink(cache, kept);
    cache->numbers.bytes -= kept_bytes(kept);
    cache->numbers.answers--;
    cache->numbers.evictions++;
    return kept;
}

void cache_free(struct cache *cache)
{
    if (!cache)
        return;
    while (cache->oldest)
        kept_drop(cache_evict(cache));
    pthread_cond_destroy(&cache->settled);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* With the lock. */
static struct kept *table_find(struct cache *cache, const void *key, size_t length)
{
    uint64_t hash = cache_hash(key, length);

    for (struct kept *kept = *bucket_of(cache, hash); kept; kept = kept->next) {
        if (kept->hash != hash || kept->key_length != length || memcmp(kept->key, key, length))
            continue;
        use_unlink(cache, kept);
        use_first(cache, kept);
        atomic_fetch_add(&kept->holders, 1);
        return kept;
    }
    return NULL;
}

struct kept *cache_find(struct cache *cache, const void *key, size_t length)
{
    struct kept *kept;

    pthread_mutex_lock(&cache->lock);
    kept = table_find(cache, key, length);
    *(kept ? &cache->numbers.hits : &cache->numbers.misses) += 1;
    pthread_mutex_unlock(&cache->lock);
    return kept;
}

static struct making **making_find(struct cache *cache, const void *key, size_t length)
{
    struct making **at = &cache->making;

    while (*at && ((*at)->length != length || memcmp((*at)->key, key, length)))
        at = &(*at)->next;
    return at;
}

/* The key is lent until the claim is settled. Waits on the maker's own record, which the last that
 * waits frees. */
static struct kept *making_wait(struct cache *cache, struct making *making)
{
    struct kept *made;

    making->waiting++;
    while (!making->done)
        pthread_cond_wait(&cache->settled, &cache->lock);
    made = making->made;
    if (!--making->waiting)
        free(making);
    return made;
}

bool cache_claim(struct cache *cache, const void *key, size_t length, struct kept **kept)
{
    struct making *making;
    bool mine = false;

    pthread_mutex_lock(&cache->lock);
    *kept = table_find(cache, key, length);
    making = *kept ? NULL : *making_find(cache, key, length);
    if (making) {
        *kept = making_wait(cache, making);
    } else if (!*kept) {
        making = calloc(1, sizeof *making);
        if (making) {
            *making = (struct making){ .next = cache->making, .key = key, .length = length };
            cache->making = making;
            mine = true;
        }
    }
    pthread_mutex_unlock(&cache->lock);
    return mine;
}

static struct kept *kept_new(struct cache *cache, const void *key, size_t length,
                             struct bytes *body, const struct kept *like)
{
    struct kept *kept = calloc(1, sizeof *kept + length);

    if (!kept)
        return NULL;
    kept->body = *body;
    *body = (struct bytes){ 0 };
    kept->media = like->media;
    kept->cache_control = like->cache_control;
    kept->mesh_error = like->mesh_error;
    kept->has_mesh_error = like->has_mesh_error;
    memcpy(kept->drawn_by, like->drawn_by, sizeof kept->drawn_by);
    memcpy(kept->warning, like->warning, sizeof kept->warning);
    kept->gzip = like->gzip;
    kept->version = like->version;
    memcpy(kept->etag, like->etag, sizeof kept->etag);
    kept->release = cache->release;
    kept->hash = cache_hash(key, length);
    kept->key_length = length;
    memcpy(kept->key, key, length);
    atomic_store(&kept->holders, 1);
    return kept;
}

/* With the lock. Returns what had to make room, linked by next. */
static struct kept *table_add(struct cache *cache, struct kept *kept)
{
    struct kept **bucket = bucket_of(cache, kept->hash), *out = NULL;

    if (kept_bytes(kept) > cache->bytes_most)
        return NULL;
    while (cache->numbers.bytes + kept_bytes(kept) > cache->bytes_most) {
        struct kept *old = cache_evict(cache);
        old->next = out;
        out = old;
    }
    kept->next = *bucket;
    *bucket = kept;
    use_first(cache, kept);
    atomic_fetch_add(&kept->holders, 1);
    cache->numbers.bytes += kept_bytes(kept);
    cache->numbers.answers++;
    return out;
}

/* With the lock: hands the answer, or the lack of one, to all that wait. */
static void making_end(struct cache *cache, const void *key, size_t length, struct kept *kept)
{
    struct making **at = making_find(cache, key, length), *making = *at;

    *at = making->next;
    making->done = true;
    if (!making->waiting) {
        free(making);
        return;
    }
    making->made = kept;
    if (kept)
        atomic_fetch_add(&kept->holders, (uint32_t)making->waiting);
    pthread_cond_broadcast(&cache->settled);
}

struct kept *cache_settle(struct cache *cache, const void *key, size_t length, struct bytes *body,
                          const struct kept *like)
{
    struct kept *kept = body ? kept_new(cache, key, length, body, like) : NULL, *out = NULL;

    pthread_mutex_lock(&cache->lock);
    if (kept)
        out = table_add(cache, kept);
    making_end(cache, key, length, kept);
    pthread_mutex_unlock(&cache->lock);
    while (out) {
        struct kept *next = out->next;
        out->next = NULL;
        kept_drop(out);
        out = next;
    }
    return kept;
}

void cache_numbers(struct cache *cache, struct cache_numbers *numbers)
{
    pthread_mutex_lock(&cache->lock);
    *numbers = cache->numbers;
    pthread_mutex_unlock(&cache->lock);
}

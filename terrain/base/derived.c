#include "terrain/base/derived.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/lock.h"

/* A place that something is kept for, or is being made for. */
struct slot {
    struct derived_place place;
    uint64_t hash;
    uint64_t stamp;
    struct derived *thing; /* NULL until the first is made */
    uint64_t making;       /* the stamp that somebody makes, if `busy` */
    bool busy;
    uint32_t waiters; /* keep the slot */
    struct slot *next;
    struct slot *newer, *older; /* by use; only those that hold a thing are in the list */
};

enum { BUCKETS_LEAST = 64 };

struct derived_cache {
    struct lock lock; /* woken when something has been made */
    int64_t bytes_most;
    struct slot **buckets;
    size_t bucket_count, slot_count;
    struct slot *newest, *oldest;
    struct derived_numbers numbers;
};

struct derived *derived_hold(const struct derived *thing)
{
    struct derived *held = (struct derived *)(uintptr_t)thing;

    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

void derived_drop(struct derived *thing)
{
    if (thing && atomic_fetch_sub_explicit(&thing->holders, 1, memory_order_acq_rel) == 1)
        thing->free(thing);
}

struct derived_cache *derived_cache_new(int64_t bytes_most)
{
    struct derived_cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    cache->bytes_most = bytes_most;
    cache->bucket_count = BUCKETS_LEAST;
    cache->buckets = calloc(cache->bucket_count, sizeof(struct slot *));
    if (!cache->buckets) {
        free(cache);
        return NULL;
    }
    lock_init(&cache->lock);
    return cache;
}

void derived_cache_free(struct derived_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->bucket_count; i++) {
        for (struct slot *slot = cache->buckets[i], *next; slot; slot = next) {
            next = slot->next;
            derived_drop(slot->thing);
            free(slot);
        }
    }
    free(cache->buckets);
    lock_fini(&cache->lock);
    free(cache);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t place_hash(const struct derived_place *place)
{
    uint64_t hash = mix(place->incarnation, (uint64_t)(uintptr_t)place->kind);

    for (int i = 0; i < 4; i++)
        hash = mix(hash, (uint64_t)place->at[i]);
    return mix(hash, place->options);
}

static bool same_place(const struct derived_place *a, const struct derived_place *b)
{
    return a->kind == b->kind && a->incarnation == b->incarnation && a->options == b->options &&
           memcmp(a->at, b->at, sizeof a->at) == 0;
}

static struct slot **bucket_of(struct derived_cache *cache, uint64_t hash)
{
    return &cache->buckets[hash & (cache->bucket_count - 1)];
}

/* Twice the buckets, if memory allows; with fewer it is slower and as right. */
static void grow(struct derived_cache *cache)
{
    size_t count = cache->bucket_count * 2;
    struct slot **buckets = calloc(count, sizeof(struct slot *));

    if (!buckets)
        return;
    for (size_t i = 0; i < cache->bucket_count; i++) {
        for (struct slot *slot = cache->buckets[i], *next; slot; slot = next) {
            next = slot->next;
            slot->next = buckets[slot->hash & (count - 1)];
            buckets[slot->hash & (count - 1)] = slot;
        }
    }
    free(cache->buckets);
    cache->buckets = buckets;
    cache->bucket_count = count;
}

static struct slot *slot_find(struct derived_cache *cache, const struct derived_place *place,
                              uint64_t hash)
{
    for (struct slot *slot = *bucket_of(cache, hash); slot; slot = slot->next)
        if (slot->hash == hash && same_place(&slot->place, place))
            return slot;
    return NULL;
}

static struct slot *slot_new(struct derived_cache *cache, const struct derived_place *place,
                             uint64_t hash)
{
    struct slot *slot = calloc(1, sizeof *slot);

    if (!slot)
        return NULL;
    if (cache->slot_count >= cache->bucket_count)
        grow(cache);
    slot->place = *place;
    slot->hash = hash;
    slot->next = *bucket_of(cache, hash);
    *bucket_of(cache, hash) = slot;
    cache->slot_count++;
    return slot;
}

static void unlist(struct derived_cache *cache, struct slot *slot)
{
    *(slot->newer ? &slot->newer->older : &cache->newest) = slot->older;
    *(slot->older ? &slot->older->newer : &cache->oldest) = slot->newer;
    slot->newer = slot->older = NULL;
}

static void list_first(struct derived_cache *cache, struct slot *slot)
{
    slot->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = slot;
    cache->newest = slot;
}

/* Takes the slot's thing out; the caller drops it when the lock is free. */
static struct derived *take_out(struct derived_cache *cache, struct slot *slot)
{
    struct derived *thing = slot->thing;

    if (thing) {
        unlist(cache, slot);
        slot->thing = NULL;
        cache->numbers.things--;
        cache->numbers.bytes -= (int64_t)thing->bytes;
    }
    return thing;
}

static void slot_free_idle(struct derived_cache *cache, struct slot *slot)
{
    struct slot **at = bucket_of(cache, slot->hash);

    if (slot->thing || slot->busy || slot->waiters)
        return;
    while (*at != slot)
        at = &(*at)->next;
    *at = slot->next;
    cache->slot_count--;
    free(slot);
}

/* Things beyond the bound, of which the caller drops one a call, without the lock. */
static struct derived *evict_one(struct derived_cache *cache)
{
    struct slot *slot = cache->oldest;
    struct derived *thing;

    if (!slot || cache->numbers.bytes <= cache->bytes_most)
        return NULL;
    thing = take_out(cache, slot);
    slot_free_idle(cache, slot);
    cache->numbers.evictions++;
    return thing;
}

static struct derived *use(struct derived_cache *cache, struct slot *slot)
{
    unlist(cache, slot);
    list_first(cache, slot);
    cache->numbers.hits++;
    return derived_hold(slot->thing);
}

static struct derived *put_in(struct derived_cache *cache, struct slot *slot, uint64_t stamp,
                              struct derived *made)
{
    struct derived *was = take_out(cache, slot);

    slot->thing = derived_hold(made);
    slot->stamp = stamp;
    list_first(cache, slot);
    cache->numbers.things++;
    cache->numbers.bytes += (int64_t)made->bytes;
    return was;
}

struct derived *derived_get(struct derived_cache *cache, const struct derived_place *place,
                            uint64_t stamp, derived_make *make, void *context, struct fault *why)
{
    struct derived *thing, *older = NULL, *gone = NULL;
    uint64_t hash;
    struct slot *slot;

    if (!cache)
        return make(context, NULL, why);
    hash = place_hash(place);
    lock_take(&cache->lock);
    slot = slot_find(cache, place, hash);
    if (!slot)
        slot = slot_new(cache, place, hash);
    if (!slot) {
        lock_release(&cache->lock);
        return make(context, NULL, why);
    }
    slot->waiters++;
    while (slot->busy && slot->making == stamp)
        lock_wait(&cache->lock);
    slot->waiters--;
    if (slot->thing && slot->stamp == stamp) {
        thing = use(cache, slot);
        lock_release(&cache->lock);
        return thing;
    }
    cache->numbers.misses++;
    older = slot->thing ? derived_hold(slot->thing) : NULL;
    /* Who makes another stamp meanwhile is not waited for: both may be asked for again. */
    if (slot->busy) {
        lock_release(&cache->lock);
        thing = make(context, older, why);
        derived_drop(older);
        return thing;
    }
    slot->busy = true;
    slot->making = stamp;
    lock_release(&cache->lock);

    thing = make(context, older, why);
    derived_drop(older);

    lock_take(&cache->lock);
    slot->busy = false;
    if (thing && (int64_t)thing->bytes <= cache->bytes_most)
        gone = put_in(cache, slot, stamp, thing);
    else
        slot_free_idle(cache, slot);
    lock_wake_all(&cache->lock);
    for (;;) {
        struct derived *evicted = evict_one(cache);

        lock_release(&cache->lock);
        derived_drop(gone);
        gone = evicted;
        if (!gone)
            return thing;
        lock_take(&cache->lock);
    }
}

void derived_numbers(struct derived_cache *cache, struct derived_numbers *numbers)
{
    lock_take(&cache->lock);
    *numbers = cache->numbers;
    lock_release(&cache->lock);
}

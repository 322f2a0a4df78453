/* What is worked out from landscapes and kept for a while: error maps, bounds, grids of samples.
 *
 * One bounded cache for all of it, by keys that name what a thing was made from, so that nothing
 * in here can be stale; least recently used out. A thing that is being made is made once: who else
 * asks for it waits. Any thread.
 */
#ifndef TERRAIN_BASE_DERIVED_H
#define TERRAIN_BASE_DERIVED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

/* Where it is: what kind of thing, of which landscape, which part. */
struct derived_place {
    const void *kind; /* an address that belongs to the kind alone */
    uint64_t incarnation;
    int64_t at[4];
    uint64_t options;
};

/* The first member of every kept thing; the rest is its maker's. Never changed once made. */
struct derived {
    _Atomic uint32_t holders;
    size_t bytes; /* what it takes, itself included */
    void (*free)(struct derived *thing);
};

struct derived_cache;

struct derived_cache *derived_cache_new(int64_t bytes_most);
/* Nobody may use it any more; things that are still held live on. */
void derived_cache_free(struct derived_cache *cache);

/* Makes a thing with one holder; NULL with a fault. `older` is what was kept last for the same
 * place under another stamp, or NULL: whoever can, starts from there. */
typedef struct derived *derived_make(void *context, const struct derived *older, struct fault *why);

/* The thing at that place, made from what `stamp` names, held for the caller. Without a cache
 * (NULL) it is made each time. NULL with the maker's fault. A place keeps one thing: a newer stamp
 * takes the older's room. A maker may ask for things of other places, never for its own. */
struct derived *derived_get(struct derived_cache *cache, const struct derived_place *place,
                            uint64_t stamp, derived_make *make, void *context, struct fault *why);

struct derived *derived_hold(const struct derived *thing);
void derived_drop(struct derived *thing); /* NULL is fine */

struct derived_numbers {
    int64_t things, bytes, hits, misses, evictions;
};
void derived_numbers(struct derived_cache *cache, struct derived_numbers *numbers);

#endif

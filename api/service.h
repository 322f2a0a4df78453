/* What all requests share: the landscapes, the helper processes, the limits.
 * Made once at start, before any thread; its members have locks of their own. */
#ifndef API_SERVICE_H
#define API_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/executor.h"
#include "terrain/landscape.h"

struct renderer;
struct worker_pool;
struct cache;

struct limits {
#define LIMIT(name, value, least, greatest, unit, help) int64_t name;
#include "api/limits.def"
#undef LIMIT
};

struct service {
    struct limits limits;
    struct landscapes *landscapes;
    struct renderer *renderer;       /* NULL when this server does not render */
    struct worker_pool *decoders;
    struct cache *cache;             /* kept answers, by ETag */
    const struct executor *executor; /* the worker threads, for work that splits */
    _Atomic bool stopping;           /* /readyz says so */
};

#endif

/* What all requests share: the landscapes, the helper processes, the limits.
 * Made once at start, before any thread; its members have locks of their own. */
#ifndef API_SERVICE_H
#define API_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/executor.h"
#include "terrain/landscape.h"

struct gallery;
struct renderer;
struct worker_pool;
struct cache;
struct jobs;
struct derived_cache;
struct tokens;
struct routes;

struct limits {
#define LIMIT(name, value, least, greatest, unit, help) int64_t name;
#include "api/limits.def"
#undef LIMIT
};

/* The same rows, for whoever sets, prints or looks up a limit by its name; ends with NULL. */
struct limit_row {
    const char *name;
    size_t at; /* of the int64_t in struct limits */
    int64_t value, least, greatest;
    const char *unit, *help;
};
extern const struct limit_row limit_rows[];
void limits_init(struct limits *limits);
/* NULL when there is none of that name. */
int64_t *limits_at(const struct limits *limits, const char *name);

struct service {
    struct limits limits;
    struct landscapes *landscapes;
    struct gallery *gallery;   /* uploaded rasters */
    struct renderer *renderer; /* NULL when this server does not render */
    struct worker_pool *decoders;
    struct cache *cache;             /* kept answers, by ETag */
    struct derived_cache *derived;   /* what answers are worked out from */
    struct jobs *jobs;               /* work that goes on behind its request */
    const struct executor *executor; /* the worker threads, for work that splits */
    const struct tokens *tokens;     /* NULL: everybody may do everything */
    const struct routes *routes;
    const char *public_url;  /* "https://maps.example" for links; NULL is http and Host */
    const char *cors_origin; /* "*", one origin, or NULL */
    const char *version;     /* of this build */
    _Atomic bool stopping;   /* /readyz says so */
    /* Appends the text of /metrics; the server's. */
    bool (*print_metrics)(const struct service *service, struct bytes *to, struct fault *why);
};

#endif

/* The live landscapes: opened from the store, viewed, changed, closed.
 *
 * Changes to one landscape take turns; those that wait together are made durable with
 * one flush and published one after another, each a version of its own. A call that
 * changes something returns when the change is on disk. Any thread.
 */
#ifndef TERRAIN_LANDSCAPE_H
#define TERRAIN_LANDSCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/edit/draft.h"

struct landscapes; /* all of one data folder */
struct landscape;  /* one of them, counted */

struct landscapes_limits {
    int64_t vertices;                /* of one landscape */
    int64_t memory_bytes;            /* of all landscapes in memory */
    int32_t waiting_changes;         /* of one landscape */
    int64_t history_bytes;           /* the log kept of one landscape, */
    int64_t snapshot_bytes;          /* and so much more for its snapshots; 0 is no limit */
    int64_t snapshots;               /* of one landscape; 0 is 100 */
    int32_t kept_records;            /* of changes, see landscape_feed.h; 0 is 4096 */
    const struct executor *executor; /* for blocks on their way to the disk; NULL: one by one */
    /* Of the background, in seconds; 0 is the default. */
    double idle;  /* without a change before blocks are written back: 1 */
    double rest;  /* before the files are closed: 30 */
    double scrub; /* from one check of all checksums to the next: 86400 */
};

/* Takes the folder for this process alone; fails with CONFLICT, naming the holder,
 * when another daemon has it. Ready at once: contents load on demand and by
 * landscapes_work. */
bool landscapes_open(const char *folder, const struct landscapes_limits *limits,
                     struct landscapes **landscapes, struct fault *why);
/* Nobody may hold a landscape any more. Writes back what is worth it, bounded in time. */
void landscapes_close(struct landscapes *landscapes);

/* Background work, for a thread of the daemon's: loads one landscape, writes back one slice of
 * blocks, finds out what a failed disk has kept, or checks a slice of checksums; false when
 * there is nothing to do just now. */
bool landscapes_work(struct landscapes *landscapes);
void landscapes_progress(struct landscapes *landscapes, int32_t *loaded, int32_t *all);

/* A failure of the background work that has not been told yet, for the log; false when there is
 * none. The newest counts. */
bool landscapes_trouble(struct landscapes *landscapes, char id[65], struct fault *trouble);

/* Up to `most` ids after `after` ("" begins) in byte order, into names of 65 bytes each. */
size_t landscapes_list(struct landscapes *landscapes, const char *after, size_t most,
                       char (*names)[65]);

/* Whether there is one, in memory or not. Never waits for a disk. */
bool landscapes_has(struct landscapes *landscapes, const char *id);

/* The landscape of that id, held, loaded now if it was not. Fails with MISSING, with FULL when
 * memory has no room for it, or as the store does. landscapes_find_at_once never waits for a disk:
 * NULL without a fault when the landscape is not in memory. */
struct landscape *landscapes_find(struct landscapes *landscapes, const char *id, struct fault *why);
struct landscape *landscapes_find_at_once(struct landscapes *landscapes, const char *id,
                                          struct fault *why);
struct landscape *landscape_hold(struct landscape *landscape);
void landscape_drop(struct landscape *landscape);
const char *landscape_id(const struct landscape *landscape);

/* A new landscape at version 1 with this content (a view of any incarnation and version: it gets
 * an incarnation of its own). request is the JSON or a description of what caused it, for the log.
 * Fails with CONFLICT when the id is taken, IMPOSSIBLE beyond the limit on vertices, FULL. */
struct landscape *landscapes_create(struct landscapes *landscapes, const char *id,
                                    const struct view *content, const char *request,
                                    struct fault *why);
bool landscapes_delete(struct landscapes *landscapes, const char *id, const char *if_match,
                       struct fault *why);

/* The JSON text that landscapes_create was given, for "the same body again". Lent by the landscape.
 */
const char *landscape_request(const struct landscape *landscape);

/* The newest published version, held. Never waits for a writer. */
struct view *landscape_view(struct landscape *landscape);
/* The same for whoever does not keep it in memory: NULL when it is not. */
struct view *landscape_view_here(struct landscape *landscape);
/* That version, held, while it is kept: the last ones are in memory, within a bound on their number
 * and bytes, and those before are made again from the log, which may take as long as loading the
 * landscape does. Fails with GONE, with MISSING for one that has not been yet, or as the store
 * does. */
struct view *landscape_view_at(struct landscape *landscape, uint64_t version, struct fault *why);

/* A change: `make` is called once with a draft of the newest version when its turn has come, maybe
 * on another thread. */
struct landscape_change {
    bool (*make)(void *context, struct draft *draft, struct fault *why);
    void *context;
    const char *if_match; /* the header's value, or NULL */
    const char *author;   /* or NULL */
    const char *request;  /* what asked for it, kept in the log; or NULL */
    const char *once;     /* idempotency key, or NULL */
    bool dry_run;
    struct landscape_step *step; /* what it is in the history; NULL, as usual, is an edit */
};

struct landscape_changed {
    uint64_t version;
    struct change change;
    bool repeated; /* the answer of an earlier change with the same idempotency key */
};

/* Fails as `make` does, or with STALE (if_match), IMPOSSIBLE (an idempotency key that another
 * request has used), BUSY (too many wait), MISSING (deleted meanwhile), FULL (no room on the disk
 * or in memory), STORAGE; then nothing has changed. */
bool landscape_change(struct landscape *landscape, const struct landscape_change *change,
                      struct landscape_changed *changed, struct fault *why);

/* "*", or a comma-separated list of quoted versions, weak ones never matching. */
bool etag_matches(const char *header, const char *etag, bool weak_counts);

/* Numbers for /metrics and /v1/info. A flush is one durable commit of a group of changes;
 * flushes[i] counts those of at most flush_bounds[i] seconds, the last those of any time. */
enum { FLUSH_BOUNDS = 12 };
extern const double flush_bounds[FLUSH_BOUNDS];

struct landscapes_numbers {
    int64_t count, memory_bytes, commits, changes, write_backs, store_bytes, evictions, troubles;
    int64_t flushes[FLUSH_BOUNDS + 1];
    double flush_seconds;
};
void landscapes_numbers(struct landscapes *landscapes, struct landscapes_numbers *numbers);

#endif

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

#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/edit/draft.h"

struct landscapes; /* all of one data folder */
struct landscape;  /* one of them, counted */

struct landscapes_limits {
    int64_t vertices;       /* of one landscape */
    int64_t memory_bytes;   /* of all landscapes in memory */
    int32_t waiting_changes; /* of one landscape */
    int64_t history_bytes;   /* the log kept of one landscape */
};

/* Takes the folder for this process alone; fails with CONFLICT, naming the holder,
 * when another daemon has it. Ready at once: contents load on demand and by
 * landscapes_load_some. */
bool landscapes_open(const char *folder, const struct landscapes_limits *limits,
                     struct landscapes **landscapes, struct fault *why);
/* Nobody may hold a landscape any more. Writes back what is worth it, bounded in time. */
void landscapes_close(struct landscapes *landscapes);

/* Background work, for a thread of the daemon's: loads one landscape or writes back one slice of
 * blocks; false when there is nothing to do just now. */
bool landscapes_work(struct landscapes *landscapes);
void landscapes_progress(struct landscapes *landscapes, int32_t *loaded, int32_t *all);

/* Up to `most` ids after `after` ("" begins) in byte order, into names of 65 bytes each. */
size_t landscapes_list(struct landscapes *landscapes, const char *after, size_t most,
                       char (*names)[65]);

/* The landscape of that id, held, loaded now if it was not. Fails with MISSING. */
struct landscape *landscapes_find(struct landscapes *landscapes, const char *id,
                                  struct fault *why);
struct landscape *landscape_hold(struct landscape *landscape);
void landscape_drop(struct landscape *landscape);
const char *landscape_id(const struct landscape *landscape);

/* A new landscape at version 1 with this content (a view of incarnation 0: it gets one
 * of its own). request is the JSON or a description of what caused it, for the log. Fails with
 * CONFLICT when the id is taken. */
struct landscape *landscapes_create(struct landscapes *landscapes, const char *id,
                                    const struct view *content, const char *request,
                                    struct fault *why);
bool landscapes_delete(struct landscapes *landscapes, const char *id, const char *if_match,
                       struct fault *why);

/* The JSON text that landscapes_create was given, for "the same body again". Lent by the landscape. */
const char *landscape_request(const struct landscape *landscape);

/* The newest published version, held. Never waits for a writer. */
struct view *landscape_view(struct landscape *landscape);

/* A change: `make` is called with a draft of the newest version when its turn has come, maybe on
 * another thread, maybe again if the group that it was in could not be committed. */
struct landscape_change {
    bool (*make)(void *context, struct draft *draft, struct fault *why);
    void *context;
    const char *if_match; /* the header's value, or NULL */
    const char *author;   /* or NULL */
    const char *request;  /* what asked for it, kept in the log; or NULL */
    const char *once;     /* idempotency key, or NULL */
    bool dry_run;
};

struct landscape_changed {
    uint64_t version;
    struct change change;
    bool repeated; /* the answer of an earlier change with the same idempotency key */
};

/* Fails as `make` does, or with STALE (if_match), BUSY (too many wait), FULL (no room on the
 * disk), STORAGE; then nothing has changed. */
bool landscape_change(struct landscape *landscape, const struct landscape_change *change,
                      struct landscape_changed *changed, struct fault *why);

/* "*", or a comma-separated list of quoted versions, weak ones never matching. */
bool etag_matches(const char *header, const char *etag, bool weak_counts);

/* Numbers for /metrics and /v1/info. */
struct landscapes_numbers {
    int64_t count, memory_bytes, commits, changes, write_backs, store_bytes;
    double flush_seconds;
};
void landscapes_numbers(struct landscapes *landscapes, struct landscapes_numbers *numbers);

#endif

/* The inside of the live landscapes, for the files that share it: landscape.c finds them,
 * landscape_make.c makes and deletes them, landscape_change.c changes one, landscape_feed.c
 * remembers its last changes, landscape_work.c works in the background.
 *
 * Locks, taken in this order: a landscape's turn (its ledger, and the right to publish), then
 * `lock` of all (the table and every member said to be under it), then a landscape's `seen` (its
 * view pointers and its feed). A landscape's queue_lock stands alone.
 */
#ifndef TERRAIN_LANDSCAPE_INSIDE_H
#define TERRAIN_LANDSCAPE_INSIDE_H

#include <pthread.h>

#include "terrain/history.h"
#include "terrain/landscape.h"
#include "terrain/landscape_feed.h"
#include "terrain/store/store.h"

enum {
    KEPT_VERSIONS = 64,    /* older versions that a read may still name, */
    KEPT_BYTES = 16 << 20, /* as long as they hold no more than this */
    GROUP_CHANGES = 256,   /* one commit takes at most so many changes */
    GROUP_BYTES = 8 << 20, /* and about so many bytes of differences */
    ONCE_MOST = 255,       /* bytes of an idempotency key */
    PAST_VERSIONS = 4,     /* versions made again from the log that are kept, */
    PAST_BYTES = 64 << 20, /* as long as each holds no more of its own */
};

struct kept {
    struct view *view;
    int64_t bytes; /* of what the next version replaced */
};

/* What a change is in the history. */
struct landscape_step {
    enum history_kind kind;
    uint64_t of;
};

/* The last changes: a ring of records, a version each without a gap up to `newest`. */
struct feed {
    struct landscape_record *ring;
    int32_t room, first, count;
    uint64_t newest;
    bool recalled; /* the log knows no more */
    bool ended;    /* deleted */
    struct watch *watches;
};

struct waiting;
struct group;

struct landscape {
    struct landscapes *all;
    char id[65];
    uint64_t incarnation;
    int64_t vertices;
    char *request;

    /* under all->lock */
    int32_t holders;   /* the table's one included */
    int32_t watchers;  /* those among them that do not need it in memory */
    bool creating;     /* not yet to be found */
    bool here;         /* in memory */
    bool visited;      /* the background has loaded it, or has tried to */
    uint64_t used;     /* when it was last asked for, counted in requests */
    int64_t bytes;     /* in memory, as last summed */
    int64_t grown;     /* bytes that may have come since */
    bool hurry;        /* what a load would replay has grown long */
    double changed_at; /* seconds, monotonic */
    double retry_at;   /* after a failure, not before this */
    double scrub_at;
    bool unsaved; /* blocks or engine's log are to be written */
    bool doubtful;
    bool open; /* has its ledger open: two descriptors, and memory of the engine */

    /* under the turn */
    pthread_mutex_t turn;
    struct ledger *ledger;
    bool gone; /* deleted */
    int64_t scrub_place;
    struct history *history; /* there with the view */
    struct group *group;     /* the changes being made, or NULL */

    pthread_mutex_t seen;
    struct view *view;
    struct kept kept[KEPT_VERSIONS]; /* a ring, oldest at kept_first */
    int32_t kept_first, kept_count;
    int64_t kept_bytes;
    struct kept past[PAST_VERSIONS]; /* the one asked for last first */
    struct feed feed;

    pthread_mutex_t queue_lock;
    struct waiting *first, *last;
    int32_t queued;
    bool led; /* somebody is committing for all that wait */
};

struct landscapes {
    struct store *store;
    struct landscapes_limits limits;
    pthread_mutex_t lock;
    pthread_cond_t made;      /* a creation has ended */
    struct landscape **table; /* in byte order of ids */
    size_t count, room;
    uint64_t clock;
    int64_t memory;
    size_t next_work; /* where the background looks first */
    bool troubled;
    char trouble_id[65];
    struct fault trouble;
    struct landscapes_numbers numbers;
    double weighed_at; /* when numbers.store_bytes was counted; 0 is to be counted again */
};

double landscapes_now(void); /* seconds, monotonic */

/* Into the table, which fails with CONFLICT, and out of it. Under all->lock. */
bool landscapes_add(struct landscapes *all, struct landscape *landscape, struct fault *why);
void landscapes_remove(struct landscapes *all, const struct landscape *landscape);

/* Held, or NULL with MISSING; in memory or not. One that is being made is waited for, or is NULL
 * without a fault. */
struct landscape *landscapes_look_up(struct landscapes *all, const char *id, bool wait,
                                     struct fault *why);

/* One holder; NULL when memory is out. */
struct landscape *landscape_new(struct landscapes *all, const char *id, uint64_t incarnation,
                                int64_t vertices, const char *request);
void landscape_free(struct landscape *landscape);

/* Room for that many bytes more, by letting go of landscapes that nobody holds. Fails with FULL. */
bool landscapes_room(struct landscapes *all, int64_t bytes, struct fault *why);
/* What had been expected to be taken becomes what is, summed again; or nothing. */
void landscape_account(struct landscape *landscape, int64_t expected, bool here);

/* Loads it if it is not here; landscape_ready opens its ledger for changes, too. Under its turn. */
bool landscape_load(struct landscape *landscape, struct fault *why);
bool landscape_ready(struct landscape *landscape, struct fault *why);

/* Closes its ledger, which the next change opens again. Under its turn. */
void landscape_rest(struct landscape *landscape);

/* How a version came to be. */
struct landscape_came {
    const struct change *change;
    enum history_kind kind;
    const char *author; /* or NULL */
};

/* A published version that is in memory, held, or NULL. _after: the first of those not before a
 * version, which is the newest if no other. _known: those of the group under way, too; under its
 * turn. */
struct view *landscape_kept(struct landscape *landscape, uint64_t version);
struct view *landscape_kept_after(struct landscape *landscape, uint64_t version);
struct view *landscape_known(struct landscape *landscape, uint64_t version);
/* A version that has left memory, made again. Without its turn. */
struct view *landscape_past(struct landscape *landscape, uint64_t version, struct fault *why);

/* The history as the ledger has it. Under its turn. */
bool landscape_recall(struct landscape *landscape, struct fault *why);

/* Makes a version the newest: takes the view. came: NULL when nobody knows. Under its turn. */
void landscape_publish(struct landscape *landscape, struct view **view,
                       const struct landscape_came *came);

/* The feed, under `seen`: it begins at a version (and forgets unless it ends there); one more, the
 * view's; and without followers it gives its memory back. */
void feed_begin(struct landscape *landscape, uint64_t version);
void feed_add(struct landscape *landscape, const struct landscape_came *came);
void feed_empty(struct landscape *landscape);
/* Tells those that follow that it is deleted. */
void feed_end(struct landscape *landscape);

/* After a failure of the store: what is durable becomes what is published. Under its turn. */
bool landscape_settle(struct landscape *landscape, struct fault *why);

/* Tells the background, under its turn, how the ledger stands. */
void landscape_note(struct landscape *landscape, bool changed);

#endif

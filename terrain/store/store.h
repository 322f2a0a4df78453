/* The store: what is true on disk. One engine a file; SQLite is the first.
 *
 * A folder has a catalogue of landscapes and one ledger a landscape: the log of its
 * edits as differences, and whole blocks with the version that they are good for. What a
 * ledger_commit returned true for survives kill -9 and power loss. A ledger is for one
 * thread at a time; different ledgers do not disturb each other. The store is for any thread.
 */
#ifndef TERRAIN_STORE_STORE_H
#define TERRAIN_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/edit/draft.h"

struct store;
struct ledger;

/* Creates the folder (0700) when it is missing, and removes what an interrupted creation
 * or deletion left. Fails with CONFLICT, naming the holder's process, when another process
 * has it, and with STORAGE on a network filesystem. */
bool store_open(const char *folder, struct store **store, struct fault *why);
/* Ledgers are closed first. */
void store_close(struct store *store);

struct store_entry {
    char id[65];
    uint64_t incarnation; /* random, so that no other landscape ever has it */
    int64_t vertices;
    const char *request; /* what created it; lent for the call in store_each */
};
/* Every landscape of the catalogue, in byte order of ids; false stops it. */
bool store_each(struct store *store, bool (*visit)(void *context, const struct store_entry *entry),
                void *context, struct fault *why);

/* A landscape's file is made, filled in bounded slices and flushed before the catalogue names it,
 * so that it is there whole or not at all. The view (version 1) is given its incarnation here.
 * Fails with CONFLICT when the id is taken, FULL or STORAGE. Blocks are packed through the
 * executor. */
bool store_create(struct store *store, const char *id, struct view *content, const char *request,
                  const struct executor *executor, struct ledger **ledger, struct fault *why);
/* Takes the name away first, then the files; an open ledger is closed afterwards. Fails with
 * MISSING when that incarnation is not there. */
bool store_delete(struct store *store, const char *id, uint64_t incarnation, struct fault *why);

/* Keeps, where there is room, the reserve that lets deletions work on a full disk. */
void store_keep_reserve(struct store *store);

int64_t store_bytes(const struct store *store); /* on disk, of all landscapes */

bool ledger_open(struct store *store, uint64_t incarnation, struct ledger **ledger,
                 struct fault *why);
void ledger_close(struct ledger *ledger);

/* The version that its owner knows as the newest. Where the file has come to another one, by a
 * commit that was refused but had reached the disk, the ledger is doubtful. */
void ledger_expect(struct ledger *ledger, uint64_t newest);

/* The newest durable version: blocks, then the edits after them. Fails with STORAGE,
 * naming block or edit, where a checksum is wrong. */
struct view *ledger_load(struct ledger *ledger, struct fault *why);

/* One edit on its way into the log. Where before and after are one view nothing differs, and only
 * the answer to `once` is kept. */
struct ledger_edit {
    const struct view *before, *after;
    const struct change *change;
    const char *author, *request, *once; /* each may be NULL */
    int kind; /* enum history_kind (terrain/history.h), and of which version */
    uint64_t of;
};

/* All of them in one transaction with one flush, or none. On an I/O error the ledger is closed,
 * opened again, its log emptied into the file and its last version read before this returns, so
 * that the answer is the truth. Fails with FULL or STORAGE; then see ledger_doubtful. */
bool ledger_commit(struct ledger *ledger, const struct ledger_edit *edits, size_t count,
                   struct fault *why);

/* Whether a failure has left open what is on disk. Until ledger_recover has succeeded, commits and
 * write-backs are refused. */
bool ledger_doubtful(const struct ledger *ledger);

/* Finds out: gives the newest durable version, which is `known`, held, or one after it (an
 * edit whose failure had been answered, but which is on disk). Fails with STORAGE or FULL. */
struct view *ledger_recover(struct ledger *ledger, const struct view *known, struct fault *why);

/* What an idempotency key was answered, if that is still kept. */
struct ledger_answer {
    uint64_t version;
    struct change change;
    bool same_request; /* the request was this one, as far as a checksum tells */
};
bool ledger_once(struct ledger *ledger, const char *once, const char *request, bool *found,
                 struct ledger_answer *answer, struct fault *why);

/* Writes back blocks that are newer on the view than in the ledger, at most a slice; *more tells
 * whether any are left. The pass that a call begins is finished by the next ones at the view that
 * it began with; then the log is trimmed to history_bytes. When nothing is left and `idle`, or the
 * engine's own log is long, it is emptied. */
bool ledger_write_back(struct ledger *ledger, const struct view *view, bool idle,
                       int64_t history_bytes, bool *more, struct fault *why);

/* The log after the blocks: what a load would have to replay. Long when that, or the engine's own
 * log, has grown so that a write-back should not wait for an idle moment. */
void ledger_behind(const struct ledger *ledger, uint64_t *edits, int64_t *bytes);
bool ledger_long(const struct ledger *ledger);

/* History. Edits of the versions after the horizon are in the log. */
uint64_t ledger_horizon(const struct ledger *ledger);
/* Bytes of the log, and how many snapshots hold on to it. */
void ledger_weight(const struct ledger *ledger, int64_t *bytes, int64_t *snapshots);

/* One edit as the log has it; texts are lent for the call. */
struct ledger_row {
    uint64_t version, of;
    int kind;
    struct rect dirty;
    unsigned what;
    const char *author; /* or NULL */
    /* of ledger_versions alone */
    int64_t vertices, at, bytes; /* at: milliseconds since 1970 */
    const char *request;         /* its beginning, or NULL */
};
typedef bool ledger_visit(void *context, const struct ledger_row *row, struct fault *why);
/* Every edit of the log, oldest first; at most `most` before a version, newest first, with up to so
 * many letters of their requests. False, with a fault, stops it. */
bool ledger_rows(struct ledger *ledger, ledger_visit *visit, void *context, struct fault *why);
bool ledger_versions(struct ledger *ledger, uint64_t before, int32_t most, int32_t letters,
                     ledger_visit *visit, void *context, struct fault *why);

/* The differences that made a version after the horizon, appended; its settings are those before
 * unless *settings is set. Fails with GONE, and STORAGE. */
bool ledger_difference(struct ledger *ledger, uint64_t version, struct bytes *to, bool *settings,
                       struct fault *why);
/* The settings that hold at a version not before the horizon, and the version that made them. NULL
 * with STORAGE or MEMORY. */
struct settings *ledger_settings(struct ledger *ledger, uint64_t version, uint64_t *made,
                                 struct fault *why);

/* Snapshots: names of versions, for which the log is kept. Each call that changes any returns when
 * that is on disk. put fails with CONFLICT when the name is taken, LIMIT when there are `most`,
 * GONE when the log does not go back so far; find and drop fail with MISSING. */
struct ledger_snapshot {
    const char *name;
    uint64_t version;
    int64_t at;                 /* milliseconds since 1970 */
    const char *author, *title; /* or NULL */
};
typedef bool ledger_snapshot_visit(void *context, const struct ledger_snapshot *snapshot);
bool ledger_snapshot_put(struct ledger *ledger, const struct ledger_snapshot *snapshot,
                         int64_t most, struct fault *why);
bool ledger_snapshot_find(struct ledger *ledger, const char *name, ledger_snapshot_visit *visit,
                          void *context, struct fault *why);
/* In byte order of names; false stops it. */
bool ledger_snapshots(struct ledger *ledger, ledger_snapshot_visit *visit, void *context,
                      struct fault *why);
bool ledger_snapshot_drop(struct ledger *ledger, const char *name, struct fault *why);

/* Checks the checksums of a slice of the file, from *place (0 begins) on; *place is 0 again when
 * all has been checked. Fails with STORAGE, naming the first bad one. */
bool ledger_scrub(struct ledger *ledger, int64_t *place, struct fault *why);

#endif

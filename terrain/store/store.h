/* The store: what is true on disk. One engine a file; SQLite is the first.
 *
 * A folder has a catalogue of landscapes and one ledger a landscape: the log of its
 * edits as differences, and whole blocks with the version that they are good for. What a
 * ledger_commit returned true for survives kill -9 and power loss. A ledger is for one
 * thread at a time; different ledgers do not disturb each other.
 */
#ifndef TERRAIN_STORE_STORE_H
#define TERRAIN_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/edit/draft.h"

struct store;
struct ledger;

/* Creates the folder (0700) when it is missing. Fails with CONFLICT, naming the holder's
 * process, when another process has it. */
bool store_open(const char *folder, struct store **store, struct fault *why);
void store_close(struct store *store);

struct store_entry {
    char id[65];
    uint64_t incarnation;
    char *request; /* what created it */
};
/* Every landscape of the catalogue, in byte order of ids; false stops it. */
bool store_each(struct store *store, bool (*visit)(void *context, const struct store_entry *entry),
                void *context, struct fault *why);

/* A landscape's file is made, filled and synced before the catalogue names it. Gives the view its
 * incarnation. Deleting takes the name away first. */
bool store_create(struct store *store, const char *id, struct view *content, const char *request,
                  struct ledger **ledger, struct fault *why);
bool store_delete(struct store *store, const char *id, uint64_t incarnation, struct fault *why);

bool ledger_open(struct store *store, const struct store_entry *entry, struct ledger **ledger,
                 struct fault *why);
void ledger_close(struct ledger *ledger);

/* The newest durable version: blocks, then the edits after them. Fails with STORAGE,
 * naming block or edit, where a checksum is wrong. */
struct view *ledger_load(struct ledger *ledger, struct fault *why);

/* One edit on its way into the log. */
struct ledger_edit {
    const struct view *before, *after;
    const struct change *change;
    const char *author, *request, *once; /* each may be NULL */
};

/* All of them in one transaction with one flush, or none. On an I/O error the ledger is closed,
 * opened again and its last version read before this returns, so that the answer is the truth. Fails
 * with FULL or STORAGE. */
bool ledger_commit(struct ledger *ledger, const struct ledger_edit *edits, size_t count,
                   struct fault *why);

/* The version and change that an idempotency key made, if the log still has it. */
bool ledger_once(struct ledger *ledger, const char *once, bool *found, uint64_t *version,
                 struct change *change, struct fault *why);

/* Writes back blocks of the view that are newer on it than in the ledger, at most a slice; *more
 * tells whether any are left. Then a checkpoint when `idle`, and the log is trimmed to the limit. */
bool ledger_write_back(struct ledger *ledger, const struct view *view, bool idle,
                       int64_t history_bytes, bool *more, struct fault *why);

/* Checks every checksum in the file. Fails with STORAGE, naming the first bad one. */
bool ledger_scrub(struct ledger *ledger, struct fault *why);

int64_t ledger_bytes(const struct ledger *ledger); /* on disk */

#endif

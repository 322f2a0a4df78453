/* The data folder: taken for one process, kept private, its entries flushed.
 *
 * DIR/lock         held with flock; its text is the holder's process id
 * DIR/reserve      room kept for deletions when the disk is full
 * DIR/catalogue.db the landscapes by id
 * DIR/landscapes/  one ledger a landscape, named by its incarnation in hexadecimal
 * DIR/rasters/     uploaded pictures by name, the gallery's (gallery.h)
 *
 * Private to the store. Any thread.
 */
#ifndef TERRAIN_STORE_FOLDER_H
#define TERRAIN_STORE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"

enum { FOLDER_PATH = PATH_MAX + 64 };

struct folder {
    int root, landscapes, lock; /* descriptors; -1 when closed */
    char path[PATH_MAX];        /* absolute, without links */
};

/* Makes what is missing (0700). Fails with CONFLICT, naming the process, when another one has
 * it, and with STORAGE on a network filesystem: their locks and flushes promise too little. */
bool folder_open(const char *path, struct folder *folder, struct fault *why);
void folder_close(struct folder *folder);

void folder_catalogue(const struct folder *folder, char path[FOLDER_PATH]);
void folder_ledger(const struct folder *folder, uint64_t incarnation, char path[FOLDER_PATH]);

/* An empty file of mode 0600 under that name, flushed with its folder; one that is there stays. */
bool folder_make_catalogue(const struct folder *folder, struct fault *why);
/* Fails with CONFLICT when the incarnation has a file. */
bool folder_make_ledger(const struct folder *folder, uint64_t incarnation, struct fault *why);

/* Removes a ledger with its log; one that is not there is no failure. */
bool folder_remove_ledger(const struct folder *folder, uint64_t incarnation, struct fault *why);

/* Calls visit with the incarnation of every ledger file, its log included (maybe twice). */
bool folder_each_ledger(const struct folder *folder,
                        bool (*visit)(void *context, uint64_t incarnation, struct fault *why),
                        void *context, struct fault *why);

/* Bytes on disk of all ledgers and their logs. */
int64_t folder_bytes(const struct folder *folder);

/* The reserve: kept when there is room, let go when a deletion needs it. */
void folder_keep_reserve(const struct folder *folder);
void folder_spend_reserve(const struct folder *folder);

#endif

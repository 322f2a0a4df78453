/* One SQLite file, opened the one way that keeps what it has acknowledged.
 *
 * Private to the store. One thread at a time, checkpoints included: the engine's race of two
 * connections that checkpoint at once cannot meet a file that has one. After a failure
 * that leaves open what reached the disk, `doubtful` is set: the file must be closed and
 * opened again before anything is promised again.
 */
#ifndef TERRAIN_STORE_DATABASE_H
#define TERRAIN_STORE_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct sqlite3;
struct sqlite3_stmt;

enum { DATABASE_STATEMENTS_MOST = 64 };

enum database_mode {
    DATABASE_FILL,  /* a file that nobody knows yet: no log, each commit flushed */
    DATABASE_SERVE, /* write-ahead log, each commit flushed */
};

struct database {
    struct sqlite3 *handle;
    const char *const *texts; /* SQL of the statements, by number */
    struct sqlite3_stmt *statements[DATABASE_STATEMENTS_MOST];
    int log_pages; /* in the write-ahead log */
    bool doubtful;
    bool unsettled; /* the log could not be emptied for lack of room: only to be read */
};

enum { DATABASE_PAGE = 16384 };

/* The file must exist (empty at first): its mode is the creator's business. A log that is there is
 * secured and emptied into the file, so that what can be read is on the disk; where there is no
 * room for that the file is unsettled. Fails with STORAGE also when a setting did not take. */
bool database_open(struct database *database, const char *path, enum database_mode mode,
                   const char *const *texts, struct fault *why);
void database_close(struct database *database);

/* Runs SQL without parameters or answers. */
bool database_run(struct database *database, const char *sql, struct fault *why);
bool database_begin(struct database *database, struct fault *why);
/* Commits, or undoes all since _begin and returns false: when `worked` is false, too. */
bool database_end(struct database *database, bool worked, struct fault *why);

/* The statement of that number, ready for binding; NULL when it cannot be had. */
struct sqlite3_stmt *database_ask(struct database *database, int number, struct fault *why);
/* One row: 1 when there is one, 0 when there is none (any more), -1 on failure. */
int database_step(struct database *database, struct sqlite3_stmt *statement, struct fault *why);
/* Runs a bound statement that answers nothing. */
bool database_do(struct database *database, struct sqlite3_stmt *statement, struct fault *why);
/* Rows that the last of them changed. */
int64_t database_changes(const struct database *database);

/* Empties the log into the file and makes it no bytes long, which settles it. */
bool database_checkpoint(struct database *database, struct fault *why);

/* Gives back the memory of pages that are only kept in case. */
void database_relax(struct database *database);

/* Sets the fault from the engine's last error; returns false. */
bool database_fault(struct database *database, struct fault *why);

#endif

#include "terrain/store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool database_fault(struct database *database, struct fault *why)
{
    int code = sqlite3_extended_errcode(database->handle) & 0xff;
    int system = sqlite3_system_errno(database->handle);
    const char *said = sqlite3_errmsg(database->handle);

    switch (code) {
    case SQLITE_FULL:
        return fault_set(why, FAULT_FULL, "the disk has no room left");
    case SQLITE_NOMEM:
        return fault_set(why, FAULT_MEMORY, "no memory for the store");
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_MISUSE:
    case SQLITE_ERROR:
        return fault_set(why, FAULT_STORAGE, "the store refused: %s", said);
    }
    database->doubtful = true;
    if (code == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT))
        return fault_set(why, FAULT_FULL, "the disk has no room left");
    if (system)
        return fault_set(why, FAULT_STORAGE, "the store failed: %s (%s)", said, strerror(system));
    return fault_set(why, FAULT_STORAGE, "the store failed: %s", said);
}

static int count_log(void *context, struct sqlite3 *handle, const char *name, int pages)
{
    struct database *database = context;

    (void)handle;
    (void)name;
    database->log_pages = pages;
    return SQLITE_OK;
}

/* A setting, and what it must read back as. Some take silently no effect. */
struct setting {
    const char *set, *read, *expect;
};

/* EXCLUSIVE comes before the first touch of the log: then no shared memory file is made. */
static const struct setting common[] = {
    { "PRAGMA locking_mode=EXCLUSIVE", "PRAGMA locking_mode", "exclusive" },
    { "PRAGMA page_size=16384", "PRAGMA page_size", "16384" },
    { "PRAGMA mmap_size=0", NULL, NULL },
    { "PRAGMA trusted_schema=OFF", "PRAGMA trusted_schema", "0" },
    { "PRAGMA cell_size_check=ON", "PRAGMA cell_size_check", "1" },
    { "PRAGMA foreign_keys=ON", "PRAGMA foreign_keys", "1" },
    { "PRAGMA temp_store=MEMORY", "PRAGMA temp_store", "2" },
    { "PRAGMA cache_size=-2048", "PRAGMA cache_size", "-2048" },
    { NULL, NULL, NULL },
};
static const struct setting filling[] = {
    { "PRAGMA journal_mode=OFF", "PRAGMA journal_mode", "off" },
    { "PRAGMA synchronous=FULL", "PRAGMA synchronous", "2" },
    { NULL, NULL, NULL },
};
static const struct setting serving[] = {
    { "PRAGMA journal_mode=WAL", "PRAGMA journal_mode", "wal" },
    { "PRAGMA synchronous=FULL", "PRAGMA synchronous", "2" },
    { "PRAGMA wal_autocheckpoint=0", "PRAGMA wal_autocheckpoint", "0" },
    { NULL, NULL, NULL },
};

static bool read_back(struct database *database, const struct setting *setting, struct fault *why)
{
    sqlite3_stmt *statement = NULL;
    const char *got = NULL;
    bool same;

    if (sqlite3_prepare_v2(database->handle, setting->read, -1, &statement, NULL) != SQLITE_OK)
        return database_fault(database, why);
    if (sqlite3_step(statement) == SQLITE_ROW)
        got = (const char *)sqlite3_column_text(statement, 0);
    same = got && strcmp(got, setting->expect) == 0;
    if (!same)
        fault_set(why, FAULT_STORAGE, "the store's setting \"%s\" reads back as %s, not %s",
                  setting->read, got ? got : "nothing", setting->expect);
    sqlite3_finalize(statement);
    return same;
}

static bool apply(struct database *database, const struct setting *settings, struct fault *why)
{
    for (; settings->set; settings++)
        if (!database_run(database, settings->set, why) ||
            (settings->read && !read_back(database, settings, why)))
            return false;
    return true;
}

/* A flush that failed, in this process or one before, may have left a log that can be read but is
 * not on the disk: the kernel takes its pages for written. To go on behind such pages, or to empty
 * them into the file, would break it when power goes. So the log is written again, over itself. */
static bool rewrite_log(const char *path, bool *any, struct fault *why)
{
    enum { PIECE = 1 << 20 };
    char log[4096 + 80];
    unsigned char *piece;
    ssize_t got = 0;
    off_t at = 0;
    int file;
    bool done;

    snprintf(log, sizeof log, "%s-wal", path);
    file = open(log, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return errno == ENOENT || fault_errno(why, FAULT_STORAGE, "opening the log of the store");
    piece = malloc(PIECE);
    done = piece != NULL;
    while (done && (got = pread(file, piece, PIECE, at)) > 0) {
        done = pwrite(file, piece, (size_t)got, at) == got;
        at += got;
    }
    *any = at > 0;
    done = done && got == 0 && (!*any || fdatasync(file) == 0);
    if (!done)
        fault_errno(why, FAULT_STORAGE, "securing the log of the store");
    free(piece);
    close(file);
    return done;
}

/* On a full disk the log stays, and what it holds can be read. */
static bool empty_log(struct database *database, struct fault *why)
{
    struct fault full = { 0 };

    if (database_checkpoint(database, &full))
        return true;
    *why = full;
    database->unsettled = full.code == FAULT_FULL && !database->doubtful;
    return database->unsettled;
}

bool database_open(struct database *database, const char *path, enum database_mode mode,
                   const char *const *texts, struct fault *why)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
    bool logged = false;

    memset(database, 0, sizeof *database);
    database->texts = texts;
    if (mode == DATABASE_SERVE && !rewrite_log(path, &logged, why))
        return false;
    if (sqlite3_open_v2(path, &database->handle, flags, NULL) != SQLITE_OK) {
        database_fault(database, why);
        database_close(database);
        return false;
    }
    sqlite3_extended_result_codes(database->handle, 1);
    /* Closing after a failure must not write; whoever closes in good order has emptied the log. */
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (!apply(database, common, why) ||
        !apply(database, mode == DATABASE_FILL ? filling : serving, why) ||
        (logged && !empty_log(database, why))) {
        database_close(database);
        return false;
    }
    /* Behind wal_autocheckpoint, which is a hook itself and would take this one's place. */
    sqlite3_wal_hook(database->handle, count_log, database);
    return true;
}

void database_close(struct database *database)
{
    for (int i = 0; i < DATABASE_STATEMENTS_MOST; i++)
        sqlite3_finalize(database->statements[i]);
    sqlite3_close(database->handle);
    memset(database, 0, sizeof *database);
}

bool database_run(struct database *database, const char *sql, struct fault *why)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return database_fault(database, why);
    return true;
}

bool database_begin(struct database *database, struct fault *why)
{
    return database_run(database, "BEGIN", why);
}

bool database_end(struct database *database, bool worked, struct fault *why)
{
    if (worked && database_run(database, "COMMIT", why))
        return true;
    if (!sqlite3_get_autocommit(database->handle))
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

struct sqlite3_stmt *database_ask(struct database *database, int number, struct fault *why)
{
    struct sqlite3_stmt **statement = &database->statements[number];

    if (*statement) {
        sqlite3_reset(*statement);
        sqlite3_clear_bindings(*statement);
    } else if (sqlite3_prepare_v3(database->handle, database->texts[number], -1,
                                  SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK) {
        database_fault(database, why);
    }
    return *statement;
}

int database_step(struct database *database, struct sqlite3_stmt *statement, struct fault *why)
{
    int code = sqlite3_step(statement);

    if (code == SQLITE_ROW)
        return 1;
    if (code != SQLITE_DONE)
        database_fault(database, why);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : -1;
}

bool database_do(struct database *database, struct sqlite3_stmt *statement, struct fault *why)
{
    return database_step(database, statement, why) == 0;
}

bool database_checkpoint(struct database *database, struct fault *why)
{
    int code =
        sqlite3_wal_checkpoint_v2(database->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

    if (code != SQLITE_OK)
        return database_fault(database, why);
    database->log_pages = 0;
    database->unsettled = false;
    return true;
}

void database_relax(struct database *database)
{
    sqlite3_db_release_memory(database->handle);
}

int64_t database_changes(const struct database *database)
{
    return sqlite3_changes64(database->handle);
}

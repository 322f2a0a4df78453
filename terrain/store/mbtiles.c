#include "terrain/store/mbtiles.h"

#include <sqlite3.h>
#include <stdlib.h>

struct mbtiles {
    sqlite3 *handle;
    sqlite3_stmt *add, *say;
};

static bool failed(struct mbtiles *mbtiles, struct fault *why)
{
    int code = sqlite3_errcode(mbtiles->handle);

    return fault_set(why,
                     code == SQLITE_FULL    ? FAULT_FULL
                     : code == SQLITE_NOMEM ? FAULT_MEMORY
                                            : FAULT_STORAGE,
                     "writing MBTiles: %s", sqlite3_errmsg(mbtiles->handle));
}

static bool ask(struct mbtiles *mbtiles, const char *sql, struct fault *why)
{
    return sqlite3_exec(mbtiles->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           failed(mbtiles, why);
}

/* 0x4d504258 is the number by which file(1) and GDAL know MBTiles among SQLite files. The index
 * comes last: it is made faster of all rows at once. */
bool mbtiles_begin(const char *path, struct mbtiles **made, struct fault *why)
{
    struct mbtiles *mbtiles = calloc(1, sizeof *mbtiles);

    if (!mbtiles)
        return fault_set(why, FAULT_MEMORY, "no memory for MBTiles");
    if (sqlite3_open_v2(path, &mbtiles->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                            SQLITE_OPEN_EXRESCODE,
                        NULL) != SQLITE_OK) {
        failed(mbtiles, why);
        mbtiles_drop(mbtiles);
        return false;
    }
    if (!ask(mbtiles,
             "PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL; "
             "PRAGMA locking_mode=EXCLUSIVE; PRAGMA application_id=1297105496; BEGIN; "
             "CREATE TABLE metadata (name text, value text); "
             "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, "
             "tile_data blob)",
             why) ||
        (sqlite3_prepare_v2(mbtiles->handle, "INSERT INTO tiles VALUES (?,?,?,?)", -1,
                            &mbtiles->add, NULL) != SQLITE_OK &&
         !failed(mbtiles, why)) ||
        (sqlite3_prepare_v2(mbtiles->handle, "INSERT INTO metadata VALUES (?,?)", -1, &mbtiles->say,
                            NULL) != SQLITE_OK &&
         !failed(mbtiles, why))) {
        mbtiles_drop(mbtiles);
        return false;
    }
    *made = mbtiles;
    return true;
}

static bool run(struct mbtiles *mbtiles, sqlite3_stmt *statement, struct fault *why)
{
    int code = sqlite3_step(statement);
    bool done = code == SQLITE_DONE || failed(mbtiles, why);

    sqlite3_reset(statement);
    return done;
}

bool mbtiles_say(struct mbtiles *mbtiles, const char *name, const char *value, struct fault *why)
{
    sqlite3_bind_text(mbtiles->say, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(mbtiles->say, 2, value, -1, SQLITE_STATIC);
    return run(mbtiles, mbtiles->say, why);
}

bool mbtiles_add(struct mbtiles *mbtiles, int32_t z, int32_t x, int32_t y, const void *data,
                 size_t length, struct fault *why)
{
    sqlite3_bind_int(mbtiles->add, 1, z);
    sqlite3_bind_int(mbtiles->add, 2, x);
    sqlite3_bind_int(mbtiles->add, 3, (int)((INT64_C(1) << z) - 1 - y));
    sqlite3_bind_blob64(mbtiles->add, 4, data, length, SQLITE_STATIC);
    return run(mbtiles, mbtiles->add, why);
}

bool mbtiles_end(struct mbtiles *mbtiles, struct fault *why)
{
    bool done = ask(mbtiles,
                    "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row); "
                    "CREATE UNIQUE INDEX name ON metadata (name); COMMIT",
                    why);

    mbtiles_drop(mbtiles);
    return done;
}

void mbtiles_drop(struct mbtiles *mbtiles)
{
    if (!mbtiles)
        return;
    sqlite3_finalize(mbtiles->add);
    sqlite3_finalize(mbtiles->say);
    sqlite3_close(mbtiles->handle);
    free(mbtiles);
}

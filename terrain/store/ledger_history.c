/* The log as history: its rows, its differences one by one, and the snapshots that hold it. */
#include "terrain/store/ledger.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "terrain/base/field.h"
#include "terrain/store/checksum.h"

bool ledger_read_horizon(struct ledger *ledger, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_FIRST, why);
    int got = ask ? database_step(&ledger->database, ask, why) : -1;

    ledger->horizon = ledger->last;
    ledger->forgotten = ledger->through;
    if (got == 1) {
        ledger->horizon = (uint64_t)sqlite3_column_int64(ask, 0) - 1;
        ledger->forgotten = sqlite3_column_int64(ask, 1);
        sqlite3_reset(ask);
    }
    ask = got < 0 ? NULL : database_ask(&ledger->database, ASK_PINNED, why);
    got = ask ? database_step(&ledger->database, ask, why) : -1;
    if (got == 1) {
        ledger->snapshots = sqlite3_column_int64(ask, 1);
        ledger->pinned = ledger->snapshots ? (uint64_t)sqlite3_column_int64(ask, 0) : UINT64_MAX;
        sqlite3_reset(ask);
    }
    return got >= 0;
}

uint64_t ledger_horizon(const struct ledger *ledger)
{
    return ledger->horizon;
}

void ledger_weight(const struct ledger *ledger, int64_t *bytes, int64_t *snapshots)
{
    *bytes = ledger->through - ledger->forgotten;
    *snapshots = ledger->snapshots;
}

/* A statement, unless the ledger's state is open. */
static struct sqlite3_stmt *ask_sound(struct ledger *ledger, enum statement which,
                                      struct fault *why)
{
    if (!ledger->doubtful)
        return database_ask(&ledger->database, which, why);
    fault_set(why, FAULT_STORAGE, "the store has failed and has not recovered yet");
    return NULL;
}

/* Rows */

static struct ledger_row read_row(struct sqlite3_stmt *ask)
{
    return (struct ledger_row){
        .version = (uint64_t)sqlite3_column_int64(ask, 0),
        .kind = sqlite3_column_int(ask, 1),
        .of = (uint64_t)sqlite3_column_int64(ask, 2),
        .dirty = { sqlite3_column_int(ask, 3), sqlite3_column_int(ask, 4),
                   sqlite3_column_int(ask, 5), sqlite3_column_int(ask, 6) },
        .what = (unsigned)sqlite3_column_int(ask, 7),
        .author = (const char *)sqlite3_column_text(ask, 8),
    };
}

bool ledger_rows(struct ledger *ledger, ledger_visit *visit, void *context, struct fault *why)
{
    struct sqlite3_stmt *ask = ask_sound(ledger, ASK_ROWS, why);
    bool done = ask != NULL;
    int got = 0;

    while (done && (got = database_step(&ledger->database, ask, why)) == 1) {
        struct ledger_row row = read_row(ask);

        done = visit(context, &row, why);
    }
    if (ask)
        sqlite3_reset(ask);
    return (done && got == 0) || ledger_failed(ledger);
}

bool ledger_versions(struct ledger *ledger, uint64_t before, int32_t most, int32_t letters,
                     ledger_visit *visit, void *context, struct fault *why)
{
    struct sqlite3_stmt *ask = ask_sound(ledger, ASK_VERSIONS, why);
    bool done = ask != NULL;
    int got = 0;

    if (ask) {
        sqlite3_bind_int64(ask, 1, before > INT64_MAX ? INT64_MAX : (int64_t)before);
        sqlite3_bind_int(ask, 2, most);
        sqlite3_bind_int(ask, 3, letters);
    }
    while (done && (got = database_step(&ledger->database, ask, why)) == 1) {
        struct ledger_row row = read_row(ask);

        row.vertices = sqlite3_column_int64(ask, 9);
        row.at = sqlite3_column_int64(ask, 10);
        row.bytes = sqlite3_column_int64(ask, 11);
        row.request = (const char *)sqlite3_column_text(ask, 12);
        done = visit(context, &row, why);
    }
    if (ask)
        sqlite3_reset(ask);
    return (done && got == 0) || ledger_failed(ledger);
}

/* Differences */

bool ledger_difference(struct ledger *ledger, uint64_t version, struct bytes *to, bool *settings,
                       struct fault *why)
{
    struct sqlite3_stmt *ask = ask_sound(ledger, ASK_EDIT, why);
    struct packer *packer = ask ? store_packer(ledger->store, why) : NULL;
    struct bytes *raw = packer ? packer_bytes(packer, PACKER_RAW) : NULL;
    bool loaded = false;
    int got;

    if (packer) {
        sqlite3_bind_int64(ask, 1, (int64_t)version);
        got = database_step(&ledger->database, ask, why);
        if (got == 0)
            fault_set(why, FAULT_GONE, "the log no longer goes back to version %" PRIu64, version);
        if (got == 1) {
            *settings = sqlite3_column_int(ask, 6);
            loaded = ledger_load_edit(ledger, packer, ask, raw, why) &&
                     bytes_add(to, raw->data, raw->length, why);
            sqlite3_reset(ask);
        }
    }
    store_packer_back(ledger->store, packer);
    return loaded || ledger_failed(ledger);
}

struct settings *ledger_settings(struct ledger *ledger, uint64_t version, uint64_t *made,
                                 struct fault *why)
{
    struct settings *settings = ask_sound(ledger, ASK_SETTINGS, why)
                                    ? ledger_load_settings(ledger, version, made, why)
                                    : NULL;

    if (!settings)
        ledger_failed(ledger);
    return settings;
}

/* Snapshots */

static uint32_t snapshot_sum(const struct ledger_snapshot *snapshot)
{
    const char *texts[] = { snapshot->name, snapshot->author, snapshot->title };
    uint32_t sum = checksum_number(checksum_number(0, snapshot->version), (uint64_t)snapshot->at);

    for (int i = 0; i < 3; i++)
        sum =
            texts[i] ? checksum_add(sum, texts[i], strlen(texts[i]) + 1) : checksum_number(sum, 0);
    return sum;
}

static bool read_snapshot(struct sqlite3_stmt *ask, struct ledger_snapshot *snapshot,
                          struct fault *why)
{
    const char *name = (const char *)sqlite3_column_text(ask, 0);

    *snapshot = (struct ledger_snapshot){ .name = name ? name : "",
                                          .version = (uint64_t)sqlite3_column_int64(ask, 1),
                                          .at = sqlite3_column_int64(ask, 2),
                                          .author = (const char *)sqlite3_column_text(ask, 4),
                                          .title = (const char *)sqlite3_column_text(ask, 5) };
    return snapshot_sum(snapshot) == sqlite3_column_int64(ask, 3) ||
           fault_set(why, FAULT_STORAGE, "the snapshot %.64s has a wrong checksum", snapshot->name);
}

bool ledger_snapshots(struct ledger *ledger, ledger_snapshot_visit *visit, void *context,
                      struct fault *why)
{
    struct sqlite3_stmt *ask = ask_sound(ledger, ASK_SNAPSHOTS, why);
    struct ledger_snapshot snapshot;
    bool sound = ask != NULL, more = true;
    int got = 0;

    while (sound && more && (got = database_step(&ledger->database, ask, why)) == 1) {
        sound = read_snapshot(ask, &snapshot, why);
        more = sound && visit(context, &snapshot);
    }
    if (ask)
        sqlite3_reset(ask);
    return (sound && got >= 0) || ledger_failed(ledger);
}

struct nearest {
    const char *wrong;
    char near[65];
};

static bool keep_nearer(void *context, const struct ledger_snapshot *snapshot)
{
    struct nearest *nearest = context;
    const char *two[] = { nearest->near, snapshot->name };
    const char *near = word_nearest(nearest->wrong, two, 2);

    if (near == snapshot->name)
        snprintf(nearest->near, sizeof nearest->near, "%s", near);
    return true;
}

static void name_nearest(struct ledger *ledger, const char *name, struct fault *why)
{
    struct nearest nearest = { .wrong = name };

    if (!ledger_snapshots(ledger, keep_nearer, &nearest, why))
        return;
    if (nearest.near[0])
        fault_set(why, FAULT_MISSING, "there is no snapshot %s; did you mean %s?", name,
                  nearest.near);
    else
        fault_set(why, FAULT_MISSING, "there is no snapshot %s", name);
}

/* 1 when there is one, 0 with MISSING, -1. */
static int look_up(struct ledger *ledger, const char *name, struct sqlite3_stmt **row,
                   struct fault *why)
{
    struct sqlite3_stmt *ask = ask_sound(ledger, ASK_SNAPSHOT, why);
    int got;

    *row = ask;
    if (!ask)
        return -1;
    sqlite3_bind_text(ask, 1, name, -1, SQLITE_STATIC);
    got = database_step(&ledger->database, ask, why);
    if (got == 0)
        name_nearest(ledger, name, why);
    return got;
}

bool ledger_snapshot_find(struct ledger *ledger, const char *name, ledger_snapshot_visit *visit,
                          void *context, struct fault *why)
{
    struct ledger_snapshot snapshot;
    struct sqlite3_stmt *row;
    int got = look_up(ledger, name, &row, why);
    bool sound = got == 1 && read_snapshot(row, &snapshot, why);

    if (sound)
        visit(context, &snapshot);
    if (got == 1)
        sqlite3_reset(row);
    return sound || ledger_failed(ledger);
}

/* One statement in a transaction of its own, flushed. */
static bool commit_one(struct ledger *ledger, struct sqlite3_stmt *statement, struct fault *why)
{
    bool done = database_begin(&ledger->database, why);

    if (done)
        done = database_end(&ledger->database, database_do(&ledger->database, statement, why), why);
    return (done && ledger_read_horizon(ledger, why)) || ledger_failed(ledger);
}

bool ledger_snapshot_put(struct ledger *ledger, const struct ledger_snapshot *snapshot,
                         int64_t most, struct fault *why)
{
    struct fault missing = { 0 };
    struct sqlite3_stmt *put;
    int got = look_up(ledger, snapshot->name, &put, &missing);

    if (got < 0) {
        *why = missing;
        return ledger_failed(ledger);
    }
    sqlite3_reset(put);
    if (got == 1)
        return fault_set(why, FAULT_CONFLICT, "there is a snapshot %s already", snapshot->name);
    if (ledger->snapshots >= most)
        return fault_set(why, FAULT_LIMIT,
                         "the landscape has %" PRId64 " snapshots, as many as it may; delete one",
                         ledger->snapshots);
    if (snapshot->version < ledger->horizon || snapshot->version > ledger->last)
        return fault_set(why, FAULT_GONE,
                         "version %" PRIu64 " is not kept; %" PRIu64 " to %" PRIu64 " are",
                         snapshot->version, ledger->horizon, ledger->last);
    put = database_ask(&ledger->database, PUT_SNAPSHOT, why);
    if (!put)
        return ledger_failed(ledger);
    sqlite3_bind_text(put, 1, snapshot->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (int64_t)snapshot->version);
    sqlite3_bind_int64(put, 3, snapshot->at);
    sqlite3_bind_int64(put, 4, snapshot_sum(snapshot));
    sqlite3_bind_text(put, 5, snapshot->author, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 6, snapshot->title, -1, SQLITE_STATIC);
    return commit_one(ledger, put, why);
}

bool ledger_snapshot_drop(struct ledger *ledger, const char *name, struct fault *why)
{
    struct sqlite3_stmt *drop;
    int got = look_up(ledger, name, &drop, why);

    if (got < 1)
        return ledger_failed(ledger);
    sqlite3_reset(drop);
    drop = database_ask(&ledger->database, DROP_SNAPSHOT, why);
    if (!drop)
        return ledger_failed(ledger);
    sqlite3_bind_text(drop, 1, name, -1, SQLITE_STATIC);
    return commit_one(ledger, drop, why);
}

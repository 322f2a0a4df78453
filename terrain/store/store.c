/* The catalogue, and landscapes coming into it and leaving it. */
#include "terrain/store/store.h"

#include <inttypes.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "terrain/store/checksum.h"
#include "terrain/store/folder.h"
#include "terrain/store/ledger.h"

enum { SPARE_PACKERS = 4 };

struct store {
    struct folder folder;
    pthread_mutex_t catalogue_lock; /* the catalogue's one connection */
    struct database catalogue;
    bool doubtful; /* the catalogue failed; it is opened again before its next use */
    pthread_mutex_t packers_lock;
    struct packer *packers[SPARE_PACKERS];
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS landscape(id TEXT PRIMARY KEY, incarnation INTEGER NOT NULL UNIQUE,"
    " vertices INTEGER NOT NULL, created INTEGER NOT NULL, crc INTEGER NOT NULL,"
    " request TEXT NOT NULL);";

enum catalogue_statement { ASK_EACH, ASK_ONE, ASK_INCARNATION, PUT_ONE, DROP_ONE };

static const char *const texts[] = {
    [ASK_EACH] = "SELECT id, incarnation, vertices, crc, request FROM landscape ORDER BY id",
    [ASK_ONE] = "SELECT incarnation FROM landscape WHERE id=?1",
    [ASK_INCARNATION] = "SELECT 1 FROM landscape WHERE incarnation=?1",
    [PUT_ONE] = ("INSERT INTO landscape(id, incarnation, vertices, created, crc, request)"
                 " VALUES(?1, ?2, ?3, ?4, ?5, ?6)"),
    [DROP_ONE] = "DELETE FROM landscape WHERE id=?1 AND incarnation=?2",
};

const struct folder *store_folder(const struct store *store)
{
    return &store->folder;
}

/* Packers are large, so the ledgers share a few. */
struct packer *store_packer(struct store *store, struct fault *why)
{
    struct packer *packer = NULL;

    pthread_mutex_lock(&store->packers_lock);
    for (int i = 0; !packer && i < SPARE_PACKERS; i++) {
        packer = store->packers[i];
        store->packers[i] = NULL;
    }
    pthread_mutex_unlock(&store->packers_lock);
    return packer ? packer : packer_new(why);
}

void store_packer_back(struct store *store, struct packer *packer)
{
    if (packer)
        packer_tidy(packer);
    pthread_mutex_lock(&store->packers_lock);
    for (int i = 0; packer && i < SPARE_PACKERS; i++)
        if (!store->packers[i]) {
            store->packers[i] = packer;
            packer = NULL;
        }
    pthread_mutex_unlock(&store->packers_lock);
    packer_free(packer);
}

/* A log that a crash has left wants room in the file. */
bool store_database(struct store *store, struct database *database, const char *path,
                    const char *const *statements, struct fault *why)
{
    struct fault full = { 0 };

    if (!database_open(database, path, DATABASE_SERVE, statements, why))
        return false;
    if (database->unsettled) {
        folder_spend_reserve(&store->folder);
        if (!database_checkpoint(database, &full) && full.code != FAULT_FULL) {
            *why = full;
            database_close(database);
            return false;
        }
    }
    return true;
}

static bool open_catalogue(struct store *store, struct fault *why)
{
    char path[FOLDER_PATH];

    folder_catalogue(&store->folder, path);
    database_close(&store->catalogue);
    if (!store_database(store, &store->catalogue, path, texts, why))
        return false;
    if (database_run(&store->catalogue, schema, why))
        return true;
    database_close(&store->catalogue);
    return false;
}

/* Takes the catalogue for this thread, opened again after a failure. */
static bool catalogue_take(struct store *store, struct fault *why)
{
    pthread_mutex_lock(&store->catalogue_lock);
    if (store->doubtful)
        store->doubtful = !open_catalogue(store, why);
    if (store->doubtful) {
        pthread_mutex_unlock(&store->catalogue_lock);
        return false;
    }
    return true;
}

static void catalogue_give(struct store *store)
{
    if (store->catalogue.doubtful)
        store->doubtful = true;
    /* A change of the catalogue is rare, and a short log is quick to empty. */
    else if (store->catalogue.log_pages &&
             !database_checkpoint(&store->catalogue, &(struct fault){ 0 }))
        store->doubtful = true;
    pthread_mutex_unlock(&store->catalogue_lock);
}

/* 1 when the catalogue has it, 0 when not, -1 when it cannot be told. */
static int catalogue_has(struct store *store, uint64_t incarnation, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&store->catalogue, ASK_INCARNATION, why);
    int got;

    if (!ask)
        return -1;
    sqlite3_bind_int64(ask, 1, (int64_t)incarnation);
    got = database_step(&store->catalogue, ask, why);
    sqlite3_reset(ask);
    return got;
}

static bool remove_orphan(void *context, uint64_t incarnation, struct fault *why)
{
    struct store *store = context;
    int known = catalogue_has(store, incarnation, why);

    return known > 0 || (known == 0 && folder_remove_ledger(&store->folder, incarnation, why));
}

bool store_open(const char *folder, struct store **store, struct fault *why)
{
    struct store *made = calloc(1, sizeof *made);

    if (!made)
        return fault_set(why, FAULT_MEMORY, "no memory to open the store");
    if (!folder_open(folder, &made->folder, why)) {
        free(made);
        return false;
    }
    pthread_mutex_init(&made->catalogue_lock, NULL);
    pthread_mutex_init(&made->packers_lock, NULL);
    if (!folder_make_catalogue(&made->folder, why) || !open_catalogue(made, why) ||
        !folder_each_ledger(&made->folder, remove_orphan, made, why)) {
        store_close(made);
        return false;
    }
    folder_keep_reserve(&made->folder);
    *store = made;
    return true;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    database_close(&store->catalogue);
    for (int i = 0; i < SPARE_PACKERS; i++)
        packer_free(store->packers[i]);
    folder_close(&store->folder);
    pthread_mutex_destroy(&store->catalogue_lock);
    pthread_mutex_destroy(&store->packers_lock);
    free(store);
}

void store_keep_reserve(struct store *store)
{
    folder_keep_reserve(&store->folder);
}

int64_t store_bytes(const struct store *store)
{
    return folder_bytes(&store->folder);
}

static uint32_t entry_sum(const char *id, uint64_t incarnation, int64_t vertices,
                          const char *request)
{
    uint32_t sum = checksum_add(0, id, strlen(id) + 1);

    sum = checksum_number(checksum_number(sum, incarnation), (uint64_t)vertices);
    return checksum_add(sum, request, strlen(request));
}

/* The catalogue's entry in this row. */
static bool read_entry(struct sqlite3_stmt *row, struct store_entry *entry, struct fault *why)
{
    const char *id = (const char *)sqlite3_column_text(row, 0);
    const char *request = (const char *)sqlite3_column_text(row, 4);

    *entry = (struct store_entry){ .incarnation = (uint64_t)sqlite3_column_int64(row, 1),
                                   .vertices = sqlite3_column_int64(row, 2),
                                   .request = request };
    if (!id || !request || strlen(id) >= sizeof entry->id)
        return fault_set(why, FAULT_STORAGE, "the catalogue has an entry without a good name");
    memcpy(entry->id, id, strlen(id) + 1);
    if (entry_sum(id, entry->incarnation, entry->vertices, request) != sqlite3_column_int64(row, 3))
        return fault_set(why, FAULT_STORAGE, "the catalogue's entry of %s has a wrong checksum",
                         id);
    return true;
}

bool store_each(struct store *store, bool (*visit)(void *context, const struct store_entry *entry),
                void *context, struct fault *why)
{
    struct store_entry entry;
    struct sqlite3_stmt *ask;
    int got = -1;

    if (!catalogue_take(store, why))
        return false;
    ask = database_ask(&store->catalogue, ASK_EACH, why);
    while (ask && (got = database_step(&store->catalogue, ask, why)) == 1) {
        if (!read_entry(ask, &entry, why)) {
            got = -1;
            break;
        }
        if (!visit(context, &entry)) {
            got = 0;
            break;
        }
    }
    sqlite3_reset(ask);
    catalogue_give(store);
    return got == 0;
}

static bool id_free(struct store *store, const char *id, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&store->catalogue, ASK_ONE, why);
    int got;

    if (!ask)
        return false;
    sqlite3_bind_text(ask, 1, id, -1, SQLITE_STATIC);
    got = database_step(&store->catalogue, ask, why);
    sqlite3_reset(ask);
    if (got > 0)
        return fault_set(why, FAULT_CONFLICT, "there is a landscape %s already", id);
    return got == 0;
}

static bool put_entry(struct store *store, const char *id, const struct view *content,
                      const char *request, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&store->catalogue, PUT_ONE, why);
    int64_t vertices = rect_area(view_rect(content));

    if (!put)
        return false;
    sqlite3_bind_text(put, 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (int64_t)content->incarnation);
    sqlite3_bind_int64(put, 3, vertices);
    sqlite3_bind_int64(put, 4, (int64_t)time(NULL));
    sqlite3_bind_int64(put, 5, entry_sum(id, content->incarnation, vertices, request));
    sqlite3_bind_text(put, 6, request, -1, SQLITE_STATIC);
    return database_do(&store->catalogue, put, why);
}

/* After a failure: opens the catalogue again and looks whether it has the landscape now. */
static int catalogue_truth(struct store *store, uint64_t incarnation)
{
    struct fault again = { 0 };

    if (!store->catalogue.doubtful)
        return -1;
    store->doubtful = !open_catalogue(store, &again);
    return store->doubtful ? -1 : catalogue_has(store, incarnation, &again);
}

/* Nothing is promised behind a log that could not be emptied. */
static bool settled(struct store *store, struct fault *why)
{
    return !store->catalogue.unsettled || database_checkpoint(&store->catalogue, why);
}

/* The commit that makes the landscape exist. */
static bool enter(struct store *store, const char *id, const struct view *content,
                  const char *request, struct fault *why)
{
    bool entered = false;

    if (!catalogue_take(store, why))
        return false;
    if (id_free(store, id, why) && settled(store, why) && database_begin(&store->catalogue, why)) {
        entered = database_end(&store->catalogue, put_entry(store, id, content, request, why), why);
        entered = entered || catalogue_truth(store, content->incarnation) == 1;
    }
    catalogue_give(store);
    return entered;
}

static bool new_incarnation(uint64_t *incarnation, struct fault *why)
{
    do {
        if (getrandom(incarnation, sizeof *incarnation, 0) != sizeof *incarnation)
            return fault_errno(why, FAULT_INTERNAL, "drawing a random number");
        *incarnation &= INT64_MAX;
    } while (!*incarnation);
    return true;
}

bool store_create(struct store *store, const char *id, struct view *content, const char *request,
                  const struct executor *executor, struct ledger **ledger, struct fault *why)
{
    if (!new_incarnation(&content->incarnation, why))
        return false;
    if (folder_make_ledger(&store->folder, content->incarnation, why) &&
        ledger_fill(store, content, executor, why) &&
        ledger_open(store, content->incarnation, ledger, why)) {
        if (enter(store, id, content, request, why))
            return true;
        ledger_close(*ledger);
        *ledger = NULL;
    }
    /* Unless the catalogue may name it after all: then the next start decides. */
    if (!store->doubtful)
        folder_remove_ledger(&store->folder, content->incarnation, &(struct fault){ 0 });
    return false;
}

static bool drop_entry(struct store *store, const char *id, uint64_t incarnation, struct fault *why)
{
    struct sqlite3_stmt *drop;
    bool dropped;

    if (!settled(store, why) || !database_begin(&store->catalogue, why))
        return false;
    drop = database_ask(&store->catalogue, DROP_ONE, why);
    if (drop) {
        sqlite3_bind_text(drop, 1, id, -1, SQLITE_STATIC);
        sqlite3_bind_int64(drop, 2, (int64_t)incarnation);
    }
    dropped =
        database_end(&store->catalogue, drop && database_do(&store->catalogue, drop, why), why);
    return dropped || catalogue_truth(store, incarnation) == 0;
}

bool store_delete(struct store *store, const char *id, uint64_t incarnation, struct fault *why)
{
    int known;
    bool dropped = false;

    if (!catalogue_take(store, why))
        return false;
    known = catalogue_has(store, incarnation, why);
    if (known == 0)
        fault_set(why, FAULT_MISSING, "there is no landscape %s", id);
    if (known == 1) {
        dropped = drop_entry(store, id, incarnation, why);
        if (!dropped && why->code == FAULT_FULL) {
            folder_spend_reserve(&store->folder);
            dropped = drop_entry(store, id, incarnation, why);
        }
    }
    catalogue_give(store);
    /* The name is gone, so the landscape is; a file that stays is removed at the next start. */
    if (dropped)
        folder_remove_ledger(&store->folder, incarnation, &(struct fault){ 0 });
    return dropped;
}

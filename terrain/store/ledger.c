/* Opening a ledger, the log of edits, and finding the truth after a failure. */
#include "terrain/store/ledger.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/store/checksum.h"
#include "terrain/store/folder.h"

static const char schema[] =
    "CREATE TABLE about(name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
    "CREATE TABLE settings(version INTEGER PRIMARY KEY, crc INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE TABLE plane(plane INTEGER PRIMARY KEY, value INTEGER NOT NULL,"
    " changed INTEGER NOT NULL, born INTEGER NOT NULL);"
    "CREATE TABLE block(plane INTEGER NOT NULL, bx INTEGER NOT NULL, by INTEGER NOT NULL,"
    " good INTEGER NOT NULL, changed INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL,"
    " PRIMARY KEY(plane, bx, by, good));"
    "CREATE TABLE edit(version INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
    " x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,"
    " vertices INTEGER NOT NULL, settings INTEGER NOT NULL, length INTEGER NOT NULL,"
    " through INTEGER NOT NULL, kind INTEGER NOT NULL, turns INTEGER NOT NULL,"
    " what INTEGER NOT NULL, bytes INTEGER NOT NULL, crc INTEGER NOT NULL,"
    " author TEXT, request TEXT, data BLOB NOT NULL);"
    "CREATE INDEX step ON edit(version, kind, turns, x, y, width, height, what, author);"
    "CREATE TABLE part(version INTEGER NOT NULL, number INTEGER NOT NULL, crc INTEGER NOT NULL,"
    " data BLOB NOT NULL, PRIMARY KEY(version, number));"
    "CREATE TABLE answer(number INTEGER PRIMARY KEY, once TEXT NOT NULL UNIQUE,"
    " version INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL,"
    " height INTEGER NOT NULL, vertices INTEGER NOT NULL, settings INTEGER NOT NULL,"
    " request INTEGER NOT NULL);"
    "CREATE TABLE snapshot(name TEXT PRIMARY KEY, version INTEGER NOT NULL, at INTEGER NOT NULL,"
    " crc INTEGER NOT NULL, author TEXT, title TEXT);";

#define EDIT_COLUMNS                                                                               \
    "version, x, y, width, height, vertices, settings, length, through, kind, turns, what, crc, "  \
    "data"

static const char *const texts[STATEMENT_COUNT] = {
    [ASK_ABOUT] = "SELECT value FROM about WHERE name=?1",
    [PUT_ABOUT] = "INSERT INTO about(name, value) VALUES(?1, ?2)"
                  " ON CONFLICT(name) DO UPDATE SET value=?2",
    [ASK_LAST] = "SELECT version, through FROM edit ORDER BY version DESC LIMIT 1",
    [ASK_SETTINGS] = "SELECT version, crc, data FROM settings WHERE version<=?1"
                     " ORDER BY version DESC LIMIT 1",
    [PUT_SETTINGS] = "INSERT INTO settings(version, crc, data) VALUES(?1, ?2, ?3)",
    [TRIM_SETTINGS] = "DELETE FROM settings WHERE version<"
                      "(SELECT max(version) FROM settings WHERE version<=?1)",
    [ASK_PLANES] = "SELECT plane, value, changed, born FROM plane ORDER BY plane",
    [PUT_PLANE] = "INSERT INTO plane(plane, value, changed, born) VALUES(?1, ?2, ?3, ?4)"
                  " ON CONFLICT(plane) DO UPDATE SET value=?2, changed=?3, born=?4",
    [DROP_PLANE] = "DELETE FROM plane WHERE plane=?1",
    [ASK_BLOCKS] = "SELECT plane, bx, by, good, changed, crc, data FROM block WHERE good<=?1"
                   " ORDER BY rowid",
    [PUT_BLOCK] = "INSERT INTO block(plane, bx, by, good, changed, crc, data)"
                  " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [DROP_BLOCK] = "DELETE FROM block WHERE plane=?1 AND bx=?2 AND by=?3 AND good<?4",
    [DROP_DEAD] = "DELETE FROM block WHERE rowid IN (SELECT block.rowid FROM block"
                  " LEFT JOIN plane USING(plane) WHERE born IS NULL OR good<born LIMIT 128)",
    [DROP_UNFINISHED] = "DELETE FROM block WHERE good>?1",
    [ASK_EDITS] = "SELECT " EDIT_COLUMNS " FROM edit WHERE version>?1 ORDER BY version",
    [ASK_EDIT] = "SELECT " EDIT_COLUMNS " FROM edit WHERE version=?1",
    [PUT_EDIT] = "INSERT INTO edit(" EDIT_COLUMNS ", at, bytes, author, request)"
                 " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"
                 " ?17, ?18)",
    [ASK_ROWS] = "SELECT version, kind, turns, x, y, width, height, what, author FROM edit"
                 " INDEXED BY step ORDER BY version",
    [ASK_VERSIONS] = "SELECT version, kind, turns, x, y, width, height, what, author, vertices, at,"
                     " bytes, substr(request, 1, ?3) FROM edit WHERE version<?1"
                     " ORDER BY version DESC LIMIT ?2",
    [ASK_FIRST] = "SELECT version, through-bytes FROM edit ORDER BY version LIMIT 1",
    [ASK_PARTS] = "SELECT number, crc, data FROM part WHERE version=?1 ORDER BY number",
    [PUT_PART] = "INSERT INTO part(version, number, crc, data) VALUES(?1, ?2, ?3, ?4)",
    [ASK_OLDEST] = "SELECT version, through-bytes FROM edit WHERE version<=?1 ORDER BY version"
                   " LIMIT 256",
    [TRIM_EDITS] = "DELETE FROM edit WHERE version<=?1",
    [TRIM_PARTS] = "DELETE FROM part WHERE version<=?1",
    [ASK_ANSWER] = "SELECT version, x, y, width, height, vertices, settings, request FROM answer"
                   " WHERE once=?1",
    [PUT_ANSWER] = "INSERT INTO answer(once, version, x, y, width, height, vertices, settings,"
                   " request) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [TRIM_ANSWERS] = "DELETE FROM answer WHERE version<=?1",
    [TRIM_ANSWERS_BY_NUMBER] =
        "DELETE FROM answer WHERE number<=(SELECT max(number) FROM answer)-?1",
    [SCRUB_BLOCKS] = "SELECT rowid, plane, bx, by, good, changed, crc, data FROM block"
                     " WHERE rowid>?1 ORDER BY rowid LIMIT 128",
    [SCRUB_EDITS] = "SELECT " EDIT_COLUMNS " FROM edit WHERE version>?1 ORDER BY version LIMIT 256",
    [ASK_PINNED] = "SELECT min(version), count(*) FROM snapshot",
    [ASK_SNAPSHOTS] = "SELECT name, version, at, crc, author, title FROM snapshot ORDER BY name",
    [ASK_SNAPSHOT] = "SELECT name, version, at, crc, author, title FROM snapshot WHERE name=?1",
    [PUT_SNAPSHOT] = "INSERT INTO snapshot(name, version, at, crc, author, title)"
                     " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [DROP_SNAPSHOT] = "DELETE FROM snapshot WHERE name=?1",
};

/* Opening */

/* The number of that name; -1 when there is none or on failure. */
static int64_t about(struct ledger *ledger, const char *name, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_ABOUT, why);
    int64_t value = -1;
    int got;

    if (!ask)
        return -1;
    sqlite3_bind_text(ask, 1, name, -1, SQLITE_STATIC);
    got = database_step(&ledger->database, ask, why);
    if (got == 1)
        value = sqlite3_column_int64(ask, 0);
    else if (got == 0)
        fault_set(why, FAULT_STORAGE, "landscape file %016" PRIx64 " does not say its %s",
                  ledger->incarnation, name);
    sqlite3_reset(ask);
    return value;
}

bool ledger_say(struct ledger *ledger, const char *name, int64_t value, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_ABOUT, why);

    if (!put)
        return false;
    sqlite3_bind_text(put, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, value);
    return database_do(&ledger->database, put, why);
}

static bool read_position(struct ledger *ledger, struct fault *why)
{
    int64_t format = about(ledger, "format", why);
    int64_t incarnation = format < 0 ? -1 : about(ledger, "incarnation", why);
    int64_t good = incarnation < 0 ? -1 : about(ledger, "good", why);
    int64_t through = good < 0 ? -1 : about(ledger, "good_through", why);
    struct sqlite3_stmt *ask;
    int got;

    if (through < 0)
        return false;
    if (format != LEDGER_FORMAT)
        return fault_set(why, FAULT_STORAGE,
                         "landscape file format %" PRId64
                         " is not %d, the one that this program reads",
                         format, LEDGER_FORMAT);
    if ((uint64_t)incarnation != ledger->incarnation)
        return fault_set(why, FAULT_STORAGE,
                         "landscape file %016" PRIx64 " says that it is %016" PRIx64,
                         ledger->incarnation, (uint64_t)incarnation);
    ledger->good = ledger->last = (uint64_t)good;
    ledger->replayed = ledger->through = through;
    ask = database_ask(&ledger->database, ASK_LAST, why);
    got = ask ? database_step(&ledger->database, ask, why) : -1;
    if (got == 1 && (uint64_t)sqlite3_column_int64(ask, 0) > ledger->last) {
        ledger->last = (uint64_t)sqlite3_column_int64(ask, 0);
        ledger->through = sqlite3_column_int64(ask, 1);
    }
    sqlite3_reset(ask);
    return got >= 0 && ledger_read_horizon(ledger, why);
}

/* Rows of a write-back pass that a crash cut short. */
static bool drop_unfinished(struct ledger *ledger, struct fault *why)
{
    struct sqlite3_stmt *drop = database_ask(&ledger->database, DROP_UNFINISHED, why);

    if (!drop)
        return false;
    sqlite3_bind_int64(drop, 1, (int64_t)ledger->good);
    return database_do(&ledger->database, drop, why);
}

bool ledger_begin(struct ledger *ledger, struct fault *why)
{
    char path[FOLDER_PATH];

    folder_ledger(store_folder(ledger->store), ledger->incarnation, path);
    database_close(&ledger->database);
    ledger->pass = PASS_NONE;
    view_drop(ledger->saving);
    ledger->saving = NULL;
    if (!store_database(ledger->store, &ledger->database, path, texts, why))
        return false;
    if (read_position(ledger, why) &&
        (ledger->database.unsettled || drop_unfinished(ledger, why))) {
        ledger->doubtful |= ledger->database.unsettled;
        return true;
    }
    database_close(&ledger->database);
    return false;
}

bool ledger_open(struct store *store, uint64_t incarnation, struct ledger **ledger,
                 struct fault *why)
{
    struct ledger *made = calloc(1, sizeof *made);

    if (!made)
        return fault_set(why, FAULT_MEMORY, "no memory to open a landscape");
    made->store = store;
    made->incarnation = incarnation;
    if (!ledger_begin(made, why)) {
        free(made);
        return false;
    }
    *ledger = made;
    return true;
}

void ledger_expect(struct ledger *ledger, uint64_t newest)
{
    ledger->doubtful |= ledger->last != newest;
}

void ledger_close(struct ledger *ledger)
{
    if (!ledger)
        return;
    database_close(&ledger->database);
    view_drop(ledger->saving);
    free(ledger);
}

void ledger_behind(const struct ledger *ledger, uint64_t *edits, int64_t *bytes)
{
    *edits = ledger->last - ledger->good;
    *bytes = ledger->through - ledger->replayed;
}

bool ledger_long(const struct ledger *ledger)
{
    return ledger->last - ledger->good > LEDGER_BEHIND_EDITS ||
           ledger->through - ledger->replayed > LEDGER_BEHIND_BYTES ||
           ledger->database.log_pages > LEDGER_LOG_PAGES;
}

/* Filling a new file */

bool ledger_put_settings(struct ledger *ledger, const struct view *view, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_SETTINGS, why);
    struct bytes form = { 0 };
    bool done = put && settings_write(view->settings, &form, why);

    if (done) {
        sqlite3_bind_int64(put, 1, (int64_t)view->settings_version);
        sqlite3_bind_int64(
            put, 2,
            checksum_add(checksum_number(0, view->settings_version), form.data, form.length));
        sqlite3_bind_blob64(put, 3, form.data, form.length, SQLITE_STATIC);
        done = database_do(&ledger->database, put, why);
    }
    bytes_free(&form);
    return done;
}

/* Where a plane has no row for a block, it is this. */
bool ledger_put_plane(struct ledger *ledger, const struct layer_plane *plane, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_PLANE, why);
    const struct tree *tree = &plane->tree;

    if (!put)
        return false;
    sqlite3_bind_int64(put, 1, (int64_t)plane->key);
    sqlite3_bind_int(put, 2,
                     tree->root.below ? channels[key_channel(plane->key)].rest
                                      : tree->root.summary.least);
    sqlite3_bind_int64(put, 3, tree->root.below ? 1 : (int64_t)tree->root.summary.version);
    sqlite3_bind_int64(put, 4, (int64_t)plane->born);
    return database_do(&ledger->database, put, why);
}

static bool fill_about(struct ledger *ledger, const struct view *content, struct fault *why)
{
    if (!database_begin(&ledger->database, why))
        return false;
    return database_end(&ledger->database,
                        database_run(&ledger->database, schema, why) &&
                            ledger_say(ledger, "format", LEDGER_FORMAT, why) &&
                            ledger_say(ledger, "incarnation", (int64_t)ledger->incarnation, why) &&
                            ledger_say(ledger, "good", (int64_t)content->version, why) &&
                            ledger_say(ledger, "good_through", 0, why) &&
                            ledger_put_settings(ledger, content, why),
                        why);
}

/* A group of blocks that are packed at once, on whatever threads the executor has: packing costs
 * several times what writing does. */
enum { FILL_BLOCKS = 64 };

struct filling {
    struct store *store;
    const struct layer_plane *plane;
    const struct tree *tree;
    int64_t first, count; /* blocks of the group, row by row */
    struct bytes packed[FILL_BLOCKS];
    _Atomic bool failed;
    struct fault why; /* of the first that failed */
};

static void block_at(const struct filling *filling, size_t i, int32_t *bx, int32_t *by)
{
    int32_t across = tree_blocks_across(filling->tree);

    *bx = (int32_t)((filling->first + (int64_t)i) % across);
    *by = (int32_t)((filling->first + (int64_t)i) / across);
}

static void pack_one(void *work, size_t i)
{
    struct filling *filling = work;
    struct fault why = { 0 };
    struct packer *packer = store_packer(filling->store, &why);
    int32_t bx, by;

    block_at(filling, i, &bx, &by);
    filling->packed[i].length = 0;
    if ((!packer ||
         !packer_shut_block(packer, filling->tree->plane, tree_block(filling->tree, bx, by),
                            &filling->packed[i], &why)) &&
        !atomic_exchange(&filling->failed, true))
        filling->why = why;
    store_packer_back(filling->store, packer);
}

static bool put_group(struct ledger *ledger, const struct view *content,
                      const struct filling *filling, size_t *written, struct fault *why)
{
    if (filling->failed) {
        *why = filling->why;
        return false;
    }
    for (size_t i = 0; i < (size_t)filling->count; i++) {
        int32_t bx, by;

        block_at(filling, i, &bx, &by);
        if (!ledger_put_packed(ledger, content->version, filling->plane, bx, by,
                               &filling->packed[i], why))
            return false;
        *written += filling->packed[i].length;
    }
    return true;
}

/* One plane, whole, in transactions of a slice each, so that neither the memory nor the wait
 * of others for the disk grows with the landscape. */
static bool fill_plane(struct ledger *ledger, const struct view *content, struct filling *filling,
                       const struct executor *executor, struct fault *why)
{
    const struct tree *tree = filling->tree;
    int64_t all = tree->root.below ? (int64_t)tree_blocks_across(tree) * tree_blocks_down(tree) : 0;
    size_t written = 0;
    bool done = true;

    if (!database_begin(&ledger->database, why))
        return false;
    done = ledger_put_plane(ledger, filling->plane, why);
    for (filling->first = 0; done && filling->first < all; filling->first += FILL_BLOCKS) {
        int64_t left = all - filling->first;

        filling->count = left < FILL_BLOCKS ? left : FILL_BLOCKS;
        executor_run(executor, (size_t)filling->count, pack_one, filling);
        done = put_group(ledger, content, filling, &written, why);
        if (done && written >= LEDGER_SLICE) {
            written = 0;
            done = database_end(&ledger->database, true, why) &&
                   database_begin(&ledger->database, why);
        }
    }
    return database_end(&ledger->database, done, why);
}

bool ledger_fill(struct store *store, const struct view *content, const struct executor *executor,
                 struct fault *why)
{
    struct ledger ledger = { .store = store, .incarnation = content->incarnation };
    struct filling filling = { .store = store };
    char path[FOLDER_PATH];
    bool filled;

    folder_ledger(store_folder(store), content->incarnation, path);
    filled = database_open(&ledger.database, path, DATABASE_FILL, texts, why) &&
             fill_about(&ledger, content, why);
    for (int32_t i = 0; filled && i < content->layers_count; i++) {
        filling.plane = &content->layers[i];
        filling.tree = &filling.plane->tree;
        filled = fill_plane(&ledger, content, &filling, executor, why);
    }
    database_close(&ledger.database);
    for (int i = 0; i < FILL_BLOCKS; i++)
        bytes_free(&filling.packed[i]);
    return filled;
}

/* The log */

uint32_t ledger_edit_sum(const int64_t numbers[EDIT_NUMBERS], const void *data, size_t length)
{
    uint32_t sum = 0;

    for (int i = 0; i < EDIT_NUMBERS; i++)
        sum = checksum_number(sum, (uint64_t)numbers[i]);
    return checksum_add(sum, data, length);
}

static uint32_t request_sum(const char *request)
{
    return request ? checksum_add(0, request, strlen(request)) : 0;
}

static bool put_answer(struct ledger *ledger, const struct ledger_edit *edit, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_ANSWER, why);
    const struct change *change = edit->change;

    if (!put)
        return false;
    sqlite3_bind_text(put, 1, edit->once, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (int64_t)edit->after->version);
    sqlite3_bind_int(put, 3, change->dirty.x);
    sqlite3_bind_int(put, 4, change->dirty.y);
    sqlite3_bind_int(put, 5, change->dirty.width);
    sqlite3_bind_int(put, 6, change->dirty.height);
    sqlite3_bind_int64(put, 7, change->vertices);
    sqlite3_bind_int(put, 8, change->settings);
    sqlite3_bind_int64(put, 9, request_sum(edit->request));
    return database_do(&ledger->database, put, why);
}

static bool put_part(struct ledger *ledger, uint64_t version, int64_t number,
                     const struct bytes *packed, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_PART, why);
    uint32_t sum = checksum_number(checksum_number(0, version), (uint64_t)number);

    if (!put)
        return false;
    sqlite3_bind_int64(put, 1, (int64_t)version);
    sqlite3_bind_int64(put, 2, number);
    sqlite3_bind_int64(put, 3, checksum_add(sum, packed->data, packed->length));
    sqlite3_bind_blob64(put, 4, packed->data, packed->length, SQLITE_STATIC);
    return database_do(&ledger->database, put, why);
}

static bool put_row(struct ledger *ledger, const struct ledger_edit *edit, size_t raw_length,
                    const struct bytes *packed, int64_t *through, int64_t bytes, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_EDIT, why);
    const struct change *change = edit->change;
    const int64_t numbers[EDIT_NUMBERS] = { (int64_t)edit->after->version,
                                            change->dirty.x,
                                            change->dirty.y,
                                            change->dirty.width,
                                            change->dirty.height,
                                            change->vertices,
                                            change->settings,
                                            (int64_t)raw_length,
                                            *through + bytes,
                                            edit->kind,
                                            (int64_t)edit->of,
                                            change->what };
    struct timespec now;

    if (!put)
        return false;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < EDIT_NUMBERS; i++)
        sqlite3_bind_int64(put, i + 1, numbers[i]);
    sqlite3_bind_int64(put, 13, ledger_edit_sum(numbers, packed->data, packed->length));
    sqlite3_bind_blob64(put, 14, packed->length ? (void *)packed->data : "", packed->length,
                        SQLITE_STATIC);
    sqlite3_bind_int64(put, 15, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    sqlite3_bind_int64(put, 16, bytes);
    sqlite3_bind_text(put, 17, edit->author, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 18, edit->request, -1, SQLITE_STATIC);
    *through = numbers[8];
    return database_do(&ledger->database, put, why);
}

/* Differences of a whole landscape are many parts, each packed on its own; those of a brush are
 * one, beside the row. */
static bool log_edit(struct ledger *ledger, struct packer *packer, const struct ledger_edit *edit,
                     int64_t *through, struct fault *why)
{
    struct bytes *raw = packer_bytes(packer, PACKER_RAW),
                 *first = packer_bytes(packer, PACKER_FIRST);
    size_t piece;
    int64_t bytes = 64;

    raw->length = first->length = 0;
    if (!difference_write(edit->before, edit->after, raw, why))
        return false;
    for (size_t at = 0; at < raw->length; at += piece) {
        struct bytes *packed = at == 0 ? first : packer_bytes(packer, PACKER_PACKED);

        piece = raw->length - at < LEDGER_SLICE ? raw->length - at : LEDGER_SLICE;
        packed->length = 0;
        if (!packer_shut(packer, raw->data + at, piece, packed, why) ||
            (at > 0 &&
             !put_part(ledger, edit->after->version, (int64_t)(at / LEDGER_SLICE), packed, why)))
            return false;
        bytes += (int64_t)packed->length;
    }
    if (edit->request)
        bytes += (int64_t)strlen(edit->request);
    return put_row(ledger, edit, raw->length, first, through, bytes, why) &&
           (!edit->change->settings || ledger_put_settings(ledger, edit->after, why));
}

bool ledger_failed(struct ledger *ledger)
{
    if (ledger->database.doubtful) {
        ledger->doubtful = true;
        database_close(&ledger->database);
    }
    return false;
}

static bool settle(struct ledger *ledger, uint64_t before, uint64_t after)
{
    struct fault again = { 0 };

    ledger_failed(ledger);
    if (!ledger->doubtful || !ledger_begin(ledger, &again) || ledger->database.unsettled)
        return false;
    if (ledger->last == after && after > before) {
        ledger->doubtful = false;
        return true;
    }
    if (ledger->last == before)
        ledger->doubtful = false;
    return false;
}

bool ledger_commit(struct ledger *ledger, const struct ledger_edit *edits, size_t count,
                   struct fault *why)
{
    struct packer *packer;
    int64_t through = ledger->through;
    uint64_t before = ledger->last, after = count ? edits[count - 1].after->version : before;
    bool worked;

    if (ledger->doubtful)
        return fault_set(why, FAULT_STORAGE, "the store has failed and has not recovered yet");
    packer = store_packer(ledger->store, why);
    worked = packer && database_begin(&ledger->database, why);
    if (worked) {
        for (size_t i = 0; worked && i < count; i++)
            worked = (edits[i].after == edits[i].before ||
                      log_edit(ledger, packer, &edits[i], &through, why)) &&
                     (!edits[i].once || put_answer(ledger, &edits[i], why));
        worked = database_end(&ledger->database, worked, why);
    }
    store_packer_back(ledger->store, packer);
    if (!worked)
        return settle(ledger, before, after);
    ledger->last = after;
    ledger->through = through;
    return true;
}

bool ledger_doubtful(const struct ledger *ledger)
{
    return ledger->doubtful;
}

struct view *ledger_recover(struct ledger *ledger, const struct view *known, struct fault *why)
{
    struct view *newest;

    if (!ledger->doubtful)
        return view_hold(known);
    if (!ledger_begin(ledger, why))
        return NULL;
    if (ledger->database.unsettled) {
        fault_set(why, FAULT_FULL, "the disk has no room left");
        return NULL;
    }
    if (ledger->last < known->version) {
        fault_set(why, FAULT_STORAGE,
                  "the disk has lost versions %" PRIu64 " to %" PRIu64
                  " of this landscape; it takes no changes until an operator has looked",
                  ledger->last + 1, known->version);
        database_close(&ledger->database);
        return NULL;
    }
    newest = ledger_replay(ledger, view_hold(known), why);
    if (newest)
        ledger->doubtful = false;
    return newest;
}

bool ledger_once(struct ledger *ledger, const char *once, const char *request, bool *found,
                 struct ledger_answer *answer, struct fault *why)
{
    struct sqlite3_stmt *ask = NULL;
    int got;

    if (ledger->doubtful)
        return fault_set(why, FAULT_STORAGE, "the store has failed and has not recovered yet");
    ask = database_ask(&ledger->database, ASK_ANSWER, why);
    if (!ask)
        return ledger_failed(ledger);
    sqlite3_bind_text(ask, 1, once, -1, SQLITE_STATIC);
    got = database_step(&ledger->database, ask, why);
    *found = got == 1;
    if (got == 1) {
        answer->version = (uint64_t)sqlite3_column_int64(ask, 0);
        answer->change.dirty =
            (struct rect){ sqlite3_column_int(ask, 1), sqlite3_column_int(ask, 2),
                           sqlite3_column_int(ask, 3), sqlite3_column_int(ask, 4) };
        answer->change.vertices = sqlite3_column_int64(ask, 5);
        answer->change.settings = sqlite3_column_int(ask, 6);
        answer->same_request = sqlite3_column_int64(ask, 7) == request_sum(request);
        sqlite3_reset(ask);
    }
    return got >= 0 || ledger_failed(ledger);
}

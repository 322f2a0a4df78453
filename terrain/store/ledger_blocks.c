/* Blocks on their way to the file, the end of history, and the scrubber. */
#include "terrain/store/ledger.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "terrain/store/checksum.h"

/* Walking */

/* Every second bit of a number in Z order. */
static int32_t every_second(int64_t z)
{
    uint64_t bits = (uint64_t)z & 0x5555555555555555u;

    for (int shift = 1; shift < 32; shift *= 2)
        bits = (bits | bits >> shift) & (UINT64_MAX / ((1ull << 2 * shift) + 1));
    return (int32_t)bits;
}

bool walk_next(struct walk *walk, const struct view *view, uint64_t since,
               const struct layer_plane **plane, int32_t *bx, int32_t *by)
{
    for (; walk->plane < view->layers_count; walk->plane++, walk->next = 0) {
        const struct tree *tree = &view->layers[walk->plane].tree;
        int32_t top = BRANCH_LOG2 * tree->depth;

        while (walk->next < (int64_t)1 << 2 * top) {
            int32_t x = every_second(walk->next), y = every_second(walk->next >> 1);
            int32_t level = walk->next ? __builtin_ctzll((uint64_t)walk->next) / 2 : top;

            /* The largest node that begins here and holds nothing newer is skipped whole. */
            while (level >= 0 && tree_node(tree, level, x >> level, y >> level).version > since)
                level--;
            walk->next += level < 0 ? 1 : (int64_t)1 << 2 * level;
            if (level < 0) {
                *plane = &view->layers[walk->plane];
                *bx = x;
                *by = y;
                return true;
            }
        }
    }
    return false;
}

bool ledger_put_packed(struct ledger *ledger, uint64_t good, const struct layer_plane *plane,
                       int32_t bx, int32_t by, const struct bytes *packed, struct fault *why)
{
    struct sqlite3_stmt *put = database_ask(&ledger->database, PUT_BLOCK, why);
    const int64_t keys[5] = { (int64_t)plane->key, bx, by, (int64_t)good,
                              (int64_t)tree_block(&plane->tree, bx, by).summary.version };

    if (!put)
        return false;
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(put, i + 1, keys[i]);
    sqlite3_bind_int64(put, 6, ledger_block_sum(keys, packed->data, packed->length));
    sqlite3_bind_blob64(put, 7, packed->data, packed->length, SQLITE_STATIC);
    return database_do(&ledger->database, put, why);
}

static bool put_block(struct ledger *ledger, struct packer *packer, const struct layer_plane *plane,
                      int32_t bx, int32_t by, struct bytes *scratch, struct fault *why)
{
    scratch->length = 0;
    return packer_shut_block(packer, plane->tree.plane, tree_block(&plane->tree, bx, by), scratch,
                             why) &&
           ledger_put_packed(ledger, ledger->saving->version, plane, bx, by, scratch, why);
}

/* Writing back */

enum { PLANES_GONE = 1024 }; /* rows of planes that one pass lets go */

static void begin_pass(struct ledger *ledger, const struct view *view)
{
    ledger->pass = PASS_WRITE;
    ledger->saving = view_hold(view);
    ledger->saving_through = ledger->through;
    ledger->since = ledger->good;
    ledger->walk = (struct walk){ 0 };
}

/* What is left of a pass is the end of history, which may go now; a next pass waits for it, so that
 * the log keeps its limit also where changes never rest. */
static void let_go(struct ledger *ledger)
{
    ledger->pass = PASS_TRIM;
    view_drop(ledger->saving);
    ledger->saving = NULL;
}

static bool write_blocks(struct ledger *ledger, struct packer *packer, struct walk *walk, bool *all,
                         struct fault *why)
{
    struct bytes scratch = { 0 };
    size_t written = 0;
    const struct layer_plane *plane;
    int32_t bx, by;
    bool done = true;

    *all = false;
    while (done && written < LEDGER_SLICE && !*all) {
        if (!walk_next(walk, ledger->saving, ledger->since, &plane, &bx, &by)) {
            *all = true;
        } else {
            done = put_block(ledger, packer, plane, bx, by, &scratch, why);
            written += scratch.length + 64;
        }
    }
    bytes_free(&scratch);
    return done;
}

/* Rows of planes that are no more go, those of planes that came since are written: in the very
 * commit that makes their blocks count. */
static bool write_planes(struct ledger *ledger, bool *dead, struct fault *why)
{
    const struct view *view = ledger->saving;
    uint64_t gone[PLANES_GONE];
    int count = 0, got;
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_PLANES, why);
    bool done;

    if (!ask)
        return false;
    while ((got = database_step(&ledger->database, ask, why)) == 1 && count < PLANES_GONE)
        if (!view_layer(view, (uint64_t)sqlite3_column_int64(ask, 0)))
            gone[count++] = (uint64_t)sqlite3_column_int64(ask, 0);
    sqlite3_reset(ask);
    done = got >= 0;
    for (int i = 0; done && i < count; i++) {
        struct sqlite3_stmt *drop = database_ask(&ledger->database, DROP_PLANE, why);

        if (drop)
            sqlite3_bind_int64(drop, 1, (int64_t)gone[i]);
        done = drop && database_do(&ledger->database, drop, why);
    }
    *dead = count > 0;
    for (int32_t i = 0; done && i < view->layers_count; i++) {
        if (view->layers[i].born <= ledger->since)
            continue;
        *dead = true; /* perhaps it came back */
        done = ledger_put_plane(ledger, &view->layers[i], why);
    }
    return done;
}

static bool write_slice(struct ledger *ledger, struct fault *why)
{
    struct packer *packer = store_packer(ledger->store, why);
    struct walk walk = ledger->walk;
    bool all = false, dead = false, done;

    if (!packer || !database_begin(&ledger->database, why)) {
        store_packer_back(ledger->store, packer);
        return false;
    }
    done = write_blocks(ledger, packer, &walk, &all, why);
    if (done && all)
        done = write_planes(ledger, &dead, why) &&
               ledger_say(ledger, "good", (int64_t)ledger->saving->version, why) &&
               ledger_say(ledger, "good_through", ledger->saving_through, why);
    done = database_end(&ledger->database, done, why);
    store_packer_back(ledger->store, packer);
    if (!done)
        return false;
    ledger->walk = walk;
    if (all) {
        ledger->good = ledger->saving->version;
        ledger->replayed = ledger->saving_through;
        ledger->pass = PASS_SWEEP;
        ledger->walk = (struct walk){ 0 };
        ledger->dead = dead;
    }
    return true;
}

/* Some of the rows of planes that are no more, or of what they were before they came back. */
static bool sweep_dead(struct ledger *ledger, struct fault *why)
{
    struct sqlite3_stmt *drop = database_ask(&ledger->database, DROP_DEAD, why);

    if (!drop || !database_do(&ledger->database, drop, why))
        return false;
    ledger->dead = database_changes(&ledger->database) > 0;
    return true;
}

/* Removes the rows that the pass has replaced. */
static bool sweep_slice(struct ledger *ledger, struct fault *why)
{
    enum { BLOCKS = 128 };
    struct walk walk = ledger->walk;
    const struct layer_plane *plane;
    int32_t bx, by;
    bool more = true, done = true;

    if (!database_begin(&ledger->database, why))
        return false;
    for (int i = 0; done && more && i < BLOCKS; i++) {
        struct sqlite3_stmt *drop = database_ask(&ledger->database, DROP_BLOCK, why);

        more = walk_next(&walk, ledger->saving, ledger->since, &plane, &bx, &by);
        if (!drop || !more) {
            done = drop != NULL;
            continue;
        }
        sqlite3_bind_int64(drop, 1, (int64_t)plane->key);
        sqlite3_bind_int(drop, 2, bx);
        sqlite3_bind_int(drop, 3, by);
        sqlite3_bind_int64(drop, 4, (int64_t)ledger->saving->version);
        done = database_do(&ledger->database, drop, why);
    }
    if (!database_end(&ledger->database, done, why))
        return false;
    ledger->walk = walk;
    if (!more && ledger->dead)
        return sweep_dead(ledger, why);
    if (!more)
        let_go(ledger);
    return true;
}

/* The newest of up to 256 edits that lie beyond the limit and that neither a block nor a snapshot
 * needs; 0 for none. */
static bool beyond_limit(struct ledger *ledger, int64_t history_bytes, int64_t *newest,
                         struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_OLDEST, why);
    int got = -1;

    *newest = 0;
    if (!ask)
        return false;
    sqlite3_bind_int64(ask, 1,
                       (int64_t)(ledger->good < ledger->pinned ? ledger->good : ledger->pinned));
    while ((got = database_step(&ledger->database, ask, why)) == 1) {
        if (ledger->through - sqlite3_column_int64(ask, 1) <= history_bytes &&
            ledger->last - (uint64_t)sqlite3_column_int64(ask, 0) < LEDGER_VERSIONS)
            break;
        *newest = sqlite3_column_int64(ask, 0);
    }
    sqlite3_reset(ask);
    return got >= 0;
}

static bool trim_slice(struct ledger *ledger, int64_t history_bytes, bool *more, struct fault *why)
{
    enum { ANSWERS_MOST = 65536 };
    static const enum statement trims[] = { TRIM_EDITS, TRIM_PARTS, TRIM_SETTINGS, TRIM_ANSWERS };
    int64_t newest;
    bool done = true;

    *more = false;
    if (!beyond_limit(ledger, history_bytes, &newest, why))
        return false;
    if (!newest)
        return true;
    *more = true;
    if (!database_begin(&ledger->database, why))
        return false;
    for (size_t i = 0; done && i <= sizeof trims / sizeof *trims; i++) {
        bool last = i == sizeof trims / sizeof *trims;
        struct sqlite3_stmt *trim =
            database_ask(&ledger->database, last ? TRIM_ANSWERS_BY_NUMBER : trims[i], why);

        if (trim)
            sqlite3_bind_int64(trim, 1, last ? ANSWERS_MOST : newest);
        done = trim && database_do(&ledger->database, trim, why);
    }
    return database_end(&ledger->database, done, why) && ledger_read_horizon(ledger, why);
}

bool ledger_write_back(struct ledger *ledger, const struct view *view, bool idle,
                       int64_t history_bytes, bool *more, struct fault *why)
{
    bool done;

    if (ledger->doubtful)
        return fault_set(why, FAULT_STORAGE, "the store has failed and has not recovered yet");
    *more = true;
    if (ledger->pass == PASS_NONE && view->version > ledger->good)
        begin_pass(ledger, view);
    if (ledger->pass == PASS_WRITE)
        done = write_slice(ledger, why);
    else if (ledger->pass == PASS_SWEEP)
        done = sweep_slice(ledger, why);
    else
        done = trim_slice(ledger, history_bytes, more, why);
    if (done && !*more) {
        ledger->pass = PASS_NONE;
        *more = view->version > ledger->good;
    }
    if (done && (ledger->database.log_pages > LEDGER_LOG_PAGES ||
                 (idle && !*more && ledger->database.log_pages)))
        done = database_checkpoint(&ledger->database, why);
    return done || ledger_failed(ledger);
}

/* The scrubber */

static bool scrub_blocks(struct ledger *ledger, int64_t *place, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, SCRUB_BLOCKS, why);
    int64_t keys[5], after = *place;
    bool sound = true;
    int got = -1;

    if (!ask)
        return false;
    sqlite3_bind_int64(ask, 1, after);
    while (sound && (got = database_step(&ledger->database, ask, why)) == 1) {
        *place = sqlite3_column_int64(ask, 0);
        for (int i = 0; i < 5; i++)
            keys[i] = sqlite3_column_int64(ask, i + 1);
        if (ledger_block_sum(keys, sqlite3_column_blob(ask, 7),
                             (size_t)sqlite3_column_bytes(ask, 7)) != sqlite3_column_int64(ask, 6))
            sound = fault_set(why, FAULT_STORAGE,
                              "block %" PRId64 ", %" PRId64 " of plane %" PRId64
                              " has a wrong checksum",
                              keys[1], keys[2], keys[0]);
    }
    sqlite3_reset(ask);
    if (got == 0 && *place == after)
        *place = -1; /* on with the edits */
    return sound && got == 0;
}

static bool scrub_parts(struct ledger *ledger, int64_t version, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_PARTS, why);
    bool sound = true;
    int got = -1;

    if (!ask)
        return false;
    sqlite3_bind_int64(ask, 1, version);
    while (sound && (got = database_step(&ledger->database, ask, why)) == 1) {
        uint32_t sum = checksum_number(checksum_number(0, (uint64_t)version),
                                       (uint64_t)sqlite3_column_int64(ask, 0));

        if (checksum_add(sum, sqlite3_column_blob(ask, 2), (size_t)sqlite3_column_bytes(ask, 2)) !=
            sqlite3_column_int64(ask, 1))
            sound = fault_set(why, FAULT_STORAGE, "a part of edit %" PRId64 " has a wrong checksum",
                              version);
    }
    sqlite3_reset(ask);
    return sound && got == 0;
}

static bool scrub_edits(struct ledger *ledger, int64_t *place, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, SCRUB_EDITS, why);
    int64_t numbers[EDIT_NUMBERS], after = -(*place + 1);
    bool sound = true;
    int got = -1;

    if (!ask)
        return false;
    sqlite3_bind_int64(ask, 1, after);
    while (sound && (got = database_step(&ledger->database, ask, why)) == 1) {
        for (int i = 0; i < EDIT_NUMBERS; i++)
            numbers[i] = sqlite3_column_int64(ask, i);
        *place = -(numbers[0] + 1);
        if (ledger_edit_sum(numbers, sqlite3_column_blob(ask, 13),
                            (size_t)sqlite3_column_bytes(ask, 13)) != sqlite3_column_int64(ask, 12))
            sound =
                fault_set(why, FAULT_STORAGE, "edit %" PRId64 " has a wrong checksum", numbers[0]);
        else if (numbers[7] > LEDGER_SLICE)
            sound = scrub_parts(ledger, numbers[0], why);
    }
    sqlite3_reset(ask);
    if (got == 0 && *place == -(after + 1))
        *place = 0; /* all done */
    return sound && got == 0;
}

bool ledger_scrub(struct ledger *ledger, int64_t *place, struct fault *why)
{
    bool sound;

    if (ledger->doubtful)
        return fault_set(why, FAULT_STORAGE, "the store has failed and has not recovered yet");
    sound = *place >= 0 ? scrub_blocks(ledger, place, why) : scrub_edits(ledger, place, why);
    return sound || ledger_failed(ledger);
}

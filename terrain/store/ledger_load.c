/* From the file to a view: blocks, then the edits after them. */
#include "terrain/store/ledger.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "terrain/edit/resolve.h"
#include "terrain/store/checksum.h"

uint32_t ledger_block_sum(const int64_t keys[5], const void *data, size_t length)
{
    uint32_t sum = 0;

    for (int i = 0; i < 5; i++)
        sum = checksum_number(sum, (uint64_t)keys[i]);
    return checksum_add(sum, data, length);
}

struct settings *ledger_load_settings(struct ledger *ledger, uint64_t at, uint64_t *made,
                                      struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_SETTINGS, why);
    struct settings *settings = NULL;
    const void *data;
    size_t length;
    int got;

    if (!ask)
        return NULL;
    sqlite3_bind_int64(ask, 1, (int64_t)at);
    got = database_step(&ledger->database, ask, why);
    if (got == 0)
        fault_set(why, FAULT_STORAGE, "there are no settings for version %" PRIu64, at);
    if (got != 1)
        return NULL;
    *made = (uint64_t)sqlite3_column_int64(ask, 0);
    data = sqlite3_column_blob(ask, 2);
    length = (size_t)sqlite3_column_bytes(ask, 2);
    if (checksum_add(checksum_number(0, *made), data, length) != sqlite3_column_int64(ask, 1))
        fault_set(why, FAULT_STORAGE, "the settings of version %" PRIu64 " have a wrong checksum",
                  *made);
    else
        settings = settings_read(data, length, why);
    sqlite3_reset(ask);
    return settings;
}

/* The planes of layers that there are; rows of others wait to be swept. */
static bool load_planes(struct ledger *ledger, struct view *view, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_PLANES, why);
    bool loaded = true;
    int got = -1;

    if (!ask)
        return false;
    while (loaded && (got = database_step(&ledger->database, ask, why)) == 1) {
        uint64_t key = (uint64_t)sqlite3_column_int64(ask, 0);
        struct layer_plane *plane;

        if (!key_valid(view->settings->stack, key))
            continue;
        plane = view_layer_put(view, key, 0);
        if (!plane) {
            loaded = fault_set(why, FAULT_MEMORY, "no memory for the planes of a landscape");
            continue;
        }
        plane->born = (uint64_t)sqlite3_column_int64(ask, 3);
        plane->tree =
            tree_flat(plane->tree.plane, plane->tree.columns, plane->tree.rows,
                      (uint16_t)sqlite3_column_int(ask, 1), (uint64_t)sqlite3_column_int64(ask, 2));
    }
    sqlite3_reset(ask);
    return loaded && got == 0;
}

static const struct layer_plane *layer_of(const struct view *view, uint64_t key)
{
    for (int32_t i = 0; i < view->layers_count; i++)
        if (view->layers[i].key == key)
            return &view->layers[i];
    return NULL;
}

/* One row of the block table into its tree. */
static bool load_block(struct packer *packer, struct sqlite3_stmt *row, struct view *view,
                       struct fault *why)
{
    int64_t keys[5];
    const void *data = sqlite3_column_blob(row, 6);
    size_t length = (size_t)sqlite3_column_bytes(row, 6);
    struct block *block = NULL;
    const struct layer_plane *plane;
    struct tree *tree;
    struct rect valid;
    uint16_t flat = 0;
    bool put;

    for (int i = 0; i < 5; i++)
        keys[i] = sqlite3_column_int64(row, i);
    if (ledger_block_sum(keys, data, length) != sqlite3_column_int64(row, 5))
        return fault_set(why, FAULT_STORAGE,
                         "block %" PRId64 ", %" PRId64 " of plane %" PRId64 " has a wrong checksum",
                         keys[1], keys[2], keys[0]);
    plane = layer_of(view, (uint64_t)keys[0]);
    if (!plane || (uint64_t)keys[3] < plane->born)
        return true; /* of a layer that is no more, or before it came back */
    tree = (struct tree *)(uintptr_t)&plane->tree;
    if (keys[1] < 0 || keys[1] >= tree_blocks_across(tree) || keys[2] < 0 ||
        keys[2] >= tree_blocks_down(tree))
        return fault_set(why, FAULT_STORAGE,
                         "block %" PRId64 ", %" PRId64 " lies outside the landscape", keys[1],
                         keys[2]);
    valid = tree_block_rect(tree, (int32_t)keys[1], (int32_t)keys[2]);
    valid.x = valid.y = 0;
    if (!packer_open_block(packer, tree->plane, valid, data, length, &block, &flat, why))
        return false;
    put = tree_put(tree, (int32_t)keys[1], (int32_t)keys[2], &block, flat, (uint64_t)keys[4]);
    block_drop(block);
    return put || fault_set(why, FAULT_MEMORY, "no memory for the blocks of a landscape");
}

static bool load_blocks(struct ledger *ledger, struct view *view, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_BLOCKS, why);
    struct packer *packer = ask ? store_packer(ledger->store, why) : NULL;
    int got = -1;

    if (packer) {
        sqlite3_bind_int64(ask, 1, (int64_t)ledger->good);
        while ((got = database_step(&ledger->database, ask, why)) == 1)
            if (!load_block(packer, ask, view, why)) {
                got = -1;
                break;
            }
        sqlite3_reset(ask);
    }
    store_packer_back(ledger->store, packer);
    return got == 0;
}

/* Further parts of an edit's differences, behind the first one. */
static bool load_parts(struct ledger *ledger, struct packer *packer, uint64_t version,
                       struct bytes *raw, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_PARTS, why);
    bool loaded = ask != NULL;

    if (ask)
        sqlite3_bind_int64(ask, 1, (int64_t)version);
    for (size_t at = LEDGER_SLICE, number = 1; loaded && at < raw->length;
         at += LEDGER_SLICE, number++) {
        size_t piece = raw->length - at < LEDGER_SLICE ? raw->length - at : LEDGER_SLICE;
        uint32_t sum = checksum_number(checksum_number(0, version), number);
        int got = database_step(&ledger->database, ask, why);
        const void *data;
        size_t length;

        if (got < 0)
            return false;
        data = got ? sqlite3_column_blob(ask, 2) : NULL;
        length = got ? (size_t)sqlite3_column_bytes(ask, 2) : 0;
        if (!got || checksum_add(sum, data, length) != sqlite3_column_int64(ask, 1))
            loaded = fault_set(why, FAULT_STORAGE,
                               "part %zu of edit %" PRIu64 " is missing or has a wrong checksum",
                               number, version);
        else
            loaded = packer_open(packer, data, length, raw->data + at, piece, why);
    }
    if (ask)
        sqlite3_reset(ask);
    return loaded;
}

bool ledger_load_edit(struct ledger *ledger, struct packer *packer, struct sqlite3_stmt *row,
                      struct bytes *raw, struct fault *why)
{
    const void *data = sqlite3_column_blob(row, 13);
    size_t length = (size_t)sqlite3_column_bytes(row, 13), whole, first;
    int64_t numbers[EDIT_NUMBERS];

    for (int i = 0; i < EDIT_NUMBERS; i++)
        numbers[i] = sqlite3_column_int64(row, i);
    if (ledger_edit_sum(numbers, data, length) != sqlite3_column_int64(row, 12))
        return fault_set(why, FAULT_STORAGE, "edit %" PRId64 " has a wrong checksum", numbers[0]);
    whole = (size_t)numbers[7];
    first = whole < LEDGER_SLICE ? whole : LEDGER_SLICE;
    raw->length = 0;
    if (!bytes_reserve(raw, whole + 1, why))
        return false;
    raw->length = whole;
    return (first == 0 || packer_open(packer, data, length, raw->data, first, why)) &&
           (first == whole || load_parts(ledger, packer, (uint64_t)numbers[0], raw, why));
}

/* The version after this one, made of the edit in this row. */
static struct view *replay_edit(struct ledger *ledger, struct packer *packer,
                                const struct view *view, struct sqlite3_stmt *row,
                                struct fault *why)
{
    struct bytes *raw = packer_bytes(packer, PACKER_RAW);
    uint64_t version = (uint64_t)sqlite3_column_int64(row, 0), made = 0;
    bool settings_too = sqlite3_column_int(row, 6);
    struct settings *settings = NULL;
    struct draft *draft = NULL;
    struct view *next = NULL;
    struct change change;

    if (!ledger_load_edit(ledger, packer, row, raw, why))
        return NULL;
    draft = draft_new(view, why);
    if (!draft)
        goto done;
    if (settings_too) {
        settings = ledger_load_settings(ledger, version, &made, why);
        if (!settings || !draft_settings(draft, &settings, why))
            goto done;
    }
    if (raw->length && !difference_apply(draft, raw->data, raw->length, false, why))
        goto done;
    next = draft_finish(draft, &change, why);
    if (next && next->version != version) {
        fault_set(why, FAULT_STORAGE, "edit %" PRIu64 " does not follow version %" PRIu64, version,
                  view->version);
        view_drop(next);
        next = NULL;
    }

done:
    settings_drop(settings);
    draft_free(draft);
    return next;
}

struct view *ledger_replay(struct ledger *ledger, struct view *view, struct fault *why)
{
    struct sqlite3_stmt *ask = database_ask(&ledger->database, ASK_EDITS, why);
    struct packer *packer = ask ? store_packer(ledger->store, why) : NULL;
    int got = -1;

    if (packer) {
        sqlite3_bind_int64(ask, 1, (int64_t)view->version);
        while ((got = database_step(&ledger->database, ask, why)) == 1) {
            struct view *next = replay_edit(ledger, packer, view, ask, why);

            if (!next)
                break;
            view_drop(view);
            view = next;
        }
        sqlite3_reset(ask);
    }
    store_packer_back(ledger->store, packer);
    if (got == 0)
        return view;
    view_drop(view);
    return NULL;
}

struct view *ledger_load(struct ledger *ledger, struct fault *why)
{
    uint64_t made = 0;
    struct settings *settings = ledger_load_settings(ledger, ledger->good, &made, why);
    struct view *view;

    if (!settings)
        return NULL;
    view = view_new(&settings, ledger->incarnation, ledger->good, channels[CHANNEL_LOW].rest);
    if (!view) {
        settings_drop(settings);
        fault_set(why, FAULT_MEMORY, "no memory for a landscape");
        return NULL;
    }
    view->settings_version = made;
    view->place_version = made; /* or earlier, which the file does not tell */
    if (!load_planes(ledger, view, why) || !load_blocks(ledger, view, why) ||
        !resolve_view(view, why)) {
        view_drop(view);
        return NULL;
    }
    view_again(view);
    view = ledger_replay(ledger, view, why);
    database_relax(&ledger->database);
    return view;
}

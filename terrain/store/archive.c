#include "terrain/store/archive.h"

#include <inttypes.h>
#include <string.h>

#include "terrain/edit/resolve.h"
#include "terrain/store/checksum.h"
#include "terrain/store/pack.h"

static const unsigned char mark[8] = "lark\0\0\0\2";
enum { HEAD = 5, TAIL = 4, RECORD_MOST = 1 << 20 };

static void number_out(unsigned char *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t number_in(const unsigned char *from, int bytes)
{
    uint64_t number = 0;

    for (int i = 0; i < bytes; i++)
        number |= (uint64_t)from[i] << 8 * i;
    return number;
}

/* Writing */

struct writing {
    struct bytes *to;
    struct packer *packer;
    size_t first;  /* where the archive begins in `to` */
    size_t record; /* where the record under way begins */
    uint64_t records;
    struct fault *why;
};

static bool record_begin(struct writing *writing, char kind)
{
    const unsigned char head[HEAD] = { (unsigned char)kind };

    writing->record = writing->to->length;
    return bytes_add(writing->to, head, HEAD, writing->why);
}

static bool record_end(struct writing *writing)
{
    unsigned char *record = writing->to->data + writing->record, sum[TAIL];
    size_t length = writing->to->length - writing->record;

    number_out(record + 1, length - HEAD, 4);
    number_out(sum, checksum_add(0, record, length), TAIL);
    writing->records++;
    return bytes_add(writing->to, sum, TAIL, writing->why);
}

static bool write_settings(struct writing *writing, const struct view *view)
{
    return record_begin(writing, 'S') &&
           settings_write(view->settings, writing->to, writing->why) && record_end(writing);
}

static bool write_block(struct writing *writing, const struct tree *tree, int32_t bx, int32_t by)
{
    unsigned char place[4];

    number_out(place, (uint64_t)bx, 2);
    number_out(place + 2, (uint64_t)by, 2);
    return record_begin(writing, 'B') &&
           bytes_add(writing->to, place, sizeof place, writing->why) &&
           packer_shut_block(writing->packer, tree->plane, tree_block(tree, bx, by), writing->to,
                             writing->why) &&
           record_end(writing);
}

static bool write_plane(struct writing *writing, const struct layer_plane *plane)
{
    const struct tree *tree = &plane->tree;
    unsigned char head[10];
    uint16_t rest =
        tree->root.below ? channels[key_channel(plane->key)].rest : tree->root.summary.least;

    number_out(head, plane->key, 8);
    number_out(head + 8, rest, 2);
    if (!record_begin(writing, 'P') || !bytes_add(writing->to, head, sizeof head, writing->why) ||
        !record_end(writing))
        return false;
    for (int32_t by = 0; tree->root.below && by < tree_blocks_down(tree); by++)
        for (int32_t bx = 0; bx < tree_blocks_across(tree); bx++) {
            struct child child = tree_block(tree, bx, by);

            if ((child.below || child.summary.least != rest) && !write_block(writing, tree, bx, by))
                return false;
        }
    return true;
}

static bool write_end(struct writing *writing)
{
    unsigned char end[12];
    const unsigned char *all = writing->to->data + writing->first;

    number_out(end, writing->records, 8);
    number_out(end + 8, checksum_add(0, all, writing->to->length - writing->first), 4);
    return record_begin(writing, 'E') && bytes_add(writing->to, end, sizeof end, writing->why) &&
           record_end(writing);
}

bool archive_write(const struct view *view, struct bytes *to, struct fault *why)
{
    struct writing writing = { .to = to, .first = to->length, .why = why };
    bool written = bytes_add(to, mark, sizeof mark, why) && write_settings(&writing, view);

    if (written)
        writing.packer = packer_new(why);
    written = written && writing.packer;
    for (int32_t i = 0; written && i < view->layers_count; i++)
        written = write_plane(&writing, &view->layers[i]);
    written = written && write_end(&writing);
    packer_free(writing.packer);
    if (!written)
        to->length = writing.first;
    return written;
}

/* Reading */

struct reading {
    const unsigned char *data;
    size_t length, at;
    uint64_t records;
    struct packer *packer;
    struct fault *why;
};

struct record {
    char kind;
    const unsigned char *body;
    size_t length;
    size_t at; /* in the file */
};

static bool damaged(struct reading *reading, size_t at, const char *what)
{
    return fault_set(reading->why, FAULT_INPUT, "The archive is damaged at byte %zu: %s", at, what);
}

static bool record_next(struct reading *reading, struct record *record)
{
    const unsigned char *head = reading->data + reading->at;
    size_t left = reading->length - reading->at;

    if (left < HEAD + TAIL)
        return damaged(reading, reading->at, "it ends before its end mark");
    record->at = reading->at;
    record->kind = (char)head[0];
    record->length = (size_t)number_in(head + 1, 4);
    record->body = head + HEAD;
    if (record->length > RECORD_MOST || record->length > left - HEAD - TAIL)
        return damaged(reading, record->at, "a record is longer than what follows");
    if (checksum_add(0, head, HEAD + record->length) !=
        number_in(record->body + record->length, TAIL))
        return damaged(reading, record->at, "a checksum is wrong");
    reading->at += HEAD + record->length + TAIL;
    return true;
}

static struct view *read_settings(struct reading *reading, int64_t most)
{
    struct fault inner = { 0 };
    struct settings *settings;
    struct record record;
    struct view *view;
    int64_t vertices;

    if (!record_next(reading, &record))
        return NULL;
    if (record.kind != 'S') {
        damaged(reading, record.at, "settings were expected");
        return NULL;
    }
    settings = settings_read(record.body, record.length, &inner);
    if (!settings) {
        damaged(reading, record.at, inner.detail);
        return NULL;
    }
    vertices = (int64_t)settings->grid.columns * settings->grid.rows;
    if (vertices > most) {
        fault_set(reading->why, FAULT_IMPOSSIBLE,
                  "%" PRId64 " vertices are over this server's limit of %" PRId64
                  " for one landscape",
                  vertices, most);
        settings_drop(settings);
        return NULL;
    }
    reading->records++;
    view = view_new(&settings, 0, 1, channels[CHANNEL_LOW].rest);
    if (view)
        return view;
    settings_drop(settings);
    fault_set(reading->why, FAULT_MEMORY, "no memory for the landscape of an archive");
    return NULL;
}

/* Planes come in the order of their keys, so none comes twice. */
static bool read_plane(struct reading *reading, const struct record *record, uint64_t *last,
                       struct view *view, struct tree **tree)
{
    struct layer_plane *plane;
    uint16_t rest;
    uint64_t key;

    if (record->kind != 'P' || record->length != 10)
        return damaged(reading, record->at, "a plane was expected");
    key = number_in(record->body, 8);
    if (key <= *last || !key_valid(view->settings->stack, key))
        return damaged(reading, record->at, "a plane is of no layer, or out of order");
    *last = key;
    rest = (uint16_t)number_in(record->body + 8, 2);
    if ((uint32_t)rest >> plane_bits(channels[key_channel(key)].plane))
        return damaged(reading, record->at, "a plane has a value that it cannot have");
    plane = view_layer_put(view, key, 1);
    if (!plane)
        return fault_set(reading->why, FAULT_MEMORY, "no memory for the planes of an archive");
    plane->tree = tree_flat(plane->tree.plane, plane->tree.columns, plane->tree.rows, rest, 1);
    *tree = &plane->tree;
    return true;
}

/* Blocks come in row order, so none comes twice. */
static bool read_block(struct reading *reading, const struct record *record, struct tree *tree,
                       int64_t *last)
{
    struct fault inner = { 0 };
    struct block *block = NULL;
    struct rect valid;
    int32_t bx, by;
    uint16_t flat = 0;
    bool put;

    if (record->length < 4)
        return damaged(reading, record->at, "a block is too short");
    bx = (int32_t)number_in(record->body, 2);
    by = (int32_t)number_in(record->body + 2, 2);
    if (bx >= tree_blocks_across(tree) || by >= tree_blocks_down(tree) ||
        (int64_t)by * tree_blocks_across(tree) + bx <= *last)
        return damaged(reading, record->at, "a block lies outside or out of order");
    *last = (int64_t)by * tree_blocks_across(tree) + bx;
    valid = tree_block_rect(tree, bx, by);
    valid.x = valid.y = 0;
    if (!packer_open_block(reading->packer, tree->plane, valid, record->body + 4,
                           record->length - 4, &block, &flat, &inner)) {
        if (inner.code == FAULT_STORAGE)
            return damaged(reading, record->at, inner.detail);
        *reading->why = inner;
        return false;
    }
    put = tree_put(tree, bx, by, &block, flat, 1);
    block_drop(block);
    return put || fault_set(reading->why, FAULT_MEMORY, "no memory for the blocks of an archive");
}

static bool read_end(struct reading *reading, const struct record *record)
{
    if (record->kind != 'E' || record->length != 12 ||
        number_in(record->body, 8) != reading->records)
        return damaged(reading, record->at, "the end mark was expected");
    if (number_in(record->body + 8, 4) != checksum_add(0, reading->data, record->at))
        return damaged(reading, record->at, "the checksum of the whole is wrong");
    return reading->at == reading->length ||
           damaged(reading, reading->at, "something follows the end mark");
}

static bool read_planes(struct reading *reading, struct view *view)
{
    struct tree *tree = NULL;
    struct record record;
    uint64_t last_key = 0;
    int64_t last = -1;

    for (;; reading->records++) {
        if (!record_next(reading, &record))
            return false;
        if (record.kind == 'E')
            return read_end(reading, &record);
        if (record.kind == 'B' && tree) {
            if (!read_block(reading, &record, tree, &last))
                return false;
        } else {
            if (!read_plane(reading, &record, &last_key, view, &tree))
                return false;
            last = -1;
        }
    }
}

struct view *archive_read(const void *data, size_t length, int64_t most, struct fault *why)
{
    struct reading reading = { .data = data, .length = length, .at = sizeof mark, .why = why };
    struct view *view = NULL;
    bool whole = false;

    if (length < sizeof mark || memcmp(data, mark, sizeof mark - 1) != 0) {
        fault_set(why, FAULT_INPUT, "These %zu bytes are no archive of a landscape", length);
        return NULL;
    }
    if (reading.data[sizeof mark - 1] != mark[sizeof mark - 1]) {
        fault_set(why, FAULT_INPUT, "The archive has form %d; this server reads form %d",
                  reading.data[sizeof mark - 1], mark[sizeof mark - 1]);
        return NULL;
    }
    reading.packer = packer_new(why);
    if (reading.packer)
        view = read_settings(&reading, most);
    whole = view && read_planes(&reading, view) && resolve_view(view, why);
    packer_free(reading.packer);
    if (whole)
        return view;
    view_drop(view);
    return NULL;
}

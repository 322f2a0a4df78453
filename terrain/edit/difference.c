/* Sections, one or, where the size changed, two of different sizes: a mark with the form's number,
 * columns and rows, then a record for each block that differs: the
 * plane's key (8 bytes), block (2 and 2), rectangle in it (x, y, width - 1, height - 1, 1 byte
 * each), and the differences row by row: 16 bits for heights, which so lie at even places, where
 * packers look for numbers; a byte for weights; a bit for holes, lowest first; filled up with zeros
 * to a multiple of two. Little-endian. */
#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/edit/draft_inside.h"
#include "terrain/edit/leaf.h"

static const char mark[8] = "ldif\0\0\0\3";
enum { HEAD_BYTES = 16, RECORD_BYTES = 16 };

static uint16_t little(uint16_t value)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (uint16_t)(value << 8 | value >> 8) : value;
}

static size_t record_values(enum plane plane, struct rect rect)
{
    size_t bits = (size_t)rect.width * (size_t)rect.height * (size_t)plane_bits(plane);

    return (bits + 15) / 16 * 2;
}

static struct rect valid_part(const struct tree *tree, int32_t bx, int32_t by)
{
    struct rect valid = tree_block_rect(tree, bx, by);

    valid.x = valid.y = 0;
    return valid;
}

/* Writing */

struct writing {
    const struct tree *tree;
    uint64_t key;
    struct bytes *to;
    struct fault *why;
};

WIDE static void subtract_row(const uint16_t *is, const uint16_t *was, int32_t width, uint16_t *row)
{
    for (int32_t x = 0; x < width; x++)
        row[x] = little((uint16_t)(is[x] - was[x]));
}

static void write_values(enum plane plane, const struct child *before, const struct child *after,
                         struct rect rect, unsigned char *to)
{
    uint16_t room[2][BLOCK_SIDE], row[BLOCK_SIDE];
    size_t bit = 0;

    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        const uint16_t *was = leaf_row(plane, before, y, room[0]) + rect.x;
        const uint16_t *is = leaf_row(plane, after, y, room[1]) + rect.x;

        if (plane == PLANE_HEIGHTS) {
            subtract_row(is, was, rect.width, row);
            memcpy(to, row, (size_t)rect.width * sizeof *row);
            to += (size_t)rect.width * sizeof *row;
        } else if (plane == PLANE_WEIGHTS) {
            for (int32_t x = 0; x < rect.width; x++)
                *to++ = (unsigned char)(is[x] - was[x]);
        } else {
            for (int32_t x = 0; x < rect.width; x++, bit++)
                to[bit / 8] |= (unsigned char)((is[x] ^ was[x]) << bit % 8);
        }
    }
}

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

static bool write_record(void *context, int32_t bx, int32_t by, const struct child *before,
                         const struct child *after)
{
    const struct writing *writing = context;
    enum plane plane = writing->tree->plane;
    int64_t vertices = 0;
    struct rect rect =
        leaf_difference(plane, before, after, valid_part(writing->tree, bx, by), &vertices);
    size_t length = RECORD_BYTES + record_values(plane, rect);
    unsigned char *at;

    if (rect_empty(rect))
        return true;
    if (!bytes_reserve(writing->to, length, writing->why))
        return false;
    at = writing->to->data + writing->to->length;
    number_out(at, writing->key, 8);
    number_out(at + 8, (uint64_t)bx, 2);
    number_out(at + 10, (uint64_t)by, 2);
    at[12] = (unsigned char)rect.x;
    at[13] = (unsigned char)rect.y;
    at[14] = (unsigned char)(rect.width - 1);
    at[15] = (unsigned char)(rect.height - 1);
    if (plane != PLANE_HEIGHTS)
        memset(at + RECORD_BYTES, 0, length - RECORD_BYTES);
    write_values(plane, before, after, rect, at + RECORD_BYTES);
    writing->to->length += length;
    return true;
}

static void write_head(const struct view *view, unsigned char head[HEAD_BYTES])
{
    memcpy(head, mark, sizeof mark);
    number_out(head + 8, (uint64_t)view_grid(view)->columns, 4);
    number_out(head + 12, (uint64_t)view_grid(view)->rows, 4);
}

/* The plane of that key before and after; one that is not there is at rest. */
static bool write_plane(const struct view *before, const struct view *after, uint64_t key,
                        struct bytes *to, struct fault *why)
{
    const struct tree *was = view_layer(before, key), *is = view_layer(after, key);
    struct tree rest = channel_tree(after->settings, key, 0);
    struct writing writing = { was ? was : is, key, to, why };

    return tree_compare(was ? was : &rest, is ? is : &rest, write_record, &writing);
}

static bool write_planes(const struct view *before, const struct view *after, struct bytes *to,
                         struct fault *why)
{
    for (int32_t i = 0, k = 0; i < before->layers_count || k < after->layers_count;) {
        uint64_t was = i < before->layers_count ? before->layers[i].key : UINT64_MAX;
        uint64_t is = k < after->layers_count ? after->layers[k].key : UINT64_MAX;

        if (!write_plane(before, after, was < is ? was : is, to, why))
            return false;
        i += was <= is;
        k += is <= was;
    }
    return true;
}

/* A head of the view's size, and what differs between two that have it; NULL is one at rest. */
static bool write_section(const struct view *before, const struct view *after, struct bytes *to,
                          struct fault *why)
{
    const struct view *like = before ? before : after;
    const struct view rest = { .version = like->version, .settings = like->settings };
    unsigned char head[HEAD_BYTES];

    write_head(&rest, head);
    return bytes_add(to, head, sizeof head, why) &&
           write_planes(before ? before : &rest, after ? after : &rest, to, why);
}

bool difference_write(const struct view *before, const struct view *after, struct bytes *to,
                      struct fault *why)
{
    size_t begin = to->length;
    bool written = layout_same(before, after) ? write_section(before, after, to, why)
                                              : write_section(before, NULL, to, why) &&
                                                    write_section(NULL, after, to, why);

    if (!written)
        to->length = begin;
    return written;
}

/* Reading */

/* Adds to the block in place. Bits add modulo 2, so undoing them is doing them again. */
static void add_values(enum plane plane, struct block *block, struct rect rect,
                       const unsigned char *from, bool undo)
{
    uint16_t row[BLOCK_SIDE];
    size_t bit = 0;

    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        if (plane == PLANE_HEIGHTS) {
            uint16_t *heights = (uint16_t *)block_writable(block) + y * BLOCK_SIDE + rect.x;

            memcpy(row, from, (size_t)rect.width * sizeof *row);
            from += (size_t)rect.width * sizeof *row;
            for (int32_t x = 0; x < rect.width; x++) {
                uint16_t add = little(row[x]);

                heights[x] = (uint16_t)(undo ? heights[x] - add : heights[x] + add);
            }
            continue;
        }
        if (plane == PLANE_WEIGHTS) {
            uint8_t *weights = (uint8_t *)block_writable(block) + y * BLOCK_SIDE + rect.x;

            for (int32_t x = 0; x < rect.width; x++, from++)
                weights[x] = (uint8_t)(undo ? weights[x] - *from : weights[x] + *from);
            continue;
        }
        for (int32_t x = rect.x; x < rect.x + rect.width; x++, bit++)
            ((uint64_t *)block_writable(block))[y * 2 + (x >> 6)] ^=
                (uint64_t)(from[bit / 8] >> bit % 8 & 1) << (x & 63);
    }
}

struct record {
    uint64_t key;
    int32_t bx, by;
    struct rect rect; /* in the block */
    const unsigned char *values;
    size_t length; /* all of it */
};

/* A key that a landscape may once have had. */
static bool key_formed(uint64_t key)
{
    enum channel channel = key_channel(key);

    return channel < CHANNEL_COUNT && key_layer(key) < LAYER_IDS &&
           channels[channel].alone == (key_layer(key) == 0) &&
           channels[channel].paint == (key_paint(key) != 0);
}

/* The record at the front, wherever its block lies. */
static bool skip_record(const unsigned char *from, size_t left, struct record *record,
                        struct fault *why)
{
    if (left < RECORD_BYTES)
        return fault_set(why, FAULT_STORAGE, "differences end within a record");
    record->key = number_in(from, 8);
    if (!key_formed(record->key))
        return fault_set(why, FAULT_STORAGE, "differences name a plane %llx",
                         (unsigned long long)record->key);
    record->bx = (int32_t)number_in(from + 8, 2);
    record->by = (int32_t)number_in(from + 10, 2);
    record->rect = (struct rect){ from[12], from[13], from[14] + 1, from[15] + 1 };
    record->values = from + RECORD_BYTES;
    record->length =
        RECORD_BYTES + record_values(channels[key_channel(record->key)].plane, record->rect);
    return record->length <= left ||
           fault_set(why, FAULT_STORAGE, "differences of block (%d, %d) are cut short", record->bx,
                     record->by);
}

static bool read_record(const struct view *view, const unsigned char *from, size_t left,
                        struct record *record, struct fault *why)
{
    struct tree plane;

    if (!skip_record(from, left, record, why))
        return false;
    plane = channel_tree(view->settings, record->key, 0);
    if (record->bx < tree_blocks_across(&plane) && record->by < tree_blocks_down(&plane) &&
        rect_inside(record->rect, valid_part(&plane, record->bx, record->by)))
        return true;
    return fault_set(why, FAULT_STORAGE, "differences of block (%d, %d) outside the landscape",
                     record->bx, record->by);
}

static bool apply_record(struct draft *draft, const struct record *record, bool undo,
                         struct fault *why)
{
    struct tree *tree = draft_plane_own(draft, record->key, why);
    struct block *block;

    if (!tree)
        return false;
    block = tree_own(tree, record->bx, record->by, draft->view->version);
    if (!block)
        return draft_no_memory(why);
    add_values(tree->plane, block, record->rect, record->values, undo);
    tree_settle(tree, record->bx, record->by, record->rect);
    return channels[key_channel(record->key)].alone ||
           draft_stale(draft, channel_kind(key_channel(record->key)), record->bx, record->by, why);
}

/* Calls use for the records of sections that are of the view's size, one at least. */
typedef bool use_record(void *context, const struct record *record, struct fault *why);

static bool records_each(const struct view *view, const unsigned char *data, size_t length,
                         use_record *use, void *context, struct fault *why)
{
    unsigned char head[HEAD_BYTES];
    struct record record;
    int ours = 0;
    bool here = false;

    write_head(view, head);
    for (size_t at = 0; at < length;) {
        if (length - at >= HEAD_BYTES && memcmp(data + at, mark, sizeof mark) == 0) {
            here = memcmp(data + at, head, sizeof head) == 0;
            ours += here;
            at += HEAD_BYTES;
            continue;
        }
        if (at == 0)
            break;
        if (here) {
            if (!read_record(view, data + at, length - at, &record, why) ||
                !use(context, &record, why))
                return false;
        } else if (!skip_record(data + at, length - at, &record, why)) {
            return false;
        }
        at += record.length;
    }
    return ours == 1 ||
           fault_set(why, FAULT_STORAGE, "these are no differences of a landscape of %d x %d",
                     view_grid(view)->columns, view_grid(view)->rows);
}

struct applying {
    struct draft *draft;
    bool undo, components;
};

static bool use_applying(void *context, const struct record *record, struct fault *why)
{
    const struct applying *applying = context;

    return (!applying->components && channels[key_channel(record->key)].component) ||
           apply_record(applying->draft, record, applying->undo, why);
}

/* What settings say is gone is gone, also where differences have put it there again. */
static bool apply(struct applying *applying, const void *data, size_t length, struct fault *why)
{
    if (!draft_settle(applying->draft, why) ||
        !records_each(applying->draft->view, data, length, use_applying, applying, why))
        return false;
    draft_bury(applying->draft);
    return true;
}

bool difference_apply(struct draft *draft, const void *data, size_t length, bool undo,
                      struct fault *why)
{
    struct applying applying = { draft, undo, true };

    return apply(&applying, data, length, why);
}

bool difference_merge(struct draft *draft, const void *data, size_t length, bool undo,
                      struct fault *why)
{
    struct applying applying = { draft, undo, false };

    return apply(&applying, data, length, why);
}

static bool use_not(void *context, const struct record *record, struct fault *why)
{
    (void)context;
    (void)record;
    (void)why;
    return true;
}

bool difference_fits(const struct view *view, const void *data, size_t length)
{
    struct fault why;

    return records_each(view, data, length, use_not, NULL, &why);
}

struct visiting {
    difference_visit *visit;
    void *context;
};

static bool use_visiting(void *context, const struct record *record, struct fault *why)
{
    const struct visiting *visiting = context;
    struct rect rect = record->rect;

    (void)why;
    rect.x += record->bx * BLOCK_SIDE;
    rect.y += record->by * BLOCK_SIDE;
    return visiting->visit(visiting->context, record->key, rect);
}

bool difference_each(const struct view *view, const void *data, size_t length,
                     difference_visit *visit, void *context, struct fault *why)
{
    struct visiting visiting = { visit, context };

    return records_each(view, data, length, use_visiting, &visiting, why);
}

#include "terrain/edit/draft.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

struct draft {
    struct view *base, *view; /* view is NULL once finished */
    int64_t limit, spent;
    const struct sources *sources;
};

struct draft *draft_new(const struct view *base, struct fault *why)
{
    struct draft *draft = calloc(1, sizeof *draft);
    struct view *view = malloc(sizeof *view);

    if (!draft || !view) {
        free(draft);
        free(view);
        fault_set(why, FAULT_MEMORY, "no memory for an edit");
        return NULL;
    }
    atomic_init(&view->holders, 1);
    view->incarnation = base->incarnation;
    view->version = base->version + 1;
    view->settings_version = base->settings_version;
    view->place_version = base->place_version;
    view->settings = settings_hold(base->settings);
    for (enum plane plane = 0; plane < PLANE_COUNT; plane++)
        view->planes[plane] = tree_hold(&base->planes[plane]);
    draft->base = view_hold(base);
    draft->view = view;
    return draft;
}

void draft_free(struct draft *draft)
{
    if (!draft)
        return;
    view_drop(draft->view);
    view_drop(draft->base);
    free(draft);
}

const struct view *draft_view(const struct draft *draft)
{
    return draft->view;
}

void draft_limit(struct draft *draft, int64_t vertices)
{
    draft->limit = vertices;
}

bool draft_spend(struct draft *draft, int64_t vertices, struct fault *why)
{
    if (draft->limit && (vertices > draft->limit || draft->spent > draft->limit - vertices))
        return fault_set(why, FAULT_LIMIT,
                         "the edit touches more than %lld vertices, all its dabs counted; "
                         "use fewer or smaller dabs",
                         (long long)draft->limit);
    draft->spent += draft->limit ? vertices : 0;
    return true;
}

const struct tree *draft_surface(struct draft *draft, struct rect over, struct fault *why)
{
    (void)over;
    (void)why;
    return &draft->view->planes[PLANE_HEIGHTS];
}

void draft_lend(struct draft *draft, const struct sources *sources)
{
    draft->sources = sources;
}

const struct image *draft_image(const struct draft *draft, const char *name,
                                enum image_channel channel, struct fault *why)
{
    if (draft->sources && draft->sources->image)
        return draft->sources->image(draft->sources->context, name, channel, why);
    fault_set(why, FAULT_MISSING, "there is no raster %s", name);
    return NULL;
}

const struct view *draft_landscape(const struct draft *draft, const char *id, struct fault *why)
{
    if (draft->sources && draft->sources->landscape)
        return draft->sources->landscape(draft->sources->context, id, why);
    fault_set(why, FAULT_MISSING, "there is no landscape %s", id);
    return NULL;
}

static bool no_memory(struct fault *why)
{
    return fault_set(why, FAULT_MEMORY, "no memory for the blocks of an edit");
}

/* Writing, block by block */

/* The part of a rectangle that lies in block (bx, by), in the block's coordinates. */
static struct rect block_part(struct rect to, int32_t bx, int32_t by)
{
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    struct rect part = rect_meet(block, to);

    part.x -= block.x;
    part.y -= block.y;
    return part;
}

typedef bool write_block(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                         const void *values, int64_t stride);

/* Calls write for each block that meets `to`, values being those of the part's first vertex. */
static bool write_blocks(struct draft *draft, struct rect to, const void *values, int64_t stride,
                         size_t size, write_block *write, struct fault *why)
{
    if (rect_empty(to))
        return true;
    for (int32_t by = to.y >> BLOCK_LOG2; by <= (to.y + to.height - 1) >> BLOCK_LOG2; by++) {
        for (int32_t bx = to.x >> BLOCK_LOG2; bx <= (to.x + to.width - 1) >> BLOCK_LOG2; bx++) {
            struct rect part = block_part(to, bx, by);
            int64_t first =
                (by * BLOCK_SIDE + part.y - to.y) * stride + (bx * BLOCK_SIDE + part.x - to.x);

            if (!write(draft, bx, by, part, (const char *)values + first * (int64_t)size, stride))
                return no_memory(why);
        }
    }
    return true;
}

static bool heights_same(const struct child *leaf, struct rect part, const uint16_t *heights,
                         int64_t stride)
{
    for (int32_t y = 0; y < part.height; y++, heights += stride) {
        if (leaf->below) {
            const uint16_t *row = block_heights(leaf->below) + (part.y + y) * BLOCK_SIDE + part.x;

            if (memcmp(row, heights, (size_t)part.width * sizeof *row) != 0)
                return false;
            continue;
        }
        for (int32_t x = 0; x < part.width; x++) {
            if (heights[x] != leaf->summary.least)
                return false;
        }
    }
    return true;
}

static bool write_heights(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                          const void *values, int64_t stride)
{
    struct tree *tree = &draft->view->planes[PLANE_HEIGHTS];
    struct child leaf = tree_block(tree, bx, by);
    const uint16_t *heights = values;
    struct block *block;

    if (heights_same(&leaf, part, heights, stride))
        return true;
    block = tree_own(tree, bx, by, draft->view->version);
    if (!block)
        return false;
    for (int32_t y = part.y; y < part.y + part.height; y++, heights += stride)
        memcpy((uint16_t *)block_writable(block) + y * BLOCK_SIDE + part.x, heights,
               (size_t)part.width * sizeof *heights);
    tree_settle(tree, bx, by, part);
    return true;
}

bool draft_write_heights(struct draft *draft, struct rect to, const uint16_t *heights,
                         int64_t stride, struct fault *why)
{
    return write_blocks(draft, to, heights, stride, sizeof *heights, write_heights, why);
}

static bool write_holes(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                        const void *values, int64_t stride)
{
    struct tree *tree = &draft->view->planes[PLANE_HOLES];
    struct block *block = tree_own(tree, bx, by, draft->view->version);
    const uint8_t *holes = values;
    uint64_t *bits;

    if (!block)
        return false;
    bits = block_writable(block);
    for (int32_t y = part.y; y < part.y + part.height; y++, holes += stride) {
        for (int32_t x = part.x; x < part.x + part.width; x++) {
            uint64_t *word = &bits[y * 2 + (x >> 6)], bit = (uint64_t)1 << (x & 63);

            *word = holes[x - part.x] ? *word | bit : *word & ~bit;
        }
    }
    tree_settle(tree, bx, by, part);
    return true;
}

bool draft_write_holes(struct draft *draft, struct rect to, const uint8_t *holes, int64_t stride,
                       struct fault *why)
{
    return write_blocks(draft, to, holes, stride, sizeof *holes, write_holes, why);
}

uint16_t *draft_heights_begin(struct draft *draft, int32_t bx, int32_t by, struct fault *why)
{
    struct block *block =
        tree_own(&draft->view->planes[PLANE_HEIGHTS], bx, by, draft->view->version);

    if (block)
        return block_writable(block);
    no_memory(why);
    return NULL;
}

void draft_heights_end(struct draft *draft, int32_t bx, int32_t by, struct rect changed)
{
    tree_settle(&draft->view->planes[PLANE_HEIGHTS], bx, by, changed);
}

void draft_settings(struct draft *draft, struct settings **settings)
{
    struct view *view = draft->view;

    if (!settings_same_place(view->settings, *settings))
        view->place_version = view->version;
    settings_drop(view->settings);
    view->settings = *settings;
    view->settings_version = view->version;
    *settings = NULL;
}

/* What differs between two blocks, a band of rows at a time */

enum { BAND = 16, STRIP = 32 };

/* Values as 16-bit rows, `stride` values apart. */
struct rows {
    const uint16_t *first;
    int64_t stride;
};

/* Rows of either plane from y on; `room` is for those that do not lie in memory so. */
static struct rows leaf_rows(enum plane plane, const struct child *leaf, int32_t y, int32_t height,
                             uint16_t *room)
{
    if (leaf->below && plane == PLANE_HEIGHTS)
        return (struct rows){ block_heights(leaf->below) + y * BLOCK_SIDE, BLOCK_SIDE };
    if (!leaf->below) {
        for (int32_t x = 0; x < BLOCK_SIDE; x++)
            room[x] = leaf->summary.least;
        return (struct rows){ room, 0 };
    }
    for (int32_t i = 0; i < height * BLOCK_SIDE; i++)
        room[i] = block_value(leaf->below, i & BLOCK_MASK, y + (i >> BLOCK_LOG2));
    return (struct rows){ room, BLOCK_SIDE };
}

static const uint16_t *leaf_row(enum plane plane, const struct child *leaf, int32_t y,
                                uint16_t room[BLOCK_SIDE])
{
    return leaf_rows(plane, leaf, y, 1, room).first;
}

static bool row_same(struct rows a, struct rows b, int32_t y, int32_t width)
{
    return memcmp(a.first + y * a.stride, b.first + y * b.stride,
                  (size_t)width * sizeof *a.first) == 0;
}

/* Adds to each column's count the rows [first, end) in which it differs; all columns of a strip
 * that begins within the width. */
WIDE static void columns_count(struct rows a, struct rows b, int32_t width, int32_t first,
                               int32_t end, uint16_t *counts)
{
    for (int32_t x = 0; x < width; x += STRIP) {
        const uint16_t *was = a.first + first * a.stride + x;
        const uint16_t *is = b.first + first * b.stride + x;
        uint16_t strip[STRIP];

        memcpy(strip, counts + x, sizeof strip);
        for (int32_t y = first; y < end; y++, was += a.stride, is += b.stride) {
            for (int32_t i = 0; i < STRIP; i++)
                strip[i] = (uint16_t)(strip[i] + (was[i] != is[i]));
        }
        memcpy(counts + x, strip, sizeof strip);
    }
}

/* The rectangle of rows [top, bottom) around the columns that count; the vertices are added. */
static struct rect columns_bound(const uint16_t *counts, int32_t width, int32_t top, int32_t bottom,
                                 int64_t *vertices)
{
    int32_t left = 0, right = width;

    if (top >= bottom)
        return (struct rect){ 0 };
    while (counts[left] == 0)
        left++;
    while (counts[right - 1] == 0)
        right--;
    for (int32_t x = left; x < right; x++)
        *vertices += counts[x];
    return (struct rect){ left, top, right - left, bottom - top };
}

/* The bounding rectangle of what differs, and the vertices in it that do. */
static struct rect leaf_difference(enum plane plane, const struct child *before,
                                   const struct child *after, struct rect valid, int64_t *vertices)
{
    uint16_t room[2][BAND * BLOCK_SIDE], counts[BLOCK_SIDE] = { 0 };
    int32_t top = valid.height, bottom = 0;

    for (int32_t y = 0; y < valid.height; y += BAND) {
        int32_t first = 0, end = valid.height - y < BAND ? valid.height - y : BAND;
        struct rows was = leaf_rows(plane, before, y, end, room[0]);
        struct rows is = leaf_rows(plane, after, y, end, room[1]);

        while (first < end && row_same(was, is, first, valid.width))
            first++;
        while (first < end && row_same(was, is, end - 1, valid.width))
            end--;
        if (first == end)
            continue;
        columns_count(was, is, valid.width, first, end, counts);
        top = y + first < top ? y + first : top;
        bottom = y + end;
    }
    return columns_bound(counts, valid.width, top, bottom, vertices);
}

static struct rect valid_part(const struct view *view, int32_t bx, int32_t by)
{
    struct rect valid = tree_block_rect(&view->planes[PLANE_HEIGHTS], bx, by);

    valid.x = valid.y = 0;
    return valid;
}

/* Finishing */

struct counting {
    const struct draft *draft;
    enum plane plane;
    struct change *change;
};

/* Vertices of a block whose hole differs and whose height does too: those are counted already. */
static int64_t counted_twice(const struct draft *draft, int32_t bx, int32_t by,
                             const struct child *before, const struct child *after)
{
    struct child low[2] = { tree_block(&draft->base->planes[PLANE_HEIGHTS], bx, by),
                            tree_block(&draft->view->planes[PLANE_HEIGHTS], bx, by) };
    struct rect valid = valid_part(draft->view, bx, by);
    uint16_t room[4][BLOCK_SIDE];
    int64_t both = 0;

    for (int32_t y = 0; y < valid.height; y++) {
        const uint16_t *a = leaf_row(PLANE_HEIGHTS, &low[0], y, room[0]);
        const uint16_t *b = leaf_row(PLANE_HEIGHTS, &low[1], y, room[1]);
        const uint16_t *c = leaf_row(PLANE_HOLES, before, y, room[2]);
        const uint16_t *d = leaf_row(PLANE_HOLES, after, y, room[3]);

        for (int32_t x = 0; x < valid.width; x++)
            both += a[x] != b[x] && c[x] != d[x];
    }
    return both;
}

static bool count_block(void *context, int32_t bx, int32_t by, const struct child *before,
                        const struct child *after)
{
    struct counting *counting = context;
    struct change *change = counting->change;
    struct rect valid = valid_part(counting->draft->view, bx, by);
    struct rect dirty = leaf_difference(counting->plane, before, after, valid, &change->vertices);

    if (counting->plane == PLANE_HOLES)
        change->vertices -= counted_twice(counting->draft, bx, by, before, after);
    dirty.x += bx * BLOCK_SIDE;
    dirty.y += by * BLOCK_SIDE;
    change->dirty = rect_join(change->dirty, dirty);
    return true;
}

static bool settings_differ(const struct settings *a, const struct settings *b, bool *differ,
                            struct fault *why)
{
    struct bytes forms[2] = { { 0 }, { 0 } };
    bool written = settings_write(a, &forms[0], why) && settings_write(b, &forms[1], why);

    *differ = written && (forms[0].length != forms[1].length ||
                          memcmp(forms[0].data, forms[1].data, forms[0].length) != 0);
    bytes_free(&forms[0]);
    bytes_free(&forms[1]);
    return written;
}

struct view *draft_finish(struct draft *draft, struct change *change, struct fault *why)
{
    struct view *view = draft->view;

    *change = (struct change){ 0 };
    if (view->settings != draft->base->settings &&
        !settings_differ(view->settings, draft->base->settings, &change->settings, why))
        return NULL;
    for (enum plane plane = 0; plane < PLANE_COUNT; plane++) {
        struct counting counting = { draft, plane, change };

        tree_restore(&view->planes[plane], &draft->base->planes[plane]);
        tree_compare(&draft->base->planes[plane], &view->planes[plane], count_block, &counting);
    }
    if (!change->settings && change->vertices == 0)
        return view_hold(draft->base);
    draft->view = NULL;
    return view;
}

/* Differences: a mark with the form's number, columns and rows, then a record for each block that
 * differs: plane (1 byte), block (2 and 2), rectangle in it (x, y, width - 1, height - 1,
 * 1 byte each), a zero, and the differences row by row: 16 bits for heights, which so lie at
 * even places, where packers look for numbers; for holes one bit each, lowest first, filled up to
 * whole bytes. Little-endian. */

static const char mark[8] = "ldif\0\0\0\2";
enum { HEAD_BYTES = 16, RECORD_BYTES = 10 };

static uint16_t little(uint16_t value)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (uint16_t)(value << 8 | value >> 8) : value;
}

static size_t record_values(enum plane plane, struct rect rect)
{
    size_t values = (size_t)rect.width * (size_t)rect.height;

    return plane == PLANE_HEIGHTS ? values * 2 : (values + 7) / 8;
}

struct writing {
    const struct view *view;
    enum plane plane;
    struct bytes *to;
    struct fault *why;
};

static void write_values(enum plane plane, const struct child *before, const struct child *after,
                         struct rect rect, unsigned char *to)
{
    uint16_t room[2][BLOCK_SIDE], row[BLOCK_SIDE];
    size_t bit = 0;

    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        const uint16_t *was = leaf_row(plane, before, y, room[0]) + rect.x;
        const uint16_t *is = leaf_row(plane, after, y, room[1]) + rect.x;

        if (plane == PLANE_HEIGHTS) {
            for (int32_t x = 0; x < rect.width; x++)
                row[x] = little((uint16_t)(is[x] - was[x]));
            memcpy(to, row, (size_t)rect.width * sizeof *row);
            to += (size_t)rect.width * sizeof *row;
            continue;
        }
        for (int32_t x = 0; x < rect.width; x++, bit++)
            to[bit / 8] |= (unsigned char)((is[x] ^ was[x]) << bit % 8);
    }
}

static bool write_record(void *context, int32_t bx, int32_t by, const struct child *before,
                         const struct child *after)
{
    struct writing *writing = context;
    int64_t vertices = 0;
    struct rect rect = leaf_difference(writing->plane, before, after,
                                       valid_part(writing->view, bx, by), &vertices);
    size_t length = RECORD_BYTES + record_values(writing->plane, rect);
    unsigned char *at;

    if (rect_empty(rect))
        return true;
    if (!bytes_reserve(writing->to, length, writing->why))
        return false;
    at = writing->to->data + writing->to->length;
    memset(at, 0, writing->plane == PLANE_HEIGHTS ? RECORD_BYTES : length);
    at[0] = (unsigned char)writing->plane;
    at[1] = (unsigned char)bx;
    at[2] = (unsigned char)(bx >> 8);
    at[3] = (unsigned char)by;
    at[4] = (unsigned char)(by >> 8);
    at[5] = (unsigned char)rect.x;
    at[6] = (unsigned char)rect.y;
    at[7] = (unsigned char)(rect.width - 1);
    at[8] = (unsigned char)(rect.height - 1);
    write_values(writing->plane, before, after, rect, at + RECORD_BYTES);
    writing->to->length += length;
    return true;
}

static void write_head(const struct view *view, unsigned char head[HEAD_BYTES])
{
    memcpy(head, mark, sizeof mark);
    for (int i = 0; i < 4; i++) {
        head[8 + i] = (unsigned char)(view_grid(view)->columns >> (8 * i));
        head[12 + i] = (unsigned char)(view_grid(view)->rows >> (8 * i));
    }
}

bool difference_write(const struct view *before, const struct view *after, struct bytes *to,
                      struct fault *why)
{
    unsigned char head[HEAD_BYTES];
    size_t begin = to->length;

    write_head(after, head);
    if (!bytes_add(to, head, sizeof head, why))
        return false;
    for (enum plane plane = 0; plane < PLANE_COUNT; plane++) {
        struct writing writing = { after, plane, to, why };

        if (!tree_compare(&before->planes[plane], &after->planes[plane], write_record, &writing)) {
            to->length = begin;
            return false;
        }
    }
    return true;
}

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
        for (int32_t x = rect.x; x < rect.x + rect.width; x++, bit++)
            ((uint64_t *)block_writable(block))[y * 2 + (x >> 6)] ^=
                (uint64_t)(from[bit / 8] >> bit % 8 & 1) << (x & 63);
    }
}

/* Applies the record at the front; *used is its length. */
static bool apply_record(struct draft *draft, const unsigned char *from, size_t left, bool undo,
                         size_t *used, struct fault *why)
{
    int32_t bx, by;
    struct rect rect;
    struct tree *tree;
    struct block *block;

    if (left < RECORD_BYTES || from[0] >= PLANE_COUNT || from[9])
        return fault_set(why, FAULT_STORAGE, "differences end within a record or name plane %d",
                         left ? from[0] : -1);
    tree = &draft->view->planes[from[0]];
    bx = from[1] | from[2] << 8;
    by = from[3] | from[4] << 8;
    rect = (struct rect){ from[5], from[6], from[7] + 1, from[8] + 1 };
    if (bx >= tree_blocks_across(tree) || by >= tree_blocks_down(tree) ||
        !rect_inside(rect, valid_part(draft->view, bx, by)))
        return fault_set(why, FAULT_STORAGE, "differences of block (%d, %d) outside the landscape",
                         bx, by);
    *used = RECORD_BYTES + record_values(from[0], rect);
    if (*used > left)
        return fault_set(why, FAULT_STORAGE, "differences of block (%d, %d) are cut short", bx, by);
    block = tree_own(tree, bx, by, draft->view->version);
    if (!block)
        return no_memory(why);
    add_values(from[0], block, rect, from + RECORD_BYTES, undo);
    tree_settle(tree, bx, by, rect);
    return true;
}

bool difference_apply(struct draft *draft, const void *data, size_t length, bool undo,
                      struct fault *why)
{
    const unsigned char *from = data;
    unsigned char head[HEAD_BYTES];
    size_t used = 0;

    write_head(draft->view, head);
    if (length < sizeof head || memcmp(from, head, sizeof head) != 0)
        return fault_set(why, FAULT_STORAGE, "these are no differences of a landscape of %d x %d",
                         view_grid(draft->view)->columns, view_grid(draft->view)->rows);
    for (size_t at = sizeof head; at < length; at += used) {
        if (!apply_record(draft, from + at, length - at, undo, &used, why))
            return false;
    }
    return true;
}

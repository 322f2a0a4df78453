#include "terrain/edit/leaf.h"

#include <string.h>

#include "terrain/base/wide.h"

enum { BAND = 16, STRIP = 32 };

/* Values as 16-bit rows, `stride` values apart. */
struct rows {
    const uint16_t *first;
    int64_t stride;
};

/* Rows of a plane from y on; `room` is for those that do not lie in memory so. */
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
    if (plane == PLANE_WEIGHTS) {
        const uint8_t *weights = block_weights(leaf->below) + y * BLOCK_SIDE;

        for (int32_t i = 0; i < height * BLOCK_SIDE; i++)
            room[i] = weights[i];
        return (struct rows){ room, BLOCK_SIDE };
    }
    for (int32_t i = 0; i < height * BLOCK_SIDE; i++)
        room[i] = block_value(leaf->below, i & BLOCK_MASK, y + (i >> BLOCK_LOG2));
    return (struct rows){ room, BLOCK_SIDE };
}

const uint16_t *leaf_row(enum plane plane, const struct child *leaf, int32_t y,
                         uint16_t room[BLOCK_SIDE])
{
    return leaf_rows(plane, leaf, y, 1, room).first;
}

WIDE static void mark_codes(const uint16_t *restrict was, const uint16_t *restrict is,
                            int32_t width, uint8_t *restrict differs)
{
    for (int32_t x = 0; x < width; x++)
        differs[x] |= was[x] != is[x];
}

WIDE static void mark_weights(const uint8_t *restrict was, const uint8_t *restrict is,
                              int32_t width, uint8_t *restrict differs)
{
    for (int32_t x = 0; x < width; x++)
        differs[x] |= was[x] != is[x];
}

WIDE void leaf_count(const uint8_t differs[BLOCK_SIDE], uint16_t counts[BLOCK_SIDE])
{
    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        counts[x] = (uint16_t)(counts[x] + differs[x]);
}

bool leaf_differs(enum plane plane, const struct child *before, const struct child *after,
                  int32_t y, int32_t width, uint8_t differs[BLOCK_SIDE])
{
    uint16_t room[2][BLOCK_SIDE];
    const uint16_t *was, *is;

    if (plane == PLANE_WEIGHTS && before->below && after->below) {
        const uint8_t *a = block_weights(before->below) + y * BLOCK_SIDE;
        const uint8_t *b = block_weights(after->below) + y * BLOCK_SIDE;

        if (memcmp(a, b, (size_t)width) == 0)
            return false;
        mark_weights(a, b, width, differs);
        return true;
    }
    was = leaf_row(plane, before, y, room[0]);
    is = leaf_row(plane, after, y, room[1]);
    if (memcmp(was, is, (size_t)width * sizeof *was) == 0)
        return false;
    mark_codes(was, is, width, differs);
    return true;
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

struct rect leaf_bound(const uint16_t *counts, int32_t width, int32_t top, int32_t bottom,
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

struct rect leaf_difference(enum plane plane, const struct child *before, const struct child *after,
                            struct rect valid, int64_t *vertices)
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
    return leaf_bound(counts, valid.width, top, bottom, vertices);
}

const uint16_t *leaf_heights(const struct child *leaf, int32_t y, uint16_t room[BLOCK_SIDE])
{
    return leaf_row(PLANE_HEIGHTS, leaf, y, room);
}

const uint8_t *leaf_weights(const struct child *leaf, int32_t y, uint8_t room[BLOCK_SIDE])
{
    if (leaf->below)
        return block_weights(leaf->below) + y * BLOCK_SIDE;
    memset(room, leaf->summary.least, BLOCK_SIDE);
    return room;
}

uint64_t leaf_bits(const struct child *leaf, int i)
{
    return leaf->below ? block_bits(leaf->below)[i] : leaf->summary.least ? UINT64_MAX : 0;
}

uint64_t leaf_bits_valid(struct rect valid, int i)
{
    int32_t bits = valid.width - (i & 1) * 64;

    if (i >> 1 >= valid.height || bits <= 0)
        return 0;
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

const struct child *layer_leaf(const struct view *view, uint32_t layer, enum channel channel,
                               uint32_t paint, int32_t bx, int32_t by)
{
    static const struct child rests[CHANNEL_COUNT] = {
#define CHANNEL(name, plane, rest, paint, grid, of) [CHANNEL_##name] = { NULL, { 0, rest, rest } },
#include "terrain/core/channels.def"
#undef CHANNEL
    };
    const struct tree *tree = view_layer(view, channel_key(layer, channel, paint));

    return tree ? tree_leaf(tree, bx, by) : &rests[channel];
}

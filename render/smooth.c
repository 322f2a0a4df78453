#include "render/smooth.h"

#include <stdbool.h>
#include <string.h>

/* A jump of less than this, or of less than an eighth of the brightest neighbour, is no edge. */
enum { JUMP_LEAST = 10, SEARCH_MOST = 10 };

struct smoothing {
    int32_t width, height;
    const uint8_t *from; /* the picture as it was */
    const uint8_t *luma;
    uint8_t *to;
};

static void make_luma(const uint8_t *rgba, size_t count, uint8_t *luma)
{
    for (size_t i = 0; i < count; i++)
        luma[i] = (uint8_t)((rgba[4 * i] * 77 + rgba[4 * i + 1] * 150 + rgba[4 * i + 2] * 29) >> 8);
}

/* edges[x] is not 0 where the pixel or one beside it jumps. */
static void find_edges(const uint8_t *luma, int32_t width, uint8_t *edges)
{
    for (int32_t x = 1; x < width - 1; x++) {
        uint8_t m = luma[x], n = luma[x - width], s = luma[x + width];
        uint8_t w = luma[x - 1], e = luma[x + 1];
        uint8_t high = n > s ? n : s, low = n < s ? n : s;

        high = high > w ? high : w;
        low = low < w ? low : w;
        high = high > e ? high : e;
        low = low < e ? low : e;
        high = high > m ? high : m;
        low = low < m ? low : m;
        edges[x] = (uint8_t)(high - low) > (uint8_t)(high / 8 > JUMP_LEAST ? high / 8 : JUMP_LEAST);
    }
}

static int magnitude(int number)
{
    return number < 0 ? -number : number;
}

/* How far along the edge, `along` pixels apart in memory, the step goes on in one direction: until
 * the mean of both sides is no longer what it is here. *rises: it ends brighter. */
static int search(const uint8_t *at, ptrdiff_t along, ptrdiff_t across, int room, int middle,
                  int enough, bool *rises)
{
    int length = 0, difference = 0;

    while (length < SEARCH_MOST && length < room) {
        length++;
        difference = at[length * along] + at[length * along + across] - middle;
        if (magnitude(difference) >= enough)
            break;
    }
    *rises = difference > 0;
    return length;
}

static void blend(const struct smoothing *s, size_t at, size_t with, int share, int whole)
{
    for (int i = 0; i < 4; i++) {
        int here = s->from[4 * at + (size_t)i], there = s->from[4 * with + (size_t)i];

        s->to[4 * at + (size_t)i] = (uint8_t)(here + ((there - here) * share + whole / 2) / whole);
    }
}

static void smooth_pixel(const struct smoothing *s, int32_t x, int32_t y)
{
    ptrdiff_t width = s->width, at = y * width + x;
    const uint8_t *luma = s->luma + at;
    int m = luma[0];
    int level = magnitude(luma[-width - 1] - 2 * luma[-1] + luma[width - 1]) +
                2 * magnitude(luma[-width] - 2 * m + luma[width]) +
                magnitude(luma[-width + 1] - 2 * luma[1] + luma[width + 1]);
    int upright = magnitude(luma[-width - 1] - 2 * luma[-width] + luma[-width + 1]) +
                  2 * magnitude(luma[-1] - 2 * m + luma[1]) +
                  magnitude(luma[width - 1] - 2 * luma[width] + luma[width + 1]);
    bool flat = level >= upright; /* the edge runs along the row */
    ptrdiff_t across = flat ? width : 1, along = flat ? 1 : width;
    int before = magnitude(luma[-across] - m), after = magnitude(luma[across] - m);
    int jump = before > after ? before : after;
    int behind_room = flat ? x : y, ahead_room = flat ? s->width - 1 - x : s->height - 1 - y;
    int behind, ahead, middle, nearest, whole;
    bool behind_rises, ahead_rises, rises;

    if (before > after)
        across = -across;
    middle = m + luma[across];
    behind = search(luma, -along, across, behind_room, middle, jump / 2, &behind_rises);
    ahead = search(luma, along, across, ahead_room, middle, jump / 2, &ahead_rises);
    nearest = behind < ahead ? behind : ahead;
    whole = behind + ahead;
    rises = behind < ahead ? behind_rises : ahead_rises;
    /* Only the side that the step leaves behind moves towards the other. */
    if (jump > 0 && rises != (2 * m > middle))
        blend(s, (size_t)at, (size_t)(at + across), whole - 2 * nearest, 2 * whole);
}

static void smooth_rows(const struct smoothing *s, uint8_t *edges)
{
    for (int32_t y = 1; y < s->height - 1; y++) {
        find_edges(s->luma + (size_t)y * (size_t)s->width, s->width, edges);
        for (int32_t x = 1; x < s->width - 1; x++)
            if (edges[x])
                smooth_pixel(s, x, y);
    }
}

size_t smooth_room(int32_t width, int32_t height)
{
    return 5 * (size_t)width * (size_t)height + (size_t)width;
}

void smooth_edges(uint8_t *rgba, int32_t width, int32_t height, uint8_t *room)
{
    size_t count = (size_t)width * (size_t)height;
    struct smoothing s = {
        .width = width, .height = height, .from = room, .luma = room + 4 * count, .to = rgba
    };

    memcpy(room, rgba, 4 * count);
    make_luma(rgba, count, room + 4 * count);
    smooth_rows(&s, room + 5 * count);
}

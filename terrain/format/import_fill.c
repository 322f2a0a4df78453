/* Heights for voids: beside data the mean of what they touch, further in by pushing averages up a
 * pyramid and pulling them down again (Gortler et al. 1996, "The Lumigraph", push-pull). Time and
 * memory follow the area. */
#include <stdlib.h>
#include <string.h>

#include "terrain/format/import_heights.h"

enum { LEVELS_MOST = 20 };

struct level {
    int32_t width, height;
    uint16_t *codes;
    uint8_t *voids;
};

static size_t area(const struct level *level)
{
    return (size_t)level->width * (size_t)level->height;
}

static struct level level_above(const struct level *below)
{
    struct level level = { .width = (below->width + 1) / 2, .height = (below->height + 1) / 2 };

    level.codes = malloc(area(&level) * sizeof *level.codes);
    level.voids = malloc(area(&level));
    return level;
}

/* Each cell the mean of what its up to four children hold; whether some cell is still void. */
static bool push(const struct level *below, struct level *above)
{
    bool gaps = false;

    for (int32_t y = 0; y < above->height; y++)
        for (int32_t x = 0; x < above->width; x++) {
            size_t to = (size_t)y * (size_t)above->width + (size_t)x;
            uint32_t sum = 0, count = 0;

            for (int child = 0; child < 4; child++) {
                int32_t cx = 2 * x + (child & 1), cy = 2 * y + (child >> 1);
                size_t from = (size_t)cy * (size_t)below->width + (size_t)cx;

                if (cx < below->width && cy < below->height && !below->voids[from]) {
                    sum += below->codes[from];
                    count++;
                }
            }
            above->codes[to] = (uint16_t)(count ? (sum + count / 2) / count : 0);
            above->voids[to] = count == 0;
            gaps = gaps || count == 0;
        }
    return gaps;
}

static uint32_t cell(const struct level *level, int32_t x, int32_t y)
{
    x = x < 0 ? 0 : x >= level->width ? level->width - 1 : x;
    y = y < 0 ? 0 : y >= level->height ? level->height - 1 : y;
    return level->codes[(size_t)y * (size_t)level->width + (size_t)x];
}

/* Voids get the level above, which has none left, interpolated at their middle. */
static void pull(const struct level *above, struct level *below)
{
    for (int32_t y = 0; y < below->height; y++)
        for (int32_t x = 0; x < below->width; x++) {
            size_t to = (size_t)y * (size_t)below->width + (size_t)x;
            int32_t cx = x / 2, cy = y / 2, nx = cx + (x & 1 ? 1 : -1), ny = cy + (y & 1 ? 1 : -1);

            if (below->voids[to])
                below->codes[to] = (uint16_t)((9 * cell(above, cx, cy) + 3 * cell(above, nx, cy) +
                                               3 * cell(above, cx, ny) + cell(above, nx, ny) + 8) /
                                              16);
        }
}

/* The mean of the vertices around (x, y) that have data: of those in its row and column, else of
 * the diagonal ones; false when there are none. */
static bool mean_around(const struct level *level, int32_t x, int32_t y, uint16_t *mean)
{
    static const int32_t around[8][2] = { { 0, -1 },  { -1, 0 }, { 1, 0 },  { 0, 1 },
                                          { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
    uint32_t sum = 0, count = 0;

    for (int i = 0; i < 8 && !(i == 4 && count > 0); i++) {
        int32_t nx = x + around[i][0], ny = y + around[i][1];
        size_t from = (size_t)ny * (size_t)level->width + (size_t)nx;

        if (nx < 0 || ny < 0 || nx >= level->width || ny >= level->height || level->voids[from])
            continue;
        sum += level->codes[from];
        count++;
    }
    if (count > 0)
        *mean = (uint16_t)((sum + count / 2) / count);
    return count > 0;
}

/* Voids beside data, which are all that shows (a quad with no data is a hole), take the mean of
 * what they touch; `left` keeps those beyond. */
static void fill_rim(const struct level *all, uint8_t *left)
{
    for (int32_t y = 0; y < all->height; y++)
        for (int32_t x = 0; x < all->width; x++) {
            size_t at = (size_t)y * (size_t)all->width + (size_t)x;

            left[at] = all->voids[at] && !mean_around(all, x, y, &all->codes[at]);
        }
}

static bool push_and_pull(struct level levels[LEVELS_MOST], struct fault *why)
{
    int count = 1;
    bool gaps = true, done = false;

    for (; gaps && count < LEVELS_MOST && area(&levels[count - 1]) > 1; count++) {
        levels[count] = level_above(&levels[count - 1]);
        if (!levels[count].codes || !levels[count].voids) {
            fault_set(why, FAULT_MEMORY, "no memory to fill voids");
            count++;
            goto done;
        }
        gaps = push(&levels[count - 1], &levels[count]);
    }
    for (int i = count - 1; i > 0; i--)
        pull(&levels[i], &levels[i - 1]);
    done = true;

done:
    for (int i = 1; i < count; i++) {
        free(levels[i].codes);
        free(levels[i].voids);
    }
    return done;
}

bool import_fill(uint16_t *codes, const uint8_t *voids, int32_t width, int32_t height,
                 struct fault *why)
{
    struct level all = { width, height, codes, (uint8_t *)(uintptr_t)voids };
    struct level levels[LEVELS_MOST] = { { width, height, codes, malloc(area(&all)) } };
    bool done;

    if (!levels[0].voids)
        return fault_set(why, FAULT_MEMORY, "no memory to fill voids");
    fill_rim(&all, levels[0].voids);
    done = push_and_pull(levels, why);
    free(levels[0].voids);
    return done;
}

#include "terrain/query/planar.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 3, SMALLEST = 1 << BITS };

struct ground {
    int64_t stride;
    const double *heights;
    const uint8_t *quads;
    uint8_t bit;
};

/* Its rise to the east and to the south at its north-west vertex. */
static void rises(const struct ground *ground, int32_t x, int32_t y, double rise[2])
{
    const double *h = ground->heights + ((int64_t)y * ground->stride + x) * SMALLEST;

    rise[0] = h[1] - h[0];
    rise[1] = h[ground->stride] - h[0];
}

/* Differences of whole numbers are exact, and rough ground ends this at its first quad. */
static bool is_plane(const struct ground *ground, int32_t x, int32_t y)
{
    const int64_t stride = ground->stride, from = ((int64_t)y * stride + x) * SMALLEST;
    double rise[2];

    rises(ground, x, y, rise);
    for (int j = 0; j < SMALLEST; j++)
        for (int i = 0; i < SMALLEST; i++) {
            const int64_t at = from + j * stride + i;
            const double *h = ground->heights + at;

            if (h[1] - h[0] != rise[0] || h[stride] - h[0] != rise[1] ||
                h[stride + 1] - h[stride] != rise[0] || h[stride + 1] - h[1] != rise[1] ||
                (ground->quads && !(ground->quads[at] & ground->bit)))
                return false;
        }
    return true;
}

/* Four of a level that share vertices are one plane if they rise alike. */
static bool are_plane(const struct planar *planar, const struct ground *ground, int32_t x,
                      int32_t y, int32_t half, uint8_t level)
{
    double first[2], rise[2];

    if (x + 2 * half > planar->columns || y + 2 * half > planar->rows)
        return false;
    rises(ground, x, y, first);
    for (int k = 0; k < 4; k++) {
        const int32_t i = x + (k & 1) * half, j = y + (k >> 1) * half;

        rises(ground, i, j, rise);
        if (planar->levels[(int64_t)j * planar->columns + i] != level || rise[0] != first[0] ||
            rise[1] != first[1])
            return false;
    }
    return true;
}

static bool join(struct planar *planar, const struct ground *ground, int32_t half, uint8_t level)
{
    bool any = false;

    for (int32_t y = 0; y < planar->rows; y += 2 * half)
        for (int32_t x = 0; x < planar->columns; x += 2 * half) {
            if (!are_plane(planar, ground, x, y, half, level))
                continue;
            any = true;
            for (int32_t j = y; j < y + 2 * half; j++)
                memset(planar->levels + (int64_t)j * planar->columns + x, level + 1,
                       (size_t)half * 2);
        }
    return any;
}

bool planar_find(struct planar *planar, int32_t columns, int32_t rows, const double *heights,
                 const uint8_t *quads, uint8_t bit)
{
    const struct ground ground = { columns, heights, quads, bit };
    uint8_t level = 1;

    *planar = (struct planar){ (columns - 1) >> BITS, (rows - 1) >> BITS, NULL };
    planar->levels = malloc((size_t)planar->columns * (size_t)planar->rows + 1);
    if (!planar->levels)
        return false;
    for (int32_t y = 0; y < planar->rows; y++)
        for (int32_t x = 0; x < planar->columns; x++)
            planar->levels[(int64_t)y * planar->columns + x] = is_plane(&ground, x, y);
    for (int32_t half = 1; join(planar, &ground, half, level); half *= 2)
        level++;
    return true;
}

bool planar_at(const struct planar *planar, int32_t x, int32_t y, int32_t square[3])
{
    const int32_t i = x >> BITS, j = y >> BITS;
    int level;

    if (i < 0 || j < 0 || i >= planar->columns || j >= planar->rows)
        return false;
    level = planar->levels[(int64_t)j * planar->columns + i];
    if (level == 0)
        return false;
    square[2] = SMALLEST << (level - 1);
    square[0] = x & -square[2];
    square[1] = y & -square[2];
    return true;
}

void planar_free(struct planar *planar)
{
    free(planar->levels);
    *planar = (struct planar){ 0 };
}

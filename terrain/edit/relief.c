#include "terrain/edit/relief.h"

#include <math.h>

#include "terrain/base/angle.h"
#include "terrain/base/wide.h"

enum { ROW_MOST = BLOCK_SIDE + 2 * RELIEF_REACH_MOST };

/* Heights of rows y - reach, y and y + reach (or the border's), from `reach` west of x to as far
 * east of the last; what lies beyond the landscape is left alone. */
struct around {
    uint16_t rows[3][ROW_MOST];
    int32_t west, east;   /* columns that are there, counted from x - reach: [west, east) */
    int32_t north, south; /* how far away the outer rows are, at most reach */
};

static void around_read(const struct tree *surface, const struct grid *grid, int32_t reach,
                        int32_t x, int32_t y, int32_t count, struct around *around)
{
    int32_t columns = grid->columns, last = grid->rows - 1;
    int32_t from = x - reach > 0 ? x - reach : 0;
    int32_t to = x + count + reach < columns ? x + count + reach : columns;

    around->west = from - (x - reach);
    around->east = to - (x - reach);
    around->north = y < reach ? y : reach;
    around->south = last - y < reach ? last - y : reach;
    for (int i = 0; i < 3; i++) {
        int32_t row = y + (i == 0 ? -around->north : i == 2 ? around->south : 0);

        tree_read(surface, (struct rect){ from, row, to - from, 1 }, around->rows[i] + around->west,
                  to - from);
    }
}

static double rise_at(const struct around *around, int32_t reach, int32_t i, double step)
{
    int32_t at = i + reach, a = at - reach > around->west ? at - reach : around->west;
    int32_t b = at + reach < around->east - 1 ? at + reach : around->east - 1;

    return (around->rows[1][b] - around->rows[1][a]) / ((b - a) * step);
}

/* A row of differences, divided alike. */
WIDE static void differences(const uint16_t *from, const uint16_t *to, int32_t count, double by,
                             double *rises)
{
    for (int32_t i = 0; i < count; i++)
        rises[i] = (to[i] - from[i]) / by;
}

/* The gradient, in metres a metre. */
static void gradients(const struct tree *surface, const struct grid *grid, int32_t reach, int32_t x,
                      int32_t y, int32_t count, double *east, double *south)
{
    /* metres a quad, in codes */
    double across = grid->scale[0] / grid->scale[2] * 128;
    double down = grid->scale[1] / grid->scale[2] * 128;
    struct around around;

    around_read(surface, grid, reach, x, y, count, &around);
    differences(around.rows[0] + reach, around.rows[2] + reach, count,
                (around.north + around.south) * down, south);
    if (around.west == 0 && around.east == count + 2 * reach) {
        differences(around.rows[1], around.rows[1] + 2 * reach, count, 2 * reach * across, east);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        east[i] = rise_at(&around, reach, i, across);
}

void relief_slopes(const struct tree *surface, const struct grid *grid, int32_t reach, int32_t x,
                   int32_t y, int32_t count, double *degrees)
{
    double east[BLOCK_SIDE], south[BLOCK_SIDE];

    gradients(surface, grid, reach, x, y, count, east, south);
    for (int32_t i = 0; i < count; i++)
        east[i] = sqrt(east[i] * east[i] + south[i] * south[i]);
    angles_of_tangents(count, east, degrees);
}

void relief_aspects(const struct tree *surface, const struct grid *grid, int32_t reach, int32_t x,
                    int32_t y, int32_t count, double *degrees)
{
    double east[BLOCK_SIDE], south[BLOCK_SIDE];

    gradients(surface, grid, reach, x, y, count, east, south);
    for (int32_t i = 0; i < count; i++)
        degrees[i] = east[i] == 0 && south[i] == 0 ? -1 : angle_compass(-east[i], -south[i]);
}

void relief_curvatures(const struct tree *surface, const struct grid *grid, int32_t reach,
                       int32_t x, int32_t y, int32_t count, double *curvatures)
{
    double across = reach * grid->scale[0], down = reach * grid->scale[1];
    double up = grid->scale[2] / 128;
    struct around around;

    around_read(surface, grid, reach, x, y, count, &around);
    for (int32_t i = 0; i < count; i++) {
        const uint16_t *rows[3] = { around.rows[0] + i + reach, around.rows[1] + i + reach,
                                    around.rows[2] + i + reach };
        bool whole = i >= around.west && i + 2 * reach < around.east;
        int32_t bend[2] = { whole ? 2 * rows[1][0] - rows[1][-reach] - rows[1][reach] : 0,
                            2 * rows[1][0] - rows[0][0] - rows[2][0] };

        if (around.north < reach || around.south < reach)
            bend[1] = 0;
        curvatures[i] = bend[0] * up / (across * across) + bend[1] * up / (down * down);
    }
}

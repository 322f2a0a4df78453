#include "terrain/edit/lattice.h"

#include <math.h>

#include "terrain/base/wide.h"

/* Unit vectors in sixteen directions. */
#define NEAR 0.38268343236508977 /* sine of 22.5 degrees */
#define FAR  0.92387953251128676
#define HALF 0.70710678118654752
static const double slopes[16][2] = {
    { 1, 0 },  { FAR, NEAR },   { HALF, HALF },   { NEAR, FAR },
    { 0, 1 },  { -NEAR, FAR },  { -HALF, HALF },  { -FAR, NEAR },
    { -1, 0 }, { -FAR, -NEAR }, { -HALF, -HALF }, { -NEAR, -FAR },
    { 0, -1 }, { NEAR, -FAR },  { HALF, -HALF },  { FAR, -NEAR },
};
#define GRADIENT_RANGE 1.41421356237309505 /* so that gradient noise reaches from -1 to 1 */

uint32_t lattice_hash(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u ^ seed * 0xcb1ab31fu;

    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ h >> 16;
}

static double value_at(uint32_t x, uint32_t y, uint32_t seed)
{
    return lattice_hash(x, y, seed) / 4294967296.0 * 2 - 1;
}

static double eased(double t)
{
    return t * t * (3 - 2 * t);
}

static double eased_more(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* The cell that a row of vertices is in, as long as it is the same. */
struct cell_of {
    double column;
    double corners[4];       /* value noise */
    const double *slopes[4]; /* gradient noise */
};

static void enter_cell(const struct lattice *lattice, struct cell_of *cell, double column,
                       double row)
{
    uint32_t i = (uint32_t)(int64_t)column, j = (uint32_t)(int64_t)row;

    cell->column = column;
    for (uint32_t c = 0; c < 4; c++) {
        if (lattice->basis == LATTICE_VALUE)
            cell->corners[c] = value_at(i + (c & 1), j + (c >> 1), lattice->seed);
        else
            cell->slopes[c] = slopes[lattice_hash(i + (c & 1), j + (c >> 1), lattice->seed) >> 28];
    }
}

static double value_in(const struct cell_of *cell, double across, double down)
{
    double top, bottom;

    across = eased(across);
    top = cell->corners[0] + (cell->corners[1] - cell->corners[0]) * across;
    bottom = cell->corners[2] + (cell->corners[3] - cell->corners[2]) * across;
    return top + (bottom - top) * eased(down);
}

static double gradient_in(const struct cell_of *cell, double across, double down)
{
    double rises[4], top, bottom, share = eased_more(across);

    for (int c = 0; c < 4; c++)
        rises[c] = cell->slopes[c][0] * (across - (c & 1)) + cell->slopes[c][1] * (down - (c >> 1));
    top = rises[0] + (rises[1] - rises[0]) * share;
    bottom = rises[2] + (rises[3] - rises[2]) * share;
    return (top + (bottom - top) * eased_more(down)) * GRADIENT_RANGE;
}

WIDE void lattice_row(const struct lattice *lattice, int32_t x, int32_t y, int32_t count,
                      double *noise)
{
    double at = y / lattice->cell[1] + lattice->shift[1], row = floor(at), down = at - row;
    struct cell_of cell = { .column = NAN };

    for (int32_t k = 0; k < count; k++) {
        double along = (x + k) / lattice->cell[0] + lattice->shift[0], column = floor(along);

        if (column != cell.column)
            enter_cell(lattice, &cell, column, row);
        noise[k] = lattice->basis == LATTICE_VALUE ? value_in(&cell, along - column, down)
                                                   : gradient_in(&cell, along - column, down);
    }
}

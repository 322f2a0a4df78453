#include "terrain/edit/lattice.h"

#include <math.h>

#include "terrain/base/hash.h"
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
#define FAR_CELLS      1e15
#define GRADIENT_RANGE 1.41421356237309505 /* so that gradient noise reaches from -1 to 1 */

uint32_t lattice_hash(uint32_t x, uint32_t y, uint32_t seed)
{
    return hash32(x, y, seed);
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
    double column, row;
    double corners[4];       /* value noise */
    const double *slopes[4]; /* gradient noise */
};

static void enter_cell(enum lattice_basis basis, uint32_t seed, double column, double row,
                       struct cell_of *cell)
{
    uint32_t i = (uint32_t)(int64_t)column, j = (uint32_t)(int64_t)row;

    cell->column = column;
    cell->row = row;
    for (uint32_t c = 0; c < 4; c++) {
        if (basis == LATTICE_VALUE)
            cell->corners[c] = value_at(i + (c & 1), j + (c >> 1), seed);
        else
            cell->slopes[c] = slopes[lattice_hash(i + (c & 1), j + (c >> 1), seed) >> 28];
    }
}

static inline double value_in(const struct cell_of *cell, double across, double down)
{
    double top, bottom;

    across = eased(across);
    top = cell->corners[0] + (cell->corners[1] - cell->corners[0]) * across;
    bottom = cell->corners[2] + (cell->corners[3] - cell->corners[2]) * across;
    return top + (bottom - top) * eased(down);
}

static inline double gradient_in(const struct cell_of *cell, double across, double down)
{
    double rises[4], top, bottom, share = eased_more(across);

    for (int c = 0; c < 4; c++)
        rises[c] = cell->slopes[c][0] * (across - (c & 1)) + cell->slopes[c][1] * (down - (c >> 1));
    top = rises[0] + (rises[1] - rises[0]) * share;
    bottom = rises[2] + (rises[3] - rises[2]) * share;
    return (top + (bottom - top) * eased_more(down)) * GRADIENT_RANGE;
}

WIDE void lattice_row(enum lattice_basis basis, uint32_t seed, double size, int32_t x, int32_t y,
                      int32_t count, double *noise)
{
    double row = floor(y / size), down = y / size - row;
    struct cell_of cell = { .column = NAN };

    for (int32_t k = 0; k < count; k++) {
        double along = (x + k) / size, column = floor(along);

        if (column != cell.column)
            enter_cell(basis, seed, column, row, &cell);
        noise[k] = basis == LATTICE_VALUE ? value_in(&cell, along - column, down)
                                          : gradient_in(&cell, along - column, down);
    }
}

double lattice_at(uint32_t seed, double across, double down)
{
    double column = floor(across), row = floor(down);
    struct cell_of cell;

    if (!(fabs(column) < FAR_CELLS && fabs(row) < FAR_CELLS))
        return NAN;
    enter_cell(LATTICE_VALUE, seed, column, row, &cell);
    return value_in(&cell, across - column, down - row);
}

WIDE void lattice_slanted(const struct slant *slant, int32_t x, int32_t y, int32_t count,
                          double *noise)
{
    double first[2] = { slant->shift[0] + y * slant->by_y[0],
                        slant->shift[1] + y * slant->by_y[1] };
    struct cell_of cell = { .column = NAN };

    for (int32_t k = 0; k < count; k++) {
        double along = first[0] + (x + k) * slant->by_x[0], column = floor(along);
        double down = first[1] + (x + k) * slant->by_x[1], row = floor(down);

        if (column != cell.column || row != cell.row)
            enter_cell(LATTICE_GRADIENT, slant->seed, column, row, &cell);
        noise[k] = gradient_in(&cell, along - column, down - row);
    }
}

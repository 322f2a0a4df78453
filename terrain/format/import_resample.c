/* Vertex-aligned cubic convolution (Catmull-Rom, a = -1/2; Keys 1981). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/import_heights.h"

/* Where output i of `count` lies among `samples`: after sample `at`, by `part` of a step. The first
 * and the last coincide; the division is of whole numbers, so that no position is off. */
struct position {
    int32_t at;
    double part;
    double weights[4]; /* of samples at - 1 .. at + 2 */
};

static struct position position_of(int32_t i, int32_t count, int32_t samples)
{
    int64_t along = (int64_t)i * (samples - 1);
    struct position p = { .at = (int32_t)(along / (count - 1)) };
    double f = p.part = (double)(along % (count - 1)) / (count - 1);

    p.weights[0] = ((-0.5 * f + 1) * f - 0.5) * f;
    p.weights[1] = (1.5 * f - 2.5) * f * f + 1;
    p.weights[2] = ((-1.5 * f + 2) * f + 0.5) * f;
    p.weights[3] = (0.5 * f - 0.5) * f * f;
    return p;
}

/* Beyond the border the surface goes on straight; where that cannot be told, level. */
static double continued(double border, double inner)
{
    return isnan(inner) ? border : 2 * border - inner;
}

/* Four rows of samples around an output row, with one sample more at the west and two at the east.
 */
struct band {
    const struct raster *raster;
    int32_t first; /* the row that rows[0] holds; INT32_MIN when none */
    double *rows[4];
    bool voids[4];
};

static void read_row(const struct raster *raster, int32_t y, double *row)
{
    int32_t width = raster->width;

    raster_read(raster, 0, y, width, row + 1);
    row[0] = width > 1 ? continued(row[1], row[2]) : row[1];
    row[width + 1] = width > 1 ? continued(row[width], row[width - 1]) : row[width];
    row[width + 2] = row[width + 1]; /* has weight 0 */
}

/* Row y, which may lie one or two beyond the border. */
static void read_or_continue(const struct band *band, int32_t y, double *row, double *scratch)
{
    const struct raster *raster = band->raster;
    int32_t last = raster->height - 1, border = y < 0 ? 0 : last;

    if (y >= 0 && y <= last) {
        read_row(raster, y, row);
        return;
    }
    read_row(raster, border, row);
    if (raster->height == 1)
        return;
    read_row(raster, border == 0 ? 1 : last - 1, scratch);
    for (int32_t x = 0; x < raster->width + 3; x++)
        row[x] = continued(row[x], scratch[x]);
}

static bool some_void(const double *row, int32_t count)
{
    int32_t found = 0;

    for (int32_t x = 0; x < count; x++)
        found += row[x] != row[x];
    return found > 0;
}

/* Moves the band to begin at row `first`, reading only rows that it does not hold. */
static void band_move(struct band *band, int32_t first, double *scratch)
{
    int32_t width = band->raster->width + 3, shift = first - band->first;

    for (; band->first > INT32_MIN && shift > 0 && shift < 4; shift--, band->first++) {
        double *row = band->rows[0];

        memmove(band->rows, band->rows + 1, 3 * sizeof *band->rows);
        memmove(band->voids, band->voids + 1, 3 * sizeof *band->voids);
        band->rows[3] = row;
        read_or_continue(band, band->first + 4, row, scratch);
        band->voids[3] = some_void(row, width);
    }
    for (int i = 0; band->first != first && i < 4; i++) {
        read_or_continue(band, first + i, band->rows[i], scratch);
        band->voids[i] = some_void(band->rows[i], width);
    }
    band->first = first;
}

/* Least and greatest of the up to four samples around a point: a cubic may not leave them. */
static double clamped(const struct band *band, const struct position *x, const struct position *y,
                      double value)
{
    double least = INFINITY, greatest = -INFINITY;

    for (int j = 1; j <= 1 + (y->part > 0); j++)
        for (int i = 1; i <= 1 + (x->part > 0); i++) {
            double sample = band->rows[j][x->at + i];

            least = sample < least ? sample : least;
            greatest = sample > greatest ? sample : greatest;
        }
    return value < least ? least : value > greatest ? greatest : value;
}

/* With voids around: the cubic over what is there if that is most of its weight, else
 * the linear; NaN when all samples that the point lies between are void. */
static double value_beside_voids(const struct band *band, const struct position *x,
                                 const struct position *y)
{
    const double linear_x[4] = { 0, 1 - x->part, x->part, 0 };
    const double linear_y[4] = { 0, 1 - y->part, y->part, 0 };
    double cubic = 0, cubic_weight = 0, linear = 0, linear_weight = 0;

    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            double sample = band->rows[j][x->at + i];

            if (isnan(sample))
                continue;
            cubic += x->weights[i] * y->weights[j] * sample;
            cubic_weight += x->weights[i] * y->weights[j];
            linear += linear_x[i] * linear_y[j] * sample;
            linear_weight += linear_x[i] * linear_y[j];
        }
    if (linear_weight == 0)
        return NAN;
    return clamped(band, x, y, cubic_weight > 0.5 ? cubic / cubic_weight : linear / linear_weight);
}

static double value_at(const struct band *band, const struct position *x, const struct position *y)
{
    double value = 0;

    for (int i = 0; i < 4; i++) {
        int32_t at = x->at + i;

        value +=
            x->weights[i] * (y->weights[0] * band->rows[0][at] + y->weights[1] * band->rows[1][at] +
                             y->weights[2] * band->rows[2][at] + y->weights[3] * band->rows[3][at]);
    }
    return clamped(band, x, y, value);
}

static void resample_row(const struct band *band, const struct position *across,
                         const struct position *y, const struct import_plan *plan, uint16_t *codes,
                         uint8_t *voids)
{
    bool holes = band->voids[0] || band->voids[1] || band->voids[2] || band->voids[3];

    for (int32_t i = 0; i < plan->columns; i++) {
        double value =
            holes ? value_beside_voids(band, &across[i], y) : value_at(band, &across[i], y);

        voids[i] = isnan(value);
        codes[i] = import_code(band->raster, plan, value);
    }
}

bool import_resample(const struct raster *raster, const struct import_plan *plan, uint16_t *codes,
                     uint8_t *voids, struct fault *why)
{
    size_t row = (size_t)raster->width + 3;
    struct position *across = malloc((size_t)plan->columns * sizeof *across);
    double *memory = malloc(5 * row * sizeof *memory);
    struct band band = { .raster = raster, .first = INT32_MIN };
    bool done = false;

    if (!across || !memory) {
        fault_set(why, FAULT_MEMORY, "no memory to resample %d columns", plan->columns);
        goto done;
    }
    for (int i = 0; i < 4; i++)
        band.rows[i] = memory + (size_t)i * row;
    for (int32_t i = 0; i < plan->columns; i++)
        across[i] = position_of(i, plan->columns, raster->width);
    for (int32_t j = 0; j < plan->rows; j++) {
        struct position y = position_of(j, plan->rows, raster->height);
        size_t at = (size_t)j * (size_t)plan->columns;

        band_move(&band, y.at - 1, memory + 4 * row);
        resample_row(&band, across, &y, plan, codes + at, voids + at);
    }
    done = true;

done:
    free(across);
    free(memory);
    return done;
}

#include "terrain/edit/means.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

enum {
    SIDE_MOST = BLOCK_SIDE + 2 * MEANS_RADIUS_MOST,
    /* what costs as much as touching a vertex does: */
    READS_PER_VERTEX = 4,   /* values read and added up */
    BLENDS_PER_VERTEX = 12, /* values that a Gaussian blends */
};
const char *const means_kernels[] = { "box", "gauss", NULL };

struct means {
    struct tree before; /* the heights as they were before the dab */
    struct rect part;   /* that the values are of */
    int32_t radius;
    int kernel;
    double weights[MEANS_RADIUS_MOST + 1];   /* by distance */
    uint16_t heights[SIDE_MOST * SIDE_MOST]; /* of the part and around, on the landscape */
    union {
        uint32_t sums[SIDE_MOST * BLOCK_SIDE];
        double blends[SIDE_MOST * BLOCK_SIDE];
        uint8_t bytes[SIDE_MOST * SIDE_MOST]; /* weights on their way to `heights` */
    } across;                                 /* a row's windows added up */
    double values[BLOCK_SIDE * BLOCK_SIDE];
};

/* e to the power -x for x in 0..2, by the series of e^x, the same on every machine. */
static double exp_minus(double x)
{
    double term = 1, sum = 1;

    for (int i = 1; i < 32; i++) {
        term *= x / i;
        sum += term;
    }
    return 1 / sum;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Sums of every window of a row: `from` begins `before` vertices west of the first of `count`,
 * and has `length` vertices. */
static void row_sums(const uint16_t *from, int32_t length, int32_t before, int32_t radius,
                     int32_t count, uint32_t *sums)
{
    uint32_t sum = 0;

    for (int32_t x = 0; x < least(before + radius, length); x++)
        sum += from[x];
    for (int32_t x = 0; x < count; x++) {
        int32_t enters = before + x + radius, leaves = before + x - radius - 1;

        sum += enters < length ? from[enters] : 0;
        sum -= leaves >= 0 ? from[leaves] : 0;
        sums[x] = sum;
    }
}

static void box_means(struct means *means, struct rect around)
{
    struct rect part = means->part;
    int32_t r = means->radius, west = part.x - around.x, north = part.y - around.y;
    uint32_t *sums = means->across.sums, all[BLOCK_SIDE] = { 0 };

    for (int32_t y = 0; y < around.height; y++)
        row_sums(means->heights + y * around.width, around.width, west, r, part.width,
                 sums + y * BLOCK_SIDE);
    for (int32_t y = 0; y < least(north + r, around.height); y++) {
        for (int32_t x = 0; x < part.width; x++)
            all[x] += sums[y * BLOCK_SIDE + x];
    }
    for (int32_t y = 0; y < part.height; y++) {
        int32_t enters = north + y + r, leaves = north + y - r - 1;
        int32_t rows_in = least(enters, around.height - 1) - most(leaves, -1);

        for (int32_t x = 0; x < part.width; x++) {
            int32_t columns_in = least(west + x + r, around.width - 1) - most(west + x - r - 1, -1);

            all[x] += enters < around.height ? sums[enters * BLOCK_SIDE + x] : 0;
            all[x] -= leaves >= 0 ? sums[leaves * BLOCK_SIDE + x] : 0;
            means->values[y * BLOCK_SIDE + x] = all[x] / ((double)rows_in * (double)columns_in);
        }
    }
}

/* Weights of the vertices -before..after around one, added up. */
static double weights_sum(const struct means *means, int32_t before, int32_t after)
{
    double sum = 0;

    for (int32_t d = -least(before, means->radius); d <= least(after, means->radius); d++)
        sum += means->weights[abs(d)];
    return sum;
}

/* One row blended with its weights; the same walk as row_sums. */
WIDE static void row_blends(const struct means *means, const uint16_t *from, int32_t length,
                            int32_t before, int32_t count, const double *sums, double *blends)
{
    memset(blends, 0, (size_t)count * sizeof *blends);
    for (int32_t d = -means->radius; d <= means->radius; d++) {
        int32_t first = most(0, -before - d), end = least(count, length - before - d);
        double weight = means->weights[abs(d)];

        for (int32_t x = first; x < end; x++)
            blends[x] += weight * from[before + d + x];
    }
    for (int32_t x = 0; x < count; x++)
        blends[x] /= sums[x];
}

static void gauss_means(struct means *means, struct rect around)
{
    struct rect part = means->part;
    int32_t west = part.x - around.x, north = part.y - around.y;
    double *blends = means->across.blends, sums[BLOCK_SIDE];

    for (int32_t x = 0; x < part.width; x++)
        sums[x] = weights_sum(means, west + x, around.width - 1 - west - x);
    for (int32_t y = 0; y < around.height; y++)
        row_blends(means, means->heights + y * around.width, around.width, west, part.width, sums,
                   blends + y * BLOCK_SIDE);
    for (int32_t y = 0; y < part.height; y++) {
        double *values = means->values + y * BLOCK_SIDE;
        double sum = weights_sum(means, north + y, around.height - 1 - north - y);

        memset(values, 0, (size_t)part.width * sizeof *values);
        for (int32_t d = -means->radius; d <= means->radius; d++) {
            const double *row = blends + (north + y + d) * BLOCK_SIDE;
            double weight = means->weights[abs(d)];

            if (north + y + d < 0 || north + y + d >= around.height)
                continue;
            for (int32_t x = 0; x < part.width; x++)
                values[x] += weight * row[x];
        }
        for (int32_t x = 0; x < part.width; x++)
            values[x] /= sum;
    }
}

struct means *means_new(int kernel, int32_t radius, struct fault *why)
{
    struct means *means = malloc(sizeof *means);
    double reach = radius;

    if (!means) {
        fault_set(why, FAULT_MEMORY, "no memory for means of the ground");
        return NULL;
    }
    means->before = (struct tree){ 0 };
    means->kernel = kernel;
    means->radius = radius;
    for (int32_t d = 0; d <= radius; d++)
        means->weights[d] = exp_minus(2 * d * d / (reach * reach)); /* sigma = radius / 2 */
    return means;
}

void means_free(struct means *means)
{
    if (!means)
        return;
    tree_drop(&means->before);
    free(means);
}

static struct rect grown(struct rect box, int32_t r)
{
    return (struct rect){ box.x - r, box.y - r, box.width + 2 * r, box.height + 2 * r };
}

/* What the means of a box cost, in vertices touched: a small box reads and blends far around. */
static int64_t cost_of(const struct means *means, struct rect box)
{
    struct rect around = grown(box, means->radius);
    int64_t rows = (int64_t)around.height + box.height;
    int64_t blends = means->kernel == MEANS_GAUSS ? rows * box.width * (2 * means->radius + 1) : 0;

    return rect_area(around) / READS_PER_VERTEX + blends / BLENDS_PER_VERTEX;
}

/* Of `before`, which is NULL with a reason. */
static bool begin(struct means *means, struct draft *draft, const struct tree *before,
                  struct rect box, struct fault *why)
{
    if (!before)
        return false;
    tree_drop(&means->before);
    means->before = tree_hold(before);
    return draft_spend(draft, cost_of(means, box), why);
}

bool means_begin(struct means *means, struct draft *draft, struct rect box, struct fault *why)
{
    return begin(means, draft, draft_surface(draft, grown(box, means->radius), why), box, why);
}

bool means_begin_weights(struct means *means, struct draft *draft, int paint, struct rect box,
                         struct fault *why)
{
    return begin(means, draft, draft_weights(draft, paint, grown(box, means->radius), why), box,
                 why);
}

static void read_before(struct means *means, struct rect around)
{
    if (means->before.plane == PLANE_HEIGHTS) {
        tree_read(&means->before, around, means->heights, around.width);
        return;
    }
    tree_read(&means->before, around, means->across.bytes, around.width);
    for (int32_t i = 0; i < around.width * around.height; i++)
        means->heights[i] = means->across.bytes[i];
}

void means_make(struct means *means, struct rect part)
{
    struct rect all = { 0, 0, means->before.columns, means->before.rows };
    struct rect around = rect_meet(grown(part, means->radius), all);

    read_before(means, around);
    means->part = part;
    if (means->kernel == MEANS_BOX)
        box_means(means, around);
    else
        gauss_means(means, around);
}

const double *means_row(const struct means *means, int32_t x, int32_t y)
{
    return means->values + (y - means->part.y) * BLOCK_SIDE + (x - means->part.x);
}

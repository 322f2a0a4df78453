/* Smooth: towards the mean of the ground around, by a box or a Gaussian, as it was before the dab.
 * At the landscape's border only what lies on it counts. */
#include "terrain/edit/dab.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

enum {
    RADIUS_MOST = 64,
    SIDE_MOST = BLOCK_SIDE + 2 * RADIUS_MOST,
    RADIUS_PER_VERTEX =
        8 /* so many quads of a Gaussian's radius cost what touching a vertex does */
};
enum { KERNEL_BOX, KERNEL_GAUSS };
static const char *const kernels[] = { "box", "gauss", NULL };

struct smooth {
    struct where where;
    int kernel;
    int32_t kernel_radius; /* quads */
    double strength;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_CHOICE, struct smooth, kernel, "How neighbours weigh", .words = kernels,
             .has_value = true, .value = KERNEL_BOX),
    FIELD(struct smooth, kernel_radius, "quads", 1, RADIUS_MOST,
          "How far neighbours count; a Gaussian's sigma is half of it", .has_value = true,
          .value = 2),
    FIELD(struct smooth, strength, "", 0, 1, "Share of the way that a full force goes",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

/* Room for one block and its surroundings. */
struct room {
    uint16_t heights[SIDE_MOST * SIDE_MOST]; /* what lies on the landscape */
    union {
        uint32_t sums[SIDE_MOST * BLOCK_SIDE];
        double blends[SIDE_MOST * BLOCK_SIDE];
    } across; /* a row's windows added up */
    double means[BLOCK_SIDE * BLOCK_SIDE];
};

struct smoother {
    struct tool tool;
    struct tree before; /* the heights as they were before the dab */
    struct draft *draft;
    struct room *room;
    struct rect part; /* that the means are of */
    int32_t radius;
    int kernel;
    double strength;
    double weights[RADIUS_MOST + 1]; /* by distance */
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

static void box_means(struct smoother *smoother, struct rect around)
{
    struct rect part = smoother->part;
    int32_t r = smoother->radius, west = part.x - around.x, north = part.y - around.y;
    uint32_t *sums = smoother->room->across.sums, all[BLOCK_SIDE] = { 0 };

    for (int32_t y = 0; y < around.height; y++)
        row_sums(smoother->room->heights + y * around.width, around.width, west, r, part.width,
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
            smoother->room->means[y * BLOCK_SIDE + x] =
                all[x] / ((double)rows_in * (double)columns_in);
        }
    }
}

/* Weights of the vertices -before..after around one, added up. */
static double weights_sum(const struct smoother *smoother, int32_t before, int32_t after)
{
    double sum = 0;

    for (int32_t d = -least(before, smoother->radius); d <= least(after, smoother->radius); d++)
        sum += smoother->weights[abs(d)];
    return sum;
}

/* One row blended with its weights; the same walk as row_sums. */
WIDE static void row_blends(const struct smoother *smoother, const uint16_t *from, int32_t length,
                            int32_t before, int32_t count, const double *sums, double *blends)
{
    memset(blends, 0, (size_t)count * sizeof *blends);
    for (int32_t d = -smoother->radius; d <= smoother->radius; d++) {
        int32_t first = most(0, -before - d), end = least(count, length - before - d);
        double weight = smoother->weights[abs(d)];

        for (int32_t x = first; x < end; x++)
            blends[x] += weight * from[before + d + x];
    }
    for (int32_t x = 0; x < count; x++)
        blends[x] /= sums[x];
}

static void gauss_means(struct smoother *smoother, struct rect around)
{
    struct rect part = smoother->part;
    int32_t west = part.x - around.x, north = part.y - around.y;
    double *blends = smoother->room->across.blends, sums[BLOCK_SIDE];

    for (int32_t x = 0; x < part.width; x++)
        sums[x] = weights_sum(smoother, west + x, around.width - 1 - west - x);
    for (int32_t y = 0; y < around.height; y++)
        row_blends(smoother, smoother->room->heights + y * around.width, around.width, west,
                   part.width, sums, blends + y * BLOCK_SIDE);
    for (int32_t y = 0; y < part.height; y++) {
        double *means = smoother->room->means + y * BLOCK_SIDE;
        double sum = weights_sum(smoother, north + y, around.height - 1 - north - y);

        memset(means, 0, (size_t)part.width * sizeof *means);
        for (int32_t d = -smoother->radius; d <= smoother->radius; d++) {
            const double *row = blends + (north + y + d) * BLOCK_SIDE;
            double weight = smoother->weights[abs(d)];

            if (north + y + d < 0 || north + y + d >= around.height)
                continue;
            for (int32_t x = 0; x < part.width; x++)
                means[x] += weight * row[x];
        }
        for (int32_t x = 0; x < part.width; x++)
            means[x] /= sum;
    }
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct smoother *smoother = (struct smoother *)tool;
    int64_t dearer = smoother->kernel == KERNEL_GAUSS ? smoother->radius / RADIUS_PER_VERTEX : 0;
    int32_t r = smoother->radius;
    struct rect around = { box.x - r, box.y - r, box.width + 2 * r, box.height + 2 * r };
    const struct tree *surface = draft_surface(draft, around, why);

    if (!surface)
        return false;
    tree_drop(&smoother->before);
    smoother->before = tree_hold(surface);
    return draft_spend(draft, dearer * rect_area(box), why);
}

static bool block(struct tool *tool, struct rect part, struct fault *why)
{
    struct smoother *smoother = (struct smoother *)tool;
    int32_t r = smoother->radius;
    struct rect all = { 0, 0, smoother->before.columns, smoother->before.rows };
    struct rect around = rect_meet(
        (struct rect){ part.x - r, part.y - r, part.width + 2 * r, part.height + 2 * r }, all);

    (void)why;
    tree_read(&smoother->before, around, smoother->room->heights, around.width);
    smoother->part = part;
    if (smoother->kernel == KERNEL_BOX)
        box_means(smoother, around);
    else
        gauss_means(smoother, around);
    return true;
}

WIDE static void smooth_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                            const double *force, uint16_t *heights)
{
    const struct smoother *smoother = (const struct smoother *)tool;
    const double *means =
        smoother->room->means + (y - smoother->part.y) * BLOCK_SIDE + (x - smoother->part.x);
    double strength = smoother->strength;

    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + (means[i] - heights[i]) * (force[i] * strength));
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct smooth *smooth = takes;
    struct smoother smoother = { .tool = { .begin = begin, .block = block, .row = smooth_row },
                                 .radius = smooth->kernel_radius,
                                 .kernel = smooth->kernel,
                                 .strength = smooth->strength };
    double radius = smooth->kernel_radius;
    bool applied;

    if (!where_check(&smooth->where, draft_view(draft), why))
        return false;
    smoother.room = malloc(sizeof *smoother.room);
    if (!smoother.room)
        return fault_set(why, FAULT_MEMORY, "no memory to smooth");
    for (int32_t d = 0; d <= smooth->kernel_radius; d++)
        smoother.weights[d] = exp_minus(2 * d * d / (radius * radius)); /* sigma = radius / 2 */
    applied = where_apply(draft, &smooth->where, &smoother.tool, why);
    tree_drop(&smoother.before);
    free(smoother.room);
    return applied;
}

BRUSH_SHAPE(smooth, struct smooth, rows, -1);

const struct brush brush_smooth = {
    .name = "smooth",
    .summary = "Takes the ground towards the mean of its surroundings",
    .example = "{\"tool\":\"smooth\",\"path\":[[32,32]],\"radius\":20,\"kernel\":\"gauss\","
               "\"kernel_radius\":4,\"strength\":0.9}",
    .takes = &brush_smooth_takes,
    .apply = apply,
};

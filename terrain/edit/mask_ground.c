/* Masks of the ground itself: height, slope, aspect, curvature. */
#include "terrain/edit/mask.h"

#include <math.h>

#include "terrain/base/angle.h"

enum {
    REACH_MOST = 16,
    ROW_MOST = BLOCK_SIDE + 2 * REACH_MOST,
};

#define FADE_HELP "Over so much beyond the range it fades to nothing; 0 is a sharp edge"

struct ground {
    struct mask_base base;
    struct range range;
    int32_t reach;
};

#define RANGE_FIELD(member_, unit_, least_, greatest_, help_, ...)                                 \
    {                                                                                              \
        .name = #member_, .kind = FIELD_REAL, .at = offsetof(struct ground, range.member_),        \
        .unit = (unit_), .least = (least_), .greatest = (greatest_), .help = (help_), __VA_ARGS__  \
    }
#define REACH_FIELD                                                                                \
    FIELD(struct ground, reach, "quads", 1, REACH_MOST,                                            \
          "How far away the vertices are that a vertex is compared with", .has_value = true,       \
          .value = 1)

static bool ground_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    const struct ground *takes = masker->takes;

    (void)draft;
    masker->reach = takes->reach;
    masker->cost += 16;
    return range_check(&takes->range, why);
}

/* Heights of rows y - reach, y and y + reach (or the border's), from `reach` west of x to as far
 * east of the last; what lies beyond the landscape is left alone. */
struct around {
    uint16_t rows[3][ROW_MOST];
    int32_t west, east;   /* columns that are there, counted from x - reach: [west, east) */
    int32_t north, south; /* how far away the outer rows are, at most reach */
};

static void around_read(const struct scene *scene, int32_t reach, int32_t x, int32_t y,
                        int32_t count, struct around *around)
{
    int32_t columns = scene->grid->columns, last = scene->grid->rows - 1;
    int32_t from = x - reach > 0 ? x - reach : 0;
    int32_t to = x + count + reach < columns ? x + count + reach : columns;

    around->west = from - (x - reach);
    around->east = to - (x - reach);
    around->north = y < reach ? y : reach;
    around->south = last - y < reach ? last - y : reach;
    for (int i = 0; i < 3; i++) {
        int32_t row = y + (i == 0 ? -around->north : i == 2 ? around->south : 0);

        tree_read(scene->surface, (struct rect){ from, row, to - from, 1 },
                  around->rows[i] + around->west, to - from);
    }
}

/* The gradient, in metres a metre. */
static void gradients(const struct scene *scene, int32_t reach, int32_t x, int32_t y, int32_t count,
                      double *east, double *south)
{
    const struct grid *grid = scene->grid;
    double up = grid->scale[2] / 128;
    struct around around;
    int32_t down;

    around_read(scene, reach, x, y, count, &around);
    down = around.north + around.south;
    for (int32_t i = 0; i < count; i++) {
        int32_t at = i + reach, a = at - reach > around.west ? at - reach : around.west;
        int32_t b = at + reach < around.east - 1 ? at + reach : around.east - 1;

        east[i] = (around.rows[1][b] - around.rows[1][a]) * up / ((b - a) * grid->scale[0]);
        south[i] = (around.rows[2][at] - around.rows[0][at]) * up / (down * grid->scale[1]);
    }
}

/* Height */

static const struct field height_rows[] = {
    RANGE_FIELD(from, "m", -1e9, 1e9, "The lowest ground", .has_value = true, .value = -1e9),
    RANGE_FIELD(to, "m", -1e9, 1e9, "The highest ground", .has_value = true, .value = 1e9),
    RANGE_FIELD(fade, "m", 0, 1e9, FADE_HELP, .has_value = true),
    { .kind = FIELD_END }
};

static bool height_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    (void)draft;
    masker->reach = 0;
    masker->cost += 4;
    return range_check(&((const struct ground *)masker->takes)->range, why);
}

static void height_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                       int32_t count, double *shares)
{
    const struct ground *takes = masker->takes;
    uint16_t heights[BLOCK_SIDE];

    tree_read(scene->surface, (struct rect){ x, y, count, 1 }, heights, count);
    for (int32_t i = 0; i < count; i++)
        shares[i] = range_share(&takes->range, grid_metres(scene->grid, heights[i]));
}

MASK_SHAPE(height, struct ground, height_rows);

const struct mask mask_height = {
    .name = "height",
    .summary = "Where the ground is so high",
    .example = "{\"type\":\"height\",\"from\":-4,\"to\":300,\"fade\":2}",
    .takes = &mask_height_takes,
    .ready = height_ready,
    .row = height_row,
};

/* Slope */

static const struct field slope_rows[] = {
    RANGE_FIELD(from, "degrees", 0, 90, "The gentlest ground", .has_value = true, .value = 0),
    RANGE_FIELD(to, "degrees", 0, 90, "The steepest ground", .has_value = true, .value = 90),
    RANGE_FIELD(fade, "degrees", 0, 90, FADE_HELP, .has_value = true),
    REACH_FIELD,
    { .kind = FIELD_END }
};

static void slope_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                      int32_t count, double *shares)
{
    const struct ground *takes = masker->takes;
    double east[BLOCK_SIDE], south[BLOCK_SIDE];

    gradients(scene, takes->reach, x, y, count, east, south);
    for (int32_t i = 0; i < count; i++)
        east[i] = sqrt(east[i] * east[i] + south[i] * south[i]);
    angles_of_tangents(count, east, shares);
    for (int32_t i = 0; i < count; i++)
        shares[i] = range_share(&takes->range, shares[i]);
}

MASK_SHAPE(slope, struct ground, slope_rows);

const struct mask mask_slope = {
    .name = "slope",
    .summary = "Where the ground is so steep",
    .example = "{\"type\":\"slope\",\"from\":10,\"to\":60,\"fade\":5}",
    .takes = &mask_slope_takes,
    .ready = ground_ready,
    .row = slope_row,
};

/* Aspect */

static const struct field aspect_rows[] = {
    RANGE_FIELD(from, "degrees", 0, 360,
                "Where the range of compass directions begins; 0 is north, 90 east",
                .required = true),
    RANGE_FIELD(to, "degrees", 0, 360,
                "Where it ends, clockwise: from 315 to 45 is all that falls north",
                .required = true),
    RANGE_FIELD(fade, "degrees", 0, 180, FADE_HELP, .has_value = true),
    REACH_FIELD,
    { .kind = FIELD_END }
};

static bool aspect_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    (void)draft;
    (void)why;
    masker->reach = ((const struct ground *)masker->takes)->reach;
    masker->cost += 24;
    return true;
}

/* The angle lies as far beyond the range as the nearer of the two ways round says. */
static double aspect_share(const struct range *range, double angle)
{
    double width = range->to - range->from, past = angle - range->from, before, after;

    width += width < 0 ? 360 : 0;
    past += past < 0 ? 360 : 0;
    if (past <= width)
        return 1;
    after = past - width;
    before = 360 - past;
    after = after < before ? after : before;
    return after < range->fade ? 1 - after / range->fade : 0;
}

static void aspect_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                       int32_t count, double *shares)
{
    const struct ground *takes = masker->takes;
    double east[BLOCK_SIDE], south[BLOCK_SIDE];

    gradients(scene, takes->reach, x, y, count, east, south);
    for (int32_t i = 0; i < count; i++)
        shares[i] = east[i] == 0 && south[i] == 0
                        ? 0
                        : aspect_share(&takes->range, angle_compass(-east[i], -south[i]));
}

MASK_SHAPE(aspect, struct ground, aspect_rows);

const struct mask mask_aspect = {
    .name = "aspect",
    .summary = "Where the ground falls in such a direction",
    .example = "{\"type\":\"aspect\",\"from\":270,\"to\":90,\"fade\":20}",
    .takes = &mask_aspect_takes,
    .ready = aspect_ready,
    .row = aspect_row,
};

/* Curvature */

static const struct field curvature_rows[] = {
    RANGE_FIELD(from, "1/m", -1e9, 1e9, "The most hollow ground; hollows are below 0",
                .has_value = true, .value = -1e9),
    RANGE_FIELD(to, "1/m", -1e9, 1e9, "The most crested ground; crests are above 0",
                .has_value = true, .value = 1e9),
    RANGE_FIELD(fade, "1/m", 0, 1e9, FADE_HELP, .has_value = true),
    REACH_FIELD,
    { .kind = FIELD_END }
};

static void curvature_row(const struct masker *masker, const struct scene *scene, int32_t x,
                          int32_t y, int32_t count, double *shares)
{
    const struct ground *takes = masker->takes;
    const struct grid *grid = scene->grid;
    int32_t reach = takes->reach;
    double across = reach * grid->scale[0], down = reach * grid->scale[1];
    double up = grid->scale[2] / 128;
    struct around around;

    around_read(scene, reach, x, y, count, &around);
    for (int32_t i = 0; i < count; i++) {
        const uint16_t *rows[3] = { around.rows[0] + i + reach, around.rows[1] + i + reach,
                                    around.rows[2] + i + reach };
        bool whole = i >= around.west && i + 2 * reach < around.east;
        int32_t bend[2] = { whole ? 2 * rows[1][0] - rows[1][-reach] - rows[1][reach] : 0,
                            2 * rows[1][0] - rows[0][0] - rows[2][0] };

        if (around.north < reach || around.south < reach)
            bend[1] = 0;
        shares[i] = range_share(&takes->range,
                                bend[0] * up / (across * across) + bend[1] * up / (down * down));
    }
}

MASK_SHAPE(curvature, struct ground, curvature_rows);

const struct mask mask_curvature = {
    .name = "curvature",
    .summary = "Where the ground is so crested or hollow",
    .example = "{\"type\":\"curvature\",\"from\":0,\"to\":1000,\"reach\":2}",
    .takes = &mask_curvature_takes,
    .ready = ground_ready,
    .row = curvature_row,
};

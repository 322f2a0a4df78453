/* Masks of the ground itself: height, slope, aspect, curvature. */
#include "terrain/edit/mask.h"

#include "terrain/edit/relief.h"

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
    FIELD(struct ground, reach, "quads", 1, RELIEF_REACH_MOST,                                     \
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

    relief_slopes(scene->surface, scene->grid, takes->reach, x, y, count, shares);
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

    relief_aspects(scene->surface, scene->grid, takes->reach, x, y, count, shares);
    for (int32_t i = 0; i < count; i++)
        shares[i] = shares[i] < 0 ? 0 : aspect_share(&takes->range, shares[i]);
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

    relief_curvatures(scene->surface, scene->grid, takes->reach, x, y, count, shares);
    for (int32_t i = 0; i < count; i++)
        shares[i] = range_share(&takes->range, shares[i]);
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

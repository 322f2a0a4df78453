/* Sharpen: away from the mean of the ground around, as it was before the dab. */
#include "terrain/edit/dab.h"

#include "terrain/base/wide.h"
#include "terrain/edit/means.h"

struct sharpen {
    struct where where;
    int kernel;
    int32_t kernel_radius; /* quads */
    double strength;
};

static const struct field rows[] = {
    MEANS_FIELDS(struct sharpen),
    FIELD(struct sharpen, strength, "", 0, 10,
          "What stands out from the mean of its surroundings is added so many times more",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

struct sharpener {
    struct tool tool;
    struct means *means;
    double strength;
};

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    return means_begin(((struct sharpener *)tool)->means, draft, box, why);
}

static bool block(struct tool *tool, struct rect part, struct fault *why)
{
    (void)why;
    means_make(((struct sharpener *)tool)->means, part);
    return true;
}

WIDE static void sharpen_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                             const double *force, uint16_t *heights)
{
    const struct sharpener *sharpener = (const struct sharpener *)tool;
    const double *means = means_row(sharpener->means, x, y);
    double strength = sharpener->strength;

    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + (heights[i] - means[i]) * (force[i] * strength));
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct sharpen *sharpen = takes;
    struct sharpener sharpener = { .tool = { .begin = begin, .block = block, .row = sharpen_row },
                                   .strength = sharpen->strength };
    bool applied;

    if (!where_check(&sharpen->where, draft_view(draft), why))
        return false;
    sharpener.means = means_new(sharpen->kernel, sharpen->kernel_radius, why);
    applied = sharpener.means && where_apply(draft, &sharpen->where, &sharpener.tool, why);
    means_free(sharpener.means);
    return applied;
}

BRUSH_SHAPE(sharpen, struct sharpen, rows, -1);

const struct brush brush_sharpen = {
    .name = "sharpen",
    .summary = "Takes the ground away from the mean of its surroundings",
    .example = "{\"tool\":\"sharpen\",\"path\":[[32,32]],\"radius\":20,\"kernel\":\"gauss\","
               "\"kernel_radius\":6,\"strength\":0.7}",
    .takes = &brush_sharpen_takes,
    .apply = apply,
};

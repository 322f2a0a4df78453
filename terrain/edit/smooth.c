/* Smooth: towards the mean of the ground around, as it was before the dab. */
#include "terrain/edit/dab.h"

#include "terrain/base/wide.h"
#include "terrain/edit/means.h"
#include "terrain/edit/paint_tools.h"

struct smooth {
    struct where where;
    int kernel;
    int32_t kernel_radius; /* quads */
    double strength;
    const char *layer;
};

static const struct field rows[] = { MEANS_FIELDS(struct smooth),
                                     FIELD(struct smooth, strength, "", 0, 1,
                                           "Share of the way that a full force goes",
                                           .has_value = true, .value = 1),
                                     PAINT_LAYER_ROW(struct smooth),
                                     { .kind = FIELD_END } };

struct smoother {
    struct tool tool;
    struct means *means;
    double strength;
};

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    return means_begin(((struct smoother *)tool)->means, draft, box, why);
}

static bool block(struct tool *tool, struct rect part, struct fault *why)
{
    (void)why;
    means_make(((struct smoother *)tool)->means, part);
    return true;
}

WIDE static void smooth_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                            const double *force, uint16_t *heights)
{
    const struct smoother *smoother = (const struct smoother *)tool;
    const double *means = means_row(smoother->means, x, y);
    double strength = smoother->strength;

    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + (means[i] - heights[i]) * (force[i] * strength));
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct smooth *smooth = takes;
    struct smoother smoother = { .tool = { .begin = begin, .block = block, .row = smooth_row },
                                 .strength = smooth->strength };
    bool applied;

    if (smooth->layer)
        return paint_smooth(draft, &smooth->where,
                            &(struct paint_smooth){ smooth->layer, smooth->kernel,
                                                    smooth->kernel_radius, smooth->strength },
                            why);
    if (!where_check(&smooth->where, draft_view(draft), why))
        return false;
    smoother.means = means_new(smooth->kernel, smooth->kernel_radius, why);
    applied = smoother.means && where_apply(draft, &smooth->where, &smoother.tool, why);
    means_free(smoother.means);
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

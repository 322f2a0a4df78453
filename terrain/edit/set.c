/* Set: every vertex that feels the brush at all gets one height. */
#include "terrain/edit/dab.h"

#include "terrain/base/wide.h"

struct set {
    struct where where;
    double height; /* m */
};

static const struct field rows[] = { FIELD(struct set, height, "m", -1e9, 1e9,
                                           "The height; beyond the range it is cut off",
                                           .required = true),
                                     { .kind = FIELD_END } };

struct setter {
    struct tool tool;
    uint16_t code;
};

WIDE static void set_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                         const double *force, uint16_t *heights)
{
    uint16_t code = ((const struct setter *)tool)->code;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++)
        heights[i] = force[i] > 0 ? code : heights[i];
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct set *set = takes;
    const struct view *view = draft_view(draft);
    struct setter setter = { { .row = set_row },
                             grid_round(grid_code(view_grid(view), set->height)) };

    return where_check(&set->where, view, why) &&
           where_apply(draft, &set->where, &setter.tool, why);
}

BRUSH_SHAPE(set, struct set, rows, -1);

const struct brush brush_set = {
    .name = "set",
    .summary = "Gives every vertex that it touches one height",
    .example = "{\"tool\":\"set\",\"region\":{\"x\":8,\"y\":8,\"width\":16,\"height\":16},"
               "\"height\":12}",
    .takes = &brush_set_takes,
    .apply = apply,
};

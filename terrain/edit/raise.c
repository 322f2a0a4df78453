/* Raise and lower: add metres, or take them away. */
#include "terrain/edit/dab.h"

#include "terrain/base/wide.h"

struct amount {
    struct where where;
    double amount; /* m */
};

static const struct field rows[] = { FIELD(struct amount, amount, "m", -1e9, 1e9,
                                           "Metres at full force", .required = true),
                                     { .kind = FIELD_END } };

struct adder {
    struct tool tool;
    double codes;
};

WIDE static void add_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                         const double *force, uint16_t *heights)
{
    double codes = ((const struct adder *)tool)->codes;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + codes * force[i]);
}

static bool add(struct draft *draft, const struct amount *amount, double sign, struct fault *why)
{
    const struct view *view = draft_view(draft);
    struct adder adder = { .tool = { .row = add_row },
                           .codes = grid_codes(view_grid(view), sign * amount->amount) };

    return where_check(&amount->where, view, why) &&
           where_apply(draft, &amount->where, &adder.tool, why);
}

static bool raise_heights(struct draft *draft, const void *takes, struct fault *why)
{
    return add(draft, takes, 1, why);
}

static bool lower_heights(struct draft *draft, const void *takes, struct fault *why)
{
    return add(draft, takes, -1, why);
}

BRUSH_SHAPE(raise, struct amount, rows, -1);
BRUSH_SHAPE(lower, struct amount, rows, -1);

const struct brush brush_raise = {
    .name = "raise",
    .summary = "Adds metres",
    .example = "{\"tool\":\"raise\",\"path\":[[20,20],[40,30]],\"radius\":12,\"spacing\":4,"
               "\"amount\":2.5}",
    .takes = &brush_raise_takes,
    .apply = raise_heights,
};

const struct brush brush_lower = {
    .name = "lower",
    .summary = "Takes metres away",
    .example = "{\"tool\":\"lower\",\"path\":[[30,30]],\"radius\":10,\"falloff\":1,"
               "\"shape\":\"tip\",\"amount\":3}",
    .takes = &brush_lower_takes,
    .apply = lower_heights,
};

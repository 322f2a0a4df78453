/* Hole and unhole: open quads, or close them. A quad is named by its north-west vertex, and changes
 * where that one's force is above a half. */
#include "terrain/edit/cutter.h"

struct quads {
    struct where where;
};

static const struct field rows[] = { { .kind = FIELD_END } };

struct holer {
    struct cutter cutter;
    uint8_t to;
};

static void cut(struct cutter *cutter, int32_t x, int32_t y, int32_t count, const double *force,
                uint8_t *quads)
{
    uint8_t to = ((const struct holer *)cutter)->to;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++)
        quads[i] = force[i] > 0.5 ? to : quads[i];
}

static bool make(struct draft *draft, const void *takes, uint8_t to, struct fault *why)
{
    const struct quads *quads = takes;
    struct holer holer = { .cutter = { .cut = cut }, .to = to };

    cutter_init(&holer.cutter, draft);
    return where_check(&quads->where, draft_view(draft), why) &&
           where_apply(draft, &quads->where, &holer.cutter.tool, why);
}

static bool hole(struct draft *draft, const void *takes, struct fault *why)
{
    return make(draft, takes, QUAD_OPEN, why);
}

static bool unhole(struct draft *draft, const void *takes, struct fault *why)
{
    return make(draft, takes, QUAD_SOLID, why);
}

BRUSH_SHAPE(hole, struct quads, rows, -1);
BRUSH_SHAPE(unhole, struct quads, rows, -1);

const struct brush brush_hole = {
    .name = "hole",
    .summary = "Opens the quads whose north-west vertex has a force above a half",
    .example = "{\"tool\":\"hole\",\"path\":[[30,24]],\"radius\":8,\"falloff\":0}",
    .takes = &brush_hole_takes,
    .apply = hole,
};

const struct brush brush_unhole = {
    .name = "unhole",
    .summary = "Closes the quads whose north-west vertex has a force above a half",
    .example = "{\"tool\":\"unhole\",\"region\":{\"x\":20,\"y\":14,\"width\":20,\"height\":12}}",
    .takes = &brush_unhole_takes,
    .apply = unhole,
};

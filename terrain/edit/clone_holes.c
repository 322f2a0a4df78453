#include "terrain/edit/clone.h"
#include "terrain/edit/cutter.h"

struct puncher {
    struct cutter cutter;
    const struct cloning *cloning;
    struct tree source;
};

/* The quad of the source that holds a position; false off the source. */
static bool quad_at(const struct tree *source, double column, double row, uint8_t *quad)
{
    if (!(column >= 0 && row >= 0 && column < source->columns - 1 && row < source->rows - 1))
        return false;
    *quad = tree_value(source, (int32_t)column, (int32_t)row) ? QUAD_OPEN : QUAD_SOLID;
    return true;
}

static void punch(struct cutter *cutter, int32_t x, int32_t y, int32_t count, const double *force,
                  uint8_t *quads)
{
    const struct puncher *puncher = (const struct puncher *)cutter;
    const struct cloning *cloning = puncher->cloning;
    double row = cloning_row(cloning, y + 0.5);

    for (int32_t i = 0; i < count; i++) {
        double column = cloning_column(cloning, x + i + 0.5);
        uint8_t quad;

        if (force[i] * cloning->strength > 0.5 && quad_at(&puncher->source, column, row, &quad))
            quads[i] = quad;
    }
}

bool clone_holes(struct draft *draft, const struct where *where, const struct cloning *cloning,
                 struct fault *why)
{
    struct puncher puncher = { .cutter = { .cut = punch }, .cloning = cloning };
    const struct tree *source = cloning->other ? &cloning->other->planes[PLANE_HOLES]
                                               : draft_holes(draft, cloning->read, why);
    bool done;

    if (!source)
        return false;
    puncher.source = tree_hold(source);
    cutter_init(&puncher.cutter, draft);
    done = where_apply(draft, where, &puncher.cutter.tool, why);
    tree_drop(&puncher.source);
    return done;
}

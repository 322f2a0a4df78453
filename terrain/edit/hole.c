/* Hole and unhole: open quads, or close them. A quad is named by its north-west vertex, and changes
 * where that one's force is above a half. */
#include "terrain/edit/dab.h"

enum { OPEN = 255, SOLID = 0 };

struct quads {
    struct where where;
};

static const struct field rows[] = { { .kind = FIELD_END } };

/* The quads of one block, by their vertices. */
struct cutter {
    struct tool tool;
    uint8_t to;
    int32_t columns, rows; /* of quads on the landscape */
    int32_t x, y;          /* the block's first vertex */
    uint8_t quads[BLOCK_SIDE * BLOCK_SIDE];
};

static bool cut_open(struct tool *tool, struct draft *draft, int32_t bx, int32_t by,
                     struct fault *why)
{
    struct cutter *cutter = (struct cutter *)tool;
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    const struct tree *holes = draft_holes(draft, block, why);

    if (!holes)
        return false;
    cutter->x = bx * BLOCK_SIDE;
    cutter->y = by * BLOCK_SIDE;
    tree_read(holes, tree_block_rect(holes, bx, by), cutter->quads, BLOCK_SIDE);
    return true;
}

static void cut_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                    uint16_t *heights)
{
    struct cutter *cutter = (struct cutter *)tool;
    uint8_t *quads = cutter->quads + (y - cutter->y) * BLOCK_SIDE + (x - cutter->x);

    (void)heights;
    if (y >= cutter->rows)
        return;
    for (int32_t i = 0; i < count && x + i < cutter->columns; i++)
        quads[i] = force[i] > 0.5 ? cutter->to : quads[i];
}

static bool cut_close(struct tool *tool, struct draft *draft, struct rect rows, struct fault *why)
{
    const struct cutter *cutter = (const struct cutter *)tool;
    struct rect to = { cutter->x + rows.x, cutter->y + rows.y, rows.width, rows.height };

    return draft_write_holes(draft, to, cutter->quads + rows.y * BLOCK_SIDE + rows.x, BLOCK_SIDE,
                             why);
}

static bool cut(struct draft *draft, const void *takes, uint8_t to, struct fault *why)
{
    const struct quads *quads = takes;
    const struct grid *grid = view_grid(draft_view(draft));
    struct cutter cutter = { .tool = { .row = cut_row, .open = cut_open, .close = cut_close },
                             .to = to,
                             .columns = grid->columns - 1,
                             .rows = grid->rows - 1 };

    return where_check(&quads->where, draft_view(draft), why) &&
           where_apply(draft, &quads->where, &cutter.tool, why);
}

static bool hole(struct draft *draft, const void *takes, struct fault *why)
{
    return cut(draft, takes, OPEN, why);
}

static bool unhole(struct draft *draft, const void *takes, struct fault *why)
{
    return cut(draft, takes, SOLID, why);
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

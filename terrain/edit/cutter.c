#include "terrain/edit/cutter.h"

/* The whole block is unpacked for each dab: it costs as much as touching so many vertices. */
enum { BLOCK_COST = BLOCK_SIDE * BLOCK_SIDE / 4 };

static bool cut_open(struct tool *tool, struct draft *draft, int32_t bx, int32_t by,
                     struct fault *why)
{
    struct cutter *cutter = (struct cutter *)tool;
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    const struct tree *holes = draft_holes(draft, block, why);

    if (!holes || !draft_spend(draft, BLOCK_COST, why))
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
    if (count > cutter->columns - x)
        count = cutter->columns - x; /* the last vertex of a row names no quad */
    if (y < cutter->rows && count > 0)
        cutter->cut(cutter, x, y, count, force, quads);
}

static bool cut_close(struct tool *tool, struct draft *draft, struct rect rows, struct fault *why)
{
    const struct cutter *cutter = (const struct cutter *)tool;
    struct rect to = { cutter->x + rows.x, cutter->y + rows.y, rows.width, rows.height };

    return draft_write_holes(draft, to, cutter->quads + rows.y * BLOCK_SIDE + rows.x, BLOCK_SIDE,
                             why);
}

void cutter_init(struct cutter *cutter, const struct draft *draft)
{
    const struct grid *grid = view_grid(draft_view(draft));

    cutter->tool.open = cut_open;
    cutter->tool.row = cut_row;
    cutter->tool.close = cut_close;
    cutter->columns = grid->columns - 1;
    cutter->rows = grid->rows - 1;
}

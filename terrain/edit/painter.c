#include "terrain/edit/painter.h"

#include <string.h>

#include "terrain/core/weights.h"

enum { BLOCK_COST = 64, FEW_PER_VERTEX = 8 };

/* What the other layers cost beside the vertices themselves, which dab_apply counts: each has its
 * block copied and summed up; where they are few, eight of them cost a vertex as much as it does.
 */
static bool spend(const struct painter *painter, struct draft *draft, int32_t bx, int32_t by,
                  struct fault *why)
{
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    int64_t others = painter->block.others_count;
    int64_t vertices = rect_area(rect_meet(block, painter->tool.dab->box));

    vertices = others > WEIGHTS_FEW ? vertices : vertices / FEW_PER_VERTEX;
    return draft_spend(draft, others * (BLOCK_COST + vertices), why);
}

static bool paint_open(struct tool *tool, struct draft *draft, int32_t bx, int32_t by,
                       struct fault *why)
{
    struct painter *painter = (struct painter *)tool;
    uint8_t *rows[PAINT_LAYERS_MOST] = { NULL };
    int count = draft_view(draft)->settings->stack->paint_count;

    if (!draft_weights_begin(draft, bx, by, painter->paint, rows, why))
        return false;
    painter->block.bx = bx;
    painter->block.by = by;
    painter->block.own = rows[painter->paint];
    painter->block.others_count = 0;
    for (int i = 0; i < count; i++) {
        if (rows[i] && i != painter->paint)
            painter->block.others[painter->block.others_count++] = rows[i];
    }
    return spend(painter, draft, bx, by, why);
}

static void paint_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    struct painter *painter = (struct painter *)tool;
    int32_t at = (y & BLOCK_MASK) * BLOCK_SIDE + (x & BLOCK_MASK);
    uint8_t *own = painter->block.own + at, asked[BLOCK_SIDE], *others[PAINT_LAYERS_MOST];

    (void)heights;
    painter->ask(painter, x, y, count, force, own, asked);
    if (!painter->blended) {
        memcpy(own, asked, (size_t)count);
        return;
    }
    for (int i = 0; i < painter->block.others_count; i++)
        others[i] = painter->block.others[i] + at;
    weights_paint_row(own, asked, others, painter->block.others_count, count);
}

static bool paint_close(struct tool *tool, struct draft *draft, struct rect rows, struct fault *why)
{
    const struct painter *painter = (const struct painter *)tool;

    (void)why;
    draft_weights_end(draft, painter->block.bx, painter->block.by, rows);
    return true;
}

bool painter_init(struct painter *painter, const struct draft *draft, const char *layer,
                  struct fault *why)
{
    const struct stack *stack = draft_view(draft)->settings->stack;

    if (!stack_find_paint(stack, layer, &painter->paint, why))
        return fault_at(why, "/layer");
    painter->blended = stack->paints[painter->paint].blended;
    painter->tool.open = paint_open;
    painter->tool.row = paint_row;
    painter->tool.close = paint_close;
    return true;
}

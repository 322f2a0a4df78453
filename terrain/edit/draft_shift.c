/* The surface after an edit of one layer among several, without adding them all up again. */
#include <math.h>

#include "terrain/base/wide.h"
#include "terrain/edit/draft_inside.h"
#include "terrain/edit/height_sum.h"
#include "terrain/edit/leaf.h"

/* Whether products with whole deltas are exact, so that sums do not depend on what is in them. */
static bool exact(double alpha)
{
    double scaled = alpha * (1 << 20);

    return floor(scaled) == scaled;
}

/* Whether the block's surface is a sum, without a rounding before the last, in which the layer in
 * work counts once: then it moves by what that layer's deltas moved by. */
static bool moves_along(const struct draft *draft, int32_t bx, int32_t by)
{
    const struct edit_layer *edit = &draft->view->settings->stack->edits[draft->layer];
    struct summing all = summing_all(draft->view);
    struct height_layer layers[EDIT_LAYERS_MOST];
    int count = height_sum_layers(&all, bx, by, layers);

    for (int i = 0; i < count; i++)
        if (layers[i].blend != BLEND_ADDITIVE || !exact(layers[i].alpha))
            return false;
    /* where it counts alone, its block is shared */
    return count > 1 && edit->visible && edit->alpha == 1 && edit->blend == BLEND_ADDITIVE;
}

/* Whether any vertex that moves is at an end of the codes: it may stand for what lies beyond. */
WIDE static bool at_ends(const uint16_t *shown, const uint16_t *before, const uint16_t *now,
                         int32_t width)
{
    int any = 0;

    for (int32_t x = 0; x < width; x++)
        any |= (before[x] != now[x]) & ((shown[x] == 0) | (shown[x] == UINT16_MAX));
    return any;
}

WIDE static void shift_row(const uint16_t *before, const uint16_t *now, int32_t width,
                           uint16_t *shown)
{
    for (int32_t x = 0; x < width; x++) {
        int32_t code = shown[x] + now[x] - before[x];

        code = code > 0 ? code : 0;
        shown[x] = (uint16_t)(code < UINT16_MAX ? code : UINT16_MAX);
    }
}

static bool part_at_ends(const struct child *shown, const struct child *before,
                         const struct child *now, struct rect part)
{
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        uint16_t room[3][BLOCK_SIDE];

        if (at_ends(leaf_heights(shown, y, room[0]) + part.x,
                    leaf_heights(before, y, room[1]) + part.x,
                    leaf_heights(now, y, room[2]) + part.x, part.width))
            return true;
    }
    return false;
}

bool draft_shift(struct draft *draft, int32_t bx, int32_t by, const struct child *before,
                 const struct child *now, struct rect part, bool *shifted, struct fault *why)
{
    struct tree *surface = &draft->view->planes[PLANE_HEIGHTS];
    struct child shown = draft->heights.plain ? *before : tree_block(surface, bx, by);
    struct block *block;
    uint16_t *heights;

    *shifted = moves_along(draft, bx, by) && !part_at_ends(&shown, before, now, part);
    if (!*shifted || draft->heights.plain)
        return true; /* where the writer saw the surface, it has moved already */
    block = tree_own(surface, bx, by, draft->view->version);
    if (!block)
        return draft_no_memory(why);
    heights = block_writable(block);
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        uint16_t room[2][BLOCK_SIDE];

        shift_row(leaf_heights(before, y, room[0]) + part.x, leaf_heights(now, y, room[1]) + part.x,
                  part.width, heights + y * BLOCK_SIDE + part.x);
    }
    tree_settle(surface, bx, by, part);
    return true;
}

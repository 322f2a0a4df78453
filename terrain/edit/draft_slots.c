/* Where components keep the weights of their paint layers: a slot each, taken when paint comes and
 * freed when the last of it goes. */
#include <string.h>

#include "terrain/core/weights.h"
#include "terrain/edit/draft_inside.h"

/* The vertices of component (cx, cy). */
static struct rect component_rect(const struct layout *layout, int32_t cx, int32_t cy)
{
    int32_t quads = layout->sections * layout->section_quads;

    return (struct rect){ cx * quads, cy * quads, quads + 1, quads + 1 };
}

/* Whether there is any paint of the layer in the rectangle. */
static bool painted(const struct tree *tree, struct rect over)
{
    uint8_t row[BLOCK_SIDE];

    if (!tree || tree_bounds(tree, over).greatest == 0)
        return false;
    for (int32_t y = over.y; y < over.y + over.height; y++) {
        for (int32_t x = over.x; x < over.x + over.width; x += BLOCK_SIDE) {
            int32_t count =
                over.x + over.width - x < BLOCK_SIDE ? over.x + over.width - x : BLOCK_SIDE;

            tree_read(tree, (struct rect){ x, y, count, 1 }, row, count);
            for (int32_t i = 0; i < count; i++)
                if (row[i])
                    return true;
        }
    }
    return false;
}

static uint16_t slot_at(const struct draft *draft, uint32_t paint, int32_t cx, int32_t cy)
{
    const struct tree *tree = view_layer(draft->view, channel_key(0, CHANNEL_SLOTS, paint));

    return tree ? tree_value(tree, cx, cy) : 0;
}

static bool slot_put(struct draft *draft, uint32_t paint, int32_t cx, int32_t cy, uint16_t slot,
                     struct fault *why)
{
    struct tree *tree = draft_plane_own(draft, channel_key(0, CHANNEL_SLOTS, paint), why);
    struct block *block =
        tree ? tree_own(tree, cx >> BLOCK_LOG2, cy >> BLOCK_LOG2, draft->view->version) : NULL;
    int32_t x = cx & BLOCK_MASK, y = cy & BLOCK_MASK;

    if (!block)
        return draft_no_memory(why);
    ((uint16_t *)block_writable(block))[y * BLOCK_SIDE + x] = slot;
    tree_settle(tree, cx >> BLOCK_LOG2, cy >> BLOCK_LOG2, (struct rect){ x, y, 1, 1 });
    return true;
}

static bool component_slots(struct draft *draft, int32_t cx, int32_t cy, struct fault *why)
{
    const struct stack *stack = draft->view->settings->stack;
    struct rect over = component_rect(&draft->view->settings->layout, cx, cy);
    uint16_t was[PAINT_LAYERS_MOST], slots[PAINT_LAYERS_MOST];
    bool there[PAINT_LAYERS_MOST];

    for (int p = 0; p < stack->paint_count; p++) {
        slots[p] = was[p] = slot_at(draft, stack->paints[p].id, cx, cy);
        there[p] = painted(view_weights(draft->view, stack->paints[p].id), over);
        if (!there[p])
            slots_release(slots, p);
    }
    for (int p = 0; p < stack->paint_count; p++)
        if (there[p])
            slots_take(slots, stack->paint_count, p);
    for (int p = 0; p < stack->paint_count; p++)
        if (slots[p] != was[p] && !slot_put(draft, stack->paints[p].id, cx, cy, slots[p], why))
            return false;
    return true;
}

struct reaching {
    struct rect dirty;
};

static bool reach(void *context, int32_t bx, int32_t by, const struct child *before,
                  const struct child *after)
{
    struct reaching *reaching = context;

    (void)before;
    (void)after;
    reaching->dirty = rect_join(
        reaching->dirty, (struct rect){ bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE });
    return true;
}

/* Around all blocks whose weights are not the base's. */
static struct rect weights_dirty(const struct draft *draft)
{
    const struct grid *grid = view_grid(draft->view);
    struct tree rest = tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 1);
    struct reaching reaching = { { 0 } };

    if (!layout_same(draft->base, draft->view))
        return draft->view->weights_count ? view_rect(draft->view) : reaching.dirty;

    for (int32_t i = 0; i < draft->view->weights_count; i++) {
        const struct paint_plane *plane = &draft->view->weights[i];
        const struct tree *was = view_weights(draft->base, plane->paint);

        tree_compare(was ? was : &rest, &plane->tree, reach, &reaching);
    }
    for (int32_t i = 0; i < draft->base->weights_count; i++)
        if (!view_weights(draft->view, draft->base->weights[i].paint))
            tree_compare(&draft->base->weights[i].tree, &rest, reach, &reaching);
    return rect_meet(reaching.dirty, view_rect(draft->view));
}

bool draft_slots(struct draft *draft, struct fault *why)
{
    const struct layout *layout = &draft->view->settings->layout;
    struct rect dirty = weights_dirty(draft), components;

    if (rect_empty(dirty))
        return true;
    components = layout_dirty_components(layout, dirty);
    for (int32_t cy = components.y; cy < components.y + components.height; cy++)
        for (int32_t cx = components.x; cx < components.x + components.width; cx++)
            if (!component_slots(draft, cx, cy, why))
                return false;
    return true;
}

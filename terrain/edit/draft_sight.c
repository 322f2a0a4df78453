/* What a writer sees: the surface up to and including the layer in work. */
#include "terrain/edit/draft_inside.h"

#include <stdlib.h>

#include "terrain/edit/leaf.h"

static bool above_holds(const struct draft *draft, enum plane plane)
{
    const struct stack *stack = draft->view->settings->stack;

    for (int i = draft->layer + 1; i < stack->edit_count; i++)
        if (stack->edits[i].visible && layer_holds(draft->view, stack->edits[i].id, plane))
            return true;
    return false;
}

static bool sees_resolved(const struct draft *draft, enum plane plane)
{
    const struct edit_layer *edit = &draft->view->settings->stack->edits[draft->layer];
    double alpha = plane == PLANE_HEIGHTS   ? edit->alpha
                   : plane == PLANE_WEIGHTS ? edit_layer_weights_alpha(edit)
                                            : 1;

    return edit->visible && alpha == 1 && !above_holds(draft, plane);
}

static bool below_holds(const struct draft *draft, enum plane plane)
{
    const struct stack *stack = draft->view->settings->stack;

    for (int i = 0; i < draft->layer; i++)
        if (stack->edits[i].visible && layer_holds(draft->view, stack->edits[i].id, plane))
            return true;
    return false;
}

static bool rests(const struct draft *draft, uint32_t layer, enum channel channel)
{
    const struct tree *tree = view_layer(draft->view, channel_key(layer, channel, 0));

    return !tree || leaf_rests(&tree->root, channel);
}

/* Whether what the layer adds is one plane of it, and all that there is. */
static bool sees_own(const struct draft *draft, enum plane plane)
{
    const struct edit_layer *edit = &draft->view->settings->stack->edits[draft->layer];

    return !below_holds(draft, plane) &&
           (plane == PLANE_HEIGHTS
                ? edit->blend == BLEND_ADDITIVE && rests(draft, edit->id, CHANNEL_HIGH)
                : rests(draft, edit->id, CHANNEL_SOLID));
}

static void open_plane(struct draft *draft, enum plane plane, struct sight *sight)
{
    uint64_t key = channel_key(draft->view->settings->stack->edits[draft->layer].id,
                               plane == PLANE_HEIGHTS ? CHANNEL_LOW : CHANNEL_HOLES, 0);
    const struct tree *tree = view_layer(draft->view, key);

    sight->plain = sees_resolved(draft, plane);
    sight->own = sees_own(draft, plane) &&
                 (!sight->plain || (tree && tree_same(tree, &draft->view->planes[plane])));
    if (!sight->own || sight->plain)
        sight->before = tree_hold(&draft->view->planes[plane]);
    else
        sight->before = tree ? tree_hold(tree) : channel_tree(draft->view->settings, key, 1);
    sight->now = sight->plain ? (struct tree){ 0 } : tree_hold(&sight->before);
}

static void open_weights(struct draft *draft)
{
    const struct stack *stack = draft->view->settings->stack;
    const struct grid *grid = view_grid(draft->view);
    bool plain = sees_resolved(draft, PLANE_WEIGHTS);

    for (int p = 0; p < draft->paints; p++) {
        const struct tree *tree = view_weights(draft->view, stack->paints[p].id);
        struct sight *sight = &draft->weights[p];

        sight->plain = plain;
        sight->before =
            tree ? tree_hold(tree) : tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 0);
        sight->now = tree_hold(&sight->before);
    }
}

bool draft_open(struct draft *draft, struct fault *why)
{
    const struct stack *stack = draft->view->settings->stack;
    const struct edit_layer *edit = &stack->edits[draft->layer];

    if (draft->open)
        return true;
    if (edit->locked)
        return fault_set(why, FAULT_LOCKED, "the edit layer %s is locked", edit->name);
    if (draft->stale && !draft_settle(draft, why))
        return false;
    draft->paints = stack->paint_count;
    draft->weights = calloc((size_t)draft->paints + 1, sizeof *draft->weights);
    draft->seen = calloc((size_t)draft_blocks(draft), 1);
    if (stack->edit_count > 1)
        draft->touched = calloc((size_t)draft_blocks(draft), sizeof *draft->touched);
    if (!draft->weights || !draft->seen || (stack->edit_count > 1 && !draft->touched)) {
        draft_shut(draft);
        return draft_no_memory(why);
    }
    open_plane(draft, PLANE_HEIGHTS, &draft->heights);
    open_plane(draft, PLANE_HOLES, &draft->holes);
    open_weights(draft);
    draft->open = true;
    return true;
}

static void shut_sight(struct sight *sight)
{
    tree_drop(&sight->before);
    tree_drop(&sight->now);
    *sight = (struct sight){ 0 };
}

void draft_shut(struct draft *draft)
{
    shut_sight(&draft->heights);
    shut_sight(&draft->holes);
    for (int p = 0; draft->weights && p < draft->paints; p++)
        shut_sight(&draft->weights[p]);
    free(draft->weights);
    free(draft->seen);
    free(draft->touched);
    draft->touched = NULL;
    draft->weights = NULL;
    draft->seen = NULL;
    draft->paints = 0;
    draft->open = false;
}

/* Seeing: a block summed up to the layer in work */

static bool put_seen(struct sight *sight, int32_t bx, int32_t by, struct resolved *resolved,
                     uint64_t version)
{
    bool done = tree_put(&sight->now, bx, by, &resolved->block, resolved->flat, version);
    struct child seen = tree_block(&sight->now, bx, by);
    struct block *again = done && seen.below ? block_hold(seen.below) : NULL;

    done = done && tree_put(&sight->before, bx, by, &again, seen.summary.least, version);
    block_drop(again);
    block_drop(resolved->block);
    resolved->block = NULL;
    return done;
}

static bool see_weights(struct draft *draft, const struct summing *summing, int32_t bx, int32_t by)
{
    struct resolved resolved[PAINT_LAYERS_MOST];
    bool done = resolve_weights(summing, bx, by, resolved);

    for (int p = 0; p < draft->paints; p++)
        done = done && put_seen(&draft->weights[p], bx, by, &resolved[p], draft->view->version);
    for (int p = 0; p < draft->paints; p++)
        block_drop(resolved[p].block);
    return done;
}

bool draft_see(struct draft *draft, enum plane plane, int32_t bx, int32_t by, struct fault *why)
{
    struct sight *sight = plane == PLANE_HEIGHTS ? &draft->heights
                          : plane == PLANE_HOLES ? &draft->holes
                                                 : draft->weights;
    uint8_t *seen = &draft->seen[draft_block_index(draft, bx, by)];
    struct summing summing = { draft->view, draft->layer, true };
    struct resolved resolved;
    bool done;

    if (sight->plain || sight->own || *seen & 1 << plane ||
        (plane == PLANE_WEIGHTS && !draft->paints))
        return true;
    *seen |= (uint8_t)(1 << plane);
    if (plane == PLANE_WEIGHTS)
        done = see_weights(draft, &summing, bx, by);
    else
        done = (plane == PLANE_HEIGHTS ? resolve_heights : resolve_holes)(&summing, bx, by,
                                                                          &resolved) &&
               put_seen(sight, bx, by, &resolved, draft->view->version);
    return done || draft_no_memory(why);
}

#include "terrain/edit/paints.h"

#include <string.h>

#include "terrain/base/field.h"
#include "terrain/edit/layers_inside.h"
#include "terrain/edit/leaf.h"

/* Attributes */

static bool name_fits(const struct stack *stack, int at, const char *name, struct fault *why)
{
    int other = stack_paint(stack, name);

    if (name_valid(name) && (other < 0 || other == at))
        return true;
    fault_set(why, name_valid(name) ? FAULT_CONFLICT : FAULT_INPUT,
              name_valid(name) ? "there is a paint layer %.64s already"
                               : "%.64s is no name: 1 to 64 letters, digits, dots, dashes and "
                                 "underscores, not beginning with a dot",
              name);
    return fault_at(why, "/name");
}

static void material_put(struct material *material, const struct paints_change *change)
{
    const struct material *as = &change->as.material;

    if (change->given & PAINT_COLOR)
        memcpy(material->color, as->color, sizeof material->color);
    if (change->given & PAINT_TILING)
        material->tiling = as->tiling;
    if (change->given & PAINT_SURFACE)
        material->surface = as->surface;
    if (change->given & PAINT_ALBEDO)
        memcpy(material->albedo, as->albedo, sizeof material->albedo);
    if (change->given & PAINT_NORMAL)
        memcpy(material->normal, as->normal, sizeof material->normal);
    if (change->given & PAINT_HEIGHT)
        memcpy(material->height, as->height, sizeof material->height);
    if (change->given & PAINT_ROUGHNESS)
        memcpy(material->roughness, as->roughness, sizeof material->roughness);
}

static void attributes_put(struct paint_layer *paint, const struct paints_change *change)
{
    if (change->given & PAINT_BLENDED)
        paint->blended = change->as.blended;
    if (change->given & PAINT_PHYSICAL)
        memcpy(paint->physical_material, change->as.physical_material,
               sizeof paint->physical_material);
    if (change->given & PAINT_DEBUG_COLOR)
        memcpy(paint->debug_color, change->as.debug_color, sizeof paint->debug_color);
    material_put(&paint->material, change);
}

/* Colours that tell neighbours in the list apart. */
static void colour(struct paint_layer *paint, int at)
{
    static const uint8_t colours[][3] = {
        { 86, 125, 70 },   { 128, 118, 105 }, { 134, 96, 67 }, { 214, 190, 138 },
        { 235, 240, 245 }, { 70, 110, 140 },  { 160, 82, 45 }, { 52, 84, 52 },
        { 190, 150, 90 },  { 96, 96, 110 },   { 150, 60, 60 }, { 200, 200, 80 },
    };
    const uint8_t *chosen = colours[(size_t)at % (sizeof colours / sizeof *colours)];

    memcpy(paint->debug_color, chosen, sizeof paint->debug_color);
    memcpy(paint->material.color, chosen, sizeof paint->material.color);
}

/* A layer called as one of the project's own surfaces looks like it. */
static void name_surface(struct paint_layer *paint)
{
    for (int i = 0; i < SURFACES; i++)
        if (strcmp(paint->name, surface_names[i]) == 0)
            paint->material.surface = i;
}

bool paints_add(struct draft *draft, const char *name, const struct paints_change *as,
                struct fault *why)
{
    struct settings *settings = layers_begin(draft, why);
    struct paint_layer *paint = NULL;

    if (!settings)
        return false;
    if (name_fits(settings->stack, -1, name, why))
        paint = stack_add_paint(settings->stack, name, why);
    if (paint) {
        colour(paint, settings->stack->paint_count - 1);
        name_surface(paint);
        attributes_put(paint, as);
    }
    return layers_end(draft, settings, paint != NULL, why);
}

/* Where one edit layer alone makes the weights, it comes to hold what they have come to, so that
 * blocks are shared again and what it holds adds up. */
static bool keep_resolved(struct draft *draft, int32_t bx, int32_t by, struct fault *why)
{
    const struct view *view = draft_view(draft);
    const struct stack *stack = view->settings->stack;
    struct summing all = summing_all(view);
    int sole = resolve_sole(&all, PLANE_WEIGHTS, bx, by);

    if (sole < 0 || stack->edits[sole].locked)
        return true;
    for (int p = 0; p < stack->paint_count; p++) {
        const struct tree *tree = view_weights(view, stack->paints[p].id);
        struct child leaf = { NULL, { 0, 0, 0 } };

        if (tree)
            leaf = tree_block(tree, bx, by);
        if (!layers_put_leaf(
                draft, channel_key(stack->edits[sole].id, CHANNEL_WEIGHTS, stack->paints[p].id), bx,
                by, &leaf, why))
            return false;
    }
    return true;
}

typedef bool paints_block(struct draft *draft, int32_t bx, int32_t by, struct fault *why);

static bool each_block(struct draft *draft, paints_block *visit, struct fault *why)
{
    const struct tree *heights = &draft_view(draft)->planes[PLANE_HEIGHTS];
    int32_t across = tree_blocks_across(heights), down = tree_blocks_down(heights);

    for (int32_t i = 0; i < across * down; i++)
        if (!visit(draft, i % across, i / across, why))
            return false;
    return true;
}

bool paints_change(struct draft *draft, const char *name, const struct paints_change *change,
                   struct fault *why)
{
    struct settings *settings;
    struct paint_layer *paint;
    bool was_blended, blended;
    int at;

    if (!stack_find_paint(draft_view(draft)->settings->stack, name, &at, why))
        return false;
    settings = layers_begin(draft, why);
    if (!settings)
        return false;
    paint = &settings->stack->paints[at];
    was_blended = paint->blended;
    if (change->given & PAINT_NAME && !name_fits(settings->stack, at, change->as.name, why))
        return layers_end(draft, settings, false, why);
    if (change->given & PAINT_NAME)
        memcpy(paint->name, change->as.name, sizeof paint->name);
    attributes_put(paint, change);
    blended = paint->blended;
    return layers_end(draft, settings, true, why) &&
           (blended == was_blended ||
            (draft_settle(draft, why) && each_block(draft, keep_resolved, why)));
}

/* Deleting */

struct deletion {
    struct draft *draft;
    int paint, heir; /* positions; heir -1: where nothing else is, the lowest other one */
    int lowest;      /* the lowest other blended layer, or -1 */
};

static const struct child *held(const struct deletion *deletion, int edit, enum channel channel,
                                int paint, int32_t bx, int32_t by)
{
    const struct stack *stack = deletion->draft->view->settings->stack;

    return layer_leaf(deletion->draft->view, stack->edits[edit].id, channel,
                      stack->paints[paint].id, bx, by);
}

static bool holds_any(const struct deletion *deletion, int edit, int32_t bx, int32_t by)
{
    return !leaf_rests(held(deletion, edit, CHANNEL_WEIGHTS, deletion->paint, bx, by),
                       CHANNEL_WEIGHTS) ||
           !leaf_rests(held(deletion, edit, CHANNEL_UNWEIGHTS, deletion->paint, bx, by),
                       CHANNEL_UNWEIGHTS);
}

/* Row y: whether the heir takes over at each vertex. */
static void heir_row(const struct deletion *deletion, int32_t bx, int32_t by, int32_t y,
                     bool takes[BLOCK_SIDE])
{
    const struct view *view = deletion->draft->view;
    const struct stack *stack = view->settings->stack;

    for (int32_t x = 0; x < BLOCK_SIDE; x++)
        takes[x] = true;
    for (int p = 0; deletion->heir < 0 && p < stack->paint_count; p++) {
        const struct tree *tree = view_weights(view, stack->paints[p].id);
        const struct child rests = { NULL, { 0, 0, 0 } };
        uint8_t room[BLOCK_SIDE];
        const uint8_t *weights = leaf_weights(tree ? tree_leaf(tree, bx, by) : &rests, y, room);

        if (!stack->paints[p].blended)
            continue;
        for (int32_t x = 0; x < BLOCK_SIDE; x++)
            takes[x] = takes[x] && (weights[x] != 0) == (p == deletion->paint);
    }
}

/* What the edit layer holds of the layer is added to what it holds of the heir. */
static void inherit_row(const struct deletion *deletion, int edit, int heir, int32_t bx, int32_t by,
                        int32_t y, int32_t width, uint8_t *more, uint8_t *less)
{
    const struct stack *stack = deletion->draft->view->settings->stack;
    const struct edit_layer *layer = &stack->edits[edit];
    int sign = edit_layer_subtracts(layer, stack->paints[heir].id) ==
                       edit_layer_subtracts(layer, stack->paints[deletion->paint].id)
                   ? 1
                   : -1;
    uint8_t room[4][BLOCK_SIDE];
    const uint8_t *rows[4];
    bool takes[BLOCK_SIDE];

    for (int i = 0; i < 4; i++)
        rows[i] = leaf_weights(held(deletion, edit, i & 1 ? CHANNEL_UNWEIGHTS : CHANNEL_WEIGHTS,
                                    i < 2 ? heir : deletion->paint, bx, by),
                               y, room[i]);
    heir_row(deletion, bx, by, y, takes);
    for (int32_t x = 0; x < width; x++) {
        int weight = rows[0][x] - rows[1][x];

        if (takes[x])
            weight += sign * (rows[2][x] - rows[3][x]);
        weight = weight < -255 ? -255 : weight > 255 ? 255 : weight;
        more[x] = (uint8_t)(weight > 0 ? weight : 0);
        less[x] = (uint8_t)(weight < 0 ? -weight : 0);
    }
}

static bool inherit_block(const struct deletion *deletion, int edit, int heir, int32_t bx,
                          int32_t by, struct fault *why)
{
    struct draft *draft = deletion->draft;
    const struct stack *stack = draft->view->settings->stack;
    uint32_t layer = stack->edits[edit].id, paint = stack->paints[heir].id;
    struct rect valid = tree_block_rect(&draft->view->planes[PLANE_HEIGHTS], bx, by);
    struct block *more = block_new(PLANE_WEIGHTS, 0), *less = block_new(PLANE_WEIGHTS, 0);
    bool done = (more && less) || draft_no_memory(why);

    for (int32_t y = 0; done && y < valid.height; y++)
        inherit_row(deletion, edit, heir, bx, by, y, valid.width,
                    (uint8_t *)block_writable(more) + y * BLOCK_SIDE,
                    (uint8_t *)block_writable(less) + y * BLOCK_SIDE);
    done = done &&
           layers_put(draft, channel_key(layer, CHANNEL_WEIGHTS, paint), bx, by, &more, 0, why) &&
           layers_put(draft, channel_key(layer, CHANNEL_UNWEIGHTS, paint), bx, by, &less, 0, why);
    block_drop(more);
    block_drop(less);
    return done;
}

static bool inherit(const struct deletion *deletion, struct fault *why)
{
    const struct view *view = deletion->draft->view;
    const struct tree *heights = &view->planes[PLANE_HEIGHTS];
    int32_t across = tree_blocks_across(heights), blocks = across * tree_blocks_down(heights);
    int heir = deletion->heir >= 0 ? deletion->heir : deletion->lowest;

    for (int edit = 0; edit < view->settings->stack->edit_count; edit++) {
        for (int32_t i = 0; i < blocks; i++) {
            int32_t bx = i % across, by = i / across;

            if (!holds_any(deletion, edit, bx, by))
                continue;
            if (view->settings->stack->edits[edit].locked)
                return fault_set(why, FAULT_LOCKED, "the edit layer %s is locked and holds some",
                                 view->settings->stack->edits[edit].name);
            if (heir >= 0 && !inherit_block(deletion, edit, heir, bx, by, why))
                return false;
        }
    }
    return true;
}

/* Who comes into what the layer has. */
static bool find_heir(struct deletion *deletion, const char *heir, struct fault *why)
{
    const struct stack *stack = deletion->draft->view->settings->stack;
    const struct paint_layer *paint = &stack->paints[deletion->paint];

    deletion->heir = deletion->lowest = -1;
    for (int p = stack->paint_count - 1; paint->blended && p >= 0; p--)
        if (p != deletion->paint && stack->paints[p].blended)
            deletion->lowest = p;
    if (!heir)
        return true;
    if (!stack_find_paint(stack, heir, &deletion->heir, why))
        return fault_at(why, "heir");
    if (deletion->heir != deletion->paint &&
        stack->paints[deletion->heir].blended == paint->blended)
        return true;
    fault_set(why, FAULT_IMPOSSIBLE,
              deletion->heir == deletion->paint ? "the paint layer %s cannot be its own heir"
              : paint->blended ? "the heir %s is not weight-blended, as the layer is"
                               : "the heir %s is weight-blended, unlike the layer",
              heir);
    return fault_at(why, "heir");
}

static void stop_subtracting(struct edit_layer *layer, uint32_t paint)
{
    int kept = 0;

    for (int i = 0; i < layer->subtract_count; i++)
        if (layer->subtract[i] != paint)
            layer->subtract[kept++] = layer->subtract[i];
    layer->subtract_count = kept;
}

static bool take_out(struct draft *draft, int paint, struct fault *why)
{
    struct settings *settings = layers_begin(draft, why);
    struct stack *stack;

    if (!settings)
        return false;
    stack = settings->stack;
    for (int i = 0; i < stack->edit_count; i++)
        stop_subtracting(&stack->edits[i], stack->paints[paint].id);
    memmove(&stack->paints[paint], &stack->paints[paint + 1],
            (size_t)(stack->paint_count - 1 - paint) * sizeof *stack->paints);
    stack->paint_count--;
    return layers_end(draft, settings, true, why);
}

bool paints_delete(struct draft *draft, const char *name, const char *heir, struct fault *why)
{
    struct deletion deletion = { .draft = draft };

    return stack_find_paint(draft_view(draft)->settings->stack, name, &deletion.paint, why) &&
           find_heir(&deletion, heir, why) && draft_settle(draft, why) && inherit(&deletion, why) &&
           take_out(draft, deletion.paint, why) && draft_settle(draft, why) &&
           each_block(draft, keep_resolved, why);
}

bool paints_fill(struct draft *draft, const char *name, struct fault *why)
{
    const struct stack *stack = draft_view(draft)->settings->stack;
    const struct tree *heights = &draft_view(draft)->planes[PLANE_HEIGHTS];
    int32_t across = tree_blocks_across(heights), blocks = across * tree_blocks_down(heights);
    int at;

    if (!stack_find_paint(stack, name, &at, why))
        return false;
    for (int32_t i = 0; i < blocks; i++) {
        struct block *none = NULL;

        if (!layers_put(draft, channel_key(BASE_LAYER, CHANNEL_WEIGHTS, stack->paints[at].id),
                        i % across, i / across, &none, 255, why))
            return false;
    }
    return true;
}

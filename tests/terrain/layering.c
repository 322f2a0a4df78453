#include "tests/terrain/layering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/layers.h"
#include "terrain/edit/paints.h"
#include "terrain/edit/resolve.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

enum { LAYERS_MOST = 32 };

/* Making */

static void alphas_throw(struct dice *dice, struct layers_change *change)
{
    static const double alphas[] = { 1, 1, 1, 1, 0.5, -1, 0, 0.25 };

    change->given |= LAYER_ALPHA | LAYER_WEIGHTS_ALPHA;
    change->alpha = alphas[dice_between(dice, 0, 7)];
    if (dice_between(dice, 0, 3) == 0)
        change->alpha = dice_real(dice, -1, 1);
    change->weights_alpha = dice_between(dice, 0, 1) ? NAN : dice_real(dice, 0, 1);
}

static struct layers_change layer_throw(struct dice *dice)
{
    struct layers_change change = { 0 };

    alphas_throw(dice, &change);
    change.given |= LAYER_BLEND;
    change.blend = dice_between(dice, 0, 2) == 0 ? BLEND_ALPHA : BLEND_ADDITIVE;
    return change;
}

struct view *layering_view(int32_t columns, int32_t rows, int edit_layers, uint64_t seed)
{
    return layering_on(ground_rough(columns, rows, seed), edit_layers, seed);
}

struct view *layering_on(struct view *view, int edit_layers, uint64_t seed)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct dice dice = { seed };
    struct change change;

    assert_non_null(draft);
    for (int i = 1; i < edit_layers; i++) {
        struct layers_change as = layer_throw(&dice);
        char name[32];

        snprintf(name, sizeof name, "layer-%d", i);
        assert_true(layers_add(draft, name, &as, &why));
    }
    return ground_finish(draft, view, &change);
}

/* Changing */

struct throwing {
    struct draft *draft;
    struct dice *dice;
    struct fault *why;
};

static const struct stack *stack_of(const struct throwing *throwing)
{
    return draft_view(throwing->draft)->settings->stack;
}

static const char *any_layer(const struct throwing *throwing)
{
    static char name[LAYER_NAME_ROOM];
    const struct stack *stack = stack_of(throwing);

    strcpy(name, stack->edits[dice_between(throwing->dice, 0, stack->edit_count - 1)].name);
    return name;
}

static const char *any_paint(const struct throwing *throwing)
{
    static char names[2][LAYER_NAME_ROOM];
    static int turn;
    const struct stack *stack = stack_of(throwing);

    turn = !turn;
    strcpy(names[turn], "none");
    if (stack->paint_count)
        strcpy(names[turn],
               stack->paints[dice_between(throwing->dice, 0, stack->paint_count - 1)].name);
    return names[turn];
}

static const char *new_name(const struct throwing *throwing)
{
    static char name[LAYER_NAME_ROOM];

    snprintf(name, sizeof name, "new-%u", (unsigned)dice_throw(throwing->dice));
    return name;
}

static bool apply_tool(struct throwing *throwing)
{
    int brush = dice_between(throwing->dice, 0, brush_count - 1);
    struct op *op = op_random(brush, view_rect(draft_view(throwing->draft)), throwing->dice);
    bool done;

    assert_non_null(op);
    draft_lend(throwing->draft, &mask_sources);
    done = draft_layer(throwing->draft, any_layer(throwing), throwing->why) &&
           brush_apply_all(throwing->draft, &op->variant, 1, throwing->why);
    op_free(op);
    return done;
}

static bool write_codes(struct throwing *throwing)
{
    struct rect all = view_rect(draft_view(throwing->draft));
    struct rect to = dice_rect(throwing->dice, all.width, all.height, 300);
    uint16_t *codes = malloc((size_t)rect_area(to) * sizeof *codes);
    uint8_t *holes = malloc((size_t)rect_area(to));
    int32_t first = dice_between(throwing->dice, 0, 65535);
    bool done = draft_layer(throwing->draft, any_layer(throwing), throwing->why);

    for (int64_t i = 0; i < rect_area(to); i++) {
        codes[i] = (uint16_t)(first + (first & 1 ? i * 7 % 300 : 0));
        holes[i] = (uint8_t)(first & 2 ? 1 : i % 3 == 0);
    }
    if (done)
        done = draft_write_heights(throwing->draft, to, codes, to.width, throwing->why) &&
               draft_write_holes(throwing->draft, to, holes, to.width, throwing->why);
    free(codes);
    free(holes);
    return done;
}

static bool add_layer(struct throwing *throwing)
{
    struct layers_change as = layer_throw(throwing->dice);

    if (stack_of(throwing)->edit_count >= LAYERS_MOST)
        return true;
    as.given |= LAYER_POSITION;
    as.position = dice_between(throwing->dice, 0, LAYERS_MOST);
    return layers_add(throwing->draft, new_name(throwing), &as, throwing->why);
}

static bool copy_layer(struct throwing *throwing)
{
    return stack_of(throwing)->edit_count >= LAYERS_MOST ||
           layers_duplicate(throwing->draft, any_layer(throwing), new_name(throwing),
                            throwing->why);
}

static bool delete_layer(struct throwing *throwing)
{
    return stack_of(throwing)->edit_count < LAYERS_MOST / 2 ||
           layers_delete(throwing->draft, any_layer(throwing), throwing->why);
}

static bool strengthen(struct throwing *throwing)
{
    struct layers_change change = { 0 };

    alphas_throw(throwing->dice, &change);
    return layers_change(throwing->draft, any_layer(throwing), &change, throwing->why);
}

static bool show_or_lock(struct throwing *throwing)
{
    struct layers_change change = { .given = LAYER_VISIBLE | LAYER_LOCKED,
                                    .visible = dice_between(throwing->dice, 0, 3) > 0,
                                    .locked = dice_between(throwing->dice, 0, 7) == 0 };

    return layers_change(throwing->draft, any_layer(throwing), &change, throwing->why);
}

static bool rename_and_move(struct throwing *throwing)
{
    struct layers_change change = { .given = LAYER_POSITION,
                                    .position = dice_between(throwing->dice, 0, LAYERS_MOST) };
    const char *layer = any_layer(throwing);

    if (strcmp(layer, "base") != 0) {
        change.given |= LAYER_NAME;
        change.name = new_name(throwing);
    }
    return layers_change(throwing->draft, layer, &change, throwing->why);
}

static bool subtract(struct throwing *throwing)
{
    const char *names[] = { any_paint(throwing), any_paint(throwing) };
    struct layers_change change = { .given = LAYER_SUBTRACT,
                                    .subtract = names,
                                    .subtract_count = (size_t)dice_between(throwing->dice, 0, 2) };

    return layers_change(throwing->draft, any_layer(throwing), &change, throwing->why);
}

static bool clear(struct throwing *throwing)
{
    struct rect all = view_rect(draft_view(throwing->draft));
    struct rect region = dice_rect(throwing->dice, all.width, all.height, 300);
    unsigned kinds = (unsigned)dice_between(throwing->dice, 1, 7);

    return layers_clear(throwing->draft, any_layer(throwing), kinds,
                        dice_between(throwing->dice, 0, 1) ? &region : NULL, throwing->why);
}

/* These leave the surface as it is. */

static bool unchanged(struct throwing *throwing,
                      bool (*change)(struct throwing *throwing, const char *layer))
{
    struct view *before, *after;
    bool done;

    assert_true(draft_settle(throwing->draft, throwing->why));
    before = view_copy(draft_view(throwing->draft));
    done = change(throwing, any_layer(throwing));
    if (done) {
        assert_true(draft_settle(throwing->draft, throwing->why));
        after = view_copy(draft_view(throwing->draft));
        layering_assert_same_surface(before, after);
        view_drop(after);
    }
    view_drop(before);
    return done;
}

static bool collapse_one(struct throwing *throwing, const char *layer)
{
    return layers_collapse(throwing->draft, layer, throwing->why);
}

static bool collapse(struct throwing *throwing)
{
    return unchanged(throwing, collapse_one);
}

static bool blend_one(struct throwing *throwing, const char *layer)
{
    const struct stack *stack = stack_of(throwing);
    int at = stack_edit(stack, layer);
    struct layers_change change = { .given = LAYER_BLEND, .blend = !stack->edits[at].blend };

    return layers_change(throwing->draft, layer, &change, throwing->why);
}

static bool blend(struct throwing *throwing)
{
    return unchanged(throwing, blend_one);
}

static bool change_paint(struct throwing *throwing)
{
    struct paints_change change = { .given = PAINT_BLENDED | PAINT_DEBUG_COLOR };

    change.as.blended = dice_between(throwing->dice, 0, 3) > 0;
    change.as.debug_color[1] = (uint8_t)dice_throw(throwing->dice);
    return paints_change(throwing->draft, any_paint(throwing), &change, throwing->why);
}

/* Another comes in its place, under the name that ops know. */
static bool delete_paint(struct throwing *throwing)
{
    char name[LAYER_NAME_ROOM];
    const char *heir = dice_between(throwing->dice, 0, 1) ? any_paint(throwing) : NULL;
    struct paints_change as = { 0 };

    strcpy(name, any_paint(throwing));
    return paints_delete(throwing->draft, name, heir, throwing->why) &&
           paints_add(throwing->draft, name, &as, throwing->why);
}

static const struct {
    const char *what;
    bool (*change)(struct throwing *throwing);
    int often;
} kinds[] = {
    { "tool", apply_tool, 24 },
    { "write", write_codes, 10 },
    { "add", add_layer, 2 },
    { "copy", copy_layer, 2 },
    { "delete", delete_layer, 2 },
    { "strengthen", strengthen, 4 },
    { "show, lock", show_or_lock, 4 },
    { "move", rename_and_move, 3 },
    { "subtract", subtract, 2 },
    { "clear", clear, 3 },
    { "collapse", collapse, 4 },
    { "blend", blend, 4 },
    { "change paint", change_paint, 2 },
    { "delete paint", delete_paint, 2 },
};

bool layering_change(struct draft *draft, struct dice *dice, const char **what, struct fault *why)
{
    struct throwing throwing = { draft, dice, why };
    int all = 0, thrown;
    size_t i = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        all += kinds[k].often;
    thrown = dice_between(dice, 0, all - 1);
    while (thrown >= kinds[i].often)
        thrown -= kinds[i++].often;
    *what = kinds[i].what;
    return kinds[i].change(&throwing);
}

struct view *layering_changed(struct view *base, struct dice *dice, const char **what)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(base, &why);
    int changes = dice_between(dice, 1, 3);
    struct change change;

    assert_non_null(draft);
    for (int i = 0; i < changes; i++) {
        if (layering_change(draft, dice, what, &why))
            continue;
        assert_true(why.code == FAULT_LOCKED || why.code == FAULT_CONFLICT ||
                    why.code == FAULT_IMPOSSIBLE || why.code == FAULT_MISSING);
        draft_free(draft);
        return base;
    }
    return ground_finish(draft, base, &change);
}

/* Comparing */

static void assert_same_values(const struct tree *a, const struct tree *b, const char *what)
{
    struct rect row = { 0, 0, a->columns, 1 };
    size_t size = a->plane == PLANE_HEIGHTS ? 2 : 1;
    unsigned char *rows[2] = { malloc((size_t)row.width * size), malloc((size_t)row.width * size) };

    for (; row.y < a->rows; row.y++) {
        tree_read(a, row, rows[0], row.width);
        tree_read(b, row, rows[1], row.width);
        for (int32_t x = 0; x < row.width; x++)
            if (memcmp(rows[0] + (size_t)x * size, rows[1] + (size_t)x * size, size) != 0)
                fail_msg("%s differ at (%d, %d): %d and %d", what, x, row.y,
                         tree_value(a, x, row.y), tree_value(b, x, row.y));
    }
    free(rows[0]);
    free(rows[1]);
}

void layering_assert_same_surface(const struct view *a, const struct view *b)
{
    const struct stack *stack = b->settings->stack;
    struct tree none = tree_flat(PLANE_WEIGHTS, view_grid(a)->columns, view_grid(a)->rows, 0, 1);

    assert_same_values(&a->planes[PLANE_HEIGHTS], &b->planes[PLANE_HEIGHTS], "heights");
    assert_same_values(&a->planes[PLANE_HOLES], &b->planes[PLANE_HOLES], "holes");
    for (int p = 0; p < stack->paint_count; p++) {
        const struct tree *one = view_weights(a, stack->paints[p].id);
        const struct tree *other = view_weights(b, stack->paints[p].id);

        assert_same_values(one ? one : &none, other ? other : &none, stack->paints[p].name);
    }
}

void layering_assert_same(const struct view *a, const struct view *b)
{
    struct bytes forms[2] = { { 0 }, { 0 } }, difference = { 0 };
    struct fault why = { 0 };

    layering_assert_same_surface(a, b);
    assert_true(settings_write(a->settings, &forms[0], &why));
    assert_true(settings_write(b->settings, &forms[1], &why));
    assert_int_equal(forms[0].length, forms[1].length);
    assert_memory_equal(forms[0].data, forms[1].data, forms[0].length);
    assert_true(difference_write(a, b, &difference, &why));
    assert_int_equal(difference.length, 16); /* the head alone */
    bytes_free(&forms[0]);
    bytes_free(&forms[1]);
    bytes_free(&difference);
}

static void assert_shared(const struct view *view, enum plane plane, enum channel channel,
                          uint32_t paint, const struct tree *resolved, const struct tree *was)
{
    struct summing all = summing_all(view);

    for (int32_t by = 0; resolved && by < tree_blocks_down(resolved); by++) {
        for (int32_t bx = 0; bx < tree_blocks_across(resolved); bx++) {
            int sole = resolve_sole(&all, plane, bx, by);
            const struct tree *held;

            if (sole < 0)
                continue;
            held = view_layer(view,
                              channel_key(view->settings->stack->edits[sole].id, channel, paint));
            if (!held || !tree_leaf(held, bx, by)->below || !tree_leaf(resolved, bx, by)->below)
                continue;
            if (was && tree_leaf(was, bx, by)->below == tree_leaf(resolved, bx, by)->below)
                continue; /* the surface has not changed, whatever makes it now */
            if (memcmp(block_values(tree_leaf(held, bx, by)->below),
                       block_values(tree_leaf(resolved, bx, by)->below),
                       plane_block_bytes(plane)) == 0)
                assert_ptr_equal(tree_leaf(held, bx, by)->below,
                                 tree_leaf(resolved, bx, by)->below);
            else
                assert_int_equal(plane, PLANE_WEIGHTS); /* what a layer holds may not add up */
        }
    }
}

void layering_assert_resolved(const struct view *view, const struct view *was)
{
    struct view *again = view_copy(view);
    struct fault why = { 0 };

    assert_non_null(again);
    while (again->weights_count > 0)
        view_weights_drop(again, again->weights[0].paint);
    assert_true(resolve_view(again, &why));
    layering_assert_same_surface(view, again);
    view_drop(again);
    assert_shared(view, PLANE_HEIGHTS, CHANNEL_LOW, 0, &view->planes[PLANE_HEIGHTS],
                  &was->planes[PLANE_HEIGHTS]);
    assert_shared(view, PLANE_HOLES, CHANNEL_HOLES, 0, &view->planes[PLANE_HOLES],
                  &was->planes[PLANE_HOLES]);
    for (int32_t i = 0; i < view->weights_count; i++)
        assert_shared(view, PLANE_WEIGHTS, CHANNEL_WEIGHTS, view->weights[i].paint,
                      &view->weights[i].tree, view_weights(was, view->weights[i].paint));
    ground_assert_sound(view);
}

static struct view *applied(const struct view *view, const struct settings *settings,
                            const struct bytes *difference, bool undo)
{
    struct settings *given = settings_hold(settings);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_non_null(draft);
    assert_true(draft_settings(draft, &given, &why));
    assert_true(difference_apply(draft, difference->data, difference->length, undo, &why));
    return ground_finish(draft, view_hold(view), &change);
}

void layering_assert_differences(const struct view *before, const struct view *after)
{
    struct bytes difference = { 0 };
    struct fault why = { 0 };
    struct view *redone, *undone;

    assert_true(difference_write(before, after, &difference, &why));
    redone = applied(before, after->settings, &difference, false);
    undone = applied(after, before->settings, &difference, true);
    layering_assert_same(redone, after);
    layering_assert_same_surface(undone, before);
    layering_assert_resolved(undone, after);
    view_drop(redone);
    view_drop(undone);
    bytes_free(&difference);
}

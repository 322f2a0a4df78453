/* A long walk of edits of every tool on many layers, changes of the layers, undo and redo: what is
 * kept up to date step by step is what adding everything up from nothing gives. */
#include "tests/store/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/layers.h"
#include "terrain/edit/resolve.h"
#include "terrain/landscape_history.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

enum { LAYERS = 32, STEPS = 1200, STEPS_SOAK = 10000, LOOK_EVERY = 25 };

struct walk {
    char *folder;
    struct landscapes *all;
    struct landscape *landscape;
    struct dice dice;
    int names;
    /* how many of each kind came off */
    int edits, layer_changes, undos, redos, refused;
    int layers; /* as many as there were at once */
};

/* Steps; a fault of the step itself (a limit, a lock) is an answer, and changes nothing. */

static const char *some_layer(struct walk *walk, const struct view *view)
{
    const struct stack *stack = view->settings->stack;

    return stack->edits[dice_between(&walk->dice, 0, stack->edit_count - 1)].name;
}

static bool edit(void *context, struct draft *draft, struct fault *why)
{
    struct walk *walk = context;
    struct rect all = view_rect(draft_view(draft));
    struct op *op = op_random(dice_between(&walk->dice, 0, brush_count - 1), all, &walk->dice);
    bool done;

    assert_non_null(op);
    draft_lend(draft, &mask_sources);
    draft_limit(draft, 4000000);
    done = draft_layer(draft, some_layer(walk, draft_view(draft)), why) &&
           brush_apply_all(draft, &op->variant, 1, why);
    op_free(op);
    return done;
}

static bool change_layer(struct walk *walk, struct draft *draft, const char *name,
                         struct fault *why)
{
    static const unsigned kinds[] = { LAYER_POSITION, LAYER_BLEND,   LAYER_ALPHA,
                                      LAYER_VISIBLE,  LAYER_LOCKED,  LAYER_WEIGHTS_ALPHA,
                                      LAYER_SUBTRACT, LAYER_VISIBLE, LAYER_LOCKED };
    const char *subtract[] = { ops_paints[dice_between(&walk->dice, 0, OPS_PAINTS - 1)] };
    struct layers_change change = {
        .given = kinds[dice_between(&walk->dice, 0, 8)],
        .position = dice_between(&walk->dice, 0, LAYERS),
        .blend = dice_between(&walk->dice, 0, 1),
        .alpha = dice_between(&walk->dice, -10, 10) / 10.0,
        .weights_alpha = dice_between(&walk->dice, 0, 10) / 10.0,
        .visible = dice_between(&walk->dice, 0, 3) != 0,
        .locked = dice_between(&walk->dice, 0, 7) == 0,
        .subtract = subtract,
        .subtract_count = (size_t)dice_between(&walk->dice, 0, 1),
    };

    return layers_change(draft, name, &change, why);
}

static bool change_stack(void *context, struct draft *draft, struct fault *why)
{
    struct walk *walk = context;
    const struct stack *stack = draft_view(draft)->settings->stack;
    const char *name = some_layer(walk, draft_view(draft));
    struct rect all = view_rect(draft_view(draft));
    struct rect region = dice_rect(&walk->dice, all.width, all.height, 90);
    struct layers_change as = { 0 };
    char fresh[32];

    snprintf(fresh, sizeof fresh, "layer-%d", walk->names++);
    if (stack->edit_count < LAYERS && dice_between(&walk->dice, 0, 1))
        return layers_add(draft, fresh, &as, why);
    switch (dice_between(&walk->dice, 0, 9)) {
    case 0:
        return stack->edit_count < LAYERS ? layers_duplicate(draft, name, fresh, why)
                                          : layers_delete(draft, name, why);
    case 1:
        return layers_collapse(draft, name, why);
    case 2:
        return layers_clear(draft, name, (unsigned)dice_between(&walk->dice, 1, 7),
                            dice_between(&walk->dice, 0, 1) ? &region : NULL, why);
    default:
        return change_layer(walk, draft, name, why);
    }
}

static void step(struct walk *walk)
{
    struct landscape_change change = { .context = walk };
    struct landscape_changed changed;
    struct view *view;
    struct fault why = { 0 };
    int which = dice_between(&walk->dice, 0, 9);
    bool done;
    int *counter;

    if (which < 2) {
        done = landscape_undo(walk->landscape, &change, NULL, &changed, &why);
        counter = &walk->undos;
    } else if (which == 2) {
        done = landscape_redo(walk->landscape, &change, NULL, &changed, &why);
        counter = &walk->redos;
    } else {
        change.make = which < 5 ? change_stack : edit;
        done = landscape_change(walk->landscape, &change, &changed, &why);
        counter = which < 5 ? &walk->layer_changes : &walk->edits;
    }
    if (!done && (why.code == FAULT_STORAGE || why.code == FAULT_MEMORY))
        fail_msg("%s", why.detail);
    ++*(done ? counter : &walk->refused);
    view = landscape_view(walk->landscape);
    if (view->settings->stack->edit_count > walk->layers)
        walk->layers = view->settings->stack->edit_count;
    view_drop(view);
}

/* Looking */

static void assert_same_values(const struct tree *a, const struct tree *b)
{
    struct rect all = { 0, 0, a->columns, a->rows };
    uint16_t *values[2] = { calloc((size_t)rect_area(all), 2), calloc((size_t)rect_area(all), 2) };

    tree_read(a, all, values[0], all.width);
    tree_read(b, all, values[1], all.width);
    assert_memory_equal(values[0], values[1], (size_t)rect_area(all) * 2);
    free(values[0]);
    free(values[1]);
}

static void assert_sums(const struct view *view)
{
    const struct stack *stack = view->settings->stack;
    struct rect all = view_rect(view);
    uint16_t *sums = calloc((size_t)rect_area(all), sizeof *sums);
    uint8_t *values = malloc((size_t)rect_area(all));

    for (int p = 0; p < stack->paint_count; p++) {
        const struct tree *tree = view_weights(view, stack->paints[p].id);

        if (!stack->paints[p].blended || !tree)
            continue;
        tree_read(tree, all, values, all.width);
        for (int64_t i = 0; i < rect_area(all); i++)
            sums[i] = (uint16_t)(sums[i] + values[i]);
    }
    for (int64_t i = 0; i < rect_area(all); i++)
        assert_true(sums[i] == 0 || sums[i] == 255);
    free(sums);
    free(values);
}

/* The same layers, added up from nothing. */
static struct view *from_nothing(const struct view *view)
{
    struct view *again = view_copy(view);
    struct fault why = { 0 };

    assert_non_null(again);
    while (again->weights_count > 0)
        view_weights_drop(again, again->weights[0].paint);
    assert_true(resolve_view(again, &why));
    return again;
}

static void look(struct walk *walk)
{
    struct view *view = landscape_view(walk->landscape), *again = from_nothing(view);
    const struct stack *stack = view->settings->stack;

    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_same_values(&view->planes[plane], &again->planes[plane]);
    for (int p = 0; p < stack->paint_count; p++) {
        const struct grid *grid = view_grid(view);
        struct tree rest = tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 1);
        const struct tree *is = view_weights(view, stack->paints[p].id);
        const struct tree *ought = view_weights(again, stack->paints[p].id);

        assert_same_values(is ? is : &rest, ought ? ought : &rest);
    }
    assert_sums(view);
    ground_assert_sound(view);
    view_drop(again);
    view_drop(view);
}

static void open_all(struct walk *walk)
{
    const struct landscapes_limits limits = { .vertices = 1 << 24,
                                              .memory_bytes = 1 << 29,
                                              .waiting_changes = 512,
                                              .history_bytes = 1 << 26 };
    struct fault why = { 0 };

    if (!landscapes_open(walk->folder, &limits, &walk->all, &why))
        fail_msg("%s", why.detail);
}

static void restart(struct walk *walk)
{
    struct view *before = landscape_view(walk->landscape), *after;
    struct fault why = { 0 };

    landscape_drop(walk->landscape);
    landscapes_close(walk->all);
    open_all(walk);
    walk->landscape = landscapes_find(walk->all, "walk", &why);
    if (!walk->landscape)
        fail_msg("%s", why.detail);
    after = landscape_view(walk->landscape);
    assert_int_equal(before->version, after->version);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_same_values(&before->planes[plane], &after->planes[plane]);
    view_drop(before);
    view_drop(after);
}

static struct view *painted_ground(void)
{
    struct layout layout = { { 2, 1 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *view;

    assert_true(ops_paint_layers(settings));
    view = view_new(&settings, 0, 1, 32768);
    assert_non_null(view);
    return view;
}

static void every_step_is_as_if_added_up_from_nothing(void **state)
{
    struct walk walk = { .folder = scratch_new(), .dice = { 2718 } };
    struct view *content = painted_ground();
    int steps = getenv("LANDSCAPED_SOAK") ? STEPS_SOAK : STEPS;
    struct fault why = { 0 };

    (void)state;
    open_all(&walk);
    walk.landscape = landscapes_create(walk.all, "walk", content, "{}", &why);
    assert_non_null(walk.landscape);
    view_drop(content);
    for (int i = 1; i <= steps; i++) {
        step(&walk);
        if (i % LOOK_EVERY == 0)
            look(&walk);
        if (i % (LOOK_EVERY * 8) == 0)
            restart(&walk);
    }
    print_message("%d edits, %d changes of up to %d layers, %d undos, %d redos, %d refused\n",
                  walk.edits, walk.layer_changes, walk.layers, walk.undos, walk.redos,
                  walk.refused);
    assert_int_equal(walk.layers, LAYERS);
    assert_true(walk.edits > steps / 4 && walk.undos > steps / 20 && walk.redos > steps / 100);
    landscape_drop(walk.landscape);
    landscapes_close(walk.all);
    scratch_remove(walk.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_as_if_added_up_from_nothing),
    };

    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}

/* Undo and redo of whatever there is, against a model that keeps every version in memory. */
#include "tests/store/past.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "terrain/edit/layers.h"
#include "terrain/edit/resize.h"
#include "terrain/edit/resolve.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

enum { SEEN_MOST = 4096 };

/* The model: steps that are done, and that are undone, in order, as the versions before and after.
 */
struct step {
    uint64_t before, after;
};

static struct steps {
    struct step items[VERSIONS_MOST];
    size_t count;
} done, undone;

/* What is resolved is what the layers come to. */
static void assert_resolved(const struct view *view)
{
    struct view *again = view_copy(view);
    struct fault why = { 0 };

    assert_non_null(again);
    if (!resolve_view(again, &why))
        fail_msg("%s", why.detail);
    past_assert_same(again, view);
    view_drop(again);
}

/* Random changes */

struct making {
    struct dice *dice;
    uint64_t number;
};

static const char *any_layer(const struct draft *draft, struct dice *dice)
{
    const struct stack *stack = draft_view(draft)->settings->stack;

    return stack->edits[dice_between(dice, 0, stack->edit_count - 1)].name;
}

static bool use_brush(struct draft *draft, struct dice *dice, struct fault *why)
{
    struct op *op =
        op_random(dice_between(dice, 0, brush_count - 1), view_rect(draft_view(draft)), dice);
    char name[LAYER_NAME_ROOM];
    bool used;

    snprintf(name, sizeof name, "%s", any_layer(draft, dice));
    draft_lend(draft, &mask_sources);
    draft_limit(draft, 2000000);
    used = draft_layer(draft, name, why) && brush_apply_all(draft, &op->variant, 1, why);
    op_free(op);
    return used;
}

static bool rename_ground(struct draft *draft, uint64_t number, struct fault *why)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);

    snprintf(settings->title, sizeof settings->title, "title %" PRIu64, number);
    return draft_settings(draft, &settings, why);
}

static bool resize(struct draft *draft, struct dice *dice, struct fault *why)
{
    struct resize to = { { dice_between(dice, 1, 3), dice_between(dice, 1, 2) },
                         (enum resize_mode)dice_between(dice, 0, 2),
                         (enum resize_anchor)dice_between(dice, 0, 8) };

    return resize_apply(draft, &to, why);
}

static bool change_layer(struct draft *draft, struct dice *dice, const char *name,
                         struct fault *why)
{
    static const unsigned kinds[] = { LAYER_POSITION, LAYER_BLEND, LAYER_ALPHA, LAYER_VISIBLE,
                                      LAYER_LOCKED };
    struct layers_change change = { .given = kinds[dice_between(dice, 0, 4)],
                                    .position = dice_between(dice, 0, 5),
                                    .blend = dice_between(dice, 0, 1),
                                    .alpha = dice_real(dice, -1, 1),
                                    .visible = dice_between(dice, 0, 1),
                                    .locked = dice_between(dice, 0, 3) == 0 };

    return layers_change(draft, name, &change, why);
}

static bool change_layers(struct draft *draft, struct dice *dice, uint64_t number,
                          struct fault *why)
{
    char name[LAYER_NAME_ROOM], fresh[LAYER_NAME_ROOM];
    struct rect all = view_rect(draft_view(draft)),
                region = dice_rect(dice, all.width, all.height, 100);

    snprintf(name, sizeof name, "%s", any_layer(draft, dice));
    snprintf(fresh, sizeof fresh, "layer-%" PRIu64, number);
    switch (dice_between(dice, 0, 8)) {
    case 0:
    case 1:
        return layers_add(draft, fresh, &(struct layers_change){ 0 }, why);
    case 2:
        return layers_duplicate(draft, name, fresh, why);
    case 3:
        return layers_clear(draft, name, (unsigned)dice_between(dice, 1, 7),
                            dice_between(dice, 0, 1) ? &region : NULL, why);
    case 4:
        return layers_delete(draft, name, why);
    case 5:
        return layers_collapse(draft, name, why);
    default:
        return change_layer(draft, dice, name, why);
    }
}

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct making *making = context;
    int kind = dice_between(making->dice, 0, 29);

    return kind == 0   ? rename_ground(draft, making->number, why)
           : kind == 1 ? resize(draft, making->dice, why)
           : kind < 12 ? change_layers(draft, making->dice, making->number, why)
                       : use_brush(draft, making->dice, why);
}

/* The model */

static void check_new(struct past *past, const struct landscape_changed *changed)
{
    struct view *view = landscape_view(past->ground);

    assert_int_equal(changed->version, past->newest + 1);
    assert_int_equal(view->version, changed->version);
    past->newest++;
    past->views[past->newest] = view;
    assert_resolved(view);
}

static void note_step(struct past *past)
{
    done.items[done.count++] = (struct step){ past->newest - 1, past->newest };
    undone.count = 0;
}

static void edit(struct past *past)
{
    struct making making = { &past->dice, past->newest + 1 };
    struct landscape_change change = { .make = make, .context = &making, .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    if (!landscape_change(past->ground, &change, &changed, &why)) {
        assert_true(why.code == FAULT_LOCKED || why.code == FAULT_IMPOSSIBLE ||
                    why.code == FAULT_CONFLICT || why.code == FAULT_LIMIT ||
                    why.code == FAULT_INPUT || why.code == FAULT_MISSING);
        return;
    }
    if (changed.version == past->newest)
        return;
    check_new(past, &changed);
    note_step(past);
}

static void restore_any(struct past *past)
{
    uint64_t to = (uint64_t)dice_between(&past->dice, 1, (int32_t)past->newest);
    struct landscape_change change = { .request = "restore" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    if (!landscape_restore(past->ground, &change, to, &changed, &why)) {
        if (why.code != FAULT_LOCKED)
            fail_msg("%s", why.detail);
        return;
    }
    if (changed.version == past->newest)
        return;
    check_new(past, &changed);
    past_assert_same(past->views[to], past->views[past->newest]);
    note_step(past);
}

static void back_or_forth(struct past *past, bool undo)
{
    struct steps *from = undo ? &done : &undone, *to = undo ? &undone : &done;
    struct landscape_change change = { .request = "{}" };
    struct landscape_changed changed, predicted;
    struct fault why = { 0 };
    struct step step;

    change.dry_run = true;
    if (from->count > 0 &&
        !(undo ? landscape_undo : landscape_redo)(past->ground, &change, NULL, &predicted, &why))
        fail_msg("dry, at version %" PRIu64 ": %s", past->newest, why.detail);
    change.dry_run = false;
    if (!(undo ? landscape_undo : landscape_redo)(past->ground, &change, NULL, &changed, &why)) {
        if (from->count > 0)
            fail_msg("at version %" PRIu64 ": %s", past->newest, why.detail);
        assert_int_equal(why.code, undo ? FAULT_NOTHING_TO_UNDO : FAULT_NOTHING_TO_REDO);
        return;
    }
    assert_true(from->count > 0);
    step = from->items[--from->count];
    to->items[to->count++] = step;
    check_new(past, &changed);
    assert_int_equal(predicted.version, changed.version);
    assert_int_equal(predicted.change.vertices, changed.change.vertices);
    assert_memory_equal(&predicted.change.dirty, &changed.change.dirty, sizeof(struct rect));
    past_assert_same(past->views[undo ? step.before : step.after], past->views[past->newest]);
}

static void play(struct past *past)
{
    int what = dice_between(&past->dice, 0, 99);

    if (what < 45)
        edit(past);
    else if (what < 72)
        back_or_forth(past, true);
    else if (what < 92)
        back_or_forth(past, false);
    else if (what < 94)
        restore_any(past);
    else if (what < 97)
        past_restart(past);
    else
        past_rest(past);
}

/* Rectangles by whose newest stamp an answer is named, and what was there under it. */
struct named {
    struct rect over;
    bool weights;
    uint64_t stamp;
    uint64_t version; /* one that has it */
};

static void read_surface(const struct view *view, struct rect over, bool weights, uint16_t *values)
{
    const struct stack *stack = view->settings->stack;

    if (!weights) {
        view_read_heights(view, over, values, over.width);
        return;
    }
    for (int p = 0; p < OPS_PAINTS; p++) { /* they stay what they are all through */
        const struct tree *tree = view_weights(view, stack->paints[p].id);

        if (tree)
            tree_read(tree, over, (uint8_t *)values + p * rect_area(over), over.width);
    }
}

static bool same_surface(const struct view *a, const struct view *b, struct rect over, bool weights)
{
    size_t bytes = (size_t)rect_area(over) * OPS_PAINTS;
    uint16_t *values[2] = { calloc(1, bytes), calloc(1, bytes) };
    bool same;

    read_surface(a, over, weights, values[0]);
    read_surface(b, over, weights, values[1]);
    same = memcmp(values[0], values[1], bytes) == 0;
    free(values[0]);
    free(values[1]);
    return same;
}

static bool same_name(const struct named *a, const struct named *b)
{
    return a->stamp == b->stamp && a->weights == b->weights &&
           memcmp(&a->over, &b->over, sizeof a->over) == 0;
}

/* No stamp names two contents, whether a version was kept or made again. */
static void assert_names_one(struct past *past, struct named *names, size_t *count,
                             const struct view *view)
{
    static const struct rect overs[] = { { 0, 0, 60, 60 },
                                         { 100, 0, 26, 100 },
                                         { 0, 0, 127, 127 } };

    for (size_t i = 0; i < 2 * sizeof overs / sizeof *overs; i++) {
        struct named name = { .over = overs[i / 2], .weights = i % 2, .version = view->version };
        size_t k = 0;

        name.stamp =
            name.weights ? view_newest_weights(view, name.over) : view_newest(view, name.over);

        assert_true(name.stamp <= view->version);
        while (k < *count && !same_name(&names[k], &name))
            k++;
        if (k == *count && *count < SEEN_MOST)
            names[(*count)++] = name;
        else if (k < *count &&
                 !same_surface(past->views[names[k].version], view, name.over, name.weights))
            fail_msg("stamp %" PRIu64 " names versions %" PRIu64 " and %" PRIu64, name.stamp,
                     names[k].version, view->version);
    }
}

static void check_past(struct past *past)
{
    struct named *names = calloc(SEEN_MOST, sizeof *names);
    size_t count = 0;

    for (uint64_t version = 1; version <= past->newest; version++)
        assert_names_one(past, names, &count, past->views[version]);
    past_restart(past);
    for (int i = 0; i < 60; i++) {
        uint64_t version = (uint64_t)dice_between(&past->dice, 1, (int32_t)past->newest);
        struct fault why = { 0 };
        struct view *view = landscape_view_at(past->ground, version, &why);

        if (!view)
            fail_msg("version %" PRIu64 ": %s", version, why.detail);
        assert_int_equal(view->version, version);
        past_assert_same(past->views[version], view);
        ground_assert_sound(view);
        assert_names_one(past, names, &count, view);
        view_drop(view);
    }
    free(names);
}

static void whatever_is_done_is_undone_and_done_again_exactly(void **state)
{
    struct past *past = *state;

    past->dice.state = getenv("LANDSCAPED_SEED") ? (uint64_t)atoll(getenv("LANDSCAPED_SEED")) : 11;
    for (int i = 0; i < 400; i++)
        play(past);
    check_past(past);
    while (done.count > 0)
        back_or_forth(past, true);
    past_assert_same(past->views[1], past->views[past->newest]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whatever_is_done_is_undone_and_done_again_exactly,
                                        past_begin, past_end),
    };

    return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}

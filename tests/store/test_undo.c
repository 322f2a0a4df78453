/* Undo and redo of whatever there is, against a model that keeps every version in memory. */
#include "tests/store/scratch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "terrain/edit/layers.h"
#include "terrain/edit/resize.h"
#include "terrain/edit/resolve.h"
#include "terrain/landscape_history.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

enum { VERSIONS_MOST = 1200, SEEN_MOST = 4096 };

/* A step of the model: what was there before and after. */
struct step {
    uint64_t before, after; /* versions */
};

struct bench {
    char *folder;
    struct landscapes *all;
    struct landscapes_limits limits;
    struct landscape *ground;
    struct dice dice;
    struct view *views[VERSIONS_MOST]; /* held, by version */
    uint64_t newest;
    struct step done[VERSIONS_MOST], undone[VERSIONS_MOST];
    size_t done_count, undone_count;
};

static void open_ground(struct bench *bench)
{
    struct fault why = { 0 };

    if (!landscapes_open(bench->folder, &bench->limits, &bench->all, &why))
        fail_msg("%s", why.detail);
    if (landscapes_has(bench->all, "ground"))
        bench->ground = landscapes_find(bench->all, "ground", &why);
}

static int begin(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct view *flat = scratch_flat(2, 1, 30000);
    struct fault why = { 0 };

    bench->folder = scratch_new();
    bench->limits = (struct landscapes_limits){ .vertices = 1 << 24,
                                                .memory_bytes = 1 << 30,
                                                .waiting_changes = 512,
                                                .history_bytes = 1 << 28,
                                                .idle = 1e-6 };
    open_ground(bench);
    assert_true(ops_paint_layers(flat->settings));
    bench->ground = landscapes_create(bench->all, "ground", flat, "{}", &why);
    assert_non_null(bench->ground);
    view_drop(flat);
    bench->newest = 1;
    bench->views[1] = landscape_view(bench->ground);
    *state = bench;
    return 0;
}

static int end(void **state)
{
    struct bench *bench = *state;

    landscape_drop(bench->ground);
    for (size_t i = 0; i < VERSIONS_MOST; i++)
        view_drop(bench->views[i]);
    landscapes_close(bench->all);
    scratch_remove(bench->folder);
    free(bench);
    return 0;
}

static void restart(struct bench *bench)
{
    landscape_drop(bench->ground);
    landscapes_close(bench->all);
    open_ground(bench);
}

static void rest(struct bench *bench)
{
    while (landscapes_work(bench->all))
        ;
}

/* Contents */

static void assert_same_values(const struct tree *a, const struct tree *b, const char *what,
                               uint64_t key)
{
    struct rect all = { 0, 0, a->columns, a->rows };
    size_t bytes = (size_t)rect_area(all) * (a->plane == PLANE_HEIGHTS ? 2 : 1);
    unsigned char *values[2] = { calloc(1, bytes), calloc(1, bytes) };

    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->rows, b->rows);
    tree_read(a, all, values[0], all.width);
    tree_read(b, all, values[1], all.width);
    if (memcmp(values[0], values[1], bytes))
        fail_msg("%s %" PRIx64 " differ", what, key);
    free(values[0]);
    free(values[1]);
}

/* Every plane of a in b, those that are not there being at rest. */
static void assert_planes_in(const struct view *a, const struct view *b)
{
    const struct grid *grid = view_grid(a);
    struct tree none = tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 0);

    for (int32_t i = 0; i < a->layers_count; i++) {
        uint64_t key = a->layers[i].key;
        struct tree rests = channel_tree(b->settings, key, 0);
        const struct tree *other = view_layer(b, key);

        if (key_layer(key)) /* which slots components give paint layers may differ */
            assert_same_values(&a->layers[i].tree, other ? other : &rests, "planes", key);
    }
    for (int32_t i = 0; i < a->weights_count; i++) {
        const struct tree *other = view_weights(b, a->weights[i].paint);

        assert_same_values(&a->weights[i].tree, other ? other : &none, "weights",
                           a->weights[i].paint);
    }
}

/* Settings but for the numbers that only ever grow. */
static void assert_same_settings(const struct view *a, const struct view *b)
{
    struct bytes forms[2] = { { 0 }, { 0 } };
    const struct view *views[] = { a, b };
    struct fault why = { 0 };

    for (int i = 0; i < 2; i++) {
        struct settings *settings = settings_copy(views[i]->settings);
        struct stack *stack = stack_copy(settings->stack);

        stack->next_id = LAYER_IDS - 1;
        stack->reshaped = 0;
        stack_drop(settings->stack);
        settings->stack = stack;
        assert_true(settings_write(settings, &forms[i], &why));
        settings_drop(settings);
    }
    assert_int_equal(forms[0].length, forms[1].length);
    assert_memory_equal(forms[0].data, forms[1].data, forms[0].length);
    bytes_free(&forms[0]);
    bytes_free(&forms[1]);
}

static void assert_same_content(const struct view *a, const struct view *b)
{
    assert_same_settings(a, b);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_same_values(&a->planes[plane], &b->planes[plane], "surface", (uint64_t)plane);
    assert_planes_in(a, b);
    assert_planes_in(b, a);
}

/* What is resolved is what the layers come to. */
static void assert_resolved(const struct view *view)
{
    struct view *again = view_copy(view);
    struct fault why = { 0 };

    assert_non_null(again);
    if (!resolve_view(again, &why))
        fail_msg("%s", why.detail);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_same_values(&again->planes[plane], &view->planes[plane], "resolved",
                           (uint64_t)plane);
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

static bool brush(struct draft *draft, struct dice *dice, struct fault *why)
{
    struct op *op =
        op_random(dice_between(dice, 0, brush_count - 1), view_rect(draft_view(draft)), dice);
    char name[LAYER_NAME_ROOM];
    bool done;

    snprintf(name, sizeof name, "%s", any_layer(draft, dice));
    draft_lend(draft, &mask_sources);
    draft_limit(draft, 2000000);
    done = draft_layer(draft, name, why) && brush_apply_all(draft, &op->variant, 1, why);
    op_free(op);
    return done;
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
                       : brush(draft, making->dice, why);
}

/* The model */

static void check_new(struct bench *bench, const struct landscape_changed *changed)
{
    struct view *view = landscape_view(bench->ground);

    assert_int_equal(changed->version, bench->newest + 1);
    assert_int_equal(view->version, changed->version);
    bench->newest++;
    bench->views[bench->newest] = view;
    assert_resolved(view);
}

static void edit(struct bench *bench)
{
    struct making making = { &bench->dice, bench->newest + 1 };
    struct landscape_change change = { .make = make, .context = &making, .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    if (!landscape_change(bench->ground, &change, &changed, &why)) {
        assert_true(why.code == FAULT_LOCKED || why.code == FAULT_IMPOSSIBLE ||
                    why.code == FAULT_CONFLICT || why.code == FAULT_LIMIT ||
                    why.code == FAULT_INPUT || why.code == FAULT_MISSING);
        return;
    }
    if (changed.version == bench->newest)
        return;
    check_new(bench, &changed);
    bench->done[bench->done_count++] = (struct step){ bench->newest - 1, bench->newest };
    bench->undone_count = 0;
}

static void restore_any(struct bench *bench)
{
    uint64_t to = (uint64_t)dice_between(&bench->dice, 1, (int32_t)bench->newest);
    struct landscape_change change = { .request = "restore" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    if (!landscape_restore(bench->ground, &change, to, &changed, &why)) {
        if (why.code != FAULT_LOCKED)
            fail_msg("%s", why.detail);
        return;
    }
    if (changed.version == bench->newest)
        return;
    check_new(bench, &changed);
    assert_same_content(bench->views[to], bench->views[bench->newest]);
    bench->done[bench->done_count++] = (struct step){ bench->newest - 1, bench->newest };
    bench->undone_count = 0;
}

static void back_or_forth(struct bench *bench, bool undo)
{
    struct step *from = undo ? bench->done : bench->undone,
                *to = undo ? bench->undone : bench->done;
    size_t *from_count = undo ? &bench->done_count : &bench->undone_count;
    size_t *to_count = undo ? &bench->undone_count : &bench->done_count;
    struct landscape_change change = { .request = "{}" };
    struct landscape_changed changed, predicted;
    struct fault why = { 0 };
    struct step step;

    change.dry_run = true;
    if (*from_count > 0 &&
        !(undo ? landscape_undo : landscape_redo)(bench->ground, &change, NULL, &predicted, &why))
        fail_msg("dry, at version %" PRIu64 ": %s", bench->newest, why.detail);
    change.dry_run = false;
    if (!(undo ? landscape_undo : landscape_redo)(bench->ground, &change, NULL, &changed, &why)) {
        if (*from_count > 0)
            fail_msg("at version %" PRIu64 ": %s", bench->newest, why.detail);
        assert_int_equal(why.code, undo ? FAULT_NOTHING_TO_UNDO : FAULT_NOTHING_TO_REDO);
        return;
    }
    assert_true(*from_count > 0);
    step = from[--*from_count];
    to[(*to_count)++] = step;
    check_new(bench, &changed);
    assert_int_equal(predicted.version, changed.version);
    assert_int_equal(predicted.change.vertices, changed.change.vertices);
    assert_memory_equal(&predicted.change.dirty, &changed.change.dirty, sizeof(struct rect));
    assert_same_content(bench->views[undo ? step.before : step.after], bench->views[bench->newest]);
}

static void play(struct bench *bench)
{
    int what = dice_between(&bench->dice, 0, 99);

    if (what < 45)
        edit(bench);
    else if (what < 72)
        back_or_forth(bench, true);
    else if (what < 92)
        back_or_forth(bench, false);
    else if (what < 94)
        restore_any(bench);
    else if (what < 97)
        restart(bench);
    else
        rest(bench);
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
static void assert_names_one(struct bench *bench, struct named *names, size_t *count,
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
                 !same_surface(bench->views[names[k].version], view, name.over, name.weights))
            fail_msg("stamp %" PRIu64 " names versions %" PRIu64 " and %" PRIu64, name.stamp,
                     names[k].version, view->version);
    }
}

static void check_past(struct bench *bench)
{
    struct named *names = calloc(SEEN_MOST, sizeof *names);
    size_t count = 0;

    for (uint64_t version = 1; version <= bench->newest; version++)
        assert_names_one(bench, names, &count, bench->views[version]);
    restart(bench);
    for (int i = 0; i < 60; i++) {
        uint64_t version = (uint64_t)dice_between(&bench->dice, 1, (int32_t)bench->newest);
        struct fault why = { 0 };
        struct view *view = landscape_view_at(bench->ground, version, &why);

        if (!view)
            fail_msg("version %" PRIu64 ": %s", version, why.detail);
        assert_int_equal(view->version, version);
        assert_same_content(bench->views[version], view);
        ground_assert_sound(view);
        assert_names_one(bench, names, &count, view);
        view_drop(view);
    }
    free(names);
}

static void whatever_is_done_is_undone_and_done_again_exactly(void **state)
{
    struct bench *bench = *state;

    bench->dice.state = getenv("LANDSCAPED_SEED") ? (uint64_t)atoll(getenv("LANDSCAPED_SEED")) : 11;
    for (int i = 0; i < 400; i++)
        play(bench);
    check_past(bench);
    while (bench->done_count > 0)
        back_or_forth(bench, true);
    assert_same_content(bench->views[1], bench->views[bench->newest]);
}

/* Authors: each change adds to the heights of a rectangle. */

enum { AUTHORS = 3, SIDE = 127 };
static const char *const names[AUTHORS] = { "anna", "bo", "cy" };

struct adding {
    struct rect at;
    uint16_t by;
};

static bool add(void *context, struct draft *draft, struct fault *why)
{
    const struct adding *adding = context;
    uint16_t *heights = malloc((size_t)rect_area(adding->at) * sizeof *heights);
    const struct tree *surface = draft_surface(draft, adding->at, why);
    bool done = surface != NULL;

    if (done) {
        tree_read(surface, adding->at, heights, adding->at.width);
        for (int64_t i = 0; i < rect_area(adding->at); i++)
            heights[i] = (uint16_t)(heights[i] + adding->by);
        done = draft_write_heights(draft, adding->at, heights, adding->at.width, why);
    }
    free(heights);
    return done;
}

struct part {
    struct adding adding;
    int author;
    bool applied;
    uint64_t turned;          /* the version that turned it last */
    bool when[VERSIONS_MOST]; /* applied, by version */
};

struct crowd {
    struct part parts[200];
    int count;
};

static void note_version(struct bench *bench, struct crowd *crowd)
{
    bench->newest++;
    for (int i = 0; i < crowd->count; i++)
        crowd->parts[i].when[bench->newest] = crowd->parts[i].applied;
}

static void assert_sum(struct bench *bench, const struct crowd *crowd)
{
    uint16_t *heights = malloc(SIDE * SIDE * sizeof *heights);
    struct view *view = landscape_view(bench->ground);

    view_read_heights(view, (struct rect){ 0, 0, SIDE, SIDE }, heights, SIDE);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            int32_t wanted = 30000;

            for (int i = 0; i < crowd->count; i++) {
                const struct adding *adding = &crowd->parts[i].adding;

                if (crowd->parts[i].applied && rect_inside((struct rect){ x, y, 1, 1 }, adding->at))
                    wanted += adding->by;
            }
            assert_int_equal(heights[y * SIDE + x], wanted);
        }
    free(heights);
    view_drop(view);
}

static void add_any(struct bench *bench, struct crowd *crowd)
{
    struct part *part = &crowd->parts[crowd->count];
    struct landscape_change change = { .make = add, .context = &part->adding, .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    memset(part, 0, sizeof *part);
    part->adding.at = dice_rect(&bench->dice, SIDE, SIDE, 40);
    part->adding.by = (uint16_t)dice_between(&bench->dice, 1, 90);
    part->author = dice_between(&bench->dice, 0, AUTHORS - 1);
    change.author = names[part->author];
    assert_true(landscape_change(bench->ground, &change, &changed, &why));
    part->applied = true;
    crowd->count++;
    note_version(bench, crowd);
    part->turned = bench->newest;
}

/* The author's part that undo or redo is about; NULL. */
static struct part *part_of(struct crowd *crowd, int author, bool undo)
{
    struct part *found = NULL, *last = NULL;

    for (int i = 0; i < crowd->count; i++) {
        struct part *part = &crowd->parts[i];

        if (part->author != author)
            continue;
        last = part;
        if (part->applied == undo && (!found || part->turned > found->turned))
            found = part;
    }
    /* Parts are in the order of their versions; the last one's own is when it first was there. */
    for (uint64_t version = 1; found && !undo && version < VERSIONS_MOST; version++)
        if (last->when[version])
            return version < found->turned ? found : NULL;
    return found;
}

static bool free_of_others(const struct bench *bench, const struct crowd *crowd,
                           const struct part *part)
{
    for (int i = 0; i < crowd->count; i++) {
        const struct part *other = &crowd->parts[i];

        if (other != part && other->applied != other->when[part->turned] &&
            !rect_empty(rect_meet(other->adding.at, part->adding.at)))
            return false;
    }
    (void)bench;
    return true;
}

static void turn_any(struct bench *bench, struct crowd *crowd)
{
    bool undo = dice_between(&bench->dice, 0, 1);
    int author = dice_between(&bench->dice, 0, AUTHORS - 1);
    struct part *part = part_of(crowd, author, undo);
    struct landscape_change change = { .author = names[author], .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };
    bool worked = (undo ? landscape_undo : landscape_redo)(bench->ground, &change, names[author],
                                                           &changed, &why);

    if (!part || !free_of_others(bench, crowd, part)) {
        assert_false(worked);
        assert_int_equal(why.code, part   ? FAULT_CONFLICT
                                   : undo ? FAULT_NOTHING_TO_UNDO
                                          : FAULT_NOTHING_TO_REDO);
        return;
    }
    if (!worked)
        fail_msg("%s", why.detail);
    part->applied = !part->applied;
    note_version(bench, crowd);
    part->turned = bench->newest;
    assert_sum(bench, crowd);
}

static void each_author_turns_the_own_last_unless_others_are_in_the_way(void **state)
{
    struct bench *bench = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);

    for (uint64_t seed = 3; seed < 6; seed++) {
        bench->dice.state = seed;
        for (int i = 0; i < 150; i++) {
            int what = dice_between(&bench->dice, 0, 99);

            if (what < 40 && crowd->count < 190)
                add_any(bench, crowd);
            else if (what < 97)
                turn_any(bench, crowd);
            else
                restart(bench);
        }
    }
    free(crowd);
}

/* The end of history */

static void what_the_log_has_forgotten_cannot_be_undone(void **state)
{
    struct bench *bench = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct landscape_change change = { .request = "{}" };
    struct landscape_changed changed;
    struct landscape_reach reach;
    struct fault why = { 0 };

    bench->limits.history_bytes = 4000;
    restart(bench);
    for (int i = 0; i < 150; i++)
        add_any(bench, crowd);
    rest(bench);
    assert_true(landscape_versions(bench->ground, UINT64_MAX, 0, 0, NULL, NULL, &reach, &why));
    assert_true(reach.oldest > 20);
    assert_true(reach.oldest < 151);
    restart(bench); /* what memory keeps is another matter */
    assert_null(landscape_view_at(bench->ground, reach.oldest - 1, &why));
    assert_int_equal(why.code, FAULT_GONE);
    while (landscape_undo(bench->ground, &change, NULL, &changed, &why)) {
        int last = crowd->count - 1;

        while (!crowd->parts[last].applied)
            last--;
        crowd->parts[last].applied = false;
        note_version(bench, crowd);
        if (bench->newest % 4 == 0)
            restart(bench);
    }
    assert_int_equal(why.code, FAULT_NOTHING_TO_UNDO);
    assert_sum(bench, crowd);
    assert_true(crowd->parts[(int)reach.oldest - 2].applied);
    assert_false(crowd->parts[149].applied);
    free(crowd);
}

static bool never(void *context, const struct ledger_snapshot *snapshot)
{
    (void)context;
    (void)snapshot;
    return false;
}

static void a_snapshot_holds_the_log(void **state)
{
    struct bench *bench = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct ledger_snapshot snapshot = { .name = "early" };
    struct fault why = { 0 };
    struct view *view;

    bench->limits.history_bytes = 4000;
    restart(bench);
    for (int i = 0; i < 20; i++)
        add_any(bench, crowd);
    assert_true(landscape_snapshot_put(bench->ground, &snapshot, NULL, &why));
    assert_int_equal(snapshot.version, 21);
    view = landscape_view(bench->ground);
    for (int i = 0; i < 100; i++)
        add_any(bench, crowd);
    rest(bench);
    restart(bench);
    bench->views[21] = landscape_view_at(bench->ground, 21, &why);
    assert_non_null(bench->views[21]);
    assert_same_content(view, bench->views[21]);
    view_drop(view);
    assert_null(landscape_view_at(bench->ground, 20, &why));
    assert_true(landscape_snapshot_drop(bench->ground, "early", &why));
    assert_false(landscape_snapshot_find(bench->ground, "early", never, NULL, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    rest(bench);
    restart(bench);
    assert_null(landscape_view_at(bench->ground, 21, &why));
    assert_int_equal(why.code, FAULT_GONE);
    free(crowd);
}

static void a_log_that_a_snapshot_makes_too_long_takes_no_more(void **state)
{
    struct bench *bench = *state;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct ledger_snapshot snapshot = { .name = "early" };
    struct adding adding = { { 1, 1, 9, 9 }, 5 };
    struct landscape_change change = { .make = add, .context = &adding, .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };

    bench->limits.history_bytes = 4000;
    bench->limits.snapshot_bytes = 10000;
    restart(bench);
    assert_true(landscape_snapshot_put(bench->ground, &snapshot, NULL, &why));
    for (int i = 0; i < 1000 && landscape_change(bench->ground, &change, &changed, &why); i++)
        ;
    assert_int_equal(why.code, FAULT_FULL);
    assert_non_null(strstr(why.detail, "snapshot"));
    assert_true(landscape_snapshot_drop(bench->ground, "early", &why));
    assert_true(landscape_change(bench->ground, &change, &changed, &why));
    free(crowd);
}

/* Everything at once */

enum { CROWD = 4, TURNS = 60 };

struct worker {
    struct bench *bench;
    int number;
    int32_t sum; /* that its rectangle must have in the end */
};

/* Adds to a rectangle that nobody else touches, takes back and makes again. */
static void *turn_on(void *context)
{
    struct worker *worker = context;
    struct landscape *ground = worker->bench->ground;
    struct adding adding = { { worker->number * 30, 10, 25, 25 }, 1 };
    char author[8];
    struct landscape_change change = {
        .make = add, .context = &adding, .author = author, .request = "{}"
    };

    snprintf(author, sizeof author, "w%d", worker->number);
    for (int i = 0; i < TURNS; i++) {
        struct landscape_changed changed;
        struct fault why = { 0 };
        int what = i % 4;
        bool worked = what < 2    ? landscape_change(ground, &change, &changed, &why)
                      : what == 2 ? landscape_undo(ground, &change, author, &changed, &why)
                                  : landscape_redo(ground, &change, author, &changed, &why);

        if (!worked)
            abort();
        worker->sum += what == 2 ? -1 : 1;
    }
    return NULL;
}

static _Atomic bool over;

static void *look_back(void *context)
{
    struct bench *bench = context;
    struct dice dice = { 5 };

    while (!over) {
        struct view *newest = landscape_view(bench->ground);
        uint64_t version = (uint64_t)dice_between(&dice, 1, (int32_t)newest->version);
        struct fault why = { 0 };
        struct view *view = landscape_view_at(bench->ground, version, &why);

        if (!view || view->version != version || view_newest(view, view_rect(view)) > version)
            abort();
        view_drop(view);
        view_drop(newest);
        landscapes_work(bench->all);
    }
    return NULL;
}

static void many_step_back_and_forth_while_others_look_back(void **state)
{
    struct bench *bench = *state;
    struct worker workers[CROWD];
    pthread_t threads[CROWD], reader;
    struct view *view;

    over = false;
    assert_int_equal(pthread_create(&reader, NULL, look_back, bench), 0);
    for (int i = 0; i < CROWD; i++) {
        workers[i] = (struct worker){ bench, i, 30000 };
        assert_int_equal(pthread_create(&threads[i], NULL, turn_on, &workers[i]), 0);
    }
    for (int i = 0; i < CROWD; i++)
        pthread_join(threads[i], NULL);
    over = true;
    pthread_join(reader, NULL);
    view = landscape_view(bench->ground);
    assert_int_equal(view->version, 1 + CROWD * TURNS);
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(view_height(view, i * 30 + 12, 20), workers[i].sum);
    view_drop(view);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(whatever_is_done_is_undone_and_done_again_exactly),
        TEST(each_author_turns_the_own_last_unless_others_are_in_the_way),
        TEST(what_the_log_has_forgotten_cannot_be_undone),
        TEST(a_snapshot_holds_the_log),
        TEST(a_log_that_a_snapshot_makes_too_long_takes_no_more),
        TEST(many_step_back_and_forth_while_others_look_back),
    };

    return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}

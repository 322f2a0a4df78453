/* Edit layers and paint layers: what they add up to, and what changes of them do. */
#include "tests/terrain/layering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/layers.h"
#include "terrain/edit/paints.h"
#include "terrain/edit/resolve.h"
#include "tests/terrain/vectors.h"

static void walk(struct view *view, uint64_t seed, int rounds, bool tell)
{
    struct dice dice = { seed };

    for (int round = 0; round < rounds; round++) {
        struct view *before = view_hold(view);
        const char *what = "";

        view = layering_changed(view, &dice, &what);
        if (tell)
            print_message("%d: %s\n", round, what);
        layering_assert_resolved(view, before);
        if (round % 8 == 0)
            layering_assert_differences(before, view);
        view_drop(before);
    }
    view_drop(view);
}

/* LAYERS_ROUNDS in the environment makes it longer, and tells each change. */
static void random_changes_of_all_kinds_resolve_as_from_scratch(void **state)
{
    static const int32_t grounds[][3] = { { 290, 200, 24 }, { 128, 128, 6 }, { 700, 40, 32 } };
    const char *rounds = getenv("LAYERS_ROUNDS");

    (void)state;
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++)
        walk(layering_view(grounds[i][0], grounds[i][1], grounds[i][2], i + 1), 77 + i,
             rounds ? atoi(rounds) : 100, rounds != NULL);
}

/* ---- changes, one by one ---- */

static void write_on(struct draft *draft, const char *layer, struct rect to, uint16_t code)
{
    uint16_t *codes = malloc((size_t)rect_area(to) * sizeof *codes);
    struct fault why = { 0 };

    for (int64_t i = 0; i < rect_area(to); i++)
        codes[i] = (uint16_t)(code + i % 11);
    assert_true(draft_layer(draft, layer, &why));
    assert_true(draft_write_heights(draft, to, codes, to.width, &why));
    free(codes);
}

static void add_on_top(struct draft *draft, const char *name, int blend, double alpha)
{
    struct layers_change as = { .given = LAYER_BLEND | LAYER_ALPHA,
                                .blend = blend,
                                .alpha = alpha };
    struct fault why = { 0 };

    assert_true(layers_add(draft, name, &as, &why));
}

static void a_copy_shares_every_block(void **state)
{
    struct view *view = ground_rough(300, 200, 3);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    const struct tree *one, *other;

    (void)state;
    add_on_top(draft, "hills", BLEND_ADDITIVE, 1);
    write_on(draft, "hills", (struct rect){ 20, 30, 200, 100 }, 31000);
    assert_true(layers_duplicate(draft, "hills", "more", &why));
    view = ground_finish(draft, view, &change);
    one = view_layer(view, channel_key(view->settings->stack->edits[1].id, CHANNEL_LOW, 0));
    other = view_layer(view, channel_key(view->settings->stack->edits[2].id, CHANNEL_LOW, 0));
    for (int32_t i = 0; i < 6; i++)
        assert_ptr_equal(tree_leaf(one, i % 3, i / 3)->below,
                         tree_leaf(other, i % 3, i / 3)->below);
    layering_assert_resolved(view, view);
    view_drop(view);
}

static void two_alpha_layers_that_count_in_full_stay_one(void **state)
{
    struct view *view = ground_rough(200, 150, 4), *was;
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    (void)state;
    add_on_top(draft, "lower", BLEND_ALPHA, 1);
    add_on_top(draft, "upper", BLEND_ALPHA, 1);
    write_on(draft, "lower", (struct rect){ 10, 10, 100, 100 }, 31000);
    write_on(draft, "upper", (struct rect){ 60, 60, 100, 80 }, 33000);
    was = ground_finish(draft, view, &change);
    draft = draft_new(was, &why);
    assert_true(layers_collapse(draft, "upper", &why));
    view = ground_finish(draft, view_hold(was), &change);
    assert_int_equal(view->settings->stack->edit_count, 2);
    assert_int_equal(view->settings->stack->edits[1].blend, BLEND_ALPHA);
    assert_int_equal(change.what & (CHANGE_HEIGHTS | CHANGE_HOLES | CHANGE_WEIGHTS), 0);
    layering_assert_same_surface(was, view);
    view_drop(view);
    view_drop(was);
}

/* Above, an alpha blend of negative alpha doubles whatever the collapsed layer rounds. */
static void a_collapse_that_would_move_the_ground_is_refused(void **state)
{
    struct view *view = ground_rough(200, 150, 5);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    (void)state;
    add_on_top(draft, "third", BLEND_ADDITIVE, 1.0 / 3);
    add_on_top(draft, "away", BLEND_ALPHA, -1);
    write_on(draft, "third", (struct rect){ 10, 10, 100, 100 }, 31000);
    write_on(draft, "away", (struct rect){ 10, 10, 100, 100 }, 31000);
    view = ground_finish(draft, view, &change);
    draft = draft_new(view, &why);
    assert_false(layers_collapse(draft, "third", &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_non_null(strstr(why.detail, "base"));
    draft_free(draft);
    view_drop(view);
}

static void another_blend_and_back_leaves_the_ground(void **state)
{
    static const double alphas[] = { 1, 0.5, -0.37, 0 };
    struct fault why = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        struct view *view = ground_rough(200, 150, 6), *was;
        struct draft *draft = draft_new(view, &why);
        struct layers_change change = { .given = LAYER_BLEND, .blend = BLEND_ALPHA };
        struct change came;

        add_on_top(draft, "below", BLEND_ADDITIVE, 0.7);
        add_on_top(draft, "hills", BLEND_ADDITIVE, alphas[i]);
        write_on(draft, "below", (struct rect){ 50, 40, 100, 100 }, 33000);
        write_on(draft, "hills", (struct rect){ 10, 10, 100, 100 }, 31000);
        was = ground_finish(draft, view, &came);
        draft = draft_new(was, &why);
        assert_true(layers_change(draft, "hills", &change, &why));
        view = ground_finish(draft, view_hold(was), &came);
        assert_int_equal(view->settings->stack->edits[2].blend, BLEND_ALPHA);
        layering_assert_same_surface(was, view);
        draft = draft_new(view, &why);
        change.blend = BLEND_ADDITIVE;
        assert_true(layers_change(draft, "hills", &change, &why));
        view = ground_finish(draft, view, &came);
        layering_assert_same_surface(was, view);
        view_drop(view);
        view_drop(was);
    }
}

/* ---- vectors 13 ---- */

/* Puts values into a plane of a landscape of one block. */
static void plane_put(struct draft *draft, uint64_t key, const json_t *values)
{
    enum plane plane = channels[key_channel(key)].plane;
    struct rect all = view_rect(draft_view(draft));
    struct block *block = block_new(plane, 0);
    struct fault why = { 0 };

    for (int32_t i = 0; i < all.width * all.height; i++) {
        int32_t at = i / all.width * BLOCK_SIDE + i % all.width;
        double value = vectors_at(values, (size_t)i);

        if (plane == PLANE_WEIGHTS)
            ((uint8_t *)block_writable(block))[at] = (uint8_t)value;
        else
            ((uint16_t *)block_writable(block))[at] = (uint16_t)value;
    }
    assert_true(draft_plane_put(draft, key, 0, 0, &block, 0, &why));
}

/* Whole deltas, which may be beyond 16 bits. */
static void deltas_put(struct draft *draft, uint32_t layer, const json_t *deltas, double scale)
{
    json_t *low = json_array(), *high = json_array();

    for (size_t i = 0; i < json_array_size(deltas); i++) {
        double value = vectors_at(deltas, i), whole = floor(value);
        int32_t delta =
            32768 + (int32_t)(scale == 1 ? whole : floor((value - whole) * scale + 0.5));

        json_array_append_new(low, json_integer(delta & 0xffff));
        json_array_append_new(high, json_integer(delta >> 16 & 0xffff));
    }
    plane_put(draft, channel_key(layer, CHANNEL_LOW, 0), low);
    plane_put(draft, channel_key(layer, CHANNEL_HIGH, 0), high);
    json_decref(low);
    json_decref(high);
}

/* A layer of the reference, on top, its alpha divided. Its id. */
static uint32_t layer_put(struct draft *draft, const json_t *layer, double divided)
{
    const json_t *mode = json_object_get(layer, "mode");
    struct layers_change as = { .given = LAYER_ALPHA | LAYER_VISIBLE | LAYER_BLEND };
    int number = draft_view(draft)->settings->stack->edit_count;
    struct fault why = { 0 };
    char name[32];

    snprintf(name, sizeof name, "layer-%d", number);
    as.alpha = vectors_real(layer, "alpha") / divided;
    as.visible = vectors_int(layer, "visible");
    as.blend = mode && strcmp(json_string_value(mode), "alpha") == 0 ? BLEND_ALPHA : BLEND_ADDITIVE;
    if (!layers_add(draft, name, &as, &why))
        fail_msg("%s", why.detail);
    return draft_view(draft)->settings->stack->edits[number].id;
}

/* The reference has thousandths in its deltas, where ours are whole: a layer of them then counts a
 * thousandth as much. */
static void heights_put(struct draft *draft, const json_t *layer)
{
    const json_t *data = json_object_get(layer, "data");
    uint32_t id = layer_put(draft, layer, 1);
    bool whole = true;

    if (strcmp(json_string_value(json_object_get(layer, "mode")), "alpha") == 0) {
        plane_put(draft, channel_key(id, CHANNEL_MASK, 0), json_object_get(layer, "mask"));
        plane_put(draft, channel_key(id, CHANNEL_LOW, 0), data);
        return;
    }
    deltas_put(draft, id, data, 1);
    for (size_t i = 0; i < json_array_size(data); i++)
        whole = whole && vectors_at(data, i) == floor(vectors_at(data, i));
    if (!whole)
        deltas_put(draft, layer_put(draft, layer, 1000), data, 1000);
}

static void heights_add_up_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("13_layers"), *one;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "heights"), i, one)
    {
        const json_t *layers = json_object_get(one, "layers"), *out = json_object_get(one, "out");
        int32_t width = vectors_int(one, "w");
        struct view *view = ground_flat(width, vectors_int(one, "h"), 32768);
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);
        struct change change;

        for (size_t k = 0; k < json_array_size(layers); k++)
            heights_put(draft, json_array_get(layers, k));
        view = ground_finish(draft, view, &change);
        for (size_t k = 0; k < json_array_size(out); k++)
            assert_int_equal(view_height(view, (int32_t)k % width, (int32_t)k / width),
                             vectors_at(out, k));
        layering_assert_resolved(view, view);
        view_drop(view);
    }
    json_decref(file);
}

/* A landscape with so many paint layers, some of them not blended. */
static struct view *painted_flat(const json_t *one)
{
    struct view *view = ground_flat(vectors_int(one, "w"), vectors_int(one, "h"), 32768);
    const json_t *blended = json_object_get(one, "blended");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    while (draft_view(draft)->settings->stack->paint_count > 0)
        assert_true(
            paints_delete(draft, draft_view(draft)->settings->stack->paints[0].name, NULL, &why));
    for (int p = 0; p < vectors_int(one, "paint_layers"); p++) {
        struct paints_change as = { .given = PAINT_BLENDED };
        char name[32];

        snprintf(name, sizeof name, "paint-%d", p);
        as.as.blended = vectors_at(blended, (size_t)p) != 0;
        assert_true(paints_add(draft, name, &as, &why));
    }
    return ground_finish(draft, view, &change);
}

static void weights_put(struct draft *draft, const json_t *layer)
{
    struct layers_change as = { .given = LAYER_SUBTRACT };
    const json_t *entries = json_object_get(layer, "entries");
    const char *taken[16];
    char name[32], names[16][32];
    struct fault why = { 0 };
    uint32_t id = layer_put(draft, layer, 1);

    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        int paint = vectors_int(entry, "layer");

        snprintf(names[i], sizeof names[i], "paint-%d", paint);
        if (strcmp(json_string_value(json_object_get(entry, "op")), "sub") == 0)
            taken[as.subtract_count++] = names[i];
        plane_put(
            draft,
            channel_key(id, CHANNEL_WEIGHTS, draft_view(draft)->settings->stack->paints[paint].id),
            json_object_get(entry, "data"));
    }
    as.subtract = taken;
    snprintf(name, sizeof name, "layer-%d", draft_view(draft)->settings->stack->edit_count - 1);
    assert_true(layers_change(draft, name, &as, &why));
}

static void weights_add_up_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("13_layers"), *one;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "weights"), i, one)
    {
        const json_t *layers = json_object_get(one, "layers");
        struct view *view = painted_flat(one);
        int32_t width = vectors_int(one, "w");
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);
        struct change change;

        for (size_t k = 0; k < json_array_size(layers); k++)
            weights_put(draft, json_array_get(layers, k));
        view = ground_finish(draft, view, &change);
        for (int p = 0; p < vectors_int(one, "paint_layers"); p++) {
            const json_t *out = json_array_get(json_object_get(one, "out"), (size_t)p);

            for (size_t k = 0; k < json_array_size(out); k++)
                assert_int_equal(ground_weight(view, p, (int32_t)k % width, (int32_t)k / width),
                                 vectors_at(out, k));
        }
        layering_assert_resolved(view, view);
        view_drop(view);
    }
    json_decref(file);
}

static struct rect inclusive(const json_t *corners)
{
    int32_t x = (int32_t)vectors_at(corners, 0), y = (int32_t)vectors_at(corners, 1);

    return (struct rect){ x, y, (int32_t)vectors_at(corners, 2) - x + 1,
                          (int32_t)vectors_at(corners, 3) - y + 1 };
}

static void assert_components(struct rect components, const json_t *list)
{
    assert_int_equal(rect_area(components), json_array_size(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *at = json_array_get(list, i);

        assert_int_equal(components.x + (int32_t)i % components.width, vectors_at(at, 0));
        assert_int_equal(components.y + (int32_t)i / components.width, vectors_at(at, 1));
    }
}

static void a_change_reaches_what_the_reference_says(void **state)
{
    json_t *file = vectors_open("13_layers"), *one;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "dirty"), i, one)
    {
        const struct layout layout = { { vectors_int(one, "nx"), vectors_int(one, "ny") },
                                       vectors_int(one, "s"),
                                       vectors_int(one, "q") };
        struct rect changed = inclusive(json_object_get(one, "rect"));
        struct rect normals = layout_dirty_normals(&layout, changed);
        struct rect quads = layout_dirty_quads(&layout, changed);
        struct rect wanted = inclusive(json_object_get(one, "normal_rect"));

        assert_memory_equal(&normals, &wanted, sizeof wanted);
        wanted = inclusive(json_object_get(one, "collision_quads"));
        assert_memory_equal(&quads, &wanted, sizeof wanted);
        assert_components(layout_dirty_components(&layout, changed),
                          json_object_get(one, "height"));
        assert_components(layout_dirty_components(&layout, normals),
                          json_object_get(one, "normal"));
    }
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_shares_every_block),
        cmocka_unit_test(two_alpha_layers_that_count_in_full_stay_one),
        cmocka_unit_test(a_collapse_that_would_move_the_ground_is_refused),
        cmocka_unit_test(another_blend_and_back_leaves_the_ground),
        cmocka_unit_test(heights_add_up_as_in_the_reference),
        cmocka_unit_test(weights_add_up_as_in_the_reference),
        cmocka_unit_test(a_change_reaches_what_the_reference_says),
        cmocka_unit_test(random_changes_of_all_kinds_resolve_as_from_scratch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

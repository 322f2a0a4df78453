#include "tests/store/past.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/terrain/ops.h"

static void open_ground(struct past *past)
{
    struct fault why = { 0 };

    if (!landscapes_open(past->folder, &past->limits, &past->all, &why))
        fail_msg("%s", why.detail);
    if (landscapes_has(past->all, "ground"))
        past->ground = landscapes_find(past->all, "ground", &why);
}

int past_begin(void **state)
{
    struct past *past = calloc(1, sizeof *past);
    struct view *flat = scratch_flat(2, 1, 30000);
    struct fault why = { 0 };

    past->folder = scratch_new();
    past->limits = (struct landscapes_limits){ .vertices = 1 << 24,
                                               .memory_bytes = 1 << 30,
                                               .waiting_changes = 512,
                                               .history_bytes = 1 << 28,
                                               .idle = 1e-9 };
    open_ground(past);
    assert_true(ops_paint_layers(flat->settings));
    past->ground = landscapes_create(past->all, "ground", flat, "{}", &why);
    assert_non_null(past->ground);
    view_drop(flat);
    past->newest = 1;
    past->views[1] = landscape_view(past->ground);
    *state = past;
    return 0;
}

int past_end(void **state)
{
    struct past *past = *state;

    landscape_drop(past->ground);
    for (size_t i = 0; i < VERSIONS_MOST; i++)
        view_drop(past->views[i]);
    landscapes_close(past->all);
    scratch_remove(past->folder);
    free(past);
    return 0;
}

void past_restart(struct past *past)
{
    landscape_drop(past->ground);
    landscapes_close(past->all);
    open_ground(past);
}

void past_rest(struct past *past)
{
    while (landscapes_work(past->all))
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

void past_assert_same(const struct view *a, const struct view *b)
{
    assert_same_settings(a, b);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_same_values(&a->planes[plane], &b->planes[plane], "surface", (uint64_t)plane);
    assert_planes_in(a, b);
    assert_planes_in(b, a);
}

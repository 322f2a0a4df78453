/* Index maps against the reference, and what they may lose. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/index_map.h"
#include "terrain/core/weights.h"
#include "tests/terrain/vectors.h"

static void *room(size_t size)
{
    void *memory = calloc(size, 1);

    assert_non_null(memory);
    return memory;
}

static size_t texels(const struct index_map_form *form)
{
    return (size_t)form->side * (size_t)form->side;
}

static size_t entry_bytes(const struct index_map_form *form)
{
    size_t cells = (size_t)(form->side / form->cell);

    return cells * cells * INDEX_MAP_KEPT;
}

/* Planes from the reference's lists of layer, weight, layer, weight. */
static uint8_t *planes_of(const struct index_map_form *form, const json_t *lists)
{
    uint8_t *planes = room((size_t)form->layers * texels(form));
    const json_t *list;
    size_t i;

    assert_int_equal(json_array_size(lists), texels(form));
    json_array_foreach(lists, i, list)
    {
        for (size_t k = 0; k < json_array_size(list); k += 2)
            planes[(size_t)vectors_at(list, k) * texels(form) + i] =
                (uint8_t)vectors_at(list, k + 1);
    }
    return planes;
}

static struct index_map_form form_of(const json_t *tile)
{
    return (struct index_map_form){ vectors_int(tile, "size"), vectors_int(tile, "cell"),
                                    vectors_int(tile, "layers") };
}

static void assert_encoded(const json_t *tile, const uint8_t *entries, const uint8_t *channels)
{
    const json_t *index = json_object_get(tile, "index"), *rgb = json_object_get(tile, "rgb");
    const json_t *entry;
    size_t i;

    json_array_foreach(index, i, entry)
    {
        for (size_t k = 0; k < INDEX_MAP_KEPT; k++)
            assert_int_equal(entries[i * INDEX_MAP_KEPT + k], vectors_at(entry, k));
    }
    for (i = 0; i < json_array_size(rgb); i++)
        assert_int_equal(channels[i], vectors_at(rgb, i));
}

/* Summed absolute error of each texel; the greatest of them. */
static int errors_of(const struct index_map_form *form, const uint8_t *weights,
                     const uint8_t *decoded, const uint8_t *lost)
{
    int most = 0;

    for (size_t i = 0; i < texels(form); i++) {
        int error = 0, sum = 0;

        for (size_t layer = 0; layer < (size_t)form->layers; layer++) {
            error += abs(weights[layer * texels(form) + i] - decoded[layer * texels(form) + i]);
            sum += decoded[layer * texels(form) + i];
        }
        assert_int_equal(sum, 255);
        assert_int_equal(error, 2 * lost[i]);
        most = error > most ? error : most;
    }
    return most;
}

static void tiles_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("09_weights"), *tile;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "tiles"), i, tile)
    {
        struct index_map_form form = form_of(tile);
        uint8_t *weights = planes_of(&form, json_object_get(tile, "weights"));
        uint8_t *decoded = room((size_t)form.layers * texels(&form));
        uint8_t *entries = room(entry_bytes(&form)), *lost = room(texels(&form));
        uint8_t *channels = room(texels(&form) * INDEX_MAP_CHANNELS);
        const json_t *losses = json_object_get(tile, "lost");

        index_map_encode(&form, weights, entries, channels, lost);
        assert_int_equal(json_array_size(json_object_get(tile, "rgb")),
                         texels(&form) * INDEX_MAP_CHANNELS);
        assert_encoded(tile, entries, channels);
        for (size_t k = 0; k < texels(&form); k++)
            assert_int_equal(lost[k], json_is_array(losses) ? vectors_at(losses, k) : 0);
        index_map_decode(&form, entries, channels, decoded);
        assert_int_equal(errors_of(&form, weights, decoded, lost), vectors_int(tile, "max_l1"));
        free(weights);
        free(decoded);
        free(entries);
        free(lost);
        free(channels);
    }
    assert_int_equal(i, 4);
    json_decref(file);
}

static void the_parent_is_that_of_the_reference(void **state)
{
    json_t *file = vectors_open("09_weights"), *one = json_object_get(file, "parent");
    struct index_map_form form = form_of(one);
    const json_t *children = json_object_get(one, "children");
    uint8_t *planes[4], *parent = room((size_t)form.layers * texels(&form)), *expected;
    uint8_t *entries = room(entry_bytes(&form));
    uint8_t *channels = room(texels(&form) * INDEX_MAP_CHANNELS);

    (void)state;
    for (size_t i = 0; i < 4; i++)
        planes[i] = planes_of(&form, json_array_get(children, i));
    index_map_parent(&form, (const uint8_t *const *)planes, parent);
    expected = planes_of(&form, json_object_get(one, "parent"));
    assert_memory_equal(parent, expected, (size_t)form.layers * texels(&form));
    index_map_encode(&form, parent, entries, channels, NULL);
    assert_encoded(one, entries, channels);
    for (size_t i = 0; i < 4; i++)
        free(planes[i]);
    free(parent);
    free(expected);
    free(entries);
    free(channels);
    json_decref(file);
}

static void memory_is_what_the_reference_counts(void **state)
{
    json_t *file = vectors_open("09_weights"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "memory_plain"), i, row)
    {
        assert_int_equal(
            index_map_plain_bytes((int64_t)vectors_at(row, 0), (int32_t)vectors_at(row, 1)),
            (int64_t)vectors_at(row, 2));
    }
    assert_int_equal(i, 4);
    json_array_foreach(json_object_get(file, "memory_pyramid"), i, row)
    {
        int64_t weights, index;

        index_map_bytes((int64_t)vectors_at(row, 0), (int32_t)vectors_at(row, 1),
                        (int32_t)vectors_at(row, 2), (int32_t)vectors_at(row, 3), &weights, &index);
        assert_int_equal(weights, (int64_t)vectors_at(row, 4));
        assert_int_equal(index, (int64_t)vectors_at(row, 5));
        assert_int_equal(weights + index, (int64_t)vectors_at(row, 6));
    }
    assert_int_equal(i, 6);
    json_decref(file);
}

/* Random tiles: each cell knows `most` of the layers. */
static uint8_t *throw_tile(struct dice *dice, const struct index_map_form *form, int most)
{
    uint8_t *weights = room((size_t)form->layers * texels(form));
    int32_t cells = form->side / form->cell;
    bool blended[INDEX_MAP_LAYERS];

    memset(blended, true, sizeof blended);
    for (int32_t c = 0; c < cells * cells; c++) {
        int known[16];

        for (int k = 0; k < most; k++)
            known[k] = dice_between(dice, 0, form->layers - 1);
        for (int32_t i = 0; i < form->cell * form->cell; i++) {
            int32_t x = c % cells * form->cell + i % form->cell;
            int32_t y = c / cells * form->cell + i / form->cell;
            uint8_t one[INDEX_MAP_LAYERS] = { 0 };

            one[known[dice_between(dice, 0, most - 1)]] = 1;
            for (int k = 0; k < most; k++)
                one[known[k]] = (uint8_t)(one[known[k]] | dice_between(dice, 0, 255));
            weights_normalise(one, blended, form->layers);
            for (int32_t layer = 0; layer < form->layers; layer++)
                weights[(size_t)layer * texels(form) + (size_t)(y * form->side + x)] = one[layer];
        }
    }
    return weights;
}

static void four_layers_a_cell_lose_nothing_and_more_lose_twice_what_is_dropped(void **state)
{
    struct dice dice = { 95 };

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct index_map_form form = { round % 2 ? 64 : 16, round % 3 ? 8 : 4,
                                       dice_between(&dice, 1, round % 5 ? 12 : 255) };
        int most = dice_between(&dice, 1, 8), greatest;
        uint8_t *weights = throw_tile(&dice, &form, most);
        uint8_t *decoded = room((size_t)form.layers * texels(&form));
        uint8_t *entries = room(entry_bytes(&form)), *lost = room(texels(&form));
        uint8_t *channels = room(texels(&form) * INDEX_MAP_CHANNELS);

        index_map_encode(&form, weights, entries, channels, lost);
        index_map_decode(&form, entries, channels, decoded);
        greatest = errors_of(&form, weights, decoded, lost);
        if (most <= INDEX_MAP_KEPT) {
            assert_int_equal(greatest, 0);
            assert_memory_equal(weights, decoded, (size_t)form.layers * texels(&form));
        }
        free(weights);
        free(decoded);
        free(entries);
        free(lost);
        free(channels);
    }
}

static void a_cell_without_paint_names_no_layer(void **state)
{
    const struct index_map_form form = { 8, 8, 2 };
    uint8_t weights[128] = { 0 }, entries[4], channels[192], decoded[128];

    (void)state;
    index_map_encode(&form, weights, entries, channels, NULL);
    for (int i = 0; i < 4; i++)
        assert_int_equal(entries[i], INDEX_MAP_UNUSED);
    index_map_decode(&form, entries, channels, decoded);
    assert_memory_equal(weights, decoded, sizeof weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_those_of_the_reference),
        cmocka_unit_test(the_parent_is_that_of_the_reference),
        cmocka_unit_test(memory_is_what_the_reference_counts),
        cmocka_unit_test(four_layers_a_cell_lose_nothing_and_more_lose_twice_what_is_dropped),
        cmocka_unit_test(a_cell_without_paint_names_no_layer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Meshes of single tiles against the reference: strips, counts, merged and half-step insides. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/lod/patch_mesh.h"
#include "terrain/lod/quadtree.h"
#include "tests/terrain/vectors.h"

/* A triangle with its smallest number first. */
static void turned(const uint32_t corners[3], uint32_t to[3])
{
    int first = corners[1] < corners[0] ? 1 : 0;

    first = corners[2] < corners[first] ? 2 : first;
    for (int k = 0; k < 3; k++)
        to[k] = corners[(first + k) % 3];
}

static int by_numbers(const void *one, const void *other)
{
    const uint32_t *a = one, *b = other;

    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void make_canonical(uint32_t (*corners)[3], size_t count)
{
    for (size_t t = 0; t < count; t++) {
        uint32_t to[3];

        turned(corners[t], to);
        memcpy(corners[t], to, sizeof to);
    }
    qsort(corners, count, sizeof *corners, by_numbers);
}

static void strips_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("08_tile_mesh"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "strips"), i, row)
    {
        const int32_t grid = vectors_int(row, "N");
        const json_t *told = json_object_get(row, "tris");
        const size_t count = json_array_size(told);
        struct fault why = { 0 };
        const struct patch_strip *strip = patch_strip(
            grid, (enum patch_side)vectors_int(row, "side"), vectors_int(row, "diff"), &why);
        uint32_t(*expected)[3] = malloc(count * sizeof *expected);
        uint32_t(*made)[3] = malloc(count * sizeof *made);

        assert_non_null(strip);
        assert_int_equal(strip->count, count);
        for (size_t t = 0; t < count; t++)
            for (size_t k = 0; k < 3; k++) {
                const json_t *numbers = json_array_get(told, t);

                expected[t][k] = (uint32_t)vectors_at(numbers, 2 * k + 1) * ((uint32_t)grid + 1) +
                                 (uint32_t)vectors_at(numbers, 2 * k);
            }
        memcpy(made, strip->corners, count * sizeof *made);
        make_canonical(expected, count);
        make_canonical(made, count);
        assert_memory_equal(made, expected, count * sizeof *made);
        free(expected);
        free(made);
    }
    json_decref(file);
}

/* The reference's order: x-min, x-max, y-min, y-max. */
static void borders_from(const json_t *array, size_t first,
                         struct patch_border borders[PATCH_SIDES])
{
    memset(borders, 0, PATCH_SIDES * sizeof *borders);
    for (size_t side = 0; side < PATCH_SIDES; side++)
        borders[side].difference = (int32_t)vectors_at(array, first + side);
}

static void assert_shape(const struct view *view, const struct patch_place *tile,
                         const struct patch_style *style, const struct patch_border *borders,
                         double count, double crc)
{
    struct patch_shape shape = { 0 };
    struct fault why = { 0 };
    int64_t counted;

    assert_true(patch_shape_make(view, NULL, tile, style, borders, &shape, &why));
    assert_int_equal(shape.count, count);
    assert_true(patch_count(view, NULL, tile, style, borders, &counted, &why));
    assert_int_equal(counted, count);
    make_canonical(shape.corners, shape.count);
    assert_int_equal(vectors_crc32((const uint32_t *)shape.corners, shape.count * 3), crc);
    patch_shape_free(&shape);
}

static void counts_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("08_tile_mesh"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "counts"), i, row)
    {
        const int32_t grid = (int32_t)vectors_at(row, 0);
        struct view *view = ground_flat(grid * 4 + 1, grid * 4 + 1, 30000);
        const struct patch_place tile = { grid, grid, grid, grid };
        struct patch_style style = { -1, vectors_at(row, 1) == 1, HOLES_ALL };
        struct patch_border borders[PATCH_SIDES];

        borders_from(row, 2, borders);
        assert_shape(view, &tile, &style, borders, vectors_at(row, 6), vectors_at(row, 8));
        style.merge_angle = 180;
        assert_shape(view, &tile, &style, borders, vectors_at(row, 7), vectors_at(row, 9));
        view_drop(view);
    }
    json_decref(file);
}

/* All cells larger than a quad, column by column as the reference lists them. */
static void assert_cells(const struct patch_inside *inside, int32_t grid, const json_t *cells)
{
    size_t told = 0;

    for (int32_t x = 0; x < grid; x += 2)
        for (int32_t y = 0; y < grid; y += 2) {
            uint8_t group = inside->groups[(y / 2) * (grid / 2) + x / 2];
            int32_t size = 1 << (group & ~PATCH_FAN);
            const json_t *cell;

            if (!group || ((x | y) & (size - 1)))
                continue;
            cell = json_array_get(cells, told++);
            assert_int_equal(x, vectors_at(cell, 0));
            assert_int_equal(y, vectors_at(cell, 1));
            assert_int_equal(size, vectors_at(cell, 2));
            assert_int_equal((group & PATCH_FAN) != 0, vectors_at(cell, 3));
        }
    assert_int_equal(told, json_array_size(cells));
}

static void tiles_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("08_tile_mesh"), *row, *result;
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(file, "tiles"), i, row)
    {
        const int32_t size = vectors_int(row, "size"), grid = vectors_int(row, "N");
        const struct vectors_relief relief = vectors_relief(json_object_get(row, "dem"));
        const json_t *node = json_object_get(row, "node");
        const struct patch_place tile = { (int32_t)vectors_at(node, 0),
                                          (int32_t)vectors_at(node, 1),
                                          (int32_t)vectors_at(node, 2), grid };
        uint16_t *heights = vectors_heights(size + 1, size + 1, &relief);
        struct view *view = ground_of(size + 1, size + 1, heights);
        struct patch_border borders[PATCH_SIDES];

        borders_from(json_object_get(row, "diffs"), 0, borders);
        json_array_foreach(json_object_get(row, "results"), k, result)
        {
            const struct patch_style style = { vectors_real(row, "theta"),
                                               vectors_int(result, "mesh_lod") == 1, HOLES_ALL };
            struct fault why = { 0 };
            struct patch_inside *inside = patch_inside(view, NULL, &tile, &style, &why);

            assert_non_null(inside);
            assert_cells(inside, grid, json_object_get(result, "cells"));
            derived_drop(&inside->derived);
            assert_shape(view, &tile, &style, borders, vectors_int(result, "triangles"),
                         vectors_real(result, "crc"));
        }
        view_drop(view);
        free(heights);
    }
    json_decref(file);
}

/* The same thing, however many ask for it. */
static void strips_are_shared(void **state)
{
    struct fault why = { 0 };

    (void)state;
    for (int log2 = PATCH_GRID_LOG2_LEAST; log2 <= PATCH_GRID_LOG2_MOST; log2++)
        for (int side = 0; side < PATCH_SIDES; side++)
            for (int32_t d = 0; d < PATCH_DIFFERENCES; d++) {
                const struct patch_strip *strip =
                    patch_strip(1 << log2, (enum patch_side)side, d, &why);

                assert_non_null(strip);
                assert_int_equal(strip->count, (1 << log2 >> d) + (1 << log2) - 2);
                assert_ptr_equal(strip, patch_strip(1 << log2, (enum patch_side)side, d, &why));
            }
}

static void insides_are_kept_until_what_they_show_changes(void **state)
{
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct view *view = ground_flat(130, 130, 30000);
    const struct patch_place tile = { 0, 0, 32, 32 };
    const struct patch_style style = { 5, true, HOLES_ALL };
    struct fault why = { 0 };
    struct patch_inside *inside = patch_inside(view, cache, &tile, &style, &why), *again;
    struct draft *draft = draft_new(view, &why);
    const uint16_t up = 60000;
    struct change change;

    (void)state;
    assert_true(draft_write_heights(draft, (struct rect){ 10, 10, 1, 1 }, &up, 1, &why));
    again = patch_inside(view, cache, &tile, &style, &why);
    assert_ptr_equal(inside, again);
    derived_drop(&again->derived);
    view = ground_finish(draft, view, &change);
    again = patch_inside(view, cache, &tile, &style, &why);
    assert_ptr_not_equal(inside, again);
    derived_drop(&again->derived);
    derived_drop(&inside->derived);
    view_drop(view);
    derived_cache_free(cache);
}

static void nodes_that_no_quadtree_has_are_refused(void **state)
{
    static const struct {
        struct patch_place node;
        int32_t differences[4];
        enum fault_code code;
    } wrong[] = {
        { { 0, 0, 16, 12 }, { 0 }, FAULT_INPUT },   { { 0, 0, 16, 4 }, { 0 }, FAULT_INPUT },
        { { 0, 0, 8, 16 }, { 0 }, FAULT_INPUT },    { { 0, 0, 24, 8 }, { 0 }, FAULT_INPUT },
        { { 8, 0, 16, 16 }, { 0 }, FAULT_INPUT },   { { 0, 0, 16, 16 }, { 0, 4 }, FAULT_INPUT },
        { { 0, 0, 16, 16 }, { -1 }, FAULT_INPUT },  { { 64, 0, 16, 16 }, { 0 }, FAULT_RANGE },
        { { 0, -16, 16, 16 }, { 0 }, FAULT_RANGE }, { { 0, 0, 4096, 2048 }, { 0 }, FAULT_INPUT },
    };
    const struct patch_style style = { -1, false, HOLES_ALL };
    struct view *view = ground_flat(65, 65, 30000);
    struct mesh mesh;

    (void)state;
    mesh_init(&mesh, true);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fault why = { 0 };

        assert_false(quadtree_node_mesh(view, NULL, &wrong[i].node, wrong[i].differences, &style,
                                        &mesh, &why));
        assert_int_equal(why.code, wrong[i].code);
        assert_int_equal(mesh.index_count, 0);
    }
    mesh_free(&mesh);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_are_those_of_the_reference),
        cmocka_unit_test(counts_are_those_of_the_reference),
        cmocka_unit_test(tiles_are_those_of_the_reference),
        cmocka_unit_test(strips_are_shared),
        cmocka_unit_test(insides_are_kept_until_what_they_show_changes),
        cmocka_unit_test(nodes_that_no_quadtree_has_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

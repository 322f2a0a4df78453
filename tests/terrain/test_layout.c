/* Layouts against the reference's tables, and the layouts chosen for rasters. */
#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "tests/terrain/vectors.h"

/* The reference leaves out the checksums of the longest lists: those of components of 65536
 * vertices and more, and first-use orders beyond 4096. */
static void assert_crc(const json_t *expected, bool left_out, const uint32_t *numbers,
                       int32_t count)
{
    assert_int_equal(expected == NULL, left_out);
    if (expected)
        assert_true(vectors_crc32(numbers, (size_t)count) == json_number_value(expected));
}

static void the_tables_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("01_layout"), *config;
    size_t i, lod;
    json_t *row;

    (void)state;
    json_array_foreach(json_object_get(file, "configs"), i, config)
    {
        struct layout layout = { { 1, 1 }, vectors_int(config, "s"), vectors_int(config, "q") };
        json_t *keys = json_object_get(config, "keys");
        uint32_t *numbers = malloc(3 * 2 * 510 * 510 * sizeof *numbers);
        bool large = layout_vertices(&layout) >= 65536;
        struct fault why = { 0 };

        assert_true(layout_check(&layout, &why));
        assert_int_equal(layout_component_quads(&layout), vectors_int(config, "component_quads"));
        assert_int_equal(layout_vertices(&layout), vectors_int(config, "vertices"));
        assert_int_equal(layout_index_bits(&layout), vectors_int(config, "index_bits"));
        assert_int_equal(layout_lods(layout.section_quads), vectors_int(config, "lods"));
        assert_true(layout_buffer_key(&layout, false, false) == vectors_real(keys, "mobile"));
        assert_true(layout_buffer_key(&layout, true, false) == vectors_real(keys, "pc"));
        assert_true(layout_buffer_key(&layout, false, true) == vectors_real(keys, "mobile_xy"));
        assert_true(layout_buffer_key(&layout, true, true) == vectors_real(keys, "pc_xy"));
        json_array_foreach(json_object_get(config, "lod"), lod, row)
        {
            int32_t count = layout_lod_indices(&layout, (int32_t)lod);

            assert_int_equal(layout_lod_quads(layout.section_quads, (int32_t)lod),
                             vectors_at(row, 0));
            assert_float_equal(layout_lod_ratio(layout.section_quads, (int32_t)lod),
                               vectors_at(row, 1), 1e-9);
            assert_int_equal(layout_lod_triangles(&layout, (int32_t)lod), vectors_at(row, 2));
            assert_int_equal(count, vectors_at(row, 3));
            layout_index_buffer(&layout, (int32_t)lod, true, numbers);
            assert_crc(json_array_get(json_object_get(config, "pc_crc"), lod), large, numbers,
                       count);
            layout_index_buffer(&layout, (int32_t)lod, false, numbers);
            assert_crc(json_array_get(json_object_get(config, "mobile_crc"), lod), large, numbers,
                       count);
        }
        assert_true(layout_first_use(&layout, numbers, &why));
        assert_crc(json_object_get(config, "first_use_crc"), layout_vertices(&layout) > 4096,
                   numbers, layout_vertices(&layout));
        free(numbers);
    }
    json_decref(file);
}

static void lod_vertices_have_their_base_vertices(void **state)
{
    json_t *file = vectors_open("01_layout"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "lod_base"), i, row)
    {
        int32_t quads = vectors_int(row, "q"), lod = vectors_int(row, "lod");
        const json_t *base = json_object_get(row, "base");

        assert_int_equal(json_array_size(base), layout_lod_quads(quads, lod) + 1);
        for (size_t k = 0; k < json_array_size(base); k++) {
            assert_int_equal(layout_lod_base(quads, lod, (int32_t)k), vectors_at(base, k));
            assert_int_equal(layout_lod_floor(quads, lod, (int32_t)k),
                             vectors_at(json_object_get(row, "floor"), k));
        }
    }
    json_decref(file);
}

static bool place_listed(const json_t *places, const struct layout_place *place)
{
    const int32_t numbers[8] = { place->component[0], place->component[1], place->section[0],
                                 place->section[1],   place->local[0],     place->local[1],
                                 place->texel[0],     place->texel[1] };

    for (size_t i = 0; i < json_array_size(places); i++) {
        size_t same = 0;

        while (same < 8 && vectors_at(json_array_get(places, i), same) == numbers[same])
            same++;
        if (same == 8)
            return true;
    }
    return false;
}

static void a_vertex_is_stored_where_the_reference_says(void **state)
{
    json_t *file = vectors_open("01_layout"), *land, *row;
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(file, "landscapes"), i, land)
    {
        struct layout layout = { { vectors_int(land, "nx"), vectors_int(land, "ny") },
                                 vectors_int(land, "s"),
                                 vectors_int(land, "q") };

        assert_int_equal(layout_columns(&layout), vectors_int(land, "width"));
        assert_int_equal(layout_rows(&layout), vectors_int(land, "height"));
        json_array_foreach(json_object_get(land, "vertices"), k, row)
        {
            const json_t *at = json_object_get(row, "v"), *places = json_object_get(row, "places");
            struct layout_place found[16];
            int32_t count = layout_places(&layout, (int32_t)vectors_at(at, 0),
                                          (int32_t)vectors_at(at, 1), found);

            assert_int_equal(count, json_array_size(places));
            for (int32_t n = 0; n < count; n++)
                assert_true(place_listed(places, &found[n]));
        }
    }
    json_decref(file);
}

static void the_full_buffers_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("01_layout"), *buffer, *list;
    size_t i, lod;

    (void)state;
    json_array_foreach(json_object_get(file, "buffers"), i, buffer)
    {
        struct layout layout = { { 1, 1 }, vectors_int(buffer, "s"), vectors_int(buffer, "q") };
        uint32_t numbers[6 * 14 * 14];
        struct fault why = { 0 };

        for (int pc = 0; pc < 2; pc++) {
            json_array_foreach(json_object_get(buffer, pc ? "pc" : "mobile"), lod, list)
            {
                layout_index_buffer(&layout, (int32_t)lod, pc, numbers);
                assert_int_equal(json_array_size(list), layout_lod_indices(&layout, (int32_t)lod));
                for (size_t k = 0; k < json_array_size(list); k++)
                    assert_int_equal(numbers[k], vectors_at(list, k));
            }
        }
        list = json_object_get(buffer, "first_use");
        assert_true(layout_first_use(&layout, numbers, &why));
        assert_int_equal(json_array_size(list), layout_vertices(&layout));
        for (size_t k = 0; k < json_array_size(list); k++)
            assert_int_equal(numbers[k], vectors_at(list, k));
    }
    json_decref(file);
}

static void numbers_that_no_layout_has_are_refused_at_their_member(void **state)
{
    static const struct {
        struct layout layout;
        const char *place;
    } rows[] = {
        { { { 1, 1 }, 1, 64 }, "/section_quads" },
        { { { 1, 1 }, 1, 0 }, "/section_quads" },
        { { { 1, 1 }, 3, 63 }, "/sections_per_component" },
        { { { 1, 1 }, 0, 63 }, "/sections_per_component" },
        { { { 0, 1 }, 1, 63 }, "/components/0" },
        { { { 1, -1 }, 1, 63 }, "/components/1" },
        { { { INT32_MAX, 1 }, 2, 255 }, "/components/0" },
        { { { 1, 9363 }, 1, 7 }, "/components/1" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fault why = { 0 };

        assert_false(layout_check(&rows[i].layout, &why));
        assert_int_equal(why.code, FAULT_INPUT);
        assert_string_equal(why.place, rows[i].place);
    }
}

static void a_raster_gets_the_first_layout_that_pads_little(void **state)
{
    static const int32_t rows[][7] = {
        /* width, height, asked quads and sections -> quads, sections, components across */
        { 1009, 1009, 0, 0, 63, 2, 8 },    { 505, 253, 0, 0, 63, 2, 4 },
        { 403, 344, 0, 0, 63, 1, 7 },      { 64, 64, 0, 0, 63, 1, 1 },
        { 8, 8, 0, 0, 7, 1, 1 },           { 1025, 1025, 0, 0, 63, 2, 9 },
        { 8193, 8193, 0, 0, 63, 2, 66 },   { 2, 2, 0, 0, 7, 1, 1 },
        { 1009, 1009, 255, 0, 255, 2, 2 }, { 1009, 1009, 63, 1, 63, 1, 16 },
        { 1, 1, 0, 2, 7, 2, 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int32_t *row = rows[i];
        struct layout layout;
        struct fault why = { 0 };

        assert_true(layout_for(row[0], row[1], row[2], row[3], &layout, &why));
        assert_true(layout_check(&layout, &why));
        assert_true(layout_columns(&layout) >= row[0] && layout_rows(&layout) >= row[1]);
        assert_int_equal(layout.section_quads, row[4]);
        assert_int_equal(layout.sections, row[5]);
        assert_int_equal(layout.components[0], row[6]);
    }
}

static void a_raster_beyond_all_layouts_is_refused(void **state)
{
    struct layout layout;
    struct fault why = { 0 };

    (void)state;
    assert_false(layout_for(65537, 8, 0, 0, &layout, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_false(layout_for(0, 8, 0, 0, &layout, &why));
    assert_false(layout_for(64, 64, 64, 0, &layout, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
}

static void an_exact_layout_pads_nothing_or_is_none(void **state)
{
    struct layout layout;

    (void)state;
    for (int32_t side = 0; side < 1200; side++) {
        bool fits = false;

        for (int i = 0; layout_section_quads[i]; i++)
            fits = fits || (side > 1 && (side - 1) % layout_section_quads[i] == 0);
        assert_int_equal(layout_exact(side, side, 0, 0, &layout), fits);
        if (fits)
            assert_true(layout_columns(&layout) == side && layout_rows(&layout) == side);
    }
    assert_true(layout_exact(505, 253, 63, 1, &layout));
    assert_int_equal(layout.components[0] * 100 + layout.components[1], 804);
    assert_false(layout_exact(505, 253, 127, 0, &layout));
    assert_false(layout_exact(70000, 253, 0, 0, &layout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_are_those_of_the_reference),
        cmocka_unit_test(lod_vertices_have_their_base_vertices),
        cmocka_unit_test(a_vertex_is_stored_where_the_reference_says),
        cmocka_unit_test(the_full_buffers_are_those_of_the_reference),
        cmocka_unit_test(numbers_that_no_layout_has_are_refused_at_their_member),
        cmocka_unit_test(a_raster_gets_the_first_layout_that_pads_little),
        cmocka_unit_test(a_raster_beyond_all_layouts_is_refused),
        cmocka_unit_test(an_exact_layout_pads_nothing_or_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

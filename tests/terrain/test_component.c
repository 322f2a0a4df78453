/* Codec, mips and component textures against the reference. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/codec.h"
#include "terrain/core/component.h"
#include "tests/terrain/vectors.h"

static void reals(const json_t *array, double *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = vectors_at(array, i);
}

static void heights_become_metres_and_back(void **state)
{
    json_t *file = vectors_open("02_codec"), *row;
    struct grid local = { .scale = { 1, 1, 1 } }, world = { .scale = { 1, 1, 1 } };
    size_t i;

    (void)state;
    reals(json_object_get(file, "scale"), world.scale, 3);
    reals(json_object_get(file, "origin"), world.origin, 3);
    json_array_foreach(json_object_get(file, "heights"), i, row)
    {
        double code = vectors_at(row, 0);

        assert_float_equal(grid_metres(&local, code), vectors_at(row, 1), 1e-9);
        assert_float_equal(grid_metres(&world, code), vectors_at(row, 2), 1e-4);
        assert_int_equal(grid_round(grid_code(&world, grid_metres(&world, code))), code);
    }
    json_array_foreach(json_object_get(file, "to_height"), i, row)
        assert_int_equal(grid_round(grid_code(&local, vectors_at(row, 0))), vectors_at(row, 1));
    json_decref(file);
}

static void normals_are_encoded_and_decoded(void **state)
{
    json_t *file = vectors_open("02_codec"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "encode"), i, row)
        assert_int_equal(codec_normal(vectors_at(row, 0)), vectors_at(row, 1));
    json_array_foreach(json_object_get(file, "decode"), i, row)
    {
        double normal[3];

        codec_decode((uint8_t)vectors_at(row, 0), (uint8_t)vectors_at(row, 1), normal);
        for (size_t k = 0; k < 3; k++)
            assert_float_equal(normal[k], vectors_at(row, 2 + k), 1e-4);
    }
    json_decref(file);
}

static void vertex_normals_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("02_codec"), *field;
    size_t f;

    (void)state;
    json_array_foreach(json_object_get(file, "fields"), f, field)
    {
        int32_t width = vectors_int(field, "w"), height = vectors_int(field, "h");
        uint16_t *heights = vectors_codes(json_object_get(field, "heights"));
        struct view *view = ground_of(width, height, heights);
        double scale[3];

        reals(json_object_get(field, "scale"), scale, 3);
        for (int32_t i = 0; i < width * height; i++) {
            int32_t x = i % width, y = i / width;
            unsigned north = y > 0, south = y<height - 1, west = x> 0, east = x < width - 1;
            uint16_t window[9];
            double normal[3];

            view_read_around(view, (struct rect){ x - 1, y - 1, 3, 3 }, window, 3);
            codec_vertex_normal(window, scale,
                                (north & west) | (north & east) << 1 | (south & west) << 2 |
                                    (south & east) << 3,
                                normal);
            for (int k = 0; k < 3; k++)
                assert_float_equal(
                    normal[k], vectors_at(json_object_get(field, "normals"), (size_t)(3 * i + k)),
                    1e-4);
            for (int k = 0; k < 2; k++)
                assert_int_equal(codec_normal(normal[k]),
                                 vectors_at(json_object_get(field, "ba"), (size_t)(2 * i + k)));
        }
        view_drop(view);
        free(heights);
    }
    json_decref(file);
}

static void component_textures_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("02_codec"), *land = json_object_get(file, "textures");
    struct layout layout = { { vectors_int(land, "nx"), vectors_int(land, "ny") },
                             vectors_int(land, "s"),
                             vectors_int(land, "q") };
    uint16_t *heights = vectors_codes(json_object_get(land, "heights"));
    struct view *view;
    double scale[3];

    (void)state;
    reals(json_object_get(land, "scale"), scale, 3);
    view = ground_laid_out(&layout, scale, heights);
    for (int32_t c = 0; c < layout.components[0] * layout.components[1]; c++) {
        const json_t *texels = json_array_get(json_object_get(land, "components"), (size_t)c);
        size_t count = (size_t)(4 * layout_vertices(&layout));
        uint8_t *rgba = malloc(count);
        struct fault why = { 0 };

        if (json_is_object(texels))
            texels = json_object_get(texels, "rgba");
        assert_int_equal(json_array_size(texels), count);
        assert_true(component_texture(view, c % layout.components[0], c / layout.components[0], 0,
                                      rgba, &why));
        for (size_t i = 0; i < count; i++)
            assert_int_equal(rgba[i], vectors_at(texels, i));
        free(rgba);
    }
    view_drop(view);
    free(heights);
    json_decref(file);
}

/* Each mip of a texture holds the section mips of heights and of each byte of the normal. */
static void coarser_textures_are_made_section_by_section(void **state)
{
    const struct layout layout = { { 2, 1 }, 2, 15 };
    const double scale[3] = { 1, 1, 1 };
    struct view *rough = ground_rough(61, 31, 8);
    uint16_t *heights = ground_heights(rough);
    struct view *view = ground_laid_out(&layout, scale, heights);
    uint8_t fine[32 * 32 * 4], coarse[16 * 16 * 4];
    struct fault why = { 0 };

    (void)state;
    assert_int_equal(component_texels(&layout, 0), 32);
    assert_int_equal(component_texels(&layout, 3), 4);
    for (int32_t mip = 1; mip < 4; mip++) {
        int32_t side = component_texels(&layout, mip), finer = component_texels(&layout, mip - 1);
        uint16_t from[16 * 16], to[8 * 8];
        uint8_t from_b[16 * 16], to_b[8 * 8];

        assert_true(component_texture(view, 1, 0, mip - 1, fine, &why));
        assert_true(component_texture(view, 1, 0, mip, coarse, &why));
        for (int32_t s = 0; s < 4; s++) {
            int32_t half = finer / 2, corner = (s / 2 * half * finer + s % 2 * half) * 4;

            for (int32_t i = 0; i < half * half; i++) {
                const uint8_t *texel = fine + corner + (i / half * finer + i % half) * 4;

                from[i] = (uint16_t)(texel[0] << 8 | texel[1]);
                from_b[i] = texel[2];
            }
            section_mip(15, mip, from, to);
            section_mip_bytes(15, mip, from_b, to_b);
            half = side / 2;
            corner = (s / 2 * half * side + s % 2 * half) * 4;
            for (int32_t i = 0; i < half * half; i++) {
                const uint8_t *texel = coarse + corner + (i / half * side + i % half) * 4;

                assert_int_equal(texel[0] << 8 | texel[1], to[i]);
                assert_int_equal(texel[2], to_b[i]);
            }
        }
    }
    view_drop(view);
    view_drop(rough);
    free(heights);
}

/* The fast way comes to the very bytes of the plain one, at every border too. */
static void textures_have_the_normals_of_single_vertices(void **state)
{
    static const struct layout layouts[] = { { { 2, 2 }, 2, 7 }, { { 1, 2 }, 1, 63 } };
    struct dice dice = { 11 };

    (void)state;
    for (int n = 0; n < 12; n++) {
        const struct layout *layout = &layouts[n % 2];
        const double scale[3] = { dice_real(&dice, 0.1, 3), dice_real(&dice, 0.1, 3),
                                  dice_real(&dice, 0.01, 20) };
        int32_t side = layout->section_quads + 1, texels = component_texels(layout, 0);
        size_t count = (size_t)layout_columns(layout) * (size_t)layout_rows(layout);
        uint16_t *heights = malloc(count * sizeof *heights);
        uint8_t *rgba = malloc((size_t)texels * (size_t)texels * 4);
        struct view *view;
        struct fault why;

        for (size_t i = 0; i < count; i++)
            heights[i] = (uint16_t)dice_between(&dice, 32768 - 40 * n * n, 32768 + 40 * n * n);
        view = ground_laid_out(layout, scale, heights);
        for (int32_t c = 0; c < layout->components[0] * layout->components[1]; c++) {
            int32_t cx = c % layout->components[0], cy = c / layout->components[0];

            assert_true(component_texture(view, cx, cy, 0, rgba, &why));
            for (int32_t i = 0; i < texels * texels; i++) {
                int32_t x = cx * layout_component_quads(layout) + i % texels - i % texels / side;
                int32_t y = cy * layout_component_quads(layout) + i / texels - i / texels / side;
                unsigned west = x > 0, north = y > 0, east = x < view_grid(view)->columns - 1;
                unsigned south = y < view_grid(view)->rows - 1;
                uint16_t window[9];
                double normal[3];

                view_read_around(view, (struct rect){ x - 1, y - 1, 3, 3 }, window, 3);
                codec_vertex_normal(window, scale,
                                    (north & west) | (north & east) << 1 | (south & west) << 2 |
                                        (south & east) << 3,
                                    normal);
                assert_int_equal(rgba[4 * i + 2], codec_normal(normal[0]));
                assert_int_equal(rgba[4 * i + 3], codec_normal(normal[1]));
            }
        }
        free(heights);
        free(rgba);
        view_drop(view);
    }
}

static void components_cover_their_vertices_and_reach_one_more(void **state)
{
    const struct layout layout = { { 3, 2 }, 2, 7 };
    const double scale[3] = { 1, 1, 1 };
    struct view *rough = ground_rough(43, 29, 9);
    uint16_t *heights = ground_heights(rough);
    struct view *view = ground_laid_out(&layout, scale, heights);
    struct rect rect = component_rect(view, 1, 1), reach = component_reach(view, 1, 1);

    (void)state;
    assert_memory_equal(&rect, (&(struct rect){ 14, 14, 15, 15 }), sizeof rect);
    assert_memory_equal(&reach, (&(struct rect){ 13, 13, 17, 16 }), sizeof reach);
    view_drop(view);
    view_drop(rough);
    free(heights);
}

/* Mips */

static void assert_lods(const json_t *lists, size_t lod, const uint16_t *got, size_t count)
{
    const json_t *list = json_array_get(lists, lod);

    assert_int_equal(json_array_size(list), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(got[i], vectors_at(list, i));
}

static void sections_get_coarser_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("03_mips"), *section;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "sections"), i, section)
    {
        int32_t quads = vectors_int(section, "q");
        uint16_t *base = vectors_codes(json_object_get(section, "heights"));
        uint16_t *fine = vectors_codes(json_object_get(section, "heights"));
        uint16_t *coarse = malloc((size_t)(quads + 1) * (size_t)(quads + 1) * sizeof *coarse);

        for (int32_t lod = 1; lod < layout_lods(quads); lod++) {
            size_t side = (size_t)layout_lod_quads(quads, lod) + 1;

            section_mip(quads, lod, fine, coarse);
            assert_lods(json_object_get(section, "mip"), (size_t)lod - 1, coarse, side * side);
            memcpy(fine, coarse, side * side * sizeof *fine);
            section_lod_vertex(quads, lod, base, coarse);
            assert_lods(json_object_get(section, "vertex"), (size_t)lod - 1, coarse, side * side);
        }
        free(base);
        free(fine);
        free(coarse);
    }
    json_decref(file);
}

static uint16_t *generated(const json_t *row)
{
    int32_t side = vectors_int(row, "q") + 1;
    const json_t *list = json_object_get(row, "octaves");
    struct vectors_octave octaves[8];
    uint16_t *heights = malloc((size_t)side * (size_t)side * sizeof *heights);

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *octave = json_array_get(list, i);

        octaves[i] =
            (struct vectors_octave){ (int32_t)vectors_at(octave, 0), (int32_t)vectors_at(octave, 1),
                                     (int32_t)vectors_at(octave, 2) };
    }
    for (int32_t i = 0; i < side * side; i++)
        heights[i] =
            vectors_dem(vectors_int(row, "x") + i % side, vectors_int(row, "y") + i / side,
                        (uint32_t)vectors_int(row, "dem_seed"), octaves, json_array_size(list));
    return heights;
}

static void large_sections_have_the_checksums_of_the_reference(void **state)
{
    json_t *file = vectors_open("03_mips"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "generated"), i, row)
    {
        int32_t quads = vectors_int(row, "q");
        uint16_t *base = generated(row), *fine = generated(row);
        uint16_t *coarse = malloc((size_t)(quads + 1) * (size_t)(quads + 1) * sizeof *coarse);
        const json_t *mip = json_object_get(row, "mip_crc");
        const json_t *vertex = json_object_get(row, "vertex_crc");

        assert_true(vectors_crc16(base, (size_t)(quads + 1) * (size_t)(quads + 1)) ==
                    vectors_at(mip, 0));
        for (int32_t lod = 1; lod < layout_lods(quads); lod++) {
            size_t side = (size_t)layout_lod_quads(quads, lod) + 1;

            section_mip(quads, lod, fine, coarse);
            assert_true(vectors_crc16(coarse, side * side) == vectors_at(mip, (size_t)lod));
            memcpy(fine, coarse, side * side * sizeof *fine);
            section_lod_vertex(quads, lod, base, coarse);
            assert_true(vectors_crc16(coarse, side * side) == vectors_at(vertex, (size_t)lod));
        }
        free(base);
        free(fine);
        free(coarse);
    }
    json_decref(file);
}

static void what_to_refresh_covers_what_reads_the_change(void **state)
{
    json_t *file = vectors_open("03_mips"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "dirty"), i, row)
    {
        int32_t low = (int32_t)vectors_at(row, 2), high = (int32_t)vectors_at(row, 3);

        section_dirty((int32_t)vectors_at(row, 0), (int32_t)vectors_at(row, 1), &low, &high);
        assert_int_equal(low, vectors_at(row, 4));
        assert_int_equal(high, vectors_at(row, 5));
        if (vectors_at(row, 6) >= 0)
            assert_true(low <= vectors_at(row, 6) && high >= vectors_at(row, 7));
    }
    json_decref(file);
}

static void degenerate_normals_point_up(void **state)
{
    const uint16_t flat[9] = { 5, 5, 5, 5, 5, 5, 5, 5, 5 };
    const double scale[3] = { 1, 1, 1 };
    double normal[3];

    (void)state;
    codec_vertex_normal(flat, scale, 0, normal);
    assert_float_equal(normal[2], 1, 0);
    codec_decode(255, 255, normal);
    assert_float_equal(normal[2], 0, 0);
    assert_int_equal(codec_normal(2), 255);
    assert_int_equal(codec_normal(-2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_become_metres_and_back),
        cmocka_unit_test(normals_are_encoded_and_decoded),
        cmocka_unit_test(vertex_normals_are_those_of_the_reference),
        cmocka_unit_test(component_textures_are_those_of_the_reference),
        cmocka_unit_test(coarser_textures_are_made_section_by_section),
        cmocka_unit_test(textures_have_the_normals_of_single_vertices),
        cmocka_unit_test(components_cover_their_vertices_and_reach_one_more),
        cmocka_unit_test(sections_get_coarser_as_in_the_reference),
        cmocka_unit_test(large_sections_have_the_checksums_of_the_reference),
        cmocka_unit_test(what_to_refresh_covers_what_reads_the_change),
        cmocka_unit_test(degenerate_normals_point_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

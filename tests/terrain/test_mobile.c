/* Packed mobile vertices against the reference, and the bound of what packing loses. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/chain.h"
#include "terrain/core/component.h"
#include "terrain/core/mobile.h"
#include "tests/terrain/vectors.h"

static const char *const words[] = { "delta", "minmax" };

static void vertices_are_packed_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("05_mobile"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "vertices"), i, row)
    {
        const char *word = json_string_value(json_object_get(row, "form"));
        enum mobile_form form = strcmp(word, "delta") ? MOBILE_MINMAX : MOBILE_DELTA;
        struct mobile_vertex vertex = { vectors_int(row, "x"),    vectors_int(row, "y"),
                                        vectors_int(row, "sx"),   vectors_int(row, "sy"),
                                        vectors_int(row, "hole"), { 0 } };
        struct mobile_vertex back;
        uint8_t packed[MOBILE_BYTES];
        double codes[MOBILE_LODS];

        for (size_t k = 0; k < MOBILE_LODS; k++)
            vertex.heights[k] = (uint16_t)vectors_at(json_object_get(row, "heights"), k);
        mobile_encode(&vertex, form, packed);
        mobile_decode(packed, form, codes, &back);
        for (size_t k = 0; k < MOBILE_BYTES; k++)
            assert_int_equal(packed[k], vectors_at(json_object_get(row, "bytes"), k));
        for (size_t k = 0; k < MOBILE_LODS; k++)
            assert_float_equal(codes[k], vectors_at(json_object_get(row, "decoded"), k), 1e-4);
        assert_float_equal(mobile_bound(vertex.heights, form), vectors_real(row, "bound"), 1e-4);
        assert_true(back.x == vertex.x && back.y == vertex.y && back.sx == vertex.sx &&
                    back.sy == vertex.sy && back.hole == vertex.hole);
    }
    json_decref(file);
}

/* Section (0, 0) of a landscape that is no more. */
static struct view *section_of(const json_t *row)
{
    struct layout layout = { { 1, 1 }, 1, vectors_int(row, "q") };
    const double scale[3] = { 1, 1, 1 };
    int32_t side = layout.section_quads + 1;
    const json_t *list = json_object_get(row, "heights"), *dem = json_object_get(row, "dem");
    uint16_t *heights =
        list ? vectors_codes(list) : malloc((size_t)side * (size_t)side * sizeof *heights);
    struct view *view;

    for (int32_t i = 0; dem && i < side * side; i++) {
        const json_t *octaves = json_object_get(dem, "octaves");
        struct vectors_octave rows[8];

        for (size_t k = 0; k < json_array_size(octaves); k++)
            rows[k] = (struct vectors_octave){ (int32_t)vectors_at(json_array_get(octaves, k), 0),
                                               (int32_t)vectors_at(json_array_get(octaves, k), 1),
                                               (int32_t)vectors_at(json_array_get(octaves, k), 2) };
        heights[i] =
            vectors_dem(vectors_int(dem, "x") + i % side, vectors_int(dem, "y") + i / side,
                        (uint32_t)vectors_int(dem, "seed"), rows, json_array_size(octaves));
    }
    view = ground_laid_out(&layout, scale, heights);
    free(heights);
    return view;
}

static uint32_t crc_of(const uint8_t *bytes, size_t count)
{
    uint16_t *pairs = malloc(count);
    uint32_t crc;

    for (size_t i = 0; i < count / 2; i++)
        pairs[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    crc = vectors_crc16(pairs, count / 2);
    free(pairs);
    return crc;
}

static void sections_are_packed_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("05_mobile"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "sections"), i, row)
    {
        struct view *view = section_of(row);
        size_t count = (size_t)layout_vertices(&view->settings->layout) * MOBILE_BYTES;
        uint8_t *packed = malloc(count);
        struct fault why;

        for (int form = 0; form < 2; form++) {
            const json_t *list = json_object_get(row, words[form]);
            char crc[16];

            snprintf(crc, sizeof crc, "%s_crc", words[form]);
            assert_true(mobile_component(view, 0, 0, form, MOBILE_GRID, packed, &why));
            assert_true(crc_of(packed, count) == vectors_real(row, crc));
            for (size_t k = 0; k < json_array_size(list); k++)
                assert_int_equal(packed[k], vectors_at(list, k));
        }
        free(packed);
        view_drop(view);
    }
    json_decref(file);
}

/* Heights as far apart as they get, and close together. */
static void draw_heights(struct dice *dice, uint16_t heights[MOBILE_LODS])
{
    int32_t middle = dice_between(dice, 0, 65535);
    int32_t reach = 1 << dice_between(dice, 0, 16);

    for (int i = 0; i < MOBILE_LODS; i++)
        heights[i] = grid_round(middle + dice_between(dice, -reach, reach));
}

static void no_height_is_further_off_than_the_bound(void **state)
{
    struct dice dice = { 3 };
    double worst = 0;

    (void)state;
    for (int n = 0; n < 20000; n++) {
        struct mobile_vertex vertex = { .x = n % 256 };
        enum mobile_form form = (enum mobile_form)(n & 1);
        double codes[MOBILE_LODS], bound;
        uint8_t packed[MOBILE_BYTES];

        draw_heights(&dice, vertex.heights);
        mobile_encode(&vertex, form, packed);
        mobile_decode(packed, form, codes, NULL);
        bound = mobile_bound(vertex.heights, form);
        for (int i = 0; i < MOBILE_LODS; i++) {
            double off = fabs(codes[i] - vertex.heights[i]);

            assert_true(off <= bound + 1e-9);
            worst = bound > 0 && off / bound > worst ? off / bound : worst;
        }
    }
    assert_true(worst > 0.95); /* and it is no idle one */
}

/* Heights are those of the chain, in either order; holes are named by their north-west vertex. */
static void components_are_packed_whole(void **state)
{
    const struct layout layout = { { 2, 2 }, 2, 15 };
    const double scale[3] = { 1, 1, 1 };
    struct view *rough = ground_rough(61, 61, 4);
    uint16_t *heights = ground_heights(rough);
    struct view *view = ground_laid_out(&layout, scale, heights);
    int32_t count = layout_vertices(&layout), holes = 0;
    uint8_t *grid = malloc((size_t)count * MOBILE_BYTES);
    uint8_t *first_use = malloc((size_t)count * MOBILE_BYTES);
    uint32_t *order = malloc((size_t)count * sizeof *order);
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct chain *chain;

    (void)state;
    assert_true(draft_write_holes(draft, (struct rect){ 44, 29, 2, 2 },
                                  (const uint8_t[]){ 1, 0, 1, 1 }, 2, &why));
    view = ground_finish(draft, view, &change);
    chain = chain_new(view, 1, 0, 4, 0, &why);
    assert_true(mobile_component(view, 1, 0, MOBILE_DELTA, MOBILE_GRID, grid, &why));
    assert_true(mobile_component(view, 1, 0, MOBILE_DELTA, MOBILE_FIRST_USE, first_use, &why));
    assert_true(layout_first_use(&layout, order, &why));
    for (int32_t i = 0; i < count; i++) {
        const uint8_t *packed = grid + i * MOBILE_BYTES;
        double codes[MOBILE_LODS];
        struct mobile_vertex vertex;

        assert_memory_equal(first_use + i * MOBILE_BYTES, grid + order[i] * MOBILE_BYTES,
                            MOBILE_BYTES);
        mobile_decode(packed, MOBILE_DELTA, codes, &vertex);
        assert_int_equal(layout_vertex_index(&layout, vertex.sx, vertex.sy, vertex.x, vertex.y), i);
        assert_int_equal(vertex.hole, view_hole(view, 30 + vertex.sx * 15 + vertex.x,
                                                vertex.sy * 15 + vertex.y));
        holes += vertex.hole;
        for (int32_t lod = 0; lod < MOBILE_LODS; lod++) {
            int32_t mip = lod < 4 ? lod : 3;
            int32_t at =
                chain_at(chain, mip, vertex.sx, vertex.sy, vertex.x >> mip, vertex.y >> mip);

            assert_float_equal(codes[lod], chain->texels[mip][at].height, 3);
        }
    }
    assert_true(holes >= 3);
    chain_drop(chain);
    free(grid);
    free(first_use);
    free(order);
    free(heights);
    view_drop(view);
    view_drop(rough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_are_packed_as_in_the_reference),
        cmocka_unit_test(sections_are_packed_as_in_the_reference),
        cmocka_unit_test(no_height_is_further_off_than_the_bound),
        cmocka_unit_test(components_are_packed_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The vertex function and XY offsets against the reference, and what makes neighbours meet. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/component.h"
#include "terrain/core/offset.h"
#include "terrain/lod/morph.h"
#include "tests/terrain/vectors.h"

static double real_or_nan(const json_t *item)
{
    return json_is_number(item) ? json_number_value(item) : NAN;
}

static void around_of(const json_t *row, int32_t last, struct morph_levels *levels)
{
    double neighbours[4];

    for (size_t i = 0; i < 4; i++)
        neighbours[i] = real_or_nan(json_array_get(json_object_get(row, "nb"), i));
    morph_around(levels, vectors_real(row, "own"), neighbours, last);
}

static void levels_of_vertices_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("04_vertex"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "calc_lod"), i, row)
    {
        struct morph_levels levels;

        around_of(row, 99, &levels);
        assert_float_equal(
            morph_lod(&levels, vectors_int(row, "X"), vectors_int(row, "Y"), vectors_int(row, "T")),
            vectors_real(row, "lod"), 1e-5);
    }
    json_decref(file);
}

static struct view *land_of(const json_t *land, bool offsets)
{
    struct layout layout = { { vectors_int(land, "nx"), vectors_int(land, "ny") },
                             vectors_int(land, "s"),
                             vectors_int(land, "q") };
    uint16_t *heights = vectors_codes(json_object_get(land, "heights"));
    uint16_t *xy = vectors_codes(json_object_get(land, "xyoffset"));
    double scale[3];
    struct view *view;

    for (size_t i = 0; i < 3; i++)
        scale[i] = vectors_at(json_object_get(land, "scale"), i);
    view = ground_laid_out(&layout, scale, heights);
    if (offsets)
        view = ground_offset(view, (const uint16_t(*)[2])xy);
    free(heights);
    free(xy);
    return view;
}

static struct chain *chain_at_row(const struct view *view, const json_t *row, unsigned holds)
{
    const json_t *c = json_object_get(row, "c");
    int32_t lods = layout_lods(view->settings->layout.section_quads);
    struct fault why;
    struct chain *chain =
        chain_new(view, (int32_t)vectors_at(c, 0), (int32_t)vectors_at(c, 1), lods, holds, &why);

    assert_non_null(chain);
    return chain;
}

static void assert_position(const json_t *row, const struct morphed *morphed)
{
    const json_t *position = json_object_get(row, "pos");

    assert_float_equal(morphed->at[0], vectors_at(position, 0), 1e-4);
    assert_float_equal(morphed->at[1], vectors_at(position, 1), 1e-4);
    assert_float_equal((morphed->code - GRID_LEVEL_ZERO) / 128, vectors_at(position, 2), 1e-4);
}

static void check_pc(const struct view *view, const json_t *row)
{
    const json_t *section = json_object_get(row, "sec"), *vertex = json_object_get(row, "v");
    int32_t quads = view->settings->layout.section_quads, draw = vectors_int(row, "draw");
    struct chain *chain = chain_at_row(view, row, CHAIN_NORMALS | CHAIN_OFFSETS);
    struct morph_from from = { draw,
                               (int32_t)vectors_at(section, 0),
                               (int32_t)vectors_at(section, 1),
                               (int32_t)vectors_at(vertex, 0),
                               (int32_t)vectors_at(vertex, 1),
                               { 0, 0 } };
    int32_t coarse = layout_lod_quads(quads, draw);
    struct morph_levels levels;
    struct morphed morphed;
    double lod;

    from.origin[0] = from.sx * quads;
    from.origin[1] = from.sy * quads;
    around_of(row, layout_lods(quads) - 1, &levels);
    lod = morph_lod(&levels, from.x + from.sx * coarse, from.y + from.sy * coarse,
                    coarse * view->settings->layout.sections);
    assert_float_equal(lod, vectors_real(row, "lod"), 1e-5);
    morph_vertex(chain, json_object_get(row, "filter") ? MORPH_BILINEAR : MORPH_POINT, &from, lod,
                 &morphed);
    assert_position(row, &morphed);
    for (size_t i = 0; i < 3; i++)
        assert_float_equal(morphed.normal[i], vectors_at(json_object_get(row, "normal"), i), 1e-4);
    chain_drop(chain);
}

static void check_mobile(const struct view *view, const json_t *row)
{
    const struct layout *layout = &view->settings->layout;
    enum mobile_form form = strcmp(json_string_value(json_object_get(row, "form")), "delta")
                                ? MOBILE_MINMAX
                                : MOBILE_DELTA;
    struct chain *chain = chain_at_row(view, row, 0);
    struct mobile_vertex vertex;
    uint8_t packed[MOBILE_BYTES];
    double codes[MOBILE_LODS], lod;
    int32_t last = layout_lods(layout->section_quads) - 1;
    struct morph_levels levels;
    struct morph_from from;
    struct morphed morphed;

    for (size_t i = 0; i < MOBILE_BYTES; i++)
        packed[i] = (uint8_t)vectors_at(json_object_get(row, "bytes"), i);
    mobile_decode(packed, form, codes, &vertex);
    from = (struct morph_from){
        0,         vertex.sx,
        vertex.sy, vertex.x,
        vertex.y,  { vertex.sx * layout->section_quads, vertex.sy * layout->section_quads }
    };
    around_of(row, last < MOBILE_LODS - 1 ? last : MOBILE_LODS - 1, &levels);
    lod = morph_lod(&levels, vertex.x + vertex.sx * layout->section_quads,
                    vertex.y + vertex.sy * layout->section_quads, layout_component_quads(layout));
    assert_float_equal(lod, vectors_real(row, "lod"), 1e-5);
    morph_mobile_vertex(chain, codes, &from, lod, &morphed);
    assert_position(row, &morphed);
    chain_drop(chain);
}

static void vertices_go_where_the_reference_says(void **state)
{
    json_t *file = vectors_open("04_vertex"), *land, *row;
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(file, "landscapes"), i, land)
    {
        struct view *plain = land_of(land, false), *offset = land_of(land, true);

        assert_false(view_has_offsets(plain));
        assert_true(view_has_offsets(offset));
        json_array_foreach(json_object_get(land, "pc"), k, row)
            check_pc(json_object_get(row, "xy") ? offset : plain, row);
        json_array_foreach(json_object_get(land, "mobile"), k, row) check_mobile(plain, row);
        view_drop(plain);
        view_drop(offset);
    }
    json_decref(file);
}

static void offsets_are_coded_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("11_xyoffset"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "encode"), i, row)
        assert_int_equal(offset_encode(vectors_at(row, 0)), vectors_at(row, 1));
    json_array_foreach(json_object_get(file, "texels"), i, row)
    {
        uint16_t xy[2] = { offset_encode(vectors_at(row, 0)), offset_encode(vectors_at(row, 1)) };
        uint16_t back[2];
        uint8_t rgba[4];

        offset_texel(xy, rgba);
        offset_of_texel(rgba, back);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(rgba[k], vectors_at(row, 2 + k));
        for (size_t k = 0; k < 2; k++)
            assert_float_equal(offset_decode(back[k]), vectors_at(row, 6 + k), 1e-9);
    }
    json_decref(file);
}

/* Every layout once, rough, with offsets. */
static struct view *rough_land(struct layout layout, uint64_t seed)
{
    const double scale[3] = { 1, 1, 1 };
    size_t count = (size_t)layout_columns(&layout) * (size_t)layout_rows(&layout);
    uint16_t *heights = malloc(count * 3 * sizeof *heights);
    struct dice dice = { seed };
    struct view *view;

    for (size_t i = 0; i < count * 3; i++)
        heights[i] = (uint16_t)(i < count ? dice_between(&dice, 0, 65535)
                                          : dice_between(&dice, 32768 - 300, 32768 + 300));
    view = ground_laid_out(&layout, scale, heights);
    view = ground_offset(view, (const uint16_t(*)[2])(heights + count));
    free(heights);
    return view;
}

static const struct layout layouts[] = { { { 2, 2 }, 1, 7 },
                                         { { 2, 2 }, 2, 7 },
                                         { { 2, 2 }, 1, 15 },
                                         { { 2, 2 }, 2, 31 },
                                         { { 2, 2 }, 1, 63 } };
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* A vertex moves on without a jump from level to level. */
static void positions_are_continuous_in_the_level(void **state)
{
    struct dice dice = { 5 };

    (void)state;
    for (int l = 0; l < LAYOUTS; l++) {
        struct view *view = rough_land(layouts[l], (uint64_t)l);
        int32_t quads = layouts[l].section_quads, last = layout_lods(quads) - 1;
        struct fault why;
        struct chain *chain = chain_new(view, 1, 0, last + 1, CHAIN_NORMALS | CHAIN_OFFSETS, &why);

        assert_non_null(chain);
        for (int n = 0; n < 2000; n++) {
            int32_t draw = dice_between(&dice, 0, last - 1);
            int32_t level = dice_between(&dice, draw + 1, last);
            int32_t side = layout_lod_quads(quads, draw);
            struct morph_from from = { draw,
                                       dice_between(&dice, 0, layouts[l].sections - 1),
                                       dice_between(&dice, 0, layouts[l].sections - 1),
                                       dice_between(&dice, 0, side),
                                       dice_between(&dice, 0, side),
                                       { 0, 0 } };
            struct morphed before, after;

            morph_vertex(chain, MORPH_POINT, &from, level - 1e-9, &before);
            morph_vertex(chain, MORPH_POINT, &from, level, &after);
            assert_float_equal(before.at[0], after.at[0], 1e-4);
            assert_float_equal(before.at[1], after.at[1], 1e-4);
            assert_float_equal(before.code, after.code, 1e-3);
        }
        chain_drop(chain);
        view_drop(view);
    }
}

/* One side of a border: the component's levels, and the vertices it comes to, each once. */
struct border {
    double (*at)[3];
    size_t count;
};

static void border_of(const struct view *view, int32_t cx, int32_t cy, double own,
                      const double neighbours[4], bool east, struct border *border)
{
    const struct layout *layout = &view->settings->layout;
    int32_t quads = layout->section_quads, last = layout_lods(quads) - 1;
    int32_t draw = (int32_t)own, side = layout_lod_quads(quads, draw);
    struct morph_levels levels;
    struct fault why;
    struct chain *chain = chain_new(view, cx, cy, last + 1, CHAIN_NORMALS | CHAIN_OFFSETS, &why);

    morph_around(&levels, own, neighbours, last);
    border->at = malloc(1000 * sizeof *border->at);
    border->count = 0;
    for (int32_t sy = 0; sy < layout->sections; sy++) {
        for (int32_t y = 0; y <= side; y++) {
            int32_t sx = east ? layout->sections - 1 : 0, x = east ? side : 0;
            struct morph_from from = { draw,
                                       sx,
                                       sy,
                                       x,
                                       y,
                                       { cx * layout_component_quads(layout) + sx * quads,
                                         cy * layout_component_quads(layout) + sy * quads } };
            double lod = morph_lod(&levels, sx * side + x, sy * side + y, layout->sections * side);
            struct morphed morphed;
            double *to = border->at[border->count];

            morph_vertex(chain, MORPH_POINT, &from, lod, &morphed);
            memcpy(to, morphed.at, sizeof morphed.at);
            to[2] = morphed.code;
            if (border->count == 0 || memcmp(to - 3, to, sizeof *border->at) != 0)
                border->count++;
        }
    }
    chain_drop(chain);
}

/* With offsets, and at any levels, both sides come to the same vertices, to the bit. */
static void neighbours_meet_at_their_border(void **state)
{
    struct dice dice = { 6 };

    (void)state;
    for (int l = 0; l < LAYOUTS; l++) {
        struct view *view = rough_land(layouts[l], (uint64_t)l + 10);
        double last = layout_lods(layouts[l].section_quads) - 1;

        for (int n = 0; n < 60; n++) {
            /* roots, so that all of their bits are used and every sum is rounded */
            double west = sqrt(dice_real(&dice, 0, last * last));
            double east = sqrt(dice_real(&dice, 0, last * last));
            double wild[4], other[4];
            struct border one, two;

            if (n % 3 == 0)
                east = floor(east);
            for (int i = 0; i < 4; i++) {
                wild[i] = dice_real(&dice, 0, last);
                other[i] = dice_real(&dice, 0, last);
            }
            wild[2] = east;  /* east of the western one */
            other[1] = west; /* west of the eastern one */
            border_of(view, 0, n % 2, west, wild, true, &one);
            border_of(view, 1, n % 2, east, other, false, &two);
            assert_int_equal(one.count, two.count);
            assert_memory_equal(one.at, two.at, one.count * sizeof *one.at);
            free(one.at);
            free(two.at);
        }
        view_drop(view);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_of_vertices_are_those_of_the_reference),
        cmocka_unit_test(vertices_go_where_the_reference_says),
        cmocka_unit_test(offsets_are_coded_as_in_the_reference),
        cmocka_unit_test(positions_are_continuous_in_the_level),
        cmocka_unit_test(neighbours_meet_at_their_border),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

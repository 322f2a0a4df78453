/* Meshes of components at one level: what they hold, holes, and that neighbours meet. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/chain.h"
#include "terrain/core/codec.h"
#include "terrain/core/component.h"
#include "terrain/lod/component_mesh.h"

static struct view *rough_land(struct layout layout, uint64_t seed)
{
    const double scale[3] = { 2, 3, 1.5 };
    size_t count = (size_t)layout_columns(&layout) * (size_t)layout_rows(&layout);
    uint16_t *heights = malloc(count * sizeof *heights);
    struct dice dice = { seed };
    struct view *view;

    for (size_t i = 0; i < count; i++)
        heights[i] = (uint16_t)dice_between(&dice, 31000, 34000);
    view = ground_laid_out(&layout, scale, heights);
    free(heights);
    return view;
}

/* The mesh's triangle that begins at the index as the index buffer's, in texels of the level. */
static void a_level_is_its_mip_over_the_component(void **state)
{
    static const struct layout layouts[] = { { { 2, 2 }, 1, 7 }, { { 1, 2 }, 2, 15 } };

    (void)state;
    for (int l = 0; l < 2; l++) {
        struct view *view = rough_land(layouts[l], (uint64_t)l);
        int32_t quads = layouts[l].section_quads;
        struct fault why;

        for (int32_t lod = 0; lod < layout_lods(quads); lod++) {
            int32_t coarse = layout_lod_quads(quads, lod),
                    side = component_texels(&layouts[l], lod);
            uint8_t *rgba = malloc((size_t)side * (size_t)side * 4);
            struct mesh mesh;

            mesh_init(&mesh, true);
            assert_true(component_texture(view, 0, 1, lod, rgba, &why));
            assert_true(component_mesh(view, 0, 1, lod, HOLES_ALL, &mesh, &why));
            assert_int_equal(mesh.vertex_count, side * side);
            assert_int_equal(mesh.index_count, layout_lod_indices(&layouts[l], lod));
            for (size_t i = 0; i < mesh.vertex_count; i++) {
                const double *at = mesh.at[i];
                /* which texel: the first of the section, or the last, on a border */
                double u = at[0] * coarse / quads,
                       v = (at[1] - layout_component_quads(&layouts[l])) * coarse / quads;
                double least = 9;

                for (int k = 0; k < 4; k++) {
                    int32_t x = (int32_t)lround(u) + ((int32_t)lround(u) - (k & 1)) / coarse;
                    int32_t y = (int32_t)lround(v) + ((int32_t)lround(v) - (k >> 1)) / coarse;
                    const uint8_t *texel;
                    double normal[3], off;

                    if (x < 0 || y < 0 || x >= side || y >= side)
                        continue;
                    texel = rgba + 4 * (y * side + x);
                    codec_decode(texel[2], texel[3], normal);
                    off = fabs(at[2] - (texel[0] << 8 | texel[1]));
                    for (int axis = 0; axis < 3; axis++)
                        off += fabs(mesh.normals[i][axis] - normal[axis]);
                    least = off < least ? off : least;
                }
                assert_true(least < 1e-3);
            }
            free(rgba);
            mesh_free(&mesh);
        }
        view_drop(view);
    }
}

/* Area from above, which turns as (00, 11, 10). */
static double area_of(const struct mesh *mesh)
{
    double area = 0;

    for (size_t i = 0; i < mesh->index_count; i += 3) {
        const double *a = mesh->at[mesh->indices[i]], *b = mesh->at[mesh->indices[i + 1]];
        const double *c = mesh->at[mesh->indices[i + 2]];

        area -= ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
    }
    return area;
}

static void holes_are_left_out_by_the_rule(void **state)
{
    const struct layout layout = { { 2, 2 }, 1, 15 };
    struct view *view = rough_land(layout, 3);
    uint8_t holes[8 * 8];
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    struct change change;

    (void)state;
    memset(holes, 1, sizeof holes);
    holes[0] = 0;
    assert_true(draft_write_holes(draft, (struct rect){ 2, 2, 8, 8 }, holes, 8, &why));
    view = ground_finish(draft, view, &change);
    for (int32_t lod = 0; lod < 4; lod++) {
        int32_t coarse = layout_lod_quads(15, lod);

        for (int rule = HOLES_ALL; rule <= HOLES_ANY; rule++) {
            int32_t left = 0;
            struct mesh mesh;

            for (int32_t i = 0; i < coarse * coarse; i++) {
                /* samples all over the coarse quad */
                int32_t in = 0, of = 0;

                for (int32_t k = 0; k < 200 * 200; k++) {
                    double x = (i % coarse + (k % 200 + 0.5) / 200) * 15 / coarse;
                    double y = (i / coarse + (k / 200 + 0.5) / 200) * 15 / coarse;

                    in += view_hole(view, (int32_t)x, (int32_t)y);
                    of++;
                }
                left += rule == HOLES_ALL ? in != of : in == 0;
            }
            mesh_init(&mesh, false);
            assert_true(component_mesh(view, 0, 0, lod, (enum hole_rule)rule, &mesh, &why));
            assert_int_equal(mesh.index_count, left * 6);
            if (lod == 0)
                assert_float_equal(area_of(&mesh), 15 * 15 - 63, 1e-9);
            mesh_free(&mesh);
        }
    }
    view_drop(view);
}

/* Components of one level, welded, are one sheet without an inner edge that is open. */
static void components_of_one_level_meet(void **state)
{
    const struct layout layout = { { 3, 2 }, 2, 7 };
    struct view *view = rough_land(layout, 5);
    struct fault why;

    (void)state;
    for (int32_t lod = 0; lod < layout_lods(7); lod++) {
        int32_t coarse = layout_lod_quads(7, lod);
        struct mesh mesh;

        mesh_init(&mesh, true);
        for (int32_t c = 0; c < 6; c++)
            assert_true(component_mesh(view, c % 3, c / 3, lod, HOLES_ALL, &mesh, &why));
        assert_true(mesh_weld(&mesh, &why));
        assert_int_equal(mesh.vertex_count, (3 * 2 * coarse + 1) * (2 * 2 * coarse + 1));
        assert_float_equal(area_of(&mesh), 42 * 28, 1e-9);
        mesh_free(&mesh);
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_is_its_mip_over_the_component),
        cmocka_unit_test(holes_are_left_out_by_the_rule),
        cmocka_unit_test(components_of_one_level_meet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Meshes as such: the normals of their vertices, welding, curtains. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/codec.h"
#include "terrain/lod/mesh.h"
#include "tests/terrain/ground.h"

/* By the definition: all quads of the landscape around the vertex. */
static void normal_of(const struct view *view, int32_t column, int32_t row, float normal[3])
{
    const struct grid *grid = view_grid(view);
    unsigned present = 0;
    uint16_t window[9];
    double unit[3];

    for (int i = 0; i < 9; i++) {
        int32_t x = column + i % 3 - 1, y = row + i / 3 - 1;

        x = x < 0 ? 0 : x >= grid->columns ? grid->columns - 1 : x;
        y = y < 0 ? 0 : y >= grid->rows ? grid->rows - 1 : y;
        window[i] = view_height(view, x, y);
    }
    for (int i = 0; i < 4; i++) {
        int32_t x = column - 1 + i % 2, y = row - 1 + i / 2;

        if (x >= 0 && y >= 0 && x < grid->columns - 1 && y < grid->rows - 1)
            present |= 1u << i;
    }
    codec_vertex_normal(window, grid->scale, present, unit);
    for (int i = 0; i < 3; i++)
        normal[i] = (float)unit[i];
}

/* Vertices in any order and density get the normals of the definition, to the bit. */
static void normals_are_those_of_the_ground(void **state)
{
    static const int32_t sizes[][2] = { { 8, 8 }, { 64, 127 }, { 505, 253 }, { 8, 253 } };
    static const int densities[] = { 1, 3, 40, 2000 };
    struct dice dice = { 5 };
    struct fault why;

    (void)state;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        struct view *view = size == 3 ? ground_flat(sizes[size][0], sizes[size][1], 500)
                                      : ground_rough(sizes[size][0], sizes[size][1], 77 + size);

        for (size_t k = 0; k < sizeof densities / sizeof *densities; k++) {
            int32_t columns = sizes[size][0], rows = sizes[size][1];
            size_t count = (size_t)(columns * rows / densities[k]) + 1;
            struct mesh mesh;

            mesh_init(&mesh, true);
            assert_true(mesh_reserve(&mesh, count, 0, &why));
            for (size_t i = 0; i < count; i++)
                mesh_vertex(&mesh, dice_between(&dice, 0, columns - 1),
                            dice_between(&dice, 0, rows - 1), 0);
            memset(mesh.normals[0], 0, sizeof mesh.normals[0]);
            mesh_fill_normals(view, &mesh, 1); /* the first is somebody else's */
            assert_true(mesh.normals[0][2] == 0);
            for (size_t i = 1; i < count; i++) {
                float normal[3];

                normal_of(view, (int32_t)mesh.at[i][0], (int32_t)mesh.at[i][1], normal);
                assert_memory_equal(mesh.normals[i], normal, sizeof normal);
            }
            mesh_free(&mesh);
        }
        view_drop(view);
    }
}

/* Two quads side by side, each with vertices of its own. */
static struct mesh two_quads(void)
{
    struct mesh mesh;
    struct fault why;

    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, 8, 12, &why));
    for (int quad = 0; quad < 2; quad++) {
        uint32_t nw = mesh_vertex(&mesh, quad, 0, 10), ne = mesh_vertex(&mesh, quad + 1, 0, 20);
        uint32_t sw = mesh_vertex(&mesh, quad, 1, 30), se = mesh_vertex(&mesh, quad + 1, 1, 40);

        /* the shared side has one height */
        mesh.at[ne][2] = mesh.at[nw][2] = quad ? 20 : 10;
        mesh.at[ne][2] = 20;
        mesh.at[se][2] = mesh.at[sw][2] = 40;
        mesh_triangle(&mesh, nw, se, ne);
        mesh_triangle(&mesh, nw, sw, se);
    }
    return mesh;
}

static void equal_places_become_one_vertex(void **state)
{
    struct mesh mesh = two_quads();
    struct fault why;

    (void)state;
    assert_true(mesh_weld(&mesh, &why));
    assert_int_equal(mesh.vertex_count, 6);
    assert_int_equal(mesh.index_count, 12);
    for (size_t i = 0; i < mesh.index_count; i++)
        assert_true(mesh.indices[i] < 6);
    /* -0 is 0; a triangle that has lost a corner goes */
    assert_true(mesh_reserve(&mesh, 3, 3, &why));
    mesh_triangle(&mesh, mesh_vertex(&mesh, -0.0, 0, 10), mesh_vertex(&mesh, 0, 0, 10),
                  mesh_vertex(&mesh, 9, 9, 9));
    assert_true(mesh_weld(&mesh, &why));
    assert_int_equal(mesh.index_count, 12);
    assert_int_equal(mesh.vertex_count, 7);
    mesh_free(&mesh);
}

/* Every border edge has a curtain of the depth, which faces outwards. */
static void curtains_hang_from_the_border_and_face_outwards(void **state)
{
    struct mesh mesh = two_quads();
    double low[2] = { 0, 0 }, high[2] = { 2, 1 };
    struct fault why;
    size_t first;

    (void)state;
    assert_true(mesh_weld(&mesh, &why));
    first = mesh.index_count;
    assert_true(mesh_add_skirts(&mesh, low, high, 7, &why));
    assert_int_equal(mesh.index_count - first, 6 * 2 * 3); /* six edges, two triangles each */
    for (size_t i = first; i < mesh.index_count; i += 3) {
        const double *a = mesh.at[mesh.indices[i]], *b = mesh.at[mesh.indices[i + 1]];
        const double *c = mesh.at[mesh.indices[i + 2]];
        double u[3], v[3], middle[2] = { (a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3 };
        double outward[2];

        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        /* rows count southwards: counter-clockwise seen from above is clockwise in (x, y) */
        outward[0] = -(u[1] * v[2] - u[2] * v[1]);
        outward[1] = -(u[2] * v[0] - u[0] * v[2]);
        assert_true(outward[0] * (middle[0] - 1) + outward[1] * (middle[1] - 0.5) > 0);
    }
    for (size_t i = 6; i < mesh.vertex_count; i++) {
        bool found = false;

        for (size_t top = 0; top < 6; top++)
            found |= mesh.at[top][0] == mesh.at[i][0] && mesh.at[top][1] == mesh.at[i][1] &&
                     mesh.at[top][2] - 7 == mesh.at[i][2];
        assert_true(found);
    }
    mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_are_those_of_the_ground),
        cmocka_unit_test(equal_places_become_one_vertex),
        cmocka_unit_test(curtains_hang_from_the_border_and_face_outwards),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

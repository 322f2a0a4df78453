/* Regular meshes of windows: which vertices, which holes, and how far the surface really lies off.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"
#include "terrain/lod/grid_error.h"
#include "terrain/lod/mesh_measure.h"
#include "terrain/lod/window_mesh.h"
#include "tests/terrain/ground.h"

static void hole(struct view **view, struct rect quads)
{
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(*view, &why);
    uint8_t *holes = malloc((size_t)quads.width * (size_t)quads.height);

    assert_non_null(draft);
    memset(holes, 255, (size_t)quads.width * (size_t)quads.height);
    assert_true(draft_write_holes(draft, quads, holes, quads.width, &why));
    free(holes);
    *view = ground_finish(draft, *view, &change);
}

/* The mesh's height at a place, by searching for a triangle that it lies on; NaN when none. */
static double mesh_code(const struct mesh *mesh, double x, double y)
{
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        const double *a = mesh->at[mesh->indices[i]], *b = mesh->at[mesh->indices[i + 1]];
        const double *c = mesh->at[mesh->indices[i + 2]];
        double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        double v = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
        double w = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;

        if (v >= -1e-12 && w >= -1e-12 && v + w <= 1 + 1e-12)
            return a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2]);
    }
    return NAN;
}

static struct mesh mesh_of(const struct view *view, const struct window_grid *grid)
{
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, true);
    assert_true(window_mesh(view, grid, &mesh, &why));
    return mesh;
}

static void the_last_column_and_row_stay(void **state)
{
    struct view *view = ground_rough(127, 127, 4);

    (void)state;
    for (int32_t step = 1; step <= 256; step *= 2) {
        struct window_grid grid = { { 3, 8, 102, 70 }, step, HOLES_ALL };
        struct mesh mesh = mesh_of(view, &grid);
        double low[2] = { INFINITY, INFINITY }, high[2] = { 0, 0 };

        assert_int_equal(mesh.vertex_count, window_grid_columns(&grid) * window_grid_rows(&grid));
        assert_int_equal(mesh.index_count, window_grid_triangles(&grid) * 3);
        for (size_t i = 0; i < mesh.vertex_count; i++) {
            const double *at = mesh.at[i];

            for (int axis = 0; axis < 2; axis++) {
                low[axis] = fmin(low[axis], at[axis]);
                high[axis] = fmax(high[axis], at[axis]);
            }
            assert_true(((int32_t)at[0] - 3) % step == 0 || at[0] == 104);
            assert_true(((int32_t)at[1] - 8) % step == 0 || at[1] == 77);
            assert_true(at[2] == view_height(view, (int32_t)at[0], (int32_t)at[1]));
        }
        assert_true(low[0] == 3 && low[1] == 8 && high[0] == 104 && high[1] == 77);
        mesh_free(&mesh);
    }
    view_drop(view);
}

/* No sample lies further off than the bound, and one lies as far: places are dense enough to
 * hit every crossing of a diagonal with an edge of the landscape's quads. */
static void the_bound_is_what_is_measured(void **state)
{
    static const struct window_grid grids[] = { { { 0, 0, 14, 11 }, 4, HOLES_ALL },
                                                { { 5, 3, 8, 13 }, 8, HOLES_ALL },
                                                { { 1, 1, 10, 10 }, 3, HOLES_ALL },
                                                { { 1, 1, 12, 9 }, 1, HOLES_ALL } };
    struct view *view = ground_rough(64, 64, 8);

    (void)state;
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        struct mesh mesh = mesh_of(view, &grids[i]);
        const struct rect window = grids[i].window;
        const int32_t parts = 60; /* a multiple of 1 to 6 */
        double most = 0;

        for (int32_t y = 0; y <= (window.height - 1) * parts; y += 5) {
            for (int32_t x = 0; x <= (window.width - 1) * parts; x += 5) {
                double at[2] = { window.x + (double)x / parts, window.y + (double)y / parts };
                double code;

                assert_true(view_code_at(view, at[0], at[1], &code));
                most = fmax(most, fabs(code - mesh_code(&mesh, at[0], at[1])));
            }
        }
        most *= view_grid(view)->scale[2] / 128;
        assert_true(most <= mesh.bound + 1e-9);
        assert_true(most >= mesh.bound * 0.98);
        mesh_free(&mesh);
    }
    view_drop(view);
}

static void assert_measured(const struct view *view, const struct mesh *mesh, double expected)
{
    struct fault why = { 0 };
    double metres;

    assert_true(mesh_measure(view, mesh, 0, &metres, &why));
    assert_true(metres == expected);
}

/* The last quads are narrower, so that their diagonal crosses edges of the landscape's between
 * vertices: here a ridge along it, where every vertex lies on the mesh. */
static void the_bound_counts_what_lies_between_vertices(void **state)
{
    uint16_t codes[64 * 64] = { 0 };
    struct window_grid wide = { { 0, 0, 3, 2 }, 2, HOLES_ALL };
    struct window_grid high = { { 0, 10, 2, 3 }, 2, HOLES_ALL };
    struct view *view;
    struct mesh mesh;

    (void)state;
    codes[0] = codes[64 + 2] = codes[10 * 64] = codes[12 * 64 + 1] = 1280;
    codes[1] = codes[64 + 1] = codes[11 * 64] = codes[11 * 64 + 1] = 640;
    view = ground_of(64, 64, codes);
    mesh = mesh_of(view, &wide);
    assert_true(mesh.bound == 5);
    assert_measured(view, &mesh, 5);
    mesh_free(&mesh);
    mesh = mesh_of(view, &high);
    assert_true(mesh.bound == 5);
    assert_measured(view, &mesh, 5);
    mesh_free(&mesh);
    view_drop(view);
}

/* What knows grids and what knows any triangles measure the same. */
static void any_mesh_can_be_measured(void **state)
{
    static const struct window_grid grids[] = { { { 0, 0, 127, 127 }, 16, HOLES_ALL },
                                                { { 3, 7, 101, 90 }, 8, HOLES_ALL },
                                                { { 3, 7, 101, 90 }, 7, HOLES_ALL },
                                                { { 0, 0, 127, 127 }, 256, HOLES_ALL },
                                                { { 9, 9, 40, 40 }, 1, HOLES_ALL } };
    struct view *view = ground_rough(127, 127, 15);

    (void)state;
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        struct mesh mesh = mesh_of(view, &grids[i]);
        struct fault why = { 0 };
        double metres;

        assert_true(mesh_measure(view, &mesh, 0, &metres, &why));
        assert_true(fabs(metres - mesh.bound) <= 1e-9 * (1 + metres));
        mesh_free(&mesh);
    }
    view_drop(view);
}

/* One quad of the landscape, split the other way: it differs in the middle alone. */
static void the_other_diagonal_is_off_in_the_middle(void **state)
{
    uint16_t codes[64 * 64] = { 0 };
    struct fault why = { 0 };
    struct view *view;
    struct mesh mesh;

    (void)state;
    codes[0] = codes[64 + 1] = 2560;
    view = ground_of(64, 64, codes);
    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, 4, 6, &why));
    for (int i = 0; i < 4; i++)
        mesh_vertex(&mesh, i & 1, i >> 1, view_height(view, i & 1, i >> 1));
    mesh_triangle(&mesh, 0, 2, 1);
    mesh_triangle(&mesh, 1, 2, 3);
    assert_measured(view, &mesh, 20);
    mesh_free(&mesh);
    view_drop(view);
}

/* Whichever way quads of a level are split, and with nothing left out. */
static void a_levels_error_holds_for_either_diagonal(void **state)
{
    struct view *view = ground_rough(120, 90, 19);

    (void)state;
    for (int32_t size = 8; size <= 128; size *= 2) {
        struct window_grid grid = { view_rect(view), size / 8, HOLES_ALL };
        struct mesh mesh = mesh_of(view, &grid);
        struct fault why = { 0 };
        double error, metres;

        assert_true(grid_error(view, NULL, size, 8, &error, &why));
        assert_true(error >= mesh.bound && (size == 8) == (error == 0));
        /* Both triangles of a quad stand side by side: nw, se, ne and nw, sw, se. */
        for (size_t i = 0; i < mesh.index_count && size > 8; i += 6) {
            uint32_t *quad = mesh.indices + i, nw = quad[0], se = quad[1], ne = quad[2];
            uint32_t sw = quad[4];
            const uint32_t turned[6] = { nw, sw, ne, ne, sw, se };

            memcpy(quad, turned, sizeof turned);
        }
        assert_true(mesh_measure(view, &mesh, 0, &metres, &why));
        assert_true(metres <= error + 1e-9);
        mesh_free(&mesh);
    }
    view_drop(view);
}

/* Corners that are no vertices of the landscape's, and edges that run anyhow. */
static void a_slanting_triangle_is_measured_too(void **state)
{
    struct view *view = ground_rough(64, 64, 31);
    struct fault why = { 0 };
    double metres, most = 0;
    struct mesh mesh;

    (void)state;
    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, 3, 3, &why));
    mesh_vertex(&mesh, 2.25, 3.5, 30000);
    mesh_vertex(&mesh, 9.125, 11.75, 31000);
    mesh_vertex(&mesh, 11.5, 4.25, 35000);
    mesh_triangle(&mesh, 0, 1, 2);
    assert_true(mesh_measure(view, &mesh, 0, &metres, &why));
    for (double y = 3; y < 12; y += 1.0 / 64) {
        for (double x = 2; x < 12; x += 1.0 / 64) {
            double at = mesh_code(&mesh, x, y), code;

            assert_true(view_code_at(view, x, y, &code));
            if (!isnan(at))
                most = fmax(most, fabs(at - code) / 128);
        }
    }
    assert_true(most <= metres + 1e-9 && most >= metres * 0.99);
    mesh_free(&mesh);
    view_drop(view);
}

/* A tile of a globe may have a whole landscape between two of its samples. What lies beside the
 * landscape costs nothing. */
static void corners_may_lie_far_beside_the_landscape(void **state)
{
    const double far = 3e12;
    struct view *view = ground_rough(64, 64, 32);
    struct fault why = { 0 };
    double most = 0;
    struct mesh mesh;

    (void)state;
    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, 3, 3, &why));
    mesh_vertex(&mesh, -far, -far / 2, 30000);
    mesh_vertex(&mesh, far, -far / 3, 30000);
    mesh_vertex(&mesh, 17, far, 30000);
    mesh_triangle(&mesh, 0, 1, 2);
    for (int32_t i = 0; i < 64 * 64; i++)
        most = fmax(most, fabs(view_height(view, i % 64, i / 64) - 30000.0) / 128);
    assert_measured(view, &mesh, most);
    mesh_free(&mesh);
    view_drop(view);
}

/* An upright triangle has edges alone: they are measured along their way over the landscape. */
static double measured_line(const struct view *view, double west, double east)
{
    struct fault why = { 0 };
    struct mesh mesh;
    double metres;

    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, 3, 3, &why));
    mesh_vertex(&mesh, west, 10.25 + west / 4, 30000);
    mesh_vertex(&mesh, east, 10.25 + east / 4, 30000);
    mesh_vertex(&mesh, (west + east) / 2, 10.25 + (west + east) / 8, 30000);
    mesh_triangle(&mesh, 0, 1, 2);
    assert_true(mesh_measure(view, &mesh, 0, &metres, &why));
    mesh_free(&mesh);
    return metres;
}

static void an_edge_counts_where_it_runs_over_the_landscape(void **state)
{
    struct view *view = ground_rough(64, 64, 33);
    const double over = measured_line(view, 0, 63);

    (void)state;
    assert_true(over > 0);
    for (double far = 64; far < 1e9; far *= 8) {
        assert_float_equal(measured_line(view, -far, 63), over, 1e-6);
        assert_float_equal(measured_line(view, 0, far), over, 1e-6);
        assert_float_equal(measured_line(view, far, -far / 2), over, 1e-6);
    }
    assert_true(measured_line(view, -1e9, -1) == 0);
    view_drop(view);
}

static void holes_are_left_out_by_the_rule(void **state)
{
    struct view *view = ground_rough(64, 64, 6);
    struct window_grid all = { { 0, 0, 64, 64 }, 4, HOLES_ALL };
    struct window_grid any = { { 0, 0, 64, 64 }, 4, HOLES_ANY };
    struct window_grid fine = { { 0, 0, 64, 64 }, 1, HOLES_ALL };
    struct mesh mesh;

    (void)state;
    hole(&view, (struct rect){ 8, 8, 9, 4 }); /* two whole quads of 4, and a quarter of a third */
    mesh = mesh_of(view, &all);
    assert_int_equal(mesh.index_count / 3, 16 * 16 * 2 - 4);
    mesh_free(&mesh);
    mesh = mesh_of(view, &any);
    assert_int_equal(mesh.index_count / 3, 16 * 16 * 2 - 6);
    mesh_free(&mesh);
    mesh = mesh_of(view, &fine);
    assert_int_equal(mesh.index_count / 3, 63 * 63 * 2 - 2 * 36);
    assert_int_equal(mesh.vertex_count, 64 * 64 - 8 * 3); /* those inside belong to nothing */
    mesh_free(&mesh);
    view_drop(view);
}

/* Vertices stand where XY offsets move them, with the heights and normals that they had. */
static void offsets_move_vertices(void **state)
{
    const uint16_t xy[1][2] = { { OFFSET_REST + 64, OFFSET_REST - 128 } };
    struct window_grid grid = { { 0, 0, 20, 20 }, 1, HOLES_ALL };
    struct view *view = ground_rough(64, 64, 13);
    struct mesh before = mesh_of(view, &grid), after;
    struct draft *draft;
    struct change change;
    struct fault why = { 0 };

    (void)state;
    draft = draft_new(view, &why);
    assert_true(draft_write_offsets(draft, (struct rect){ 7, 9, 1, 1 }, xy, 1, &why));
    view = ground_finish(draft, view, &change);
    after = mesh_of(view, &grid);
    assert_int_equal(after.vertex_count, before.vertex_count);
    for (size_t i = 0; i < after.vertex_count; i++) {
        bool moved = i == 9 * 20 + 7;

        assert_true(after.at[i][0] == before.at[i][0] + (moved ? 0.25 : 0));
        assert_true(after.at[i][1] == before.at[i][1] - (moved ? 0.5 : 0));
        assert_true(after.at[i][2] == before.at[i][2]);
        assert_memory_equal(after.normals[i], before.normals[i], sizeof after.normals[i]);
    }
    assert_true(isnan(after.bound));
    mesh_free(&before);
    mesh_free(&after);
    view_drop(view);
}

static void a_window_of_holes_has_no_vertices(void **state)
{
    struct view *view = ground_flat(64, 64, 100);
    struct window_grid grid = { { 0, 0, 64, 64 }, 1, HOLES_ALL };
    struct mesh mesh;

    (void)state;
    hole(&view, (struct rect){ 0, 0, 63, 63 });
    mesh = mesh_of(view, &grid);
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(mesh.index_count, 0);
    mesh_free(&mesh);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_column_and_row_stay),
        cmocka_unit_test(the_bound_is_what_is_measured),
        cmocka_unit_test(the_bound_counts_what_lies_between_vertices),
        cmocka_unit_test(any_mesh_can_be_measured),
        cmocka_unit_test(the_other_diagonal_is_off_in_the_middle),
        cmocka_unit_test(a_levels_error_holds_for_either_diagonal),
        cmocka_unit_test(a_slanting_triangle_is_measured_too),
        cmocka_unit_test(corners_may_lie_far_beside_the_landscape),
        cmocka_unit_test(an_edge_counts_where_it_runs_over_the_landscape),
        cmocka_unit_test(holes_are_left_out_by_the_rule),
        cmocka_unit_test(offsets_move_vertices),
        cmocka_unit_test(a_window_of_holes_has_no_vertices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

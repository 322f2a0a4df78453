/* The crack checker finds every kind of crack that is planted, and none in a whole mesh. */
#include "tests/terrain/cracks.h"

#include <math.h>
#include <string.h>

#include "tests/terrain/ground.h"

enum { SIDE = 6 };

static uint8_t everywhere[SIDE * SIDE];

/* A plain grid of SIDE x SIDE quads, two triangles each, with vertices of its own for each: what
 * welding must put together. */
static struct mesh grid(const uint8_t *drawn)
{
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, SIDE * SIDE * 4 + 16, SIDE * SIDE * 6 + 48, &why));
    for (int32_t q = 0; q < SIDE * SIDE; q++) {
        uint32_t at[4];

        for (int i = 0; i < 4; i++) {
            int32_t x = q % SIDE + (i & 1), y = q / SIDE + (i >> 1);

            at[i] = mesh_vertex(&mesh, x, y, 30000 + x * x * 3 - y * 7);
        }
        if (!drawn[q])
            continue;
        mesh_triangle(&mesh, at[0], at[3], at[1]);
        mesh_triangle(&mesh, at[0], at[2], at[3]);
    }
    return mesh;
}

static enum crack_kind kind_over(const struct mesh *mesh, const uint8_t *drawn, struct crack *crack)
{
    struct cracks_ground ground = { SIDE, SIDE, drawn };
    struct cracks_rule rule = cracks_ground_rule(&ground);
    bool none = cracks_none(mesh, &rule, crack);

    assert_true(none == (crack->kind == CRACK_NONE));
    return crack->kind;
}

static enum crack_kind kind_of(const struct mesh *mesh)
{
    struct crack crack;

    return kind_over(mesh, everywhere, &crack);
}

static void a_whole_mesh_has_none(void **state)
{
    struct mesh mesh = grid(everywhere);
    struct fault why = { 0 };

    (void)state;
    assert_int_equal(kind_of(&mesh), CRACK_NONE);
    assert_true(mesh_weld(&mesh, &why));
    assert_int_equal(mesh.vertex_count, (SIDE + 1) * (SIDE + 1));
    assert_int_equal(kind_of(&mesh), CRACK_NONE);
    mesh_free(&mesh);
}

static void a_mesh_may_end_at_holes_and_nowhere_else(void **state)
{
    uint8_t drawn[SIDE * SIDE];
    struct crack crack;
    struct mesh mesh;

    (void)state;
    memset(drawn, 1, sizeof drawn);
    drawn[2 * SIDE + 3] = drawn[2 * SIDE + 4] = drawn[3 * SIDE + 4] = drawn[SIDE * SIDE - 1] = 0;
    mesh = grid(drawn);
    assert_int_equal(kind_over(&mesh, drawn, &crack), CRACK_NONE);
    assert_int_equal(kind_of(&mesh), CRACK_OPEN);
    mesh_free(&mesh);
    mesh = grid(everywhere);
    assert_int_equal(kind_over(&mesh, drawn, &crack), CRACK_AREA);
    mesh_free(&mesh);
}

/* Each of the four sides of a hole, and a hole that lies on the other side of the edge. */
static void the_side_beyond_is_told_right(void **state)
{
    (void)state;
    for (int32_t hole = 0; hole < SIDE * SIDE; hole++) {
        uint8_t drawn[SIDE * SIDE], lied[SIDE * SIDE];
        struct crack crack;
        struct mesh mesh;

        memset(drawn, 1, sizeof drawn);
        memset(lied, 1, sizeof lied);
        drawn[hole] = lied[(hole + 1) % (SIDE * SIDE)] = 0;
        mesh = grid(drawn);
        assert_int_equal(kind_over(&mesh, drawn, &crack), CRACK_NONE);
        assert_int_equal(kind_over(&mesh, lied, &crack), CRACK_OPEN);
        mesh_free(&mesh);
    }
}

/* The quad at (2, 3) gets a vertex in the middle of its northern edge, which its neighbour lacks:
 * on the line or not, it is a T. */
static void a_t_junction_is_found(void **state)
{
    (void)state;
    for (int bump = 0; bump < 2; bump++) {
        struct mesh mesh = grid(everywhere);
        size_t quad = 3 * SIDE + 2;
        const uint32_t *old = mesh.indices + quad * 6;
        uint32_t nw = old[0], se = old[1], ne = old[2], middle;
        struct crack crack;

        middle = mesh_vertex(&mesh, 2.5, 3, (mesh.at[nw][2] + mesh.at[ne][2]) / 2 + bump);
        mesh.indices[quad * 6 + 2] = middle;
        mesh_triangle(&mesh, middle, se, ne);
        assert_int_equal(kind_over(&mesh, everywhere, &crack), CRACK_OPEN);
        assert_float_equal(crack.from[1], 3, 0);
        assert_float_equal(crack.to[1], 3, 0);
        mesh_free(&mesh);
    }
}

static void a_difference_of_height_alone_is_found(void **state)
{
    struct mesh mesh = grid(everywhere);

    (void)state;
    mesh.at[mesh.indices[(2 * SIDE + 2) * 6]][2] += 1e-9 * 30000;
    assert_int_equal(kind_of(&mesh), CRACK_OPEN);
    mesh_free(&mesh);
}

static void a_missing_triangle_is_found_wherever_it_was(void **state)
{
    (void)state;
    for (size_t t = 0; t < SIDE * SIDE * 2; t++) {
        struct mesh mesh = grid(everywhere);
        enum crack_kind kind;

        mesh.index_count -= 3;
        memmove(mesh.indices + t * 3, mesh.indices + mesh.index_count, 3 * sizeof *mesh.indices);
        kind = kind_of(&mesh);
        assert_true(kind == CRACK_OPEN || kind == CRACK_AREA);
        mesh_free(&mesh);
    }
}

static void a_flipped_triangle_is_found(void **state)
{
    (void)state;
    for (size_t t = 0; t < SIDE * SIDE * 2; t++) {
        struct mesh mesh = grid(everywhere);
        uint32_t *corners = mesh.indices + t * 3, kept = corners[1];
        struct crack crack;

        corners[1] = corners[2];
        corners[2] = kept;
        assert_true(kind_over(&mesh, everywhere, &crack) == CRACK_TURNED ||
                    crack.kind == CRACK_CROWDED);
        mesh_free(&mesh);
    }
}

static void overlapping_triangles_are_found(void **state)
{
    struct mesh mesh = grid(everywhere);
    uint32_t at[3];

    (void)state;
    mesh_triangle(&mesh, mesh.indices[0], mesh.indices[1], mesh.indices[2]);
    assert_int_equal(kind_of(&mesh), CRACK_CROWDED);
    mesh.index_count -= 3;
    /* a piece that touches nothing */
    at[0] = mesh_vertex(&mesh, 1.25, 1.25, 0);
    at[1] = mesh_vertex(&mesh, 1.75, 1.75, 0);
    at[2] = mesh_vertex(&mesh, 1.75, 1.25, 0);
    mesh_triangle(&mesh, at[0], at[1], at[2]);
    assert_int_equal(kind_of(&mesh), CRACK_OPEN);
    mesh_free(&mesh);
}

static void triangles_without_area_are_found_unless_folds_are_allowed(void **state)
{
    struct cracks_ground ground = { SIDE, SIDE, everywhere };
    struct cracks_rule rule = cracks_ground_rule(&ground);
    struct mesh mesh = grid(everywhere);
    struct crack crack;

    (void)state;
    mesh_triangle(&mesh, mesh.indices[0], mesh.indices[1], mesh.indices[1]);
    assert_int_equal(kind_of(&mesh), CRACK_FLAT);
    rule.folds = true;
    assert_true(cracks_none(&mesh, &rule, &crack));
    mesh_free(&mesh);
}

/* An inner vertex pulled beyond its quad turns triangles over; the sum with signs stays. */
static void folds_add_up_with_their_signs(void **state)
{
    struct cracks_ground ground = { SIDE, SIDE, everywhere };
    struct cracks_rule rule = cracks_ground_rule(&ground);
    struct mesh mesh = grid(everywhere);
    struct crack crack;

    (void)state;
    for (size_t i = 0; i < mesh.vertex_count; i++)
        if (mesh.at[i][0] == 3 && mesh.at[i][1] == 3)
            mesh.at[i][0] = 5.5;
    assert_int_equal(kind_of(&mesh), CRACK_TURNED);
    rule.folds = true;
    assert_true(cracks_none(&mesh, &rule, &crack));
    rule.area += 0.25;
    assert_false(cracks_none(&mesh, &rule, &crack));
    assert_int_equal(crack.kind, CRACK_AREA);
    mesh_free(&mesh);
}

static void broken_meshes_are_told(void **state)
{
    struct mesh mesh = grid(everywhere);

    (void)state;
    mesh.indices[7] = (uint32_t)mesh.vertex_count;
    assert_int_equal(kind_of(&mesh), CRACK_BROKEN);
    mesh.indices[7] = mesh.indices[8];
    mesh.at[3][2] = NAN;
    assert_int_equal(kind_of(&mesh), CRACK_BROKEN);
    mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_mesh_has_none),
        cmocka_unit_test(a_mesh_may_end_at_holes_and_nowhere_else),
        cmocka_unit_test(the_side_beyond_is_told_right),
        cmocka_unit_test(a_t_junction_is_found),
        cmocka_unit_test(a_difference_of_height_alone_is_found),
        cmocka_unit_test(a_missing_triangle_is_found_wherever_it_was),
        cmocka_unit_test(a_flipped_triangle_is_found),
        cmocka_unit_test(overlapping_triangles_are_found),
        cmocka_unit_test(triangles_without_area_are_found_unless_folds_are_allowed),
        cmocka_unit_test(folds_add_up_with_their_signs),
        cmocka_unit_test(broken_meshes_are_told),
    };

    memset(everywhere, 1, sizeof everywhere);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

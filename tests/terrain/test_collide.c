/* Heights, normals and holes at points. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "tests/terrain/vectors.h"

/* The reference's field: 27 x 23 vertices with holes. */
static struct view *reference_field(const json_t *field)
{
    int32_t width = vectors_int(field, "w"), height = vectors_int(field, "h");
    uint16_t *heights = vectors_codes(json_object_get(field, "heights"));
    struct view *view = ground_of(width, height, heights);
    const json_t *visibility = json_object_get(field, "visibility");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (int32_t i = 0; i < width * height; i++) {
        uint8_t hole = vectors_at(visibility, (size_t)i) >= 170;

        assert_true(
            draft_write_holes(draft, (struct rect){ i % width, i / width, 1, 1 }, &hole, 1, &why));
    }
    view = ground_finish(draft, view, &change);
    for (size_t i = 0; i < 3; i++) {
        view->settings->grid.scale[i] = vectors_at(json_object_get(field, "scale"), i);
        view->settings->grid.origin[i] = vectors_at(json_object_get(field, "origin"), i);
    }
    free(heights);
    return view;
}

static void points_are_answered_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("12_collision"), *field = json_object_get(file, "field"), *row;
    struct view *view = reference_field(field);
    size_t i, holes = 0;

    (void)state;
    json_array_foreach(json_object_get(field, "queries"), i, row)
    {
        const json_t *hit = json_object_get(row, "hit");
        const double local[2] = { vectors_at(json_object_get(row, "p"), 0),
                                  vectors_at(json_object_get(row, "p"), 1) };
        struct surface surface = { 0 };
        struct fault why = { 0 };
        double at[2];

        grid_from_local(view_grid(view), local, at);
        if (!collide_surface(view, at, &surface, &why)) {
            assert_int_equal(why.code, FAULT_RANGE);
            assert_true(json_is_null(hit));
            continue;
        }
        holes += surface.hole;
        assert_int_equal(surface.hole, json_is_null(hit));
        if (json_is_null(hit))
            continue;
        assert_float_equal(surface.z, vectors_real(hit, "z"), 1e-5 * (1 + fabs(surface.z)));
        assert_int_equal(surface.triangle, vectors_real(hit, "tri"));
        for (size_t k = 0; k < 3; k++) {
            assert_float_equal(surface.normal[k], vectors_at(json_object_get(hit, "normal"), k),
                               1e-4);
            assert_float_equal(surface.smooth[k], vectors_at(json_object_get(hit, "smooth"), k),
                               1e-4);
        }
    }
    assert_true(holes > 0);
    view_drop(view);
    json_decref(file);
}

static void vertices_have_their_own_heights_up_to_the_last(void **state)
{
    struct view *view = ground_rough(131, 140, 1);

    (void)state;
    for (int32_t y = 0; y < 140; y++) {
        for (int32_t x = 0; x < 131; x++) {
            bool hole = true;
            double z;

            assert_true(collide_height(view, x, y, &z, &hole));
            assert_float_equal(z, grid_metres(view_grid(view), view_height(view, x, y)), 0);
            assert_false(hole);
        }
    }
    view_drop(view);
}

static void outside_there_is_no_height(void **state)
{
    static const double beyond[][2] = { { -1e-9, 0 },    { 0, -1e-9 },     { 130.0000001, 5 },
                                        { 5, 139.01 },   { NAN, 5 },       { 5, NAN },
                                        { INFINITY, 0 }, { 1e300, -1e300 } };
    struct view *view = ground_rough(131, 140, 1);

    (void)state;
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        struct fault why = { 0 };
        struct surface surface = { .z = -7 };
        double z = -7;

        assert_false(collide_height(view, beyond[i][0], beyond[i][1], &z, NULL));
        assert_false(collide_surface(view, beyond[i], &surface, &why));
        assert_int_equal(why.code, FAULT_RANGE);
        assert_float_equal(z, -7, 0);
        assert_float_equal(surface.z, -7, 0);
        collide_heights(view, beyond[i], 1, &(const struct collide_ways){ 0 }, &z, NULL, NULL);
        assert_true(isnan(z));
    }
    view_drop(view);
}

static void heights_between_vertices_lie_on_the_plane(void **state)
{
    struct view *view = ground_flat(200, 200, 0);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct dice dice = { 2 };

    (void)state;
    for (int32_t y = 0; y < 200; y++) {
        for (int32_t x = 0; x < 200; x++) {
            uint16_t code = (uint16_t)(1000 + 64 * x + 128 * y);

            assert_true(draft_write_heights(draft, (struct rect){ x, y, 1, 1 }, &code, 1, &why));
        }
    }
    view = ground_finish(draft, view, &change);
    for (int i = 0; i < 10000; i++) {
        double x = dice_real(&dice, 0, 199), y = dice_real(&dice, 0, 199), z;

        assert_true(collide_height(view, x, y, &z, NULL));
        assert_float_equal(z, (1000 + 64 * x + 128 * y - 32768) / 128, 1e-9);
    }
    view_drop(view);
}

/* Rough in the middle, one value in the west, holes here and there. */
static struct view *mixed_ground(void)
{
    struct view *view = ground_rough(700, 500, 3);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct dice dice = { 3 };
    struct change change;
    uint16_t *flat = calloc(300 * 500, sizeof *flat);

    assert_true(draft_write_heights(draft, (struct rect){ 0, 0, 300, 500 }, flat, 300, &why));
    for (int i = 0; i < 3000; i++) {
        uint8_t hole = 1;

        assert_true(draft_write_holes(draft, dice_rect(&dice, 699, 499, 1), &hole, 1, &why));
    }
    free(flat);
    return ground_finish(draft, view, &change);
}

/* An executor that takes the pieces from the back. */
static void run_backwards(const struct executor *self, size_t count,
                          void (*piece)(void *work, size_t i), void *work)
{
    (void)self;
    while (count > 0)
        piece(work, --count);
}

static void many_points_get_the_answers_of_single_ones(void **state)
{
    const struct executor backwards = { run_backwards };
    enum { COUNT = 50001 };
    struct view *view = mixed_ground();
    double *points = malloc(2 * COUNT * sizeof *points), *z[2];
    struct dice dice = { 4 };
    size_t in_holes = 0;

    (void)state;
    z[0] = malloc(COUNT * sizeof **z);
    z[1] = malloc(COUNT * sizeof **z);
    for (int i = 0; i < COUNT; i++) {
        points[2 * i] = dice_real(&dice, -20, 720);
        points[2 * i + 1] = dice_real(&dice, -20, 520);
        if (i % 7 == 0)
            points[2 * i] = floor(points[2 * i]);
        if (i % 5 == 0)
            points[2 * i + 1] = floor(points[2 * i + 1]);
    }
    collide_heights(view, points, COUNT, &(const struct collide_ways){ 0 }, z[0], NULL, NULL);
    collide_heights(view, points, COUNT, &(const struct collide_ways){ .ignore_holes = true }, z[1],
                    NULL, &backwards);
    for (int i = 0; i < COUNT; i++) {
        double one = NAN;
        bool hole = false,
             there = collide_height(view, points[2 * i], points[2 * i + 1], &one, &hole);

        in_holes += hole;
        if (!there)
            assert_true(isnan(z[0][i]) && isnan(z[1][i]));
        else
            assert_memory_equal(&z[1][i], &one, sizeof one);
        if (there && hole)
            assert_true(isnan(z[0][i]));
        else if (there)
            assert_memory_equal(&z[0][i], &one, sizeof one);
    }
    assert_true(in_holes > 20);
    free(points);
    free(z[0]);
    free(z[1]);
    view_drop(view);
}

static void normals_are_units_that_point_up(void **state)
{
    struct view *view = ground_rough(40, 30, 5);
    struct dice dice = { 5 };

    (void)state;
    view->settings->grid.scale[0] = 0.5;
    view->settings->grid.scale[1] = 3;
    for (int i = 0; i < 2000; i++) {
        const double at[2] = { dice_real(&dice, 0, 39), dice_real(&dice, 0, 29) };
        struct surface surface;
        struct fault why = { 0 };
        double east, south;

        assert_true(collide_surface(view, at, &surface, &why));
        for (int k = 0; k < 2; k++) {
            const double *n = k ? surface.smooth : surface.normal;

            assert_float_equal(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-12);
            assert_true(n[2] > 0);
        }
        /* the triangle's normal is square to a small step along it */
        if (at[0] - floor(at[0]) > at[1] - floor(at[1]) + 2e-3 && at[0] - floor(at[0]) < 0.99) {
            assert_true(collide_height(view, at[0] + 1e-3, at[1], &east, NULL));
            assert_true(collide_height(view, at[0], at[1] + 1e-3, &south, NULL));
            assert_float_equal((east - surface.z) * surface.normal[2], -0.5e-3 * surface.normal[0],
                               1e-9);
            assert_float_equal((south - surface.z) * surface.normal[2], -3e-3 * surface.normal[1],
                               1e-9);
        }
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_answered_as_in_the_reference),
        cmocka_unit_test(vertices_have_their_own_heights_up_to_the_last),
        cmocka_unit_test(outside_there_is_no_height),
        cmocka_unit_test(heights_between_vertices_lie_on_the_plane),
        cmocka_unit_test(many_points_get_the_answers_of_single_ones),
        cmocka_unit_test(normals_are_units_that_point_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

/* Points on and off the ground, many of them on the lines between quads and at its borders. */
static double *points_over(struct dice *dice, int32_t columns, int32_t rows, size_t count)
{
    double *points = malloc(2 * count * sizeof *points);

    for (size_t i = 0; i < count; i++) {
        double *at = points + 2 * i;

        at[0] = dice_real(dice, -20, columns + 20);
        at[1] = dice_real(dice, -20, rows + 20);
        if (i % 7 == 0)
            at[0] = floor(at[0]);
        if (i % 5 == 0)
            at[1] = floor(at[1]);
        if (i % 11 == 0)
            at[0] = i & 1 ? 0 : columns - 1;
        if (i % 13 == 0)
            at[1] = i & 1 ? 0 : rows - 1;
        if (i % 101 == 0)
            at[i & 1] = i % 3 ? NAN : INFINITY;
    }
    return points;
}

static bool single(const struct view *view, enum interpolation interpolation, const double at[2],
                   double *z, bool *hole)
{
    double surface;

    if (!collide_between(view, interpolation, at, z, hole))
        return false;
    if (interpolation == INTERPOLATION_TRIANGLE) {
        assert_true(collide_height(view, at[0], at[1], &surface, NULL));
        assert_memory_equal(z, &surface, sizeof surface);
    }
    return true;
}

static size_t assert_as_single(const struct view *view, const struct collide_ways *ways,
                               const double *points, size_t count, const struct executor *executor)
{
    double *z = malloc(count * sizeof *z + 1);
    uint8_t *statuses = malloc(count + 1);
    size_t holes = 0;

    memset(statuses, 77, count + 1);
    collide_heights(view, points, count, ways, z, statuses, executor);
    for (size_t i = 0; i < count; i++) {
        double one = NAN;
        bool hole = false, there = single(view, ways->interpolation, points + 2 * i, &one, &hole);

        if (!there || (hole && !ways->ignore_holes)) {
            assert_true(isnan(z[i]));
            assert_int_equal(statuses[i], there ? RAY_HOLE : RAY_OUTSIDE);
        } else {
            assert_memory_equal(z + i, &one, sizeof one);
            assert_int_equal(statuses[i], RAY_HIT);
        }
        holes += hole;
    }
    assert_int_equal(statuses[count], 77);
    free(z);
    free(statuses);
    return holes;
}

static void many_points_get_the_answers_of_single_ones(void **state)
{
    static const size_t counts[] = { 0, 1, 5, 63, 64, 65, 129, 1000, 20001 };
    const struct executor backwards = { run_backwards };
    struct view *view = mixed_ground();
    struct dice dice = { 4 };
    size_t holes = 0;

    (void)state;
    for (int k = 0; k < 2 * INTERPOLATIONS; k++) {
        const struct collide_ways ways = { (enum interpolation)(k / 2), k & 1 };

        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            double *points = points_over(&dice, 700, 500, counts[i]);

            holes += assert_as_single(view, &ways, points, counts[i], i & 1 ? &backwards : NULL);
            free(points);
        }
    }
    assert_true(holes > 100);
    view_drop(view);
}

/* Many sizes of ground, among them those of a few vertices and of one block exactly; some is all
 * of one value, some nothing but holes. */
static void any_ground_answers_many_as_it_does_one(void **state)
{
    static const int32_t sides[] = { 2, 3, 4, 5, 127, 128, 129, 130, 257, 300 };
    enum { SIDES = sizeof sides / sizeof *sides, COUNT = 700 };
    struct dice dice = { 6 };

    (void)state;
    for (int k = 0; k < 3 * SIDES; k++) {
        const int32_t columns = sides[k % SIDES], rows = sides[dice_between(&dice, 0, SIDES - 1)];
        struct view *view = k % 3 ? ground_rough(columns, rows, (uint64_t)k)
                                  : ground_flat(columns, rows, (uint16_t)(k * 999));
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);
        struct change change;
        uint8_t *holes = malloc((size_t)(columns - 1) * (size_t)(rows - 1));
        double *points = points_over(&dice, columns, rows, COUNT);

        memset(holes, k % 2 ? 255 : 0, (size_t)(columns - 1) * (size_t)(rows - 1));
        assert_true(draft_write_holes(draft, (struct rect){ 0, 0, columns - 1, rows - 1 }, holes,
                                      columns - 1, &why));
        view = ground_finish(draft, view, &change);
        for (int way = 0; way < 2 * INTERPOLATIONS; way++)
            assert_as_single(view,
                             &(const struct collide_ways){ (enum interpolation)(way / 2), way & 1 },
                             points, COUNT, NULL);
        free(points);
        free(holes);
        view_drop(view);
    }
}

/* Interpolations, by other formulas than the code's */

static double vertex_code(const struct view *view, int32_t x, int32_t y)
{
    const int32_t right = view_grid(view)->columns - 1, bottom = view_grid(view)->rows - 1;

    return view_height(view,
                       x < 0       ? 0
                       : x > right ? right
                                   : x,
                       y < 0        ? 0
                       : y > bottom ? bottom
                                    : y);
}

/* Catmull-Rom as Hermite's cubic between p[1] and p[2], half of their neighbours' difference being
 * the tangents. */
static double hermite(const double p[4], double t)
{
    const double begin = (p[2] - p[0]) / 2, end = (p[3] - p[1]) / 2;

    return p[1] * (1 + 2 * t) * (1 - t) * (1 - t) + begin * t * (1 - t) * (1 - t) +
           p[2] * t * t * (3 - 2 * t) + end * t * t * (t - 1);
}

static double expected_code(const struct view *view, enum interpolation interpolation, double x,
                            double y)
{
    const int32_t i = (int32_t)fmin(floor(x), view_grid(view)->columns - 2);
    const int32_t j = (int32_t)fmin(floor(y), view_grid(view)->rows - 2);
    const double u = x - i, v = y - j;
    double code, rows[4];

    switch (interpolation) {
    case INTERPOLATION_BILINEAR:
        return (1 - u) * (1 - v) * vertex_code(view, i, j) +
               u * (1 - v) * vertex_code(view, i + 1, j) +
               (1 - u) * v * vertex_code(view, i, j + 1) + u * v * vertex_code(view, i + 1, j + 1);
    case INTERPOLATION_BICUBIC:
        for (int row = 0; row < 4; row++) {
            double p[4];

            for (int k = 0; k < 4; k++)
                p[k] = vertex_code(view, i - 1 + k, j - 1 + row);
            rows[row] = hermite(p, u);
        }
        return hermite(rows, v);
    case INTERPOLATION_NEAREST:
        return vertex_code(view, (int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5));
    default:
        assert_true(view_code_at(view, x, y, &code));
        return code;
    }
}

static void each_interpolation_is_what_its_formula_says(void **state)
{
    struct view *view = ground_rough(150, 140, 12);
    struct dice dice = { 13 };

    (void)state;
    for (int k = 0; k < 8000; k++) {
        const enum interpolation interpolation = (enum interpolation)(k % INTERPOLATIONS);
        double at[2] = { dice_real(&dice, 0, 149), dice_real(&dice, 0, 139) }, z;

        if (k % 3 == 0)
            at[0] = floor(at[0] * 2) / 2; /* halfway ones are the nearest's ties */
        if (k % 5 == 0)
            at[1] = k & 1 ? 139 - dice_real(&dice, 0, 2) : dice_real(&dice, 0, 2);
        assert_true(collide_between(view, interpolation, at, &z, NULL));
        assert_float_equal(grid_code(view_grid(view), z),
                           expected_code(view, interpolation, at[0], at[1]), 1e-6);
    }
    view_drop(view);
}

static void every_interpolation_passes_through_the_vertices(void **state)
{
    struct view *view = ground_rough(131, 140, 1);

    (void)state;
    for (int k = 0; k < INTERPOLATIONS; k++) {
        for (int32_t y = 0; y < 140; y++) {
            for (int32_t x = 0; x < 131; x++) {
                double z;

                assert_true(collide_between(view, (enum interpolation)k, (const double[2]){ x, y },
                                            &z, NULL));
                assert_float_equal(z, grid_metres(view_grid(view), view_height(view, x, y)), 0);
            }
        }
    }
    view_drop(view);
}

/* The names are told to clients, in this order. */
static void interpolations_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(interpolation_words[INTERPOLATION_TRIANGLE], "triangle");
    assert_string_equal(interpolation_words[INTERPOLATION_BILINEAR], "bilinear");
    assert_string_equal(interpolation_words[INTERPOLATION_BICUBIC], "bicubic");
    assert_string_equal(interpolation_words[INTERPOLATION_NEAREST], "nearest");
    assert_null(interpolation_words[INTERPOLATIONS]);
}

/* Shares are those of the triangle's corners: they make the place, the height and the smooth
 * normal. */
static void shares_make_the_place_the_height_and_the_smooth_normal(void **state)
{
    struct view *view = ground_rough(140, 135, 15);
    struct dice dice = { 14 };

    (void)state;
    for (int n = 0; n < 5000; n++) {
        const double at[2] = { dice_real(&dice, 0, 139), dice_real(&dice, 0, 134) };
        double place[2] = { 0, 0 }, z = 0, smooth[3] = { 0, 0, 0 }, length;
        struct surface surface;
        struct fault why = { 0 };
        int32_t i, j;

        assert_true(collide_surface(view, at, &surface, &why));
        i = (int32_t)(surface.triangle / 2 % 139);
        j = (int32_t)(surface.triangle / 2 / 139);
        for (int corner = 0; corner < 3; corner++) {
            const bool south_west = surface.triangle & 1;
            const int32_t x = i + (corner == 2 || (corner == 1 && !south_west));
            const int32_t y = j + (corner == 2 || (corner == 1 && south_west));
            struct surface vertex;

            assert_true(surface.shares[corner] >= 0 && surface.shares[corner] <= 1);
            place[0] += surface.shares[corner] * x;
            place[1] += surface.shares[corner] * y;
            z += surface.shares[corner] * grid_metres(view_grid(view), view_height(view, x, y));
            assert_true(collide_surface(view, (const double[2]){ x, y }, &vertex, &why));
            for (int axis = 0; axis < 3; axis++)
                smooth[axis] += surface.shares[corner] * vertex.smooth[axis];
        }
        assert_float_equal(place[0], at[0], 1e-9);
        assert_float_equal(place[1], at[1], 1e-9);
        assert_float_equal(z, surface.z, 1e-9);
        length = sqrt(smooth[0] * smooth[0] + smooth[1] * smooth[1] + smooth[2] * smooth[2]);
        for (int axis = 0; axis < 3; axis++)
            assert_float_equal(surface.smooth[axis], smooth[axis] / length, 1e-12);
    }
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
        cmocka_unit_test(any_ground_answers_many_as_it_does_one),
        cmocka_unit_test(each_interpolation_is_what_its_formula_says),
        cmocka_unit_test(every_interpolation_passes_through_the_vertices),
        cmocka_unit_test(interpolations_have_their_words),
        cmocka_unit_test(shares_make_the_place_the_height_and_the_smooth_normal),
        cmocka_unit_test(normals_are_units_that_point_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
